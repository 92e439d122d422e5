"""What surrounds a loop that plays a scenario: the request it starts from, what tools return, what the user says next.

Every exchange of a scenario can be reached in one such world: it follows from the conditions (`when`) on the way there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from autograder.messages_api.double import Double
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Exchange, Scenario, load
from autograder.messages_api.variation import vary
from tests.messages_api.builders import HEADERS

Json = dict[str, Any]


@dataclass
class World:
    """One way to live through a scenario, and what happened: the exchanges met, the calls run.

    `path` are the exchanges to be met, `failing` the calls whose tool raises `error`, `later` what the user says when
    a turn is over, `budget` and `ceiling` the least and the most `max_tokens`.
    """

    scenario: Scenario
    path: list[Exchange]
    request: Json
    failing: set[str]
    later: list[str]
    ceiling: int
    error: Exception
    double: Double
    ran: list[tuple[str, str]] = field(default_factory=list)
    requests: int = 0

    def send(self, body: Json) -> Response:
        """The double's answer; a loop that does not end is stopped."""
        self.requests += 1
        if self.requests > 40:
            raise RuntimeError("40 requests and no end")
        return self.double.respond("/v1/messages", self.request | body, HEADERS)

    def run_tool(self, block: Json) -> str:
        """The result of a call: any text, or this world's error."""
        self.ran.append((block["name"], repr(block["input"])))
        if block["id"] in self.failing:
            raise self.error
        return f"{block['name']}: ok"

    @property
    def notes(self) -> list[str]:
        """What the double says about histories that were altered."""
        return list(self.scenario.transcript.notes)


@cache
def original(name: str) -> Scenario:
    """A committed scenario; each world plays a copy, so that transcripts stay apart."""
    return load(name)


@cache
def varied(name: str, seed: str) -> Scenario:
    """The variation of a committed scenario; the empty seed stands for the original."""
    return vary(original(name), seed) if seed else original(name)


def ways(scenario: Scenario) -> list[list[Exchange]]:
    """For each exchange the exchanges from the beginning up to it, a cut call's repetition included."""
    known = {exchange.id: exchange for exchange in scenario.exchanges}
    found = []
    for exchange in scenario.exchanges:
        way = [exchange]
        while way[0].follows is not None:
            way.insert(0, known[way[0].follows])
        found.append(way)
    return found


def world(
    scenario: Scenario, path: list[Exchange], error: Exception | None = None, *, stream: bool | None = None
) -> World:
    """The world in which a right loop meets the last exchange of the path."""
    conditions = [exchange.when for exchange in path]
    template = scenario.request.model_dump(mode="json", exclude_unset=True)
    asked = conditions[0].user_contains
    messages = template["messages"]
    if asked is not None and asked.casefold() not in scenario.prompt.casefold():
        messages = [{"role": "user", "content": asked}]
    streams = any(when.stream for when in conditions) or any(exchange.answers[0].events for exchange in path)
    request = template | {
        "messages": messages,
        "model": next((when.model for when in reversed(conditions) if when.model), template["model"]),
        "stream": streams if stream is None else stream or streams,
    }
    for when in conditions:
        if when.tool_choice in ("auto", "any", "none"):
            request["tool_choice"] = {"type": when.tool_choice}
        if when.tool_choice == "tool":
            request["tool_choice"] = {"type": "tool", "name": path[0].answers[-1].body["content"][0]["name"]}  # type: ignore[index]
    least = max((when.max_tokens.at_least or 0 for when in conditions if when.max_tokens), default=0)
    below = [when.max_tokens.below for when in conditions if when.max_tokens and when.max_tokens.below]
    request["max_tokens"] = max(request["max_tokens"], least)
    failing = {call for when in conditions for call, failed in (when.is_error or {}).items() if failed}
    said = [when.user_contains or "Please go on." for when in conditions[1:] if not when.text_after_results]
    copy = scenario.model_copy(deep=False)
    copy._transcript = type(scenario.transcript)()
    ceiling = min(below) - 1 if below else max(8192, least)
    return World(
        copy, path, request, failing, _later(path, said), ceiling, error or ValueError("no such thing"), Double(copy)
    )


def _later(path: list[Exchange], said: list[str]) -> list[str]:
    """What the user says after each turn that the path goes on from: nothing at calls and pauses."""
    ended = [e.message is not None and e.message["stop_reason"] not in ("tool_use", "pause_turn") for e in path[:-1]]
    return [words for words, over in zip(said, ended, strict=False) if over]
