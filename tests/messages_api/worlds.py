"""What surrounds a loop that plays a scenario: the request it starts from, what tools return, what the user says next.

Every exchange of a scenario can be met in one such world: it follows from the conditions (`when`) on the way to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from autograder.messages_api.double import Double
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Exchange, Recorded, Scenario, load
from autograder.messages_api.transcript import Transcript
from autograder.messages_api.variation import vary
from tests.messages_api.builders import HEADERS, user

Json = dict[str, Any]
Answered = tuple[str, int]


@dataclass
class World:
    """One way to live through a scenario, and what happened in it.

    way: the exchanges to be met, in order; the last one is the aim.
    request: what every request repeats, without its messages.
    failing: the ids of the calls whose tool raises `error`.
    aside: what the user says right after the results of tools, "" for nothing.
    later: what the user says after a turn that is over, one after another.
    ceiling: the most `max_tokens` that a loop may ask for.
    writes: the tools after whose failure nothing more of a turn is run.
    """

    scenario: Scenario
    way: list[Exchange]
    request: Json
    failing: set[str]
    aside: str
    later: list[str]
    ceiling: int
    error: Exception
    writes: frozenset[str]
    ran: list[tuple[str, str]] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    requests: int = 0

    def __post_init__(self) -> None:
        self.double = Double(self.scenario)

    @property
    def messages(self) -> list[Json]:
        """The history to start from; the question of the first exchange on the way, if it asks for one."""
        asked = self.way[0].when.user_contains
        if asked is None or asked.casefold() in self.scenario.prompt.casefold():
            return self.scenario.messages
        return [user(asked)]

    def send(self, messages: list[Json], max_tokens: int, **changed: Any) -> Response:
        """The double's answer. Raises RuntimeError for a loop that does not end."""
        self.requests += 1
        if self.requests > 40:
            raise RuntimeError("40 requests, and no end")
        body = self.request | {"messages": messages, "max_tokens": max_tokens} | changed
        response = self.double.respond("/v1/messages", body, HEADERS)
        self.answered.extend(_answered(self, response))
        return response

    def is_last(self, reply: Json) -> bool:
        """Whether the scenario ends with this reply, though a call or a pause is open: then a loop has to stop."""
        ids = {e.message["id"]: e.id for e in self.scenario.exchanges if e.message is not None}
        return ids.get(reply["id"]) not in {exchange.follows for exchange in self.scenario.exchanges}

    def run_tool(self, block: Json) -> str:
        """The result of a call: any text, or this world's error."""
        self.ran.append((block["name"], repr(block["input"])))
        if block["id"] in self.failing:
            raise self.error
        return f"{block['name']}: done"


def _answered(world: World, response: Response) -> Iterator[Answered]:
    """Which recorded answer a response is; failures look alike, so new ones on the way to the aim go first."""
    on_way = [(each.id, n) for each in reversed(world.way) for n, a in enumerate(each.answers) if _is(a, response)]
    new = [each for each in on_way if each not in world.answered]
    if on_way:
        yield from new[:1]
        return
    for exchange in world.scenario.exchanges:
        yield from ((exchange.id, n) for n, a in enumerate(exchange.answers) if _is(a, response))


def _is(answer: Recorded, response: Response) -> bool:
    if response.status == 200 and (response.events or isinstance(response.body, dict)):
        return message_id(answer) == _message_id(response.body, response.events)
    if answer.body is not None and isinstance(response.body, dict):
        return answer.status == response.status and answer.body["error"] == response.body["error"]
    return (answer.status == response.status or response.status == 0) and (answer.text, answer.outcome) == (
        response.body,
        response.outcome,
    )


def message_id(answer: Recorded) -> str | None:
    """The id of the message that an answer is or begins."""
    return _message_id(answer.body, answer.events) if answer.status == 200 else None


def _message_id(body: Any, events: Any) -> str | None:
    message = events[0]["message"] if events else body
    return message.get("id") if isinstance(message, dict) else None


@cache
def conversation(name: str, seed: str) -> Scenario:
    """A committed scenario, or its variation under a seed that is not empty."""
    return vary(load(name), seed) if seed else load(name)


def way_to(scenario: Scenario, exchange: Exchange) -> list[Exchange]:
    """The exchanges from the beginning of the conversation to this one."""
    known = {each.id: each for each in scenario.exchanges}
    way = [exchange]
    while way[0].follows is not None:
        way.insert(0, known[way[0].follows])
    return way


def world(scenario: Scenario, aim: str, error: Exception | None = None, *, stream: bool = False) -> World:
    """The world in which a right loop meets the exchange with this id."""
    way = way_to(scenario, next(exchange for exchange in scenario.exchanges if exchange.id == aim))
    own = scenario.model_copy()
    own._transcript = Transcript()
    streams = stream or any(exchange.when.stream or exchange.answers[-1].events for exchange in way)
    template = scenario.request.model_dump(mode="json", exclude_unset=True, exclude={"messages"})
    request = template | ({"stream": True} if streams else {}) | _chosen(way)
    request["max_tokens"], ceiling = _room(way, template["max_tokens"])
    calls = [exchange.when.is_error or {} for exchange in way]
    failing = {call for each in calls for call, failed in each.items() if failed}
    error = error or ValueError("it failed")
    return World(own, way, request, failing, _aside(way), _later(way), ceiling, error, _writes(calls))


def _writes(calls: list[dict[str, bool]]) -> frozenset[str]:
    """None when a call is to succeed after another of its turn has failed."""
    wanted = [list(each.values()) for each in calls]
    goes_on = any(False in each[each.index(True) :] for each in wanted if True in each)
    return frozenset() if goes_on else frozenset({"process_refund"})


def _chosen(way: list[Exchange]) -> Json:
    """Model and tool choice that the exchanges on the way ask for."""
    chosen: Json = {exchange_field: value for exchange in way for exchange_field, value in _choices(exchange)}
    if chosen.get("tool_choice") == {"type": "tool"}:
        message = way[0].message or {}
        chosen["tool_choice"]["name"] = message["content"][0]["name"]
    return chosen


def _choices(exchange: Exchange) -> Iterator[tuple[str, Any]]:
    if exchange.when.model:
        yield "model", exchange.when.model
    if exchange.when.tool_choice:
        yield "tool_choice", {"type": exchange.when.tool_choice}


def _room(way: list[Exchange], usual: int) -> tuple[int, int]:
    """The first and the largest `max_tokens`."""
    bounds = [exchange.when.max_tokens for exchange in way if exchange.when.max_tokens is not None]
    below = min((bound.below for bound in bounds if bound.below is not None), default=8193) - 1
    least = max((bound.at_least for bound in bounds if bound.at_least is not None), default=0)
    return min(max(usual, least), below), below


def _aside(way: list[Exchange]) -> str:
    """The text after results that the aim asks for."""
    when = way[-1].when
    if len(way) == 1 or _over(way[:-1]):
        return ""
    return when.user_contains or ("Please be quick." if when.text_after_results else "")


def _over(way: list[Exchange]) -> bool:
    """Whether the user may speak after the last of these exchanges: no call and no pause is open."""
    message = way[-1].message if way else None
    return message is not None and message["stop_reason"] not in ("tool_use", "pause_turn")


def _later(way: list[Exchange]) -> list[str]:
    return [
        exchange.when.user_contains or "Please go on."
        for number, exchange in enumerate(way)
        if number and _over(way[:number])
    ]
