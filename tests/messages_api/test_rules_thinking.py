"""Thinking: the kinds models take, the budget, and blocks that come back lost or changed."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.messages_api.request_rules import changed_thinking, refusal
from tests.messages_api.histories import DAY, OLD_VERSION, assistant, body, call, result, text, user

MANUAL = {"type": "enabled", "budget_tokens": 1024}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "sig-1"}
SECOND = {"type": "thinking", "thinking": "so", "signature": "sig-2"}
HIDDEN = {"type": "redacted_thinking", "data": "xyz"}
NOT_ENABLED = (
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" '
    "to control thinking behavior."
)
NOT_DISABLED = '"thinking.type.disabled" is not supported for this model.'
ALWAYS_ON = (
    NOT_DISABLED + ' Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with '
    '"budget_tokens" for extended thinking.'
)
MODIFIED = (
    "messages.{i}.content.{j}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
    "modified. These blocks must remain as they were in the original response."
)


@pytest.mark.parametrize(
    ("model", "thinking", "message"),
    [
        pytest.param("claude-haiku-4-5", "enabled", "thinking: Input should be an object", id="text"),
        pytest.param("claude-haiku-4-5", {}, "thinking.type: Field required", id="no type"),
        pytest.param(
            "claude-haiku-4-5",
            {"type": "on"},
            "thinking: Input tag 'on' found using 'type' does not match any of the expected tags: 'adaptive', "
            "'between_tools', 'disabled', 'enabled'",
            id="unknown type",
        ),
        pytest.param(
            "claude-haiku-4-5", {"type": "enabled"}, "thinking.enabled.budget_tokens: Field required", id="no budget"
        ),
        pytest.param(
            "claude-haiku-4-5",
            {"type": "enabled", "budget_tokens": "much"},
            "thinking.enabled.budget_tokens: Input should be a valid integer",
            id="budget is text",
        ),
        pytest.param(
            "claude-haiku-4-5",
            {"type": "enabled", "budget_tokens": 1023},
            "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
            id="small budget",
        ),
        pytest.param(
            "claude-haiku-4-5",
            {"type": "enabled", "budget_tokens": 4096},
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
            id="budget as large as max_tokens",
        ),
        pytest.param("claude-opus-4-7", MANUAL, NOT_ENABLED, id="manual on opus-4-7"),
        pytest.param("claude-sonnet-5-5", MANUAL, NOT_ENABLED, id="manual on sonnet-5-5, as recorded"),
        pytest.param(
            "claude-haiku-4-5",
            {"type": "adaptive"},
            "adaptive thinking is not supported on this model",
            id="adaptive on haiku-4-5",
        ),
        pytest.param("claude-fable-5", {"type": "disabled"}, ALWAYS_ON, id="off on fable-5"),
        pytest.param("claude-sonnet-5-5", {"type": "disabled"}, NOT_DISABLED, id="off on sonnet-5-5"),
        pytest.param("claude-haiku-4-5", MANUAL, None, id="manual on haiku-4-5"),
        pytest.param("claude-sonnet-5-5", {"type": "adaptive"}, None, id="adaptive on sonnet-5-5"),
        pytest.param("claude-sonnet-5-5", {"type": "between_tools"}, None, id="between tools on sonnet-5-5"),
        pytest.param("claude-sonnet-5", {"type": "disabled"}, None, id="off on sonnet-5, as recorded"),
    ],
)
def test_each_model_takes_its_kinds_of_thinking(model: str, thinking: Any, message: str | None) -> None:
    found = refusal(body(model=model, max_tokens=4096, thinking=thinking), on=DAY)
    assert (found.message if found else None) == message


def loop_message(*messages: dict[str, Any], thinking: dict[str, Any] = MANUAL, model: str = "claude-haiku-4-5") -> str:
    request = body(*messages, model=model, max_tokens=4096, thinking=thinking)
    found = refusal(request, api_version=OLD_VERSION, on=DAY)
    return found.message if found else ""


@pytest.mark.parametrize(
    ("messages", "start"),
    [
        pytest.param([user(), assistant(call()), user(result())], (1, "tool_use"), id="call first"),
        pytest.param([user(), assistant(text(), call()), user(result())], (1, "text"), id="text first"),
        pytest.param(
            [user(), assistant(THOUGHT, text()), user(), assistant(call()), user(result())],
            (3, "tool_use"),
            id="thinking in an older turn does not help",
        ),
        pytest.param(
            [user(), assistant(call("a")), user(result("a")), assistant(THOUGHT, call("b")), user(result("b"))],
            (1, "tool_use"),
            id="the loop is judged by its first turn",
        ),
        pytest.param([user(), assistant(THOUGHT, call()), user(result())], None, id="thinking first"),
        pytest.param([user(), assistant(HIDDEN, call()), user(result())], None, id="redacted thinking first"),
        pytest.param(
            [user(), assistant(THOUGHT, call("a")), user(result("a")), assistant(call("b")), user(result("b"))],
            None,
            id="later turns of the loop may go without",
        ),
        pytest.param([user(), assistant(call()), user(result()), assistant(), user()], None, id="a finished loop"),
    ],
)
def test_a_running_tool_loop_begins_with_thinking(
    messages: list[dict[str, Any]], start: tuple[int, str] | None
) -> None:
    found = loop_message(*messages)
    if start is None:
        assert found == ""
    else:
        i, kind = start
        assert found.startswith(
            f"messages.{i}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kind}`."
        )
        assert found.endswith("https://docs.claude.com/en/docs/build-with-claude/extended-thinking")
        assert loop_message(*messages, thinking={"type": "adaptive"}, model="claude-sonnet-4-6") == ""


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        pytest.param([THOUGHT, SECOND, call()], None, id="as it was"),
        pytest.param([THOUGHT, SECOND, text("more"), call()], None, id="other blocks are not its business"),
        pytest.param([THOUGHT, {**SECOND, "thinking": "no"}, call()], 1, id="edited"),
        pytest.param([SECOND, THOUGHT, call()], 0, id="reordered"),
        pytest.param([SECOND, call()], 0, id="the first dropped"),
        pytest.param([THOUGHT, call()], 0, id="the last dropped"),
        pytest.param([call()], 0, id="all dropped"),
        pytest.param([THOUGHT, SECOND, HIDDEN, call()], 0, id="one added"),
    ],
)
def test_thinking_must_come_back_as_it_was_answered(sent: list[dict[str, Any]], place: int | None) -> None:
    request = body(user(), assistant(*sent), user(result()))
    found = changed_thinking(request, [[THOUGHT, SECOND, call()]])
    assert (found.message if found else None) == (None if place is None else MODIFIED.format(i=1, j=place))


def test_only_the_latest_assistant_turn_is_judged() -> None:
    request = body(user(), assistant(text()), user(), assistant(THOUGHT, text()), user())
    assert changed_thinking(request, [[THOUGHT, text()], [THOUGHT, text()]]) is None


@pytest.mark.parametrize("originals", [pytest.param([], id="none known"), pytest.param([[]], id="not ours")])
def test_a_turn_that_somebody_else_wrote_is_not_judged(originals: list[list[dict[str, Any]]]) -> None:
    assert changed_thinking(body(user(), assistant(THOUGHT, text()), user()), originals) is None


def test_a_history_without_the_assistant_has_no_thinking_to_judge() -> None:
    assert changed_thinking(body(user()), [[THOUGHT]]) is None
