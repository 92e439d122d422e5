"""What every lesson gives and no learner writes: constants, records and exceptions.

Loops and checks exchange these by class name and fields, so a learner's own copy of a class works too.
Nothing here needs the SDK.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MODEL = "claude-sonnet-5-5"
"""The model that the lessons call.

Scenario files and stored outputs hold its name too, and the double's table of models what it accepts: a change of model
means new fixtures, `course tidy --run` and a row in `messages_api/models_table.py`.
"""

SYSTEM = (
    "You are the support agent of Kestrel & Pine, an online shop for outdoor gear. "
    "Look orders and policies up with your tools; never make them up. "
    "If the tools cannot answer, say so and offer to hand the case to a person."
)
"""The system prompt of the support desk. `run_agent` sends it unchanged in every request."""

PRICES = {"input": 2.0, "output": 10.0, "cache_write": 2.5, "cache_read": 0.2}
"""US dollars for a million tokens, by kind, for budgets and cost sums.

Input and output as third-party listings of November 2026 give them for MODEL; cache prices at the usual 1.25 and 0.1
times the input price. Look at the official price list before you rely on them.
"""


@dataclass(frozen=True)
class Fault:
    """One broken rule of a history.

    kind: "unanswered", "unexpected", "two_results" or "repeated_id".
    message: index of the message, counted after neighbours of the same role are merged.
    id: the id of the tool call.
    """

    kind: str
    message: int
    id: str


@dataclass(frozen=True)
class AgentResult:
    """How a run of the agent ended.

    status: "done", "empty", "refused", "cut", "window_full", "step_limit", "pause_limit" or "unknown".
    text: the answer, "" when there is none.
    messages: the history, ready for one more user turn.
    usage: {"input_tokens": int, "output_tokens": int}, summed over every reply.
    steps: requests answered.
    detail: what the status adds (a stop sequence, a category, a limit), or None.
    """

    status: str
    text: str
    messages: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    steps: int = 0
    detail: Any = None


class UnknownTool(Exception):  # noqa: N818
    """The model called a tool that nobody defined. `name` is what it asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no tool named {name!r}.")
        self.name = name


class InvalidInput(Exception):  # noqa: N818
    """A tool's input breaks its schema. `errors` is one sentence for each violation."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("; ".join(errors))
        self.errors = errors


class BusinessRule(Exception):  # noqa: N818
    """The shop's rules forbid what was asked. `message` says which rule, for the model to read."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class StepLimitReached(Exception):  # noqa: N818
    """The loop sent as many requests as it may. `messages` can go on with one more user turn."""

    def __init__(self, messages: list[dict[str, Any]], steps: int) -> None:
        super().__init__(f"The run was not over after {_counted(steps, 'request')}.")
        self.messages = messages
        self.steps = steps


class PauseLimitReached(Exception):  # noqa: N818
    """The server paused more often in a row than allowed. `messages` is the history as it stands."""

    def __init__(self, messages: list[dict[str, Any]], pauses: int) -> None:
        super().__init__(f"The turn was still paused after {_counted(pauses, 'resume')}.")
        self.messages = messages
        self.pauses = pauses


class BudgetExhausted(Exception):  # noqa: N818
    """The reply was still cut at the largest `max_tokens` allowed. `message` is that reply."""

    def __init__(self, message: Any, max_tokens: int) -> None:
        super().__init__(f"The reply was still cut at max_tokens={max_tokens}.")
        self.message = message
        self.max_tokens = max_tokens


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
