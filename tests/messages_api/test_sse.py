from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import anthropic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.identifiers import new_id
from autograder.messages_api.sse import encode, events_of
from tests.messages_api.builders import BOTH, ORDER, answer, body, call, exchange, message, scenario, text

SEARCH = new_id("srvtoolu", "search")
CITED = {
    "type": "text",
    "text": "It arrives.",
    "citations": [{"type": "char_location", "cited_text": "arrives", "document_index": 0, "start_char_index": 0,
                   "end_char_index": 7, "document_title": None, "file_id": None}],
}  # fmt: skip
CONTENTS = [
    pytest.param([], id="no block"),
    pytest.param([text("Hello, lovely human!")], id="text"),
    pytest.param([text("")], id="empty text"),
    pytest.param(BOTH, id="text and two calls"),
    pytest.param([call(ORDER, "list_orders")], id="call without arguments"),
    pytest.param([call(ORDER, "x", a=[1, {"b": None}], c='ü "quoted"\n')], id="deep input"),
    pytest.param([{"type": "thinking", "thinking": "", "signature": "EqQB"}, text("Yes.")], id="omitted thinking"),
    pytest.param([{"type": "thinking", "thinking": "Let me see. " * 5, "signature": "EqQB"}], id="thinking"),
    pytest.param([{"type": "redacted_thinking", "data": "Eqop"}, text("Yes.")], id="redacted thinking"),
    pytest.param(
        [
            {"type": "server_tool_use", "id": SEARCH, "name": "web_search", "input": {"query": "tents"}},
            {"type": "web_search_tool_result", "tool_use_id": SEARCH, "content": []},
            CITED,
        ],
        id="server tool and citations",
    ),
]


def kinds(events: Iterable[Any]) -> list[str]:
    return [event["type"] for event in events]


def deltas(events: Iterable[Any], index: int = 0) -> list[dict[str, Any]]:
    return [e["delta"] for e in events if e["type"] == "content_block_delta" and e["index"] == index]


@pytest.mark.parametrize("content", CONTENTS)
def test_what_the_sdk_accumulates_equals_the_message(content: list[dict[str, Any]]) -> None:
    loaded = scenario(exchange("only", answer(content)))
    request = body(loaded)
    with loaded.client().messages.stream(**request) as stream:
        streamed = stream.get_final_message()
    whole = loaded.client().messages.create(**request)
    assert streamed.to_dict() == whole.to_dict()
    assert loaded.transcript[0].response == loaded.transcript[1].response


def test_the_events_come_in_the_recorded_order() -> None:
    events = events_of(message([text("Hi"), text("Ho")]), "key")
    names = [kind for kind in kinds(events) if kind != "content_block_delta"]
    assert names == [
        "message_start", "content_block_start", "ping", "content_block_stop", "content_block_start",
        "content_block_stop", "message_delta", "message_stop",
    ]  # fmt: skip
    assert kinds(events)[:4] == ["message_start", "content_block_start", "ping", "content_block_delta"]


def test_a_message_without_blocks_is_three_events() -> None:
    assert kinds(events_of(message([]), "key")) == ["message_start", "message_delta", "message_stop"]


def test_a_call_starts_empty_and_its_first_delta_is_empty() -> None:
    events = events_of(message([call(ORDER, "get_order", order_id="P-1001")], "tool_use"), "key")
    assert events[1]["content_block"] == call(ORDER, "get_order")  # type: ignore[index]
    pieces = [delta["partial_json"] for delta in deltas(events)]
    assert pieces[0] == ""
    assert json.loads("".join(pieces)) == {"order_id": "P-1001"}


def test_a_call_without_arguments_is_one_empty_delta() -> None:
    events = events_of(message([call(ORDER, "list_orders")], "tool_use"), "key")
    assert deltas(events) == [{"type": "input_json_delta", "partial_json": ""}]


def test_thinking_comes_before_its_signature() -> None:
    thinking = {"type": "thinking", "thinking": "Hm, let me think about that.", "signature": "EqQB"}
    events = events_of(message([thinking]), "key")
    assert events[1]["content_block"] == {"type": "thinking", "thinking": "", "signature": ""}  # type: ignore[index]
    assert [delta["type"] for delta in deltas(events)][-2:] == ["thinking_delta", "signature_delta"]


def test_the_stop_reason_stands_in_message_delta_alone() -> None:
    events: list[Any] = events_of(message([text("x")], "stop_sequence", stop_sequence="###"), "key")
    assert events[0]["message"]["stop_reason"] is None
    assert events[0]["message"]["stop_sequence"] is None
    assert events[-2]["delta"]["stop_reason"] == "stop_sequence"
    assert events[-2]["delta"]["stop_sequence"] == "###"
    assert events[-2]["usage"]["output_tokens"] == 50
    assert events[0]["message"]["usage"]["output_tokens"] < 50


def test_a_cut_call_streams_the_raw_json_that_arrived() -> None:
    raw = '{"order_id": "P-1001", "amount": 12'
    cut = answer([call(ORDER, "refund", order_id="P-1001", amount=12)], "max_tokens") | {"partial_json": {ORDER: raw}}
    loaded = scenario(exchange("cut", cut))
    with loaded.client().messages.stream(**body(loaded)) as stream:
        pieces = [e.partial_json for e in stream if e.type == "input_json"]
        final = stream.get_final_message()
    assert "".join(pieces) == raw
    assert final.stop_reason == "max_tokens"
    assert final.content[0].to_dict()["input"] == {"order_id": "P-1001", "amount": 12}


def test_events_given_word_by_word_are_sent_as_they_stand() -> None:
    events = events_of(message([text("Half")]), "key")[:3]
    loaded = scenario(
        exchange("breaks", {"status": 200, "events": [*events, "event: content_block_delta\ndata: {]\n\n"]})
    )
    with pytest.raises(json.JSONDecodeError):
        list(loaded.client().messages.create(**body(loaded), stream=True))
    assert kinds(loaded.transcript.last.response["events"][:3]) == ["message_start", "content_block_start", "ping"]


def test_a_stream_that_just_ends_leaves_a_message_without_a_stop_reason() -> None:
    events = events_of(message([call(ORDER, "get_order", order_id="P-1001")], "tool_use"), "key")[:-3]
    loaded = scenario(exchange("ends", {"status": 200, "events": events}))
    with loaded.client().messages.stream(**body(loaded)) as stream:
        assert stream.get_final_message().stop_reason is None


def test_a_scenario_of_events_alone_answers_no_request_for_json() -> None:
    loaded = scenario(exchange("ends", {"status": 200, "events": [{"type": "message_stop"}]}))
    with pytest.raises(anthropic.BadRequestError, match="stream"):
        loaded.client().messages.create(**body(loaded))


def test_an_error_event_after_200_is_an_api_error() -> None:
    fault = {"type": "error", "error": {"details": None, "type": "overloaded_error", "message": "Overloaded"}}
    events = [*events_of(message([text("Half")]), "key")[:4], fault]
    loaded = scenario(exchange("breaks", {"status": 200, "events": events}))
    with pytest.raises(anthropic.APIStatusError) as caught:
        list(loaded.client().messages.create(**body(loaded), stream=True))
    assert caught.value.status_code == 200
    assert len(loaded.transcript) == 1


def test_an_error_before_the_stream_is_plain_json() -> None:
    loaded = scenario(exchange("a", answer([text("x")])))
    with pytest.raises(anthropic.NotFoundError) as caught:
        loaded.client().messages.create(**body(loaded, model="claude-9"), stream=True)
    assert caught.value.response.headers["content-type"] == "application/json"


def test_data_lines_are_padded_and_pings_are_not() -> None:
    assert encode({"type": "ping"}) == 'event: ping\ndata: {"type": "ping"}\n\n'
    padded = [encode({"type": "content_block_stop", "index": index}) for index in range(40)]
    assert len({len(line) for line in padded}) > 5
    assert json.loads(padded[0].split("data: ")[1]) == {"type": "content_block_stop", "index": 0}


@settings(max_examples=60)
@given(words=st.text(max_size=200), key=st.text("abc", max_size=3))
def test_chunks_lose_nothing_and_are_the_same_for_the_same_key(words: str, key: str) -> None:
    events = events_of(message([text(words)]), key)
    assert "".join(delta["text"] for delta in deltas(events)) == words
    assert events == events_of(message([text(words)]), key)
    assert all(0 < len(delta["text"]) <= 24 for delta in deltas(events))


def test_the_events_have_the_keys_of_the_recordings(recordings: list[dict[str, Any]]) -> None:
    newest = [r["sse"] for r in recordings if r["file"].endswith("messages-probe_stream.json")]
    real = {shape for sse in newest for shape in shapes(parsed(sse))}
    made = {
        s for content in ([text("Hello, lovely human!")], BOTH[1:]) for s in shapes(events_of(message(content), "key"))
    }
    assert made == real


def parsed(sse: str) -> list[Any]:
    return [json.loads(line.removeprefix("data:")) for line in sse.splitlines() if line.startswith("data:")]


def shapes(events: list[Any]) -> list[tuple[str, ...]]:
    """The keys of every event, and of the objects inside it."""
    return [(event["type"], *sorted(paths(event))) for event in events]


def paths(value: Any, path: str = "") -> set[str]:
    if not isinstance(value, dict) or path.endswith(".input"):
        return {path}
    return {found for key, item in value.items() for found in paths(item, f"{path}.{key}")}
