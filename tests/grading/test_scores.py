"""Points are read from nbgrader's gradebook without nbgrader."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course, Lesson
from autograder.errors import GradingError
from autograder.grading.scores import LessonScore, read_scores
from tests.grading.conftest import TOY


@pytest.fixture
def lesson() -> Lesson:
    return Course(TOY).read("01_double")


def test_without_a_gradebook_there_are_no_scores(tmp_path: Path) -> None:
    assert read_scores(tmp_path / "gradebook.db") == {}


def test_an_empty_file_is_no_gradebook_yet(tmp_path: Path) -> None:
    (tmp_path / "gradebook.db").touch()
    assert read_scores(tmp_path / "gradebook.db") == {}


def test_a_file_that_is_no_gradebook_is_named(tmp_path: Path) -> None:
    (tmp_path / "gradebook.db").write_bytes(b"hello" * 500)
    with pytest.raises(GradingError, match=r"gradebook\.db cannot be read.*\n.*not a database"):
        read_scores(tmp_path / "gradebook.db")


@pytest.mark.parametrize(
    ("points", "earned", "complete", "unscored"),
    [
        pytest.param({"check-doubles-a-number": 2, "check-keeps-text-apart": 1}, 3, True, 0, id="all"),
        pytest.param({"check-doubles-a-number": 2, "check-keeps-text-apart": 0}, 2, False, 0, id="one missing"),
        pytest.param({"check-doubles-a-number": 1.5, "check-keeps-text-apart": 1}, 2.5, False, 0, id="partial"),
        pytest.param({"check-doubles-a-number": 3, "check-keeps-text-apart": None}, 3, False, 1, id="one without"),
        pytest.param({"check-doubles-a-number": 2}, 2, False, 1, id="one not in the gradebook"),
        pytest.param({"check-doubles-a-number": 2, "check-keeps-text-apart": 0, "old": 9}, 2, False, 0, id="one more"),
    ],
)
def test_points_are_summed_over_the_checks_of_the_lesson(
    lesson: Lesson, points: dict[str, float | None], earned: float, complete: bool, unscored: int
) -> None:
    score = LessonScore(points)
    assert score.of(lesson) == earned
    assert score.complete(lesson) is complete
    assert len(score.unscored(lesson)) == unscored
    assert score.of(lesson.exercises[0]) == earned
