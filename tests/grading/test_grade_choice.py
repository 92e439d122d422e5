"""Which lessons `course grade` takes, and what it says when there is nothing to grade or a check has no points."""

from __future__ import annotations

import argparse
import shutil

import pytest

from autograder.errors import CourseError, GradingError
from autograder.grading import grade
from autograder.grading.nbgrader_process import Graded
from autograder.grading.scores import LessonScore
from tests.grading.conftest import Learner


def test_before_start_the_command_to_type_is_named(learner: Learner) -> None:
    with pytest.raises(GradingError, match=r"no lesson in work/ yet\. Run:\n  course start"):
        learner.run(grade)


def test_a_lesson_that_was_not_started_is_named(learner: Learner) -> None:
    learner.start("01_double")
    with pytest.raises(GradingError, match=r"no work/02_total\.ipynb yet\. Run:\n  course start"):
        learner.run(grade, "02")


def test_an_unknown_lesson_names_the_lessons_there_are(learner: Learner) -> None:
    learner.start()
    with pytest.raises(CourseError, match="01_double"):
        learner.run(grade, "07")


def test_a_lesson_asked_for_twice_is_graded_once(learner: Learner) -> None:
    learner.start()
    assert [lesson.slug for lesson in grade.choose(learner.course, ["02", "2", "01"])] == ["02_total", "01_double"]


def test_a_check_without_points_is_named_and_the_run_counts_as_failed(
    learner: Learner, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = {"01_double": LessonScore({"check-doubles-a-number": 2, "check-keeps-text-apart": None})}
    monkeypatch.setattr(grade, "read_scores", lambda gradebook: scores)
    code = grade.report(learner.course, [learner.course.read("01_double")], [Graded("01_double")])
    assert code == 2
    assert "No points could be given for: check-keeps-text-apart" in capsys.readouterr().out


def test_a_grading_process_that_ends_at_once_is_told(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.start()
    monkeypatch.setattr(grade.sys, "executable", shutil.which("false") or "false")
    with pytest.raises(
        GradingError, match=r"nbgrader stopped before it had graded lesson 01\.\nIts log: \.nbgrader\.log"
    ):
        learner.run(grade)


def test_help_says_where_things_go() -> None:
    parser = argparse.ArgumentParser()
    grade.configure(parser)
    said = " ".join(parser.format_help().split())
    places = ("submitted/learner/", "autograded/learner/", "feedback/learner/", "gradebook.db", grade.LOG)
    assert [place for place in places if place not in said] == []
