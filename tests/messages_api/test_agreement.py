"""The rules against real traffic: what was accepted passes, what was refused is refused in the same words."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

import pytest

from autograder.messages_api.request_rules import ApiRefusal, changed_thinking, refusal
from tests.messages_api.breaks import BREAKS, Turns, calls_of
from tests.messages_api.histories import ACCOUNT, OLD_VERSION, days, merged, recordings, text

THINKING_FIRST = (
    "messages.{i}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{found}`. When `thinking` is "
    "enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` "
    "and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this "
    "requirement, disable `thinking`. Please consult our documentation at "
    "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
)


def real_message(exchange: dict[str, Any]) -> str | None:
    response = exchange.get("response")
    return response["error"]["message"] if isinstance(response, dict) and "error" in response else None


def comparable(exchange: dict[str, Any]) -> bool:
    message = real_message(exchange)
    if exchange["status"] == 200:
        return True
    return exchange["status"] in (400, 404) and message is not None and not any(word in message for word in ACCOUNT)


def judged(exchange: dict[str, Any]) -> ApiRefusal | None:
    found = None
    for day in days(exchange):
        found = refusal(exchange["request"], api_version=OLD_VERSION, on=day)
        if (found is None) == (exchange["status"] == 200):
            break
    return found


def agrees(exchange: dict[str, Any]) -> bool:
    found, message = judged(exchange), real_message(exchange)
    if exchange["status"] == 200 or found is None:
        return exchange["status"] == 200 and found is None
    if message is not None and message.startswith("prompt is too long"):
        return found.message.startswith("prompt is too long")
    return (found.status, found.message) == (exchange["status"], message)


def test_every_recorded_exchange_gets_the_verdict_it_got() -> None:
    compared = [exchange for exchange in recordings() if comparable(exchange)]
    differing = [f"{exchange['file']}#{exchange['i']}" for exchange in compared if not agrees(exchange)]
    assert differing == []
    counted = Counter(exchange["status"] for exchange in compared)
    assert counted[200] > 1000
    assert counted[400] > 5
    assert counted[404] > 20


# What was accepted, broken.


@cache
def accepted_with_calls() -> list[tuple[dict[str, Any], date, int]]:
    """Return every accepted request whose history has client calls, with a day it passes on and their last turn."""
    found = []
    for exchange in recordings():
        request = exchange["request"]
        if exchange["status"] != 200 or not isinstance(request.get("messages"), list):
            continue
        day = next(d for d in days(exchange) if refusal(request, api_version=OLD_VERSION, on=d) is None)
        turns = merged(request["messages"])
        places = [i for i, turn in enumerate(turns) if turn["role"] == "assistant" and calls_of(turn)]
        if places and day >= date(2024, 7, 1):
            found.append(({**request, "messages": turns}, day, places[-1]))
    return found


@pytest.mark.parametrize("break_it", [pytest.param(one, id=one.__name__) for one in BREAKS])
def test_an_accepted_history_is_refused_once_broken(break_it: Callable[[Turns, int], str | None]) -> None:
    tried = 0
    for request, day, place in accepted_with_calls():
        broken = copy.deepcopy(request)
        expected = break_it(broken["messages"], place)
        if expected is None:
            continue
        found = refusal(broken, api_version=OLD_VERSION, on=day)
        assert found is not None, request
        assert (found.status, found.type) == (400, "invalid_request_error")
        exact = not expected.endswith("Input should be ")
        assert found.message == expected if exact else found.message.startswith(expected)
        tried += 1
    assert tried >= 10


def test_results_sent_one_message_each_are_accepted_like_one_message_of_all() -> None:
    tried = 0
    for request, day, place in accepted_with_calls():
        split = copy.deepcopy(request)
        blocks = split["messages"][place + 1]["content"]
        split["messages"][place + 1 : place + 2] = [{"role": "user", "content": [block]} for block in blocks]
        assert refusal(split, api_version=OLD_VERSION, on=day) is None
        tried += len(blocks) > 1
    assert tried >= 10


def test_text_after_the_results_is_accepted() -> None:
    tried = 0
    for request, day, place in accepted_with_calls():
        longer = copy.deepcopy(request)
        if any(block["type"] == "server_tool_use" for turn in longer["messages"] for block in turn["content"]):
            continue
        longer["messages"][place + 1]["content"].append(text("Use these."))
        assert refusal(longer, api_version=OLD_VERSION, on=day) is None
        tried += 1
    assert tried >= 20


def test_a_turn_of_nothing_after_a_finished_answer_is_refused_in_the_words_of_its_day() -> None:
    for request, day, _ in accepted_with_calls():
        longer = copy.deepcopy(request)
        longer["messages"] += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": []}]
        place = len(merged(longer["messages"])) - 1
        found = refusal(longer, api_version=OLD_VERSION, on=day)
        old = "all messages must have non-empty content except for the optional final assistant message"
        wording = "user messages must have non-empty content" if day >= date(2026, 6, 1) else old
        assert found == ApiRefusal(400, "invalid_request_error", f"messages.{place}: {wording}")


def thinking_loops() -> list[tuple[dict[str, Any], date, int]]:
    """Return the accepted requests with manual thinking whose running tool loop opens with thinking."""
    return [
        (request, day, place)
        for request, day, place in accepted_with_calls()
        if (request.get("thinking") or {}).get("type") == "enabled"
        and place == len(request["messages"]) - 2
        and request["messages"][place]["content"][0]["type"] == "thinking"
        and not any(block["type"] == "tool_result" for turn in request["messages"][:place] for block in turn["content"])
    ]


def test_a_tool_loop_that_lost_its_thinking_is_refused_under_manual_thinking() -> None:
    loops = thinking_loops()
    assert loops
    for request, day, place in loops:
        lost = copy.deepcopy(request)
        kept = [block for block in lost["messages"][place]["content"] if block["type"] != "thinking"]
        lost["messages"][place]["content"] = kept
        found = refusal(lost, api_version=OLD_VERSION, on=day)
        assert found is not None
        assert found.message == THINKING_FIRST.format(i=place, found=kept[0]["type"])
        adaptive = {**lost, "model": "claude-sonnet-4-6", "thinking": {"type": "adaptive"}}
        assert refusal(adaptive, api_version=OLD_VERSION, on=date(2026, 8, 1)) is None


def test_thinking_that_comes_back_changed_is_refused_by_who_answered_it() -> None:
    tried = 0
    for exchange in recordings():
        request = exchange["request"]
        if exchange["status"] != 200 or not isinstance(request.get("messages"), list):
            continue
        turns = merged(request["messages"])
        originals = [turn["content"] for turn in turns if turn["role"] == "assistant"]
        places = [i for i, turn in enumerate(turns) if turn["role"] == "assistant"]
        if not originals or originals[-1][:1] == [] or originals[-1][0]["type"] != "thinking":
            continue
        assert changed_thinking(request, originals) is None
        edited = copy.deepcopy(turns)
        edited[places[-1]]["content"][0]["thinking"] += " edited"
        found = changed_thinking({**request, "messages": edited}, originals)
        assert found is not None
        assert found.message == (
            f"messages.{places[-1]}.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant "
            "message cannot be modified. These blocks must remain as they were in the original response."
        )
        tried += 1
    assert tried >= 5
