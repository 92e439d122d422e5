"""Conversations that are composed for one check, with tools that fail where the conversation needs it.

A composed conversation is answered like a committed one, but nobody has seen it: not even its course can be known.
"""

from __future__ import annotations

from typing import Any

from autograder.checks.transcript import Conversation, Tool
from autograder.messages_api.composition import compose, failing_calls
from autograder.messages_api.identifiers import digest
from autograder.messages_api.scenario import Scenario

# An exception without a text is what a loop most easily forgets.
_FAILURES: tuple[tuple[type[Exception], tuple[str, ...]], ...] = (
    (TimeoutError, ()),
    (TimeoutError, ("no answer within 30 seconds",)),
    (ConnectionError, ("the warehouse cannot be reached",)),
    (PermissionError, ("this account may not do that",)),
    (ValueError, ("there is nothing under this number",)),
)


def fresh_conversation(seed: str, **how: Any) -> Conversation:
    """Return a conversation that is composed from a seed; `how`: the other arguments of `compose`."""
    conversation = Conversation(compose(seed, **how))
    conversation.tool = failing_tool(conversation.scenario, conversation.tool, seed)
    return conversation


def failing_tool(scenario: Scenario, tool: Tool, seed: str) -> Tool:
    """Return the tool, raising at the calls of a composed scenario whose results have to be errors."""
    failing = [(block["name"], block["input"]) for block in failing_calls(scenario)]

    def run(name: str, tool_input: Any) -> Any:
        if (name, tool_input) in failing:
            kind, words = _FAILURES[digest(seed, name, tool_input) % len(_FAILURES)]
            raise kind(*words)
        return tool(name, tool_input)

    return run
