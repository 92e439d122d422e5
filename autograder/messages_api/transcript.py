"""The evidence of a conversation: every request that reached the double and what it was answered, in order.

JSON only, so that it crosses from one process to another and a judge never touches a learner's objects.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, overload


@dataclass(frozen=True)
class Call:
    """One request and its answer.

    `number` counts from 1. `request` is the body as it was sent. `response` is the body of the answer; of a stream,
    the message that it carries, or `{"events": [...]}` when the events were given word by word; of an answer that is
    no JSON, `{"text": ...}`; of a lost connection, `{"outcome": ...}` (then `status` is 0). `notes` says what the API
    would have let pass and a check may still want to see, such as "altered: text block 0 of message 1 left out".
    """

    number: int
    request: dict[str, Any]
    status: int
    response: dict[str, Any]
    notes: tuple[str, ...] = ()
    path: str = "/v1/messages"

    def to_json(self) -> dict[str, Any]:
        """This call as JSON."""
        return {**asdict(self), "notes": list(self.notes)}


class Transcript(Sequence[Call]):
    """The calls of a conversation, oldest first. Reads like a tuple; only the double adds to it."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._calls = list(calls)

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Transcript: ...
    def __getitem__(self, index: int | slice) -> Call | Transcript:
        if isinstance(index, slice):
            return Transcript(self._calls[index])
        return self._calls[index]

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transcript) and self._calls == other._calls

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        statuses = ", ".join(str(call.status) for call in self._calls)
        return f"Transcript of {len(self)} calls ({statuses})" if self._calls else "Transcript without calls"

    @property
    def last(self) -> Call:
        """The latest call. Raises IndexError when nothing was asked yet."""
        return self._calls[-1]

    @property
    def refused(self) -> list[Call]:
        """The calls that were answered with an error status."""
        return [call for call in self._calls if call.status >= 400]

    @property
    def notes(self) -> list[str]:
        """The notes of all calls, in order."""
        return [note for call in self._calls for note in call.notes]

    def add(
        self, path: str, request: dict[str, Any], status: int, response: dict[str, Any], notes: Iterable[str] = ()
    ) -> Call:
        """Write one call down and return it."""
        call = Call(len(self._calls) + 1, request, status, response, tuple(notes), path)
        self._calls.append(call)
        return call

    def to_json(self) -> list[dict[str, Any]]:
        """Every call as JSON, in fresh copies."""
        return [copy.deepcopy(call.to_json()) for call in self._calls]

    @classmethod
    def from_json(cls, calls: Iterable[Mapping[str, Any]]) -> Transcript:
        """The transcript that `to_json` wrote."""
        return cls(Call(**{**call, "notes": tuple(call["notes"])}) for call in calls)
