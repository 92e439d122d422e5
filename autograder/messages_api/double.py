"""The API double: it stands where api.anthropic.com stands and answers from a scenario.

It refuses what the API refuses (`request_rules`), answers what a recording covers, and says `replay_mismatch` to
everything else. The answer depends on the request alone, with two exceptions: attempts of one same request are counted,
and beta threads keep a conversation.
"""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, missing_key
from autograder.messages_api.binding import edited_thinking, foreign_signature, signatures
from autograder.messages_api.catalogue import model_info, model_list, token_estimate
from autograder.messages_api.conditions import Asked
from autograder.messages_api.errors import REPLAY_MISMATCH
from autograder.messages_api.history import alterations, latest_reply
from autograder.messages_api.identifiers import new_id
from autograder.messages_api.matching import Book, Match, Mismatch
from autograder.messages_api.request_rules import refusal
from autograder.messages_api.response import (
    Response,
    error_headers,
    error_response,
    success_headers,
    without_waiting,
)
from autograder.messages_api.scenario import Recorded, Scenario
from autograder.messages_api.sse import events_of
from autograder.messages_api.threads import ThreadNotFoundError, Threads

__all__ = ["Double", "Response"]

MESSAGES = "/v1/messages"
COUNT_TOKENS = "/v1/messages/count_tokens"
MODELS = "/v1/models"

Json = dict[str, Any]


@dataclass
class _Request:
    """One request on its way through the double; notes are added as they come up."""

    path: str
    body: Json
    headers: Mapping[str, str]
    id: str
    text: str
    attempt: int
    notes: list[str] = field(default_factory=list)
    answered: str | None = None  # the recorded message that is the answer, or that its events carry, as JSON text


class Double:
    """Answers requests as the Messages API would, from one scenario.

    Arguments: the scenario, whose transcript every request and answer is added to, and the day on which rules and model
    retirements apply (`on`; default: the scenario's own date). One double serves any number of conversations at once.
    """

    def __init__(self, scenario: Scenario, on: dt.date | None = None) -> None:
        self.scenario = scenario
        self.on = on or scenario.provenance.date
        self._book = Book(scenario)
        self._signatures = signatures(scenario)
        self._threads = Threads()
        self._bodies: dict[int, str] = {}
        self._attempts: Counter[tuple[str, str]] = Counter()

    def respond(self, path: str, body: Json, headers: Mapping[str, str]) -> Response:
        """Answer one request.

        `path` is what stands after the host; a query such as `?beta=true` is accepted. `body` is the parsed JSON, for
        GET an empty object. `headers` need a key, any key. Returns the answer; whatever the body holds, nothing is
        raised.
        """
        request = self._received(path, body, headers)
        response = self._answer(request)
        seen = shown(response) if request.answered is None else request.answered
        self.scenario.transcript.add(request.path, request.text, response.status, seen, request.notes)
        return response

    def _received(self, path: str, body: Json, headers: Mapping[str, str]) -> _Request:
        route, text = path.partition("?")[0].rstrip("/"), json.dumps(body)
        self._attempts[route, text] += 1
        attempt = self._attempts[route, text]
        lower = {name.lower(): value for name, value in headers.items()}
        return _Request(route, body, lower, new_id("req", route, text, attempt), text, attempt)

    def _answer(self, request: _Request) -> Response:
        if not _has_key(request.headers):
            return self._refuse(request, missing_key())
        if request.path == MESSAGES:
            return self._messages(request)
        if request.path == COUNT_TOKENS:
            return self._count_tokens(request)
        return self._models(request)

    def _messages(self, request: _Request) -> Response:
        try:
            whole, notes = self._threads.whole(request.body, request.headers)
        except ThreadNotFoundError as error:
            return self._lost_thread(request, error)
        asked = Asked(whole, request.attempt)
        refused = self._refused(request, whole) or foreign_signature(asked.turns, self._signatures)
        if refused is not None:
            return self._refuse(request, refused)
        found = self._book.choose(asked)
        if isinstance(found, Mismatch):
            return self._mismatch(request, found)
        request.notes.extend(notes)
        if asked.replied:  # what came back can be held against what was answered
            refused = edited_thinking(whole, asked.turns, latest_reply(self._book, found.exchange))
            if refused is not None:
                return self._refuse(request, refused)
            request.notes.extend(alterations(self._book, found.exchange, asked))
        recorded = _attempt(found, request.attempt)
        self._threads.keep(request.body, whole, recorded.body if recorded.status == 200 else None)
        return self._play(request, recorded, stream=whole.get("stream") is True)

    def _refused(self, request: _Request, body: Json, *, counting: bool = False) -> ApiRefusal | None:
        version = request.headers.get("anthropic-version", self.scenario.provenance.api_version)
        characters = len(request.text) if body is request.body else None
        return refusal(body, api_version=version, on=self.on, counting=counting, characters=characters)

    def _play(self, request: _Request, recorded: Recorded, *, stream: bool) -> Response:
        if recorded.outcome is not None and recorded.events is None:
            return Response(0, {}, outcome=recorded.outcome)
        streamed = recorded.status == 200 and recorded.text is None and (stream or recorded.body is None)
        headers = self._headers(request, recorded, stream=streamed)
        if recorded.text is not None:
            return Response(recorded.status, headers, recorded.text)
        if streamed and recorded.events is not None:
            return Response(200, headers, events=tuple(copy.deepcopy(recorded.events)), outcome=recorded.outcome)
        body, text = self._copy(recorded)
        if recorded.status != 200:
            return Response(recorded.status, headers, _envelope(body, headers["request-id"]))
        request.answered = text
        if not streamed:
            return Response(200, headers, body, written=text)
        return Response(200, headers, events=tuple(events_of(body, request.id, recorded.partial_json)))

    def _copy(self, recorded: Recorded) -> tuple[Json, str]:
        """A fresh body that the caller may keep, and its JSON: reading text is several times faster than deepcopy."""
        text = self._bodies.get(id(recorded))
        if text is None:
            text = self._bodies[id(recorded)] = json.dumps(recorded.body, separators=(",", ":"))
        return json.loads(text), text

    def _headers(self, request: _Request, recorded: Recorded, *, stream: bool) -> dict[str, str]:
        """The default headers of the status, with the recorded ones in their place; null takes one out."""
        if recorded.status == 200:
            known = success_headers(self.on, request.id, stream=stream)
            if not recorded.headers and recorded.text is None:
                return known
        else:
            known = error_headers(self.on, request.id, recorded.status)
        if recorded.text is not None:
            known["content-type"] = "text/plain"
        own = recorded.body.get("request_id") if recorded.body and recorded.status != 200 else None
        changed: dict[str, str | None] = {**known, **({"request-id": own} if isinstance(own, str) else {})}
        changed.update({name.lower(): value for name, value in recorded.headers.items()})
        headers = {name: value for name, value in changed.items() if value is not None}
        return without_waiting(headers, recorded.status)

    def _count_tokens(self, request: _Request) -> Response:
        """The same rules as for a message; the count of the recording where there is one, else an estimate."""
        refused = self._refused(request, request.body, counting=True)
        if refused is not None:
            return self._refuse(request, refused)
        found = self._book.choose(Asked(request.body))
        usage = (found.exchange.message or {}).get("usage") if isinstance(found, Match) else None
        count = token_estimate(request.body, usage)
        return Response(200, success_headers(self.on, request.id, stream=False), {"input_tokens": count})

    def _models(self, request: _Request) -> Response:
        if request.path == MODELS:
            body: Json | None = model_list(self.on)
        elif request.path.startswith(f"{MODELS}/"):
            body = model_info(request.path.removeprefix(f"{MODELS}/"), self.on)
        else:
            return self._refuse(request, ApiRefusal(404, "not_found_error", "Not found"))
        if body is None:
            name = request.path.removeprefix(f"{MODELS}/")
            return self._refuse(request, ApiRefusal(404, "not_found_error", f"model: {name}"))
        return Response(200, success_headers(self.on, request.id, stream=False), body)

    def _refuse(self, request: _Request, refused: ApiRefusal) -> Response:
        return error_response(self.on, request.id, refused.status, refused.type, refused.message)

    def _mismatch(self, request: _Request, found: Mismatch) -> Response:
        details = {"scenario": self.scenario.title, **found.details}
        return error_response(self.on, request.id, 400, REPLAY_MISMATCH, found.message, details)

    def _lost_thread(self, request: _Request, error: ThreadNotFoundError) -> Response:
        # The code is documented; the sentence is ours.
        details = {"error_code": "thread_not_found"}
        return error_response(
            self.on, request.id, 404, "not_found_error", f"thread: no message {error} to continue from", details
        )


def shown(response: Response) -> Json:
    """A response as the transcript shows it."""
    if response.events is not None:
        return {"events": copy.deepcopy(list(response.events))}
    if isinstance(response.body, dict):
        return copy.deepcopy(response.body)
    return {"text": response.body} if response.body is not None else {"outcome": response.outcome}


def _has_key(headers: Mapping[str, str]) -> bool:
    """Whether a key is there: X-Api-Key, or Authorization: Bearer as SDK 2.x sends it."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return bool(headers.get("x-api-key", "").strip() or (scheme.lower() == "bearer" and token.strip()))


def _attempt(found: Match, attempt: int) -> Recorded:
    answers = found.exchange.answers
    return answers[min(attempt, len(answers)) - 1]


def _envelope(body: Json, request_id: str) -> Json:
    """An error body with the request id of its header; bodies of the edge (no `type`) stay as they are."""
    return {**body, "request_id": request_id} if body.get("type") == "error" else body
