"""`course hint` gives the second-level hints of an exercise, one more at each call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autograder.errors import CourseError
from autograder.grading import hinting
from tests.grading.conftest import Learner, cell_of, code_cell, edit_cells

FIRST = "Hint 2 of 3: `sum` adds up what a loop gives it."
SECOND = "Hint 3 of 3: The loop gives it each number, doubled."


def test_each_call_gives_one_more_hint_and_then_all_again(learner: Learner) -> None:
    texts = [learner.run(hinting, "total").text for _call in range(3)]
    assert [(FIRST in text, SECOND in text) for text in texts] == [(True, False), (False, True), (True, True)]
    assert "For the next one: course hint total" in texts[0]
    assert "That was the last hint." in texts[1]
    assert texts[0].startswith("Exercise 02.1: total(numbers)\n")


def test_all_of_them_come_at_once_when_asked(learner: Learner) -> None:
    said = learner.run(hinting, "total", "--all")
    assert said.code == 0
    assert FIRST in said.text
    assert SECOND in said.text


def test_a_hint_that_was_added_is_the_next_one(learner: Learner) -> None:
    learner.course.work.mkdir()
    (learner.course.work / ".hints.json").write_text('{"02_total/total": 9}')
    learner.run(hinting, "total")

    def add(cells: list[dict[str, Any]]) -> None:
        cell_of(cells, "total")["metadata"]["autograder"]["hints"].append("A third one.")

    edit_cells(learner.course.read("02_total").release, add)
    text = learner.run(hinting, "total").text
    assert "Hint 4 of 4: A third one." in text
    assert "Hint 3 of" not in text


def test_what_was_shown_is_kept_for_each_exercise(learner: Learner) -> None:
    learner.run(hinting, "total")
    learner.run(hinting, "double")
    state = json.loads((learner.course.work / ".hints.json").read_text())
    assert state == {"01_double/double": 1, "02_total/total": 1}


@pytest.mark.parametrize("text", ["{", "[]", '{"02_total/total": "x"}', '{"02_total/total": -3}'])
def test_a_damaged_state_begins_again(learner: Learner, text: str) -> None:
    learner.course.work.mkdir()
    (learner.course.work / ".hints.json").write_text(text)
    assert FIRST in learner.run(hinting, "total").text


def test_an_exercise_without_further_hints_points_to_its_task(learner: Learner) -> None:
    def drop(cells: list[dict[str, object]]) -> None:
        for cell in cells:
            if isinstance(metadata := cell["metadata"], dict):
                metadata.pop("autograder", None)

    edit_cells(learner.course.read("02_total").release, drop)
    said = learner.run(hinting, "total")
    assert "There is no further hint. The first ones stand in the task, in 02_total.ipynb." in said.flat()


def test_an_unknown_exercise_names_the_nearest(learner: Learner) -> None:
    with pytest.raises(CourseError, match=r"no exercise 'totl'\. Near to it:\n  total$"):
        learner.run(hinting, "totl")


def test_a_name_like_no_other_names_what_there_is(learner: Learner) -> None:
    with pytest.raises(CourseError, match=r"no exercise 'xyzzy'\. There are:\n  double\n  total$"):
        learner.run(hinting, "xyzzy")


@pytest.mark.parametrize("number", ["2", "02"])
def test_a_lesson_lists_what_can_be_asked(learner: Learner, number: str) -> None:
    said = learner.run(hinting, number)
    assert said.code == 0
    assert said.text == (
        "Lesson 02: Total of a list\nHints are given for one exercise at a time. Type one of:\n  course hint total\n"
    )
    assert not (learner.course.work / ".hints.json").exists()


def test_a_lesson_that_does_not_exist_names_the_lessons_there_are(learner: Learner) -> None:
    with pytest.raises(CourseError, match=r"no lesson '7'\. There are:\n  01_double\n  02_total"):
        learner.run(hinting, "7")


def test_an_exercise_of_two_lessons_asks_for_the_lesson(learner: Learner) -> None:
    twin = code_cell("double", "", solution=True)
    twin["metadata"]["autograder"] = {"hints": ["The other one."]}
    edit_cells(learner.course.read("02_total").release, lambda cells: cells.append(twin))
    with pytest.raises(CourseError, match=r"(?s)Several lessons have an exercise double.*  01/double\n  02/double"):
        learner.run(hinting, "double")
    assert "Hint 1 of 1: The other one." in learner.run(hinting, "2/double").text
