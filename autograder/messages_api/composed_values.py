"""What a composed conversation talks about: names, numbers, topics, and inputs that fit a tool's schema.

Nothing here knows the shop of the lessons; a value follows from the schema and from the name of its property, so that
any tool definition will do.
"""

from __future__ import annotations

import json
import random
from typing import Any

from autograder.messages_api.substitutions import TABLES

Json = dict[str, Any]

_NAMES, _OTHERS, _FAMILIES, _PLACES, _DAYS, _CARRIERS = TABLES[:6]
_TOPICS = ("returns", "a lost parcel", "a late delivery", "a refund", "tent poles", "a wrong size", "gift cards")
_CODE_LETTERS = {"order": "P", "customer": "C", "article": "H", "case": "K", "product": "A"}
_WORDS = "BCDFGHJKLMNPQRSTVWXZ"


class Values:
    """Draws the words and the inputs of one conversation."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def name(self) -> str:
        """A first name."""
        return self._random.choice(_NAMES + _OTHERS)

    def day(self) -> str:
        """A day of the week."""
        return self._random.choice(_DAYS)

    def carrier(self) -> str:
        """An invented company that delivers parcels."""
        return self._random.choice(_CARRIERS)

    def amount(self) -> int:
        """A sum of money of two or three digits."""
        return self._random.randint(11, 489)

    def topic(self) -> str:
        """What a search is about, seldom the same twice."""
        return f"{self._random.choice(_TOPICS)}, {self._random.choice(_PLACES)}, {self.day()}"

    def code(self, letter: str = "P") -> str:
        """A number as the shop writes it, such as P-4821."""
        return f"{letter}-{self._random.randint(1001, 9899)}"

    def mark(self) -> str:
        """Letters and digits that stand in no other conversation, so that a text cannot be guessed."""
        return "".join(self._random.choices(_WORDS, k=3)) + str(self._random.randint(100, 999))

    def tool_input(self, tool: Json) -> Json:
        """An input that is valid for this tool: what it requires, and now and then more."""
        made = self._value(tool.get("input_schema") or {}, "")
        return made if isinstance(made, dict) else {}

    def _value(self, schema: Json, key: str) -> Any:
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._random.choice(schema["enum"])
        kind = schema.get("type", "object" if "properties" in schema else "string")
        match kind[0] if isinstance(kind, list) else kind:
            case "object":
                return self._object(schema)
            case "array":
                items = max(schema.get("minItems", 0), 1)
                return [self._value(schema.get("items") or {}, key) for _item in range(items)]
            case "integer" | "number":
                return self._number(schema)
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
        return self._text(schema, key)

    def _object(self, schema: Json) -> Json:
        required = schema.get("required", [])
        properties: Json = schema.get("properties") or {}
        chosen = [key for key in properties if key in required or self._random.random() < 0.3]
        return {key: self._value(properties[key], key) for key in chosen}

    def _number(self, schema: Json) -> int:
        step = int(schema.get("multipleOf", 1)) or 1
        low = int(schema.get("minimum", schema.get("exclusiveMinimum", 10) + 1))
        high = int(schema.get("maximum", schema.get("exclusiveMaximum", low + 480) - 1))
        return self._random.randint(-(-low // step), max(high // step, -(-low // step))) * step

    def _text(self, schema: Json, key: str) -> str:
        if schema.get("format") == "date":
            return f"2026-{self._random.randint(10, 12)}-{self._random.randint(10, 28)}"
        if "mail" in key or schema.get("format") == "email":
            return f"{self.name().lower()}.{self._random.choice(_FAMILIES).lower()}@example.com"
        if key.endswith(("id", "number", "code")):
            stem = key.partition("_")[0]
            return self.code(_CODE_LETTERS.get(stem, (stem[:1] or "N").upper()))
        if "name" in key or key == "customer":
            return f"{self.name()} {self._random.choice(_FAMILIES)}"
        return self.topic()


def cut_json(tool_input: Json, source: random.Random) -> str:
    """The beginning of an input's JSON, as it arrives when `max_tokens` cuts a call off.

    It ends inside the last number if there is one of several digits (12 of 120: then it looks whole), else anywhere.
    """
    raw = json.dumps(tool_input, ensure_ascii=False)
    digits = len(raw) - 1
    while digits and raw[digits - 1].isdigit():
        digits -= 1
    if len(raw) - 1 - digits > 1:
        return raw[: source.randint(digits + 1, len(raw) - 2)]
    return raw[: source.randint(1, max(1, len(raw) - 2))]
