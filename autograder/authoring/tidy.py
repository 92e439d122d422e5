"""`course tidy`: every source in one shape on disk, and given cells fresh from the solutions they come from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.authoring.finding import Finding, relative, rerun
from autograder.authoring.kernels import execute
from autograder.authoring.notebook import Notebook, dumps, given_names, read
from autograder.authoring.shape import blemishes, shape
from autograder.command import command
from autograder.course import Course
from autograder.errors import CourseError
from autograder.language import _


@dataclass(frozen=True)
class Tidied:
    """One source: its text on disk, the text it should have, what differs, and what tidy cannot mend."""

    slug: str
    before: str
    after: str
    differences: tuple[tuple[str, str], ...]
    blemishes: tuple[tuple[str, str], ...]


def tidied(course: Course, slug: str) -> Tidied:
    """Work out the tidy form of one source; nothing is written.

    Raises:
        CourseError: the source is missing or is not a notebook.
    """
    path = course.solutions / slug / f"{slug}.ipynb"
    original, notebook = read(path), read(path)
    before = path.read_bytes().decode("utf-8")  # with its own line ends: they are part of the shape
    faults: tuple[tuple[str, str], ...] = ()
    try:
        shape(notebook, course)
    except CourseError as error:  # what a given cell names cannot be had
        faults = (("given", str(error)),)
        after = before
    else:
        faults = tuple(blemishes(notebook))
        after = dumps(notebook)
    changed = tuple(_differences(original, notebook)) if after != before else ()
    if after != before and not changed:
        changed = (("", _("layout: key order, indent, line ends or final newline.")),)
    return Tidied(slug, before, after, changed, faults)


def tidy_findings(course: Course, slug: str) -> list[Finding]:
    """What is untidy in one source: what `course tidy` would change, and what only its author can."""
    file = relative(course, course.solutions / slug / f"{slug}.ipynb")
    result = tidied(course, slug)
    then = command(f"tidy {slug[:2]}")
    return [
        *(Finding(file, cell, "tidy", problem, then) for cell, problem in result.differences),
        *(Finding(file, cell, "tidy", problem, rerun(file)) for cell, problem in result.blemishes),
    ]


def run_again(course: Course, slug: str) -> list[Finding]:
    """Run one source from top to bottom and store its outputs, unless one of them may not be stored.

    Raises:
        AuthoringError: the kernel died or a cell did not end.
        CourseError: a given cell names a lesson or an exercise that does not exist.
    """
    path = course.solutions / slug / f"{slug}.ipynb"
    executed = execute(read(path), path.parent)
    shape(executed, course)
    file = relative(course, path)
    faults = [Finding(file, cell, "solved", problem, rerun(file)) for cell, problem in blemishes(executed)]
    if not faults:
        path.write_text(dumps(executed), encoding="utf-8", newline="\n")
    return faults


def chosen(course: Course, keys: Sequence[str]) -> list[str]:
    """The lessons that a command line names, or all of them; raises CourseError for one that does not exist."""
    return [course.find(key, source=True) for key in keys] or course.slugs(source=True)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course tidy`."""
    parser.add_argument("lessons", nargs="*", metavar="NN", help=_("lessons; all of them when none is named"))
    parser.add_argument("--run", action="store_true", help=_("run the notebook first and store its outputs"))
    parser.add_argument("--check", action="store_true", help=_("change nothing; say what differs"))


def run(options: argparse.Namespace) -> int:
    """Tidy the chosen sources; 1 when something is left to mend (with --check: when anything differs)."""
    course = Course.here()
    findings: list[Finding] = []
    for slug in chosen(course, options.lessons):
        faults: list[Finding] = []
        if not options.check:
            _write(course, tidied(course, slug))
            faults = run_again(course, slug) if options.run else []
        findings += faults or tidy_findings(course, slug)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


def _write(course: Course, result: Tidied) -> None:
    if result.after == result.before:
        print(_("{slug}: tidy").format(slug=result.slug))
        return
    path = course.solutions / result.slug / f"{result.slug}.ipynb"
    path.write_text(result.after, encoding="utf-8", newline="\n")
    print(_("{slug}: tidied").format(slug=result.slug))


def _differences(before: Notebook, after: Notebook) -> Iterator[tuple[str, str]]:
    if {**before, "cells": []} != {**after, "cells": []}:
        yield "", _("notebook metadata is not the course's.")
    for old, new in zip(before["cells"], after["cells"], strict=True):
        if old.get("id") != new["id"]:
            yield new["id"], _("the cell's id is {old} on disk.").format(old=repr(old.get("id", "")))
        if old["source"] != new["source"]:
            yield new["id"], _source_differs(new)
        if old["metadata"] != new["metadata"]:
            extra = ", ".join(sorted(set(old["metadata"]) - set(new["metadata"]))) or "nbgrader"
            yield new["id"], _("metadata that is not kept: {names}.").format(names=extra)
    for old, new in zip(before["cells"], after["cells"], strict=True):
        if old.get("execution_count") != new.get("execution_count") or old.get("outputs") != new.get("outputs"):
            yield new["id"], _("code cells are not numbered 1, 2, 3, ... from here on.")
            return  # the numbers of all cells below follow from this one


def _source_differs(cell: dict[str, object]) -> str:
    if given_names(cell) is not None:
        return _("the given cell is not what its origin lesson holds today.")
    return _("the source ends in empty lines.")
