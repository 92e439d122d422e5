"""A known conversation with other parallel calls: in another order, and more of them, up to five in a reply.

`vary` changes what a conversation says, this changes how its replies are built, and both can be had: `vary(
restructure(scenario, seed), seed)`. What follows a reply still depends on the calls that it depended on before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from autograder.messages_api.identifiers import digest, new_id
from autograder.messages_api.scenario import Scenario, from_json
from autograder.messages_api.substitutions import Substitutions, amounts_in

Json = dict[str, Any]

MOST = 5
_OF_A_CALL = 45  # output tokens of one more call, as in recorded replies with several
_OF_A_RESULT = 40
_NOTE = "Restructured: more calls in a reply, in another order, with the tokens that they cost. "


def restructure(scenario: Scenario, seed: str, *, writes: frozenset[str] = frozenset({"process_refund"})) -> Scenario:
    """The same conversation with other parallel calls, always the same for the same seed.

    Added is the like of a call: the same tool, other values; nothing depends on its result. Left alone are calls of
    `writes`, calls that the scenario makes more than once, replies that are cut off or given event by event, and the
    order of calls where what follows depends on a call of `writes` and on others beside it.
    """
    data = scenario.model_dump(mode="json", exclude_unset=True)
    source = random.Random(digest("structure", seed))
    for exchange in data["exchanges"]:
        for body in _replies(exchange):
            added = list(_added(data, body, writes, source))
            _place(body, added, source, keep_order=_order_matters(data, exchange["id"], body, writes))
            _count(data, exchange, body, len(added))
    kind = "adapted" if data["provenance"]["kind"] == "recorded" else data["provenance"]["kind"]
    data["provenance"] = {**data["provenance"], "kind": kind, "note": _NOTE + data["provenance"]["note"]}
    return from_json(data, name="a restructured scenario")


def _replies(exchange: Json) -> Iterator[Json]:
    """The whole replies of an exchange that call tools."""
    for answer in exchange.get("attempts") or [exchange["response"]]:
        body = answer.get("body") or {}
        if body.get("stop_reason") == "tool_use" and not answer.get("events") and any(map(_is_call, body["content"])):
            yield body


def _order_matters(data: Json, identifier: str, body: Json, writes: frozenset[str]) -> bool:
    """Whether an exchange that follows depends on a write and on more: after a write that failed nothing is run."""
    writing = {block["id"] for block in body["content"] if _is_call(block) and block["name"] in writes}
    following = (each for each in data["exchanges"] if each.get("follows") == identifier)
    named = [set((each.get("when") or {}).get("is_error") or {}) for each in following]
    return any(len(names) > 1 and names & writing for names in named)


def _added(data: Json, body: Json, writes: frozenset[str], source: random.Random) -> Iterator[Json]:
    calls = [block for block in body["content"] if _is_call(block)]
    made = [(call["name"], call["input"]) for call in _calls(data)]
    free = [
        call
        for call in calls
        if call["input"] and call["name"] not in writes and made.count((call["name"], call["input"])) == 1
    ]
    for number in range(source.randint(0, MOST - len(calls)) if free and len(calls) < MOST else 0):
        like = source.choice(free)
        seed = f"{source.random()} {number}"
        value = Substitutions(seed, amounts=amounts_in({"input": like["input"]})).value(like["input"])
        if (like["name"], value) not in made:
            made.append((like["name"], value))
            yield {**like, "id": new_id("toolu", seed, like["id"]), "input": value}


def _place(body: Json, added: list[Json], source: random.Random, *, keep_order: bool) -> None:
    """Put the calls where the old ones stood; what stood between them goes before them."""
    content = body["content"]
    places = [index for index, block in enumerate(content) if _is_call(block)]
    calls = [content[index] for index in places]
    if not keep_order:
        source.shuffle(calls)
    for call in added:
        calls.insert(source.randint(0, len(calls)), call)
    between = [block for block in content[places[0] : places[-1]] if not _is_call(block)]
    body["content"] = [*content[: places[0]], *between, *calls, *content[places[-1] + 1 :]]


def _count(data: Json, exchange: Json, body: Json, added: int) -> None:
    """Let the added calls cost tokens here, and in every reply that has them in its history."""
    body["usage"]["output_tokens"] += added * _OF_A_CALL
    later = {exchange["id"]}
    for each in data["exchanges"]:
        if each.get("follows") in later and each["id"] not in later:
            later.add(each["id"])
    for each in (each for each in data["exchanges"] if each["id"] in later and each is not exchange):
        for answer in each.get("attempts") or [each["response"]]:
            if (answer.get("body") or {}).get("usage"):
                answer["body"]["usage"]["input_tokens"] += added * (_OF_A_CALL + _OF_A_RESULT)


def _calls(data: Json) -> Iterator[Json]:
    for exchange in data["exchanges"]:
        for answer in exchange.get("attempts") or [exchange["response"]]:
            yield from filter(_is_call, (answer.get("body") or {}).get("content") or [])


def _is_call(block: Json) -> bool:
    return bool(block["type"] == "tool_use")
