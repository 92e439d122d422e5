"""nbgrader's feedback page, with links that say what they lead to.

nbgrader calls the link to every check "Test cell", so a list of eleven checks is eleven times the same. Here a link
is named by the verdict of its check. Everything else is nbgrader's page; where its words are others, they stay.
"""

from __future__ import annotations

import html
from typing import Any

from nbconvert.exporters import HTMLExporter

from autograder.checks.feedback import Passed
from autograder.exercises import nbgrader_marks
from autograder.grading.playing import read_outputs

LINK = '<a href="#{grade_id}">{text}</a>'
NBGRADER_SAYS = "Test cell"  # nbgrader 0.9.6, formgrader/templates/feedback/index.html.j2


class FeedbackPage(HTMLExporter):
    """The exporter of `nbgrader generate_feedback` in this course (`nbgrader_config.py`)."""

    def from_notebook_node(  # type: ignore[override]  # as in HTMLExporter: a page is a str
        self, nb: Any, resources: Any = None, **kwargs: Any
    ) -> tuple[str, Any]:
        """The page as nbgrader makes it, its links to checks named."""
        page, resources = super().from_notebook_node(nb, resources, **kwargs)
        return with_names(page, nb["cells"]), resources


def with_names(page: str, cells: list[dict[str, Any]]) -> str:
    """The page with each link to a grade cell named: "Not yet: counts None as zero", else its grade_id."""
    for cell in cells:
        marks = nbgrader_marks(cell)
        if marks.get("grade") and cell["cell_type"] == "code":
            grade_id = str(marks["grade_id"])
            before = LINK.format(grade_id=grade_id, text=NBGRADER_SAYS)
            page = page.replace(before, LINK.format(grade_id=grade_id, text=html.escape(_name(cell, grade_id))))
    return page


def _name(cell: dict[str, Any], grade_id: str) -> str:
    verdict = read_outputs(cell["outputs"])
    if not verdict.title:
        return grade_id
    return verdict.said or repr(Passed(verdict.title))
