"""`course list` shows every lesson and how far the learner has come."""

from __future__ import annotations

import shutil

import pytest

from autograder.grading import listing
from autograder.grading.scores import LEARNER, LessonScore
from tests.grading.conftest import Learner, code_cell, edit_cells

SOLVED = LessonScore({"check-doubles-a-number": 2, "check-keeps-text-apart": 0})
HOLE = 'raise NotImplementedError("not written yet")'


def state(learner: Learner, slug: str, score: LessonScore | None) -> str:
    return listing.state(learner.course, learner.course.read(slug), score)


def hand_in(learner: Learner, *, graded: bool = True) -> None:
    """Lay lesson 01 where `course grade` and nbgrader leave it."""
    learner.start()
    for folder in ("submitted", "autograded") if graded else ("submitted",):
        (learner.root / folder / LEARNER / "01_double").mkdir(parents=True)
        shutil.copy(learner.work("01_double"), learner.root / folder / LEARNER / "01_double")


def add_exercise(learner: Learner) -> None:
    more = code_cell("halve", HOLE, solution=True)
    edit_cells(learner.course.read("01_double").release, lambda cells: cells.append(more))


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
    assert state(learner, "01_double", None) == "not started"


@pytest.mark.parametrize(
    ("change", "written"),
    [
        pytest.param({"source": "def double(number):\n    return 3"}, 1, id="an answer written"),
        pytest.param({"execution_count": 1}, 0, id="a cell run"),
        pytest.param({"source": f"number = 1\n    {HOLE}\n"}, 0, id="the stub still in it"),
        pytest.param({"source": " \n"}, 0, id="emptied"),
        pytest.param({"source": "answer = 1", "metadata": {}}, 1, id="found by its id"),
    ],
)
def test_once_something_was_written_or_run_the_exercises_written_are_counted(
    learner: Learner, change: dict[str, object], written: int
) -> None:
    learner.start()
    learner.edit("01_double", lambda cells: next(c for c in cells if c["id"] == "double").update(change))
    assert state(learner, "01_double", None) == f"{written} of 1 exercise written"


def test_a_graded_lesson_shows_its_last_score(learner: Learner) -> None:
    learner.start()
    assert state(learner, "01_double", SOLVED) == "graded 2 of 3"


def test_a_lesson_without_all_its_points_has_no_score(learner: Learner) -> None:
    learner.start()
    learner.answer("01_double", "double")
    score = LessonScore({"check-doubles-a-number": None})
    assert state(learner, "01_double", score) == "1 of 1 exercise written"


def test_exercises_are_counted_in_the_plural(learner: Learner) -> None:
    add_exercise(learner)
    learner.start("01_double")
    learner.answer("01_double", "double")
    assert state(learner, "01_double", None) == "1 of 2 exercises written"


def test_a_score_of_work_that_was_changed_since_is_called_so(learner: Learner) -> None:
    hand_in(learner)
    assert state(learner, "01_double", SOLVED) == "graded 2 of 3"
    learner.answer("01_double", "double")
    assert state(learner, "01_double", SOLVED) == "graded 2 of 3, changed since"


def test_running_a_graded_lesson_again_changes_nothing(learner: Learner) -> None:
    hand_in(learner)
    learner.edit("01_double", lambda cells: [cell.update(execution_count=7) for cell in cells])
    assert state(learner, "01_double", SOLVED) == "graded 2 of 3"


@pytest.mark.parametrize(
    ("score", "said"),
    [
        pytest.param(SOLVED, "not graded (earlier: 2 of 3)", id="graded before"),
        pytest.param(None, "not graded", id="first time"),
    ],
)
def test_a_lesson_that_nbgrader_gave_up_is_not_called_graded(
    learner: Learner, score: LessonScore | None, said: str
) -> None:
    hand_in(learner, graded=False)
    assert state(learner, "01_double", score) == said


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
