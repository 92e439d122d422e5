"""Rules about tools and `tool_choice`. Whether a schema is valid JSON Schema is decided in `tool_schemas`."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.block_types import BETA_TOOLS, CUSTOM_TOOL_FIELDS, GA_TOOLS, TOOL_TAGS, unknown_tag
from autograder.messages_api.merging import Request
from autograder.messages_api.models_table import LONG_TOOL_NAMES
from autograder.messages_api.tool_schemas import is_valid_schema

_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_CHOICES = ("any", "auto", "none", "tool")
_NOT_A_SCHEMA = (
    "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). "
    "Learn more about tool use at https://docs.claude.com/en/docs/tool-use."
)


def tool_shapes(request: Request) -> ApiRefusal | None:
    """Refuse the first tool, in order, that is misshapen. Server tools are checked by their type alone."""
    tools = request.body.get("tools")
    if tools is None:
        return None
    if not isinstance(tools, list):
        return invalid("tools: Input should be a valid list")
    for index, tool in enumerate(tools):
        problem = _tool_problem(tool, request.on)
        if problem is not None:
            return invalid(f"tools.{index}{problem}")
    return None


def _tool_problem(tool: Any, on: date) -> str | None:
    if not isinstance(tool, dict):
        return ": Input should be an object"
    kind = tool.get("type")
    if kind is not None and kind != "custom":
        if not isinstance(kind, str):
            return ".type: Input should be a valid string"
        return None if kind in GA_TOOLS or kind in BETA_TOOLS else unknown_tag("", kind, TOOL_TAGS)
    problem = _name_problem(tool, on) or _schema_problem(tool) or _extra_problem(tool)
    return None if problem is None else f".custom.{problem}"


def _name_problem(tool: dict[str, Any], on: date) -> str | None:
    """Check the name: the documentation still says 64 characters, the server says 128 since late 2025 (B)."""
    if "name" not in tool:
        return "name: Field required"
    name = tool["name"]
    if not isinstance(name, str):
        return "name: Input should be a valid string"
    longest = 128 if on >= LONG_TOOL_NAMES else 64
    if len(name) <= longest and _NAME.fullmatch(name):
        return None
    return f"name: String should match pattern '^[a-zA-Z0-9_-]{{1,{longest}}}$'"


def _schema_problem(tool: dict[str, Any]) -> str | None:
    """Check the schema: there, of type object, no alternatives at the top, valid (B; "Field required" D)."""
    if "input_schema" not in tool:
        return "input_schema: Field required"
    schema = tool["input_schema"]
    if not isinstance(schema, dict):
        return "input_schema: Input should be an object"
    if schema.get("type") != "object":
        problem = "Input should be 'object'" if "type" in schema else "Field required"
        return f"input_schema.type: {problem}"
    if any(word in schema for word in ("oneOf", "allOf", "anyOf")):
        return "input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
    return None if is_valid_schema(schema) else f"input_schema: {_NOT_A_SCHEMA}"


def _extra_problem(tool: dict[str, Any]) -> str | None:
    extra = next((field for field in tool if field not in CUSTOM_TOOL_FIELDS), None)
    return None if extra is None else f"{extra}: Extra inputs are not permitted"


def tool_names_unique(request: Request) -> ApiRefusal | None:
    """Refuse two tools of one name (B)."""
    names = [name for tool in request.tools if isinstance(name := tool.get("name"), str)]
    return invalid("tools: Tool names must be unique.") if len(set(names)) < len(names) else None


def tool_choice_shape(request: Request) -> ApiRefusal | None:
    """Refuse a `tool_choice` that is no object, has no known type, or is `tool` without a name (wording D)."""
    choice = request.body.get("tool_choice")
    if choice is None:
        return None
    if not isinstance(choice, dict):
        return invalid("tool_choice: Input should be an object")
    kind = choice.get("type")
    if not isinstance(kind, str):
        return invalid("tool_choice.type: Field required")
    if kind not in _CHOICES:
        return invalid(unknown_tag("tool_choice", kind, _CHOICES))
    if kind == "tool" and not isinstance(choice.get("name"), str):
        return invalid("tool_choice.tool.name: Field required")
    return None


def forced_tools_supported(request: Request) -> ApiRefusal | None:
    """Refuse `any` and `tool` on claude-sonnet-5-5, claude-opus-5-5 and claude-fable-5-1.

    That they refuse is documented ("What's new in Claude Sonnet 5.5"); the wording is quoted by third parties (C).
    """
    if request.model.forced_tools or request.tool_choice not in ("any", "tool"):
        return None
    return invalid('tool_choice: type "tool" and "any" are not supported for this model.')


def chosen_tool_provided(request: Request) -> ApiRefusal | None:
    """Refuse `any` without tools, and `tool` with a name that no tool has (A, fiber, recorded 2026-09-29).

    Recorded on claude-sonnet-5-5, which takes no forced tools at all: so this is looked at first.
    """
    if request.tool_choice == "any" and not (request.tools or request.body.get("mcp_servers")):
        return invalid("tool_choice.any may only be specified while providing tools")
    if request.tool_choice != "tool":
        return None
    name = request.body["tool_choice"]["name"]
    if any(tool.get("name") == name for tool in request.tools):
        return None
    return invalid(f"Tool '{name}' not found in provided tools")


def forced_tools_without_thinking(request: Request) -> ApiRefusal | None:
    """Refuse forced tools with manual thinking (B). With adaptive thinking they are accepted (A, opus-4-6)."""
    if request.thinking == "enabled" and request.tool_choice in ("any", "tool"):
        return invalid("Thinking may not be enabled when tool_choice forces tool use.")
    return None
