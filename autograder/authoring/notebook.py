"""Notebooks as nbformat reads and writes them, and the few questions that several rules ask of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict, v4

from autograder.course import read_notebook
from autograder.errors import AuthoringError
from autograder.exercises import Cell, nbgrader_marks
from autograder.language import _

Notebook = dict[str, Any]

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) +(.+?)[ #]*$", re.MULTILINE)

# nbformat's functions carry no types of their own.
_reads: Callable[[str], Notebook] = v4.reads
_writes: Callable[[NotebookNode], str] = v4.writes
_from_dict: Callable[[Notebook], NotebookNode] = from_dict


def parse(text: str) -> Notebook:
    """A notebook from its text, sources joined to strings.

    `nbformat.read` would also validate and, on the way, invent missing ids and warn: tidy gives them better ones.
    """
    return _reads(text)


def read(path: Path) -> Notebook:
    """The notebook at `path`.

    Raises:
        CourseError: it is missing or is not a notebook.
        AuthoringError: it is older than nbformat 4.
    """
    if read_notebook(path).get("nbformat") != 4:
        raise AuthoringError(
            _("The notebook is not in nbformat 4: open and save it in JupyterLab.\n{path}").format(path=path)
        )
    return parse(path.read_text(encoding="utf-8"))


def dumps(notebook: Notebook) -> str:
    """The text of a notebook: sorted keys, one-space indent, final newline (nbformat's own writer)."""
    return _writes(node(notebook)) + "\n"


def node(notebook: Notebook) -> NotebookNode:
    """A copy of the notebook as the class that nbformat and nbclient work on."""
    return _from_dict(notebook)


def code_cells(notebook: Notebook) -> list[Cell]:
    """The code cells in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def markdown_cells(notebook: Notebook) -> list[Cell]:
    """The Markdown cells in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def is_solution(cell: Cell) -> bool:
    """Whether a learner writes in this code cell."""
    marks = nbgrader_marks(cell)
    return cell["cell_type"] == "code" and bool(marks.get("solution")) and not marks.get("task")


def is_grade(cell: Cell) -> bool:
    """Whether the cell carries points."""
    return bool(nbgrader_marks(cell).get("grade"))


def given_names(cell: Cell) -> list[str] | None:
    """The `lesson/exercise` names that a given cell is made from; None for any other cell."""
    names = cell.get("metadata", {}).get("autograder", {}).get("given")
    return [str(name) for name in names] if isinstance(names, list) else None


def prose(source: str) -> str:
    """Markdown without its fenced code."""
    return FENCE.sub("", source)


def headings(source: str) -> Iterator[tuple[int, str]]:
    """Level and text of each heading in a Markdown source."""
    for match in HEADING.finditer(prose(source)):
        yield len(match[1]), match[2].strip()


def without_markers(source: str) -> str:
    """A solution cell's code as a finished function: the marker lines are gone, the rest is untouched."""
    return "\n".join(line for line in source.split("\n") if line.strip() not in (BEGIN, END))
