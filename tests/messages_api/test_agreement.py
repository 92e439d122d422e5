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

from tests.messages_api.histories import ACCOUNT, OLD_VERSION, days, merged, recordings, text

Turns = list[dict[str, Any]]
CALLS_UNANSWERED = (
    "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` "
    "block must have a corresponding `tool_result` block in the next message."
)
RESULT_UNASKED = (
    "messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block "
    "must have a corresponding `tool_use` block in the previous message."
)
RESULT_TWICE = (
    "messages.{i}.content.{j}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: "
    "{id}"
)
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


# What was accepted, broken. Each break changes the last turn of calls and its answer, in place, and returns the
# refusal it must meet, or None where there is nothing to break; `i` is the index of the assistant turn.


def calls_of(turn: dict[str, Any]) -> list[str]:
    return [block["id"] for block in turn["content"] if block["type"] == "tool_use"]


def unanswered(i: int, ids: list[str]) -> str:
    return CALLS_UNANSWERED.format(i=i, ids=", ".join(ids))


def drops_a_result(turns: Turns, i: int) -> str:
    lost = turns[i + 1]["content"].pop(0)["tool_use_id"]
    turns[i + 1]["content"].append(text("Go on."))
    return unanswered(i, [lost])


def drops_every_result(turns: Turns, i: int) -> str:
    turns[i + 1]["content"] = [text("Go on.")]
    return unanswered(i, calls_of(turns[i]))


def drops_the_answering_turn(turns: Turns, i: int) -> str:
    del turns[i + 1 :]
    return unanswered(i, calls_of(turns[i]))


def repeats_a_result(turns: Turns, i: int) -> str:
    content = turns[i + 1]["content"]
    content.append(copy.deepcopy(content[0]))
    content[-1].pop("cache_control", None)
    return RESULT_TWICE.format(i=i + 1, j=len(content) - 1, id=content[0]["tool_use_id"])


def renames_a_result(turns: Turns, i: int) -> str:
    old = turns[i + 1]["content"][0]["tool_use_id"]
    turns[i + 1]["content"][0]["tool_use_id"] = "toolu_renamed"
    return unanswered(i, [old])


def adds_a_stray_result(turns: Turns, i: int) -> str:
    turns[i + 1]["content"].append({"type": "tool_result", "tool_use_id": "toolu_stray"})
    return RESULT_UNASKED.format(i=i + 1, j=len(turns[i + 1]["content"]) - 1, id="toolu_stray")


def puts_text_before_the_results(turns: Turns, i: int) -> str:
    turns[i + 1]["content"].insert(0, text("Here are the results."))
    return unanswered(i, calls_of(turns[i]))


def puts_text_between_two_results(turns: Turns, i: int) -> str | None:
    answered = [block["tool_use_id"] for block in turns[i + 1]["content"] if block["type"] == "tool_result"]
    if len(answered) < 2:
        return None
    turns[i + 1]["content"].insert(1, text("And the next."))
    return unanswered(i, [one for one in calls_of(turns[i]) if one != answered[0]])


def answers_one_turn_late(turns: Turns, i: int) -> str:
    turns[i + 1 : i + 1] = [
        {"role": "user", "content": [text("One moment.")]},
        {"role": "assistant", "content": [text("Of course.")]},
    ]
    return unanswered(i, calls_of(turns[i]))


def answers_in_the_turn_before(turns: Turns, i: int) -> str:
    moved = turns[i + 1]["content"].pop(0)
    turns[i + 1]["content"].append(text("Go on."))
    if i:
        turns[i - 1]["content"].append(moved)
    else:
        turns.insert(0, {"role": "user", "content": [moved]})
    return RESULT_UNASKED.format(i=max(i - 1, 0), j=len(turns[max(i - 1, 0)]["content"]) - 1, id=moved["tool_use_id"])


def loses_the_calls(turns: Turns, i: int) -> str:
    turns[i]["content"] = [text("I will look.")]
    return RESULT_UNASKED.format(i=i + 1, j=0, id=turns[i + 1]["content"][0]["tool_use_id"])


def starts_at_the_results(turns: Turns, i: int) -> str:
    del turns[: i + 1]
    return RESULT_UNASKED.format(i=0, j=0, id=turns[0]["content"][0]["tool_use_id"])


def repeats_a_call(turns: Turns, i: int) -> str:
    place, block = next((j, b) for j, b in enumerate(turns[i]["content"]) if b["type"] == "tool_use")
    turns[i]["content"].insert(place + 1, {key: value for key, value in block.items() if key != "cache_control"})
    return f"messages.{i}.content.{place + 1}: `tool_use` ids must be unique"


def sends_text_as_input(turns: Turns, i: int) -> str:
    place = next(j for j, b in enumerate(turns[i]["content"]) if b["type"] == "tool_use")
    turns[i]["content"][place]["input"] = ""
    return f"messages.{i}.content.{place}.tool_use.input: Input should be "


def adds_an_empty_text(turns: Turns, i: int) -> str:
    turns[i + 1]["content"].append(text(""))
    return "messages: text content blocks must be non-empty"


def reports_an_error_without_words(turns: Turns, i: int) -> str:
    turns[i + 1]["content"][0].update(content="", is_error=True)
    return f"messages.{i + 1}.content.0.tool_result: content cannot be empty if `is_error` is true"


BREAKS: tuple[Callable[[Turns, int], str | None], ...] = (
    drops_a_result,
    drops_every_result,
    drops_the_answering_turn,
    repeats_a_result,
    renames_a_result,
    adds_a_stray_result,
    puts_text_before_the_results,
    puts_text_between_two_results,
    answers_one_turn_late,
    answers_in_the_turn_before,
    loses_the_calls,
    starts_at_the_results,
    repeats_a_call,
    sends_text_as_input,
    adds_an_empty_text,
    reports_an_error_without_words,
)


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
        and not any(
            block["type"] == "tool_result" for turn in request["messages"][:place] for block in turn["content"]
        )
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
            f"messages.{places[-1]}.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message "
            "cannot be modified. These blocks must remain as they were in the original response."
        )
        tried += 1
    assert tried >= 5
