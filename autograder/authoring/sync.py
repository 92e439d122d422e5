"""In sync: notebooks/ is, byte for byte, what the sources give today."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.generate import generate
from autograder.authoring.notebook import parse
from autograder.authoring.release import files_in
from autograder.command import command
from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.language import _


def sync_findings(course: Course, slugs: Sequence[str]) -> list[Finding]:
    """Where a regenerated release differs from the committed one. A lesson without a release is an orphan, not this."""
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder:
        for slug in slugs:
            source = relative(course, course.solutions / slug / f"{slug}.ipynb")
            try:
                generate(course, [slug], Path(folder))
            except AuthoringError as error:
                findings.append(Finding(source, "", "sync", str(error), edit(source)))
            else:
                findings += _compared(course, slug, Path(folder) / slug)
    return findings


def _compared(course: Course, slug: str, fresh: Path) -> list[Finding]:
    released = course.notebooks / slug
    if not released.is_dir():
        return []
    made, there = files_in(fresh), files_in(released)
    differing = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    return [
        Finding(
            relative(course, released / name),
            _first_difference(made.get(name), there.get(name)) if name.endswith(".ipynb") else "",
            "sync",
            _("it is not what its source gives today."),
            command(f"release {slug[:2]}"),
        )
        for name in differing
    ]


def _first_difference(made: bytes | None, there: bytes | None) -> str:
    """The id of the first cell that differs; empty when the difference lies elsewhere."""
    try:
        fresh, old = (parse((text or b"").decode())["cells"] for text in (made, there))
    except (ValueError, KeyError, AttributeError):
        return ""
    pairs = zip(fresh, old, strict=False)
    return next((str(new.get("id", "")) for new, before in pairs if new != before), "")
