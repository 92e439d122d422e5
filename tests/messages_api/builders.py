"""Small scenarios for the tests of the double: every message has the keys of the newest recordings (2026-09-29)."""

from __future__ import annotations

from typing import Any

from autograder.messages_api.double import Double
from autograder.messages_api.identifiers import new_id
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Scenario, from_json

Json = dict[str, Any]

MODEL = "claude-sonnet-5-5"
HEADERS = {"Authorization": "Bearer test", "anthropic-version": "2026-10-21"}
THREADS = {**HEADERS, "anthropic-beta": "message-threads-2026-08-12"}
TOOLS: list[Json] = [
    {
        "name": name,
        "description": f"Calls {name}.",
        "input_schema": {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]},
    }
    for name, key in (("get_order", "order_id"), ("search_help", "query"))
]
ORDER, HELP = new_id("toolu", "order"), new_id("toolu", "help")


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def call(identifier: str, name: str, **tool_input: Any) -> Json:
    return {"type": "tool_use", "id": identifier, "name": name, "input": tool_input, "caller": {"type": "direct"}}


def result(identifier: str, content: str = "ok", **more: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": identifier, "content": content, **more}


def user(content: Any) -> Json:
    return {"role": "user", "content": content}


def assistant(content: Any) -> Json:
    return {"role": "assistant", "content": content}


def message(content: list[Json], stop_reason: str = "end_turn", **changed: Any) -> Json:
    """A whole Message in today's shape and key order."""
    return {
        "model": MODEL,
        "id": new_id("msg", repr(content), stop_reason),
        "type": "message",
        "role": "assistant",
        "content": content,
        "container": None,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": 381,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 0},
            "service_tier": "standard",
            "inference_geo": "global",
        },
        "diagnostics": None,
        **changed,
    }


def error(status: int, kind: str, words: str, **headers: str | None) -> Json:
    """A recorded error answer; underscores in header names stand for hyphens."""
    body = {"type": "error", "error": {"type": kind, "message": words}}
    return {"status": status, "body": body, "headers": {k.replace("_", "-"): v for k, v in headers.items()}}


def answer(*args: Any, **changed: Any) -> Json:
    return {"status": 200, "body": message(*args, **changed)}


def exchange(name: str, response: Json | list[Json], *, follows: str | None = None, **when: Any) -> Json:
    """An exchange; a list of responses is a list of attempts."""
    made: Json = {"id": name, ("attempts" if isinstance(response, list) else "response"): response}
    return made | ({"follows": follows} if follows else {}) | ({"when": when} if when else {})


def data(*exchanges: Json, prompt: str = "Where is order P-1001?", **request: Any) -> Json:
    """A scenario as it stands in a file."""
    return {
        "format": 1,
        "title": "A test conversation",
        "provenance": {"kind": "written", "model": MODEL, "date": "2026-11-30", "note": "composed for a test"},
        "request": {"model": MODEL, "max_tokens": 1024, "tools": TOOLS, "messages": [user(prompt)], **request},
        "exchanges": list(exchanges),
    }


def scenario(*exchanges: Json, **changed: Any) -> Scenario:
    return from_json(data(*exchanges, **changed))


BOTH = [text("I look both up."), call(ORDER, "get_order", order_id="P-1001"), call(HELP, "search_help", query="late")]


def two_tools() -> Scenario:
    """Two calls in one turn, then an answer that depends on whether the first result is an error."""
    return scenario(
        exchange("asks_both", answer(BOTH, "tool_use")),
        exchange("apologises", answer([text("I could not find it.")]), follows="asks_both", is_error={ORDER: True}),
        exchange("answers", answer([text("P-1001 arrives on Monday.")]), follows="asks_both"),
    )


def body(given: Scenario, *more: Json, **changed: Any) -> Json:
    """The request that goes on from the scenario's own, with more turns."""
    request: Json = {"model": MODEL, "max_tokens": 1024, "messages": [*given.messages, *more], "tools": given.tools}
    return {key: value for key, value in (request | changed).items() if value is not None}


def ask(double: Double, request: Json, headers: dict[str, str] | None = None) -> Response:
    return double.respond("/v1/messages", request, HEADERS if headers is None else headers)


def said(response: Response) -> str:
    """The text of a reply, or the message of an error."""
    if response.status != 200:
        return str(response.body["error"]["message"])
    return "".join(block.get("text", "") for block in response.body["content"])
