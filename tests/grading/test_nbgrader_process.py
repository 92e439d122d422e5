"""What the grading process makes of a lesson that nbgrader stumbles over; nbgrader itself is not needed for that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from autograder.errors import GradingError
from autograder.grading.nbgrader_process import Graded, _grade


def steps(**failing: Exception) -> Any:
    """The steps of nbgrader, of which some raise."""

    def step(name: str, result: object) -> Any:
        def run(_lesson: str) -> object:
            if name in failing:
                raise failing[name]
            return result

        return run

    submission = SimpleNamespace(remarks=("mended",), untouched=False)
    results = {"prepare": (submission, ["changed"]), "autograde": None, "feedback": "page.html"}
    return SimpleNamespace(log=[], **{name: step(name, result) for name, result in results.items()})


def test_what_was_remarked_comes_with_the_page() -> None:
    remarks = ("first", "mended", "changed")
    assert _grade(steps(), "01_double", ["first"]) == Graded("01_double", remarks=remarks, feedback="page.html")


@pytest.mark.parametrize(
    ("error", "remark", "logged"),
    [
        pytest.param(GradingError("No page."), "No page.", 0, id="known"),
        pytest.param(ValueError("bad\nmore"), "Lesson 01 has no feedback page:\nValueError: bad", 1, id="unknown"),
    ],
)
def test_a_page_that_cannot_be_written_costs_neither_the_points_nor_the_next_lesson(
    error: Exception, remark: str, logged: int
) -> None:
    nbgrader = steps(feedback=error)
    graded = _grade(nbgrader, "01_double", [])
    assert (graded.trouble, graded.feedback, graded.remarks[-1]) == ("", "", remark)
    assert len(nbgrader.log) == logged


def test_an_unknown_error_while_grading_is_told_in_one_line_and_logged_whole() -> None:
    nbgrader = steps(autograde=ValueError("bad\nmore"))
    graded = _grade(nbgrader, "01_double", [])
    assert graded.trouble == "Lesson 01 could not be graded:\nValueError: bad"
    assert "Traceback" in nbgrader.log[0]
