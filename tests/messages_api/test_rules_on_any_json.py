"""Nothing makes `refusal` raise, whatever the JSON: any value at any place, the deepest nesting, the longest lists."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.request_rules import ApiRefusal, refusal
from tests.messages_api.histories import DAY, OLD_VERSION, assistant, body, call, result, system, text, tool, user

SERVER_CALL = {"type": "server_tool_use", "id": "srvtoolu_a", "name": "web_search", "input": {"query": "weather"}}
WEB_SEARCH = {"type": "web_search_20260318", "name": "web_search"}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["user", "assistant", "text", "tool_use", "any", "enabled", "srvtoolu_a", "\ud800", "\x00", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "role", "content", "text", "id", "name", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
FULL = body(
    user(text(), {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}),
    assistant({"type": "thinking", "thinking": "hm", "signature": "s"}, SERVER_CALL, call(caller={"type": "direct"})),
    user(result(content=[text()], is_error=False)),
    system(),
    assistant({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_a", "content": []}, text()),
    user({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}}),
    model="claude-opus-4-8",
    system=[text()],
    tools=[tool(properties={"city": {"type": "string"}}), WEB_SEARCH],
    tool_choice={"type": "auto"},
    thinking={"type": "adaptive"},
    output_config={"effort": "high"},
    thread={"type": "create"},
    metadata={"user_id": "u"},
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in places(part, (*path, key)))]


def replaced(path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(FULL)
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def assert_well_formed(found: ApiRefusal | None) -> None:
    if found is not None:
        assert (found.status, found.type) in ((400, "invalid_request_error"), (404, "not_found_error"))
        assert isinstance(found.message, str)
        assert found.message
        json.dumps(found.message)


def test_the_request_that_is_broken_below_is_accepted_whole() -> None:
    assert refusal(FULL, on=DAY) is None


@settings(max_examples=400, deadline=None)
@given(path=st.sampled_from(places(FULL)), value=JSON, version=st.sampled_from([OLD_VERSION, "2026-10-21"]))
def test_a_request_with_any_json_at_any_place_never_raises(
    path: tuple[str | int, ...], value: Any, version: str
) -> None:
    assert_well_formed(refusal(replaced(path, value), api_version=version, on=DAY))


@settings(max_examples=200, deadline=None)
@given(messages=st.lists(st.dictionaries(st.sampled_from(["role", "content"]), JSON, max_size=2) | JSON, max_size=4))
def test_messages_of_any_json_never_raise(messages: list[Any]) -> None:
    assert_well_formed(refusal(body(*messages), on=DAY))


def deepest(opening: str, closing: str) -> Any:
    """Parse the deepest nesting that this Python's JSON parser takes."""
    depth = 200_000
    while True:
        try:
            return json.loads(opening * depth + "1" + closing * depth)
        except RecursionError:
            depth = depth * 9 // 10


@pytest.mark.parametrize(
    ("opening", "closing"), [pytest.param("[", "]", id="lists"), pytest.param('{"type":', "}", id="objects")]
)
def test_the_deepest_json_at_any_place_never_raises(opening: str, closing: str) -> None:
    deep = deepest(opening, closing)
    for path in places(FULL):
        assert_well_formed(refusal(replaced(path, deep), on=DAY))
    assert_well_formed(refusal(body(tools=[tool(properties=deep)]), on=DAY))
    assert_well_formed(refusal(body(tools=[tool(default=deep)]), on=DAY))


def test_very_long_lists_never_raise() -> None:
    assert refusal(body(*[user(), assistant()] * 10_000, user()), on=DAY) is None
    many = [call(f"toolu_{number}") for number in range(5_000)]
    found = refusal(body(user(), assistant(*many)), on=DAY)
    assert found is not None
    assert found.message.count("toolu_") == 5_000
