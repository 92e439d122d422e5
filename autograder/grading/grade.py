"""`course grade [NN ...]`: hand the learner's work to nbgrader and tell what it is worth.

nbgrader runs in a process of its own (`nbgrader_process`) and owns the gradebook; this side chooses the lessons,
passes the seed of the class on and speaks to the learner. It never runs the learner's code itself.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.command import command
from autograder.course import Course, Lesson
from autograder.errors import GradingError
from autograder.grading.advice import next_step
from autograder.grading.nbgrader_process import Graded
from autograder.grading.reports import console, say, show_points
from autograder.grading.scores import read_scores
from autograder.grading.seed import SEED_VARIABLE, class_seed
from autograder.grading.work_file import shown
from autograder.kernels import environment
from autograder.language import _

LOG = ".nbgrader.log"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course grade`."""
    parser.add_argument("lessons", nargs="*", metavar="NN", help=_("a lesson: 01; without one, everything in work/"))
    parser.epilog = _(
        "Your notebooks in work/ are handed in as the student `learner`: copies go to submitted/learner/, what "
        "nbgrader ran to autograded/learner/, pages to read in a browser to feedback/learner/. The points are kept in "
        "gradebook.db, where nbgrader also keeps those of a class. What nbgrader said is in {log}. "
        "Your notebooks are not changed."
    ).format(log=LOG)


def run(options: argparse.Namespace) -> int:
    """Grade, report, and say what to do next.

    Returns:
        0 when every lesson could be graded, whatever the score; 2 when one could not.

    Raises:
        CourseError: there is nothing to grade, or nbgrader did not start.
    """
    course = Course.here()
    chosen = choose(course, options.lessons)
    results = list(graded_by_nbgrader(course, chosen))
    return report(course, chosen, results)


def choose(course: Course, keys: list[str]) -> list[Lesson]:
    """The lessons that `keys` name, else every lesson that has a file in work/.

    Raises:
        CourseError: a key fits no lesson, or there is nothing in work/ yet.
    """
    named = [course.lesson(key) for key in dict.fromkeys(keys)]
    lessons = list({lesson.slug: lesson for lesson in named or course.lessons()}.values())
    if not any(lesson.work.is_file() for lesson in lessons):
        start = command("start")
        if len(named) == 1:
            raise GradingError(
                _("There is no {file} yet. Run:\n  {command}").format(file=shown(named[0].work), command=start)
            )
        raise GradingError(_("There is no lesson in work/ yet. Run:\n  {command}").format(command=start))
    return lessons if named else [lesson for lesson in lessons if lesson.work.is_file()]


def graded_by_nbgrader(course: Course, lessons: list[Lesson]) -> Iterator[Graded]:
    """Run nbgrader on `lessons` in its own process; yields each lesson's result as it comes.

    Raises:
        GradingError: the process ended before it had answered for every lesson.
    """
    waiting = [lesson.slug for lesson in lessons]
    job = json.dumps({"root": str(course.root), "lessons": waiting})
    with (
        (course.root / LOG).open("w", encoding="utf-8") as log,
        subprocess.Popen(
            [sys.executable, "-m", "autograder.grading.nbgrader_process"],
            cwd=course.root,
            env={**environment(), SEED_VARIABLE: class_seed(course.root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
        ) as process,
        console().status(_("Grading {count} lessons with nbgrader").format(count=len(lessons))),
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it ended at once: the lessons that wait will say so
            process.stdin.write(job)
            process.stdin.close()
        for line in process.stdout:
            fields = json.loads(line)
            graded = Graded(**{**fields, "remarks": tuple(fields["remarks"])})
            waiting.remove(graded.lesson)
            yield graded
    if waiting:
        sentence = _("nbgrader stopped before it had graded lesson {number}.\nIts log: {log}")
        raise GradingError(sentence.format(number=waiting[0][:2], log=LOG))


def report(course: Course, lessons: list[Lesson], results: list[Graded]) -> int:
    """Print what came out and return the exit code."""
    stored = read_scores(course.gradebook)
    by_slug = {lesson.slug: lesson for lesson in lessons}
    graded = [(by_slug[one.lesson], stored[one.lesson]) for one in results if not one.trouble and one.lesson in stored]
    if graded:
        show_points(graded)
    unscored = [name for lesson, score in graded for name in score.unscored(lesson)]
    _tell_troubles(results, unscored)
    _tell_pages(course, results)
    advice = next_step(course, graded, {one.lesson for one in results if one.untouched})
    if advice:
        say()
        say(advice)
    return 0 if len(graded) == len(lessons) and not unscored else 2


def _tell_troubles(results: list[Graded], unscored: list[str]) -> None:
    remarks = [remark for one in results for remark in one.remarks]
    troubles = [one.trouble for one in results if one.trouble]
    if unscored:
        troubles.append(_("No points could be given for: {names}").format(names=", ".join(unscored)))
    if remarks or troubles:
        say()
    for remark in remarks:
        say(remark, style="yellow")
    for trouble in troubles:
        say(trouble, style="red")
    if troubles:
        numbers = ", ".join(one.lesson[:2] for one in results if one.trouble)
        if numbers:
            say(_("Not graded: lesson {numbers}").format(numbers=numbers))
        say(_("What nbgrader said: {log}").format(log=LOG))


def _tell_pages(course: Course, results: list[Graded]) -> None:
    pages = [Path(one.feedback).relative_to(course.root).as_posix() for one in results if one.feedback]
    if pages:
        say()
        say(_("Feedback, to open in a browser:"))
    for page in pages:
        say(f"  {page}")
