"""Turns that a learner's function made, read so that a check can compare them with the reply they came from.

What counts is what goes over the wire: a key whose value is null is as good as none, and a text alone is as good as
a list with one text block.
"""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.samples import Block
from autograder.checks.values import SdkObject
from autograder.language import _


def sent(value: Any) -> Any:
    """Return a value without the keys whose value is null."""
    if isinstance(value, dict):
        return {key: sent(item) for key, item in value.items() if item is not None}
    return [sent(item) for item in value] if isinstance(value, list) else value


def blocks_of(turn: dict[str, Any]) -> list[Block]:
    """Return the content blocks of a turn; a text alone is one text block."""
    content = turn["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def like(block: Block) -> tuple[Any, ...]:
    """Return what tells a block from its neighbours, whatever else was done to it."""
    words = str(block.get("text") or block.get("thinking") or "").strip()
    return (block.get("type"), block.get("id"), block.get("tool_use_id"), words)


def outline(blocks: list[Block]) -> str:
    """Return the blocks in words: their types, with the ids of calls and results and the start of texts."""
    parts = []
    for block in blocks:
        name = block.get("id") or block.get("tool_use_id") or ""
        words = shown(block["text"][:30]) if isinstance(block.get("text"), str) else ""
        parts.append(" ".join(str(part) for part in (block.get("type"), name, words) if part))
    return ", ".join(parts) or _("no block")


def assistant_turn_of(judge: Judge, assistant_turn: Name, content: list[Block]) -> dict[str, Any]:
    """Call the learner's assistant_turn on a reply with this content; "not yet" when it gives no turn."""
    stop_reason = "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"
    outcome = judge.attempt(assistant_turn, judge.samples.message(*content, stop_reason=stop_reason))
    if outcome.error is not None and outcome.error.text.endswith("has no attribute 'text'"):
        judge.advise(_("ask for block.type before you read block.text: other blocks have no text"))
    value = judge.returned(assistant_turn, outcome)
    return _turn(judge, value, _("return a dict with role and content; make dicts of the blocks with to_dict()"))


def user_turn_of(judge: Judge, value: Any) -> dict[str, Any]:
    """Return a user turn that the learner's function made; "not yet" when it is no turn."""
    return _turn(judge, value, _("return a dict: role user, content the list of the results"))


def _turn(judge: Judge, value: Any, next_step: str) -> dict[str, Any]:
    because = _("a history is plain JSON: you can store it, print it and send it")
    found = _problem(value)
    if found:
        expected = _("a dict with role and content")
        judge.not_yet(expected=expected, found=found, because=because, next_step=next_step)
    turn: dict[str, Any] = value
    return turn


def _problem(value: Any) -> str:
    if isinstance(value, SdkObject):
        return _("a {type_name} object").format(type_name=value.type_name)
    if not isinstance(value, dict):
        return shown(value)
    if "role" not in value or "content" not in value:
        return _("a dict with the keys {keys}").format(keys=", ".join(map(str, value)) or _("none"))
    content = value["content"]
    if isinstance(content, str):
        return ""
    if not isinstance(content, list):
        return _("content {value}").format(value=shown(content))
    strange = next((item for item in content if not isinstance(item, dict)), None)
    if isinstance(strange, SdkObject):
        return _("content that holds a {type_name} object").format(type_name=strange.type_name)
    return "" if strange is None else _("content that holds {value}").format(value=shown(strange))


def expect_same(judge: Judge, index: int, came: Block, goes: Block) -> None:
    """Pass when block number `index` goes over the wire as it came; "not yet", naming one field, otherwise."""
    before, after = sent(came), sent(goes)
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            where = _("block {index} ({type}), {key}").format(index=index, type=came["type"], key=key)
            judge.not_yet(expected=f"{where}: {_field(before, key)}", found=f"{where}: {_field(after, key)}")


def _field(block: Block, key: str) -> str:
    return shown(block[key]) if key in block else _("not there")
