from __future__ import annotations

import asyncio
import time
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import beta_async_tool

from autograder.messages_api.clients import async_client_for, client_for
from autograder.messages_api.double import Double
from autograder.messages_api.response import Response
from autograder.messages_api.transport import AsyncReplayTransport, ReplayTransport
from tests.messages_api.builders import (
    BOTH,
    HELP,
    ORDER,
    answer,
    assistant,
    body,
    call,
    error,
    exchange,
    result,
    scenario,
    text,
    two_tools,
    user,
)

URL = "https://api.anthropic.com/v1/messages"
RESULTS = user([result(ORDER), result(HELP)])


@pytest.fixture(autouse=True)
def _nothing_connects(no_network: list[object]) -> Any:
    yield
    assert no_network == []


def test_a_conversation_with_the_real_client_opens_no_connection() -> None:
    loaded = two_tools()
    client = loaded.client()
    first = client.messages.create(**body(loaded))
    assert first.stop_reason == "tool_use"
    last = client.messages.create(**body(loaded, assistant(first.content), RESULTS))
    assert last.content[0].to_dict() == text("P-1001 arrives on Monday.")
    assert last._request_id == loaded.transcript.last.response.get("request_id", last._request_id)
    assert [entry.status for entry in loaded.transcript] == [200, 200]


ECHOES = [
    pytest.param(lambda reply: assistant(reply.content), id="content"),
    pytest.param(lambda reply: reply.to_param(), id="to_param"),
    pytest.param(lambda reply: assistant([block.to_dict() for block in reply.content]), id="to_dict"),
    pytest.param(lambda reply: assistant([block.model_dump() for block in reply.content]), id="model_dump"),
    pytest.param(
        lambda reply: assistant([block.model_dump(mode="json", exclude_none=True) for block in reply.content]),
        id="model_dump without nulls",
    ),
]


@pytest.mark.parametrize("echo", ECHOES)
def test_every_way_to_send_a_reply_back_is_the_same_turn(echo: Any) -> None:
    thought = [{"type": "thinking", "thinking": "", "signature": "EqQB"}, *BOTH]
    loaded = scenario(
        exchange("asks", answer(thought, "tool_use")), exchange("ends", answer([text("Done.")]), follows="asks")
    )
    client = loaded.client()
    reply = client.messages.create(**body(loaded))
    last = client.messages.create(**body(loaded, echo(reply), RESULTS))
    assert last.content[0].to_dict() == text("Done.")
    assert loaded.transcript.notes == []


def test_a_whole_message_sent_as_a_turn_is_refused() -> None:
    loaded = two_tools()
    client = loaded.client()
    reply = client.messages.create(**body(loaded))
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**body(loaded, reply, RESULTS))  # type: ignore[arg-type]
    assert caught.value.type == "invalid_request_error"
    assert "Extra inputs are not permitted" in str(caught.value)


def test_the_async_client_plays_the_same_conversation() -> None:
    async def conversation() -> str:
        loaded = two_tools()
        async with loaded.async_client() as client:
            first = await client.messages.create(**body(loaded))
            async with client.messages.stream(**body(loaded, assistant(first.content), RESULTS)) as stream:
                return "".join([piece async for piece in stream.text_stream])

    assert asyncio.run(conversation()) == "P-1001 arrives on Monday."


def test_a_hundred_async_conversations_at_once_are_not_mixed_up() -> None:
    names = [f"customer {number}." for number in range(100)]
    loaded = scenario(*(exchange(f"e{i}", answer([text(name)]), user_contains=name) for i, name in enumerate(names)))

    async def all_of_them() -> list[Any]:
        async with loaded.async_client() as client:
            asked = (client.messages.create(**body(loaded, messages=[user(f"I am {name}")])) for name in names)
            return await asyncio.gather(*asked)

    assert [reply.content[0].text for reply in asyncio.run(all_of_them())] == names


def test_an_async_answer_is_awaited() -> None:
    loaded = two_tools()
    double = Double(loaded)

    async def answer_later(path: str, request: dict[str, Any], headers: Any) -> Response:
        await asyncio.sleep(0)
        return double.respond(path, request, headers)

    async def ask() -> Any:
        async with async_client_for(answer_later) as client:
            return await client.messages.create(**body(loaded))

    assert asyncio.run(ask()).stop_reason == "tool_use"


def test_the_sdk_retries_through_the_attempts_without_sleeping(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    busy = [
        error(429, "rate_limit_error", "Slow down.", retry_after="30"),
        error(529, "overloaded_error", "Overloaded"),
        answer([text("At last.")]),
    ]
    loaded = scenario(exchange("busy", busy))
    reply = loaded.client().messages.create(**body(loaded))
    assert reply.content[0].to_dict() == text("At last.")
    assert [entry.status for entry in loaded.transcript] == [429, 529, 200]
    assert sum(slept) <= 0.01


FINAL = [
    pytest.param(error(400, "invalid_request_error", "Bad."), anthropic.BadRequestError, 1, id="400"),
    pytest.param(error(413, "request_too_large", "Big."), anthropic.APIStatusError, 1, id="413"),
    pytest.param(error(500, "api_error", "Internal server error"), anthropic.InternalServerError, 1, id="500"),
    pytest.param(
        error(429, "rate_limit_error", "Too large.", x_should_retry="false"),
        anthropic.RateLimitError,
        1,
        id="429 final",
    ),
    pytest.param({"status": 503, "text": "upstream connect error"}, anthropic.InternalServerError, 3, id="503"),
    pytest.param(error(529, "overloaded_error", "Overloaded"), anthropic.InternalServerError, 3, id="529"),
]


@pytest.mark.parametrize(("recorded", "kind", "requests"), FINAL)
def test_an_error_reaches_the_caller_as_the_sdk_has_it(
    recorded: Any, kind: type[Exception], requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    loaded = scenario(exchange("fails", recorded))
    with pytest.raises(kind):
        loaded.client().messages.create(**body(loaded))
    assert len(loaded.transcript) == requests


def test_a_mismatch_is_not_retried_and_its_text_is_readable() -> None:
    loaded = scenario(exchange("a", answer([text("x")]), user_contains="greet"))
    with pytest.raises(anthropic.BadRequestError) as caught:
        loaded.client().messages.create(**body(loaded))
    assert len(loaded.transcript) == 1
    assert "nearest   a" in caught.value.message or "nearest   a" in caught.value.body["error"]["message"]  # type: ignore[index, call-overload]


LOST = [
    pytest.param("dropped", anthropic.APIConnectionError, httpx2.ConnectError, id="dropped"),
    pytest.param("timeout", anthropic.APITimeoutError, httpx2.ReadTimeout, id="timeout"),
]


@pytest.mark.parametrize(("outcome", "kind", "cause"), LOST)
def test_a_lost_connection_is_what_httpx2_would_raise(outcome: str, kind: Any, cause: type[Exception]) -> None:
    loaded = scenario(exchange("lost", {"outcome": outcome}))
    with pytest.raises(kind) as caught:
        client_for(Double(loaded).respond, max_retries=0).messages.create(**body(loaded))
    assert isinstance(caught.value.__cause__, cause)
    assert (loaded.transcript.last.status, loaded.transcript.last.response) == (0, {"outcome": outcome})


def test_a_connection_can_be_lost_in_mid_stream() -> None:
    started = {"type": "ping"}
    loaded = scenario(exchange("lost", {"events": [started], "outcome": "dropped"}))
    request = body(loaded, stream=True)
    client = httpx2.Client(transport=ReplayTransport(Double(loaded).respond), trust_env=False)
    with client.stream("POST", URL, json=request, headers={"x-api-key": "k"}) as response:
        assert response.status_code == 200
        with pytest.raises(httpx2.ReadError):
            response.read()


UNREAD = [
    pytest.param(b"", "The request body is not valid JSON: Input is a zero-length, empty document: line 1", id="empty"),
    pytest.param(b'{"model": "x"', "The request body is not valid JSON: unexpected end of data", id="cut"),
    pytest.param(b"[1, 2]", "Input should be an object", id="a list"),
]


@pytest.mark.parametrize(("content", "words"), UNREAD)
def test_a_body_that_cannot_be_read_is_refused_in_the_apis_words(content: bytes, words: str) -> None:
    loaded = two_tools()
    client = httpx2.Client(transport=ReplayTransport(Double(loaded).respond), trust_env=False)
    response = client.post(URL, content=content, headers={"x-api-key": "k"})
    assert response.status_code == 400
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert response.json()["error"]["message"].startswith(words)
    assert response.json()["request_id"] == response.headers["request-id"]


def test_a_body_over_the_limit_never_reaches_the_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.messages_api.request_body.LARGEST_BODY", 10)
    loaded = two_tools()

    async def post() -> httpx2.Response:
        transport = AsyncReplayTransport(Double(loaded).respond)
        async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
            return await client.post(URL, content=b"x" * 11, headers={"x-api-key": "k"})

    response = asyncio.run(post())
    assert (response.status_code, response.json()["error"]["type"]) == (413, "request_too_large")
    assert len(loaded.transcript) == 0


def test_models_and_token_counts_come_through_the_sdk() -> None:
    loaded = two_tools()
    client = loaded.client()
    assert client.models.retrieve("claude-sonnet-5-5").display_name == "Claude Sonnet 5.5"
    assert "claude-sonnet-5-5" in [model.id for model in client.models.list()]
    request = {key: value for key, value in body(loaded).items() if key != "max_tokens"}
    assert client.messages.count_tokens(**request).input_tokens == 381


def test_the_raw_response_shows_the_headers() -> None:
    loaded = two_tools()
    raw = loaded.client().messages.with_raw_response.create(**body(loaded))
    assert raw.headers["anthropic-ratelimit-requests-limit"] == "1000"
    assert raw.headers["request-id"].startswith("req_011C")


def test_the_environment_of_the_learner_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:9/other")
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:9")
    loaded = two_tools()
    assert loaded.client().messages.create(**body(loaded)).stop_reason == "tool_use"


def test_an_exception_that_stops_everything_passes_through_the_sdk() -> None:
    class Stop(BaseException):
        pass

    def stop(*_: Any) -> Response:
        raise Stop

    with pytest.raises(Stop):
        client_for(stop).messages.create(**body(two_tools()))


def runner_scenario() -> Any:
    weather = call(ORDER, "get_order", order_id="P-1001")
    return scenario(
        exchange("asks", answer([text("I look."), weather], "tool_use")),
        exchange("ends", answer([text("On Monday.")]), follows="asks"),
    )


def test_the_runner_replays_a_thread_that_was_lost() -> None:
    @beta_async_tool
    async def get_order(order_id: str) -> str:
        """Look up one order."""
        return f"{order_id} arrives on Monday"

    loaded = runner_scenario()

    async def run() -> str:
        first, second = Double(loaded), Double(loaded)
        asked = 0

        def forgets(path: str, request: dict[str, Any], headers: Any) -> Response:
            nonlocal asked
            asked += 1
            return (first if asked == 1 else second).respond(path, request, headers)

        async with async_client_for(forgets) as client:
            reply = await client.beta.messages.tool_runner(**body(loaded, tools=[get_order])).until_done()
            return str(reply.content[0].to_dict()["text"])

    assert asyncio.run(run()) == "On Monday."
    assert [entry.status for entry in loaded.transcript] == [200, 404, 200]
