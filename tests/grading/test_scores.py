"""Points are read from nbgrader's gradebook without nbgrader."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

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


@pytest.fixture
def gradebook(tmp_path: Path) -> Path:
    """The columns of nbgrader's tables that are read, with one check of each kind."""
    path = tmp_path / "gradebook.db"
    with closing(sqlite3.connect(path)) as book:
        book.executescript(TABLES)
    return path


TABLES = """
CREATE TABLE assignment (id, name);
CREATE TABLE submitted_assignment (id, assignment_id, student_id);
CREATE TABLE submitted_notebook (id, assignment_id);
CREATE TABLE base_cell (id, name);
CREATE TABLE grade (cell_id, notebook_id, auto_score, manual_score, extra_credit);
INSERT INTO assignment VALUES (1, '01_double');
INSERT INTO submitted_assignment VALUES (2, 1, 'learner'), (3, 1, 'other');
INSERT INTO submitted_notebook VALUES (4, 2), (5, 3);
INSERT INTO base_cell VALUES (6, 'auto'), (7, 'manual'), (8, 'extra'), (9, 'none');
INSERT INTO grade VALUES
    (6, 4, 2, NULL, NULL), (7, 4, 2, 1, NULL), (8, 4, 2, NULL, 0.5), (9, 4, NULL, NULL, NULL), (6, 5, 9, NULL, NULL);
"""


def test_a_grade_by_hand_replaces_the_automatic_one_and_extra_credit_is_added(gradebook: Path) -> None:
    score = read_scores(gradebook)["01_double"]
    assert score.points == {"auto": 2, "manual": 1, "extra": 2.5, "none": None}


def test_the_gradebook_is_opened_for_reading_only(gradebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    opened: list[tuple[Any, Any]] = []
    with monkeypatch.context() as patch:
        patch.setattr(
            sqlite3, "connect", lambda *args, **kwargs: opened.append((args, kwargs)) or connect(*args, **kwargs)
        )
        read_scores(gradebook)
    ((args, kwargs),) = opened
    with closing(connect(*args, **kwargs)) as book, pytest.raises(sqlite3.OperationalError, match="readonly"):
        book.execute("DELETE FROM grade")


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
