"""What counts as the same conversation: histories are compared after merging and normalising, as the API reads them.

The SDK can send one reply in several spellings (`resp.content`, `to_param()`, `to_dict()`, `model_dump()`): they differ
in nulls only. Ids, a tool's `input`, `signature` and `data` are never touched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]
CALL_TYPES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
# A reply may be echoed with or without these two (recorded for `caller`: file ...probe_caller.json; documented for
# `cache_control`, which a client adds to what it sends).
IGNORED = frozenset({"cache_control", "caller"})


@dataclass(frozen=True)
class Turn:
    """One turn of a merged history: its index after merging, its role and its blocks as they were sent."""

    number: int
    role: str
    blocks: list[Block]


def as_blocks(content: object) -> list[Block]:
    """Content as a list of blocks: a string is one text block; anything that is no block is left out."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def merged(messages: object) -> list[Turn]:
    """The history with neighbouring messages of one role joined, as the API has read it since 2024-10-08."""
    turns: list[Turn] = []
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict):
            continue
        role, blocks = str(message.get("role")), as_blocks(message.get("content"))
        if turns and turns[-1].role == role:
            turns[-1].blocks.extend(blocks)
        else:
            turns.append(Turn(len(turns), role, blocks))
    return turns


def normalised(block: Block) -> Block:
    """A block without nulls, `caller` and `cache_control`; the input of a call stays as it is, nulls included."""
    call = is_call(block)
    kept: Block = {}
    for key, value in block.items():
        if call and key == "input":
            kept[key] = value
        elif key == "content" and isinstance(value, str):
            kept[key] = as_blocks(value)
        elif value is not None and key not in IGNORED:
            kept[key] = _without_nulls(value)
    return kept


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            normalised(value) if "type" in value else {k: _without_nulls(v) for k, v in value.items() if v is not None}
        )
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


def is_blank(block: Block) -> bool:
    """Whether a block is a text block without text. The API refuses some of them, so a right loop leaves them out."""
    text = block.get("text")
    return block.get("type") == "text" and isinstance(text, str) and not text.strip()


def comparable(blocks: Iterable[Block]) -> list[Block]:
    """The blocks of a turn as they are compared: normalised, blank text left out."""
    return [normalised(block) for block in blocks if not is_blank(block)]


def is_call(block: Block) -> bool:
    """Whether a block is a call, of the client's tools or of the server's."""
    return str(block.get("type")) in CALL_TYPES


def text_of(blocks: Iterable[Block]) -> str:
    """The text of the text blocks, joined by nothing."""
    return "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
