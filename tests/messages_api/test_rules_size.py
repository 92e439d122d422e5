"""How much a request may hold."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import estimated_tokens, refusal
from tests.messages_api.histories import DAY, OLD_VERSION, body, text, tool, user

MARK = {"cache_control": {"type": "ephemeral"}}


def test_a_prompt_longer_than_the_window_is_refused_by_an_estimate() -> None:
    found = refusal(body(user(text("word " * 200_001)), model="claude-haiku-4-5"), on=DAY)
    assert found is not None
    assert found.message.startswith("prompt is too long: 2500")
    assert found.message.endswith(" tokens > 200000 maximum")
    assert refusal(body(user(text("word " * 200_001))), on=DAY) is None


def test_the_estimate_counts_four_characters_a_token_of_what_is_text() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x" * 10_000}}
    plain = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x" * 10_000}}
    empty = estimated_tokens(body(user(text("y"))))
    assert estimated_tokens(body(user(text("y" * 4_001)))) - empty == 1_000
    assert estimated_tokens(body(user(text("y"), image))) - empty < 10
    assert estimated_tokens(body(user(text("y"), plain))) - empty > 2_500
    assert estimated_tokens(body(user(text("y")), tools=[tool(description="z" * 4_000)])) - empty > 1_000
    assert estimated_tokens(body(user(text("y")), system="z" * 4_000)) - empty == 1_000


def test_nine_million_bytes_of_text_were_the_limit_in_the_summer_of_2025() -> None:
    request = body(user(text("é" * 4_500_001)), model="claude-sonnet-4-0")
    before = refusal(request, api_version=OLD_VERSION, on=date(2025, 7, 29))
    assert before is not None
    assert before.message.startswith("too many total text bytes: 90000")
    assert before.message.endswith(" > 9000000")
    after = refusal(request, api_version=OLD_VERSION, on=date(2025, 12, 1))
    assert after is not None
    assert after.message.startswith("prompt is too long: ")


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param({"messages": [user(*[{**text(), **MARK}] * 4)]}, None, id="four"),
        pytest.param({"messages": [user(*[{**text(), **MARK}] * 5)]}, 5, id="five in one message"),
        pytest.param(
            {
                "messages": [user(*[{**text(), **MARK}] * 3)],
                "system": [{**text(), **MARK}] * 2,
                "tools": [{**tool(), **MARK}],
            },
            6,
            id="over messages, system and tools",
        ),
        pytest.param({"messages": [user(*[{**text(), "cache_control": None}] * 5)]}, None, id="null is no marker"),
    ],
)
def test_four_cache_markers_are_the_limit(fields: dict[str, Any], found: int | None) -> None:
    refused = refusal({**body(), **fields}, on=DAY)
    words = f"A maximum of 4 blocks with cache_control may be provided. Found {found}."
    assert (refused.message if refused else None) == (None if found is None else words)
