"""`course verify`: one command that proves the whole course, after the model of rustlings' `dev check`.

Every rule runs, every finding is collected and each says where, which rule, and what to do next. What costs a kernel
(solved, unsolved) runs at the same time: nbval in its own process while the released lessons run from here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from autograder.authoring.anatomy import anatomy_findings, repeated_ids
from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.leaks import leak_findings
from autograder.authoring.orphans import orphan_findings
from autograder.authoring.release import unsolved_cells
from autograder.authoring.solved import SolvedRun
from autograder.authoring.sync import sync_findings
from autograder.authoring.tidy import chosen, tidy_findings
from autograder.authoring.unsolved import unsolved_findings
from autograder.command import command
from autograder.course import Course
from autograder.errors import CourseError
from autograder.language import _, ngettext

RULES = ("readable", "tidy", "anatomy", "leak", "sync", "solved", "unsolved", "orphan")


def verify(course: Course, slugs: Sequence[str] | None = None, *, execute: bool = True) -> list[Finding]:
    """Every finding about the chosen lessons; without `slugs` about the whole course, orphans included.

    Args:
        course: the course to prove.
        slugs: names of lessons, or None for all.
        execute: False leaves out the two rules that need a kernel.

    Returns:
        The findings, by file; empty when the course holds together.
    """
    wanted = list(slugs) if slugs is not None else course.slugs(source=True)
    findings = [finding for slug in course.slugs(source=True) for finding in _unreadable(course, slug)]
    broken = {finding.file.split("/")[1] for finding in findings}
    lessons = [slug for slug in wanted if slug not in broken]
    findings = [finding for finding in findings if finding.file.split("/")[1] in wanted]
    if execute and lessons:
        findings += _executed(course, lessons)
    findings += _read(course, lessons)
    findings += _of(repeated_ids(course, [slug for slug in course.slugs(source=True) if slug not in broken]), lessons)
    return sorted({*findings, *(orphan_findings(course) if slugs is None else [])})


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course verify`."""
    parser.add_argument("lessons", nargs="*", metavar="NN", help=_("lessons; the whole course when none is named"))
    parser.add_argument("--quick", action="store_true", help=_("leave out what has to run the notebooks"))


def run(options: argparse.Namespace) -> int:
    """Print every finding, or one line that says what holds; 1 when there are findings."""
    course = Course.here()
    slugs = chosen(course, options.lessons)
    findings = verify(course, slugs if options.lessons else None, execute=not options.quick)
    for finding in findings:
        print(finding)
    if findings:
        print(ngettext("{count} finding.", "{count} findings.", len(findings)).format(count=len(findings)))
        return 1
    print(_holds(slugs, quick=options.quick))
    return 0


def _executed(course: Course, slugs: list[str]) -> list[Finding]:
    with SolvedRun(course, slugs) as solved:
        unsolved = unsolved_findings(course, slugs)
        return unsolved + solved.findings()


def _read(course: Course, slugs: list[str]) -> list[Finding]:
    rules: list[Callable[[str], list[Finding]]] = [
        lambda slug: tidy_findings(course, slug),
        lambda slug: unsolved_cells(course, slug),
        lambda slug: anatomy_findings(course, slug),
        lambda slug: leak_findings(course, slug),
    ]
    return [finding for slug in slugs for rule in rules for finding in rule(slug)] + sync_findings(course, slugs)


def _unreadable(course: Course, slug: str) -> list[Finding]:
    """A lesson whose source or release is not a notebook: no other rule can look at it."""
    findings = []
    for home, source in ((course.solutions, True), (course.notebooks, False)):
        path = home / slug / f"{slug}.ipynb"
        if not source and not path.parent.is_dir():
            continue
        try:
            course.read(slug, source=source)
        except CourseError as error:
            file = relative(course, path)
            then = edit(file) if source else command(f"release {slug[:2]}")
            findings.append(Finding(file, "", "readable", str(error), then))
    return findings


def _of(findings: list[Finding], slugs: list[str]) -> list[Finding]:
    return [finding for finding in findings if finding.file.split("/")[1] in slugs]


def _holds(slugs: list[str], *, quick: bool) -> str:
    if quick:
        sentence = ngettext(
            "{count} lesson: tidy, in sync, whole, without leaks. Not run (--quick).",
            "{count} lessons: tidy, in sync, whole, without leaks. Not run (--quick).",
            len(slugs),
        )
    else:
        sentence = ngettext(
            "{count} lesson: tidy, in sync, whole, without leaks, solved, unsolved.",
            "{count} lessons: tidy, in sync, whole, without leaks, solved, unsolved.",
            len(slugs),
        )
    return sentence.format(count=len(slugs))
