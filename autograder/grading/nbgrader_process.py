"""The process that imports nbgrader: it reads a job from stdin and writes one JSON line for each lesson.

nbgrader leaves NBGRADER_EXECUTION behind in its process and takes two seconds to import, so `course grade` keeps it
out of its own. What the learner's kernels print goes to the log: the lines have a channel of their own.

Job: `{"root": "...", "lessons": ["01_...", ...]}`. Lines: `Graded` as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from autograder.errors import CourseError
from autograder.language import _

if TYPE_CHECKING:
    from autograder.grading.nbgrader_steps import NbgraderSteps


@dataclass(frozen=True)
class Graded:
    """What became of one lesson: `trouble` is empty when nbgrader has stored its points."""

    lesson: str
    trouble: str = ""
    remarks: tuple[str, ...] = ()
    untouched: bool = False
    feedback: str = ""


def main() -> int:
    """Grade the lessons of the job on stdin, one after another; one that fails does not stop the next."""
    job = json.load(sys.stdin)
    lines = _own_channel()
    _leave_out_slow_grammar()
    from autograder.grading.nbgrader_steps import NbgraderSteps

    steps = NbgraderSteps(Path(job["root"]))
    remark = steps.rescue_gradebook()
    for lesson in job["lessons"]:
        graded = _grade(steps, lesson, [remark] if remark else [])
        remark = ""
        print(json.dumps(asdict(graded)), file=lines, flush=True)
        _write_log(steps)
    return 0


def _grade(steps: NbgraderSteps, lesson: str, remarks: list[str]) -> Graded:
    untouched = False
    try:
        submission, more = steps.prepare(lesson)
        remarks, untouched = [*remarks, *submission.remarks, *more], submission.untouched
        steps.autograde(lesson)
    except CourseError as error:
        return Graded(lesson, str(error), tuple(remarks), untouched)
    except Exception as error:  # the other lessons are still to be graded
        sentence = _("Lesson {lesson} could not be graded:\n{reason}").format(
            lesson=lesson[:2], reason=_logged(steps, error)
        )
        return Graded(lesson, sentence, tuple(remarks), untouched)
    feedback = ""
    try:
        feedback = str(steps.feedback(lesson))
    except CourseError as error:
        remarks.append(str(error))
    except Exception as error:  # the points are stored, and the other lessons are still to be graded
        sentence = _("Lesson {lesson} has no feedback page:\n{reason}")
        remarks.append(sentence.format(lesson=lesson[:2], reason=_logged(steps, error)))
    return Graded(lesson, "", tuple(remarks), untouched, feedback)


def _logged(steps: NbgraderSteps, error: Exception) -> str:
    """The error in one line; the log gets its traceback."""
    steps.log.append("".join(traceback.format_exception(error)))
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def _own_channel() -> IO[str]:
    """Keep stdout for the lines, and let everything that prints, kernels included, write to stderr instead."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return channel


def _leave_out_slow_grammar() -> None:
    # jsonschema's optional format checker builds an Earley grammar at import: 1.4 s, for addresses we never check.
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]


def _write_log(steps: NbgraderSteps) -> None:
    for text in steps.log:
        print(text, file=sys.stderr, flush=True)
    steps.log.clear()


if __name__ == "__main__":
    sys.exit(main())
