"""What holds between the parts of a scenario, beyond the shape of each: without it a conversation could not be played.

One small function a rule; each yields sentences that begin with the place in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograder.messages_api.errors import nearest
from autograder.messages_api.normal import CALL_TYPES, comparable

if TYPE_CHECKING:
    from autograder.messages_api.scenario import Exchange, Recorded, Scenario

MESSAGE_KEYS = ("id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage")


def problems(scenario: Scenario) -> Iterator[str]:
    """Sentences on everything that keeps this scenario from being played; none for a good one."""
    for index, exchange in enumerate(scenario.exchanges):
        place = f"exchanges.{index} ({exchange.id})"
        if (exchange.response is None) == (exchange.attempts is None):
            yield f"{place}: give either response or attempts"
        for answer in exchange.answers:
            yield from (f"{place}: {problem}" for problem in _answer(answer))
        if scenario.provenance.kind == "recorded" and not all(_is_recorded(answer) for answer in exchange.answers):
            yield f"{place}: a recorded scenario needs the real request-id in each answer's headers"
    yield from _names(scenario)
    if all(exchange.answers for exchange in scenario.exchanges):
        yield from _message_ids(scenario)
        yield from _follows(scenario)


def _answer(answer: Recorded) -> Iterator[str]:
    if answer.body is not None and answer.text is not None:
        yield "an answer has a body or a text, not both"
    if answer.body is None and answer.text is None and answer.events is None and answer.outcome is None:
        yield "an answer needs a body, a text, events or an outcome"
    if answer.outcome is not None and (answer.body is not None or answer.text is not None):
        yield "a lost connection has no body: put what arrived before it into events"
    if answer.body is not None:
        yield from _message(answer) if answer.status == 200 else _error(answer.body)
    if answer.events is not None and answer.status != 200:
        yield "events come with status 200 only: an error before the stream is plain JSON"


def _message(answer: Recorded) -> Iterator[str]:
    body = answer.body or {}
    missing = [key for key in MESSAGE_KEYS if key not in body]
    if missing:
        yield f"body is no whole Message: without {', '.join(missing)}"
        return
    content = body["content"]
    if not isinstance(content, list) or not all(
        isinstance(b, dict) and isinstance(b.get("type"), str) for b in content
    ):
        yield "body.content has to be a list of blocks, each with a type"
        return
    if not isinstance(body["usage"], dict):
        yield "body.usage has to be an object"
    yield from _blocks(content)
    yield from _cut(answer, content)


# What a stream of these blocks is made from.
_BLOCK_FIELDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "thinking": {"thinking": str, "signature": str},
    **{kind: {"id": str, "name": str, "input": dict} for kind in sorted(CALL_TYPES)},
}


def _blocks(content: list[dict[str, Any]]) -> Iterator[str]:
    for index, block in enumerate(content):
        for field, kind in _BLOCK_FIELDS.get(block["type"], {}).items():
            if not isinstance(block.get(field), kind):
                yield f"body.content.{index} ({block['type']}) needs {field}"
    for identifier, count in Counter(b.get("id") for b in content if b["type"] in CALL_TYPES).items():
        if count > 1:
            yield f"the call id {identifier} occurs {count} times in one reply"


def _cut(answer: Recorded, content: list[dict[str, Any]]) -> Iterator[str]:
    for identifier in answer.partial_json:
        if not content or content[-1].get("id") != identifier:
            yield f"partial_json names {identifier}, which is not the last block of the reply"


def _error(body: dict[str, Any]) -> Iterator[str]:
    error = body.get("error")
    if not isinstance(error, dict) or not {"type", "message"} <= error.keys():
        yield "the body of an error needs error.type and error.message"


def _is_recorded(answer: Recorded) -> bool:
    return answer.outcome is not None or "request-id" in {name.lower() for name in answer.headers}


def _names(scenario: Scenario) -> Iterator[str]:
    names = [exchange.id for exchange in scenario.exchanges]
    for name, count in Counter(names).items():
        if count > 1:
            yield f"exchanges: {count} of them have the id {name}"
    for index, exchange in enumerate(scenario.exchanges):
        if exchange.follows is not None and exchange.follows not in names:
            close = nearest(exchange.follows, names, count=1)
            hint = f"; nearest: {close[0]}" if close else ""
            yield f"exchanges.{index}.follows: no exchange has the id {exchange.follows}{hint}"


def _message_ids(scenario: Scenario) -> Iterator[str]:
    bodies = [a.body for e in scenario.exchanges for a in e.answers if a.body is not None and a.status == 200]
    for identifier, count in Counter(str(body.get("id")) for body in bodies).items():
        if count > 1:
            yield f"exchanges: {count} messages have the id {identifier}"


def _follows(scenario: Scenario) -> Iterator[str]:
    known = {exchange.id: exchange for exchange in scenario.exchanges}
    for index, exchange in enumerate(scenario.exchanges):
        if exchange.follows not in known:
            continue
        place = f"exchanges.{index} ({exchange.id})"
        before = known[exchange.follows]
        if before.message is None or not comparable(before.message.get("content") or []):
            yield f"{place}: follows {before.id}, whose answer leaves nothing to follow (no body, or no content)"
        elif _is_circle(exchange, known):
            yield f"{place}: follows itself in a circle"
        else:
            yield from _results(place, exchange, before)


def _is_circle(exchange: Exchange, known: dict[str, Exchange]) -> bool:
    seen: set[str] = set()
    step: Exchange | None = exchange
    while step is not None:
        if step.id in seen:
            return True
        seen.add(step.id)
        step = known.get(step.follows) if step.follows else None
    return False


def _results(place: str, exchange: Exchange, before: Exchange) -> Iterator[str]:
    calls = {block.get("id") for block in (before.message or {})["content"] if block["type"] == "tool_use"}
    for identifier in exchange.when.is_error or {}:
        if identifier not in calls:
            yield f"{place}: when.is_error names {identifier}, which is no call of {before.id}"
