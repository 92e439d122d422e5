"""Whatever arrives, the double answers as an API does: a Message, or an error in the API's envelope, never a crash.

Each example sends many requests, all made from right ones: a part is replaced by any JSON, put elsewhere, doubled or
taken out. Together they are more than 10,000 requests.
"""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.double import Double
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import replay
from tests.messages_api.builders import HEADERS

EXAMPLES = 420
REQUESTS = 25  # for each example

ODD_TEXT = st.sampled_from(["", " ", "\ud800", "\x00", "\u202e", "ﷺ" * 50, "toolu_", "a" * 5000, "{", "$ref", "None"])
ODD_NUMBER = st.sampled_from([0, -1, 2**63, 10**300, 1e308, -0.0, True])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | ODD_TEXT
    | ODD_NUMBER,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6) | ODD_TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = ("two_calls", "parallel_calls", "web_search_answer", "mixed_turn", "blank_text", "failures")


def right_bodies() -> list[dict[str, Any]]:
    """For every reply of a few scenarios the request that goes on from it, right or not quite."""
    bodies = []
    for name in NAMES:
        scenario = replay(name)
        start = {
            "model": scenario.request.model,
            "max_tokens": 1024,
            "tools": scenario.tools,
            "system": scenario.system,
        }
        for exchange in scenario.exchanges:
            content = (exchange.message or {}).get("content") or []
            results = [
                {"type": "tool_result", "tool_use_id": block["id"], "content": "found"}
                for block in content
                if block["type"] == "tool_use"
            ]
            turns = [*scenario.messages, {"role": "assistant", "content": content}]
            turns.append({"role": "user", "content": results or "Go on."})
            bodies.append(json.loads(json.dumps({**start, "messages": turns})))
    return bodies


BODIES = right_bodies()


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a body."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found += [(value, key), *places(value[key])]
    return found


def spoiled(random: Random, value: Any) -> dict[str, Any]:
    """A right body with one to three parts replaced, moved, doubled or taken out."""
    body = copy.deepcopy(random.choice(BODIES))
    for _change in range(random.randint(1, 3)):
        here = places(body)
        if not here:
            break
        (container, key), (other, other_key) = random.choice(here), random.choice(here)
        change = random.randrange(4)
        if change == 0:
            container[key] = copy.deepcopy(value)
        elif change == 1:
            container[key] = copy.deepcopy(other[other_key])
        elif change == 2 and isinstance(container, list):
            container.insert(random.randrange(len(container) + 1), copy.deepcopy(container[key]))
        else:
            del container[key]
    return body


def assert_well_formed(response: Response) -> None:
    json.loads(response.content)
    assert response.headers["request-id"].startswith("req_01")
    if response.status == 200:
        assert response.events or response.body["type"] == "message"
        return
    assert response.status in (400, 404, 413, 429, 500, 503, 529)
    if response.headers["content-type"] == "text/plain":
        return
    assert response.body["type"] == "error"
    assert response.body["request_id"] == response.headers["request-id"]
    assert isinstance(response.body["error"]["type"], str)
    assert isinstance(response.body["error"]["message"], str)


@pytest.fixture(scope="module")
def doubles() -> list[Double]:
    return [Double(replay(name)) for name in NAMES]


@settings(max_examples=EXAMPLES, deadline=None)
@given(values=st.lists(JSON, min_size=5, max_size=5), seed=st.integers(0, 2**32))
def test_a_spoiled_request_is_answered_as_an_api_answers(doubles: list[Double], values: list[Any], seed: int) -> None:
    random = Random(seed)
    for _request in range(REQUESTS):
        body = spoiled(random, random.choice(values))
        body.pop("stream", None)
        response = random.choice(doubles).respond("/v1/messages", body, HEADERS)
        if response.outcome is None:
            assert_well_formed(response)
