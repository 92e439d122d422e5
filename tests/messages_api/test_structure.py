"""Known conversations with other parallel calls: a right loop plays them as before, a wrong one is found sooner."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.messages_api.identifiers import looks_real
from autograder.messages_api.scenario import Scenario, load
from autograder.messages_api.structure import restructure
from autograder.messages_api.variation import vary
from tests.messages_api.bugs_in_turns import AnswersBetweenTurns, FirstCallOnly, FixesTheOrderOfTools
from tests.messages_api.loops import Loop
from tests.messages_api.test_fixtures import ENDS
from tests.messages_api.test_known_bugs import signs
from tests.messages_api.worlds import conversation, world

SEEDS = ["a", "b", "c"]
MADE = {(name, seed): restructure(load(name), seed) for name in {name for name, _ in ENDS} for seed in SEEDS}


def calls(scenario: Scenario) -> list[list[Any]]:
    """The calls of every whole reply that has some."""
    bodies = [answer.body for exchange in scenario.exchanges for answer in exchange.answers if answer.body]
    found = [[block for block in body.get("content", []) if block["type"] == "tool_use"] for body in bodies]
    return [each for each in found if each]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "end"), ENDS, ids=lambda value: value)
def test_a_right_loop_plays_it_to_every_end_as_before(name: str, end: str, seed: str) -> None:
    changed, before = world(MADE[name, seed], end), world(conversation(name, ""), end)
    run, original = Loop(changed).run(), Loop(before).run()
    assert changed.answered == before.answered
    assert (run.status.partition(" {")[0], run.text) == (original.status.partition(" {")[0], original.text)
    assert run.notes == []
    assert set(original.ran) <= set(run.ran)
    assert (run.usage > original.usage) or len(run.ran) == len(original.ran)


def test_replies_have_one_to_five_calls_and_never_the_same_twice() -> None:
    counts = set()
    for scenario in MADE.values():
        for reply in calls(scenario):
            counts.add(len(reply))
            assert len({call["id"] for call in reply}) == len(reply)
            assert len({(call["name"], repr(call["input"])) for call in reply}) == len(reply)
            assert all(looks_real(call["id"]) for call in reply)
    assert counts == {1, 2, 3, 4, 5}


def test_the_same_seed_gives_the_same_and_the_original_is_left_alone() -> None:
    loaded = load("parallel_calls")
    before = loaded.model_dump_json()
    assert restructure(loaded, "a").model_dump_json() == restructure(loaded, "a").model_dump_json()
    assert len({restructure(loaded, seed).model_dump_json() for seed in "abcdefgh"}) > 4
    assert loaded.model_dump_json() == before
    assert restructure(loaded, "a").provenance.note.startswith("Restructured: ")


def test_an_added_call_costs_tokens_in_its_reply_and_in_every_later_one() -> None:
    before = [exchange.message or {} for exchange in load("order_first").exchanges]
    for seed in SEEDS:
        after = [exchange.message or {} for exchange in MADE["order_first", seed].exchanges]
        added = 0
        for old, new in zip(before, after, strict=True):
            more = len(new["content"]) - len(old["content"])
            assert new["usage"]["output_tokens"] - old["usage"]["output_tokens"] == 45 * more
            assert new["usage"]["input_tokens"] - old["usage"]["input_tokens"] == 85 * added
            added += more


def test_the_order_of_calls_changes() -> None:
    orders = {tuple(call["id"] for call in calls(restructure(load("five_calls"), seed))[0]) for seed in "abcdef"}
    assert len(orders) > 3


def test_calls_that_write_and_calls_that_are_repeated_are_not_multiplied() -> None:
    for seed in "abcdefghijklmnop":
        made = restructure(load("refund_fails"), seed)
        refunds = [call for reply in calls(made) for call in reply if "refund" in call["name"]]
        kept = [call for reply in calls(load("refund_fails")) for call in reply if "refund" in call["name"]]
        assert [call["id"] for call in refunds] == [call["id"] for call in kept]
        assert calls(restructure(load("same_call_again"), seed)) == calls(load("same_call_again"))


@pytest.mark.parametrize("seed", SEEDS)
def test_it_can_be_varied_too(seed: str) -> None:
    for name, end in ENDS:
        run = Loop(world(vary(MADE[name, seed], seed), end)).run()
        assert run.notes == []
        assert "replay_mismatch" not in run.status


@pytest.mark.parametrize("bug", [FirstCallOnly, AnswersBetweenTurns, FixesTheOrderOfTools])
def test_a_conversation_with_single_calls_gives_a_bug_of_parallel_ones_away(bug: type[Loop]) -> None:
    found = []
    for seed in SEEDS:
        right, wrong = (world(MADE["order_first", seed], "answers") for _ in range(2))
        found.append(signs(bug(wrong).run(), Loop(right).run()))
    assert any(found)
