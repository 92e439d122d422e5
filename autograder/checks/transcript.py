"""The evidence: what the learner's code said to the API, and what the API said to it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.checks.feedback import shown
from autograder.language import _
from autograder.messages_api.double import Double
from autograder.messages_api.errors import REPLAY_MISMATCH
from autograder.messages_api.identifiers import new_id
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.transcript import Transcript

Tool = Callable[[str, Any], Any]
"""`tool(name, tool_input)` returns what a tool gives, or raises as a tool fails."""


@dataclass(frozen=True)
class ToolRun:
    """One run of a tool: what it was asked, what it gave, or the exception that it raised."""

    name: str
    input: Any
    result: Any = None
    error: Exception | None = None


class Conversation:
    """One scenario, played by the learner's code.

    It answers requests from the scenario, runs tools, and keeps what was asked. A check reads it afterwards.

    scenario: what is played. apply: changes the check's own texts, inputs and results as the scenario was varied.
    """

    def __init__(self, scenario: Scenario, apply: Callable[[Any], Any] = copy.deepcopy) -> None:
        self.scenario = scenario
        self.apply = apply
        self.tool_runs: list[ToolRun] = []
        self.tool: Tool = self._plain_result
        self._double = Double(scenario)

    def answer(self, path: str, body: Any, headers: Mapping[str, str]) -> Response:
        """Answer one request as the API would."""
        return self._double.respond(path, body, headers)

    def run_tool(self, name: str, tool_input: Any) -> Any:
        """Run a tool through `tool`, which a check may replace, and write the run down."""
        try:
            result = self.tool(name, copy.deepcopy(tool_input))
        except Exception as error:
            self.tool_runs.append(ToolRun(name, tool_input, error=error))
            raise
        self.tool_runs.append(ToolRun(name, tool_input, result))
        return result

    def _plain_result(self, name: str, tool_input: Any) -> str:
        """A result that no other run gives, so that mixed-up results show."""
        return f"{name} no. {len(self.tool_runs) + 1}: {new_id('res', name, tool_input, len(self.tool_runs))[-8:]}"

    @property
    def calls(self) -> Transcript:
        """Every request with its response, in order."""
        return self.scenario.transcript

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of the requests, in order."""
        return [call.request for call in self.calls]

    @property
    def refusal(self) -> str:
        """What the API said to the first request that it refused: "400 type: message", or ""."""
        errors = [(call.status, call.response.get("error", {})) for call in self.calls.refused]
        said = [f"{status} {error.get('type')}: {error.get('message')}" for status, error in errors]
        return next((one for one in said if REPLAY_MISMATCH not in one), "")

    @property
    def unrecorded(self) -> dict[str, Any] | None:
        """The first legal request that no recording covers, or None."""
        refused = self.calls.refused
        return next(
            (call.request for call in refused if call.response.get("error", {}).get("type") == REPLAY_MISMATCH), None
        )


def described_turns(turns: Any) -> str:
    """Return the turns of a request in one line of words."""
    if not isinstance(turns, list):
        return _("messages is {value}, not a list").format(value=shown(turns))
    if not turns:
        return _("no turn")
    parts = [
        f"{turn.get('role')} {shown(turn.get('content'))}" if isinstance(turn, dict) else shown(turn) for turn in turns
    ]
    if len(parts) == 1:
        return parts[0]
    return _("{count} turns: {turns}").format(count=len(parts), turns="; ".join(parts))


def roles_of(turns: Any) -> list[Any]:
    """Return the roles of a request's turns, in order."""
    return [turn.get("role") for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []


def is_one_user_turn(turns: Any, text: str) -> bool:
    """Return whether a request's turns are one user turn that holds just this text.

    A string and a list with one text block are the same to the API.
    """
    if not isinstance(turns, list) or roles_of(turns) != ["user"] or len(turns) != 1:
        return False
    content = turns[0].get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text") if content[0].get("type") == "text" else None
    return bool(content == text)
