"""Which recorded exchange answers a request: the conversation so far decides, then the conditions of the exchange.

When none does, the outcome says which exchange came nearest, what agreed and what differed. Nothing is ever made up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.messages_api.conditions import Asked, Clause, clauses
from autograder.messages_api.normal import Block, comparable, is_call, text_of
from autograder.messages_api.scenario import Exchange, Scenario


@dataclass(frozen=True)
class Match:
    """The exchange that answers."""

    exchange: Exchange


@dataclass(frozen=True)
class Mismatch:
    """No exchange answers: the nearest one, the names of what agreed, and what differed from it."""

    nearest: Exchange
    agreed: list[str]
    differed: list[Clause]

    @property
    def message(self) -> str:
        """What to tell the caller, in lines of at most 76 columns."""
        lines = [
            "ReplayMismatch: no recorded exchange answers this request.",
            f"  nearest   {self.nearest.id}",
            f"  agreed    {', '.join(self.agreed) or 'nothing'}",
        ]
        for clause in self.differed:
            lines.append(_cut(f"  differed  {clause.name}"))
            lines.append(_cut(f"    recorded  {clause.wanted}"))
            lines.append(_cut(f"    sent      {clause.found}"))
        return "\n".join(lines)

    @property
    def details(self) -> dict[str, Any]:
        """The same as data, for whoever wants to draw it."""
        differed = [{"what": c.name, "recorded": c.wanted, "sent": c.found} for c in self.differed]
        return {"nearest": self.nearest.id, "agreed": self.agreed, "differed": differed}


class Book:
    """The exchanges of a scenario, normalised once."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.exchanges = {exchange.id: exchange for exchange in scenario.exchanges}
        self.content = {e.id: comparable((e.message or {}).get("content") or []) for e in scenario.exchanges}
        opening = Asked({"messages": scenario.request.messages})
        self.opening, self.opens_replied = opening.reply, opening.replied

    def choose(self, asked: Asked) -> Match | Mismatch:
        """The first exchange whose conversation and conditions agree.

        Exact conversations go first. Where none agrees exactly, one with the same calls (or the same text, if it has no
        calls) is taken: the API would answer as well, and the transcript then says what was altered.
        """
        for agrees in (self._is_exact, self._is_alike):
            for exchange in self.scenario.exchanges:
                if agrees(exchange, asked) and all(clause.agrees for clause in clauses(exchange, asked)):
                    return Match(exchange)
        return self._mismatch(asked)

    def before(self, exchange: Exchange) -> list[Block]:
        """The content that the last assistant turn has to end with."""
        return self.content[exchange.follows] if exchange.follows else self.opening

    def _is_exact(self, exchange: Exchange, asked: Asked) -> bool:
        before = self.before(exchange)
        if not self._at_same_stage(exchange, asked):
            return False
        if exchange.follows is None or not before:
            return asked.reply == before
        return asked.reply[-len(before) :] == before

    def _at_same_stage(self, exchange: Exchange, asked: Asked) -> bool:
        """An empty assistant turn is not the beginning of a conversation."""
        return asked.replied == (exchange.follows is not None or self.opens_replied)

    def _is_alike(self, exchange: Exchange, asked: Asked) -> bool:
        before = self.before(exchange)
        if not before or not asked.reply:
            return before == asked.reply and self._at_same_stage(exchange, asked)
        calls, sent = _calls(before), _calls(asked.reply)
        if calls or sent:
            return bool(calls) and sent[-len(calls) :] == calls
        return text_of(asked.reply).endswith(text_of(before)) and bool(text_of(before))

    def _mismatch(self, asked: Asked) -> Mismatch:
        def distance(exchange: Exchange) -> tuple[int, int]:
            history = 0 if self._is_exact(exchange, asked) or self._is_alike(exchange, asked) else 1
            likeness = -len(_shared(self.before(exchange), asked.reply))
            differing = sum(not clause.agrees for clause in clauses(exchange, asked))
            return (differing if not history else 100 + likeness, differing)

        nearest = min(self.scenario.exchanges, key=distance)
        history = self._history(nearest, asked)
        held = [history, *clauses(nearest, asked)]
        agreed = [clause.name for clause in held if clause.agrees]
        if not history.agrees:
            agreed = [*self._same_blocks(nearest, asked), *agreed]
        return Mismatch(nearest, agreed, [clause for clause in held if not clause.agrees])

    def _same_blocks(self, exchange: Exchange, asked: Asked) -> list[str]:
        before = self.before(exchange)
        same = sum(block in asked.reply for block in before)
        return [f"{same} of {len(before)} blocks"] if same else []

    def _history(self, exchange: Exchange, asked: Asked) -> Clause:
        agrees = self._is_exact(exchange, asked) or self._is_alike(exchange, asked)
        before = self.before(exchange)
        if exchange.follows:
            name = f"the last assistant turn ends with the reply {exchange.follows}"
        elif before:
            name = "the history begins as the scenario's request does"
        else:
            name = "the conversation begins"
        wanted, found = _first_difference(before, asked.reply)
        return Clause(name, agrees, wanted, found)


def _calls(blocks: list[Block]) -> list[tuple[Any, Any, Any]]:
    return [(block.get("id"), block.get("name"), block.get("input")) for block in blocks if is_call(block)]


def _shared(one: list[Block], other: list[Block]) -> set[str]:
    """Ids, and kinds of blocks, that both have: how alike two turns are that are not the same."""

    def marks(blocks: list[Block]) -> set[str]:
        return {str(block.get("id") or block.get("text") or block.get("type")) for block in blocks}

    return marks(one) & marks(other)


def _first_difference(before: list[Block], reply: list[Block]) -> tuple[str, str]:
    tail = reply[-len(before) :] if before else reply
    for wanted, found in zip(before, tail, strict=False):
        if wanted != found:
            path, one, other = _deepest("", wanted, found)
            label = f"{wanted.get('id') or wanted.get('type')} "
            return f"{label}{path} {one!r}", f"{label}{path} {other!r}"
    return _shape(before), _shape(reply)


def _deepest(path: str, one: Any, other: Any) -> tuple[str, Any, Any]:
    """The place where two values part, and what stands there in each."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            if one.get(key) != other.get(key):
                return _deepest(f"{path}.{key}" if path else str(key), one.get(key), other.get(key))
    return path, one, other


def _shape(blocks: list[Block]) -> str:
    if not blocks:
        return "no assistant turn"
    return ", ".join(f"{block.get('type')} {block.get('id') or ''}".strip() for block in blocks)


def _cut(line: str, width: int = 76) -> str:
    return line if len(line) <= width else f"{line[: width - 3]}..."
