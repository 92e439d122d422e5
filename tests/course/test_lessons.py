"""The real lessons: every rule of `course verify`, the runs of both notebooks included, and nothing skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.authoring.orphans import orphan_findings
from autograder.authoring.verify import verify
from autograder.course import Course

COURSE = Course(Path(__file__).parents[2])


@pytest.mark.parametrize("slug", COURSE.slugs(source=True))
def test_the_lesson_passes_every_rule_of_verify(slug: str) -> None:
    findings = verify(COURSE, [slug])
    assert not findings, "\n".join(str(finding) for finding in findings)


def test_the_course_has_lessons_and_no_orphans() -> None:
    assert COURSE.slugs(source=True)
    findings = orphan_findings(COURSE)
    assert not findings, "\n".join(str(finding) for finding in findings)
