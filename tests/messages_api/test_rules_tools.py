"""Tools, their schemas, and what `tool_choice` may ask for."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import ApiRefusal, refusal
from tests.messages_api.histories import DAY, body, tool

ANY, FORCED = {"type": "any"}, {"type": "tool", "name": "get_weather"}
INVALID_SCHEMA = (
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://docs.claude.com/en/docs/tool-use."
)


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        pytest.param({"name": "f"}, "tools: Input should be a valid list", id="not a list"),
        pytest.param(["f"], "tools.0: Input should be an object", id="tool is text"),
        pytest.param([{"type": 5}], "tools.0.type: Input should be a valid string", id="type is a number"),
        pytest.param([{"input_schema": {"type": "object"}}], "tools.0.custom.name: Field required", id="no name"),
        pytest.param([{"name": 5}], "tools.0.custom.name: Input should be a valid string", id="name is a number"),
        pytest.param(
            [tool("get weather")],
            "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            id="blank in the name",
        ),
        pytest.param(
            [tool("x" * 129)],
            "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            id="name of 129 characters",
        ),
        pytest.param([tool(), tool()], "tools: Tool names must be unique.", id="two of one name"),
        pytest.param([{"name": "f"}], "tools.0.custom.input_schema: Field required", id="no schema"),
        pytest.param(
            [{"name": "f", "input_schema": "object"}],
            "tools.0.custom.input_schema: Input should be an object",
            id="schema is text",
        ),
        pytest.param(
            [{"name": "f", "input_schema": {}}],
            "tools.0.custom.input_schema.type: Field required",
            id="schema without type",
        ),
        pytest.param(
            [tool(), {"name": "f", "input_schema": {"type": "array"}}],
            "tools.1.custom.input_schema.type: Input should be 'object'",
            id="schema of a list",
        ),
        pytest.param(
            [tool(anyOf=[{"required": ["a"]}])],
            "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
            id="alternatives at the top",
        ),
        pytest.param([tool(properties={"city": {"type": "text"}})], INVALID_SCHEMA, id="no such type"),
        pytest.param([tool(required="city")], INVALID_SCHEMA, id="required is text"),
        pytest.param(
            [{**tool(), "parameters": {}}],
            "tools.0.custom.parameters: Extra inputs are not permitted",
            id="a field of another API",
        ),
    ],
)
def test_a_wrong_tool_is_refused_in_the_api_words(tools: Any, message: str) -> None:
    assert refusal(body(tools=tools), on=DAY) == ApiRefusal(400, "invalid_request_error", message)


def test_an_unknown_tool_type_is_told_the_known_ones() -> None:
    found = refusal(body(tools=[{"type": "web_search", "name": "web_search"}]), on=DAY)
    assert found is not None
    assert found.message.startswith(
        "tools.0: Input tag 'web_search' found using 'type' does not match any of the expected tags: 'bash_20250124', "
    )
    assert "'custom'" in found.message


@pytest.mark.parametrize(
    "tools",
    [
        pytest.param([tool("x" * 128)], id="name of 128 characters"),
        pytest.param([{**tool(), "type": "custom", "strict": True, "cache_control": None}], id="every plain field"),
        pytest.param(
            [tool(properties={"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}})], id="alternatives inside"
        ),
        pytest.param([{"type": "computer_20251124", "name": "computer"}], id="a beta tool"),
        pytest.param(
            [{"type": "mcp_toolset", "mcp_server_name": "a"}, {"type": "mcp_toolset", "mcp_server_name": "b"}],
            id="toolsets have no name",
        ),
    ],
)
def test_a_right_tool_is_accepted(tools: list[dict[str, Any]]) -> None:
    assert refusal(body(tools=tools), on=DAY) is None


def test_names_had_64_characters_before_late_2025() -> None:
    found = refusal(body(tools=[tool("x" * 65)], model="claude-haiku-4-5"), on=date(2025, 10, 20))
    assert found is not None
    assert found.message == "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        pytest.param("auto", "tool_choice: Input should be an object", id="text"),
        pytest.param({}, "tool_choice.type: Field required", id="no type"),
        pytest.param(
            {"type": "required"},
            "tool_choice: Input tag 'required' found using 'type' does not match any of the expected tags: 'any', "
            "'auto', 'none', 'tool'",
            id="a word of another API",
        ),
        pytest.param({"type": "tool"}, "tool_choice.tool.name: Field required", id="tool without name"),
        pytest.param({"type": "tool", "name": "f"}, "Tool 'f' not found in provided tools", id="unknown tool"),
    ],
)
def test_a_wrong_tool_choice_is_refused_in_the_api_words(choice: Any, message: str) -> None:
    found = refusal(body(tools=[tool()], tool_choice=choice), on=DAY)
    assert found is not None
    assert found.message == message


def test_any_needs_tools() -> None:
    found = refusal(body(tool_choice=ANY), on=DAY)
    assert found is not None
    assert found.message == "tool_choice.any may only be specified while providing tools"


@pytest.mark.parametrize("choice", [pytest.param(ANY, id="any"), pytest.param(FORCED, id="tool")])
@pytest.mark.parametrize(
    ("model", "refused"),
    [
        pytest.param("claude-sonnet-5-5", True, id="sonnet-5-5"),
        pytest.param("claude-opus-5-5", True, id="opus-5-5"),
        pytest.param("claude-fable-5-1", True, id="fable-5-1"),
        pytest.param("claude-haiku-5-5", False, id="haiku-5-5 is not known to"),
        pytest.param("claude-sonnet-5", False, id="sonnet-5"),
        pytest.param("claude-opus-4-7", False, id="opus-4-7"),
    ],
)
def test_the_three_newest_models_take_no_forced_tools(model: str, refused: bool, choice: dict[str, Any]) -> None:
    found = refusal(body(model=model, tools=[tool()], tool_choice=choice), on=DAY)
    words = 'tool_choice: type "tool" and "any" are not supported for this model.'
    assert (found.message if found else None) == (words if refused else None)


def test_forced_tools_exclude_manual_thinking_only() -> None:
    fields: dict[str, Any] = {"model": "claude-opus-4-6", "tools": [tool()], "tool_choice": ANY, "max_tokens": 4096}
    found = refusal(body(**fields, thinking={"type": "enabled", "budget_tokens": 1024}), on=DAY)
    assert found is not None
    assert found.message == "Thinking may not be enabled when tool_choice forces tool use."
    assert refusal(body(**fields, thinking={"type": "adaptive"}), on=DAY) is None
