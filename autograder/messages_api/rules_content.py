"""Rules about the shape of messages and content blocks, and about empty text.

Shapes are checked in the order of the document, as a schema validator does, and named by the index that the message
has after merging. The wordings for a missing or unknown field, tag or pattern are the schema validator's grammar
(B, some recorded); where only its grammar is known the docstring says D.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.block_types import (
    BLOCK_FIELDS,
    BLOCK_TAGS,
    CALLERS,
    MESSAGE_FIELDS,
    OPTIONAL_FIELDS,
    RESULT_BLOCKS,
    RESULT_TAGS,
    SOURCES,
    unknown_tag,
)
from autograder.messages_api.merging import Request, Turn, located
from autograder.messages_api.models_table import FILE_SOURCES, OBJECT_WORDING, USER_CONTENT_WORDING

Block = dict[str, Any]
_TOOL_ID = re.compile(r"[a-zA-Z0-9_-]+")
_SERVER_TOOL_ID = re.compile(r"srvtoolu_[a-zA-Z0-9_]+")
_TEXT_FIELDS = frozenset({"text", "thinking", "signature", "data", "id", "name", "tool_use_id"})


def message_shapes(request: Request) -> ApiRefusal | None:
    """Refuse the first message or block, in order, whose shape is wrong."""
    for turn, before, message in located(request.body["messages"]):
        problem = _message_problem(message)
        if problem is not None:
            return invalid(f"messages.{turn}{problem}")
        content = message["content"]
        for index, block in enumerate(content if isinstance(content, list) else ()):
            problem = _block_problem(block, message["role"], request)
            if problem is not None:
                return invalid(f"messages.{turn}.content.{before + index}{problem}")
    return None


def _message_problem(message: Any) -> str | None:
    """Check one message: an object with role and content and nothing else.

    "Input does not match the expected shape." is recorded (2024-06, dd-trace-py), "Input should be a valid list" too
    (2025-04, ruby_llm); the wording for an unknown role is quoted in third-party code only (C).
    """
    if not isinstance(message, dict):
        return ": Input does not match the expected shape."
    for field in ("role", "content"):
        if field not in message:
            return f".{field}: Field required"
    role = message["role"]
    if not isinstance(role, str) or role not in MESSAGE_FIELDS:
        return ".role: Input should be 'user' or 'assistant'"
    if not isinstance(message["content"], str | list):
        return ".content: Input should be a valid list"
    extra = next((field for field in message if field not in MESSAGE_FIELDS[role]), None)
    return None if extra is None else f".{extra}: Extra inputs are not permitted"


def _block_problem(block: Any, role: str, request: Request) -> str | None:
    if not isinstance(block, dict):
        return ": Input should be an object"
    kind = block.get("type")
    if not isinstance(kind, str):
        return ".type: Field required" if kind is None else ".type: Input should be a valid string"
    if kind not in BLOCK_FIELDS:
        return unknown_tag("", kind, BLOCK_TAGS)
    problem = _field_problem(block, kind)
    if problem is None:
        own = _OWN_RULES.get(kind)
        problem = own(block, role, request) if own is not None else None
    return None if problem is None else f".{kind}{problem}"


def _field_problem(block: Block, kind: str) -> str | None:
    """Check that required fields are there and text is text, and that no field is unknown."""
    for field in BLOCK_FIELDS[kind]:
        if field not in block:
            return f".{field}: Field required"
        if field in _TEXT_FIELDS and not isinstance(block[field], str):
            return f".{field}: Input should be a valid string"
    optional = OPTIONAL_FIELDS.get(kind)
    if optional is None or len(block) == 1 + len(BLOCK_FIELDS[kind]):
        return None
    for field in block:
        if field not in optional and field != "type" and field not in BLOCK_FIELDS[kind]:
            return f".{field}: Extra inputs are not permitted"
    return None


def _call_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a `tool_use`: its id's characters, an object as input, a known caller (A, recorded 2026-09-29)."""
    if not _TOOL_ID.fullmatch(block["id"]):
        return ".id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    if not isinstance(block["input"], dict):
        return f".input: {_object_wording(request)}"
    caller = block.get("caller")
    if caller is None:
        return None
    if not isinstance(caller, dict):
        return f".caller: {_object_wording(request)}"
    tag = caller.get("type")
    if not isinstance(tag, str):
        return ".caller.type: Field required"
    return None if tag in CALLERS else unknown_tag(".caller", tag, CALLERS)


def _server_call_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a `server_tool_use`: its id's characters (req_011CdQDBX…, 2026-07-26)."""
    if _SERVER_TOOL_ID.fullmatch(block["id"]):
        return None
    return ".id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"


def _result_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a `tool_result`: its content is text or known blocks, and an error says something."""
    content = block.get("content")
    if not content and block.get("is_error") is True:
        return ": content cannot be empty if `is_error` is true"
    if content is None or isinstance(content, str):
        return None
    if not isinstance(content, list):
        return ".content: Input should be a valid list"
    for index, part in enumerate(content):
        problem = _part_problem(part, role, request)
        if problem is not None:
            return f".content.{index}{problem}"
    return None


def _part_problem(part: Any, role: str, request: Request) -> str | None:
    if not isinstance(part, dict):
        return ": Input should be an object"
    kind = part.get("type")
    if not isinstance(kind, str):
        return ".type: Field required"
    if kind not in RESULT_BLOCKS:
        return unknown_tag("", kind, RESULT_TAGS)
    if kind not in OPTIONAL_FIELDS:
        return None
    problem = _field_problem(part, kind)
    if problem is None and kind in SOURCES:
        problem = _source_problem(part, role, request)
    return None if problem is None else f".{kind}{problem}"


def _source_problem(block: Block, role: str, request: Request) -> str | None:
    """Check where an image or document comes from (A: pydantic-ai, multimodal_tool_return_matrix)."""
    kind, source = block["type"], block["source"]
    if not isinstance(source, dict):
        return f".source: {_object_wording(request)}"
    tag = source.get("type")
    if not isinstance(tag, str):
        return ".source.type: Field required"
    tags = SOURCES[kind]
    if request.on < FILE_SOURCES:
        tags = tuple(one for one in tags if one != "file")
    return None if tag in tags else unknown_tag(".source", tag, tags)


def _document_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a document: from 2026-10-21 on not directly in an assistant message (docs; wording D)."""
    if request.strict and role == "assistant":
        return ": `document` blocks can only be in `user` messages"
    return _source_problem(block, role, request)


def _text_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a text: no cache marker on an empty one; from 2026-10-21 on no user citations (docs; wording D)."""
    if not block["text"] and block.get("cache_control") is not None:
        return ": cache_control cannot be set for empty text blocks"
    if request.strict and role == "user" and block.get("citations"):
        return ".citations: Extra inputs are not permitted"
    return None


def _thinking_problem(block: Block, role: str, request: Request) -> str | None:
    """Check a thinking block: without text it needs its signature (that is how omitted thinking looks)."""
    if block["thinking"] or block["signature"]:
        return None
    return ": each thinking block must contain thinking"


def _object_wording(request: Request) -> str:
    return "Input should be an object" if request.on >= OBJECT_WORDING else "Input should be a valid dictionary"


_OWN_RULES: dict[str, Callable[[Block, str, Request], str | None]] = {
    "tool_use": _call_problem,
    "server_tool_use": _server_call_problem,
    "tool_result": _result_problem,
    "image": _source_problem,
    "document": _document_problem,
    "text": _text_problem,
    "thinking": _thinking_problem,
}


def content_present(request: Request) -> ApiRefusal | None:
    """Refuse a message without content. An empty assistant message is refused by the older rule only, and not last."""
    new = request.on >= USER_CONTENT_WORDING
    last = len(request.turns) - 1
    for index, turn in enumerate(request.turns):
        if turn.blocks:
            continue
        if new and turn.role == "user":
            return invalid(f"messages.{index}: user messages must have non-empty content")
        if not new and (turn.role == "user" or index < last):
            rule = "all messages must have non-empty content except for the optional final assistant message"
            return invalid(f"messages.{index}: {rule}")
    return None


def text_present(request: Request) -> ApiRefusal | None:
    """Refuse an empty text block, whatever stands beside it. The API names no index here."""
    if any(block["type"] == "text" and not block["text"] for turn in request.turns for block in turn.blocks):
        return invalid("messages: text content blocks must be non-empty")
    return None


def text_not_blank(request: Request) -> ApiRefusal | None:
    """Refuse a message that holds nothing but blank text. Blank text beside anything else is accepted (A)."""
    if any(_is_blank(turn) for turn in request.turns):
        return invalid("messages: text content blocks must contain non-whitespace text")
    return None


def _is_blank(turn: Turn) -> bool:
    return bool(turn.blocks) and all(block["type"] == "text" and not block["text"].strip() for block in turn.blocks)


def system_text(request: Request) -> ApiRefusal | None:
    """Refuse a system prompt of blank text. `system: ""` and `system: []` are accepted (A, claude-3-5-haiku)."""
    system = request.body.get("system")
    texts = [system] if isinstance(system, str) and system else [block["text"] for block in system or ()]
    if any(not text for text in texts):
        return invalid("system: text content blocks must be non-empty")
    if texts and not any(text.strip() for text in texts):
        return invalid("system: text content blocks must contain non-whitespace text")
    return None
