"""The evidence of a conversation: every request that reached the double and what it was answered, in order.

JSON only, so that it crosses from one process to another and a judge never touches a learner's objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
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


@dataclass(frozen=True)
class _Written:
    """A call as it is kept: as text, which nobody can change and which costs the garbage collector nothing."""

    request: str
    status: int
    response: str
    notes: tuple[str, ...]
    path: str

    def read(self, number: int) -> Call:
        return Call(number, json.loads(self.request), self.status, json.loads(self.response), self.notes, self.path)


class Transcript(Sequence[Call]):
    """The calls of a conversation, oldest first. Reads like a tuple of fresh copies; only the double adds to it."""

    def __init__(self) -> None:
        self._written: list[_Written] = []

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> list[Call]: ...
    def __getitem__(self, index: int | slice) -> Call | list[Call]:
        places = range(len(self._written))[index]
        if isinstance(places, int):
            return self._written[places].read(places + 1)
        return [self._written[place].read(place + 1) for place in places]

    def __len__(self) -> int:
        return len(self._written)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transcript) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        statuses = ", ".join(str(call.status) for call in self._written)
        return f"Transcript of {len(self)} calls ({statuses})" if self._written else "Transcript without calls"

    @property
    def last(self) -> Call:
        """The latest call. Raises IndexError when nothing was asked yet."""
        return self[-1]

    @property
    def refused(self) -> list[Call]:
        """The calls that were answered with an error status."""
        return [call for call in self if call.status >= 400]

    @property
    def notes(self) -> list[str]:
        """The notes of all calls, in order."""
        return [note for call in self._written for note in call.notes]

    def add(
        self,
        path: str,
        request: dict[str, Any] | str,
        status: int,
        response: dict[str, Any] | str,
        notes: Iterable[str] = (),
    ) -> None:
        """Write one call down; the bodies may be JSON text already."""
        self._written.append(_Written(_text(request), status, _text(response), tuple(notes), path))

    def to_json(self) -> list[dict[str, Any]]:
        """Every call as JSON."""
        return [call.to_json() for call in self]

    @classmethod
    def from_json(cls, calls: Iterable[Mapping[str, Any]]) -> Transcript:
        """The transcript that `to_json` wrote."""
        transcript = cls()
        for call in calls:
            transcript.add(call["path"], call["request"], call["status"], call["response"], call["notes"])
        return transcript


def _text(body: dict[str, Any] | str) -> str:
    return body if isinstance(body, str) else json.dumps(body)
