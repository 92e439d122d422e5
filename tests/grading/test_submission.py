"""What is handed in is the release with the learner's answers in it, whatever happened to the learner's cells."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.exercises import nbgrader_marks
from autograder.grading.submission import mend
from tests.grading.conftest import code_cell as code

Cells = list[dict[str, Any]]


RELEASE: dict[str, Any] = {
    "cells": [
        code("imports", "import math"),
        code("double", "def double(n):\n    raise NotImplementedError", solution=True),
        code("check-double", "assert double(2) == 4", grade=True, locked=True, points=2),
        code("half", "def half(n):\n    raise NotImplementedError", solution=True),
        code("check-half", "assert half(4) == 2", grade=True, locked=True, points=1),
        code("check-half-odd", "assert half(3) == 1.5", grade=True, locked=True, points=1),
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
ANSWER = "def double(n):\n    return 2 * n"


def worked(change: Callable[[Cells], object] = lambda cells: None) -> dict[str, Any]:
    work = copy.deepcopy(RELEASE)
    work["cells"][1]["source"] = ANSWER
    work["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "old"}]
    change(work["cells"])
    return work


def names(notebook: dict[str, Any]) -> list[str]:
    return [str(nbgrader_marks(cell).get("grade_id", "")) for cell in notebook["cells"]]


def source(notebook: dict[str, Any], name: str) -> str:
    return next(str(cell["source"]) for cell in notebook["cells"] if nbgrader_marks(cell).get("grade_id") == name)


def paste(cells: Cells, index: int) -> None:
    """Copy and paste a cell as JupyterLab does: the metadata stay, the id is new."""
    cells.insert(index + 1, {**copy.deepcopy(cells[index]), "id": "pasted"})


def drop_metadata(cells: Cells) -> None:
    for cell in cells:
        cell["metadata"] = {}


def drop_all_marks(cells: Cells) -> None:
    for number, cell in enumerate(cells):
        cell["metadata"] = {}
        cell["id"] = f"new{number}"


DAMAGES = [
    pytest.param(lambda cells: None, "", id="nothing"),
    pytest.param(lambda cells: cells.pop(2), "deleted, put back for this run: check-double", id="a check deleted"),
    pytest.param(lambda cells: cells.pop(1), "answer deleted, its checks use", id="an answer deleted"),
    pytest.param(
        lambda cells: paste(cells, 1), "more than once, every copy is run in its place: double", id="answer twice"
    ),
    pytest.param(
        lambda cells: paste(cells, 2), "more than once, every copy is run in its place: check", id="check twice"
    ),
    pytest.param(drop_metadata, "found by their ids: double, check-double", id="metadata dropped"),
    pytest.param(
        drop_all_marks, "deleted, put back for this run: check-double, check-half", id="ids and metadata dropped"
    ),
    pytest.param(
        lambda cells: cells[2].update(source="pass"), "changed, the original is used: check-double", id="check edited"
    ),
    pytest.param(lambda cells: cells[2].update(cell_type="raw"), "", id="check made raw"),
    pytest.param(lambda cells: cells[1].update(cell_type="markdown"), "", id="answer made Markdown"),
    pytest.param(lambda cells: cells[2]["metadata"]["nbgrader"].update(points=99), "", id="points edited"),
    pytest.param(lambda cells: cells[2]["metadata"]["nbgrader"].pop("schema_version"), "", id="no schema version"),
    pytest.param(lambda cells: cells[2]["metadata"]["nbgrader"].update(grade=False), "", id="no longer a grade cell"),
    pytest.param(
        lambda cells: cells[1].update(metadata="text"), "found by their ids: double", id="metadata that is text"
    ),
    pytest.param(lambda cells: cells[0].update(code("x", "1", grade=True, points=5)), "", id="marks of another lesson"),
    pytest.param(lambda cells: cells[0].update(attachments={}), "", id="an attachment in code"),
    pytest.param(lambda cells: [cell.pop("id") for cell in cells], "", id="no ids"),
    pytest.param(lambda cells: cells.append({**code("imports", "1")}), "", id="an id twice"),
    pytest.param(
        lambda cells: cells.clear(), "answer deleted, its checks use what you define elsewhere: double, half", id="all"
    ),
]


@pytest.mark.parametrize(("change", "remark"), DAMAGES)
def test_every_damage_gives_a_notebook_that_nbgrader_takes(change: Callable[[Cells], object], remark: str) -> None:
    submission = mend(worked(change), RELEASE)
    read: Any = nbformat.reads(json.dumps(submission.notebook), as_version=4)
    nbformat.validate(read)
    MetadataValidator().validate_nb(read)
    ids = [cell["id"] for cell in read.cells]
    assert len(set(ids)) == len(ids)
    checks = [(name, source(submission.notebook, name)) for name in names(submission.notebook) if "check" in name]
    assert sorted(checks) == [(cell["id"], cell["source"]) for cell in RELEASE["cells"] if "check" in cell["id"]]
    assert any(remark in said for said in submission.remarks) if remark else submission.remarks == ()


def test_the_learners_answer_and_no_old_output_is_handed_in() -> None:
    submission = mend(worked(), RELEASE)
    assert source(submission.notebook, "double") == ANSWER
    assert all(cell["outputs"] == [] for cell in submission.notebook["cells"])


def test_the_learners_notebook_is_not_changed() -> None:
    work = worked(lambda cells: cells.pop(2))
    before = copy.deepcopy(work)
    mend(work, RELEASE)
    assert work == before


def test_a_deleted_check_comes_back_right_after_its_answer() -> None:
    submission = mend(worked(lambda cells: cells.pop(2)), RELEASE)
    assert names(submission.notebook) == names(RELEASE)


def test_checks_whose_answer_is_gone_come_back_at_the_end_where_every_name_is_known() -> None:
    def move_answer(cells: Cells) -> None:
        del cells[3:]
        cells.append(code("own", "def half(n):\n    return n / 2"))

    submission = mend(worked(move_answer), RELEASE)
    assert names(submission.notebook) == ["", "double", "check-double", "", "check-half", "check-half-odd"]


def test_of_two_copies_the_last_keeps_the_marks_and_both_are_run() -> None:
    def paste_and_write(cells: Cells) -> None:
        paste(cells, 1)
        cells[2]["source"] = "def double(n):\n    return n + n"

    submission = mend(worked(paste_and_write), RELEASE)
    assert names(submission.notebook)[:4] == ["", "", "double", "check-double"]
    assert submission.notebook["cells"][1]["source"] == ANSWER
    assert source(submission.notebook, "double") == "def double(n):\n    return n + n"


def test_cells_of_the_learners_own_stay_in_their_place() -> None:
    submission = mend(worked(lambda cells: cells.insert(2, code("mine", "print(double(3))"))), RELEASE)
    assert [cell["id"] for cell in submission.notebook["cells"]][:4] == ["imports", "double", "mine", "check-double"]


def test_a_picture_in_a_text_of_the_learners_own_is_handed_in_with_it() -> None:
    picture = {"plan.png": {"image/png": "aGk="}}
    note = {"cell_type": "markdown", "id": "note", "metadata": {}, "source": "![](attachment:plan.png)"}
    submission = mend(worked(lambda cells: cells.insert(1, {**note, "attachments": picture})), RELEASE)
    assert submission.notebook["cells"][1]["attachments"] == picture


@pytest.mark.parametrize(
    ("change", "untouched"),
    [
        pytest.param(lambda cells: None, True, id="as released"),
        pytest.param(lambda cells: cells[1].update(outputs=[{"output_type": "stream"}]), True, id="only run"),
        pytest.param(lambda cells: cells[0].update(source="import os"), True, id="another cell edited"),
        pytest.param(lambda cells: cells[1].update(source=ANSWER), False, id="an answer written"),
        pytest.param(lambda cells: cells.pop(1), False, id="an answer deleted"),
        pytest.param(lambda cells: paste(cells, 1), False, id="an answer copied"),
    ],
)
def test_a_lesson_is_untouched_while_no_answer_was_written(change: Callable[[Cells], object], untouched: bool) -> None:
    work = copy.deepcopy(RELEASE)
    change(work["cells"])
    assert mend(work, RELEASE).untouched is untouched
