"""A damaged gradebook, a lesson with a BOM, a deleted check and a pasted answer; the other one is cut off."""

from __future__ import annotations

import pytest

from autograder.grading import grade
from tests.grading.conftest import Learner, Said, points


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    learner = Learner(tmp_path_factory.mktemp("damaged"))
    learner.start()
    learner.answer("01_double", "double")
    learner.edit("01_double", lambda cells: cells.remove(cells[-6]))
    learner.edit("01_double", paste_answer)
    path = learner.work("01_double")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    path = learner.work("02_total")
    path.write_bytes(path.read_bytes()[:-50])
    learner.course.gradebook.write_bytes(b"no gradebook" * 400)
    return learner


@pytest.fixture(scope="module")
def said(learner: Learner) -> Said:
    return learner.run(grade)


def test_a_lesson_that_can_be_mended_keeps_its_points(learner: Learner, said: Said) -> None:
    assert points(learner) == {"01_double": 3}
    assert "Total 3 of 3" in said.flat()


def test_what_was_mended_is_told(said: Said) -> None:
    assert "work/01_double.ipynb begins with a byte order mark; it was read without it." in said.flat()
    assert "work/01_double.ipynb: deleted, put back for this run: check-keeps-text-apart" in said.flat()
    assert "every copy is run in its place: double" in said.flat()


def test_the_other_lesson_is_named_with_the_reason_and_the_run_counts_as_failed(said: Said) -> None:
    assert said.code == 2
    assert "work/02_total.ipynb is not a complete notebook" in said.flat()
    assert "Not graded: lesson 02" in said.text
    assert "Traceback" not in said.text


def test_the_damaged_gradebook_is_kept_under_a_dated_name(learner: Learner, said: Said) -> None:
    kept = list(learner.root.glob("gradebook.db.*"))
    assert [path.read_bytes() for path in kept] == [b"no gradebook" * 400]
    assert kept[0].name in said.flat()


def paste_answer(cells: list[dict[str, object]]) -> None:
    at = next(index for index, cell in enumerate(cells) if cell["id"] == "double")
    cells.insert(at + 1, {**cells[at], "id": "pasted"})
