"""Names in sentences: what there is, and what was perhaps meant. The double has its own: it imports nothing of ours."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def listed(sentence: str, names: Collection[str]) -> str:
    """The sentence with the names below it, one a line."""
    return "\n".join([sentence, *(f"  {name}" for name in names)])


def nearest(word: str, names: Collection[str], *, count: int = 1, cutoff: float = 0.6) -> list[str]:
    """The names that look most like `word`, best first: at most `count`, and none less like it than `cutoff`."""
    return difflib.get_close_matches(word, list(names), n=count, cutoff=cutoff)
