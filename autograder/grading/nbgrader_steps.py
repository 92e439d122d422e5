"""The nbgrader steps for one learner: register a lesson, hand the work in, autograde it, write the feedback.

Everything is nbgrader's own converter with the course's own `nbgrader_config.py`, so a setting (another executor, a
time limit) changes `course grade` and `nbgrader autograde` alike. Lessons are registered through a release in a
temporary folder: `notebooks/` stays as it is. Only the grading process imports this module.
"""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.errors import GradingError
from autograder.exercises import read_notebook
from autograder.grading.scores import LEARNER, read_scores
from autograder.grading.submission import Submission, hand_in
from autograder.grading.troubles import CELLS_CHANGED, sentence_for
from autograder.language import _

# What SQLite says of a file that no program can read; a busy or an older gradebook is another matter.
DAMAGED = ("not a database", "malformed")


@dataclass
class NbgraderSteps:
    """The course at `root` in nbgrader's hands; `log` collects what nbgrader says."""

    root: Path
    log: list[str] = field(default_factory=list)
    _backup: Path | None = None

    def rescue_gradebook(self) -> str:
        """Put a damaged gradebook aside, so that a new one can begin; returns the sentence that says so, or ""."""
        gradebook = self.root / "gradebook.db"
        try:
            read_scores(gradebook)
        except GradingError as error:
            if not any(text in str(error) for text in DAMAGED):
                return ""
            aside = self._dated(gradebook)
            gradebook.rename(aside)
            return _("gradebook.db is damaged; it is kept as {file} and a new one began.").format(file=aside.name)
        return ""

    def prepare(self, slug: str) -> tuple[Submission, list[str]]:
        """Register the lesson as it is released now and put the learner's work where nbgrader looks for it.

        Returns:
            What is handed in, and what else the learner has to know.

        Raises:
            GradingError: the lesson cannot be registered, or the work cannot be read.
        """
        with tempfile.TemporaryDirectory(prefix="release-") as folder:
            remarks = self._register(slug, Path(folder))
            release = read_notebook(Path(folder) / slug / f"{slug}.ipynb")
        submission = hand_in(self.root / "work" / f"{slug}.ipynb", release)
        target = self.root / "submitted" / LEARNER / slug / f"{slug}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(submission.notebook, indent=1) + "\n", encoding="utf-8")
        return submission, remarks

    def autograde(self, slug: str) -> None:
        """Run the submission and store its points.

        Raises:
            GradingError: nbgrader gave the submission up; the sentence says why.
        """
        self._run(Autograde(coursedir=self._place(slug), config=self._config(slug)), slug)

    def feedback(self, slug: str) -> Path:
        """Write the feedback page of the lesson and return its path.

        Raises:
            GradingError: nbgrader could not write it.
        """
        config = self._config(slug)
        self._run(GenerateFeedback(coursedir=self._place(slug), config=config), slug)
        return self.root / "feedback" / LEARNER / slug / f"{slug}.html"

    def _register(self, slug: str, folder: Path) -> list[str]:
        result = self._release(slug, folder)
        if result["success"]:
            return []
        if CELLS_CHANGED not in _said(result):
            raise GradingError(sentence_for(slug, _said(result)))
        remark = self._forget(slug)
        if not (result := self._release(slug, folder))["success"]:
            raise GradingError(sentence_for(slug, _said(result)))
        return [remark]

    def _release(self, slug: str, folder: Path) -> dict[str, Any]:
        config = self._config(slug)
        config.CourseDirectory.release_directory = str(folder)
        converter = GenerateAssignment(coursedir=self._place(slug, config), config=config)
        return self._captured(converter)

    def _forget(self, slug: str) -> str:
        """Take the lesson out of the gradebook, after a copy of it was kept: nbgrader changes no graded lesson."""
        gradebook = self.root / "gradebook.db"
        place = self._place(slug)
        with Gradebook(place.db_url, place.course_id) as book:
            others = {one.student_id for one in book.assignment_submissions(slug)} - {LEARNER}
            if others:
                sentence = _(
                    "Lesson {lesson} has changed, and the gradebook holds the work of {count} other\n"
                    "learners. Keep gradebook.db elsewhere, then run this again."
                )
                raise GradingError(sentence.format(lesson=slug[:2], count=len(others)))
            if self._backup is None:
                self._backup = self._dated(gradebook)
                shutil.copy2(gradebook, self._backup)
            book.remove_assignment(slug)
        return _("Lesson {lesson} has other cells than before: its earlier scores are kept in {file}.").format(
            lesson=slug[:2], file=self._backup.name
        )

    def _run(self, converter: Any, slug: str) -> None:
        result = self._captured(converter)
        if not result["success"]:
            raise GradingError(sentence_for(slug, _said(result)))

    def _captured(self, converter: Any) -> dict[str, Any]:
        converter.force = True
        result: dict[str, Any] = capture_log(converter)
        self.log.append(_said(result))
        return result

    @cached_property
    def _course_config(self) -> Config:
        return PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()

    def _config(self, slug: str) -> Config:
        config: Config = copy.deepcopy(self._course_config)
        config.CourseDirectory.root = str(self.root)
        # Nothing is asked of a kernel after the last cell, and the polite way takes 0.2 s a lesson.
        config.Execute.setdefault("shutdown_kernel", "immediate")
        if not (self.root / "solutions" / slug / f"{slug}.ipynb").is_file():
            # What a learner receives has no solutions/. The release is registered as it is: its stubs must stay.
            config.CourseDirectory.source_directory = "notebooks"
            config.ClearSolutions.enabled = False
        return config

    def _place(self, slug: str, config: Config | None = None) -> Any:
        place = CourseDirectory(config=config or self._config(slug))
        place.assignment_id, place.student_id = slug, LEARNER
        return place

    def _dated(self, path: Path) -> Path:
        stamp = datetime.now().strftime("%Y-%m-%d-%H-%M-%S")
        names = (path.with_name(f"{path.name}.{stamp}{extra}") for extra in ("", *(f"-{n}" for n in range(1, 1000))))
        return next(name for name in names if not name.exists())


def _said(result: dict[str, Any]) -> str:
    return "\n".join(str(result[key]) for key in ("log", "error") if result.get(key))
