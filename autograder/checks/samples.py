"""Messages that the checks hand to a learner's function, in the shape of today's replies.

Every value is drawn from the seed, so a graded run sees texts, ids and numbers that stand in no notebook. The
keys and their order are those of a reply of claude-sonnet-5-5 (recording
`aakshintala_fiber__anthropic-messages-probe_caller.json`, 2026-09-29).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from autograder.checks.values import SdkObject
from autograder.given import MODEL
from autograder.messages_api.identifiers import ALPHABET

SENTENCES = (
    "Order {n} left the warehouse on Monday.",
    "The tent in order {n} is on its way.",
    "You can return order {n} until the end of the month.",
    "I found {n} boots in your size.",
    "The refund for order {n} was sent to your bank.",
    "Your parcel {n} waits at the post office.",
)
TOOLS = ("get_order", "search_help", "find_customer", "list_returns", "check_stock", "open_case")
NEW_TYPES = ("hologram", "map", "sketch", "text_preview", "tool_use_preview")
CATEGORIES = ("cyber", "bio", "general_harms")

Block = dict[str, Any]


class Samples:
    """Draws blocks, usages and messages from one seed; the same seed gives the same ones."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(f"samples {seed}")

    def identifier(self, prefix: str) -> str:
        """Return an id that looks real: the prefix, `01` and 22 base58 characters."""
        return f"{prefix}_01" + "".join(self._random.choices(ALPHABET, k=22))

    def number(self, low: int = 100, high: int = 9999) -> int:
        """Return a whole number between `low` and `high`."""
        return self._random.randint(low, high)

    def sentence(self) -> str:
        """Return one sentence of the support desk."""
        return self._random.choice(SENTENCES).format(n=self.number())

    def tool_name(self) -> str:
        """Return the name of a client tool."""
        return self._random.choice(TOOLS)

    def one_of(self, options: Sequence[str]) -> str:
        """Return one of these texts."""
        return self._random.choice(options)

    def category(self) -> str:
        """Return the category of a refusal."""
        return self._random.choice(CATEGORIES)

    def text(self, text: str | None = None) -> Block:
        """Return a text block."""
        return {"type": "text", "text": self.sentence() if text is None else text}

    def thinking(self, thinking: str = "") -> Block:
        """Return a thinking block; its text is empty unless the request asked for a summary."""
        return {"type": "thinking", "thinking": thinking, "signature": "".join(self._random.choices(ALPHABET, k=96))}

    def tool_use(self, name: str | None = None) -> Block:
        """Return a client tool call."""
        return {
            "type": "tool_use",
            "id": self.identifier("toolu"),
            "name": name or self.tool_name(),
            "input": {"order_id": f"P-{self.number()}"},
            "caller": {"type": "direct"},
        }

    def server_call(self) -> list[Block]:
        """Return a web search of the server: the call and its result."""
        call_id = self.identifier("srvtoolu")
        query = {"query": self.sentence()}
        found = {
            "type": "web_search_result",
            "title": self.sentence(),
            "url": f"https://example.com/{self.number()}",
            "encrypted_content": "".join(self._random.choices(ALPHABET, k=40)),
            "page_age": None,
        }
        return [
            {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": query},
            {"type": "web_search_tool_result", "tool_use_id": call_id, "content": [found]},
        ]

    def unknown_block(self) -> Block:
        """Return a block of a type that no SDK of today knows, with a text, a name and an input of its own."""
        kind = self._random.choice(NEW_TYPES)
        return {"type": kind, "text": self.sentence(), "name": self.tool_name(), "input": {"n": self.number()}}

    def file_view(self) -> Block:
        """Return the result of a text editor that the server runs: its type begins with "text"."""
        return {
            "type": "text_editor_code_execution_tool_result",
            "tool_use_id": self.identifier("srvtoolu"),
            "content": {"type": "text_editor_code_execution_create_result", "is_file_update": False},
        }

    def cited(self, text: str) -> Block:
        """Return a text block that cites a web page."""
        citation = {
            "type": "web_search_result_location",
            "url": f"https://example.com/{self.number()}",
            "title": self.sentence(),
            "encrypted_index": "".join(self._random.choices(ALPHABET, k=40)),
            "cited_text": text,
        }
        return {"citations": [citation], "type": "text", "text": text}

    def usage(self, **counts: Any) -> dict[str, Any]:
        """Return a usage; `counts` replaces or adds fields."""
        usage: dict[str, Any] = {
            "input_tokens": self.number(),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self.number(10, 400),
            "output_tokens_details": {"thinking_tokens": 0},
            "service_tier": "standard",
            "inference_geo": "global",
        }
        return {**usage, **counts}

    def message(self, *content: Block, stop_reason: str | None = "end_turn", **fields: Any) -> SdkObject:
        """Return a Message with this content."""
        message = {
            "model": MODEL,
            "id": self.identifier("msg"),
            "type": "message",
            "role": "assistant",
            "content": list(content),
            "container": None,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "stop_details": None,
            "usage": self.usage(),
            "diagnostics": None,
        }
        return SdkObject("Message", {**message, **fields})


def refusal_details(category: str | None) -> dict[str, Any]:
    """Return the `stop_details` of a refusal (documented shape; no recording has one)."""
    return {"type": "refusal", "category": category, "explanation": None}
