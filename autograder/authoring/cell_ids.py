"""Cell ids that a person can name and that stay when a notebook is saved again.

Hints, findings, translations and reviews point at cells by id, so an id comes from what the cell is: its grade_id,
`task-<exercise>`, `imports`, `given`, or its heading. A cell that has none of these keeps the id its author gave it.
"""

from __future__ import annotations

import re
import unicodedata

from autograder.authoring.notebook import Notebook, code_cells, given_names, headings, is_solution
from autograder.exercises import Cell, nbgrader_marks

VALID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# What JupyterLab and nbformat write when nobody chose an id: a UUID, or its first eight digits.
ANONYMOUS = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?")


def slug(text: str) -> str:
    """A heading as an id: lower-case ASCII words joined by dashes, at most 60 characters."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", ascii_text.lower()))[:60].strip("-")


def name_cells(notebook: Notebook) -> None:
    """Give every cell of `notebook` its id, in place; ids are valid for nbformat and unique."""
    chosen = _ids_by_kind(notebook)
    taken = {name for name in chosen if name}
    section = "cell"
    used: set[str] = set()
    for cell, name in zip(notebook["cells"], chosen, strict=True):
        section = _heading_slug(cell) or section
        cell["id"] = _unused(name or _own_id(cell, taken) or f"{section}-1", used | (taken - {name}))
        used.add(cell["id"])


def _ids_by_kind(notebook: Notebook) -> list[str]:
    """The id that a cell's kind demands; empty where the cell may keep its own."""
    cells = notebook["cells"]
    first_code = next(iter(code_cells(notebook)), None)
    names = []
    for cell, following in zip(cells, [*cells[1:], {}], strict=True):
        marks = nbgrader_marks(cell)
        if marks.get("grade_id"):
            names.append(str(marks["grade_id"]))
        elif cell["cell_type"] == "markdown" and following and is_solution(following):
            names.append(f"task-{nbgrader_marks(following).get('grade_id', '')}"[:64])
        elif given_names(cell) is not None:
            names.append("given")
        elif cell is first_code:
            names.append("imports")
        else:
            names.append(_heading_slug(cell))
    return names


def _heading_slug(cell: Cell) -> str:
    if cell["cell_type"] != "markdown" or not cell["source"].lstrip().startswith("#"):
        return ""
    return next((slug(text) for _level, text in headings(cell["source"])), "")


def _own_id(cell: Cell, taken: set[str]) -> str:
    own = str(cell.get("id", ""))
    if not VALID.fullmatch(own) or ANONYMOUS.fullmatch(own) or own in taken:
        return ""
    return own


def _unused(name: str, used: set[str]) -> str:
    """`name`, or the first of name-2, name-3, ... that is free."""
    if name not in used:
        return name
    stem = re.sub(r"-\d+$", "", name)[:60]
    return next(candidate for number in range(2, 10_000) if (candidate := f"{stem}-{number}") not in used)
