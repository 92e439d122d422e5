"""After a graded run exactly one next step is named."""

from __future__ import annotations

import shutil

import pytest

from autograder.course import Lesson
from autograder.grading.advice import hint_key, next_step
from autograder.grading.scores import LessonScore
from tests.grading.conftest import Learner, code_cell, edit_cells


def full(lesson: Lesson) -> tuple[Lesson, LessonScore]:
    return lesson, LessonScore({check.grade_id: check.points for one in lesson.exercises for check in one.checks})


def none(lesson: Lesson) -> tuple[Lesson, LessonScore]:
    return lesson, LessonScore({check.grade_id: 0 for one in lesson.exercises for check in one.checks})


def test_the_first_exercise_with_missing_points_comes_first(learner: Learner) -> None:
    first, second = learner.course.lessons()
    said = next_step(learner.course, [full(first), none(second)], set())
    assert said == (
        "Next: Exercise 02.1: total(numbers)\n"
        "  in work/02_total.ipynb\n"
        "What each check found: course check 02\n"
        "A hint: course hint total"
    )


def test_an_untouched_lesson_is_called_so(learner: Learner) -> None:
    first, second = learner.course.lessons()
    said = next_step(learner.course, [full(first), none(second)], {second.slug})
    assert said.startswith("Lesson 02 (Total of a list) is untouched so far.\nNext: Exercise 02.1: total(numbers)\n")


def test_when_all_is_right_the_next_lesson_is_named_with_its_minutes(learner: Learner) -> None:
    first, _second = learner.course.lessons()
    said = next_step(learner.course, [full(first)], set())
    assert said.startswith("Everything here is right. Next: lesson 02, Total of a list (10 minutes)\n")
    assert "course start puts it into work/" in said


def test_a_next_lesson_that_is_in_work_is_named_by_its_file(learner: Learner) -> None:
    learner.start()
    assert next_step(learner.course, [full(learner.course.read("01_double"))], set()).endswith(
        "\n  work/02_total.ipynb"
    )


def test_after_the_last_lesson_an_earlier_one_that_is_open_comes_next(learner: Learner) -> None:
    _first, second = learner.course.lessons()
    assert "Next: lesson 01, Double a number" in next_step(learner.course, [full(second)], set())


@pytest.mark.parametrize(
    ("done", "following"),
    [
        pytest.param(["01_double", "03_third"], "04", id="after the last graded one"),
        pytest.param(["03_third", "04_fourth"], "01", id="else from the beginning"),
    ],
)
def test_the_next_lesson_is_the_first_open_one_after_the_last_graded(
    learner: Learner, done: list[str], following: str
) -> None:
    for slug in ("03_third", "04_fourth"):
        release = learner.course.notebooks / slug / f"{slug}.ipynb"
        release.parent.mkdir()
        shutil.copy(learner.course.read("02_total").release, release)
    graded = [full(learner.course.read(slug)) for slug in done]
    assert f"Next: lesson {following}," in next_step(learner.course, graded, set())


def test_the_end_of_the_course_is_told(learner: Learner) -> None:
    graded = [full(lesson) for lesson in learner.course.lessons()]
    assert next_step(learner.course, graded, set()) == "Every lesson of the course is complete."


def test_without_any_graded_lesson_there_is_no_advice(learner: Learner) -> None:
    assert next_step(learner.course, [], set()) == ""


def test_an_exercise_of_two_lessons_is_named_with_its_lesson(learner: Learner) -> None:
    edit_cells(
        learner.course.read("02_total").release, lambda cells: cells.append(code_cell("double", "", solution=True))
    )
    lesson = learner.course.read("02_total")
    assert hint_key(learner.course, lesson, lesson.exercises[-1]) == "02/double"
    assert hint_key(learner.course, lesson, lesson.exercises[0]) == "total"
