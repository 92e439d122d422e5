"""No solutions/, as learners of a class have it; lesson 01 gets one more check after it was graded."""

from __future__ import annotations

import sqlite3

import pytest

from autograder.grading import grade, listing
from autograder.grading.scores import read_scores
from tests.grading.conftest import Learner, Said, cells_of, code_cell, edit_cells, points


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    learner = Learner(tmp_path_factory.mktemp("bundle"))
    learner.start()
    learner.answer("01_double", "double")
    learner.answer("02_total", "total", "import os\n\ndef total(numbers):\n    os._exit(1)")
    for path in sorted(learner.course.solutions.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    learner.course.solutions.rmdir()
    return learner


@pytest.fixture(scope="module")
def first(learner: Learner) -> Said:
    return learner.run(grade)


@pytest.fixture(scope="module")
def second(learner: Learner, first: Said) -> Said:
    new = code_cell("check-doubles-zero", "assert double(0) == 0", grade=True, locked=True, points=4)
    edit_cells(learner.course.read("01_double").release, lambda cells: cells.insert(-6, new))
    return learner.run(grade, "01")


def test_is_graded_against_the_released_notebooks(first: Said) -> None:
    assert "Lesson 01: Double a number 3 of 3" in first.flat()


def test_a_dead_kernel_costs_its_own_lesson_only(first: Said) -> None:
    assert first.code == 2
    assert "Lesson 02: a cell ended the Python process (os._exit, or too much memory)." in first.flat()
    assert "Not graded: lesson 02" in first.text


def test_stubs_are_registered_as_they_were_released(learner: Learner, first: Said) -> None:
    assert first.code == 2
    with sqlite3.connect(learner.course.gradebook) as book:
        stubs = dict(book.execute("SELECT name, source FROM source_cell WHERE name IN ('double', 'total')"))
    book.close()
    released = [*cells_of(learner.course.read("01_double").release), *cells_of(learner.course.read("02_total").release)]
    assert stubs == {cell["id"]: "".join(cell["source"]) for cell in released if cell["id"] in stubs}
    assert stubs


def test_the_new_check_counts_at_once(learner: Learner, second: Said) -> None:
    assert second.code == 0
    assert points(learner)["01_double"] == 7
    assert "Total 7 of 7" in second.flat()


def test_the_scores_from_before_are_kept_in_a_dated_copy(learner: Learner, second: Said) -> None:
    copies = list(learner.root.glob("gradebook.db.*"))
    assert len(copies) == 1
    assert f"its earlier scores are kept in {copies[0].name}" in second.flat()
    assert read_scores(copies[0])["01_double"].points == {"check-doubles-a-number": 2, "check-keeps-text-apart": 1}


def test_the_next_lesson_is_proposed_when_everything_is_right(second: Said) -> None:
    assert "Everything here is right. Next: lesson 02, Total of a list (10 minutes)\n" in second.text


def test_a_lesson_that_nbgrader_gives_up_again_is_not_listed_by_its_earlier_score(
    learner: Learner, second: Said
) -> None:
    assert second.code == 0
    assert "graded 7 of 7" in learner.run(listing).text
    learner.answer("01_double", "double", "import os\n\ndef double(number):\n    os._exit(1)")
    assert learner.run(grade, "01").code == 2
    assert points(learner)["01_double"] == 7
    lines = learner.run(listing).text.splitlines()
    assert lines[1].rstrip().endswith("  not graded (earlier: 7 of 7)")
    assert lines[2].rstrip().endswith("  not graded")
