"""What happens in a composed conversation, before a word of it is written: its turns, its pauses, its ending.

A trait is something that the API really does and that a loop has to live with. A conversation has any number of traits
on its way and ends once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from autograder.messages_api.errors import nearest

OnTheWay = Literal[
    "parallel",  # 2 to 5 calls in a reply
    "preamble",  # text before a call; one of them sounds as if all were done
    "thinking",  # signed thinking blocks, first in a reply
    "blank_text",  # a text block of nothing before calls, then one of line breaks
    "many_turns",  # more than twelve requests
    "no_argument_call",  # a call whose input is {}
    "renamed_tools",  # other names than in the lesson, but for the tools that write
    "tool_failure",  # a tool fails, and the model tries another input
    "write_failure",  # a tool that writes fails, and calls follow it in the same reply
    "pause",  # pause_turn, several times in a row and once more after a call
    "mixed",  # an open search of the server beside calls of the client
    "cut_call",  # max_tokens cuts a call off; a larger max_tokens does not
    "cut_thinking",  # max_tokens is used up by thinking
    "busy",  # 503 without JSON, and perhaps 429 or 529, then the answer
    "lost_connection",  # no answer, then the answer; the SDK waits half a second between them
]
Ending = Literal[
    "cut_text",  # max_tokens cuts the answer off; it goes on after a new user turn
    "empty_ending",  # end_turn with no content, or with a blank text
    "stop_sequence",
    "refusal",  # before the first word or in mid-sentence; another model answers
    "unknown_reason",  # a stop_reason that nobody knows yet
    "window_full",  # model_context_window_exceeded
    "tool_use_without_call",  # stop_reason tool_use, and only text
    "api_error",  # an error that sending again does not mend
    "stream_error",  # streamed: an error event in mid-answer
    "broken_stream",  # streamed: it stops in the middle of a call
]
Trait = OnTheWay | Ending

ENDINGS: tuple[Ending, ...] = get_args(Ending)
TRAITS: tuple[Trait, ...] = (*get_args(OnTheWay), *ENDINGS)
STREAMED: frozenset[Trait] = frozenset({"stream_error", "broken_stream"})
# They need a request that streams, or time.
NEVER_DRAWN: frozenset[Trait] = STREAMED | {"lost_connection"}

# A loop may keep the larger `max_tokens` that these make it ask for.
_BUDGETS: frozenset[Trait] = frozenset({"cut_call", "cut_thinking"})

# From which lesson on a right loop lives with a trait; a loop of an earlier lesson may fail there.
_LESSONS: dict[int, tuple[Trait, ...]] = {
    5: ("parallel", "preamble", "thinking", "blank_text", "many_turns", "no_argument_call", "renamed_tools"),
    6: ("tool_failure", "write_failure"),
    7: ("pause", "mixed"),
    8: ("cut_call", "cut_thinking"),
    9: (
        "cut_text",
        "empty_ending",
        "stop_sequence",
        "refusal",
        "unknown_reason",
        "window_full",
        "tool_use_without_call",
    ),
    11: ("busy", "lost_connection", "api_error"),
    12: ("stream_error", "broken_stream"),
}

Kind = Literal["plain", "fails", "recovers", "writes", "cut", "thinks", "mixed", "no_argument", "blank"]
_CUT: frozenset[Kind] = frozenset({"cut", "thinks"})
_UNITS: dict[str, tuple[Kind, ...]] = {
    "tool_failure": ("fails", "recovers"),
    "write_failure": ("writes",),
    "cut_call": ("cut",),
    "cut_thinking": ("thinks",),
    "mixed": ("mixed",),
    "no_argument_call": ("no_argument",),
    "blank_text": ("blank", "blank"),
}
# With the end, with pauses and with cuts these are at most 20 requests, the `max_steps` of the lessons.
_MANY = 12


@dataclass
class Turn:
    """One reply that calls tools. `pauses` come before it."""

    kind: Kind
    calls: int = 1
    preamble: bool = False
    pauses: int = 0


@dataclass(frozen=True)
class Plan:
    """The turns, the ending (None: an answer) and the pauses before it."""

    turns: list[Turn]
    ending: Ending | None
    last_pauses: int


def survivable(lesson: int) -> tuple[Trait, ...]:
    """The traits that a right loop of this lesson lives with."""
    return tuple(trait for first, traits in _LESSONS.items() if first <= lesson for trait in traits)


def drawn(source: random.Random, lesson: int, *, without: frozenset[Trait] = frozenset()) -> frozenset[Trait]:
    """A mixture of what a right loop of this lesson lives with. `without`: traits that cannot come about here."""
    there = survivable(lesson)
    on_the_way = [trait for trait in there if trait not in ENDINGS and trait not in without | NEVER_DRAWN]
    chosen = {trait for trait in on_the_way if source.random() < (0.2 if trait == "many_turns" else 0.5)}
    ending = source.choice([None, *[trait for trait in there if trait in ENDINGS and trait not in NEVER_DRAWN]])
    if ending == "cut_text":
        chosen -= _BUDGETS
    return frozenset(chosen | ({ending} if ending else set()))


def checked(traits: Iterable[str]) -> frozenset[Trait]:
    """The traits as a set. Raises ValueError for one that does not exist, and for two that exclude each other."""
    known = frozenset(trait for trait in TRAITS if trait in set(traits))
    for trait in sorted(set(traits) - set(TRAITS)):
        raise ValueError(f"there is no trait {trait!r}; nearest: {', '.join(nearest(trait, TRAITS)) or TRAITS[0]}")
    endings = [trait for trait in ENDINGS if trait in known]
    if len(endings) > 1:
        raise ValueError(f"a conversation ends once: choose one of {', '.join(endings)}")
    if "cut_text" in known and known & _BUDGETS:
        raise ValueError("cut_text excludes cut_call and cut_thinking: with the budget that they need, no text is cut")
    return known


def planned(traits: frozenset[Trait], source: random.Random) -> Plan:
    """One way in which these traits can come about."""
    ending = next((trait for trait in ENDINGS if trait in traits), None)
    units = [[Turn(kind) for kind in kinds] for trait, kinds in _UNITS.items() if trait in traits]
    wanted = max(sum(map(len, units)), _MANY if "many_turns" in traits else source.randint(1, 3))
    if "pause" in traits or "mixed" in traits:
        wanted = max(wanted, sum(map(len, units)) + 2)
    units += [[Turn("plain")] for _turn in range(wanted - sum(map(len, units)))]
    source.shuffle(units)
    while not _fits(units):
        source.shuffle(units)
    turns = [turn for unit in units for turn in unit]
    _draw_calls(turns, traits, source)
    _draw_preambles(turns, traits, source)
    return Plan(turns, ending, _draw_pauses(turns, traits, ending, source))


def _fits(units: list[list[Turn]]) -> bool:
    """A reply that begins with a server result is never a cut one, and it has something to say."""
    kinds: list[Kind | None] = [turn.kind for unit in units for turn in unit]
    return all(after not in (None, *_CUT) for kind, after in _pairs(kinds) if kind == "mixed")


def _pairs(kinds: list[Kind | None]) -> Iterator[tuple[Kind | None, Kind | None]]:
    return zip(kinds, [*kinds[1:], None], strict=True)


def _draw_calls(turns: list[Turn], traits: frozenset[Trait], source: random.Random) -> None:
    for turn in turns:
        if turn.kind == "writes":
            turn.calls = source.randint(2, 3)
    if "parallel" not in traits:
        return
    able = [turn for turn in turns if turn.kind not in ("recovers", "writes")]
    for turn in able:
        turn.calls = source.randint(1, 5)
        if turn.kind == "cut":
            turn.calls = source.randint(2, 3)
    if able:  # else the one reply is a write with calls after it
        source.choice(able).calls = source.randint(2, 5)


def _draw_preambles(turns: list[Turn], traits: frozenset[Trait], source: random.Random) -> None:
    if "preamble" in traits:
        able = [turn for turn in turns if turn.kind not in (*_CUT, "blank")] or turns
        for turn in able:
            turn.preamble = source.random() < 0.4
        source.choice(able).preamble = True


def _draw_pauses(turns: list[Turn], traits: frozenset[Trait], ending: Ending | None, source: random.Random) -> int:
    """Two groups of pauses with a call between them, one of them of several; gives the pauses before the end."""
    if "pause" not in traits:
        return 0
    groups = [source.randint(2, 3), 1]
    source.shuffle(groups)
    places = [index for index, turn in enumerate(turns) if turn.kind not in _CUT]
    if ending is None:
        places.append(len(turns))
    first, second = sorted(source.sample(places, 2))
    turns[first].pauses = groups[0]
    if second == len(turns):
        return groups[1]
    turns[second].pauses = groups[1]
    return 0
