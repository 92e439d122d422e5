"""A transport that keeps what passes: each request, and each answer down to its bytes.

It stands under the real client, over the transport that does the work, so recording changes nothing about a request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx2

from autograder.messages_api.sse import Event

# What a recording may say of an answer's headers. Rate limits tell what an account may do, `date` and `cf-ray` when and
# where; cookies and ids of the organisation are secrets. The double adds the usual ones when it plays.
KEPT_HEADERS = ("request-id", "retry-after", "x-should-retry")


@dataclass
class Capture:
    """One request and its answer; `content` grows until the client has read all of it."""

    status: int
    headers: dict[str, str]
    api_version: str
    content: bytearray = field(default_factory=bytearray)

    def kept_headers(self) -> dict[str, str]:
        """The headers of the allow-list."""
        return {name: self.headers[name] for name in KEPT_HEADERS if name in self.headers}

    def events(self) -> list[Event] | None:
        """The events of a stream; None for an answer that is no stream. What is no JSON stays as it was sent."""
        if not self.headers.get("content-type", "").startswith("text/event-stream"):
            return None
        text = self.content.decode("utf-8", "replace").replace("\r\n", "\n")
        return [_event(part) for part in text.split("\n\n") if part.strip()]


class RecordingTransport(httpx2.BaseTransport):
    """Hands requests on to `inner` and keeps a `Capture` of each in `captures`, oldest first."""

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self._inner = inner
        self.captures: list[Capture] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; the answer is kept while the client reads it."""
        response = self._inner.handle_request(request)
        headers = {name.lower(): value for name, value in response.headers.items()}
        capture = Capture(response.status_code, headers, request.headers.get("anthropic-version", ""))
        self.captures.append(capture)
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)  # a sync transport answers with one
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Kept(stream, capture),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close the transport below."""
        self._inner.close()


class _Kept(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, capture: Capture) -> None:
        self._stream = stream
        self._capture = capture

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._capture.content += chunk
            yield chunk

    def close(self) -> None:
        self._stream.close()


def _event(part: str) -> Event:
    lines = [line.removeprefix("data:").lstrip(" ") for line in part.split("\n") if line.startswith("data:")]
    try:
        event = json.loads("\n".join(lines))
    except json.JSONDecodeError:
        return f"{part}\n\n"
    return event if isinstance(event, dict) else f"{part}\n\n"
