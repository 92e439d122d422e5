"""How a request's history differs from the recorded one where the API would let it pass.

The API answers a conversation whose earlier replies were edited, so the double does too; these notes are for the checks
that ask for a reply to be sent back word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from autograder.messages_api.conditions import Asked
from autograder.messages_api.matching import Book
from autograder.messages_api.normal import Block, Turn, comparable, is_blank, merged, normalised
from autograder.messages_api.scenario import Exchange

Numbered = tuple[int, Block]
# After these the next request ends with the assistant turn, so that two replies become one turn.
CONTINUED = frozenset({"pause_turn", "compaction"})


def alterations(book: Book, exchange: Exchange, asked: Asked) -> list[str]:
    """Notes on every assistant turn of the request that is not what was recorded, oldest first.

    Aligned from the end, since a client may leave out the beginning of a long conversation.
    """
    sent = [turn for turn in asked.turns if turn.role == "assistant"]
    notes: list[list[str]] = []
    for recorded in reversed(_recorded_turns(book, exchange)):
        if not sent:
            notes.append(["altered: an earlier assistant turn left out"])
            continue
        turn = sent.pop()
        parts = [part for part in recorded if part]
        # A client that puts something between two pauses sends as two turns what was recorded as one.
        while len(parts) > 1 and sent and comparable(turn.blocks) == comparable(parts[-1]):
            parts.pop()
            turn = sent.pop()
        notes.append(list(_differences([block for part in parts for block in part], turn)))
    if asked.turns and asked.turns[0].role == "assistant" and book.scenario.request.messages[0].get("role") == "user":
        notes.append(["altered: the first user turn left out"])
    return [note for group in reversed(notes) for note in group]


def latest_reply(book: Book, exchange: Exchange) -> list[Block]:
    """The last assistant turn before this exchange as it was answered, pauses joined; empty when there is none."""
    turns = _recorded_turns(book, exchange)
    return [block for part in turns[-1] for block in part] if turns else []


def _recorded_turns(book: Book, exchange: Exchange) -> list[list[list[Block]]]:
    """The assistant turns before this exchange, oldest first; each is the list of the replies it is made of."""
    turns = [[turn.blocks] for turn in merged(book.scenario.request.messages) if turn.role == "assistant"]
    chain = _chain(book, exchange)
    continues = False
    for before in chain:
        message: dict[str, Any] = before.message or {}
        if continues and turns:
            turns[-1].append(message["content"])
        else:
            turns.append([message["content"]])
        continues = message.get("stop_reason") in CONTINUED
    return turns


def _chain(book: Book, exchange: Exchange) -> list[Exchange]:
    chain: list[Exchange] = []
    while exchange.follows is not None:
        exchange = book.exchanges[exchange.follows]
        chain.insert(0, exchange)
    return chain


def _differences(recorded: list[Block], turn: Turn) -> Iterator[str]:
    before, after = _numbered(recorded), _numbered(turn.blocks)
    if [block for _, block in before] == [block for _, block in after]:
        return
    keys = [[repr(_sorted(block)) for _, block in side] for side in (before, after)]
    for kind, i, j, k, m in SequenceMatcher(a=keys[0], b=keys[1], autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        changed = min(j - i, m - k) if _same_types(before[i:j], after[k:m]) else 0
        yield from (_note(item, turn.number, "changed") for item in before[i : i + changed])
        yield from (_note(item, turn.number, "left out") for item in before[i + changed : j])
        yield from (_note(item, turn.number, "added") for item in after[k + changed : m])


def _numbered(blocks: list[Block]) -> list[Numbered]:
    return [(index, normalised(block)) for index, block in enumerate(blocks) if not is_blank(block)]


def _same_types(before: list[Numbered], after: list[Numbered]) -> bool:
    return all(one.get("type") == other.get("type") for (_, one), (_, other) in zip(before, after, strict=False))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, _sorted(value[key])) for key in sorted(value)]
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _note(item: Numbered, number: int, what: str) -> str:
    index, block = item
    return f"altered: {block.get('type')} block {index} of message {number} {what}"
