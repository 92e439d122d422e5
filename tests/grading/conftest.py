"""A learner with a copy of the toy course: answers are written into work/, verbs are run, their words are kept."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.course import Course
from autograder.grading.scores import read_scores
from autograder.grading.seed import SEED_VARIABLE

TOY = Path(__file__).parents[1] / "toy_course"


@dataclass(frozen=True)
class Said:
    """What a verb printed, and its exit code."""

    code: int
    text: str

    def flat(self) -> str:
        """The text with every run of spaces and line breaks as one space."""
        return " ".join(self.text.split())


class Learner:
    """A learner at work in a toy course."""

    def __init__(self, folder: Path) -> None:
        ignore = shutil.ignore_patterns("work", "submitted", "autograded", "feedback", "gradebook.db*", ".*")
        self.root = shutil.copytree(TOY, folder / "toy", ignore=ignore)
        self.course = Course(self.root)

    def start(self, *slugs: str) -> None:
        """Put fresh copies into work/, as `course start` does."""
        self.course.work.mkdir(exist_ok=True)
        for slug in slugs or self.course.slugs():
            shutil.copy(self.course.read(slug).release, self.work(slug))

    def work(self, slug: str) -> Path:
        return self.course.work / f"{slug}.ipynb"

    def edit(self, slug: str, change: Callable[[list[dict[str, Any]]], object]) -> None:
        """Change the cells of a work notebook."""
        edit_cells(self.work(slug), change)

    def answer(self, slug: str, exercise: str, source: str | None = None) -> None:
        """Write an answer: the one of the solution, or `source`."""
        text = source if source is not None else cell_of(cells_of(self.course.read(slug).source), exercise)["source"]
        self.edit(slug, lambda cells: cell_of(cells, exercise).update(source=text))

    def run(self, verb: ModuleType, *arguments: str) -> Said:
        """Run a verb in the course folder."""
        parser = argparse.ArgumentParser()
        verb.configure(parser)
        with contextlib.chdir(self.root), contextlib.redirect_stdout(io.StringIO()) as output:
            code = verb.run(parser.parse_args(arguments))
        return Said(code, output.getvalue())


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def edit_cells(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook["cells"])
    path.write_text(json.dumps(notebook, indent=1), encoding="utf-8")


def cell_of(cells: list[dict[str, Any]], cell_id: str) -> dict[str, Any]:
    return next(cell for cell in cells if cell.get("id") == cell_id)


def code_cell(name: str, source: str, **marks: Any) -> dict[str, Any]:
    """A code cell as nbformat 4.5 has it; with `marks`, one of nbgrader's."""
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    if marks:
        all_marks = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3, **marks}
        cell["metadata"] = {"nbgrader": {"grade_id": name, **all_marks}}
    return cell


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def points(learner: Learner) -> dict[str, float]:
    """The points of each lesson in the learner's gradebook."""
    scores = read_scores(learner.course.gradebook)
    return {slug: score.of(learner.course.read(slug)) for slug, score in scores.items()}


@pytest.fixture(autouse=True, scope="package")
def _no_seed_from_outside() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(SEED_VARIABLE, raising=False)
        yield


@pytest.fixture
def learner(tmp_path: Path) -> Learner:
    return Learner(tmp_path)
