from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import ASGIApp, Receive, Scope, Send

from autograder.authoring.loopback import Loopback
from autograder.messages_api.double import Double
from autograder.messages_api.errors import ScenarioError
from autograder.messages_api.recorder import Recording, RecordingError, Template, origin, record, template_of
from autograder.messages_api.scenario import Scenario, from_json
from autograder.messages_api.scrubbing import COOKIE, EMAIL, KEY, ORGANISATION, WORKSPACE, Scrubber
from autograder.messages_api.server import application
from autograder.messages_api.sse import events_of
from tests.messages_api.builders import (
    BOTH,
    HEADERS,
    HELP,
    ORDER,
    answer,
    assistant,
    body,
    call,
    data,
    error,
    exchange,
    message,
    result,
    scenario,
    text,
    two_tools,
    user,
)

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _retries_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)


LIVE_KEY = "sk-ant-api03-Abcdefghijklmnop_0123456789"
ORG = "3f2b8c1e-90aa-4c1d-b0f7-1a2b3c4d5e6f"
SECRET_HEADERS = [
    (b"anthropic-organization-id", ORG.encode()),
    (b"set-cookie", b"__cf_bm=Q2F0cyBhcmUgbmljZQ; path=/; HttpOnly"),
    (b"cf-ray", b"8c0ffee0f00d-FRA"),
]
RESULTS = [
    {"name": "get_order", "input": {"order_id": "P-1001"}, "content": "on its way"},
    {"name": "search_help", "input": {"query": "late"}, "content": "no article", "is_error": False},
]


def talkative(app: ASGIApp) -> ASGIApp:
    """The application with the headers by which a live answer tells who asked."""

    async def with_secrets(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(event: Any) -> None:
            if event["type"] == "http.response.start":
                event = {**event, "headers": [*event["headers"], *SECRET_HEADERS]}
            await send(event)

        await app(scope, receive, sending)

    return with_secrets


@contextmanager
def stand_in(played: Scenario) -> Iterator[str]:
    with Loopback(talkative(application({"live": played}))) as server:
        yield f"{server.url}/live"


def template(played: Scenario, **request: Any) -> Template:
    given_ = played.model_dump(mode="json", exclude_unset=True)["request"]
    return Template.model_validate({"title": "Two tools", "request": given_ | request, "results": RESULTS})


def recorded(played: Scenario, asked: Template | None = None, **more: Any) -> Recording:
    with stand_in(played) as url:
        return record(asked or template(played), api_key=LIVE_KEY, base_url=url, **more)


def test_a_conversation_with_tools_is_recorded_and_plays_again() -> None:
    played = two_tools()
    made = recorded(played, on=dt.date(2026, 12, 1))
    again = from_json(json.loads(made.text()))
    assert [e.answers[0].body for e in again.exchanges] == [played.exchanges[i].answers[0].body for i in (0, 2)]
    assert [(e.id, e.follows) for e in again.exchanges] == [("turn_1", None), ("turn_2", "turn_1")]
    turns = [assistant(BOTH), user([result(ORDER), result(HELP)])]
    reply = Double(again).respond("/v1/messages", body(again, *turns), HEADERS)
    assert reply.body["content"] == [text("P-1001 arrives on Monday.")]
    assert made.stop_reason == "end_turn"


def test_only_what_the_live_api_said_is_called_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    with stand_in(two_tools()) as url:
        monkeypatch.setattr("autograder.messages_api.recorder.LIVE", origin(url))
        made = record(template(two_tools()), api_key=LIVE_KEY, base_url=url)
    assert made.data["provenance"]["kind"] == "recorded"


def test_provenance_says_when_by_what_and_from_where() -> None:
    made = recorded(two_tools(), on=dt.date(2026, 12, 1))
    provenance = made.data["provenance"]
    assert provenance["kind"] == "written"
    assert provenance["model"] == "claude-sonnet-5-5"
    assert provenance["date"] == "2026-12-01"
    assert provenance["sdk"] == f"anthropic {anthropic.__version__}"
    assert provenance["api_version"] == "2026-10-21"
    assert all(identifier in provenance["note"] for identifier in made.request_ids)
    assert "from http://127.0.0.1:" in provenance["note"]


def test_only_headers_of_the_allow_list_are_kept() -> None:
    made = recorded(two_tools())
    headers = [exchange_["response"]["headers"] for exchange_ in made.data["exchanges"]]
    assert headers == [{"request-id": identifier} for identifier in made.request_ids]
    for secret in (LIVE_KEY, ORG, "Q2F0cyBhcmUgbmljZQ", "cf-ray"):
        assert secret not in made.text()


def test_a_result_that_is_an_error_becomes_a_condition() -> None:
    asked = template(two_tools())
    asked.results[0].is_error = True
    made = recorded(two_tools(), asked)
    assert made.data["exchanges"][1]["when"] == {"is_error": {ORDER: True}}
    assert made.data["exchanges"][1]["response"]["body"]["content"] == [text("I could not find it.")]


def test_calls_without_a_result_go_to_the_function() -> None:
    calls = []

    def tool(name: str, arguments: Json) -> Any:
        calls.append((name, arguments))
        if name == "get_order":
            raise LookupError("no such order")
        return {"articles": []}

    made = recorded(two_tools(), template(two_tools()).model_copy(update={"results": []}), tool=tool)
    assert calls == [("get_order", {"order_id": "P-1001"}), ("search_help", {"query": "late"})]
    assert made.data["exchanges"][1]["when"] == {"is_error": {ORDER: True}}


def test_a_call_that_nothing_answers_is_shown() -> None:
    asked = template(two_tools()).model_copy(update={"results": []})
    with pytest.raises(RecordingError) as caught:
        recorded(two_tools(), asked)
    assert '{"name": "get_order", "input": {"order_id": "P-1001"}}' in str(caught.value)


def test_a_pause_is_continued() -> None:
    searching = [{"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "x"}}]
    played = scenario(
        exchange("pauses", answer(searching, "pause_turn")),
        exchange("ends", answer([text("Found.")]), follows="pauses"),
        tools=[{"type": "web_search_20260318", "name": "web_search"}],
    )
    made = recorded(played)
    assert [e["response"]["body"]["stop_reason"] for e in made.data["exchanges"]] == ["pause_turn", "end_turn"]


def test_a_stream_is_recorded_with_its_events_and_the_whole_message() -> None:
    made = recorded(two_tools(), template(two_tools(), stream=True))
    first = made.data["exchanges"][0]["response"]
    assert first["body"] == two_tools().exchanges[0].answers[0].body
    again = from_json(made.data)
    reply = Double(again).respond("/v1/messages", body(again, stream=True), HEADERS)
    assert reply.events == tuple(first["events"])
    assert {event["type"] for event in first["events"]} >= {"message_start", "ping", "message_stop"}


def test_a_call_that_was_cut_off_keeps_its_raw_json() -> None:
    cut = answer([call(ORDER, "get_order", order_id="P-1")], "max_tokens") | {
        "partial_json": {ORDER: '{"order_id": "P-1'}
    }
    made = recorded(scenario(exchange("cut", cut)), template(two_tools(), stream=True))
    assert made.data["exchanges"][0]["response"]["partial_json"] == {ORDER: '{"order_id": "P-1'}


def test_a_failed_attempt_before_an_answer_is_left_out_and_counted() -> None:
    played = scenario(exchange("busy", [error(529, "overloaded_error", "Overloaded"), answer([text("Ok.")])]))
    made = recorded(played)
    assert (made.failed_attempts, len(made.request_ids)) == (1, 1)


FAILING = [
    pytest.param(error(400, "invalid_request_error", "Bad."), "The API answered 400", id="refused"),
    pytest.param({"outcome": "dropped"}, "The API was not reached", id="dropped"),
    pytest.param({"status": 200, "text": "<html>"}, "broke off|is no whole message", id="no JSON"),
]


@pytest.mark.parametrize(("response", "words"), FAILING)
def test_a_conversation_that_fails_is_no_recording(response: Json, words: str) -> None:
    with pytest.raises(RecordingError, match=words):
        recorded(scenario(exchange("fails", response)))


@pytest.mark.parametrize("kept", [4, -2, -1], ids=["in the text", "without a stop_reason", "without message_stop"])
def test_a_stream_that_is_dropped_is_no_recording(kept: int) -> None:
    events = events_of(message([text("Hello.")]), "k")[:kept]
    played = scenario(exchange("cut", {"events": events, "outcome": "dropped"}))
    with pytest.raises(RecordingError, match="broke off"):
        recorded(played, template(played, stream=True))


def test_a_stream_that_ends_too_early_is_no_recording() -> None:
    played = scenario(exchange("cut", {"events": events_of(message([text("Hello.")]), "k")[:-2]}))
    with pytest.raises(RecordingError, match="is no whole message"):
        recorded(played, template(played, stream=True))


def test_an_answer_without_a_request_id_does_not_come_from_the_api() -> None:
    played = scenario(exchange("anonymous", answer([text("Ok.")]) | {"headers": {"request-id": None}}))
    with pytest.raises(RecordingError, match="no request-id"):
        recorded(played)


SECRETS = (
    f"Key {LIVE_KEY}, org: {ORG}, "
    "mail ines.varga+1@kestrel-pine.shop and bo@kestrel-pine.shop, ines.varga+1@kestrel-pine.shop."
)
CLEAN = (
    "Key REMOVED_API_KEY, org: 00000000-0000-0000-0000-000000000000, "
    "mail someone@example.com and someone2@example.com, someone@example.com."
)


def test_secrets_are_scrubbed_from_the_message_and_from_events_that_split_them() -> None:
    played = scenario(
        exchange("tells", answer([text(SECRETS), call(ORDER, "get_order", order_id=SECRETS)], "max_tokens"))
    )
    made = recorded(played, template(played, stream=True))
    response = made.data["exchanges"][0]["response"]
    assert response["body"]["content"][0]["text"] == CLEAN
    assert response["body"]["content"][1]["input"] == {"order_id": CLEAN}
    deltas = [event["delta"] for event in response["events"] if event["type"] == "content_block_delta"]
    assert "".join(delta.get("text", "") for delta in deltas) == CLEAN
    assert json.loads("".join(delta.get("partial_json", "") for delta in deltas)) == {"order_id": CLEAN}
    assert len(deltas) > 10
    assert made.scrubbed == {KEY: 1, ORGANISATION: 1, EMAIL: 2}


def test_secrets_of_the_template_are_scrubbed_with_the_same_stand_ins() -> None:
    played = scenario(
        exchange("echoes", answer([text("bo@kestrel-pine.shop, sure.")])), prompt="I am bo@kestrel-pine.shop"
    )
    made = recorded(played)
    assert made.data["request"]["messages"] == [user("I am someone@example.com")]
    assert made.data["exchanges"][0]["response"]["body"]["content"] == [text("someone@example.com, sure.")]


def test_what_headers_give_away_is_scrubbed_from_texts() -> None:
    played = scenario(exchange("tells", answer([text(f"It is {ORG}, with Q2F0cyBhcmUgbmljZQ.")])))
    made = recorded(played)
    assert made.scrubbed == {ORGANISATION: 1, COOKIE: 1}
    said = made.data["exchanges"][0]["response"]["body"]["content"][0]["text"]
    assert said == "It is 00000000-0000-0000-0000-000000000000, with REMOVED_COOKIE."


def test_the_words_of_a_refusal_are_scrubbed_too() -> None:
    limit = error(429, "rate_limit_error", f"rate limit of 5 tokens (org: {ORG})", x_should_retry="false")
    with pytest.raises(RecordingError) as caught:
        recorded(scenario(exchange("limit", limit)))
    assert ORG not in str(caught.value)


@given(
    pieces=st.lists(st.sampled_from([*LIVE_KEY, " ", "a@b", ".shop", "@", "é", LIVE_KEY[:9], LIVE_KEY[9:], LIVE_KEY]))
)
def test_a_text_in_pieces_is_scrubbed_as_the_text_in_one(pieces: list[str]) -> None:
    def delta(fragment: str) -> Json:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": fragment}}

    scrubber = Scrubber()
    clean = scrubber.events([delta(piece) for piece in pieces])
    joined = "".join(event["delta"]["text"] for event in clean if isinstance(event, dict))
    assert joined == Scrubber().text("".join(pieces))
    assert scrubber.remaining(joined) == []
    assert LIVE_KEY not in joined


@pytest.mark.parametrize(
    ("kind", "secret", "clean"),
    [
        (WORKSPACE, "in wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ now", "in wrkspc_removed now"),
        (ORGANISATION, f'"organization_id": "{ORG}"', '"organization_id": "00000000-0000-0000-0000-000000000000"'),
        (ORGANISATION, f"your organization ({ORG})", "your organization (00000000-0000-0000-0000-000000000000)"),
        (KEY, "sk-ant-admin01-abcdefgh!", "REMOVED_API_KEY!"),
        (EMAIL, "<a.b@sub.kestrel.co.uk>", "<someone@example.com>"),
    ],
)
def test_each_kind_of_secret_is_recognised(kind: str, secret: str, clean: str) -> None:
    scrubber = Scrubber()
    assert scrubber.remaining(secret) == [kind]
    assert scrubber.text(secret) == clean
    assert scrubber.counts == {kind: 1}
    assert scrubber.remaining(clean) == []


@pytest.mark.parametrize(
    "harmless",
    ["ines@example.com", "a@mail.example.org", "x@shop.test", "sk-ant-...", "@beta_tool", "P-1001", f"order {ORG}"],
)
def test_what_only_looks_private_is_let_stand(harmless: str) -> None:
    assert Scrubber().text(harmless) == harmless


def test_a_short_key_of_a_stand_in_takes_no_words_out_of_texts() -> None:
    scrubber = Scrubber()
    scrubber.learn(KEY, "test")
    assert scrubber.text("a test") == "a test"


def test_a_recording_that_still_holds_something_private_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scrubber, "value", lambda _self, value: value)
    with pytest.raises(RecordingError, match=r"still holds what looks private \(e-mail address\)"):
        recorded(scenario(exchange("tells", answer([text("bo@kestrel-pine.shop")]))))


def test_a_scenario_file_is_a_template_by_its_request(tmp_path: Path) -> None:
    path = tmp_path / "hello.json"
    path.write_text(json.dumps(data(exchange("hello", answer([text("Hello.")])))), encoding="utf-8")
    found = template_of(path)
    assert (found.title, found.results) == ("A test conversation", [])
    assert found.request.messages == [user("Where is order P-1001?")]


BROKEN = [
    pytest.param(
        '{"title": "x", "request": {"model": "m"}}', "request.max_tokens: this field is required", id="template"
    ),
    pytest.param('{"title": ', "not valid JSON", id="no JSON"),
    pytest.param('{"format": 1}', "title: this field is required", id="scenario"),
    pytest.param(None, "There is no scenario named 'x'", id="missing"),
]


@pytest.mark.parametrize(("content", "words"), BROKEN)
def test_a_template_that_is_none_is_explained(tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "x.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(ScenarioError, match=words):
        template_of(path)


def test_a_base_url_is_written_down_without_what_it_may_hide() -> None:
    assert origin("https://me:pass@gateway.kestrel.shop:8443/v1?key=1") == "https://gateway.kestrel.shop:8443"
    assert origin("https://api.anthropic.com/") == "https://api.anthropic.com"


def test_an_api_that_is_not_there_is_said_so() -> None:
    with stand_in(two_tools()) as url:
        pass
    with pytest.raises(RecordingError, match="was not reached"):
        record(template(two_tools()), api_key=LIVE_KEY, base_url=url)
    assert httpx2.URL(url).host == "127.0.0.1"
