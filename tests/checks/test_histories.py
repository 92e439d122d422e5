"""Drawn histories: sound ones are accepted, planted ones are refused for the planted reason and for no other."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from autograder.checks import histories as plan
from autograder.checks.histories import Histories, named_by_the_api
from autograder.checks.judge import Judge, Name
from autograder.checks.player import InProcessPlayer
from autograder.checks.samples import Samples
from autograder.errors import CheckFailed
from autograder.messages_api.merging import merged

SEEDS = range(20)
BOTH = (False, True)

ALL_CALLS_OPEN = (plan.text_instead, plan.text_first, plan.open_end)
ONE_ID = {
    "unanswered": (plan.one_result_missing, plan.text_between),
    "unexpected": (
        plan.result_without_call,
        plan.answered_again_later,
        plan.beginning_lost,
        plan.assistant_turn_lost,
    ),
    "two_results": (plan.answered_twice,),
    "repeated_id": (plan.asked_twice,),
}


def drawn(seed: int) -> Histories:
    return Histories(Samples(str(seed)))


def rounds_for(plant: plan.Plant) -> tuple[int, ...]:
    """The double names one result at a time, so a turn that loses its calls has one."""
    return (1, 1, 2) if plant in (plan.beginning_lost, plan.assistant_turn_lost) else (2, 3, 2)


@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sound_history_is_accepted(seed: int, split: bool) -> None:
    assert named_by_the_api(drawn(seed).sound(1, 2, 0, 3, split=split)) == []


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("split", BOTH)
@pytest.mark.parametrize(("kind", "plant"), [(kind, plant) for kind, plants in ONE_ID.items() for plant in plants])
def test_a_planted_fault_is_the_one_that_is_named(kind: str, plant: plan.Plant, split: bool, at: int) -> None:
    for seed in SEEDS:
        messages = drawn(seed).planted(*rounds_for(plant), plants={at: plant}, split=split)
        assert [fault.kind for fault in named_by_the_api(messages)] == [kind]


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("plant", ALL_CALLS_OPEN)
def test_every_open_call_of_a_turn_is_named(plant: plan.Plant, at: int) -> None:
    for seed in SEEDS:
        faults = named_by_the_api(drawn(seed).planted(2, 3, plants={at: plant}))
        assert [(fault.kind, fault.message) for fault in faults] == [("unanswered", 1 + 2 * at)] * (2 + at)


@pytest.mark.parametrize("plant", [plan.answered_late, plan.wrong_id])
def test_of_two_faults_the_open_call_is_named(plant: plan.Plant) -> None:
    for seed in SEEDS:
        (fault,) = named_by_the_api(drawn(seed).planted(2, 2, plants={0: plant}))
        assert (fault.kind, fault.message) == ("unanswered", 1)


def test_of_a_result_in_the_first_turn_for_an_open_call_in_the_last_the_result_is_named() -> None:
    for seed in SEEDS:
        messages = drawn(seed).planted(1, 1, plants={1: plan.answered_beforehand})
        (fault,) = named_by_the_api(messages)
        assert (fault.kind, fault.message) == ("unexpected", 0)
        assert [call["id"] for call in merged(messages)[-1].of_type("tool_use")] == [fault.id]


def test_no_id_is_used_in_two_turns_of_a_sound_history() -> None:
    for seed in SEEDS:
        turns = merged(drawn(seed).sound(3, 3, 3, split=True))
        ids = [call["id"] for turn in turns for call in turn.of_type("tool_use")]
        assert len(set(ids)) == len(ids)


def test_histories_have_ids_of_every_form_texts_after_results_and_searches() -> None:
    draw = drawn(1)
    sound = [draw.sound(1, 1) for _history in range(4)]
    blocks = [block for messages in sound for turn in merged(messages) for block in turn.blocks]
    assert {block["id"][:5] for block in blocks if block["type"] == "tool_use"} > {"toolu", "call_", "auto-"}
    assert "web_search_tool_result" in {block["type"] for block in blocks}
    for messages in sound:
        assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "text"]


def test_the_same_seed_draws_the_same_histories() -> None:
    assert drawn(3).sound(2, 2, split=True) == drawn(3).sound(2, 2, split=True)
    assert drawn(3).sound(2, 2) != drawn(4).sound(2, 2)


def test_a_refusal_for_another_reason_is_an_error_of_ours() -> None:
    with pytest.raises(ValueError, match="no fault of pairing"):
        named_by_the_api([{"role": "user", "content": ""}])


def test_a_failed_check_shows_the_evidence_of_its_case() -> None:
    def nothing(messages: Any) -> list[Any]:
        return []

    judge = Judge(InProcessPlayer({"nothing": nothing}), "a title")
    messages = drawn(0).sound(1)
    judge.case("a history", expected="a fault", evidence=copy.deepcopy(messages))
    judge.call(Name("nothing"), messages)
    with pytest.raises(CheckFailed) as failed:
        judge.not_yet(found="none")
    assert failed.value.feedback.evidence == messages
