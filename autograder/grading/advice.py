"""What to do next: one exercise or one lesson, never a list."""

from __future__ import annotations

from autograder.command import command
from autograder.course import Course, Exercise, Lesson
from autograder.grading.reports import exercise_name
from autograder.grading.scores import LessonScore, read_scores
from autograder.grading.work_file import shown
from autograder.language import _

GradedLessons = list[tuple[Lesson, LessonScore]]


def next_step(course: Course, graded: GradedLessons, untouched: set[str]) -> str:
    """The next step after a graded run: the first exercise with missing points, else the next lesson."""
    for lesson, score in graded:
        open_exercises = [exercise for exercise in lesson.exercises if not score.complete(exercise)]
        if lesson.slug in untouched and open_exercises:
            return _begin(course, lesson, open_exercises[0])
        if open_exercises:
            return _go_on(course, lesson, open_exercises[0])
    return _next_lesson(course, graded) if graded else ""


def hint_key(course: Course, lesson: Lesson, exercise: Exercise) -> str:
    """What to type after `course hint`: the exercise, with its lesson where several lessons have one of that name."""
    homes = [one for one in course.lessons() if any(exercise.id == other.id for other in one.exercises)]
    return exercise.id if len(homes) < 2 else f"{lesson.number}/{exercise.id}"


def _begin(course: Course, lesson: Lesson, exercise: Exercise) -> str:
    return _("Lesson {number} ({title}) is untouched so far.\nNext: {exercise}\n  in {file}\nA hint: {hint}").format(
        number=lesson.number,
        title=lesson.title,
        exercise=exercise_name(exercise),
        file=shown(lesson.work),
        hint=command(f"hint {hint_key(course, lesson, exercise)}"),
    )


def _go_on(course: Course, lesson: Lesson, exercise: Exercise) -> str:
    return _("Next: {exercise}\n  in {file}\nWhat each check found: {check}\nA hint: {hint}").format(
        exercise=exercise_name(exercise),
        file=shown(lesson.work),
        check=command(f"check {lesson.number}"),
        hint=command(f"hint {hint_key(course, lesson, exercise)}"),
    )


def _next_lesson(course: Course, graded: GradedLessons) -> str:
    lessons = course.lessons()
    scores = read_scores(course.gradebook) | {lesson.slug: score for lesson, score in graded}
    last = max(lesson.slug for lesson, _score in graded)
    later_first = sorted(lessons, key=lambda lesson: lesson.slug <= last)
    for lesson in later_first:
        if lesson.slug not in scores or not scores[lesson.slug].complete(lesson):
            return _lesson(lesson)
    return _("Every lesson of the course is complete.")


def _lesson(lesson: Lesson) -> str:
    where = shown(lesson.work)
    if not lesson.work.is_file():
        where = _("{command} puts it into work/").format(command=command("start"))
    if lesson.minutes is None:
        return _("Everything here is right. Next: lesson {number}, {title}\n  {where}").format(
            number=lesson.number, title=lesson.title, where=where
        )
    return _("Everything here is right. Next: lesson {number}, {title} ({minutes} minutes)\n  {where}").format(
        number=lesson.number, title=lesson.title, minutes=lesson.minutes, where=where
    )
