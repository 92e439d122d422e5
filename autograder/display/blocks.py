"""What one content block holds, in one line, and which call it belongs to.

Everything here works on plain JSON, for known block types and for types that do not exist yet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autograder.language import _, ngettext

Block = Mapping[str, Any]


def plain(value: Any) -> Any:
    """Return `value` as JSON data: an SDK object becomes the dict it came from, anything else stays.

    The warnings of pydantic are off: it warns about block types and stop reasons that the SDK does not know,
    and those are exactly what a learner should see here.
    """
    if hasattr(value, "to_dict"):
        return value.to_dict(mode="json", warnings=False)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def blocks_of(content: Any) -> list[Block]:
    """Return the content of a turn as a list of blocks; a string is one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, Mapping) else {"type": "?", "value": block} for block in content or []]


def block_type(block: Block) -> str:
    """Return the type of a block, "?" when it has none."""
    return str(block.get("type", "?"))


def block_id(block: Block) -> str:
    """Return the id a block carries: of the call itself, or of the call that a result answers."""
    return str(block.get("id") or block.get("tool_use_id") or "")


def holds(block: Block) -> str:
    """Return what a block holds, in one line."""
    kind = block_type(block)
    if kind == "text":
        return _json(block.get("text"))
    if kind == "thinking":
        return _thinking(block)
    if "input" in block:
        return f"{block.get('name', '?')} {_json(block['input'])}"
    if kind == "tool_result":
        return _result(block)
    if kind.endswith("_tool_result"):
        return _server_result(block.get("content"))
    return _json({key: value for key, value in block.items() if key not in ("type", "id", "cache_control")})


def _thinking(block: Block) -> str:
    size = len(str(block.get("signature") or ""))
    signature = ngettext("a signature of {count} character", "a signature of {count} characters", size).format(
        count=size
    )
    if block.get("thinking"):
        return f"{_json(block['thinking'])}, {signature}"
    return _("no text, {signature}").format(signature=signature)


def _result(block: Block) -> str:
    content = block.get("content", "")
    if isinstance(content, list):
        content = " ".join(
            str(part.get("text", _json(part))) if isinstance(part, Mapping) else str(part) for part in content
        )
    text = _json(content)
    return _("error: {text}").format(text=text) if block.get("is_error") else text


def _server_result(content: Any) -> str:
    if not isinstance(content, list):
        return _json(content)
    count = ngettext("{count} item", "{count} items", len(content)).format(count=len(content))
    titles = [str(item["title"]) for item in content if isinstance(item, Mapping) and "title" in item]
    return f"{count}: {_json(titles)}" if titles else count


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
