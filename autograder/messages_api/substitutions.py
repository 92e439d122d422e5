"""Values of a conversation and others in their place: names, order numbers, addresses, amounts.

Digits are exchanged by one permutation, so that a number cut short (`12` of `120`) stays the beginning of the whole one
and a code keeps its pattern. Words move along small tables. Everything is fixed by the seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from autograder.messages_api.identifiers import digest

# Each word is exchanged for another of its own line.
TABLES = (
    ("Ada", "Ines", "Amir", "Olga", "Enzo", "Asha", "Ivan", "Uma"),
    ("Ben", "Mina", "Lars", "Priya", "Tomas", "Noor", "Hugo", "Wanda", "Jun", "Rosa"),
    ("Garcia", "Keller", "Moreau", "Novak", "Petrov", "Silva", "Tanaka", "Weber"),
    ("Berlin", "Dublin", "Lisbon", "Madrid", "Paris", "Prague", "Vienna", "Warsaw"),
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ("Alder Post", "Elm Express", "Ash Parcels", "Oak Freight"),
    ("Tarn Couriers", "Fell Logistics", "Moor Delivery", "Vale Transport"),
    ("Heron 3", "Curlew 3", "Plover 3", "Dunlin 3"),
)
_CODE = re.compile(r"(?<![A-Za-z0-9-])([A-Z]{1,5}-)(\d{2,})(?![\w-])")
_CODE_CUT = re.compile(r"(?<![A-Za-z0-9-])([A-Z]{1,5}-)(\d+)(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?!\w|[.,]\d)")
_MAIL = re.compile(r"(?<![\w.+-])([\w.+-]+)(@[\w-]+(?:\.[\w-]+)+)")
_MONEY = re.compile(
    r"[€$£]\s?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s?(?:€|euros?\b|dollars?\b|EUR\b|USD\b)|(\d+\.\d{2})(?!\d)"
)
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


class Substitutions:
    """What stands for what under one seed.

    `keep` are values that must stay as they are, such as those a tool's schema lists; `amounts` are the numerals that
    count as amounts of this conversation (see `amounts_in`).
    """

    def __init__(self, seed: str, *, keep: frozenset[str] = frozenset(), amounts: frozenset[str] = frozenset()) -> None:
        self._random = random.Random(digest("substitutions", seed))
        self._digits = str.maketrans("123456789", self._permutation())
        self._words = {word: other for word, other in self._moved() if word not in keep and other not in keep}
        self._names = re.compile("|".join(rf"\b{re.escape(word)}(?=s?\b)" for word in self._words) or r"(?!)")
        self._seed = seed
        self._keep = keep
        self._amounts = amounts

    def text(self, text: str, *, cut: bool = False) -> str:
        """The text with other values. `cut`: it may end in the middle of a number or a code."""
        if text in self._keep:
            return text
        text = _MAIL.sub(lambda match: self._local_part(match[1]) + match[2], text)
        text = self._names.sub(lambda match: self._words[match[0]], text)
        text = (_CODE_CUT if cut else _CODE).sub(lambda match: match[1] + match[2].translate(self._digits), text)
        return _NUMBER.sub(lambda match: self._numeral(match[0], cut), text)

    def value(self, value: Any, *, cut: bool = False) -> Any:
        """Any JSON with other values in its strings and numbers; keys stay."""
        if isinstance(value, str):
            return self.text(value, cut=cut)
        if isinstance(value, dict):
            return {key: self.value(item, cut=cut) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, cut=cut) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return type(value)(self._numeral(str(value), cut))
        return value

    def _numeral(self, numeral: str, cut: bool) -> str:
        known = numeral in self._amounts or (cut and any(amount.startswith(numeral) for amount in self._amounts))
        return numeral.translate(self._digits) if known else numeral

    def _local_part(self, local: str) -> str:
        lower = {word.lower(): other.lower() for word, other in self._words.items()}
        parts = [lower.get(part, part) for part in re.split(r"([.+_-])", local)]
        changed = "".join(parts)
        return changed if changed != local else f"{local}{digest(self._seed, local) % 90 + 10}"

    def _permutation(self) -> str:
        """The digits 1 to 9 in an order in which none keeps its place, so that every number changes."""
        digits = list("123456789")
        while any(str(place + 1) == digit for place, digit in enumerate(digits)):
            self._random.shuffle(digits)
        return "".join(digits)

    def _moved(self) -> Iterator[tuple[str, str]]:
        for table in TABLES:
            step = self._random.randrange(1, len(table))
            yield from zip(table, table[step:] + table[:step], strict=True)


def amounts_in(value: Any, *, inside_input: bool = False) -> frozenset[str]:
    """The numerals that are amounts: sums of money in texts, and numbers of at least two digits in inputs of tools."""
    if isinstance(value, str):
        return frozenset(numeral for match in _MONEY.finditer(value) for numeral in match.groups() if numeral)
    if isinstance(value, dict):
        found = (amounts_in(item, inside_input=inside_input or key == "input") for key, item in value.items())
        return frozenset().union(*found)
    if isinstance(value, list):
        return frozenset().union(*(amounts_in(item, inside_input=inside_input) for item in value))
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= 10
    return frozenset({str(value)}) if inside_input and number else frozenset()


def listed_values(schema: Any) -> frozenset[str]:
    """The strings that schemas list as the only ones allowed (`enum`, `const`)."""
    if isinstance(schema, list):
        return frozenset().union(*(listed_values(item) for item in schema))
    if not isinstance(schema, dict):
        return frozenset()
    listed = [*schema.get("enum", [])] if isinstance(schema.get("enum"), list) else []
    own = frozenset(item for item in [*listed, schema.get("const")] if isinstance(item, str))
    return own.union(*(listed_values(item) for item in schema.values()))


def has_bounds(schema: Any) -> bool:
    """Whether a schema limits a number anywhere; then other amounts might break it."""
    if isinstance(schema, list):
        return any(has_bounds(item) for item in schema)
    if not isinstance(schema, dict):
        return False
    return any(bound in schema for bound in _BOUNDS) or any(has_bounds(item) for item in schema.values())
