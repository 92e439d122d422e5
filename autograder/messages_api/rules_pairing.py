"""Rules about calls and their results: every `tool_use` is answered once, at once, and nothing else is answered.

This family rests mostly on the documentation ("Handle tool calls", "Server tools", "Handling stop reasons") and on
reports with request ids; two of its refusals are recorded. Each docstring says which. Everything is judged on turns,
that is after same-role messages were merged. A request that continues a beta thread holds only the newest turn, so
the rules that look at the turn before are skipped for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.merging import Request, Turn
from autograder.messages_api.models_table import IDS_CHECKED, TEXT_AFTER_CALLS_UNTIL

Block = dict[str, Any]
_NEEDS_DECLARED_TOOL = ("web_search", "web_fetch")


def unique_calls(request: Request) -> ApiRefusal | None:
    """Refuse two `tool_use` blocks with one id in one turn (B).

    Across turns it is doubtful: reports say it is refused, two recordings (claude-sonnet-4-5) were answered. We accept.
    """
    for index, turn in enumerate(request.turns):
        seen: set[str] = set()
        for place, block in enumerate(turn.blocks):
            if block["type"] != "tool_use":
                continue
            if block["id"] in seen:
                return invalid(f"messages.{index}.content.{place}: `tool_use` ids must be unique")
            seen.add(block["id"])
    return None


def paired_results(request: Request) -> ApiRefusal | None:
    """Walk the turns and refuse the first call without a result, or result without a call, in order."""
    if request.continues_thread or request.on < IDS_CHECKED:
        return None
    turns = request.turns
    for index, turn in enumerate(turns):
        if turn.role == "assistant":
            following = turns[index + 1] if index + 1 < len(turns) else None
            refusal = _unanswered(index, turn, following, request)
        else:
            refusal = _unasked(index, turn, turns[index - 1] if index else None)
        if refusal is not None:
            return refusal
    return None


def _unanswered(index: int, turn: Turn, following: Turn | None, request: Request) -> ApiRefusal | None:
    """Refuse calls that the head of the next user turn does not answer.

    Recorded for calls cut off by text after them (pydantic-ai, anthropic_web_search_tool, 2025); reported many times
    for missing results; documented for text before the results. Text after the results is accepted (21 recordings).
    """
    calls = turn.of_type("tool_use")
    if not calls:
        return None
    answered = set() if following is None or _cut_off(turn, request) else set(_leading_results(following))
    missing = [call["id"] for call in calls if call["id"] not in answered]
    if not missing:
        return None
    return invalid(
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message."
    )


def _leading_results(turn: Turn) -> Iterator[str]:
    """Yield the ids answered before anything else stands in the turn."""
    for block in turn.blocks if turn.role == "user" else ():
        if block["type"] != "tool_result":
            return
        yield block["tool_use_id"]


def _cut_off(turn: Turn, request: Request) -> bool:
    """Say whether text stands after a call in the assistant's turn, which the API of 2025 did not forgive."""
    if request.on >= TEXT_AFTER_CALLS_UNTIL:
        return False
    kinds = [block["type"] for block in turn.blocks]
    return "text" in kinds[kinds.index("tool_use") :]


def _unasked(index: int, turn: Turn, before: Turn | None) -> ApiRefusal | None:
    """Refuse a result whose id no call of the turn before has (recorded: anthropic-sdk-python, f59a9391, 2026-02)."""
    asked = {call["id"] for call in before.of_type("tool_use")} if before is not None else set()
    for place, block in enumerate(turn.blocks):
        if block["type"] == "tool_result" and block["tool_use_id"] not in asked:
            return invalid(
                f"messages.{index}.content.{place}: unexpected `tool_use_id` found in `tool_result` blocks: "
                f"{block['tool_use_id']}. Each `tool_result` block must have a corresponding `tool_use` block in the "
                "previous message."
            )
    return None


def single_results(request: Request) -> ApiRefusal | None:
    """Refuse a second result for one id in one turn (B, quoted with real ids)."""
    for index, turn in enumerate(request.turns):
        seen: set[str] = set()
        for place, block in enumerate(turn.blocks):
            if block["type"] != "tool_result":
                continue
            if block["tool_use_id"] in seen:
                return invalid(
                    f"messages.{index}.content.{place}: each tool_use must have a single result. Found multiple "
                    f"`tool_result` blocks with id: {block['tool_use_id']}"
                )
            seen.add(block["tool_use_id"])
    return None


def right_speaker(request: Request) -> ApiRefusal | None:
    """Refuse a result in an assistant turn and a call in a user turn (C: quoted in third-party code only)."""
    for index, turn in enumerate(request.turns):
        if turn.role == "assistant" and turn.of_type("tool_result"):
            return invalid(f"messages.{index}: `tool_result` blocks can only be in `user` messages")
        if turn.role == "user" and turn.of_type("tool_use"):
            return invalid(f"messages.{index}: `tool_use` blocks can only be in `assistant` messages")
    return None


def known_callers(request: Request) -> ApiRefusal | None:
    """Refuse a call whose `caller` names a server tool call that is not there (A, recorded 2026-09-29)."""
    if request.continues_thread:
        return None
    started: set[str] = set()
    for turn in request.turns:
        started.update(block["id"] for block in turn.of_type("server_tool_use"))
        for call in turn.of_type("tool_use"):
            source = (call.get("caller") or {}).get("tool_id")
            if source is not None and (not isinstance(source, str) or source not in started):
                return invalid(f"source tool `{source}` not found for tool use block `{call['id']}`")
    return None


def resolved_server_calls(request: Request) -> ApiRefusal | None:
    """Refuse a server tool call left open by a turn that moved on (B, docs "Handling stop reasons").

    Open is fine at the end (a paused turn to be resumed), and while all that follows is client results (a mixed turn).
    """
    if request.continues_thread:
        return None
    results = {block["tool_use_id"] for _, block in _server_results(request.turns)}
    for index, turn in enumerate(request.turns):
        for call in turn.of_type("server_tool_use"):
            if call["id"] in results:
                continue
            if not _still_running(request.turns[index + 1 :]):
                return invalid(f"{_open_call(index, call)}")
            if call["name"] in _NEEDS_DECLARED_TOOL and not _declared(call["name"], request):
                return invalid(f"{_open_call(index, call)} but no `{call['name']}` tool was provided")
    return None


def _open_call(index: int, call: Block) -> str:
    name = call["name"]
    return (
        f"messages.{index}: `{name}` tool use with id `{call['id']}` was found without a corresponding "
        f"`{name}_tool_result` block"
    )


def _still_running(later: list[Turn]) -> bool:
    return all(block["type"] == "tool_result" for turn in later if turn.role == "user" for block in turn.blocks)


def _declared(name: str, request: Request) -> bool:
    return any(tool.get("name") == name for tool in request.tools)


def server_results_called(request: Request) -> ApiRefusal | None:
    """Refuse a server tool's result without its call before it (B, several reports of 2026)."""
    if request.continues_thread:
        return None
    started: set[str] = set()
    for index, turn in enumerate(request.turns):
        for place, block in enumerate(turn.blocks):
            if block["type"] == "server_tool_use":
                started.add(block["id"])
            elif _is_server_result(block) and block["tool_use_id"] not in started:
                return invalid(
                    f"messages.{index}.content.{place}: unexpected `tool_use_id` found in `{block['type']}` blocks: "
                    f"{block['tool_use_id']}. Each `{block['type']}` block must have a corresponding "
                    "`server_tool_use` block before it."
                )
    return None


def _server_results(turns: list[Turn]) -> Iterator[tuple[int, Block]]:
    for index, turn in enumerate(turns):
        yield from ((index, block) for block in turn.blocks if _is_server_result(block))


def _is_server_result(block: Block) -> bool:
    kind: str = block["type"]
    return kind.endswith("_tool_result") and kind != "mcp_tool_result"
