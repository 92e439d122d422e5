"""No orphans: every file of the course belongs to something that a learner, a test or a check uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.finding import Finding, relative
from autograder.authoring.notebook import read
from autograder.authoring.release import files_in
from autograder.command import command
from autograder.course import Course
from autograder.errors import CourseError
from autograder.language import _


def orphan_findings(course: Course) -> list[Finding]:
    """Lessons without a release, releases without a source, stray files, and scenarios that nothing names."""
    return [*_lessons(course), *_stray_files(course), *_fixtures(course)]


def _lessons(course: Course) -> Iterator[Finding]:
    sources, releases = course.slugs(source=True), course.slugs()
    for slug in sorted(set(sources) - set(releases)):
        folder = relative(course, course.solutions / slug)
        yield Finding(folder, "", "orphan", _("the lesson has no release."), command(f"release {slug[:2]}"))
    for slug in sorted(set(releases) - set(sources)):
        folder = relative(course, course.notebooks / slug)
        yield Finding(folder, "", "orphan", _("the release has no source in solutions/."), f"git rm -r {folder}")
    for folder_path in (course.solutions, course.notebooks):
        for path in sorted(folder_path.iterdir()) if folder_path.is_dir() else ():
            if not path.name.startswith((".", "__")) and path.name not in (*sources, *releases):
                file = relative(course, path)
                problem = _("it is not a lesson (a lesson is a folder NN_name).")
                yield Finding(file, "", "orphan", problem, f"git rm -r {file}")


def _stray_files(course: Course) -> Iterator[Finding]:
    """Files beside a source notebook that it does not name: nbgrader would hand them to every learner."""
    for slug in course.slugs(source=True):
        folder = course.solutions / slug
        text = _cell_text(folder / f"{slug}.ipynb")
        for name in files_in(folder):
            if name != f"{slug}.ipynb" and name not in text:
                file = relative(course, folder / name)
                yield Finding(file, "", "orphan", _("the lesson does not name it."), f"git rm {file}")


def _fixtures(course: Course) -> Iterator[Finding]:
    scenarios = sorted(course.fixtures.glob("*.json")) if course.fixtures.is_dir() else []
    if not scenarios:
        return
    named = _quoted_names(course)
    for path in scenarios:
        if path.stem not in named:
            file = relative(course, path)
            yield Finding(file, "", "orphan", _("no lesson, test or check names it."), f"git rm {file}")


def _quoted_names(course: Course) -> set[str]:
    """Every quoted word in the code of lessons, tests and package: a scenario is always named as a string."""
    texts = [_cell_text(course.solutions / slug / f"{slug}.ipynb") for slug in course.slugs(source=True)]
    for folder in ("tests", "autograder", "benchmarks"):
        texts += [path.read_text(encoding="utf-8") for path in sorted((course.root / folder).rglob("*.py"))]
    return {name for text in texts for name in re.findall(r"[\"']([\w-]+)(?:\.json)?[\"']", text)}


def _cell_text(path: Path) -> str:
    try:
        return "\n".join(cell["source"] for cell in read(path)["cells"])
    except CourseError:
        return ""  # its own rule says so
