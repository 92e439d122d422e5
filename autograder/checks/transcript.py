"""The evidence: what the learner's code said to the API, and what the API said to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.messages_api.double import Double
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.transcript import Transcript

UNRECORDED = "replay_mismatch"
"""The error type of a request that is legal, but that no recorded exchange answers."""


class Conversation:
    """One scenario, played by the learner's code.

    It answers requests from the scenario and keeps what was asked. A check reads it afterwards.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._double = Double(scenario)

    def answer(self, path: str, body: Any, headers: Mapping[str, str]) -> Response:
        """Answer one request as the API would."""
        return self._double.respond(path, body, headers)

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
        return next((one for one in said if UNRECORDED not in one), "")

    @property
    def mismatch(self) -> str:
        """Why the first request that no recording covers has no answer, or ""."""
        errors = [call.response.get("error", {}) for call in self.calls.refused]
        return next((str(error.get("message")) for error in errors if error.get("type") == UNRECORDED), "")


def one_text(turn: dict[str, Any]) -> str | None:
    """Return a turn's text when it is a string or one text block, which the API takes for the same; else None."""
    content = turn.get("content")
    if isinstance(content, list) and len(content) == 1 and content[0].get("type") == "text":
        content = content[0].get("text")
    return content if isinstance(content, str) else None
