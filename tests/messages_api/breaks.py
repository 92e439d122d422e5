"""Ways to break a history that the API accepted, each with the refusal it must then meet."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.messages_api.histories import text

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

# Each break changes the last turn of calls and its answer, in place, and returns the refusal it must meet, or None
# where there is nothing to break; `i` is the index of the assistant turn.


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
