"""Rules about who speaks when: system messages among the others, and how a conversation may end.

Alternation is not among them: since 2024-10-08 same-role messages are merged and the first may be the assistant's
(release notes; recorded).
"""

from __future__ import annotations

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.merging import Request, Turn
from autograder.messages_api.models_table import SYSTEM_ROLE


def system_role_known(request: Request) -> ApiRefusal | None:
    """Refuse `role: system` where the model or the day does not have it (B)."""
    if all(turn.role != "system" for turn in request.turns):
        return None
    if request.model.system_role and request.on >= SYSTEM_ROLE:
        return None
    return invalid(
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as '
        "an input message role."
    )


def system_message_placed(request: Request) -> ApiRefusal | None:
    """Refuse a system message that is first, or parts a call from its result, or follows an unfinished assistant turn.

    The places are documented ("Mid-conversation system messages"); the wording is quoted in third-party code only (C).
    """
    if request.continues_thread:
        return None
    for index, turn in enumerate(request.turns):
        if turn.role == "system" and not (index and _may_precede_system(request.turns[index - 1])):
            return invalid(f"messages.{index}: a system message must immediately follow a user turn")
    return None


def _may_precede_system(turn: Turn) -> bool:
    if turn.role == "user":
        return True
    return bool(turn.blocks) and turn.blocks[-1]["type"].endswith("_tool_result")


def prefill_supported(request: Request) -> ApiRefusal | None:
    """Refuse a conversation that ends with the assistant, on models from 4.6 on (A).

    A paused turn is no prefill: it ends with the assistant, in the middle of a server tool's work.
    """
    last = request.turns[-1]
    if request.model.prefill or last.role != "assistant" or _paused(last):
        return None
    return invalid(
        "This model does not support assistant message prefill. The conversation must end with a user message."
    )


def _paused(turn: Turn) -> bool:
    return any(block["type"] in ("server_tool_use", "mcp_tool_use", "compaction") for block in turn.blocks)


def prefill_trimmed(request: Request) -> ApiRefusal | None:
    """Refuse a prefill that ends in white space, on models that take one (B)."""
    last = request.turns[-1]
    if not request.model.prefill or last.role != "assistant" or not last.blocks:
        return None
    block = last.blocks[-1]
    if block["type"] != "text" or block["text"] == block["text"].rstrip():
        return None
    return invalid("messages: final assistant content cannot end with trailing whitespace")
