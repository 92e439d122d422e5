"""Unsolved: a released lesson, run as it is, ends in "not written yet" and in nothing else.

Every grade cell fails, so no point is free. Any other error in the lesson (a NameError three cells after the stub, a
demonstration that breaks) would tell a learner that the course is broken, before they wrote a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.kernels import execute
from autograder.authoring.notebook import Notebook, code_cells, is_grade, is_solution, read
from autograder.command import command
from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.exercises import Cell
from autograder.language import _

STUB = "NotImplementedError"
NOT_YET = ("CheckFailed", STUB)


def unsolved_findings(course: Course, slugs: Sequence[str]) -> list[Finding]:
    """Run each released lesson and look at the errors; lessons without a release are passed over."""
    released = [slug for slug in slugs if (course.notebooks / slug / f"{slug}.ipynb").is_file()]
    return [finding for slug in released for finding in _lesson(course, slug)]


def _lesson(course: Course, slug: str) -> list[Finding]:
    path = course.notebooks / slug / f"{slug}.ipynb"
    notebook = read(path)
    problems = _stubs(notebook)
    if not problems:
        problems = _outcome(notebook, path.parent)
    source = relative(course, course.solutions / slug / f"{slug}.ipynb")
    then = _("{edit}, then {command}").format(edit=edit(source), command=command(f"release {slug[:2]}"))
    return [Finding(relative(course, path), cell, "unsolved", problem, then) for cell, problem in problems]


def _outcome(notebook: Notebook, folder: Path) -> list[tuple[str, str]]:
    try:
        executed = code_cells(execute(notebook, folder))
    except AuthoringError as error:
        return [("", str(error))]
    return [(cell["id"], problem) for cell in executed if (problem := _fault(cell))]


def _stubs(notebook: Notebook) -> list[tuple[str, str]]:
    problem = _("the exercise is released without its stub.")
    return [(cell["id"], problem) for cell in code_cells(notebook) if is_solution(cell) and STUB not in cell["source"]]


def _fault(cell: Cell) -> str:
    """What is wrong with the outcome of one executed cell; empty when it is as it has to be."""
    error = next((output for output in cell["outputs"] if output["output_type"] == "error"), None)
    if is_grade(cell):
        if error is None:
            return _("the check passes, or says nothing, before anything is written.")
        return "" if error["ename"] in NOT_YET else _other(error)
    return "" if error is None or error["ename"] == STUB else _other(error)


def _other(error: dict[str, Any]) -> str:
    return _("it ends in {name}: {text}\nOnly NotImplementedError may be raised.").format(
        name=error["ename"], text=str(error["evalue"])[:200]
    )
