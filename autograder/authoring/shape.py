"""The one shape that a source notebook has on disk, so that a diff shows what an author changed and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nbformat

from autograder.authoring.cell_ids import name_cells
from autograder.authoring.given_cells import given_source
from autograder.authoring.notebook import Notebook, code_cells, given_names
from autograder.course import Course
from autograder.exercises import Cell, nbgrader_marks
from autograder.language import _

# As JupyterLab writes it, so that opening a lesson and saving it changes nothing.
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
KEPT_METADATA = ("autograder", "nbgrader", "tags")
NBGRADER_KEYS = ("grade", "grade_id", "locked", "points", "schema_version", "solution", "task")
# Holds the id of a live widget: another one in every run, and dead once the kernel has stopped.
LIVE_WIDGET = "application/vnd.jupyter.widget-view+json"


def shape(notebook: Notebook, course: Course) -> None:
    """Bring `notebook` into shape, in place.

    Raises:
        CourseError: a given cell names a lesson or an exercise that does not exist or cannot be read.
    """
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    notebook["metadata"] = _notebook_metadata(notebook["metadata"])
    name_cells(notebook)
    for cell in notebook["cells"]:
        cell["metadata"] = _cell_metadata(cell)
        names = given_names(cell)
        cell["source"] = given_source(course, names) if names else cell["source"].rstrip("\n")
    for number, cell in enumerate(code_cells(notebook), start=1):
        _number(cell, number)


def blemishes(notebook: Notebook) -> Iterator[tuple[str, str]]:
    """What a tidy notebook must not hold and only its author can take out: (cell id, sentence)."""
    for cell in code_cells(notebook):
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                yield cell["id"], _("it ends in a traceback ({name}).").format(name=output.get("ename", ""))
            elif output.get("name") == "stderr":
                yield cell["id"], _("it writes to stderr.")
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        yield "", _("not a valid notebook: {reason}").format(reason=str(error).partition("\n")[0])


def _notebook_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    kept = {"autograder": metadata["autograder"]} if "autograder" in metadata else {}
    return {**kept, "kernelspec": dict(KERNELSPEC), "language_info": {"name": "python"}}


def _cell_metadata(cell: Cell) -> dict[str, Any]:
    metadata = {key: cell["metadata"][key] for key in KEPT_METADATA if cell["metadata"].get(key)}
    marks = nbgrader_marks(cell)
    if marks:
        metadata["nbgrader"] = {key: marks[key] for key in NBGRADER_KEYS if key in marks}
    return metadata


def _number(cell: Cell, number: int) -> None:
    cell["execution_count"] = number
    for output in cell["outputs"]:
        if output["output_type"] == "execute_result":
            output["execution_count"] = number
        if output["output_type"] in ("execute_result", "display_data"):
            output["data"].pop(LIVE_WIDGET, None)
