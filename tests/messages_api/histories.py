"""Requests and histories for the rule tests, in as few words as they need, and the recorded exchanges."""

from __future__ import annotations

import email.utils
import json
from datetime import date
from functools import cache
from itertools import groupby
from typing import Any

from tests.recordings import recorded_lines

DAY = date(2026, 11, 1)
OLD_VERSION = "2023-06-01"
UNDATED = (date(2026, 8, 1), date(2025, 12, 1), date(2025, 6, 1))
"""A recording without a date agrees when it agrees on one of these."""
ACCOUNT = ("credit balance", "not supported on this API", "Unable to download", "rate limit")
"""Errors that say something about the account or the endpoint, not about the body."""


def text(value: str = "hello") -> dict[str, Any]:
    return {"type": "text", "text": value}


def call(identifier: str = "toolu_a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": "get_weather", "input": {}, **more}


def result(identifier: str = "toolu_a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identifier, "content": "sunny", **more}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks) or "hello"}


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks) or "hello"}


def system(value: str = "Be brief.") -> dict[str, Any]:
    return {"role": "system", "content": value}


def tool(name: str = "get_weather", **schema: Any) -> dict[str, Any]:
    return {"name": name, "input_schema": {"type": "object", **schema}}


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "claude-sonnet-5-5", "max_tokens": 1024, "messages": list(messages) or [user()], **fields}


def merged(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge same-role messages, written apart from the code under test."""
    turns = []
    for role, group in groupby(messages, key=lambda message: message["role"]):
        contents = [message["content"] for message in group]
        blocks = [part for content in contents for part in ([text(content)] if isinstance(content, str) else content)]
        turns.append({"role": role, "content": blocks})
    return turns


@cache
def recordings() -> tuple[dict[str, Any], ...]:
    """Load the recorded exchanges, or skip the test where they are not at hand."""
    return tuple(json.loads(line) for line in recorded_lines() if "<MASSIVE_TEXT>" not in line)


def days(exchange: dict[str, Any]) -> tuple[date, ...]:
    """Return the days on which an exchange may have happened."""
    stamp = next((value for name, value in exchange["headers"].items() if name.lower() == "date"), None)
    return (email.utils.parsedate_to_datetime(stamp).date(),) if stamp else UNDATED
