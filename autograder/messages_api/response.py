"""What the double answers: status, headers and a body or events, and the envelope of an error.

Headers and envelopes are those of the recordings (wire format census, section 5). Times and ids come from the scenario
and the request, never from the clock.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from autograder.messages_api.sse import Event, encode

Outcome = Literal["dropped", "timeout"]

_EDGE = {
    "server": "cloudflare",
    "cf-cache-status": "DYNAMIC",
    "x-robots-tag": "none",
    "strict-transport-security": "max-age=31536000; includeSubDomains; preload",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "vary": "Accept-Encoding",
}
_LIMITS = {"input-tokens": 500_000, "output-tokens": 80_000, "requests": 1_000, "tokens": 580_000}
# 529 and most 429 say true, the one recorded 500 says false, 503 says nothing (it comes from the edge).
_SHOULD_RETRY = {429: "true", 529: "true", 503: None}
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Response:
    """An answer of the double.

    Exactly one of `body` (JSON, or a string that is sent as plain text) and `events` is set, unless the connection is
    lost before anything arrives. `outcome` "dropped" or "timeout" happens instead of an answer, or after the events.
    """

    status: int
    headers: dict[str, str]
    body: Any = None
    events: tuple[Event, ...] | None = None
    outcome: Outcome | None = None
    written: str | None = field(
        default=None, compare=False, repr=False
    )  # the body as JSON text, where it is known already

    def chunks(self) -> Iterator[bytes]:
        """The body as it goes over the wire: one piece, or one for each event."""
        if self.events is not None:
            yield from (encode(event).encode("utf-8", "surrogatepass") for event in self.events)
        elif self.body is not None:
            yield self.content

    @property
    def content(self) -> bytes:
        """The whole body in bytes."""
        if self.events is not None:
            return b"".join(self.chunks())
        if isinstance(self.body, str):
            return self.body.encode()
        if self.written is not None:
            return self.written.encode()
        return json.dumps(self.body, separators=(",", ":")).encode() if self.body is not None else b""

    def to_json(self) -> dict[str, Any]:
        """This answer as JSON, to hand it to another process."""
        events = None if self.events is None else list(self.events)
        return {
            "status": self.status,
            "headers": dict(self.headers),
            "body": self.body,
            "events": events,
            "outcome": self.outcome,
        }

    @classmethod
    def from_json(cls, answer: Mapping[str, Any]) -> Response:
        """The answer that `to_json` wrote."""
        events = answer["events"]
        return cls(
            answer["status"],
            dict(answer["headers"]),
            answer["body"],
            None if events is None else tuple(events),
            answer["outcome"],
        )


def success_headers(day: dt.date, request_id: str, *, stream: bool) -> dict[str, str]:
    """The headers of a 200, at noon of the scenario's day."""
    return {**_successful(day, stream), "request-id": request_id}


@lru_cache(maxsize=64)
def _successful(day: dt.date, stream: bool) -> dict[str, str]:
    kind = "text/event-stream; charset=utf-8" if stream else "application/json"
    headers = {"date": _http_date(day), "content-type": kind}
    if stream:
        headers["cache-control"] = "no-cache"
    for name, limit in _LIMITS.items():
        left = limit - 1 if name == "requests" else limit
        headers[f"anthropic-ratelimit-{name}-limit"] = str(limit)
        headers[f"anthropic-ratelimit-{name}-remaining"] = str(left)
        headers[f"anthropic-ratelimit-{name}-reset"] = f"{day.isoformat()}T12:00:00Z"
    return headers | _EDGE


def error_headers(day: dt.date, request_id: str, status: int) -> dict[str, str]:
    """The headers of an error: `x-should-retry` and no rate limits."""
    headers = {"date": _http_date(day), "content-type": "application/json", "request-id": request_id}
    should_retry = _SHOULD_RETRY.get(status, "false")
    if should_retry is not None:
        headers["x-should-retry"] = should_retry
    return headers | _EDGE


def error_response(
    day: dt.date, request_id: str, status: int, kind: str, message: str, details: Mapping[str, Any] | None = None
) -> Response:
    """An error in the API's envelope; the body's `request_id` equals the header's."""
    error: dict[str, Any] = {"type": kind, "message": message}
    if details is not None:
        error["details"] = dict(details)
    body = {"type": "error", "error": error, "request_id": request_id}
    return Response(status, error_headers(day, request_id, status), body)


def without_waiting(headers: Mapping[str, str], status: int) -> dict[str, str]:
    """The headers with `retry-after-ms: 1` where the SDK would otherwise sleep before it tries again."""
    patient = dict(headers)
    retried = status in (408, 409, 429) or status >= 500
    if "retry-after" in headers or (retried and headers.get("x-should-retry") != "false"):
        patient["retry-after-ms"] = "1"
    return patient


def _http_date(day: dt.date) -> str:
    # strftime would follow the locale of the learner's kernel.
    return f"{_DAYS[day.weekday()]}, {day.day:02} {_MONTHS[day.month - 1]} {day.year} 12:00:00 GMT"
