from __future__ import annotations

import copy
import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.double import Double
from autograder.messages_api.identifiers import looks_real, new_id
from autograder.messages_api.response import Response
from tests.messages_api.builders import (
    BOTH,
    HEADERS,
    HELP,
    MODEL,
    ORDER,
    THREADS,
    TOOLS,
    answer,
    ask,
    assistant,
    body,
    call,
    error,
    exchange,
    message,
    result,
    said,
    scenario,
    text,
    two_tools,
    user,
)

RESULTS = user([result(ORDER), result(HELP)])


def test_the_first_request_is_answered_whatever_its_prompt() -> None:
    double = Double(two_tools())
    for prompt in ("Where is order P-1001?", "Something else"):
        response = ask(double, {"model": MODEL, "max_tokens": 100, "messages": [user(prompt)]})
        assert response.status == 200
        assert response.body["content"] == BOTH


def test_the_conversation_so_far_chooses_the_answer() -> None:
    loaded = two_tools()
    response = ask(Double(loaded), body(loaded, assistant(BOTH), RESULTS))
    assert said(response) == "P-1001 arrives on Monday."


def test_an_empty_assistant_turn_is_no_beginning() -> None:
    loaded = scenario(exchange("first", answer([text("Hello.")])))
    response = ask(Double(loaded), body(loaded, assistant([]), user("Please continue.")))
    assert response.body["error"]["type"] == "replay_mismatch"


def test_the_first_exchange_whose_conditions_hold_wins() -> None:
    loaded = two_tools()
    failed = user([result(ORDER, "no such order", is_error=True), result(HELP)])
    assert said(ask(Double(loaded), body(loaded, assistant(BOTH), failed))) == "I could not find it."


def test_replaying_and_running_a_cell_twice_give_the_same_answers() -> None:
    loaded = two_tools()
    double = Double(loaded)
    turns = [body(loaded), body(loaded, assistant(BOTH), RESULTS), body(loaded), body(loaded, assistant(BOTH), RESULTS)]
    answers = [ask(double, turn).body for turn in turns]
    assert answers[:2] == answers[2:]


def test_parallel_conversations_do_not_disturb_each_other() -> None:
    loaded = two_tools()
    double = Double(loaded)
    ask(double, body(loaded))
    ask(double, body(loaded))
    failed = user([result(ORDER, "gone", is_error=True), result(HELP)])
    assert said(ask(double, body(loaded, assistant(BOTH), failed))) == "I could not find it."
    assert said(ask(double, body(loaded, assistant(BOTH), RESULTS))) == "P-1001 arrives on Monday."


def test_what_a_caller_does_to_an_answer_changes_no_later_one() -> None:
    double = Double(two_tools())
    first = ask(double, body(two_tools()))
    first.body["content"].clear()
    assert ask(double, body(two_tools())).body["content"] == BOTH


def test_two_pauses_are_followed_as_one_turn() -> None:
    first = {"type": "server_tool_use", "id": new_id("srvtoolu", 1), "name": "web_search", "input": {"query": "a"}}
    found = {"type": "web_search_tool_result", "tool_use_id": first["id"], "content": []}
    second = {"type": "server_tool_use", "id": new_id("srvtoolu", 2), "name": "web_search", "input": {"query": "b"}}
    search = [{"type": "web_search_20250305", "name": "web_search"}]
    loaded = scenario(
        exchange("pauses", answer([first], "pause_turn")),
        exchange("pauses_again", answer([found, second], "pause_turn"), follows="pauses"),
        exchange("ends", answer([text("Done.")]), follows="pauses_again"),
        tools=search,
    )
    double = Double(loaded)
    assert ask(double, body(loaded, assistant([first]))).body["content"] == [found, second]
    assert said(ask(double, body(loaded, assistant([first]), assistant([found, second])))) == "Done."
    assert said(ask(double, body(loaded, assistant([first, found, second])))) == "Done."
    assert loaded.transcript.notes == []


def test_a_paused_turn_is_followed_by_its_last_reply_alone() -> None:
    search = {"type": "server_tool_use", "id": new_id("srvtoolu", 1), "name": "web_search", "input": {"query": "a"}}
    ends = [{"type": "web_search_tool_result", "tool_use_id": search["id"], "content": []}, text("Found.")]
    loaded = scenario(
        exchange("pauses", answer([search], "pause_turn")),
        exchange("ends", answer(ends), follows="pauses"),
        exchange("goes_on", answer([text("Gladly.")]), follows="ends"),
        tools=[{"type": "web_search_20250305", "name": "web_search"}],
    )
    request = body(loaded, assistant([search]), assistant(ends), user("And another?"))
    assert said(ask(Double(loaded), request)) == "Gladly."
    assert loaded.transcript.notes == []


def test_an_exact_conversation_goes_before_one_that_is_only_alike() -> None:
    loaded = scenario(
        exchange("short", answer([text("Yes.")]), user_contains="short"),
        exchange("long", answer([text("Oh. Yes.")])),
        exchange("after_short", answer([text("after the short one")]), follows="short"),
        exchange("after_long", answer([text("after the long one")]), follows="long"),
    )
    request = body(loaded, assistant([text("Oh. Yes.")]), user("Why?"))
    assert said(ask(Double(loaded), request)) == "after the long one"


CONDITIONS = [
    pytest.param({"max_tokens": {"at_least": 2048}}, {"max_tokens": 2048}, {"max_tokens": 2047}, id="at least"),
    pytest.param({"max_tokens": {"below": 2048}}, {"max_tokens": 2047}, {"max_tokens": 2048}, id="below"),
    pytest.param({"stream": False}, {}, {"stream": True}, id="stream"),
    pytest.param({"tool_choice": "auto"}, {}, {"tool_choice": {"type": "none"}}, id="tool choice absent"),
    pytest.param({"tool_choice": "none"}, {"tool_choice": {"type": "none"}}, {}, id="tool choice"),
    pytest.param(
        {"forced_tool": "get_order"},
        {"model": "claude-sonnet-5", "tool_choice": {"type": "tool", "name": "get_order"}},
        {"model": "claude-sonnet-5", "tool_choice": {"type": "tool", "name": "search_help"}},
        id="the tool that is forced",
    ),
    pytest.param(
        {"forced_tool": "get_order"},
        {"model": "claude-sonnet-5", "tool_choice": {"type": "tool", "name": "get_order"}},
        {},
        id="no tool is forced",
    ),
    pytest.param({"model": "claude-opus-5"}, {"model": "claude-opus-5"}, {}, id="model"),
    pytest.param({"system_contains": "Kind"}, {"system": "be kind"}, {"system": "be brief"}, id="system"),
    pytest.param({"system_contains": "kind"}, {"system": [text("Be kind.")]}, {}, id="system in blocks"),
    pytest.param(
        {"user_contains": "where is"}, {}, {"messages": [user("What is a tent?")]}, id="the text of the user turn"
    ),
    pytest.param({"tool_names": ["get_order"]}, {"tools": TOOLS[:1]}, {"tools": TOOLS}, id="tools"),
    pytest.param({"tool_names": []}, {"tools": []}, {"tools": TOOLS[:1]}, id="no tools"),
]


@pytest.mark.parametrize(("when", "meets", "misses"), CONDITIONS)
def test_a_condition_lets_through_what_meets_it_only(when: Any, meets: Any, misses: Any) -> None:
    loaded = scenario(exchange("only", answer([text("yes")]), **when))
    assert said(ask(Double(loaded), body(loaded, **meets))) == "yes"
    missed = ask(Double(loaded), body(loaded, **misses))
    assert missed.body["error"]["type"] == "replay_mismatch"
    assert missed.body["error"]["details"]["agreed"] == ["the conversation begins"]
    assert len(missed.body["error"]["details"]["differed"]) == 1


def test_text_after_results_can_lead_to_an_empty_ending() -> None:
    loaded = scenario(
        exchange("asks", answer(BOTH, "tool_use")),
        exchange("ends_empty", answer([]), follows="asks", text_after_results=True),
        exchange("ends", answer([text("Here.")]), follows="asks"),
    )
    double = Double(loaded)
    after = user([result(ORDER), result(HELP), text("Go on.")])
    assert ask(double, body(loaded, assistant(BOTH), after)).body["content"] == []
    assert said(ask(double, body(loaded, assistant(BOTH), RESULTS))) == "Here."


def test_several_first_exchanges_are_told_apart_by_the_prompt() -> None:
    loaded = scenario(
        exchange("greets", answer([text("Hello!")]), user_contains="greet"),
        exchange("packs", answer([text("A tent.")]), user_contains="pack"),
    )
    double = Double(loaded)
    assert said(ask(double, body(loaded, messages=[user("Please GREET me.")]))) == "Hello!"
    assert said(ask(double, body(loaded, messages=[user("What do I pack?")]))) == "A tent."


def test_a_request_that_the_api_refuses_is_refused_before_anything_is_looked_up() -> None:
    loaded = two_tools()
    response = ask(Double(loaded), body(loaded, assistant(BOTH), user([result(ORDER)])))
    assert response.status == 400
    assert response.body["error"]["type"] == "invalid_request_error"
    assert said(response).startswith("messages.1: `tool_use` ids were found without `tool_result` blocks immediately")
    assert HELP in said(response)
    assert response.headers["x-should-retry"] == "false"
    assert response.headers["request-id"] == response.body["request_id"]
    assert not any(name.startswith("anthropic-ratelimit") for name in response.headers)


def test_a_scenario_plays_on_its_own_day_unless_another_is_given() -> None:
    loaded = scenario(exchange("only", answer([text("yes")])))
    old = body(loaded, model="claude-sonnet-4-5")
    assert ask(Double(loaded, on=dt.date(2026, 6, 1)), old).status == 200
    refused = ask(Double(loaded, on=dt.date(2027, 6, 1)), old)
    assert (refused.status, said(refused)) == (404, "model: claude-sonnet-4-5")
    early = loaded.model_copy(deep=True)
    early.provenance.date = dt.date(2026, 6, 1)
    assert ask(Double(early), old).status == 200


def test_a_mismatch_names_the_nearest_exchange_and_what_differed() -> None:
    loaded = two_tools()
    changed = copy.deepcopy(BOTH)
    changed[1]["input"]["order_id"] = "P-9999"
    response = ask(Double(loaded), body(loaded, assistant(changed), RESULTS))
    assert response.status == 400
    assert response.headers["x-should-retry"] == "false"
    assert response.body["error"]["type"] == "replay_mismatch"
    words = said(response)
    assert "nearest   answers" in words
    assert "agreed    2 of 3 blocks" in words
    assert "P-1001" in words
    assert "P-9999" in words
    assert all(len(line) <= 76 for line in words.splitlines())
    details = response.body["error"]["details"]
    assert details["scenario"] == "A test conversation"
    assert details["nearest"] == "answers"
    assert details["differed"][0]["what"] == "the last assistant turn ends with the reply asks_both"


def test_a_call_left_out_of_a_reply_is_a_mismatch_that_shows_both_turns() -> None:
    loaded = two_tools()
    response = ask(Double(loaded), body(loaded, assistant(BOTH[:2]), user([result(ORDER)])))
    differed = response.body["error"]["details"]["differed"]
    assert response.body["error"]["type"] == "replay_mismatch"
    assert HELP in differed[0]["recorded"]
    assert HELP not in differed[0]["sent"]


ALTERED = [
    pytest.param(BOTH, [], id="word for word"),
    pytest.param(BOTH[1:], ["altered: text block 0 of message 1 left out"], id="text left out"),
    pytest.param([text("Other."), *BOTH[1:]], ["altered: text block 0 of message 1 changed"], id="text changed"),
    pytest.param([*BOTH[:1], text("More."), *BOTH[1:]], ["altered: text block 1 of message 1 added"], id="text added"),
    pytest.param([text("  "), *BOTH], [], id="a blank text block is no alteration"),
]


@pytest.mark.parametrize(("sent", "notes"), ALTERED)
def test_an_altered_reply_is_answered_and_noted(sent: Any, notes: list[str]) -> None:
    loaded = two_tools()
    assert said(ask(Double(loaded), body(loaded, assistant(sent), RESULTS))) == "P-1001 arrives on Monday."
    assert list(loaded.transcript.last.notes) == notes


def test_an_alteration_of_an_earlier_turn_is_noted_too() -> None:
    again = call(new_id("toolu", "again"), "get_order", order_id="P-2")
    loaded = scenario(
        exchange("asks", answer(BOTH, "tool_use")),
        exchange("asks_again", answer([again], "tool_use"), follows="asks"),
        exchange("ends", answer([text("Done.")]), follows="asks_again"),
    )
    last = [assistant([again]), user([result(again["id"])])]
    ask(Double(loaded), body(loaded, assistant(BOTH[1:]), RESULTS, *last))
    assert loaded.transcript.last.notes == ("altered: text block 0 of message 1 left out",)
    ask(Double(loaded), body(loaded, messages=[loaded.messages[0], *last]))
    assert loaded.transcript.last.notes == ("altered: an earlier assistant turn left out",)
    ask(Double(loaded), body(loaded, messages=last))
    assert loaded.transcript.last.notes[0] == "altered: the first user turn left out"


def thinking(words: str = "", signature: str = "EqQBCkYIBx") -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": signature}


THOUGHT = [thinking(), *BOTH]
THINKING = [
    pytest.param([thinking("", "Eforeign"), *BOTH], "messages.1.content.0: Invalid `signature` in", id="foreign"),
    pytest.param([thinking("Edited."), *BOTH], "in the latest assistant message cannot be modified", id="edited"),
]


@pytest.mark.parametrize(("sent", "words"), THINKING)
def test_thinking_that_came_back_changed_is_refused(sent: Any, words: str) -> None:
    loaded = scenario(
        exchange("asks", answer(THOUGHT, "tool_use")), exchange("ends", answer([text("Done.")]), follows="asks")
    )
    response = ask(Double(loaded), body(loaded, assistant(sent), RESULTS))
    assert response.body["error"]["type"] == "invalid_request_error"
    assert words in said(response)
    assert said(ask(Double(loaded), body(loaded, assistant(THOUGHT), RESULTS))) == "Done."


def test_a_history_without_any_thinking_is_answered_and_noted() -> None:
    loaded = scenario(
        exchange("asks", answer(THOUGHT, "tool_use")), exchange("ends", answer([text("Done.")]), follows="asks")
    )
    assert said(ask(Double(loaded), body(loaded, assistant(BOTH), RESULTS))) == "Done."
    assert loaded.transcript.last.notes == ("altered: thinking block 0 of message 1 left out",)


BUSY = [
    error(429, "rate_limit_error", "Slow down.", retry_after="3"),
    error(529, "overloaded_error", "Overloaded"),
    answer([text("At last.")]),
]


def test_attempts_answer_the_same_request_one_after_the_other_and_the_last_stays() -> None:
    loaded = scenario(exchange("busy", BUSY))
    double = Double(loaded)
    responses = [ask(double, body(loaded)) for _ in range(4)]
    assert [response.status for response in responses] == [429, 529, 200, 200]
    assert responses[0].headers["retry-after"] == "3"
    assert [r.headers.get("retry-after-ms") for r in responses] == ["1", "1", None, None]
    assert [r.headers.get("x-should-retry") for r in responses] == ["true", "true", None, None]
    assert [ask(Double(loaded), body(loaded)).status for _ in range(2)] == [429, 429]


def test_another_request_has_its_own_attempts() -> None:
    loaded = scenario(exchange("busy", BUSY))
    double = Double(loaded)
    assert [ask(double, body(loaded, max_tokens=n)).status for n in (10, 11, 10)] == [429, 429, 529]


def test_an_attempt_can_choose_the_exchange() -> None:
    loaded = scenario(exchange("first", answer([text("one")]), attempt=1), exchange("later", answer([text("two")])))
    double = Double(loaded)
    assert [said(ask(double, body(loaded))) for _ in range(3)] == ["one", "two", "two"]


def test_a_header_of_null_takes_out_what_the_double_would_add() -> None:
    loaded = scenario(exchange("a", error(429, "rate_limit_error", "Too large.", x_should_retry="false", vary=None)))
    headers = ask(Double(loaded), body(loaded)).headers
    assert "vary" not in headers
    assert headers["x-should-retry"] == "false"
    assert "retry-after-ms" not in headers


def test_an_answer_of_the_edge_is_plain_text() -> None:
    loaded = scenario(exchange("a", {"status": 503, "text": "upstream connect error"}))
    response = ask(Double(loaded), body(loaded))
    assert (response.status, response.content) == (503, b"upstream connect error")
    assert response.headers["content-type"] == "text/plain"
    assert loaded.transcript.last.response == {"text": "upstream connect error"}


def test_ids_come_from_the_request_and_look_real() -> None:
    loaded = two_tools()
    one, other = (ask(Double(loaded), body(loaded)).headers["request-id"] for _ in range(2))
    assert one == other
    assert looks_real(one)
    double = Double(loaded)
    assert len({ask(double, body(loaded)).headers["request-id"] for _ in range(3)}) == 3


KEYS = [
    pytest.param({}, 401, id="none"),
    pytest.param({"Authorization": "Bearer "}, 401, id="empty bearer"),
    pytest.param({"Authorization": "Basic abc"}, 401, id="another scheme"),
    pytest.param({"X-Api-Key": "anything"}, 200, id="x-api-key"),
    pytest.param({"authorization": "bearer anything"}, 200, id="bearer"),
]


@pytest.mark.parametrize(("headers", "status"), KEYS)
def test_a_key_has_to_be_there_and_any_key_will_do(headers: dict[str, str], status: int) -> None:
    loaded = two_tools()
    response = ask(Double(loaded), body(loaded), headers)
    assert response.status == status
    if status == 401:
        assert response.body["error"] == {"type": "authentication_error", "message": "x-api-key header is required"}


def test_a_query_is_accepted_and_another_path_is_not_found() -> None:
    loaded = two_tools()
    double = Double(loaded)
    assert double.respond("/v1/messages?beta=true", body(loaded), HEADERS).status == 200
    missing = double.respond("/v1/complete", {}, HEADERS)
    assert (missing.status, missing.body["error"]["type"]) == (404, "not_found_error")
    assert missing.body["type"] == "error"


def test_tokens_are_counted_by_the_recording_or_estimated() -> None:
    loaded = two_tools()
    double = Double(loaded)
    request = body(loaded, max_tokens=None)
    assert double.respond("/v1/messages/count_tokens", request, HEADERS).body == {"input_tokens": 381}
    longer = request | {"messages": [user("word " * 500), assistant("unknown"), user("more")]}
    assert double.respond("/v1/messages/count_tokens", longer, HEADERS).body["input_tokens"] > 300
    refused = double.respond("/v1/messages/count_tokens", request | {"messages": []}, HEADERS)
    assert said(refused) == "messages: at least one message is required"


def test_models_are_listed_and_named() -> None:
    double = Double(two_tools())
    listed = double.respond("/v1/models?limit=20", {}, HEADERS).body
    assert MODEL in {model["id"] for model in listed["data"]}
    assert double.respond(f"/v1/models/{MODEL}", {}, HEADERS).body["display_name"] == "Claude Sonnet 5.5"
    dated = double.respond("/v1/models/claude-haiku-4-5", {}, HEADERS).body
    assert (dated["id"], dated["display_name"]) == ("claude-haiku-4-5-20251001", "Claude Haiku 4.5")
    assert said(double.respond("/v1/models/claude-9", {}, HEADERS)) == "model: claude-9"


def test_a_thread_is_continued_with_the_new_turn_alone() -> None:
    loaded = two_tools()
    double = Double(loaded)
    first = ask(double, body(loaded, thread={"type": "create"}), THREADS)
    thread = {"type": "continue", "previous_message_id": first.body["id"]}
    turn = {"model": MODEL, "max_tokens": 100, "messages": [RESULTS], "thread": thread}
    assert said(ask(double, turn, THREADS)) == "P-1001 arrives on Monday."
    assert loaded.transcript.last.notes == ("thread: 2 messages held by the server",)
    open_call = ask(double, turn | {"messages": [user([result(ORDER)])]}, THREADS)
    assert said(open_call).startswith("messages.1: `tool_use` ids were found without")


def test_a_thread_that_is_not_known_is_not_found() -> None:
    loaded = two_tools()
    thread = {"type": "continue", "previous_message_id": new_id("msg", "lost")}
    response = ask(Double(loaded), body(loaded, thread=thread), THREADS)
    assert response.status == 404
    assert response.body["error"]["details"] == {"error_code": "thread_not_found"}


def test_a_refused_turn_is_not_kept_in_a_thread() -> None:
    loaded = scenario(exchange("refuses", answer([], "refusal")))
    double = Double(loaded)
    refused = ask(double, body(loaded, thread={"type": "create"}), THREADS)
    thread = {"type": "continue", "previous_message_id": refused.body["id"]}
    assert ask(double, body(loaded, thread=thread), THREADS).status == 404


def test_every_request_stands_in_the_transcript_with_its_answer() -> None:
    loaded = two_tools()
    double = Double(loaded)
    ask(double, body(loaded))
    ask(double, {"model": MODEL}, HEADERS)
    double.respond("/v1/models", {}, HEADERS)
    assert [(c.number, c.path, c.status) for c in loaded.transcript] == [
        (1, "/v1/messages", 200),
        (2, "/v1/messages", 400),
        (3, "/v1/models", 200),
    ]
    assert loaded.transcript[0].request == body(loaded)
    assert loaded.transcript[0].response["content"] == BOTH


def test_the_transcript_keeps_the_request_as_it_was_sent() -> None:
    loaded = two_tools()
    request = body(loaded)
    ask(Double(loaded), request)
    request["messages"].append(user("later"))
    assert len(loaded.transcript[0].request["messages"]) == 1


def test_a_response_crosses_to_another_process_as_json() -> None:
    loaded = two_tools()
    for request in (body(loaded), body(loaded, stream=True), {"model": MODEL}):
        response = ask(Double(loaded), request)
        assert Response.from_json(json.loads(json.dumps(response.to_json()))) == response


ENVELOPE = {
    "model", "id", "type", "role", "content", "container", "stop_reason", "stop_sequence", "stop_details", "usage",
    "diagnostics",
}  # fmt: skip


def test_our_headers_and_envelopes_have_the_keys_of_the_recordings(recordings: list[dict[str, Any]]) -> None:
    loaded = two_tools()
    streamed = ask(Double(loaded), body(loaded, stream=True)).headers
    newest = next(r for r in recordings if r["file"].endswith("messages-probe_stream.json"))
    # The transport adds these two, and they belong to the connection.
    assert set(streamed) == set(newest["headers"]) - {"connection", "transfer-encoding"}
    refused = ask(Double(loaded), {"model": MODEL})
    old = next(r for r in recordings if r["status"] == 400 and "content-security-policy" in r["headers"])
    assert set(refused.body) == {"type", "error", "request_id"} >= set(old["response"])
    assert set(old["headers"]) - {"connection", "content-length", "transfer-encoding", "content-encoding"} - set(
        refused.headers
    ) <= {"x-envoy-upstream-service-time", "server-timing", "traceresponse"}
    assert set(ask(Double(loaded), body(loaded)).body) == ENVELOPE


_KEYS = ["type", "role", "content", "text", "id", "tool_use_id", "input", "name", "thinking", "signature", "source"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=12,
)
_BODIES = st.fixed_dictionaries(
    {"model": st.just(MODEL), "max_tokens": st.just(10), "messages": st.lists(JSON, max_size=3) | JSON},
    optional={key: JSON for key in ("system", "tools", "tool_choice", "thread", "stream", "thinking", "metadata")},
)


@settings(max_examples=150)
@given(sent=_BODIES)
def test_no_body_gets_anything_but_an_answer_in_the_apis_shape(sent: dict[str, Any]) -> None:
    response = ask(Double(two_tools()), sent, THREADS)
    if response.status == 200:
        assert response.events is not None or response.body["type"] == "message"
    else:
        assert response.status in (400, 404)
        assert response.body["type"] == "error"
        assert response.body["request_id"] == response.headers["request-id"]


def test_a_message_in_a_scenario_may_hold_blocks_nobody_knows() -> None:
    loaded = scenario(exchange("a", answer([{"type": "hologram", "depth": 3}])))
    assert ask(Double(loaded), body(loaded)).body == message([{"type": "hologram", "depth": 3}])
