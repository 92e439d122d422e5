"""The face of the rules: order, days and versions, what is never refused, and that nothing makes it raise."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import (
    ApiRefusal,
    invalid_key,
    missing_key,
    not_json,
    refusal,
    too_large,
    unknown_model,
)
from tests.messages_api.histories import DAY, OLD_VERSION, assistant, body, call, result, system, text, tool, user

SERVER_CALL = {"type": "server_tool_use", "id": "srvtoolu_a", "name": "web_search", "input": {"query": "weather"}}
WEB_SEARCH = {"type": "web_search_20260318", "name": "web_search"}


@pytest.mark.parametrize(
    "request_body",
    [
        pytest.param(body(), id="one question"),
        pytest.param(body(assistant(), user()), id="first message from the assistant"),
        pytest.param(body(user(), user(), assistant(), assistant(), user()), id="same roles in a row"),
        pytest.param(body(user(), assistant(call()), user(result())), id="calls without tools"),
        pytest.param(body(user(), assistant(call()), user(result()), tools=[]), id="calls with an empty tools list"),
        pytest.param(
            body(user(), assistant(call("a"), call("b")), user(result("b")), user(result("a"))),
            id="results one message each, in another order",
        ),
        pytest.param(
            body(user(), assistant(call("a")), assistant(call("b")), user(result("a"), result("b"))),
            id="calls split over two assistant messages",
        ),
        pytest.param(body(user(), assistant(call()), user(result(), text())), id="text after the results"),
        pytest.param(body(user(), assistant(call(caller={"type": "direct"})), user(result())), id="caller sent back"),
        pytest.param(
            body(user(), assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_a"})), id="no content"
        ),
        pytest.param(body(user(), assistant(call()), user(result(content=""))), id="an empty result"),
        pytest.param(
            body(user(), assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))),
            id="one id in two turns",
        ),
        pytest.param(body(user(), assistant(text(" "), call()), user(result())), id="blank text beside a call"),
        pytest.param(body(tool_choice={"type": "auto"}), id="tool_choice auto without tools"),
        pytest.param(body(tool_choice={"type": "none"}), id="tool_choice none without tools"),
        pytest.param(body(max_tokens=0), id="max_tokens 0 warms the cache"),
        pytest.param(body(system=""), id="an empty system text"),
        pytest.param(body(system=[]), id="an empty system list"),
        pytest.param(body(user(), assistant(SERVER_CALL), tools=[WEB_SEARCH]), id="a paused turn sent back"),
        pytest.param(
            body(user(), assistant(SERVER_CALL, call()), user(result()), tools=[WEB_SEARCH, tool()]), id="a mixed turn"
        ),
        pytest.param(body(user(), system()), id="a system message after the user"),
        pytest.param(
            body(user(), assistant({"type": "thinking", "thinking": "", "signature": "s"}, text()), user()),
            id="omitted thinking",
        ),
        pytest.param(
            body(container="container_01", mcp_servers=[], context_management={"edits": []}), id="beta fields"
        ),
    ],
)
def test_what_the_api_accepts_is_accepted(request_body: dict[str, Any]) -> None:
    assert refusal(request_body, on=DAY) is None


@pytest.mark.parametrize(
    ("request_body", "message"),
    [
        pytest.param({}, "model: Field required", id="nothing at all"),
        pytest.param(
            body(model="claude-x", max_tokens=-1),
            "max_tokens: Input should be greater than or equal to 0",
            id="shape before model",
        ),
        pytest.param(body(user(text("")), model="claude-x"), "model: claude-x", id="model before conversation"),
        pytest.param(
            body(user(), assistant(call()), max_tokens=200_000),
            "max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5-5",
            id="limits before pairing",
        ),
    ],
)
def test_the_first_rule_in_the_order_speaks(request_body: dict[str, Any], message: str) -> None:
    found = refusal(request_body, on=DAY)
    assert found is not None
    assert found.message == message


def test_a_body_that_is_no_object_is_refused() -> None:
    assert refusal([body()]) == ApiRefusal(400, "invalid_request_error", "Input should be an object")


def test_the_day_is_today_unless_told() -> None:
    retired = body(model="claude-2.1")
    assert refusal(retired) == unknown_model("claude-2.1")
    assert refusal(retired, on=date(2025, 7, 20)) is None


def test_counting_needs_no_max_tokens_and_keeps_the_other_rules() -> None:
    request = body(user(), assistant(call()))
    del request["max_tokens"]
    found = refusal(request, on=DAY, counting=True)
    assert found is not None
    assert found.message.startswith("messages.1: `tool_use` ids were found without")
    assert refusal({**request, "messages": [user()]}, on=DAY, counting=True) is None


def test_a_continued_thread_is_not_asked_for_its_history() -> None:
    thread = {"type": "continue", "previous_message_id": "msg_01"}
    assert refusal(body(user(result()), thread=thread), on=DAY) is None
    found = refusal(body(user(result(), result()), thread=thread), on=DAY)
    assert found is not None
    assert "each tool_use must have a single result" in found.message
    created = refusal(body(user(result()), thread={"type": "create"}), on=DAY)
    assert created is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"temperature": 1.0}, "temperature: Extra inputs are not permitted", id="temperature"),
        pytest.param({"top_p": 0.9}, "top_p: Extra inputs are not permitted", id="top_p"),
        pytest.param({"top_k": 5}, "top_k: Extra inputs are not permitted", id="top_k"),
        pytest.param(
            {"messages": [user(), assistant({"type": "document", "source": {"type": "text"}}), user()]},
            "messages.1.content.0.document: `document` blocks can only be in `user` messages",
            id="document in an assistant message",
        ),
        pytest.param(
            {"messages": [user({**text(), "citations": [{"type": "char_location"}]})]},
            "messages.0.content.0.text.citations: Extra inputs are not permitted",
            id="citations in a user message",
        ),
    ],
)
def test_the_newer_api_version_refuses_what_the_older_accepts(change: dict[str, Any], message: str) -> None:
    request = body(model="claude-haiku-4-5", **change) if "messages" not in change else body(**change)
    found = refusal(request, on=DAY)
    assert found is not None
    assert found.message == message
    assert refusal(request, api_version=OLD_VERSION, on=DAY) is None


def test_citations_of_the_assistant_go_back_unharmed() -> None:
    assert (
        refusal(body(user(), assistant({**text(), "citations": [{"type": "char_location"}]}), user()), on=DAY) is None
    )


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        pytest.param(
            "",
            "The request body is not valid JSON: Input is a zero-length, empty document: line 1 column 1 (char 0)",
            id="empty",
        ),
        pytest.param(
            '{"model":"claude-haiku-4-5","max_tokens":',
            "The request body is not valid JSON: unexpected end of data: line 1 column 42 (char 41)",
            id="cut off",
        ),
        pytest.param(
            "{'model'}",
            "The request body is not valid JSON: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)",
            id="wrong quotes",
        ),
    ],
)
def test_a_body_that_is_not_json_is_told_where(sent: str, message: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(sent)
    assert not_json(caught.value) == ApiRefusal(400, "invalid_request_error", message)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(missing_key(), (401, "authentication_error", "x-api-key header is required"), id="no key"),
        pytest.param(invalid_key(), (401, "authentication_error", "invalid x-api-key"), id="bad key"),
        pytest.param(too_large(), (413, "request_too_large", "Request exceeds the maximum size"), id="too large"),
        pytest.param(unknown_model("x"), (404, "not_found_error", "model: x"), id="unknown model"),
    ],
)
def test_refusals_without_a_body_have_the_recorded_words(found: ApiRefusal, expected: tuple[int, str, str]) -> None:
    assert (found.status, found.type, found.message) == expected


def test_neither_the_sdk_nor_jsonschema_is_imported_before_it_is_needed() -> None:
    script = """
import sys
from autograder.messages_api.request_rules import refusal
body = {"model": "claude-sonnet-5-5", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}
assert refusal(body) is None
assert "anthropic" not in sys.modules and "jsonschema" not in sys.modules
everyday = {"type": "object", "properties": {"city": {"type": "string", "description": "Where"}}, "required": ["city"]}
assert refusal({**body, "tools": [{"name": "f", "input_schema": everyday}]}) is None
assert "anthropic" not in sys.modules and "jsonschema" not in sys.modules
assert refusal({**body, "tools": [{"name": "f", "input_schema": {**everyday, "minProperties": 1}}]}) is None
assert "anthropic" not in sys.modules and "jsonschema" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
