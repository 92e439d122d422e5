"""`course list`: the lessons, and how far the learner has come in each."""

from __future__ import annotations

import argparse

from autograder.course import Course, Lesson
from autograder.errors import GradingError
from autograder.exercises import text_of
from autograder.grading.reports import of_points, say, show_table
from autograder.grading.scores import LessonScore, read_scores
from autograder.grading.work_file import read_work
from autograder.language import _


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course list`: there are none."""
    parser.set_defaults()


def run(options: argparse.Namespace) -> int:
    """Print one line for each lesson.

    Returns:
        0.

    Raises:
        CourseError: there is no course here, or a released notebook cannot be read.
    """
    course = Course.here()
    lessons = course.lessons()
    scores, trouble = _scores(course)
    header = ("", _("lesson"), _("minutes"), _("exam tags"), _("exercises"), _("state"))
    rows = [
        (
            lesson.number,
            lesson.title,
            str(lesson.minutes or ""),
            ", ".join(lesson.tags),
            str(len(lesson.exercises)),
            state(lesson, scores.get(lesson.slug)),
        )
        for lesson in lessons
    ]
    show_table(rows, header=header)
    for sentence in (trouble, "" if lessons else _("There are no lessons in {root}.").format(root=course.root)):
        if sentence:
            say(sentence)
    return 0


def state(lesson: Lesson, score: LessonScore | None) -> str:
    """`not started`, `in work`, the last graded score, or why the file cannot be read."""
    if not lesson.work.is_file():
        return _("not started")
    try:
        started = _started(lesson)
    except GradingError:
        return _("file damaged")
    if score is not None and not score.unscored(lesson):
        return _("graded {points}").format(points=of_points(score.of(lesson), lesson.points))
    return _("in work") if started else _("not started")


def _started(lesson: Lesson) -> bool:
    """Whether anything was run or written: `course start` makes copies that are equal to the release."""
    cells = read_work(lesson.work)[0]["cells"]
    if any(cell.get("execution_count") for cell in cells):
        return True
    return [text_of(cell) for cell in cells] != [text_of(cell) for cell in lesson.notebook["cells"]]


def _scores(course: Course) -> tuple[dict[str, LessonScore], str]:
    try:
        return read_scores(course.gradebook), ""
    except GradingError as error:
        return {}, str(error)
