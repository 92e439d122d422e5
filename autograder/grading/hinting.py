"""`course hint ID`: the second-level hints of an exercise, one more at each call.

The first hints stand in the task itself. These go further, so they are given one at a time; which ones a learner has
seen is kept in `work/.hints.json`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autograder.command import command
from autograder.course import Course, Exercise, Lesson
from autograder.errors import CourseError
from autograder.grading.advice import hint_key
from autograder.grading.reports import exercise_name, say
from autograder.language import _
from autograder.names import listed, nearest

STATE = ".hints.json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course hint`."""
    parser.add_argument(
        "exercise", metavar="ID", help=_("an exercise: its function's name, or NN/name; a lesson (01) lists its own")
    )
    parser.add_argument("--all", action="store_true", help=_("show every hint of the exercise at once"))


def run(options: argparse.Namespace) -> int:
    """Print the next hint of an exercise, or all of them; for the number of a lesson, what can be asked.

    Returns:
        0.

    Raises:
        CourseError: no exercise or lesson is called so, or several lessons have one.
    """
    course = Course.here()
    if options.exercise.strip().isdecimal():
        _tell_exercises(course, course.lesson(options.exercise))
        return 0
    lesson, exercise = find_exercise(course, options.exercise)
    key = hint_key(course, lesson, exercise)
    say(exercise_name(exercise), style="bold")
    # The hints of the task itself, "Hint 1" in the notebook, come first in the count.
    before = len(exercise.first_hints)
    hints = list(enumerate(exercise.hints, start=before + 1))
    total = len(hints)
    if not total:
        say(_("There is no further hint. The first ones stand in the task, in {file}.").format(file=lesson.work.name))
        return 0
    seen = _seen(course.work, lesson, exercise)
    first = 0 if options.all or seen >= total else seen
    last = total if options.all else min(seen + 1, total)
    for number, hint in hints[first:last]:
        say()
        say(_("Hint {number} of {total}: {hint}").format(number=number, total=before + total, hint=hint))
    _remember(course.work, lesson, exercise, last)
    say()
    say(_ending(key, last, total))
    return 0


def _tell_exercises(course: Course, lesson: Lesson) -> None:
    say(_("Lesson {number}: {title}").format(number=lesson.number, title=lesson.title), style="bold")
    if not lesson.exercises:
        say(_("It has no exercises."))
        return
    say(_("Hints are given for one exercise at a time. Type one of:"))
    for exercise in lesson.exercises:
        say("  " + command(f"hint {hint_key(course, lesson, exercise)}"))


def find_exercise(course: Course, wanted: str) -> tuple[Lesson, Exercise]:
    """The exercise called `wanted`: its id (`final_text`), or with its lesson (`01/final_text`).

    Raises:
        CourseError: none is called so (the sentence names the nearest), or several lessons have one.
    """
    number, _slash, name = wanted.strip().rpartition("/")
    slug = course.find(number) if number else ""
    everything = [(lesson, exercise) for lesson in course.lessons() for exercise in lesson.exercises]
    found = [(lesson, exercise) for lesson, exercise in everything if exercise.id == name and slug in ("", lesson.slug)]
    if len(found) == 1:
        return found[0]
    if found:
        keys = [f"{lesson.number}/{exercise.id}" for lesson, exercise in found]
        raise CourseError(listed(_("Several lessons have an exercise {name}. Type one of:").format(name=name), keys))
    ids = list(dict.fromkeys(exercise.id for _lesson, exercise in everything))
    close = nearest(name, ids, count=3, cutoff=0.5)
    sentence = _("There is no exercise {name}. Near to it:") if close else _("There is no exercise {name}. There are:")
    raise CourseError(listed(sentence.format(name=repr(wanted)), close or ids))


def _ending(key: str, last: int, total: int) -> str:
    if last < total:
        return _("For the next one: {command}").format(command=command(f"hint {key}"))
    return _("That was the last hint.")


def _seen(work: Path, lesson: Lesson, exercise: Exercise) -> int:
    seen = _state(work).get(f"{lesson.slug}/{exercise.id}", 0)
    return seen if isinstance(seen, int) and seen >= 0 else 0


def _remember(work: Path, lesson: Lesson, exercise: Exercise, seen: int) -> None:
    state = {**_state(work), f"{lesson.slug}/{exercise.id}": seen}
    work.mkdir(exist_ok=True)
    (work / STATE).write_text(json.dumps(state, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _state(work: Path) -> dict[str, object]:
    """What was shown so far; a damaged file only means that hints begin again."""
    try:
        state = json.loads((work / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}
