"""The conditions of an exchange (`when`), each held against a request.

Every condition is a named clause that says what was recorded and what was sent, so that a mismatch can be explained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.messages_api.normal import Block, Turn, as_blocks, comparable, merged, text_of
from autograder.messages_api.scenario import Exchange


class Asked:
    """A request as the conditions look at it. `attempt` is the how-manieth time it is sent."""

    def __init__(self, body: dict[str, Any], attempt: int = 1) -> None:
        self.body = body
        self.attempt = attempt

    @cached_property
    def turns(self) -> list[Turn]:
        """The merged history."""
        return merged(self.body.get("messages"))

    @cached_property
    def reply(self) -> list[Block]:
        """The last assistant turn, normalised; empty when there is none."""
        return comparable(self._last("assistant"))

    @cached_property
    def replied(self) -> bool:
        """Whether there is an assistant turn, be it an empty one."""
        return any(turn.role == "assistant" for turn in self.turns)

    @cached_property
    def user(self) -> list[Block]:
        """The blocks of the last user turn."""
        return self._last("user")

    def _last(self, role: str) -> list[Block]:
        return next((turn.blocks for turn in reversed(self.turns) if turn.role == role), [])


@dataclass(frozen=True)
class Clause:
    """One condition of an exchange, held against a request. `wanted` and `found` are ready to be read."""

    name: str
    agrees: bool
    wanted: str
    found: str


def clauses(exchange: Exchange, asked: Asked) -> Iterator[Clause]:
    """The conditions of an exchange, each held against the request."""
    when, body = exchange.when, asked.body
    if when.max_tokens is not None:
        yield _max_tokens(when.max_tokens.at_least, when.max_tokens.below, body.get("max_tokens"))
    for identifier, wanted in (when.is_error or {}).items():
        yield _is_error(identifier, wanted, asked)
    if when.text_after_results is not None:
        after = _text_after_results(asked.user)
        yield _equal("text after the results", when.text_after_results, after)
    if when.attempt is not None:
        yield _equal("attempt", when.attempt, asked.attempt)
    choice = body.get("tool_choice") or {}
    if when.tool_choice is not None:
        yield _equal("tool_choice", when.tool_choice, choice.get("type", "auto"))
    if when.forced_tool is not None:
        yield _equal("the tool in tool_choice", when.forced_tool, choice.get("name", "none"))
    if when.model is not None:
        yield _equal("model", when.model, body.get("model"))
    if when.system_contains is not None:
        yield _contains("system", when.system_contains, _system_text(body.get("system")))
    if when.user_contains is not None:
        yield _contains("the last user turn", when.user_contains, text_of(asked.user))
    if when.tool_names is not None:
        names = sorted(str(tool.get("name")) for tool in body.get("tools") or [])
        yield _equal("tools", ", ".join(sorted(when.tool_names)) or "none", ", ".join(names) or "none")
    yield from _stream(exchange, asked)


def _stream(exchange: Exchange, asked: Asked) -> Iterator[Clause]:
    stream = asked.body.get("stream") is True
    if exchange.when.stream is not None:
        yield _equal("stream", exchange.when.stream, stream)
    elif any(answer.events is not None and answer.body is None for answer in exchange.answers):
        # Recorded as a stream only: what the same reply would be as JSON, nobody knows.
        yield _equal("stream", True, stream)


def _max_tokens(at_least: int | None, below: int | None, found: Any) -> Clause:
    number = found if isinstance(found, int) else 0
    bounds = [f"at least {at_least}"] if at_least is not None else []
    bounds += [f"below {below}"] if below is not None else []
    agrees = (at_least is None or number >= at_least) and (below is None or number < below)
    return Clause("max_tokens", agrees, " and ".join(bounds), str(found))


def _is_error(identifier: str, wanted: bool, asked: Asked) -> Clause:
    results = [block for block in asked.user if block.get("tool_use_id") == identifier]
    found = bool(results[0].get("is_error")) if results else None
    words = {True: "an error", False: "a success", None: "no result"}
    return Clause(f"the result of {identifier}", found is wanted, words[wanted], words[found])


def _text_after_results(blocks: list[Block]) -> bool:
    results = [i for i, block in enumerate(blocks) if block.get("type") == "tool_result"]
    return bool(results) and any(block.get("type") == "text" for block in blocks[results[-1] :])


def _equal(name: str, wanted: object, found: object) -> Clause:
    return Clause(name, wanted == found, str(wanted), str(found))


def _contains(name: str, wanted: str, found: str) -> Clause:
    return Clause(name, wanted.casefold() in found.casefold(), f"contains {wanted!r}", repr(found))


def _system_text(system: object) -> str:
    return text_of(as_blocks(system))
