"""Solved: a fresh kernel gives every solution the outputs it has on disk. nbval runs and compares them.

nbval is a pytest plug-in, so it runs as a pytest of its own, away from this project's pytest settings; its findings
come back as JUnit XML.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from xml.etree import ElementTree

from autograder.authoring.finding import Finding, relative, rerun
from autograder.authoring.kernels import CELL_TIMEOUT
from autograder.authoring.notebook import code_cells, read
from autograder.course import Course
from autograder.kernels import environment
from autograder.language import _

# As nbval writes it, and as JUnit XML, which may not hold an escape character, spells it.
COLOUR = re.compile(r"(?:\x1b|#x1B)\[[0-9;]*m")
SHOWN = 12


class SolvedRun:
    """nbval at work on some sources, as a process: start it, do something else, then ask for the findings."""

    def __init__(self, course: Course, slugs: Sequence[str]) -> None:
        self._course, self._slugs = course, slugs
        self._folder = tempfile.TemporaryDirectory()
        self._report = Path(self._folder.name) / "report.xml"
        self._process = subprocess.Popen(
            self._command(),
            cwd=self._folder.name,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> SolvedRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:  # something else went wrong meanwhile: nobody will ask for the findings
            self._process.terminate()
            self._process.communicate()
        self._folder.cleanup()

    def findings(self) -> list[Finding]:
        """Wait for nbval; one finding for each cell whose outputs are not the stored ones."""
        said, _nothing = self._process.communicate()
        if not self._report.is_file():
            problem = _("nbval did not run:\n{said}").format(said=said.strip()[-600:])
            return [Finding("solutions", "", "solved", problem, "python -m pytest --nbval solutions")]
        return [finding for case in ElementTree.parse(self._report).iter("testcase") for finding in self._failed(case)]

    def _command(self) -> list[str]:
        notebooks = [str(self._course.solutions / slug / f"{slug}.ipynb") for slug in self._slugs]
        options = [
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-c",
            os.devnull,
            "--rootdir",
            str(self._course.root),
        ]
        nbval = ["--nbval", "--nbval-current-env", f"--nbval-cell-timeout={CELL_TIMEOUT}"]
        return [sys.executable, "-m", "pytest", *options, *nbval, f"--junitxml={self._report}", *notebooks]

    def _failed(self, case: ElementTree.Element) -> list[Finding]:
        faults = [child for child in case if child.tag in ("failure", "error")]
        if not faults:
            return []
        folders = re.split(r"[./\\]", case.get("classname", ""))
        slug = next((slug for slug in self._slugs if slug in folders), self._slugs[0])
        path = self._course.solutions / slug / f"{slug}.ipynb"
        number = re.search(r"(\d+)$", case.get("name", ""))
        cells = code_cells(read(path))
        cell = cells[int(number[1])]["id"] if number and int(number[1]) < len(cells) else ""
        said = COLOUR.sub("", faults[0].text or "")
        file = relative(self._course, path)
        problem = _("a fresh run does not give the stored output:\n{said}").format(said=_short(said))
        return [Finding(file, cell, "solved", problem, rerun(file))]


def _short(said: str) -> str:
    """What nbval says without the cell's own source, which the author has before them."""
    head, _input, rest = said.partition("Input:")
    _source, _traceback, told = rest.partition("Traceback:")
    lines = [line for line in f"{head}\n{told}".split("\n") if line.strip()]
    return "\n".join(lines if len(lines) <= SHOWN else [*lines[:2], "...", *lines[2 - SHOWN :]])
