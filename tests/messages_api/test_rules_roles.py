"""System messages among the others, and conversations that end with the assistant."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import refusal
from tests.messages_api.histories import DAY, assistant, body, call, result, system, text, user

NO_SYSTEM = (
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an '
    "input message role."
)
NO_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_s", "content": []}
WEB_SEARCH = {"type": "web_search_20250305", "name": "web_search"}


def message_of(*messages: Any, on: date = DAY, **fields: Any) -> str | None:
    found = refusal(body(*messages, **fields), on=on)
    return None if found is None else found.message


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-opus-4-7"])
def test_models_without_mid_conversation_system_refuse_the_role(model: str) -> None:
    assert message_of(user(), system(), model=model) == NO_SYSTEM


def test_no_model_took_the_role_before_its_day() -> None:
    assert message_of(user(), system(), model="claude-opus-4-8", on=date(2026, 5, 27)) == NO_SYSTEM
    assert message_of(user(), system(), model="claude-opus-4-8", on=date(2026, 5, 28)) is None


@pytest.mark.parametrize(
    ("messages", "refused_at"),
    [
        pytest.param([user(), system()], None, id="last, after the user"),
        pytest.param([user(), system(), assistant(), user()], None, id="before the assistant"),
        pytest.param([user(), system(), system()], None, id="two in a row are one"),
        pytest.param([user(), assistant(call()), user(result()), system()], None, id="after a result"),
        pytest.param([user(), assistant(SEARCH, FOUND), system()], None, id="after a server result"),
        pytest.param([system(), user()], 0, id="first"),
        pytest.param([user(), assistant(), system()], 2, id="after the assistant"),
        pytest.param([user(), assistant(call()), system(), user(result())], 2, id="between a call and its result"),
    ],
)
def test_a_system_message_has_its_places(messages: list[Any], refused_at: int | None) -> None:
    refused = f"messages.{refused_at}: a system message must immediately follow a user turn"
    assert message_of(*messages, model="claude-opus-5") == (None if refused_at is None else refused)


@pytest.mark.parametrize(
    "model",
    [
        "claude-opus-4-6",
        "claude-sonnet-4-6",
        "claude-opus-4-7",
        "claude-sonnet-5",
        "claude-sonnet-5-5",
        "claude-fable-5",
    ],
)
def test_models_from_4_6_on_take_no_prefill(model: str) -> None:
    assert message_of(user(), assistant(), model=model) == NO_PREFILL


def test_older_models_take_a_prefill_that_does_not_end_in_white_space() -> None:
    model = "claude-haiku-4-5"
    assert message_of(user(), assistant(text("{")), model=model) is None
    trailing = "messages: final assistant content cannot end with trailing whitespace"
    assert message_of(user(), assistant(text("Thought: ")), model=model) == trailing
    assert message_of(user(), assistant(text("Thought: ")), user(), model=model) is None


def test_a_paused_turn_is_no_prefill() -> None:
    assert message_of(user(), assistant(text(), SEARCH), tools=[WEB_SEARCH]) is None
