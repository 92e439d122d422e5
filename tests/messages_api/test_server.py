from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from autograder.authoring.loopback import Loopback
from autograder.messages_api.request_body import DEEPEST_BODY, LARGEST_BODY, read_body
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.server import application
from tests.messages_api.builders import (
    HEADERS,
    HELP,
    MODEL,
    ORDER,
    answer,
    assistant,
    body,
    call,
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
NAMES = [f"customer {number}." for number in range(100)]
EVENTS = [{"type": "message_start", "message": message([])}, {"type": "ping"}]


def busy() -> Scenario:
    attempts = [
        error(429, "rate_limit_error", "Slow down.", retry_after="30"),
        error(529, "overloaded_error", "Overloaded"),
        answer([text("At last.")]),
    ]
    return scenario(exchange("busy", attempts))


def lost() -> Scenario:
    return scenario(
        exchange("at_once", {"outcome": "dropped"}, user_contains="at once"),
        exchange("in_stream", {"events": EVENTS, "outcome": "dropped"}, user_contains="in mid-stream"),
        exchange("silent", {"outcome": "timeout"}, user_contains="silence"),
        exchange("silent_stream", {"events": EVENTS, "outcome": "timeout"}, user_contains="then nothing"),
        exchange("edge", {"status": 503, "text": "upstream connect error"}, user_contains="edge"),
        exchange("framed", answer([text("Ok.")]) | {"headers": {"content-length": "3", "Connection": "x"}}),
    )


def crowd() -> Scenario:
    return scenario(*(exchange(f"e{i}", answer([text(name)]), user_contains=name) for i, name in enumerate(NAMES)))


def scenarios() -> dict[str, Scenario]:
    return {"two_tools": two_tools(), "busy": busy(), "lost": lost(), "crowd": crowd()}


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with Loopback(application(scenarios())) as server:
        yield server.url


def client(base_url: str, **more: Any) -> anthropic.Anthropic:
    return anthropic.Anthropic(
        api_key="test", base_url=base_url, http_client=httpx2.Client(trust_env=False), **({"max_retries": 0} | more)
    )


@pytest.fixture
def two(served: str) -> Iterator[anthropic.Anthropic]:
    with client(f"{served}/two_tools") as opened:
        yield opened


def said(reply: anthropic.types.Message) -> str:
    return "".join(block.text for block in reply.content if block.type == "text")


def test_the_sdk_plays_a_conversation_by_its_base_url_alone(two: anthropic.Anthropic) -> None:
    given_ = two_tools()
    first = two.messages.create(**body(given_))
    assert first.to_dict() == given_.exchanges[0].answers[0].body
    last = two.messages.create(**body(given_, assistant(first.content), user([result(ORDER), result(HELP)])))
    assert said(last) == "P-1001 arrives on Monday."


def test_a_stream_gives_the_same_message_as_json(two: anthropic.Anthropic) -> None:
    given_ = two_tools()
    with two.messages.stream(**body(given_)) as stream:
        assert stream.response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.get_final_message().to_dict() == two.messages.create(**body(given_)).to_dict()
    types = [event.type for event in two.messages.create(**body(given_), stream=True)]
    assert (types[0], types[-1]) == ("message_start", "message_stop")


def test_the_raw_response_has_the_headers_of_the_double(two: anthropic.Anthropic) -> None:
    raw = two.messages.with_raw_response.create(**body(two_tools()))
    assert raw.headers["request-id"].startswith("req_011C")
    assert raw.headers["anthropic-ratelimit-requests-limit"] == "1000"
    assert raw.headers.get_list("date") == ["Mon, 30 Nov 2026 12:00:00 GMT"]
    assert raw.parse().stop_reason == "tool_use"


def test_tokens_are_counted_and_models_listed(two: anthropic.Anthropic) -> None:
    request = body(two_tools(), max_tokens=None)
    assert two.messages.count_tokens(**request).input_tokens == 381
    assert MODEL in [model.id for model in two.models.list()]
    assert two.models.retrieve(MODEL).id == MODEL
    with pytest.raises(anthropic.NotFoundError) as caught:
        two.models.retrieve("claude-none")
    assert "model: claude-none" in str(caught.value)


def test_a_hundred_conversations_at_once_are_not_mixed_up(served: str) -> None:
    async def conversation(asking: anthropic.AsyncAnthropic, name: str) -> list[str]:
        request = body(crowd(), messages=[user(f"I am {name}")])
        first = await asking.messages.create(**request)
        async with asking.messages.stream(**request) as stream:
            pieces = [piece async for piece in stream.text_stream]
        return [said(first), "".join(pieces)]

    async def all_of_them() -> list[list[str]]:
        http_client = httpx2.AsyncClient(trust_env=False)
        async with anthropic.AsyncAnthropic(
            api_key="test", base_url=f"{served}/crowd", http_client=http_client, max_retries=0
        ) as asking:
            return await asyncio.gather(*(conversation(asking, name) for name in NAMES))

    assert asyncio.run(all_of_them()) == [[name, name] for name in NAMES]


def test_the_sdk_retries_through_the_attempts_of_a_scenario() -> None:
    with Loopback(application({"busy": busy()})) as server, client(f"{server.url}/busy", max_retries=2) as asking:
        assert said(asking.messages.create(**body(busy()))) == "At last."


def test_attempts_are_counted_for_all_clients_of_a_server() -> None:
    with Loopback(application({"busy": busy()})) as server:
        statuses = []
        for _attempt in range(3):
            with client(f"{server.url}/busy") as asking:
                try:
                    asking.messages.create(**body(busy()))
                except anthropic.APIStatusError as caught:
                    statuses.append(caught.status_code)
    assert statuses == [429, 529]


def ask_lost(served: str, words: str, **more: Any) -> anthropic.types.Message:
    with client(f"{served}/lost", **more) as asking:
        return asking.messages.create(**body(lost(), messages=[user(words)]))


def test_a_dropped_connection_is_dropped(served: str) -> None:
    with pytest.raises(anthropic.APIConnectionError) as caught:
        ask_lost(served, "Drop it at once")
    assert isinstance(caught.value.__cause__, httpx2.RemoteProtocolError)


def test_a_connection_dropped_in_mid_stream_has_sent_what_came_before(served: str) -> None:
    with client(f"{served}/lost") as asking:
        stream = asking.messages.create(**body(lost(), messages=[user("Drop it in mid-stream")]), stream=True)
        assert next(stream).type == "message_start"
        with pytest.raises(httpx2.RemoteProtocolError, match="incomplete"):
            next(stream)  # the SDK keeps the ping to itself


def test_a_timeout_is_silence_until_the_client_gives_up(served: str) -> None:
    with pytest.raises(anthropic.APITimeoutError):
        ask_lost(served, "silence", timeout=0.1)


def test_a_client_that_is_kept_waiting_does_not_keep_the_server_up() -> None:
    with Loopback(application({"lost": lost()})) as server:
        host, port = server.url.removeprefix("http://").split(":")
        content = json.dumps(body(lost(), messages=[user("then nothing")], stream=True)).encode()
        head = f"POST /lost/v1/messages HTTP/1.1\r\nHost: x\r\nX-Api-Key: k\r\nContent-Length: {len(content)}\r\n\r\n"
        waiting = socket.create_connection((host, int(port)), timeout=30)
        waiting.sendall(head.encode() + content)
        received = b""
        while b"event: ping" not in received:
            piece = waiting.recv(65536)
            assert piece, received
            received += piece
    with waiting:
        assert waiting.recv(65536) == b""


def test_plain_text_of_the_edge_stays_plain_text(served: str) -> None:
    with pytest.raises(anthropic.InternalServerError) as caught:
        ask_lost(served, "edge")
    assert (caught.value.status_code, caught.value.response.text) == (503, "upstream connect error")


def test_how_a_body_is_delimited_is_not_taken_from_a_recording(served: str) -> None:
    assert said(ask_lost(served, "anything else")) == "Ok."


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with TestClient(application(scenarios()), base_url="http://127.0.0.1:8123") as opened:
        yield opened


def refused(response: Any) -> tuple[int, str, str]:
    """Status, error type and message, of a body in the API's envelope."""
    found = response.json()
    assert found["type"] == "error"
    assert found["request_id"] == response.headers["request-id"]
    return response.status_code, found["error"]["type"], found["error"]["message"]


def test_an_unknown_scenario_is_named_with_the_nearest(web: TestClient) -> None:
    status, kind, words = refused(web.post("/two_tool/v1/messages", json={}, headers=HEADERS))
    assert (status, kind) == (404, "not_found_error")
    assert words == "There is no scenario named 'two_tool' on this server. Nearest: two_tools."
    assert refused(web.get("/%C3%A9/v1/models"))[2].endswith("named 'é' on this server. GET / lists them.")


def test_the_first_page_has_a_line_to_paste_for_every_scenario(web: TestClient) -> None:
    page = web.get("/")
    assert page.headers["content-type"] == "text/plain; charset=utf-8"
    assert "  ANTHROPIC_BASE_URL=http://127.0.0.1:8123/two_tools  # A test conversation\n" in page.text
    assert page.text.count("ANTHROPIC_BASE_URL=") == 4


@pytest.mark.parametrize("path", ["/busy", "/busy/"])
def test_a_base_url_itself_answers_who_asks_whether_it_is_there(web: TestClient, path: str) -> None:
    assert web.get(path).text.endswith("ANTHROPIC_BASE_URL=http://127.0.0.1:8123/busy\n")
    assert web.head(path).status_code == 200


METHODS = [
    pytest.param("GET", "/busy/v1/messages", "POST", id="messages are posted"),
    pytest.param("DELETE", "/busy/v1/messages/", "POST", id="nor deleted"),
    pytest.param("GET", "/busy/v1/messages/count_tokens", "POST", id="counting is posted"),
    pytest.param("POST", "/busy/v1/models", "GET, HEAD", id="models are read"),
    pytest.param("PUT", f"/busy/v1/models/{MODEL}", "GET, HEAD", id="one model is read"),
    pytest.param("POST", "/", "GET, HEAD", id="the list is read"),
]


@pytest.mark.parametrize(("method", "path", "allowed"), METHODS)
def test_a_wrong_method_is_refused_in_the_shape_of_the_api(
    web: TestClient, method: str, path: str, allowed: str
) -> None:
    response = web.request(method, path, headers=HEADERS)
    assert refused(response) == (405, "invalid_request_error", "Method Not Allowed")
    assert response.headers["allow"] == allowed


UNREADABLE = [
    pytest.param(b"", "Input is a zero-length, empty document: line 1 column 1 (char 0)", id="empty"),
    pytest.param(b'{"a": [1', "unexpected end of data: line 1 column 9 (char 8)", id="cut"),
    pytest.param(b'{"a":' + b"[" * 100_000, f"it is nested more than {DEEPEST_BODY} levels deep", id="deep and cut"),
    pytest.param(
        b'{"a":' + b"[" * DEEPEST_BODY + b"]" * DEEPEST_BODY + b"}",
        f"it is nested more than {DEEPEST_BODY} levels deep",
        id="one level too deep",
    ),
    pytest.param(b'{"a":' + b"9" * 5000 + b"}", "Exceeds the limit (4300 digits) for integer", id="endless number"),
]


@pytest.mark.parametrize(("content", "words"), UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused_in_the_shape_of_the_api(
    web: TestClient, content: bytes, words: str
) -> None:
    status, kind, found = refused(web.post("/busy/v1/messages", content=content, headers=HEADERS))
    assert (status, kind) == (400, "invalid_request_error")
    assert found.startswith(f"The request body is not valid JSON: {words}")


def test_a_body_is_read_as_deep_as_is_allowed() -> None:
    deep = b'{"a":' + b"[" * (DEEPEST_BODY - 1) + b"]" * (DEEPEST_BODY - 1) + b"}"
    wide = b'{"a":[' + b",".join([b"[]"] * DEEPEST_BODY) + b"]}"
    assert isinstance(read_body("POST", deep), dict)
    assert isinstance(read_body("POST", wide), dict)


def test_a_body_that_is_too_large_is_read_to_its_end_and_refused(served: str) -> None:
    response = httpx2.post(f"{served}/busy/v1/messages", content=b" " * (LARGEST_BODY + 1), headers=HEADERS)
    assert refused(response) == (413, "request_too_large", "Request exceeds the maximum size")


def test_a_request_without_a_key_is_refused(web: TestClient) -> None:
    assert refused(web.post("/two_tools/v1/messages", json=body(two_tools())))[0] == 401


def test_a_model_whose_name_holds_a_slash_is_one_name(web: TestClient) -> None:
    assert refused(web.get("/busy/v1/models/a%2Fb", headers=HEADERS))[2] == "model: a%2Fb"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "role", "content", "id", "tool_use_id", "thread", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
FULL = body(two_tools(), assistant([call(ORDER, "get_order", order_id="1")]), user([result(ORDER), text("And?")]))
FIELDS = st.sampled_from([*FULL, "system", "stream", "thinking", "thread", "tool_choice", "metadata", "other"])
PATHS = st.sampled_from(["/v1/messages", "/v1/messages?beta=true", "/v1/messages/count_tokens", "/v1/complete", "/"])
BODIES = st.builds(lambda changed: json.dumps(FULL | changed).encode(), st.dictionaries(FIELDS, JSON, max_size=3))


@settings(max_examples=250)
@given(
    path=PATHS,
    content=BODIES | st.binary(max_size=30) | JSON.map(lambda value: json.dumps(value).encode()),
    beta=st.sampled_from([{}, {"anthropic-beta": "message-threads-2026-08-12"}]),
)
@example(path="/v1/messages", content=b'{"model": "\\ud800"}', beta={})
@example(path="/v1/messages", content=b'{"a":' * 150 + b"1" + b"}" * 150, beta={})
def test_no_body_makes_the_server_fail(web: TestClient, path: str, content: bytes, beta: dict[str, str]) -> None:
    response = web.post(f"/two_tools{path}", content=content, headers=HEADERS | beta)
    if response.status_code != 200:
        assert refused(response)[0] in (400, 404, 405)


@settings(max_examples=100)
@given(method=st.sampled_from(["GET", "POST", "PUT", "OPTIONS", "PATCH"]), path=st.text(max_size=12))
@example(method="GET", path="\n0")
def test_no_path_makes_the_server_fail(web: TestClient, method: str, path: str) -> None:
    escaped = "".join(f"%{byte:02X}" for byte in path.encode("utf-8", "replace"))
    for target in (f"/{escaped}", f"/busy/{escaped}", f"/busy/v1/models/{escaped}"):
        response = web.request(method, target, headers=HEADERS)
        assert response.status_code == 200 or refused(response)[0] in (404, 405), target
