"""The anatomy of a lesson, one departure at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.authoring.verify import verify

FIRST = "solutions/01_double/01_double.ipynb"
MARKS = {"grade": True, "grade_id": "check-doubles-a-number", "locked": True, "points": 2, "schema_version": 3}
GRADE = {**MARKS, "solution": False, "task": False}
SOLUTION = {"grade": False, "grade_id": "double", "locked": False, "schema_version": 3, "solution": True, "task": False}

Break = Callable[[Any], object]


def replace(cell: str, old: str, new: str) -> Break:
    return lambda toy: toy.replace("01_double", cell, old, new)


def add(cell: str, text: str) -> Break:
    def change(notebook: dict[str, Any]) -> None:
        next(one for one in notebook["cells"] if one["id"] == cell)["source"] += text

    return lambda toy: toy.edit("01_double", change)


def source(cell: str, text: str) -> Break:
    return lambda toy: toy.edit_cell("01_double", cell, source=text)


def metadata(cell: str, **values: Any) -> Break:
    return lambda toy: toy.edit_cell("01_double", cell, metadata=values)


def output(html: str) -> Break:
    data = {"output_type": "display_data", "data": {"text/html": html, "text/plain": "a figure"}, "metadata": {}}
    return lambda toy: toy.edit_cell("01_double", "imports", outputs=[data])


def bare_image(toy: Any) -> None:
    data = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}, "metadata": {}}
    toy.edit_cell("01_double", "imports", outputs=[data])


def remove(cell: str) -> Break:
    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"] = [one for one in notebook["cells"] if one["id"] != cell]

    return lambda toy: toy.edit("01_double", change)


def no_checks(toy: Any) -> None:
    remove("check-doubles-a-number")(toy)
    remove("check-keeps-text-apart")(toy)


def references_first(toy: Any) -> None:
    def change(notebook: dict[str, Any]) -> None:
        cells = notebook["cells"]
        cells.insert(-2, cells.pop())

    toy.edit("01_double", change)


def no_tags(toy: Any) -> None:
    toy.edit("01_double", lambda notebook: notebook["metadata"]["autograder"].update(tags=[]))


def unknown_check(toy: Any) -> None:
    toy.edit_cell("01_double", "imports", source="from autograder import check, replay")


@pytest.mark.parametrize(
    ("break_it", "cell", "says"),
    [
        pytest.param(remove("task-double"), "double", "not its task", id="no-task"),
        pytest.param(replace("task-double", "01.1", "01.2"), "task-double", "Exercise 01.1: `signature`", id="number"),
        pytest.param(replace("task-double", "Exercise 01.1", "Exercise 02.1"), "task-double", "01.1", id="lesson"),
        pytest.param(replace("task-double", "`", ""), "task-double", "does not begin with", id="no-signature"),
        pytest.param(replace("task-double", " of 5", ""), "task-double", "Difficulty 2 of 5", id="no-difficulty"),
        pytest.param(replace("task-double", "3 minutes", "soon"), "task-double", "6 minutes", id="no-minutes"),
        pytest.param(replace("task-double", "<details>", "<p>"), "task-double", "no hint", id="no-hint"),
        pytest.param(
            replace("task-double", "What do you get", "\n```\nreturn 2\n```\nWhat do you get"),
            "task-double",
            "a hint holds code",
            id="code-in-a-hint",
        ),
        pytest.param(metadata("double", nbgrader=SOLUTION), "double", "second-level hints", id="no-second-hints"),
        pytest.param(
            metadata("double", nbgrader={**SOLUTION, "locked": True}, autograder={"hints": ["Add."]}),
            "double",
            "grade false and locked false",
            id="locked-solution",
        ),
        pytest.param(replace("double", "    ### END SOLUTION", ""), "double", "once each", id="no-end-marker"),
        pytest.param(no_checks, "double", "no grade cell follows", id="no-checks"),
        pytest.param(
            source("check-doubles-a-number", "assert double(2) == 4"),
            "check-doubles-a-number",
            "not one line",
            id="plain-assert",
        ),
        pytest.param(
            source("check-doubles-a-number", "check.doubles_a_number(lambda n: 2 * n)"),
            "check-doubles-a-number",
            "bare names and literals",
            id="not-a-bare-name",
        ),
        pytest.param(
            source("check-doubles-a-number", "check.doubles_a_number(double)\nprint()"),
            "check-doubles-a-number",
            "not one line",
            id="two-lines",
        ),
        pytest.param(
            metadata("check-doubles-a-number", nbgrader={**GRADE, "points": 0}),
            "check-doubles-a-number",
            "no points",
            id="no-points",
        ),
        pytest.param(
            metadata("check-doubles-a-number", nbgrader={**GRADE, "locked": False}),
            "check-doubles-a-number",
            "locked true",
            id="open-check",
        ),
        pytest.param(
            source("check-doubles-a-number", "check.doubles(double)"),
            "check-doubles-a-number",
            "grade_id is not check-doubles",
            id="grade-id",
        ),
        pytest.param(unknown_check, "check-doubles-a-number", "no check doubles_a_number", id="unknown-check"),
        pytest.param(no_tags, "", "lacks tags", id="no-tags"),
        pytest.param(add("imports", "\nx = 1" * 20), "imports", "lines of code; 25 is the most", id="long-cell"),
        pytest.param(remove("summary"), "", "sections are missing: summary", id="no-summary"),
        pytest.param(references_first, "references", "in this order", id="order-of-sections"),
        pytest.param(
            add("summary", "\n\n#### Deep"), "summary", "skips a level (### is due): Deep", id="skipped-level"
        ),
        pytest.param(add("summary", "\n\n# Again"), "summary", "a second title: Again", id="second-title"),
        pytest.param(
            replace("the-idea", "[Two equal bars", "[](bars.svg)\n[Two"), "the-idea", "no alt text", id="no-alt"
        ),
        pytest.param(replace("the-idea", "bars.svg", "rods.svg"), "the-idea", "not in the lesson's", id="no-image"),
        pytest.param(add("the-idea", '\n<img src="bars.svg" alt="">'), "the-idea", "<img> has no alt", id="img"),
        pytest.param(output("<svg viewBox='0 0 1 1'><rect/></svg>"), "imports", "neither a <title>", id="svg-output"),
        pytest.param(bare_image, "imports", "bare image", id="image-output"),
        pytest.param(
            add("summary", "\n\nWell done!"), "summary", "exclamation mark after: Well done", id="exclamation"
        ),
        pytest.param(
            metadata("double", nbgrader=SOLUTION, autograder={"hints": ["Add it!"]}),
            "double",
            "exclamation mark after: Add it",
            id="exclamation-in-a-hint",
        ),
    ],
)
def test_a_departure_from_the_anatomy_is_named(toy: Any, break_it: Break, cell: str, says: str) -> None:
    break_it(toy)
    findings = [finding for finding in verify(toy.course, execute=False) if finding.rule == "anatomy"]
    assert [says for finding in findings if finding.cell == cell and says in finding.problem] == [says], findings
    assert {(finding.file, finding.next) for finding in findings} == {(FIRST, f"edit {FIRST}")}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(add("summary", "\n\n```python\nassert a != b  # no!\n# not a heading\n```"), id="fenced-code"),
        pytest.param(add("summary", "\n\nCompare `a != b` and `![x](y.png)`."), id="inline-code"),
        pytest.param(output('<svg role="img" aria-label="Two bars"><rect/></svg>'), id="labelled-svg"),
        pytest.param(output("<svg><title>Two bars</title><rect/></svg>"), id="titled-svg"),
        pytest.param(output("<img alt='Two bars' src='data:,'>"), id="described-img"),
        pytest.param(source("imports", "from autograder import replay  # check later"), id="check-of-its-own"),
    ],
)
def test_what_only_looks_like_a_departure_is_left_alone(toy: Any, change: Break) -> None:
    change(toy)
    assert [finding for finding in verify(toy.course, execute=False) if finding.rule == "anatomy"] == []


def test_a_grade_id_belongs_to_one_lesson_of_the_course(toy: Any) -> None:
    def rename(notebook: dict[str, Any]) -> None:
        cell = next(one for one in notebook["cells"] if one["id"] == "total")
        cell["metadata"]["nbgrader"]["grade_id"] = "double"

    toy.edit("02_total", rename)
    found = [finding for finding in verify(toy.course, execute=False) if "is taken by" in finding.problem]
    assert [(finding.file, finding.problem) for finding in found] == [
        ("solutions/02_total/02_total.ipynb", "the grade_id double is taken by 01_double.")
    ]
