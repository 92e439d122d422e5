"""Lesson 01 works for numbers only, lesson 02 is solved and looks at the environment it is graded in."""

from __future__ import annotations

import os

import pytest

from autograder.grading import grade
from autograder.grading.seed import SEED_FILE, SEED_VARIABLE
from tests.grading.conftest import Learner, Said, files_of, points

NUMBERS_ONLY = "def double(number):\n    return 2.0 * number"
LOOK_AROUND = """
import os, pathlib
told = [os.environ.get(name, "") for name in ("NBGRADER_EXECUTION", "AUTOGRADER_SEED")]
pathlib.Path(r"{path}").write_text(" ".join(told))
def total(numbers):
    return sum(double(number) for number in numbers)
"""


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    learner = Learner(tmp_path_factory.mktemp("half"))
    learner.start()
    learner.answer("01_double", "double", NUMBERS_ONLY)
    learner.answer("02_total", "total", LOOK_AROUND.format(path=learner.root / "seen.txt"))
    return learner


@pytest.fixture(scope="module")
def before(learner: Learner) -> dict[str, bytes]:
    return {**files_of(learner.course.notebooks), **files_of(learner.course.work)}


@pytest.fixture(scope="module")
def said(learner: Learner, before: dict[str, bytes]) -> Said:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SEED_VARIABLE, "autumn")
        # A child of another nbgrader run must not take this for its own.
        patch.setenv("NBGRADER_EXECUTION", "validate")
        return learner.run(grade)


def test_scores_the_exact_sum(learner: Learner, said: Said) -> None:
    assert said.code == 0
    assert points(learner) == {"01_double": 2, "02_total": 2}
    assert "Lesson 01: Double a number 2 of 3 Exercise 01.1: double(number) 2 of 3" in said.flat()
    assert "Lesson 02: Total of a list 2 of 2 Exercise 02.1: total(numbers) 2 of 2" in said.flat()
    assert "Total 4 of 5" in said.flat()


def test_names_the_first_exercise_with_missing_points(said: Said) -> None:
    assert "Next: Exercise 01.1: double(number)\n  in work/01_double.ipynb\n" in said.text
    assert "course check 01\n" in said.text
    assert "untouched" not in said.text


def test_runs_in_graded_mode_with_the_seed_of_the_class(learner: Learner, said: Said) -> None:
    assert said.code == 0
    assert (learner.root / "seen.txt").read_text() == "autograde autumn"
    assert not (learner.root / SEED_FILE).exists()
    assert os.environ.get("NBGRADER_EXECUTION") is None


def test_leaves_notebooks_and_work_byte_for_byte(learner: Learner, before: dict[str, bytes], said: Said) -> None:
    assert said.code == 0
    assert {**files_of(learner.course.notebooks), **files_of(learner.course.work)} == before


def test_writes_a_feedback_page_and_prints_where(learner: Learner, said: Said) -> None:
    page = "feedback/learner/01_double/01_double.html"
    assert f"\n  {page}\n" in said.text
    text = (learner.root / page).read_text(encoding="utf-8")
    assert "doubles a number: yes" in text
    assert '<a href="#check-doubles-a-number">check-doubles-a-number</a>' in text
    assert "Test cell" not in text


def test_keeps_plain_lines_when_nobody_watches(said: Said) -> None:
    assert "\x1b" not in said.text
    assert max(map(len, said.text.splitlines())) <= 100
