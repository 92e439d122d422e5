"""Rules about thinking: which kind a model takes, its budget, and thinking blocks that come back.

Whether a thinking block came back as it was can only be judged by who wrote it. For the double that is the double
itself: it calls `changed_thinking` with the assistant turns that it answered. `refusal` alone cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.block_types import unknown_tag
from autograder.messages_api.merging import Request, Turn, merged

Block = dict[str, Any]
_DOCS = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
_THINKING = ("thinking", "redacted_thinking")
_ALWAYS_ON = (
    ' Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for '
    "extended thinking."
)
_KINDS = ("adaptive", "between_tools", "disabled", "enabled")


def thinking_shape(request: Request) -> ApiRefusal | None:
    """Refuse a `thinking` that is no object, has no known type, or is `enabled` with a budget below 1024.

    The wording for the small budget is quoted in third-party code only (C), the others are D.
    """
    thinking = request.body.get("thinking")
    if thinking is None:
        return None
    if not isinstance(thinking, dict):
        return invalid("thinking: Input should be an object")
    kind, budget = thinking.get("type"), thinking.get("budget_tokens")
    if not isinstance(kind, str):
        return invalid("thinking.type: Field required")
    if kind not in _KINDS:
        return invalid(unknown_tag("thinking", kind, _KINDS))
    if kind != "enabled":
        return None
    if budget is None:
        return invalid("thinking.enabled.budget_tokens: Field required")
    if isinstance(budget, bool) or not isinstance(budget, int):
        return invalid("thinking.enabled.budget_tokens: Input should be a valid integer")
    if budget < 1024:
        return invalid("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
    return None


def thinking_kind_supported(request: Request) -> ApiRefusal | None:
    """Refuse the kinds of thinking that the model does not take (`enabled` A, the others B from the documentation).

    For `disabled` on claude-sonnet-5-5 and claude-opus-5-5 the refusal is documented, the wording is not: only its
    first sentence is taken over (D).
    """
    model, kind = request.model, request.thinking
    if kind == "enabled" and not model.manual_thinking:
        return invalid(
            '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and '
            '"output_config.effort" to control thinking behavior.'
        )
    if kind == "adaptive" and not model.adaptive_thinking:
        return invalid("adaptive thinking is not supported on this model")
    if kind == "disabled" and not model.thinking_off:
        advice = _ALWAYS_ON if model.id.startswith(("claude-fable", "claude-mythos")) else ""
        return invalid(f'"thinking.type.disabled" is not supported for this model.{advice}')
    return None


def budget_below_max_tokens(request: Request) -> ApiRefusal | None:
    """Refuse a budget that leaves nothing to answer with (A, two recordings of 2026-02)."""
    if request.thinking != "enabled" or request.counting:
        return None
    if request.body["max_tokens"] > request.body["thinking"]["budget_tokens"]:
        return None
    return invalid(
        "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at "
        f"{_DOCS}#max-tokens-and-context-window-size"
    )


def thinking_leads(request: Request) -> ApiRefusal | None:
    """Refuse a tool loop that does not begin with thinking, when manual thinking is on (B, full text reported).

    The loop is everything since the last user turn that is not only results. With adaptive thinking the same history
    is accepted (A, two recordings on sonnet-4-6).
    """
    if request.thinking != "enabled" or request.continues_thread:
        return None
    index = _loop_start(request.turns)
    if index is None or request.turns[index].blocks[0]["type"] in _THINKING:
        return None
    found = request.turns[index].blocks[0]["type"]
    return invalid(
        f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{found}`. When "
        "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost "
        "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. "
        f"To avoid this requirement, disable `thinking`. Please consult our documentation at {_DOCS}"
    )


def _loop_start(turns: list[Turn]) -> int | None:
    """Return the index of the assistant turn that opens the tool loop in progress, None when there is none."""
    if turns[-1].role != "user" or not turns[-1].of_type("tool_result"):
        return None
    start = None
    for index in range(len(turns) - 2, -1, -1):
        turn = turns[index]
        if turn.role == "assistant" and turn.of_type("tool_use"):
            start = index
        elif turn.role == "user" and not turn.of_type("tool_result"):
            break
    return start


def changed_thinking(body: dict[str, Any], originals: Sequence[Sequence[Block]]) -> ApiRefusal | None:
    """Judge the thinking blocks of the latest assistant turn against what was answered; the double calls this.

    Args:
        body: a request that `refusal` lets pass.
        originals: for each assistant turn of the request, in order and after merging, the content blocks as they were
            answered; an empty list where the double did not write that turn.

    Returns:
        The documented refusal ("Errors": blocks in the latest assistant message cannot be modified) when a thinking
        block of the last assistant turn was edited, dropped, added or moved; else None. Sure: B. The index is that of
        the first block that differs.
    """
    turns = merged(body["messages"])
    places = [index for index, turn in enumerate(turns) if turn.role == "assistant"]
    if not places or len(originals) < len(places) or not originals[len(places) - 1]:
        return None
    index = places[-1]
    original = [block for block in originals[len(places) - 1] if block.get("type") in _THINKING]
    sent = [(place, block) for place, block in enumerate(turns[index].blocks) if block["type"] in _THINKING]
    if [block for _, block in sent] == original:
        return None
    place = next((place for (place, block), old in zip(sent, original, strict=False) if block != old), 0)
    return invalid(
        f"messages.{index}.content.{place}: `thinking` or `redacted_thinking` blocks in the latest assistant message "
        "cannot be modified. These blocks must remain as they were in the original response."
    )
