"""Server-sent events as the API sends them, made from a whole message.

Order and shapes are those of 915 recorded streams (wire format census, section 4): `message_start`, per block a start,
deltas and a stop, one `ping` after the first start, `message_delta` with the stop reason, `message_stop`. A call starts
with `input: {}` and its first delta is `""`, so a call without arguments is one empty delta.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.messages_api.identifiers import digest
from autograder.messages_api.normal import CALL_TYPES

Event = dict[str, Any] | str

# Known only when the reply is finished, so not yet in message_start.
_LATE_USAGE = frozenset({"output_tokens_details", "server_tool_use", "iterations"})
# In message_delta; service_tier, inference_geo and cache_creation never are.
_DELTA_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
    "server_tool_use",
    "iterations",
    "output_tokens_details",
)
_DELTA_FIELDS = ("stop_reason", "stop_sequence", "stop_details", "container")
_LONGEST_CHUNK = 24


def events_of(message: Mapping[str, Any], key: str, partial_json: Mapping[str, str] | None = None) -> list[Event]:
    """The events that stream this message.

    `key` fixes the sizes of the chunks (a hash of the request: never the clock). `partial_json` maps the id of a call
    that was cut off to the raw JSON that arrived of its input.
    """
    events: list[Event] = [{"type": "message_start", "message": _opening(message)}]
    for index, block in enumerate(message["content"]):
        events.append({"type": "content_block_start", "index": index, "content_block": _empty(block)})
        if index == 0:
            events.append({"type": "ping"})
        raw = (partial_json or {}).get(str(block.get("id")))
        for delta in _deltas(block, f"{key}.{index}", raw):
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    return [*events, _closing(message), {"type": "message_stop"}]


def encode(event: Event) -> str:
    """One event as it goes over the wire; a string is sent as it stands, for streams that must break.

    `data:` lines carry 0 to 15 spaces before the last brace, as recorded: code must parse them, not compare them.
    """
    if isinstance(event, str):
        return event
    if event.get("type") == "ping":
        return 'event: ping\ndata: {"type": "ping"}\n\n'
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event.get('type')}\ndata: {data[:-1]}{' ' * (digest(data) % 16)}}}\n\n"


def _opening(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message of message_start: no content, no stop reason, a provisional count of output tokens."""
    opening = {k: copy.deepcopy(v) for k, v in message.items() if k not in ("content", "context_management", "usage")}
    opening["content"] = []
    opening.update({field: None for field in _DELTA_FIELDS if field in opening})
    usage = {k: copy.deepcopy(v) for k, v in message["usage"].items() if k not in _LATE_USAGE}
    usage["output_tokens"] = min(usage.get("output_tokens", 1), 1 + digest(message.get("id")) % 8)
    return {key: opening.get(key) for key in message if key in opening and key != "usage"} | {"usage": usage}


def _closing(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message_delta: stop reason and cumulative usage."""
    closing = {
        "type": "message_delta",
        "delta": {field: copy.deepcopy(message[field]) for field in _DELTA_FIELDS if field in message},
        "usage": {field: copy.deepcopy(message["usage"][field]) for field in _DELTA_USAGE if field in message["usage"]},
    }
    if "context_management" in message:
        closing["context_management"] = copy.deepcopy(message["context_management"])
    return closing


def _empty(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block as its start shows it: what arrives in deltas is empty, everything else is whole."""
    start = dict(copy.deepcopy(block))
    match block.get("type"):
        case "text":
            start["text"] = ""
            if block.get("citations"):
                start["citations"] = []
        case "thinking":
            start.update({"thinking": "", "signature": ""})
        case call if call in CALL_TYPES:
            start["input"] = {}
    return start


def _deltas(block: Mapping[str, Any], key: str, raw: str | None) -> Iterator[dict[str, Any]]:
    """The deltas of one block, in the recorded order; blocks that arrive whole have none."""
    match block.get("type"):
        case "text":
            for citation in block.get("citations") or []:
                yield {"type": "citations_delta", "citation": copy.deepcopy(citation)}
            for chunk in _chunks(block["text"], key):
                yield {"type": "text_delta", "text": chunk}
        case "thinking":
            # Models of 2026 leave the text out by default; then one empty delta comes before the signature.
            for chunk in _chunks(block["thinking"], key) or [""]:
                yield {"type": "thinking_delta", "thinking": chunk}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case call if call in CALL_TYPES:
            yield {"type": "input_json_delta", "partial_json": ""}
            for chunk in _chunks(_written(block["input"]) if raw is None else raw, key):
                yield {"type": "input_json_delta", "partial_json": chunk}


def _written(tool_input: Mapping[str, Any]) -> str:
    """The JSON that a model wrote for this input; for no arguments it writes nothing at all (14 of 14 recorded)."""
    return json.dumps(tool_input, ensure_ascii=False) if tool_input else ""


def _chunks(text: str, key: str) -> list[str]:
    """The text in pieces of 1 to 24 characters, always the same for the same key."""
    pieces: list[str] = []
    sizes, start = 0, 0
    while start < len(text):
        if sizes < _LONGEST_CHUNK:
            sizes = digest(key, start)
        sizes, size = divmod(sizes, _LONGEST_CHUNK)
        pieces.append(text[start : start + size + 1])
        start += size + 1
    return pieces
