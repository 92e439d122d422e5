"""What one lesson asks: its exercises, their hints and checks, read from the notebook as it lies on disk.

Only `json` and `ast` are needed, so a learner's commands can list exercises without waiting for nbformat and nbgrader.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import CourseError
from autograder.language import _

# Read by shape, not by words, so that a translated lesson says the same: "Difficulty 2 of 5 · 6 minutes".
EFFORT = re.compile(r"^\S+ ([1-5]) \S+ 5 · (\d+) \S+$", re.MULTILINE)
HINT = re.compile(r"<details>\s*<summary>.*?</summary>(.*?)</details>", re.DOTALL)

Cell = dict[str, Any]


@dataclass(frozen=True)
class CheckCall:
    """The one line of a grade cell, taken apart: `check.NAME(ARGUMENTS)`."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class GradeCell:
    """A grade cell: its grade_id, its points and, if it is one of our one-line checks, what it calls.

    `check` is None when the cell holds something else (a teacher's own asserts); `names` are the argument names.
    """

    grade_id: str
    points: float
    source: str
    check: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """One exercise: a task cell, a solution cell and the grade cells that follow it."""

    id: str
    heading: str = ""
    difficulty: int | None = None
    minutes: int | None = None
    task: str = ""
    first_hints: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    checks: tuple[GradeCell, ...] = ()

    @property
    def points(self) -> float:
        """The points of all its grade cells."""
        return sum(check.points for check in self.checks)


def read_notebook(path: Path) -> dict[str, Any]:
    """The notebook at `path` as JSON.

    Raises:
        CourseError: the file is missing, is not JSON, or holds no cells.
    """
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CourseError(_("The notebook is missing:\n{path}").format(path=path)) from None
    except (ValueError, OSError) as error:
        raise CourseError(_("The notebook cannot be read:\n{path}\n{error}").format(path=path, error=error)) from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise CourseError(_("The file is not a notebook (it has no cells):\n{path}").format(path=path))
    return notebook


def read_exercises(notebook: dict[str, Any]) -> tuple[Exercise, ...]:
    """The exercises of a notebook: every solution cell with its task cell and the grade cells up to the next one."""
    prose = [cell for cell in notebook["cells"] if cell.get("cell_type") == "markdown"]
    tasks = {str(cell.get("id", "")): text_of(cell) for cell in prose}
    exercises: list[Exercise] = []
    checks: list[GradeCell] = []
    for cell in reversed(notebook["cells"]):
        marks = nbgrader_marks(cell)
        if marks.get("solution") and not marks.get("task"):
            name = str(marks.get("grade_id", ""))
            exercises.append(_exercise(name, cell, tasks.get(f"task-{name}", ""), tuple(reversed(checks))))
            checks = []
        elif marks.get("grade"):
            checks.append(_grade_cell(cell))
    return tuple(reversed(exercises))


def nbgrader_marks(cell: Cell) -> dict[str, Any]:
    """The `nbgrader` metadata of a cell; empty for an ordinary cell."""
    marks = cell.get("metadata", {}).get("nbgrader", {})
    return marks if isinstance(marks, dict) else {}


def text_of(cell: Cell) -> str:
    """The source of a cell as one string (on disk it may be a list of lines)."""
    source = cell.get("source", "")
    return "".join(source) if isinstance(source, list) else str(source)


def check_call(source: str) -> CheckCall | None:
    """The call in a grade cell, or None when it is anything but one line `check.NAME(names and literals)`."""
    try:
        body = ast.parse(source.strip()).body
    except SyntaxError:
        return None
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or "\n" in source.strip() or "#" in source:
        return None
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if not isinstance(owner, ast.Name) or owner.id != "check" or not isinstance(call.func, ast.Attribute):
        return None
    if call.keywords or not all(_is_plain(argument) for argument in call.args):
        return None
    return CheckCall(call.func.attr, tuple(ast.unparse(argument) for argument in call.args))


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return True
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _exercise(name: str, solution: Cell, task: str, checks: tuple[GradeCell, ...]) -> Exercise:
    effort = EFFORT.search(task)
    heading = task.strip().split("\n", 1)[0].lstrip("# ").strip()
    hints = solution.get("metadata", {}).get("autograder", {}).get("hints", [])
    return Exercise(
        id=name,
        heading=heading or name,
        difficulty=int(effort[1]) if effort else None,
        minutes=int(effort[2]) if effort else None,
        task=task,
        first_hints=tuple(hint.strip() for hint in HINT.findall(task)),
        hints=tuple(str(hint) for hint in hints),
        checks=checks,
    )


def _grade_cell(cell: Cell) -> GradeCell:
    marks = nbgrader_marks(cell)
    source = text_of(cell)
    call = check_call(source)
    return GradeCell(
        grade_id=str(marks.get("grade_id", "")),
        points=marks.get("points", 0),
        source=source,
        check=call.name if call else None,
        names=call.arguments if call else (),
    )
