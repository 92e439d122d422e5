"""The request as the rules see it: turns after same-role messages are merged, and what they need to know besides.

The API merges consecutive messages of one role before it checks a conversation (release notes of 2024-10-08), and its
error indices count what came out of that. Proof: a recording of the Python SDK (2026-02) whose one `tool_result` sits
in the second of two user messages is refused at `messages.0.content.1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from autograder.messages_api.models_table import STRICT_VERSION, Model, model_named


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive messages of one role, as one.

    Attributes:
        role: "user", "assistant" or "system".
        blocks: the content blocks in order; a plain string is one text block, an empty string is none.
    """

    role: str
    blocks: list[dict[str, Any]]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """Return the blocks of one type, in order."""
        return [block for block in self.blocks if block["type"] == kind]


def located(messages: list[Any]) -> Iterator[tuple[int, int, Any]]:
    """Yield each message with its turn's index and the number of blocks that stand before it in that turn.

    Works on messages of any shape, so that even a misshapen one is named by the index the API would use.
    """
    turn, before, role = -1, 0, None
    for message in messages:
        current = message.get("role") if isinstance(message, dict) else None
        if turn < 0 or current is None or current != role:
            turn, before, role = turn + 1, 0, current
        yield turn, before, message
        before += _size(message)


def _size(message: Any) -> int:
    content = message.get("content") if isinstance(message, dict) else None
    return len(content) if isinstance(content, list) else int(bool(content))


def merged(messages: list[dict[str, Any]]) -> list[Turn]:
    """Merge well-shaped messages into turns."""
    turns: list[Turn] = []
    for message in messages:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
        if turns and turns[-1].role == message["role"]:
            turns[-1].blocks.extend(blocks)
        else:
            turns.append(Turn(message["role"], list(blocks)))
    return turns


@dataclass(frozen=True)
class Request:
    """One request body with the day and the API version it is judged by.

    `model` and `turns` may be read only by rules that run after the shape of the body is known to be right.
    `characters` is the length of the body as JSON text, where somebody knows it already.
    """

    body: dict[str, Any]
    api_version: str
    on: date
    counting: bool = False
    characters: int | None = None

    @cached_property
    def model(self) -> Model:
        """What the named model accepts; KeyError when there is no such model."""
        found = model_named(self.body["model"])
        if found is None:
            raise KeyError(self.body["model"])
        return found

    @cached_property
    def turns(self) -> list[Turn]:
        """The conversation after merging."""
        return merged(self.body["messages"])

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The tools, an empty list when there are none."""
        return self.body.get("tools") or []

    @property
    def strict(self) -> bool:
        """Whether the API version is 2026-10-21 or newer."""
        return self.api_version >= STRICT_VERSION

    @cached_property
    def continues_thread(self) -> bool:
        """Whether the server holds the history (beta threads), so that only the new turn is here."""
        thread = self.body.get("thread")
        return isinstance(thread, dict) and thread.get("type") == "continue"

    @property
    def thinking(self) -> str | None:
        """The type of thinking that was asked for, or None."""
        thinking = self.body.get("thinking")
        return thinking.get("type") if isinstance(thinking, dict) else None

    @property
    def tool_choice(self) -> str | None:
        """The type of `tool_choice`, or None."""
        choice = self.body.get("tool_choice")
        return choice.get("type") if isinstance(choice, dict) else None
