"""What must not stand in a recording that others will read, and how it is taken out.

A secret can sit in a header, in a body, or in a stream where it is spread over several deltas, so fragments are read
together. Every secret gets the same stand-in wherever it occurs: a conversation stays consistent.

Taken out: the key that was used, anything that looks like an API key, ids of the organisation and of workspaces, the
values of cookies, and e-mail addresses other than those of reserved domains (example.com and the like), which lessons
use on purpose. A person's name, a path or an address in a text is not recognised: read a recording before you share it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.messages_api.sse import Event

KEY, ORGANISATION, WORKSPACE, COOKIE, EMAIL = "API key", "organisation id", "workspace id", "cookie", "e-mail address"

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
# The secret is group 1. Where an address begins is looked up backwards, so that long base64 is read once only.
_PATTERNS = {
    KEY: re.compile(r"(sk-ant-[A-Za-z0-9_-]{8,})"),
    ORGANISATION: re.compile(rf"(?i:\borg(?:ani[sz]ation)?s?(?:[ _-]?id)?)\W{{1,4}}({_UUID})"),
    WORKSPACE: re.compile(r"(wrkspc_[A-Za-z0-9]{10,})"),
    EMAIL: re.compile(r"(?<![\w.%+-])([\w.%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})"),
}
_RESERVED = re.compile(r"(?:[@.]example\.(?:com|org|net)|\.(?:example|test|invalid))$", re.IGNORECASE)
_STAND_INS = {
    KEY: "REMOVED_API_KEY",
    ORGANISATION: "00000000-0000-0000-0000-000000000000",
    WORKSPACE: "wrkspc_removed",
    COOKIE: "REMOVED_COOKIE",
}
# A shorter one is a word of some stand-in server, and taking it out would take words out of texts.
_SHORTEST = 8
# A delta's type -> the key of its fragment.
_FRAGMENTS = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    stand_in: str


@dataclass
class Scrubber:
    """Takes secrets out of texts, JSON and streams, and remembers how many different ones it met.

    `known` maps a secret that is known word for word to its kind; more can be added while recording goes on.
    """

    known: dict[str, str] = field(default_factory=dict)
    _met: dict[str, dict[str, str]] = field(default_factory=dict)

    def learn(self, kind: str, secret: str) -> None:
        """Take this text out from now on; short ones are let stand."""
        if len(secret) >= _SHORTEST:
            self.known[secret] = kind

    def learn_headers(self, headers: Mapping[str, str]) -> None:
        """Learn the secrets that the headers of an answer give away."""
        for name, value in headers.items():
            if name.lower() == "anthropic-organization-id":
                self.learn(ORGANISATION, value)
            elif name.lower() == "anthropic-workspace-id":
                self.learn(WORKSPACE, value)
            elif name.lower() == "set-cookie":
                self.learn(COOKIE, value.partition(";")[0].partition("=")[2])

    @property
    def counts(self) -> dict[str, int]:
        """How many different secrets of each kind were taken out."""
        return {kind: len(secrets) for kind, secrets in self._met.items()}

    def text(self, text: str) -> str:
        """The text without secrets."""
        return self._fragments([text])[0]

    def value(self, value: Any) -> Any:
        """Any JSON without secrets, in keys too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return value

    def events(self, events: Sequence[Event]) -> list[Event]:
        """The events of a stream without secrets: what the deltas of a block say is read as one text."""
        clean: list[Event] = [self.value(event) for event in _without_fragments(events)]
        groups: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for place, index, kind, fragment in _fragments(events):
            groups.setdefault((index, kind), []).append((place, fragment))
        for (_index, kind), group in groups.items():
            for (place, _old), new in zip(group, self._fragments([text for _, text in group]), strict=True):
                event = clean[place]
                assert isinstance(event, dict)  # fragments come from such events only
                event["delta"][_FRAGMENTS[kind]] = new
        return clean

    def remaining(self, text: str) -> list[str]:
        """The kinds of secrets that a text still holds."""
        return sorted({kind for kind, _start, _end in self._found(text)})

    def _fragments(self, pieces: Sequence[str]) -> list[str]:
        """The pieces without the secrets of their sum; a stand-in goes where its secret began."""
        spans, clean, start = self._spans("".join(pieces)), [], 0
        for piece in pieces:
            clean.append(_cleaned(piece, start, spans))
            start += len(piece)
        return clean

    def _spans(self, text: str) -> list[_Span]:
        spans: list[_Span] = []
        for kind, start, end in sorted(self._found(text), key=lambda found: (found[1], -found[2])):
            if not spans or start >= spans[-1].end:
                spans.append(_Span(start, end, self._stand_in(kind, text[start:end])))
        return spans

    def _found(self, text: str) -> Iterator[tuple[str, int, int]]:
        for secret, kind in self.known.items():
            for match in re.finditer(re.escape(secret), text):
                yield kind, *match.span()
        for kind, pattern in _PATTERNS.items():
            for match in pattern.finditer(text):
                if not (match[1] in _STAND_INS.values() or (kind == EMAIL and _RESERVED.search(match[1]))):
                    yield kind, *match.span(1)

    def _stand_in(self, kind: str, secret: str) -> str:
        met = self._met.setdefault(kind, {})
        if secret not in met:
            number = "" if not met else str(len(met) + 1)
            met[secret] = _STAND_INS.get(kind, f"someone{number}@example.com")
        return met[secret]


def _cleaned(piece: str, offset: int, spans: Iterable[_Span]) -> str:
    """One piece of a text whose secrets are `spans`; the piece begins at `offset`."""
    clean, read, end = "", offset, offset + len(piece)
    for span in spans:
        if span.end <= offset or span.start >= end:
            continue
        if span.start >= offset:
            clean += piece[read - offset : span.start - offset] + span.stand_in
        read = min(span.end, end)
    return clean + piece[read - offset :]


def _fragments(events: Sequence[Event]) -> Iterator[tuple[int, int, str, str]]:
    """Each fragment of a stream: the place of its event, its block, the type of its delta and its text."""
    for place, event in enumerate(events):
        delta = event.get("delta") if isinstance(event, dict) else None
        if isinstance(event, dict) and isinstance(delta, dict) and delta.get("type") in _FRAGMENTS:
            yield place, int(event.get("index", 0)), delta["type"], str(delta.get(_FRAGMENTS[delta["type"]], ""))


def _without_fragments(events: Sequence[Event]) -> list[Event]:
    """The events with empty fragments, in a fresh copy of what changes."""
    empty: list[Event] = list(events)
    for place, _index, kind, _text in _fragments(events):
        event = events[place]
        assert isinstance(event, dict)  # see _fragments
        empty[place] = {**event, "delta": {**event["delta"], _FRAGMENTS[kind]: ""}}
    return empty
