"""nbgrader's own commands, typed in the course folder, give the same exact points: nothing here is ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading import grade
from autograder.grading.scores import read_scores
from autograder.kernels import environment
from tests.grading.conftest import Learner, code_cell, edit_cells

LESSON = "01_double"
ANSWERS = {"solved": None, "half": "def double(number):\n    return 2.0 * number", "untouched": ""}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    learner = Learner(tmp_path_factory.mktemp("plain"))
    for student, answer in ANSWERS.items():
        learner.start(LESSON)
        if answer != "":
            learner.answer(LESSON, "double", answer)
        folder = learner.course.submitted / student / LESSON
        folder.mkdir(parents=True)
        shutil.copy(learner.work(LESSON), folder)
    for step in ("generate_assignment", "autograde", "generate_feedback"):
        nbgrader(learner.root, step, LESSON)
    return learner


def nbgrader(root: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=root,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("student", "points"), [("solved", 3), ("half", 2), ("untouched", 0)])
def test_the_points_are_the_exact_sum(graded: Learner, student: str, points: float) -> None:
    score = read_scores(graded.course.gradebook, student)[LESSON]
    lesson = graded.course.read(LESSON)
    assert score.of(lesson) == points
    assert score.unscored(lesson) == ()
    assert score.complete(lesson) is (student == "solved")


@pytest.mark.parametrize("student", ANSWERS)
def test_every_student_gets_a_feedback_page(graded: Learner, student: str) -> None:
    page = graded.course.feedback / student / LESSON / f"{LESSON}.html"
    assert "Double a number" in page.read_text(encoding="utf-8")


def test_the_release_is_written_as_it_was(graded: Learner) -> None:
    again = Learner(graded.root / "copy")
    assert graded.course.read(LESSON).release.read_bytes() == again.course.read(LESSON).release.read_bytes()


def test_a_class_gradebook_is_not_emptied_for_one_learner(graded: Learner) -> None:
    new = code_cell("check-doubles-zero", "assert double(0) == 0", grade=True, locked=True, points=4)
    edit_cells(graded.course.read(LESSON).source, lambda cells: cells.insert(-6, new))
    said = graded.run(grade, "01")
    assert said.code == 2
    assert "the gradebook holds the work of 3 other learners" in said.flat()
    assert read_scores(graded.course.gradebook, "solved")[LESSON].of(graded.course.read(LESSON)) == 3
