"""What is handed in: the learner's cells, with the marks that nbgrader needs put right.

Notebooks lose things. A check cell is deleted, an answer cell is copied or split, an editor drops the metadata. Stock
nbgrader then gives no score at all, or stops. So before a notebook is handed in it is held against the release: check
cells come from the release word for word, answers come from the learner, and what had to be mended is said. The
learner's own file is never written to.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.exercises import nbgrader_marks, text_of
from autograder.grading.work_file import Notebook, read_work, shown
from autograder.language import _

Cell = dict[str, Any]

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Submission:
    """A notebook that is ready to be run: `remarks` say what was mended, `untouched` that no answer was changed."""

    notebook: Notebook
    remarks: tuple[str, ...]
    untouched: bool


@dataclass(frozen=True)
class Matches:
    """Which cells of the work stand for which marked cell of the release; `by_id` lost their marks but kept ids."""

    places: dict[str, list[int]]
    by_id: tuple[str, ...]


def hand_in(path: Path, release: Notebook) -> Submission:
    """Read the learner's notebook at `path` and make it ready, with `release` as the measure.

    Raises:
        GradingError: the file cannot be read as a notebook.
    """
    work, remarks = read_work(path)
    submission = mend(work, release)
    told = tuple(_("{file}: {remark}").format(file=shown(path), remark=remark) for remark in submission.remarks)
    return Submission(submission.notebook, remarks + told, submission.untouched)


def mend(work: Notebook, release: Notebook) -> Submission:
    """The work with every marked cell of the release in it once, unknown marks removed and outputs cleared."""
    marked = {str(nbgrader_marks(cell)["grade_id"]): cell for cell in release["cells"] if _name(cell)}
    matches = _match(work["cells"], marked)
    kept = {places[-1]: name for name, places in matches.places.items()}
    cells = [
        _standing_for(marked[kept[index]], cell) if index in kept else _ordinary(cell)
        for index, cell in enumerate(work["cells"])
    ]
    _put_back(cells, marked, matches)
    _number(cells, marked)
    notebook = {
        "cells": cells,
        "metadata": copy.deepcopy(release.get("metadata", {})),
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return Submission(notebook, _remarks(work["cells"], marked, matches), _untouched(work["cells"], marked, matches))


def is_answer(cell: Cell) -> bool:
    """Whether a cell of the release is one that the learner fills in."""
    return bool(nbgrader_marks(cell).get("solution"))


def _name(cell: Cell) -> str:
    return str(nbgrader_marks(cell).get("grade_id") or "")


def _match(cells: list[Cell], marked: dict[str, Cell]) -> Matches:
    ids = {cell["id"]: name for name, cell in marked.items() if "id" in cell}
    places: dict[str, list[int]] = defaultdict(list)
    by_id: list[str] = []
    for index, cell in enumerate(cells):
        name = _mark_in_work(cell)
        if name not in marked:
            name = ids.get(str(cell.get("id")), "")
            by_id += [name] if name else []
        if name:
            places[name].append(index)
    return Matches(dict(places), tuple(by_id))


def _mark_in_work(cell: Cell) -> str:
    metadata = cell.get("metadata")
    return _name(cell) if isinstance(metadata, dict) else ""


def _standing_for(original: Cell, work: Cell) -> Cell:
    """The release's cell; where the learner writes the answer, with the learner's text in it."""
    cell = copy.deepcopy(original)
    if is_answer(original):
        cell["source"] = work.get("source", "")
    return _cleared(cell)


def _ordinary(work: Cell) -> Cell:
    """A cell of the learner's own: nothing in it may look like a marked cell."""
    cell = {key: value for key, value in work.items() if key in ("cell_type", "id", "source", "attachments")}
    metadata = work.get("metadata")
    cell["metadata"] = {k: v for k, v in metadata.items() if k != "nbgrader"} if isinstance(metadata, dict) else {}
    cell.setdefault("source", "")
    return _cleared(cell)


def _cleared(cell: Cell) -> Cell:
    if cell["cell_type"] == "code":
        cell.pop("attachments", None)
        cell.update(outputs=[], execution_count=None)
    return cell


def _put_back(cells: list[Cell], marked: dict[str, Cell], matches: Matches) -> None:
    """Insert the locked cells that are missing: after their answer, or last when the answer is not where it was."""
    answer_found, previous = True, ""
    for name, original in marked.items():
        if is_answer(original):
            answer_found = name in matches.places
        elif name not in matches.places:
            at = _place_of(cells, previous) + 1 if answer_found and previous else len(cells)
            cells.insert(at, _cleared(copy.deepcopy(original)))
        if answer_found or not is_answer(original):
            previous = name


def _place_of(cells: list[Cell], name: str) -> int:
    return next((index for index, cell in enumerate(cells) if _name(cell) == name), len(cells) - 1)


def _number(cells: list[Cell], marked: dict[str, Cell]) -> None:
    """Give every cell an id of its own; nbformat asks for it and JupyterLab's copies of a cell may lack one."""
    taken = {str(cell.get("id")) for cell in marked.values()}
    for number, cell in enumerate(cells, start=1):
        name = str(cell.get("id", ""))
        if _name(cell) and name:
            continue
        if name in taken or not CELL_ID.fullmatch(name):
            name = next(new for extra in range(len(cells) + 1) if (new := f"cell-{number}-{extra}") not in taken)
        cell["id"] = name
        taken.add(name)


def _remarks(cells: list[Cell], marked: dict[str, Cell], matches: Matches) -> tuple[str, ...]:
    missing = [name for name in marked if name not in matches.places]
    twice = [name for name, places in matches.places.items() if len(places) > 1]
    changed = [
        name
        for name, places in matches.places.items()
        if not is_answer(marked[name]) and text_of(cells[places[-1]]).strip() != text_of(marked[name]).strip()
    ]
    lost = [name for name in matches.by_id if name not in twice]
    answers = [name for name in missing if is_answer(marked[name])]
    locked = [name for name in missing if not is_answer(marked[name])]
    said = (
        (_("without nbgrader marks, found by their ids: {names}"), lost),
        (_("there more than once, every copy is run in its place: {names}"), twice),
        (_("changed, the original is used: {names}"), changed),
        (_("deleted, put back for this run: {names}"), locked),
        (_("answer deleted, its checks use what you define elsewhere: {names}"), answers),
    )
    return tuple(sentence.format(names=", ".join(names)) for sentence, names in said if names)


def _untouched(cells: list[Cell], marked: dict[str, Cell], matches: Matches) -> bool:
    return all(
        [text_of(cells[place]) for place in matches.places.get(name, [])] == [text_of(original)]
        for name, original in marked.items()
        if is_answer(original)
    )
