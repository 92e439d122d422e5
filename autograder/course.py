"""The course as a set of folders: which lessons there are, and what each one asks.

There is no manifest beside the folders. A lesson is found by its name on disk and everything else (title, exercises,
hints, checks, points) is read from its notebook, so nothing can disagree with it. Only `json` is needed for that:
this module also serves a learner's commands, where nbformat and nbgrader would cost a second of waiting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.errors import CourseError
from autograder.exercises import Exercise, GradeCell, read_exercises, read_notebook
from autograder.language import _
from autograder.names import listed

__all__ = ["LESSON_NAME", "Course", "Exercise", "GradeCell", "Lesson", "read_exercises", "read_notebook"]

LESSON_NAME = re.compile(r"(\d\d)_[a-z0-9_]+")


@dataclass(frozen=True)
class Lesson:
    """One lesson, as the notebook at `path` tells it; `source`, `release` and `work` are its three homes on disk."""

    slug: str
    path: Path
    source: Path
    release: Path
    work: Path
    notebook: dict[str, Any] = field(repr=False, compare=False)

    @property
    def number(self) -> str:
        """The two digits that its folder begins with."""
        return self.slug[:2]

    @property
    def title(self) -> str:
        """The title in the notebook's metadata, else the slug in words."""
        return str(self._own_metadata.get("title") or self.slug[3:].replace("_", " "))

    @property
    def minutes(self) -> int | None:
        """How long the lesson takes, as its author says."""
        minutes = self._own_metadata.get("minutes")
        return int(minutes) if minutes is not None else None

    @property
    def tags(self) -> tuple[str, ...]:
        """The exam tags of the lesson."""
        return tuple(self._own_metadata.get("tags", ()))

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises in the order of the notebook."""
        return read_exercises(self.notebook)

    @property
    def points(self) -> float:
        """The points of the whole lesson."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def _own_metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = self.notebook.get("metadata", {}).get("autograder", {})
        return metadata


@dataclass(frozen=True)
class Course:
    """A course folder: the root that holds nbgrader_config.py and the folders nbgrader names."""

    root: Path

    @classmethod
    def here(cls, start: Path | None = None) -> Course:
        """Find the course that `start` (else the current folder) lies in.

        Raises:
            CourseError: no folder on the way up holds a course.
        """
        folder = (start or Path.cwd()).resolve()
        for candidate in (folder, *folder.parents):
            lessons = any((candidate / name).is_dir() for name in ("solutions", "notebooks"))
            if lessons and (candidate / "nbgrader_config.py").is_file():
                return cls(candidate)
        raise CourseError(
            _("No course was found in {folder}\nor above it. Go to the folder that holds nbgrader_config.py.").format(
                folder=folder
            )
        )

    @property
    def solutions(self) -> Path:
        """The source of each lesson, written by hand."""
        return self.root / "solutions"

    @property
    def notebooks(self) -> Path:
        """The released lessons, generated."""
        return self.root / "notebooks"

    @property
    def work(self) -> Path:
        """The learner's own copies."""
        return self.root / "work"

    @property
    def fixtures(self) -> Path:
        """The scenarios."""
        return self.root / "fixtures"

    @property
    def submitted(self) -> Path:
        """What was handed in."""
        return self.root / "submitted"

    @property
    def feedback(self) -> Path:
        """The feedback pages that nbgrader writes."""
        return self.root / "feedback"

    @property
    def gradebook(self) -> Path:
        """The SQLite gradebook of nbgrader."""
        return self.root / "gradebook.db"

    def slugs(self, *, source: bool = False) -> list[str]:
        """The names of the lessons on disk, in order: of notebooks/, or of solutions/ when `source` is true."""
        folder = self.solutions if source else self.notebooks
        if not folder.is_dir():
            return []
        return sorted(child.name for child in folder.iterdir() if child.is_dir() and LESSON_NAME.fullmatch(child.name))

    def lessons(self, *, source: bool = False) -> list[Lesson]:
        """Every lesson in order, read from notebooks/, or from solutions/ when `source` is true.

        Raises:
            CourseError: a lesson's notebook is missing or is not a notebook.
        """
        return [self.read(slug, source=source) for slug in self.slugs(source=source)]

    def lesson(self, key: str, *, source: bool = False) -> Lesson:
        """The lesson that `key` names: "01", "1", "01_response_anatomy" or a part that fits one lesson only.

        Raises:
            CourseError: no lesson fits, or more than one; the sentence names what there is.
        """
        return self.read(self.find(key, source=source), source=source)

    def find(self, key: str, *, source: bool = False) -> str:
        """The slug of the lesson that `key` names, without reading its notebook; raises as `lesson` does."""
        slugs = self.slugs(source=source)
        wanted = key.strip().lower()
        if wanted.isdecimal():
            found = [slug for slug in slugs if int(slug[:2]) == int(wanted)]
        else:
            found = [slug for slug in slugs if slug == wanted] or [slug for slug in slugs if wanted and wanted in slug]
        if len(found) == 1:
            return found[0]
        if found:
            raise CourseError(listed(_("More than one lesson fits {key}:").format(key=repr(key)), found))
        if not slugs:
            raise CourseError(_("There are no lessons in {root}.").format(root=self.root))
        raise CourseError(listed(_("There is no lesson {key}. There are:").format(key=repr(key)), slugs))

    def read(self, slug: str, *, source: bool = False) -> Lesson:
        """The lesson of exactly that name.

        Raises:
            CourseError: its notebook is missing or is not a notebook.
        """
        written = self.solutions / slug / f"{slug}.ipynb"
        released = self.notebooks / slug / f"{slug}.ipynb"
        path = written if source else released
        return Lesson(
            slug=slug,
            path=path,
            source=written,
            release=released,
            work=self.work / f"{slug}.ipynb",
            notebook=read_notebook(path),
        )
