"""`course list` shows every lesson and how far the learner has come."""

from __future__ import annotations

import pytest

from autograder.grading import listing
from autograder.grading.scores import LessonScore
from tests.grading.conftest import Learner

SOLVED = LessonScore({"check-doubles-a-number": 2, "check-keeps-text-apart": 0})


def test_every_lesson_has_one_aligned_line(learner: Learner) -> None:
    said = learner.run(listing)
    assert said.code == 0
    lines = [line.rstrip() for line in said.text.splitlines()]
    assert lines == [
        "    lesson           minutes  exam tags  exercises  state",
        "01  Double a number  10       toy        1          not started",
        "02  Total of a list  10       toy        1          not started",
    ]


def test_a_fresh_copy_is_not_started(learner: Learner) -> None:
    learner.start()
    assert listing.state(learner.course.read("01_double"), None) == "not started"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"source": "def double(number):\n    return 3"}, id="an answer written"),
        pytest.param({"execution_count": 1}, id="a cell run"),
    ],
)
def test_a_lesson_is_in_work_once_something_was_written_or_run(learner: Learner, change: dict[str, object]) -> None:
    learner.start()
    learner.edit("01_double", lambda cells: next(c for c in cells if c["id"] == "double").update(change))
    assert listing.state(learner.course.read("01_double"), None) == "in work"


def test_a_graded_lesson_shows_its_last_score(learner: Learner) -> None:
    learner.start()
    assert listing.state(learner.course.read("01_double"), SOLVED) == "graded 2 of 3"


def test_a_lesson_that_nbgrader_gave_up_has_no_score(learner: Learner) -> None:
    learner.start()
    learner.answer("01_double", "double")
    assert listing.state(learner.course.read("01_double"), LessonScore({"check-doubles-a-number": None})) == "in work"


def test_a_damaged_file_is_told_and_the_list_goes_on(learner: Learner) -> None:
    learner.start()
    learner.work("01_double").write_text("{")
    said = learner.run(listing)
    assert "file damaged" in said.text
    assert "02  Total of a list" in said.text


def test_a_damaged_gradebook_is_named_below_the_list(learner: Learner) -> None:
    learner.course.gradebook.write_bytes(b"hello" * 500)
    said = learner.run(listing)
    assert said.code == 0
    assert said.text.index("Total of a list") < said.text.index("gradebook.db cannot be read")
