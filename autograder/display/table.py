"""A reply, a history or a transcript as a table: which blocks there are, and which call got which answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder.display.blocks import (
    Block,
    block_id,
    block_type,
    blocks_of,
    holds,
    plain,
)
from autograder.display.layout import Column, Table
from autograder.errors import CourseError
from autograder.language import _, ngettext

__all__ = ["Table", "evidence_table", "table"]

LONGEST_EVIDENCE = 12
"""So many requests are shown beside a failed check; of a longer transcript the first three and the last."""


def table(x: Any) -> Table:
    """Lay out a Message, a history or a transcript.

    x: an SDK Message or its dict; a history (a list of turns, or one turn); a Transcript (its calls have number,
    request, status, response and notes).
    Returns: a Table, which shows itself as text and as HTML.
    Raises: CourseError when x is none of these.
    """
    if isinstance(x, Table):
        return x
    if _is_transcript(x):
        return _transcript_table(list(x))
    data = plain(x)
    if isinstance(data, Mapping) and data.get("type") == "message":
        return _message_table(data)
    turns = [data] if isinstance(data, Mapping) else data
    if isinstance(turns, list) and all(isinstance(turn, Mapping) and "role" in turn for turn in turns):
        return _history_table(turns)
    raise CourseError(
        _("show takes a Message, a history (a list of turns)\nor a transcript, not {kind}.").format(kind=_kind(x))
    )


def evidence_table(x: Any) -> Table:
    """Lay out what a failed check shows: as `table` does, but a long transcript by its beginning and its end."""
    whole = table(x)
    if not _is_transcript(x) or len(whole.rows) <= LONGEST_EVIDENCE:
        return whole
    left_out = ("...", *("" for _column in whole.columns[1:]))
    return replace(whole, rows=(*whole.rows[:3], left_out, whole.rows[-1]))


def _kind(x: Any) -> str:
    return "None" if x is None else type(x).__name__


def _is_transcript(x: Any) -> bool:
    if isinstance(x, str | bytes | Mapping | list | tuple) and not (x and hasattr(next(iter(x)), "request")):
        return False
    return isinstance(x, Iterable) and all(hasattr(call, "request") and hasattr(call, "status") for call in x)


def _message_table(message: Mapping[str, Any]) -> Table:
    blocks = blocks_of(message.get("content"))
    columns = (
        Column(_("block")),
        Column(_("type"), least=24),
        Column(_("id"), cut="middle", least=18),
        Column(_("what it holds")),
    )
    rows = tuple((str(index), block_type(block), block_id(block), holds(block)) for index, block in enumerate(blocks))
    closing = [("content", _("an empty list"))] if not blocks else []
    closing += [("stop_reason", _value(message.get("stop_reason")))]
    closing += [(name, _value(message[name])) for name in ("stop_sequence", "stop_details") if message.get(name)]
    closing += [("usage", _usage(message.get("usage") or {}))]
    caption = _("Message {id} from {model}").format(id=message.get("id", "?"), model=message.get("model", "?"))
    return Table(caption, columns, rows, tuple(closing))


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_value(item)}" for key, item in value.items() if key != "type")
    return str(value)


def _usage(usage: Mapping[str, Any]) -> str:
    names = (
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "output_tokens",
    )
    return ", ".join(f"{name}: {usage[name]}" for name in names if name in usage)


@dataclass(frozen=True)
class _Place:
    """A block of a history: where it stands, and the turn it belongs to once neighbours of one role are merged."""

    message: int
    turn: int
    role: str
    block: Block


def _history_table(messages: Sequence[Mapping[str, Any]]) -> Table:
    places = list(_places(messages))
    merged = any(place.turn != place.message for place in places)
    columns = (
        Column(_("message")),
        Column(_("turn"), least=4),
        Column(_("role"), least=9),
        Column(_("block"), least=24),
        Column(_("id"), cut="middle", least=18),
        Column(_("answer"), least=16),
        Column(_("content")),
    )
    rows = tuple(
        (
            str(place.message),
            str(place.turn) if merged else "",
            place.role,
            block_type(place.block),
            block_id(place.block),
            _pairing(place, places),
            holds(place.block),
        )
        for place in places
    )
    caption = ngettext("A history of {count} message", "A history of {count} messages", len(messages))
    return Table(caption.format(count=len(messages)), columns, rows)


def _places(messages: Sequence[Mapping[str, Any]]) -> Iterator[_Place]:
    turn, before = -1, None
    for index, message in enumerate(messages):
        role = str(message["role"])
        turn += role != before
        before = role
        for block in blocks_of(message.get("content")):
            yield _Place(index, turn, role, block)


def _pairing(place: _Place, places: Sequence[_Place]) -> str:
    """Say which message answers a call, or which call a result answers; "" for any other block.

    A result that stands behind another block answers nothing (documentation, "Handle tool calls").
    """
    kind, name = block_type(place.block), block_id(place.block)
    if kind == "tool_use":
        found = _find(places, place.turn + 1, "tool_result", name)
        ahead = _first_other(places, place.turn + 1)
        if found and ahead and places.index(ahead) < places.index(found):
            behind = _("in message {number}, too late: behind {type}")
            return behind.format(number=found.message, type=block_type(ahead.block))
        return _("in message {number}").format(number=found.message) if found else _("no answer")
    if kind in ("server_tool_use", "mcp_tool_use"):
        found = next(
            (p for p in places if block_type(p.block).endswith("_tool_result") and _answers(p, name)),
            None,
        )
        return _("in message {number}").format(number=found.message) if found else _("no answer")
    if kind == "tool_result":
        found = _find(places, place.turn - 1, "tool_use", name)
        return _("to message {number}").format(number=found.message) if found else _("to no call")
    return ""


def _find(places: Sequence[_Place], turn: int, kind: str, name: str) -> _Place | None:
    matches = (p for p in places if p.turn == turn and block_type(p.block) == kind and block_id(p.block) == name)
    return next(matches, None)


def _first_other(places: Sequence[_Place], turn: int) -> _Place | None:
    return next((p for p in places if p.turn == turn and block_type(p.block) != "tool_result"), None)


def _answers(place: _Place, name: str) -> bool:
    return bool(place.block.get("tool_use_id") == name)


def _transcript_table(calls: Sequence[Any]) -> Table:
    columns = (
        Column(_("request")),
        Column(_("what was sent"), least=24),
        Column(_("status"), least=6),
        Column(_("what came back")),
        Column(_("notes")),
    )
    rows = tuple(
        (
            str(call.number),
            _sent(call.request, getattr(call, "path", "")),
            str(call.status),
            _came_back(plain(call.response) or {}),
            "; ".join(str(note) for note in getattr(call, "notes", ())),
        )
        for call in calls
    )
    caption = ngettext("{count} request", "{count} requests", len(calls)).format(count=len(calls))
    return Table(caption, columns, rows)


def _sent(request: Mapping[str, Any], path: str) -> str:
    turns, tools = request.get("messages"), request.get("tools")
    if isinstance(turns, list):
        parts = [ngettext("{count} turn", "{count} turns", len(turns)).format(count=len(turns))]
    else:
        parts = [_("messages: {kind}, not a list").format(kind=_kind(turns))]
    if isinstance(tools, list) and tools:
        parts.append(ngettext("{count} tool", "{count} tools", len(tools)).format(count=len(tools)))
    if request.get("system"):
        parts.append("system")
    if path.endswith("/count_tokens"):
        parts.append("count_tokens")
    return ", ".join(parts)


def _came_back(response: Mapping[str, Any]) -> str:
    error = response.get("error")
    if isinstance(error, Mapping):
        return f"{error.get('type')}: {error.get('message')}"
    if "stop_reason" in response:
        return f"stop_reason {_value(response['stop_reason'])}"
    if "events" in response:
        count = len(response["events"])
        return ngettext("{count} event", "{count} events", count).format(count=count)
    return "; ".join(f"{key}: {_value(value)}" for key, value in response.items())
