"""The one error that a person can meet before a conversation begins: a scenario that is missing or not valid.

Everything that goes wrong during a conversation is an answer of the double, with a status, as it is with the API.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

REPLAY_MISMATCH = "replay_mismatch"
"""The error type of a request that is legal, but that no recorded exchange answers. Ours, not the API's."""


class ScenarioError(ValueError):
    """A scenario file that is missing or breaks the format; the text says which file, where in it, and what to do."""


def nearest(word: str, known: Iterable[str], *, count: int = 3) -> list[str]:
    """The words of `known` that look most like `word`, best first; for sentences that say what was perhaps meant."""
    return difflib.get_close_matches(word, sorted(known), n=count, cutoff=0.5)
