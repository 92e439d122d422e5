"""A course nobody has worked in scores 0, and that is no failure."""

from __future__ import annotations

import pytest

from autograder.grading import grade
from autograder.grading.seed import SEED_FILE
from tests.grading.conftest import Learner, Said, points


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    learner = Learner(tmp_path_factory.mktemp("untouched"))
    learner.start()
    return learner


@pytest.fixture(scope="module")
def said(learner: Learner) -> Said:
    return learner.run(grade)


def test_scores_nothing_and_that_is_no_failure(learner: Learner, said: Said) -> None:
    assert said.code == 0
    assert points(learner) == {"01_double": 0, "02_total": 0}
    assert "Total 0 of 5" in said.flat()


def test_is_called_untouched_and_its_first_exercise_is_next(said: Said) -> None:
    assert "Lesson 01 (Double a number) is untouched so far." in said.text
    assert "Next: Exercise 01.1: double(number)\n  in work/01_double.ipynb\n" in said.text
    assert "course hint double" in said.text


def test_gets_a_seed_file(learner: Learner, said: Said) -> None:
    assert said.code == 0
    assert len((learner.root / SEED_FILE).read_text().strip()) == 32
