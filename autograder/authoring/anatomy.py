"""The anatomy of an exercise: task, solution and one-line checks, the same in every lesson.

A learner learns the form once. The judge that grades out of process relies on it too: it reads which check runs on
which names from the one line of a grade cell, and never executes that line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.notebook import BEGIN, END, FENCE, Notebook, code_cells, is_grade, is_solution, read
from autograder.authoring.page import page_problems
from autograder.command import command
from autograder.course import Course
from autograder.exercises import HINT, Cell, check_call, nbgrader_marks
from autograder.language import _

TASK = re.compile(r"### \S+ (\d\d)\.(\d+): `.+`")
IMPORTS_CHECK = re.compile(r"^from autograder import [^#\n]*\bcheck\b", re.MULTILINE)
EFFORT_LINE = re.compile(r"\S+ [1-5] \S+ 5 · [1-9]\d* \S+")

Problems = Iterator[tuple[str, str]]


def anatomy_findings(course: Course, slug: str) -> list[Finding]:
    """Where a source departs from the anatomy of a lesson."""
    path = course.solutions / slug / f"{slug}.ipynb"
    notebook = read(path)
    file = relative(course, path)
    found = [
        *_exercises(notebook, slug),
        *_grade_cells(notebook),
        *_metadata(notebook),
        *page_problems(notebook, path.parent),
    ]
    return [Finding(file, cell, "anatomy", problem, edit(file)) for cell, problem in found]


def repeated_ids(course: Course, slugs: list[str]) -> list[Finding]:
    """Grade ids that occur more than once in the course: hints, scores and feedback find an exercise by its id."""
    seen: dict[str, str] = {}
    findings = []
    for slug in slugs:
        file = relative(course, course.solutions / slug / f"{slug}.ipynb")
        for cell in read(course.root / file)["cells"]:
            name = str(nbgrader_marks(cell).get("grade_id", ""))
            if name and name in seen:
                problem = _("the grade_id {name} is taken by {slug}.").format(name=name, slug=seen[name])
                findings.append(Finding(file, cell["id"], "anatomy", problem, edit(file)))
            elif name:
                seen[name] = slug
    return findings


def _exercises(notebook: Notebook, slug: str) -> Problems:
    cells = notebook["cells"]
    number = 0
    for before, cell, after in zip([{}, *cells[:-1]], cells, [*cells[1:], {}], strict=True):
        if not is_solution(cell):
            continue
        number += 1
        if before.get("cell_type") == "markdown":
            yield from _task(before, slug[:2], number)
        else:
            yield cell["id"], _("the cell before it is not its task in Markdown.")
        yield from _solution(cell)
        if not after or not is_grade(after):
            yield cell["id"], _("no grade cell follows it.")


def _task(cell: Cell, lesson: str, number: int) -> Problems:
    lines = [*cell["source"].split("\n"), "", "", ""]
    heading = TASK.fullmatch(lines[0])
    if not heading or heading.groups() != (lesson, str(number)):
        wanted = f"### Exercise {lesson}.{number}: `signature`"
        yield cell["id"], _("the task does not begin with {wanted}").format(wanted=wanted)
    if lines[1] or not EFFORT_LINE.fullmatch(lines[2]):
        wanted = "Difficulty 2 of 5 · 6 minutes"
        yield cell["id"], _("its third line does not say, for example: {wanted}").format(wanted=wanted)
    hints = HINT.findall(cell["source"])
    if not any(hint.strip() for hint in hints):
        yield cell["id"], _("the task has no hint (<details><summary>Hint 1</summary> ... </details>).")
    if any(FENCE.search(hint) for hint in hints):
        yield cell["id"], _("a hint holds code. A hint is a thought, never code.")


def _solution(cell: Cell) -> Problems:
    marks = nbgrader_marks(cell)
    if cell["source"].count(BEGIN) != 1 or cell["source"].count(END) != 1:
        yield cell["id"], _("it does not hold {begin} and {end} once each.").format(begin=BEGIN, end=END)
    if marks.get("grade") or marks.get("locked"):
        yield cell["id"], _("nbgrader marks: a solution cell has grade false and locked false.")
    hints = cell["metadata"].get("autograder", {}).get("hints", [])
    if not hints or not all(str(hint).strip() for hint in hints):
        yield (
            cell["id"],
            _("no second-level hints (metadata.autograder.hints) for {command}.").format(command=command("hint")),
        )


def _grade_cells(notebook: Notebook) -> Problems:
    known = _known_checks(notebook)
    for cell in filter(is_grade, notebook["cells"]):
        marks = nbgrader_marks(cell)
        if not isinstance(marks.get("points"), (int, float)) or marks["points"] <= 0:
            yield cell["id"], _("it is worth no points.")
        if marks.get("solution") or not marks.get("locked"):
            yield cell["id"], _("nbgrader marks: a grade cell has solution false and locked true.")
        call = check_call(cell["source"]) if cell["cell_type"] == "code" else None
        if call is None:
            yield cell["id"], _("it is not one line check.NAME(...) with bare names and literals only.")
            continue
        wanted = "check-" + call.name.replace("_", "-")
        if marks.get("grade_id") != wanted:
            yield cell["id"], _("its grade_id is not {wanted}.").format(wanted=wanted)
        if known is not None and call.name not in known:
            yield cell["id"], _("there is no check {name} in autograder.check.").format(name=call.name)


def _known_checks(notebook: Notebook) -> frozenset[str] | None:
    """The names that the lesson may call; None when it brings its own checks (the toy course does)."""
    if not any(IMPORTS_CHECK.search(cell["source"]) for cell in code_cells(notebook)):
        return None
    from autograder.checks.namespace import check  # only now: it imports every lesson's checks

    return frozenset(check.names())


def _metadata(notebook: Notebook) -> Problems:
    ours = notebook["metadata"].get("autograder", {})
    missing = [name for name in ("title", "minutes", "tags") if not ours.get(name)]
    if missing:
        yield "", _("metadata.autograder lacks {names}.").format(names=", ".join(missing))
