"""Released notebooks made by nbgrader itself, in this process.

The same converter runs under `nbgrader generate_assignment`, so both give the same bytes. Calling it here saves the
four seconds a lesson that the command needs to start. No gradebook is touched (`--no-db`): a release must not depend
on who was graded on this machine.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.language import _

# The line of a traceback that names the exception: the only one that is not indented and not a heading.
RAISED = re.compile(r"^(?:\w+\.)*(\w+: .+)$", re.MULTILINE)


class _Said(logging.Handler):
    """Keeps what nbgrader logs as an error, instead of letting it reach the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.sentences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.sentences.append(record.getMessage())


def generate(course: Course, slugs: Iterable[str], into: Path) -> None:
    """Write the release of each lesson to `into/NN_slug/`, a folder that does not hold it yet.

    Raises:
        AuthoringError: nbgrader refuses a source; the sentence carries its reason.
    """
    from nbgrader.converters import GenerateAssignment, NbGraderException
    from nbgrader.coursedir import CourseDirectory

    with warnings.catch_warnings():
        config = _config(course)
        for slug in slugs:
            said = _Said()
            folder = CourseDirectory(config=config, root=str(course.root), assignment_id=slug, log=_log(said))
            folder.release_directory = str(into)
            try:
                GenerateAssignment(coursedir=folder, config=config, log=_log(said)).start()
            except NbGraderException as error:
                reason = _reason(said.sentences) or str(error)
                raise AuthoringError(_("nbgrader refuses {slug}:\n{reason}").format(slug=slug, reason=reason)) from None


def _config(course: Course) -> Any:
    """The course's own nbgrader_config.py, plus what `--no-db` sets."""
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    return config


def _log(handler: logging.Handler) -> logging.Logger:
    logger = logging.Logger("autograder.generate", logging.ERROR)  # not in the global tree: nothing is propagated
    logger.addHandler(handler)
    return logger


def _reason(sentences: list[str]) -> str:
    """The exception in the traceback that nbgrader logs first, else its first sentence."""
    for sentence in sentences:
        raised = RAISED.findall(sentence)
        if raised:
            return str(raised[-1])
    return sentences[0] if sentences else ""
