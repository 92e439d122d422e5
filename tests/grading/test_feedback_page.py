"""The links of nbgrader's feedback page say what they lead to."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.grading.feedback_page import with_names
from tests.grading.conftest import code_cell

PAGE = '<a href="#check-a">Test cell</a> (Score: 0 / 1) <a href="#check-ab">Test cell</a> <a href="#top">(Top)</a>'


def grade_cell(name: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {**code_cell(name, "", grade=True, locked=True, points=1), "outputs": list(outputs)}


def named(output: dict[str, Any]) -> str:
    """The text of the link to a check with that output."""
    page = with_names(PAGE, [grade_cell("check-a", output)])
    assert page.endswith(' (Score: 0 / 1) <a href="#check-ab">Test cell</a> <a href="#top">(Top)</a>')
    return page.removeprefix('<a href="#check-a">').split("</a>")[0]


@pytest.mark.parametrize(
    ("output", "name"),
    [
        pytest.param(
            {"output_type": "display_data", "data": {"text/plain": "Passed: counts None as zero"}},
            "Passed: counts None as zero",
            id="passed",
        ),
        pytest.param(
            {"output_type": "error", "ename": "CheckFailed", "evalue": "Not yet: a < b\n\n  found     b"},
            "Not yet: a &lt; b",
            id="not yet",
        ),
        pytest.param({"output_type": "error", "ename": "KeyError", "evalue": "'id'"}, "check-a", id="another error"),
    ],
)
def test_a_link_is_named_by_the_verdict_of_its_check(output: dict[str, Any], name: str) -> None:
    assert named(output) == name


def test_a_cell_that_nobody_grades_names_nothing() -> None:
    assert with_names(PAGE, [code_cell("check-a", "", solution=True), code_cell("mine", "1")]) == PAGE


def test_a_page_with_other_words_stays_as_nbgrader_made_it() -> None:
    page = PAGE.replace("Test cell", "Check")
    assert with_names(page, [grade_cell("check-a")]) == page
