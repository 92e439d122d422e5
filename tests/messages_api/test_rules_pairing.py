"""Calls and results: each rule's words, and the whole family against a statement of it written apart."""

from __future__ import annotations

from datetime import date
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.request_rules import refusal
from tests.messages_api.histories import DAY, assistant, body, call, merged, result, text, tool, user

UNANSWERED = (
    "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` "
    "block must have a corresponding `tool_result` block in the next message."
)
UNASKED = (
    "messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block "
    "must have a corresponding `tool_use` block in the previous message."
)
TWICE = (
    "messages.{i}.content.{j}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: "
    "{id}"
)
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_s", "content": []}
WEB_SEARCH = {"type": "web_search_20250305", "name": "web_search"}
OPEN = (
    "messages.1: `web_search` tool use with id `srvtoolu_s` was found without a corresponding `web_search_tool_result` "
    "block"
)


def message_of(*messages: dict[str, Any], on: date = DAY, **fields: Any) -> str | None:
    found = refusal(body(*messages, **fields), on=on)
    assert found is None or (found.status, found.type) == (400, "invalid_request_error")
    return None if found is None else found.message


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        pytest.param([user(), assistant(call())], UNANSWERED.format(i=1, ids="toolu_a"), id="no next message"),
        pytest.param([user(), assistant(call()), user()], UNANSWERED.format(i=1, ids="toolu_a"), id="no result"),
        pytest.param(
            [user(), assistant(call("a"), call("b"), call("c")), user(result("b"))],
            UNANSWERED.format(i=1, ids="a, c"),
            id="some answered, the missing named in order",
        ),
        pytest.param(
            [user(), assistant(call()), user(text(), result())],
            UNANSWERED.format(i=1, ids="toolu_a"),
            id="text before the result",
        ),
        pytest.param(
            [user(), assistant(call()), user(), user(result())],
            UNANSWERED.format(i=1, ids="toolu_a"),
            id="text before the result, in a message of its own",
        ),
        pytest.param(
            [user(), user(), assistant(), assistant(call()), user()],
            UNANSWERED.format(i=1, ids="toolu_a"),
            id="the index counts merged turns",
        ),
        pytest.param(
            [user(), assistant(call("a"), call("b")), user(result("a")), assistant(), user(result("b"))],
            UNANSWERED.format(i=1, ids="b"),
            id="results in alternate turns",
        ),
        pytest.param([user(result())], UNASKED.format(i=0, j=0, id="toolu_a"), id="history cut before the call"),
        pytest.param(
            [user(), user(result())], UNASKED.format(i=0, j=1, id="toolu_a"), id="as recorded: two user messages"
        ),
        pytest.param(
            [user(), assistant(), user(result())],
            UNASKED.format(i=2, j=0, id="toolu_a"),
            id="assistant turn without the call",
        ),
        pytest.param(
            [user(), assistant(call("a")), user(result("a"), result("x"))],
            UNASKED.format(i=2, j=1, id="x"),
            id="a result nobody asked for",
        ),
        pytest.param(
            [user(), assistant(call("a")), user(result("x"))], UNANSWERED.format(i=1, ids="a"), id="a renamed result"
        ),
        pytest.param(
            [user(), assistant(call("a"), call("b")), user(result("a"), result("b")), user(result("a"))],
            TWICE.format(i=2, j=2, id="a"),
            id="two results for one call",
        ),
        pytest.param(
            [user(), assistant(call("a"), text(), call("a")), user(result("a"))],
            "messages.1.content.2: `tool_use` ids must be unique",
            id="two calls of one id",
        ),
        pytest.param(
            [user(), assistant(call("a")), assistant(call("a")), user(result("a"))],
            "messages.1.content.1: `tool_use` ids must be unique",
            id="the assistant turn appended twice",
        ),
        pytest.param(
            [user(), assistant(result())],
            "messages.1: `tool_result` blocks can only be in `user` messages",
            id="a result by the assistant",
        ),
        pytest.param(
            [user(call())], "messages.0: `tool_use` blocks can only be in `assistant` messages", id="a call by the user"
        ),
        pytest.param(
            [
                user(),
                assistant(call(caller={"type": "code_execution_20260120", "tool_id": "srvtoolu_x"})),
                user(result()),
            ],
            "source tool `srvtoolu_x` not found for tool use block `toolu_a`",
            id="a caller that never ran",
        ),
        pytest.param(
            [user(), assistant(FOUND, text()), user()],
            "messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_s. Each "
            "`web_search_tool_result` block must have a corresponding `server_tool_use` block before it.",
            id="a server result without its call",
        ),
        pytest.param([user(), assistant(SEARCH), user()], OPEN, id="a paused turn answered by text"),
        pytest.param(
            [user(), assistant(SEARCH, call()), user(result(), text())],
            OPEN,
            id="text after the results of a mixed turn",
        ),
        pytest.param(
            [user(), assistant(SEARCH)],
            f"{OPEN} but no `web_search` tool was provided",
            id="a paused turn resumed without the tool",
        ),
    ],
)
def test_a_broken_pair_is_refused_in_the_api_words(messages: list[dict[str, Any]], message: str) -> None:
    assert message_of(*messages) == message


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([user(), assistant(SEARCH)], id="paused"),
        pytest.param([user(), assistant(SEARCH), assistant(FOUND, text()), user()], id="resumed"),
        pytest.param([user(), assistant(SEARCH, call()), user(result())], id="mixed"),
        pytest.param(
            [user(), assistant(SEARCH, call()), user(result()), assistant(FOUND, text()), user()],
            id="result a turn later",
        ),
    ],
)
def test_a_server_call_may_be_open_while_it_runs(messages: list[dict[str, Any]]) -> None:
    assert message_of(*messages, tools=[WEB_SEARCH, tool()]) is None


def test_a_caller_that_ran_is_accepted() -> None:
    runs = {"type": "server_tool_use", "id": "srvtoolu_x", "name": "code_execution", "input": {}}
    asked = call(caller={"type": "code_execution_20260120", "tool_id": "srvtoolu_x"})
    assert message_of(user(), assistant(runs, asked), user(result())) is None


def test_text_after_a_call_cut_it_off_from_its_results_in_2025_only() -> None:
    messages = [user(), assistant(call(), text()), user(result())]
    model = "claude-haiku-4-5"
    assert message_of(*messages, model=model, on=date(2025, 5, 20)) == UNANSWERED.format(i=1, ids="toolu_a")
    assert message_of(*messages, model=model, on=date(2026, 5, 20)) is None


def test_wrong_ids_were_answered_before_july_2024() -> None:
    messages, model = [user(), assistant(call("a")), user(result("x"))], "claude-3-opus-20240229"
    assert message_of(*messages, model=model, on=date(2024, 6, 1)) is None
    assert message_of(*messages, model=model, on=date(2024, 9, 1)) == UNANSWERED.format(i=1, ids="a")


# The pairing rules, stated apart from the code: what is wrong with a history of turns, as (turn, sentence).


def statement(turns: list[dict[str, Any]]) -> str | None:
    def ids(number: int, kind: str, key: str) -> list[str]:
        inside = 0 <= number < len(turns)
        return [block[key] for block in turns[number]["content"] if block["type"] == kind] if inside else []

    def head(number: int) -> list[str]:
        content = turns[number]["content"] if number < len(turns) else []
        return [block["tool_use_id"] for block in takewhile(lambda block: block["type"] == "tool_result", content)]

    def repeats(kind: str, key: str) -> list[tuple[int, int, str]]:
        return [
            (i, j, block[key])
            for i, turn in enumerate(turns)
            for j, block in enumerate(turn["content"])
            if block["type"] == kind and block[key] in [b.get(key) for b in turn["content"][:j]]
        ]

    if twice_called := repeats("tool_use", "id"):
        i, j, _ = twice_called[0]
        return f"messages.{i}.content.{j}: `tool_use` ids must be unique"
    wrong: list[tuple[int, str]] = []
    for i, turn in enumerate(turns):
        if missing := [one for one in ids(i, "tool_use", "id") if one not in head(i + 1)]:
            wrong.append((i, UNANSWERED.format(i=i, ids=", ".join(missing))))
        asked = ids(i - 1, "tool_use", "id")
        wrong += [
            (i, UNASKED.format(i=i, j=j, id=block["tool_use_id"]))
            for j, block in enumerate(turn["content"])
            if block["type"] == "tool_result" and block["tool_use_id"] not in asked
        ]
    if wrong:
        return min(wrong, key=lambda pair: pair[0])[1]
    twice_answered = repeats("tool_result", "tool_use_id")
    return (
        TWICE.format(i=twice_answered[0][0], j=twice_answered[0][1], id=twice_answered[0][2])
        if twice_answered
        else None
    )


IDS = st.sampled_from(["toolu_a", "toolu_b", "toolu_c"])
WORDS = st.builds(text)


@st.composite
def histories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw a history that is mostly right: each call turn is answered, then a few blocks are changed anywhere."""
    messages: list[dict[str, Any]] = [user()]
    for _ in range(draw(st.integers(0, 3))):
        asked = draw(st.lists(IDS, max_size=3, unique=draw(st.booleans())))
        messages.append(assistant(*draw(st.lists(WORDS, max_size=1)), *map(call, asked)))
        answered = draw(st.permutations(asked))
        messages.append(user(*map(result, answered), *draw(st.lists(WORDS, max_size=1))))
    for _ in range(draw(st.integers(0, 2))):
        messages = draw(st.sampled_from([dropped, grown, swapped, shortened]))(draw, messages)
    return messages or [user()]


def dropped(draw: st.DrawFn, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take one block away, or a whole message that has only one."""
    place = draw(st.integers(0, len(messages) - 1)) if messages else None
    if place is None:
        return messages
    message = messages[place]
    blocks = message["content"]
    if isinstance(blocks, str) or len(blocks) < 2:
        return messages[:place] + messages[place + 1 :]
    gone = draw(st.integers(0, len(blocks) - 1))
    return [*messages[:place], {**message, "content": blocks[:gone] + blocks[gone + 1 :]}, *messages[place + 1 :]]


def grown(draw: st.DrawFn, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put one more message anywhere."""
    role = draw(st.sampled_from([user, assistant]))
    block = draw(WORDS | IDS.map(result if role is user else call))
    place = draw(st.integers(0, len(messages)))
    return [*messages[:place], role(block), *messages[place:]]


def swapped(draw: st.DrawFn, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Shuffle the blocks of one message."""
    if not messages:
        return messages
    place = draw(st.integers(0, len(messages) - 1))
    content = messages[place]["content"]
    if isinstance(content, str):
        return messages
    mixed = {**messages[place], "content": draw(st.permutations(content))}
    return [*messages[:place], mixed, *messages[place + 1 :]]


def shortened(draw: st.DrawFn, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trim the history at one end, as a careless loop does."""
    cut = draw(st.integers(0, len(messages)))
    return messages[cut:] if draw(st.booleans()) else messages[:cut]


@settings(max_examples=500, deadline=None)
@given(histories())
def test_the_verdict_on_any_history_is_that_of_the_statement(messages: list[dict[str, Any]]) -> None:
    # A model that takes a prefill, so that only pairing is judged.
    assert message_of(*messages, model="claude-haiku-4-5") == statement(merged(messages))
