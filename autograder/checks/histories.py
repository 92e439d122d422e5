"""Histories with and without faults in the pairing of calls and results, drawn from a seed.

The checks of `history_faults` compare a learner's list with what the double's own rules say about the same history:
`named_by_the_api` reads it from the refusal. A fault is planted so that the API has no second reason to refuse. An id
that is used in two turns is never planted: whether the API refuses it is doubtful (see `rules_pairing.unique_calls`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import date
from itertools import cycle
from typing import Any

from autograder.checks.samples import Block, Samples
from autograder.given import MODEL, Fault
from autograder.messages_api.merging import merged
from autograder.messages_api.request_rules import ApiRefusal, refusal

DAY = date(2026, 11, 30)
"""The day by whose rules histories are judged, so that a verdict is the same next year."""

Turns = list[dict[str, Any]]
Plant = Callable[["Histories", Turns, int], None]
"""`plant(histories, turns, at)` breaks a rule at the calls of `turns[at]`, in place."""

WORDINGS = {
    "unanswered": re.compile(r"messages\.(\d+): `tool_use` ids were found without .*? immediately after: (.+?)\. Each"),
    "unexpected": re.compile(r"messages\.(\d+)\.content\.\d+: unexpected `tool_use_id` .*? blocks: (\S+)\. Each"),
    "two_results": re.compile(r"messages\.(\d+)\.content\.\d+: each tool_use must have a single .* with id: (\S+)$"),
    "repeated_id": re.compile(r"messages\.(\d+)\.content\.(\d+): `tool_use` ids must be unique$"),
}


def judged(messages: Turns) -> ApiRefusal | None:
    """Return what the API says to a request with this history, None when it accepts it."""
    return refusal({"model": MODEL, "max_tokens": 1024, "messages": messages}, on=DAY)


def said(refused: ApiRefusal | None) -> str:
    """Return a refusal in one line, "" when there is none."""
    return "" if refused is None else f"{refused.status} {refused.type}: {refused.message}"


def named_by_the_api(messages: Turns) -> list[Fault]:
    """Return the faults that the API's refusal names, [] when it accepts the history.

    Raises ValueError when it refuses for a reason that is no fault of pairing.
    """
    found = judged(messages)
    if found is None:
        return []
    for kind, wording in WORDINGS.items():
        match = wording.match(found.message)
        if match is not None:
            index = int(match[1])
            if kind == "repeated_id":
                return [Fault(kind, index, merged(messages)[index].blocks[int(match[2])]["id"])]
            return [Fault(kind, index, name) for name in match[2].split(", ")]
    raise ValueError(f"this is no fault of pairing: {found.message}")


class Histories:
    """Draws histories; the same seed gives the same ones."""

    def __init__(self, make: Samples) -> None:
        self.make = make
        self._random = random.Random(make.number(0, 10**9))
        self._id_forms = cycle(self._random.sample(("toolu", "call_", "auto-", ""), 4))

    def sound(self, *calls: int, split: bool = False) -> Turns:
        """Return a history that the API accepts, with so many calls in each of its rounds.

        split: give some turns in several messages of one role, which the API merges.
        """
        return self._messages(self._rounds(calls), split)

    def planted(self, *calls: int, plants: dict[int, Plant], split: bool = False) -> Turns:
        """Return a history with faults. plants: the number of a round -> what is broken there; the last goes first."""
        turns = self._rounds(calls)
        for number, plant in sorted(plants.items(), reverse=True):
            plant(self, turns, 1 + 2 * number)
        return self._messages(turns, split)

    def _rounds(self, calls: tuple[int, ...]) -> Turns:
        """Rounds of calls and results: in the first a text follows the results, in the second the API searches."""
        prefix = next(self._id_forms)
        turns = [self._turn("user", self.make.text())]
        for number, count in enumerate(calls):
            ids = [self._id(prefix) for _call in range(count)]
            asked = [{**self.make.tool_use(), "id": name} for name in ids]
            search = self.make.server_call() if number == 1 else []
            before = self._random.choice((self.make.thinking(), self.make.text()))
            turns.append(self._turn("assistant", *search, before, *asked))
            answers = [self.result(name) for name in self._random.sample(ids, count)]
            after = [self.make.text()] if not count or (number == 0 and len(calls) > 1) else []
            turns.append(self._turn("user", *answers, *after))
        return turns

    def _id(self, prefix: str) -> str:
        real = self.make.identifier("toolu")
        return real if prefix == "toolu" else prefix + real[-6:]

    def result(self, name: str) -> Block:
        """Return the result for the call with this id."""
        result: Block = {"type": "tool_result", "tool_use_id": name, "content": self.make.sentence()}
        return {**result, "is_error": True} if self._random.random() < 0.2 else result

    def other_id(self, name: str) -> str:
        """Return an id that is almost `name`."""
        return name[:-2] + self.make.identifier("x")[-4:]

    def _turn(self, role: str, *blocks: Block) -> dict[str, Any]:
        return {"role": role, "content": list(blocks)}

    def _messages(self, turns: Turns, split: bool) -> Turns:
        messages: Turns = []
        for turn in turns:
            blocks = turn["content"]
            if split and len(blocks) > 1:
                middle = self._random.randint(1, len(blocks) - 1)
                messages += [self._turn(turn["role"], *part) for part in (blocks[:middle], blocks[middle:])]
            elif [block["type"] for block in blocks] == ["text"]:
                messages.append({"role": turn["role"], "content": blocks[0]["text"]})
            else:
                messages.append(turn)
        return messages


def _results(turn: dict[str, Any]) -> list[Block]:
    return [block for block in turn["content"] if block["type"] == "tool_result"]


def _calls(turn: dict[str, Any]) -> list[Block]:
    return [block for block in turn["content"] if block["type"] == "tool_use"]


def one_result_missing(histories: Histories, turns: Turns, at: int) -> None:
    """Take out the last of the results."""
    turns[at + 1]["content"].remove(_results(turns[at + 1])[-1])


def text_instead(histories: Histories, turns: Turns, at: int) -> None:
    """Let the user speak instead of the results."""
    turns[at + 1]["content"] = [histories.make.text()]


def text_first(histories: Histories, turns: Turns, at: int) -> None:
    """Put a text before the results."""
    turns[at + 1]["content"].insert(0, histories.make.text())


def text_between(histories: Histories, turns: Turns, at: int) -> None:
    """Put a text before the last result."""
    content = turns[at + 1]["content"]
    content.insert(content.index(_results(turns[at + 1])[-1]), histories.make.text())


def open_end(histories: Histories, turns: Turns, at: int) -> None:
    """End the history with the calls."""
    del turns[at + 1 :]


def answered_beforehand(histories: Histories, turns: Turns, at: int) -> None:
    """End the history with the calls, and answer the first of them in the very first turn."""
    turns[0]["content"].insert(0, histories.result(_calls(turns[at])[0]["id"]))
    open_end(histories, turns, at)


def result_without_call(histories: Histories, turns: Turns, at: int) -> None:
    """Add a result for an id that no call has."""
    name = histories.other_id(_calls(turns[at])[0]["id"])
    turns[at + 1]["content"].insert(0, histories.result(name))


def answered_again_later(histories: Histories, turns: Turns, at: int) -> None:
    """Answer the first call of this round once more, a round later."""
    turns[at + 3]["content"].insert(0, histories.result(_calls(turns[at])[0]["id"]))


def beginning_lost(histories: Histories, turns: Turns, at: int) -> None:
    """Cut everything before the results, as a clumsy trimming does."""
    del turns[: at + 1]


def assistant_turn_lost(histories: Histories, turns: Turns, at: int) -> None:
    """Drop the assistant turn; its results then follow the user's own turn."""
    before, _lost, results = turns[at - 1 : at + 2]
    turns[at - 1 : at + 2] = [{"role": "user", "content": before["content"] + results["content"]}]


def answered_twice(histories: Histories, turns: Turns, at: int) -> None:
    """Answer the first call of this round twice in the same turn."""
    content = turns[at + 1]["content"]
    content.insert(len(_results(turns[at + 1])), histories.result(_calls(turns[at])[0]["id"]))


def asked_twice(histories: Histories, turns: Turns, at: int) -> None:
    """Repeat the first call of this round, with its id, at the end of the turn."""
    turns[at]["content"].append(dict(_calls(turns[at])[0]))


def answered_late(histories: Histories, turns: Turns, at: int) -> None:
    """Move a result into the next round's results: a call without its answer, an answer without its call."""
    moved = _results(turns[at + 1])[-1]
    turns[at + 1]["content"].remove(moved)
    turns[at + 3]["content"].insert(0, moved)


def wrong_id(histories: Histories, turns: Turns, at: int) -> None:
    """Give a result an id that no call has: as many results as calls, and yet one call is open."""
    result = _results(turns[at + 1])[-1]
    result["tool_use_id"] = histories.other_id(result["tool_use_id"])
