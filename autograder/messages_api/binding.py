"""Thinking blocks that come back other than they were sent.

`refusal` sees one request and cannot know what a signature signs; the double can, because it sent the block. Wordings:
"Errors" in the Claude documentation (blocks of the latest assistant message), and bug reports with request ids (invalid
signature). No recording shows either. Binding to the whole prefix (accounts since 2026-08-31) is not judged here: the
double does not know the user turns of the conversation it recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.normal import Block, Turn, as_blocks
from autograder.messages_api.request_rules import changed_thinking
from autograder.messages_api.scenario import Scenario


def signatures(scenario: Scenario) -> frozenset[str]:
    """Every signature that the scenario gives to its clients."""
    contents: list[Any] = [message.get("content") for message in scenario.request.messages]
    found: set[str] = set()
    for answer in (answer for exchange in scenario.exchanges for answer in exchange.answers):
        contents.append((answer.body or {}).get("content"))
        found.update(_streamed(answer.events or []))
    found.update(str(block.get("signature")) for content in contents for block in as_blocks(content))
    return frozenset(found)


def foreign_signature(turns: list[Turn], known: frozenset[str]) -> ApiRefusal | None:
    """The refusal of the first thinking block that the double did not sign, or None."""
    for turn, index, block in _thinking(turns):
        if block.get("signature") not in known:
            return invalid(f"messages.{turn}.content.{index}: Invalid `signature` in `thinking` block")
    return None


def edited_thinking(body: dict[str, Any], turns: list[Turn], recorded: list[Block]) -> ApiRefusal | None:
    """The refusal of a latest assistant turn whose thinking was edited, moved or partly dropped, or None.

    `recorded` is that turn as it was answered. A request without any thinking is let pass, as recorded for adaptive
    thinking: who changes a bound history has to drop every block.
    """
    if not any(True for _ in _thinking(turns)):
        return None
    count = sum(turn.role == "assistant" for turn in turns)
    return changed_thinking(body, [[] for _ in range(count - 1)] + [recorded])


def _thinking(turns: list[Turn]) -> Iterator[tuple[int, int, Block]]:
    for turn in turns:
        for index, block in enumerate(turn.blocks):
            if turn.role == "assistant" and block.get("type") == "thinking":
                yield turn.number, index, block


def _streamed(events: list[Any]) -> Iterator[str]:
    """Signatures in events that are given word by word."""
    for event in events:
        delta = event.get("delta") if isinstance(event, dict) else None
        if isinstance(delta, dict) and "signature" in delta:
            yield str(delta["signature"])
