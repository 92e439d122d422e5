"""The double as an httpx2 transport, sync and async: a real client, whose requests never leave the process.

anthropic 2.x takes any `httpx2.Client`, and a transport is that library's own seam; nothing is patched, nothing opens a
connection, nothing starts a thread.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from inspect import isawaitable
from typing import Any

import httpx2

from autograder.messages_api.api_refusal import ApiRefusal
from autograder.messages_api.request_body import read_body, unread
from autograder.messages_api.response import Response

Answer = Callable[[str, dict[str, Any], Mapping[str, str]], Response]
AnyAnswer = Callable[[str, dict[str, Any], Mapping[str, str]], Response | Awaitable[Response]]


class ReplayTransport(httpx2.BaseTransport):
    """Hands each request of a sync client to `answer(path, body, headers)`, such as `Double.respond`."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request; a lost connection raises ConnectError, ReadError or ReadTimeout as httpx2 would."""
        body = read_body(request.method, request.read())
        if isinstance(body, ApiRefusal):
            return _sent(unread(body, request.content), request)
        return _sent(self._answer(_path(request), body, _headers(request)), request)


class AsyncReplayTransport(httpx2.AsyncBaseTransport):
    """The same for an async client; `answer` may be a plain or an async function."""

    def __init__(self, answer: AnyAnswer) -> None:
        self._answer = answer

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request; a lost connection raises ConnectError, ReadError or ReadTimeout as httpx2 would."""
        body = read_body(request.method, await request.aread())
        if isinstance(body, ApiRefusal):
            return _sent(unread(body, request.content), request)
        answer = self._answer(_path(request), body, _headers(request))
        return _sent(await answer if isawaitable(answer) else answer, request)


class _Events(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """The events of an answer, one piece each; then the connection may be lost."""

    def __init__(self, response: Response, request: httpx2.Request) -> None:
        self._response = response
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.chunks()
        if self._response.outcome is not None:
            raise _lost(self._response, self._request)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


def _sent(response: Response, request: httpx2.Request) -> httpx2.Response:
    if response.events is None and response.outcome is not None:
        raise _lost(response, request)
    if response.events is not None:
        return httpx2.Response(response.status, headers=response.headers, stream=_Events(response, request))
    return httpx2.Response(response.status, headers=response.headers, content=response.content)


def _lost(response: Response, request: httpx2.Request) -> httpx2.TransportError:
    if response.outcome == "timeout":
        return httpx2.ReadTimeout("the scenario lets this request time out", request=request)
    if response.events is not None:
        return httpx2.ReadError("the scenario drops the connection in mid-stream", request=request)
    return httpx2.ConnectError("the scenario drops the connection", request=request)


def _path(request: httpx2.Request) -> str:
    return request.url.raw_path.decode("ascii")


def _headers(request: httpx2.Request) -> dict[str, str]:
    # Read from the raw pairs: httpx2's own mapping merges repeated names with a search for each of them.
    return {name.decode("ascii").lower(): value.decode("latin-1") for name, value in request.headers.raw}
