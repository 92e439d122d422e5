"""Every check accepts the right answers, however they are written, and rejects each known-wrong one.

The same verdict and the same text must come from the player in this process and from the one outside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.checks.namespace import Check
from autograder.checks.player import InProcessPlayer, Player
from autograder.errors import CheckFailed
from autograder.grading.runner import run_cells
from autograder.grading.subprocess_player import SubprocessPlayer
from tests.course.answers import Answer, all_answers, checks_for, name_in

ANSWERS = all_answers()
SEEDS = ("", "first class", "second class")
STUB = 'def {name}(*arguments, **keywords):\n    raise NotImplementedError("not written yet")\n'
VALUE_STUB = '{name} = ...\nraise NotImplementedError("not written yet")\n'
EXERCISES = sorted({(answer.lesson, answer.exercise) for answer in ANSWERS})


def by_id(answers: list[Answer]) -> list:
    return [pytest.param(answer, id=answer.id) for answer in answers]


def stub_for(lesson: str, exercise: str) -> str:
    """The released cell of an exercise: of a function, or of a value where the right answers are values."""
    right = next(a for a in ANSWERS if (a.lesson, a.exercise) == (lesson, exercise) and not a.rejected_by)
    names: dict = {"__name__": "__main__"}
    run_cells([right.source], names)
    name = name_in(lesson, exercise)
    return (STUB if callable(names[name]) else VALUE_STUB).format(name=name)


def verdict(check: Check, player: Player, seed: str = "") -> str:
    """The text of the failed check, or "" when the property holds."""
    try:
        check.decide(player, check.parameters, seed)
    except CheckFailed as failed:
        return str(failed)
    return ""


def in_this_process(source: str) -> InProcessPlayer:
    names: dict = {"__name__": "__main__"}
    run_cells([source], names)
    return InProcessPlayer(names)


@pytest.fixture(scope="module")
def outside() -> Iterator[SubprocessPlayer]:
    with SubprocessPlayer([], timeout=30) as player:
        yield player


@pytest.mark.parametrize("answer", by_id([a for a in ANSWERS if not a.rejected_by]))
def test_a_right_answer_passes_every_check_of_its_exercise(answer: Answer) -> None:
    for check in checks_for(answer.lesson, answer.exercise):
        for seed in SEEDS:
            assert verdict(check, in_this_process(answer.source), seed) == ""


@pytest.mark.parametrize("answer", by_id([a for a in ANSWERS if a.rejected_by]))
def test_a_wrong_answer_fails_its_check_with_a_message(answer: Answer, snapshot) -> None:
    (check,) = [c for c in checks_for(answer.lesson, answer.exercise) if c.name == answer.rejected_by]
    text = verdict(check, in_this_process(answer.source))
    assert text == snapshot
    assert text.startswith("Not yet: ")
    assert max(map(len, text.splitlines())) <= 76
    assert all(verdict(check, in_this_process(answer.source), seed) for seed in SEEDS)


@pytest.mark.parametrize("answer", by_id(ANSWERS))
def test_both_players_say_the_same(answer: Answer, outside: SubprocessPlayer) -> None:
    for check in checks_for(answer.lesson, answer.exercise):
        outside.load([answer.source])
        assert verdict(check, outside, "a class") == verdict(check, in_this_process(answer.source), "a class")


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_stub_fails_every_check_as_not_written_yet(lesson: str, exercise: str) -> None:
    for check in checks_for(lesson, exercise):
        text = verdict(check, in_this_process(stub_for(lesson, exercise)))
        assert f"{name_in(lesson, exercise)} is not written yet" in text


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_there_are_enough_answers(lesson: str, exercise: str) -> None:
    mine = [answer for answer in ANSWERS if (answer.lesson, answer.exercise) == (lesson, exercise)]
    assert len([answer for answer in mine if not answer.rejected_by]) >= 3
    assert len([answer for answer in mine if answer.rejected_by]) >= 6
    assert {answer.rejected_by for answer in mine} >= {check.name for check in checks_for(lesson, exercise)}
