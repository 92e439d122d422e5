"""Messages and blocks: their shapes, empty text, and the index that names them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import ApiRefusal, refusal
from tests.messages_api.histories import DAY, OLD_VERSION, assistant, body, call, result, text, user

BLOCK_TAGS = (
    "'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', "
    "'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', "
    "'thinking', 'tool_result', 'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', "
    "'web_search_tool_result'"
)
PART_TAGS = "'browser_state', 'document', 'image', 'search_result', 'text', 'tool_reference'"
TAG = "Input tag '{tag}' found using 'type' does not match any of the expected tags: {tags}"


def tag(name: str, tags: str) -> str:
    return TAG.format(tag=name, tags=tags)


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        pytest.param(["Invalid content"], "messages.0: Input does not match the expected shape.", id="message is text"),
        pytest.param([{"content": "hi"}], "messages.0.role: Field required", id="no role"),
        pytest.param([{"role": "user"}], "messages.0.content: Field required", id="no content"),
        pytest.param(
            [{"role": "tool", "content": "hi"}],
            "messages.0.role: Input should be 'user' or 'assistant'",
            id="role tool",
        ),
        pytest.param(
            [{"role": ["user"], "content": "hi"}],
            "messages.0.role: Input should be 'user' or 'assistant'",
            id="role is a list",
        ),
        pytest.param(
            [{"role": "user", "content": {"type": "text"}}, user()],
            "messages.0.content: Input should be a valid list",
            id="content is an object",
        ),
        pytest.param(
            [user(), {**assistant(), "id": "msg_01", "usage": {}}],
            "messages.1.id: Extra inputs are not permitted",
            id="a whole Message sent as a turn",
        ),
        pytest.param([user("hi")], "messages.0.content.0: Input should be an object", id="block is text"),
        pytest.param([user({"text": "hi"})], "messages.0.content.0.type: Field required", id="block without type"),
        pytest.param(
            [user({"type": 1})], "messages.0.content.0.type: Input should be a valid string", id="type is a number"
        ),
        pytest.param(
            [user({"type": "video_url"})], f"messages.0.content.0: {tag('video_url', BLOCK_TAGS)}", id="unknown block"
        ),
        pytest.param(
            [user({"type": "text"})], "messages.0.content.0.text.text: Field required", id="text without text"
        ),
        pytest.param(
            [user({"type": "text", "text": None})],
            "messages.0.content.0.text.text: Input should be a valid string",
            id="text is null",
        ),
        pytest.param(
            [user({**text(), "id": "x"})],
            "messages.0.content.0.text.id: Extra inputs are not permitted",
            id="extra in text",
        ),
        pytest.param(
            [user(), user({"type": "text"})], "messages.0.content.1.text.text: Field required", id="index after merging"
        ),
        pytest.param(
            [user(), assistant({"type": "tool_use", "id": "a", "input": {}})],
            "messages.1.content.0.tool_use.name: Field required",
            id="call without name",
        ),
        pytest.param(
            [user(), assistant(call("a b"))],
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            id="a blank in an id",
        ),
        pytest.param(
            [user(), assistant(call(input=""))],
            "messages.1.content.0.tool_use.input: Input should be an object",
            id="input is text",
        ),
        pytest.param(
            [user(), assistant(call(input=None))],
            "messages.1.content.0.tool_use.input: Input should be an object",
            id="input is null",
        ),
        pytest.param(
            [user(), assistant(call(caller={"type": "robot"}))],
            "messages.1.content.0.tool_use.caller: "
            + tag("robot", "'code_execution_20250825', 'code_execution_20260120', 'direct'"),
            id="unknown caller",
        ),
        pytest.param(
            [user(), assistant(call(caller={}))],
            "messages.1.content.0.tool_use.caller.type: Field required",
            id="caller without type",
        ),
        pytest.param(
            [user(), assistant(call(caller="direct"))],
            "messages.1.content.0.tool_use.caller: Input should be an object",
            id="caller is text",
        ),
        pytest.param(
            [user(), assistant({"type": "server_tool_use", "id": "toolu_a", "name": "web_search", "input": {}})],
            "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
            id="server call with a client id",
        ),
        pytest.param(
            [user({"type": "tool_result", "content": "x"})],
            "messages.0.content.0.tool_result.tool_use_id: Field required",
            id="result without id",
        ),
        pytest.param(
            [user(result(content={"a": 1}))],
            "messages.0.content.0.tool_result.content: Input should be a valid list",
            id="result is an object",
        ),
        pytest.param(
            [user(result(content=["sunny"]))],
            "messages.0.content.0.tool_result.content.0: Input should be an object",
            id="result part is text",
        ),
        pytest.param(
            [user(result(content=[{"text": "sunny"}]))],
            "messages.0.content.0.tool_result.content.0.type: Field required",
            id="result part without type",
        ),
        pytest.param(
            [user(result(content=[call()]))],
            f"messages.0.content.0.tool_result.content.0: {tag('tool_use', PART_TAGS)}",
            id="a call inside a result",
        ),
        pytest.param(
            [user(result(content=[text(), {"type": "text"}]))],
            "messages.0.content.0.tool_result.content.1.text.text: Field required",
            id="result part text without text",
        ),
        pytest.param(
            [user(result(content="", is_error=True))],
            "messages.0.content.0.tool_result: content cannot be empty if `is_error` is true",
            id="an error without words",
        ),
        pytest.param(
            [user({"type": "tool_result", "tool_use_id": "a", "is_error": True})],
            "messages.0.content.0.tool_result: content cannot be empty if `is_error` is true",
            id="an error without content",
        ),
        pytest.param(
            [user({"type": "image", "source": {"type": "disk"}})],
            "messages.0.content.0.image.source: " + tag("disk", "'base64', 'file', 'url'"),
            id="unknown image source",
        ),
        pytest.param(
            [user({"type": "document", "source": "a.pdf"})],
            "messages.0.content.0.document.source: Input should be an object",
            id="document source is text",
        ),
        pytest.param(
            [user({"type": "document", "source": {}})],
            "messages.0.content.0.document.source.type: Field required",
            id="document source without type",
        ),
        pytest.param(
            [user({**text(""), "cache_control": {"type": "ephemeral"}})],
            "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
            id="cache marker on empty text",
        ),
        pytest.param(
            [user(), assistant({"type": "thinking", "thinking": "hm"})],
            "messages.1.content.0.thinking.signature: Field required",
            id="thinking without signature",
        ),
        pytest.param(
            [user(), assistant({"type": "thinking", "thinking": "", "signature": ""})],
            "messages.1.content.0.thinking: each thinking block must contain thinking",
            id="thinking with nothing",
        ),
        pytest.param([user(text(""))], "messages: text content blocks must be non-empty", id="empty text"),
        pytest.param(
            [user(), assistant(text(""), call()), user(result())],
            "messages: text content blocks must be non-empty",
            id="empty text beside a call",
        ),
        pytest.param(
            [user(text(" \n"))], "messages: text content blocks must contain non-whitespace text", id="blank text"
        ),
        pytest.param(
            [{"role": "user", "content": " "}],
            "messages: text content blocks must contain non-whitespace text",
            id="blank content",
        ),
        pytest.param(
            [{"role": "user", "content": ""}],
            "messages.0: user messages must have non-empty content",
            id="empty content",
        ),
        pytest.param(
            [user(), assistant(), {"role": "user", "content": []}],
            "messages.2: user messages must have non-empty content",
            id="a turn of no blocks",
        ),
    ],
)
def test_a_wrong_message_is_refused_in_the_api_words(messages: list[Any], message: str) -> None:
    assert refusal(body(*messages), on=DAY) == ApiRefusal(400, "invalid_request_error", message)


@pytest.mark.parametrize(
    ("messages", "day", "message"),
    [
        pytest.param(
            [user(), assistant(call(input=""))],
            date(2025, 8, 15),
            "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
            id="input in 2025",
        ),
        pytest.param(
            [{"role": "user", "content": ""}],
            date(2026, 1, 30),
            "messages.0: all messages must have non-empty content except for the optional final assistant message",
            id="empty content in January 2026",
        ),
        pytest.param(
            [user(), {"role": "assistant", "content": []}, user()],
            date(2026, 1, 30),
            "messages.1: all messages must have non-empty content except for the optional final assistant message",
            id="empty assistant turn in January 2026",
        ),
        pytest.param(
            [user({"type": "image", "source": {"type": "file"}})],
            date(2025, 6, 1),
            "messages.0.content.0.image.source: " + tag("file", "'base64', 'url'"),
            id="file source before files were plain",
        ),
    ],
)
def test_older_days_have_older_words(messages: list[Any], day: date, message: str) -> None:
    found = refusal(body(*messages, model="claude-haiku-4-5"), api_version=OLD_VERSION, on=day)
    assert found is not None
    assert found.message == message


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([user(text(" "), text("real"))], id="blank text beside real text"),
        pytest.param([{"role": "user", "content": ""}, user()], id="empty content merged with real content"),
        pytest.param([user(), {"role": "assistant", "content": []}, user()], id="an empty assistant turn today"),
        pytest.param([user({"type": "document", "source": {"type": "file", "file_id": "file_01"}})], id="a file today"),
        pytest.param(
            [user({"type": "search_result", "content": [], "source": "s", "title": "t", "more": 1})],
            id="a block we do not look into",
        ),
    ],
)
def test_content_that_only_looks_empty_or_odd_is_accepted(messages: list[Any]) -> None:
    assert refusal(body(*messages), on=DAY) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(" ", "system: text content blocks must contain non-whitespace text", id="blank"),
        pytest.param([text(" ")], "system: text content blocks must contain non-whitespace text", id="blank block"),
        pytest.param([text(""), text()], "system: text content blocks must be non-empty", id="empty block"),
        pytest.param([text(" "), text()], None, id="blank beside real"),
        pytest.param(None, None, id="null"),
    ],
)
def test_a_system_prompt_of_nothing_is_refused(value: Any, message: str | None) -> None:
    found = refusal(body(system=value), on=DAY)
    assert (found.message if found else None) == message
