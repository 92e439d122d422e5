"""The two rules of `course verify` that run notebooks: solved (nbval on the sources), unsolved (the releases)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.finding import Finding
from autograder.authoring.unsolved import unsolved_findings
from autograder.authoring.verify import verify

SOURCES = ("solutions/01_double/01_double.ipynb", "solutions/02_total/02_total.ipynb")
RELEASES = ("notebooks/01_double/01_double.ipynb", "notebooks/02_total/02_total.ipynb")


@pytest.fixture(scope="module")
def findings(shared_toy: Any) -> list[Finding]:
    """One run over a wrong output, a wrong solution and, in the releases, a free point and a NameError."""
    toy = shared_toy
    toy.replace("01_double", "predict-then-run-1", "7 + 7", "7 + 8")
    toy.replace("02_total", "total", "double(number) for", "number for")
    toy.replace("01_double", "imports", 'assert double("ab") == "abab"', "pass", home="notebooks")
    toy.replace("02_total", "predict-then-run-1", "total([2, 3])", "totals", home="notebooks")
    return verify(toy.course)


@pytest.mark.parametrize(
    ("rule", "file", "cell", "says", "then"),
    [
        pytest.param(
            "solved",
            SOURCES[0],
            "predict-then-run-1",
            "15",
            f"edit {SOURCES[0]}, then course tidy 01 --run",
            id="another-output",
        ),
        pytest.param(
            "solved",
            SOURCES[1],
            "check-adds-up-the-doubles",
            "CheckFailed",
            f"edit {SOURCES[1]}, then course tidy 02 --run",
            id="wrong-solution",
        ),
        pytest.param(
            "unsolved",
            RELEASES[0],
            "check-keeps-text-apart",
            "passes",
            f"edit {SOURCES[0]}, then course release 01",
            id="free-point",
        ),
        pytest.param(
            "unsolved",
            RELEASES[1],
            "predict-then-run-1",
            "NameError: name 'totals' is not defined",
            f"edit {SOURCES[1]}, then course release 02",
            id="other-error",
        ),
    ],
)
def test_a_run_that_does_not_end_as_it_has_to_is_named(
    findings: list[Finding], rule: str, file: str, cell: str, says: str, then: str
) -> None:
    found = [finding for finding in findings if (finding.rule, finding.file, finding.cell) == (rule, file, cell)]
    assert [(says in finding.problem, finding.next) for finding in found] == [(True, then)], findings


def test_nothing_else_is_said_about_the_runs(findings: list[Finding]) -> None:
    ran = {(finding.rule, finding.cell) for finding in findings if finding.rule in ("solved", "unsolved")}
    assert ran == {
        ("solved", "predict-then-run-1"),
        ("solved", "check-adds-up-the-doubles"),
        ("unsolved", "check-keeps-text-apart"),
        ("unsolved", "predict-then-run-1"),
    }


def test_what_nbval_says_is_shown_without_colours_and_without_the_source(findings: list[Finding]) -> None:
    (wrong,) = [finding for finding in findings if finding.cell == "check-adds-up-the-doubles"]
    assert "[9" not in wrong.problem
    assert "Input:" not in wrong.problem
    assert wrong.problem.endswith("CheckFailed: Not yet: adds up the doubles")


def test_a_course_that_holds_together_has_no_findings(toy: Any) -> None:
    assert verify(toy.course) == []


def test_an_exercise_released_without_its_stub_is_named(toy: Any) -> None:
    toy.replace("01_double", "double", 'raise NotImplementedError("not written yet")', "return 2", home="notebooks")
    found = unsolved_findings(toy.course, ["01_double"])
    assert [(finding.cell, finding.problem) for finding in found] == [
        ("double", "the exercise is released without its stub.")
    ]


def test_a_kernel_that_dies_is_a_finding_and_no_crash(toy: Any) -> None:
    toy.edit_cell("01_double", "predict-then-run-1", home="notebooks", source="import os\nos._exit(3)")
    found = unsolved_findings(toy.course, ["01_double"])
    assert [finding.problem for finding in found] == ["the run did not come to its end: Kernel died"]


def test_a_lesson_without_a_release_is_passed_over(toy: Any) -> None:
    Path(toy.path("01_double", "notebooks")).unlink()
    assert unsolved_findings(toy.course, ["01_double"]) == []
