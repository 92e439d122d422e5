"""`course list`: the lessons, and how far the learner has come in each."""

from __future__ import annotations

import argparse

from autograder.course import Course, Lesson
from autograder.errors import CourseError, GradingError
from autograder.exercises import nbgrader_marks, read_notebook, text_of
from autograder.grading.reports import of_points, say, show_table
from autograder.grading.scores import LEARNER, LessonScore, read_scores
from autograder.grading.submission import mend
from autograder.grading.work_file import Notebook, read_work
from autograder.language import _, ngettext


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
            state(course, lesson, scores.get(lesson.slug)),
        )
        for lesson in lessons
    ]
    show_table(rows, header=header)
    for sentence in (trouble, "" if lessons else _("There are no lessons in {root}.").format(root=course.root)):
        if sentence:
            say(sentence)
    return 0


def state(course: Course, lesson: Lesson, score: LessonScore | None) -> str:
    """How far a lesson is: `not started`, the exercises written, the graded score, or why there is none of them."""
    if not lesson.work.is_file():
        return _("not started")
    try:
        work = read_work(lesson.work)[0]
    except GradingError:
        return _("file damaged")
    points = _points(lesson, score)
    if _given_up(course, lesson):
        return _("not graded (earlier: {points})").format(points=points) if points else _("not graded")
    if not points:
        return _progress(lesson, work)
    text = _("graded {points}") if _is_handed_in(course, lesson, work) else _("graded {points}, changed since")
    return text.format(points=points)


def _points(lesson: Lesson, score: LessonScore | None) -> str:
    return "" if score is None or score.unscored(lesson) else of_points(score.of(lesson), lesson.points)


def _given_up(course: Course, lesson: Lesson) -> bool:
    """Whether nbgrader gave the last submission up: it removes its own copy then, and the gradebook keeps its points.

    Seen with nbgrader 0.9.6 (`nbgrader/converters/base.py`, `_handle_failure`).
    """
    handed_in, graded = (folder / LEARNER / lesson.slug for folder in (course.submitted, course.root / "autograded"))
    return handed_in.is_dir() and not (graded / f"{lesson.slug}.ipynb").is_file()


def _is_handed_in(course: Course, lesson: Lesson, work: Notebook) -> bool:
    """Whether the last submission holds what is in work/ now; unknown, as after a clean-up, counts as yes."""
    try:
        submitted = read_notebook(course.submitted / LEARNER / lesson.slug / f"{lesson.slug}.ipynb")
    except CourseError:
        return True
    return _own_cells(submitted) == _own_cells(mend(work, lesson.notebook).notebook)


def _own_cells(notebook: Notebook) -> list[str]:
    return [text_of(cell) for cell in notebook["cells"] if not nbgrader_marks(cell).get("locked")]


def _progress(lesson: Lesson, work: Notebook) -> str:
    if not _started(lesson, work):
        return _("not started")
    answers, stubs = (_answers(notebook) for notebook in (mend(work, lesson.notebook).notebook, lesson.notebook))
    written = sum(_is_written(text, stubs[name]) for name, text in answers.items())
    total = len(lesson.exercises)
    sentence = ngettext("{written} of {total} exercise written", "{written} of {total} exercises written", total)
    return sentence.format(written=written, total=total)


def _answers(notebook: Notebook) -> dict[str, str]:
    marks = [(nbgrader_marks(cell), text_of(cell)) for cell in notebook["cells"]]
    return {str(mark["grade_id"]): text for mark, text in marks if mark.get("solution")}


def _is_written(text: str, stub: str) -> bool:
    """Whether an answer holds something, and nothing more of the line that stands for it in the release."""
    holes = {line.strip() for line in stub.splitlines() if "NotImplementedError" in line}
    return text.strip() not in ("", stub.strip()) and not holes & {line.strip() for line in text.splitlines()}


def _started(lesson: Lesson, work: Notebook) -> bool:
    """Whether anything was run or written: `course start` makes copies that are equal to the release."""
    cells = work["cells"]
    if any(cell.get("execution_count") for cell in cells):
        return True
    return [text_of(cell) for cell in cells] != [text_of(cell) for cell in lesson.notebook["cells"]]


def _scores(course: Course) -> tuple[dict[str, LessonScore], str]:
    try:
        return read_scores(course.gradebook), ""
    except GradingError as error:
        return {}, str(error)
