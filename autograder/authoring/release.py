"""`course release`: notebooks/ made from solutions/. A source that is untidy or unsolved is not released."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.generate import generate
from autograder.authoring.notebook import BEGIN, END, is_grade, is_solution, read
from autograder.authoring.tidy import chosen, tidy_findings
from autograder.command import command
from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.language import _


def release(course: Course, slugs: Sequence[str]) -> dict[str, bool]:
    """Write the release of each lesson to notebooks/; tells for each whether it changed.

    Raises:
        AuthoringError: a source is untidy or unsolved, or nbgrader refuses it. Then nothing is written.
    """
    findings = [finding for slug in slugs for finding in refusals(course, slug)]
    if findings:
        raise AuthoringError(_refused(findings))
    with tempfile.TemporaryDirectory() as folder:
        generate(course, slugs, Path(folder))
        return {slug: _put(Path(folder) / slug, course.notebooks / slug) for slug in slugs}


def refusals(course: Course, slug: str) -> list[Finding]:
    """Why a source may not be released: it is untidy, or a solution or a stored result of a check is missing."""
    return tidy_findings(course, slug) + unsolved_cells(course, slug)


def unsolved_cells(course: Course, slug: str) -> list[Finding]:
    """Solution cells without a solution between the markers, and grade cells that were never run."""
    path = course.solutions / slug / f"{slug}.ipynb"
    file = relative(course, path)
    findings = []
    for cell in read(path)["cells"]:
        if is_solution(cell) and not _has_solution(cell["source"]):
            problem = _("there is no code between {begin} and {end}.").format(begin=BEGIN, end=END)
            findings.append(Finding(file, cell["id"], "solved", problem, edit(file)))
        elif is_grade(cell) and cell["cell_type"] == "code" and not cell["outputs"]:
            problem = _("the check has no stored verdict.")
            findings.append(Finding(file, cell["id"], "solved", problem, command(f"tidy {slug[:2]} --run")))
    return findings


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` by its relative name; what editors and Python leave behind is passed over."""
    paths = [path for path in folder.rglob("*") if path.is_file() and not _is_litter(path.relative_to(folder))]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course release`."""
    parser.add_argument("lessons", nargs="*", metavar="NN", help=_("lessons; all of them when none is named"))


def run(options: argparse.Namespace) -> int:
    """Release the chosen lessons, one line each."""
    course = Course.here()
    for slug, changed in release(course, chosen(course, options.lessons)).items():
        print(_("{slug}: released").format(slug=slug) if changed else _("{slug}: unchanged").format(slug=slug))
    return 0


def _put(made: Path, released: Path) -> bool:
    """Replace the folder `released` by `made`, unless they are equal: written beside it first, then swapped."""
    if released.is_dir() and files_in(made) == files_in(released):
        return False
    new, old = (released.with_name(f".{released.name}.{mark}") for mark in ("new", "old"))
    try:
        for left_behind in filter(Path.exists, (new, old)):
            shutil.rmtree(left_behind)
        shutil.copytree(made, new)
        if released.exists():
            released.rename(old)
        new.rename(released)
    except OSError as error:
        if old.exists() and not released.exists():
            old.rename(released)
        raise AuthoringError(_locked(released, error)) from error
    shutil.rmtree(old, ignore_errors=True)
    return True


def _locked(released: Path, error: OSError) -> str:
    sentence = _(
        "The release could not be written:\n{folder}\n{reason}: {file}\n"
        "Close what has it open (JupyterLab, an editor), then run the same command again."
    )
    return sentence.format(folder=released, reason=error.strerror or error, file=error.filename or released)


def _has_solution(source: str) -> bool:
    _before, begin, rest = source.partition(BEGIN)
    inside, end, _after = rest.partition(END)
    lines = [line.strip() for line in inside.split("\n")]
    code = [line for line in lines if line and not line.startswith("#")]
    return bool(begin and end and code) and not any("NotImplementedError" in line for line in code)


def _refused(findings: list[Finding]) -> str:
    """One line a file and rule; `course tidy --check` and `course verify` tell the rest."""
    lines = {(finding.file, finding.rule): finding for finding in reversed(findings)}
    shown = [f"  {finding.file}: {finding.problem}\n    {finding.next}" for finding in reversed(lines.values())]
    return _("Nothing was released. First mend:\n{findings}").format(findings="\n".join(shown))


def _is_litter(path: Path) -> bool:
    return bool({"__pycache__", ".ipynb_checkpoints", ".pytest_cache"} & set(path.parts))
