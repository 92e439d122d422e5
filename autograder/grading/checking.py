"""`course check NN`: run the learner's notebook and tell, check by check, what holds.

The same cells run as in JupyterLab's "Restart and run all", in a kernel of their own and without a gradebook. The
learner's file is read and never written.
"""

from __future__ import annotations

import argparse

from autograder.command import command
from autograder.course import Course, Exercise, GradeCell, Lesson
from autograder.grading.playing import Played, Verdict, play
from autograder.grading.reports import console, exercise_name, say, say_rows
from autograder.grading.submission import hand_in
from autograder.language import _, ngettext

HANG = 12  # below the text behind "  passed    "
INDENT = 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course check`."""
    parser.add_argument("lessons", nargs="+", metavar="NN", help=_("a lesson: 01"))


def run(options: argparse.Namespace) -> int:
    """Run each lesson and print its checks by exercise.

    Returns:
        0 when every check passes, 1 when something is not there yet.

    Raises:
        CourseError: a lesson is not known, or the learner's file cannot be read.
    """
    course = Course.here()
    lessons = [course.lesson(key) for key in options.lessons]
    return max([check_lesson(lesson) for lesson in lessons])


def check_lesson(lesson: Lesson) -> int:
    """Run one lesson, print what its checks say, and return 0 when all of them pass, else 1."""
    submission = hand_in(lesson.work, lesson.notebook)
    with console().status(_("Running lesson {number}").format(number=lesson.number)):
        played = play(submission.notebook, lesson.work.parent)
    say(_("Lesson {number}: {title}").format(number=lesson.number, title=lesson.title), style="bold")
    for remark in submission.remarks:
        say(remark, style="yellow")
    for exercise in lesson.exercises:
        _show(exercise, played)
    return _sum_up(lesson, played)


def _show(exercise: Exercise, played: Played) -> None:
    say()
    say(exercise_name(exercise), style="bold")
    answer = played.verdicts.get(exercise.id, Verdict())
    if answer.said:
        say(_("  your answer raises {said}").format(said=answer.said), style="yellow")
    verdicts = [played.verdicts.get(check.grade_id) for check in exercise.checks]
    rows = [verdict.rows if verdict else () for verdict in verdicts]
    told: set[tuple[str, ...]] = set()
    for check, verdict, these, following in zip(exercise.checks, verdicts, rows, [*rows[1:], ()], strict=True):
        _show_check(check, verdict)
        # The checks of an answer that is not written yet all find the same: it is told once, below the last of them.
        if these and these != following:
            say_rows([_("  as above")] if these in told else these, indent=INDENT)
            told.add(these)


def _show_check(check: GradeCell, verdict: Verdict | None) -> None:
    title = verdict.title if verdict and verdict.title else _title(check)
    if verdict is None:
        say(_("  not run   {check}").format(check=title), style="yellow", hang=HANG)
    elif not verdict.said:
        say(_("  passed    {check}").format(check=title), style="green", hang=HANG)
    else:
        said = title if verdict.title else f"{title}: {verdict.said}"
        say(_("  not yet   {said}").format(said=said), style="yellow", hang=HANG)


def _title(check: GradeCell) -> str:
    """What a check is called that has not said so itself: it did not run, broke down, or is a teacher's own."""
    # Half a second, for the judge and all lessons: only where a cell did not say its title.
    from autograder.checks.namespace import checks

    known = checks().get(check.check or "")
    if known is not None:
        return known.title
    return (check.check or check.grade_id.removeprefix("check-")).replace("_", " ").replace("-", " ")


def _sum_up(lesson: Lesson, played: Played) -> int:
    checks = [check.grade_id for exercise in lesson.exercises for check in exercise.checks]
    missing = sum(not played.passed(check) for check in checks)
    for sentence in filter(None, (played.trouble, played.other if missing else "")):
        say()
        say(sentence, style="red")
    say()
    if missing:
        sentence = ngettext(
            "{missing} check of {all} is not there yet.", "{missing} checks of {all} are not there yet.", missing
        )
        say(sentence.format(missing=missing, all=len(checks)))
    else:
        say(_("Every check passes. For the score: {command}").format(command=command(f"grade {lesson.number}")))
    return 1 if missing or played.trouble else 0
