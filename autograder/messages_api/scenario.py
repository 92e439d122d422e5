"""Scenario files: recorded exchanges and the order in which they follow each other (format 1).

A scenario is data that a person can read and write. `replay(name)` gives one to a notebook; the double plays it.
"""

from __future__ import annotations

import copy
import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from autograder.messages_api.consistency import problems
from autograder.messages_api.errors import ScenarioError, nearest
from autograder.messages_api.explain import explained
from autograder.messages_api.normal import as_blocks, text_of
from autograder.messages_api.transcript import Transcript

if TYPE_CHECKING:
    import anthropic

Json = dict[str, Any]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


def _fixtures() -> Path:
    """Beside the package in a checkout, inside it in an installed wheel."""
    inside = Path(__file__).parents[1] / "fixtures"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "fixtures"


FIXTURES = _fixtures()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Provenance(_Strict):
    """Where the exchanges come from, honestly: `written` by us, `adapted` from a recording, or `recorded` live."""

    kind: Literal["written", "adapted", "recorded"]
    model: str = Field(description="The model whose shapes are shown.")
    date: dt.date = Field(description="The day on which the scenario plays: rules and retirements of that day apply.")
    sdk: str | None = Field(
        default=None, description="Client that recorded, or whose requests were taken as a pattern."
    )
    api_version: str = "2026-10-21"
    note: str = Field(min_length=1, description="From which recorded shapes it was composed, or how it was recorded.")


class RequestTemplate(_Strict):
    """The request a notebook starts from. Fields as in POST /v1/messages."""

    model: str
    max_tokens: int
    system: str | list[Json] | None = None
    tools: list[Json] = Field(default_factory=list)
    messages: list[Json] = Field(min_length=1)
    tool_choice: Json | None = None
    thinking: Json | None = None
    output_config: Json | None = None
    stop_sequences: list[str] | None = None
    stream: bool | None = None


class MaxTokens(_Strict):
    """Bounds of a request's `max_tokens`: at least this many, and fewer than that many."""

    at_least: int | None = None
    below: int | None = None


class When(_Strict):
    """What a request must be like for its exchange to answer; everything that is said must hold."""

    max_tokens: MaxTokens | None = None
    is_error: dict[str, bool] | None = Field(default=None, description="Call id -> whether its result is an error.")
    text_after_results: bool | None = Field(
        default=None, description="Text stands after results in the last user turn."
    )
    stream: bool | None = None
    attempt: int | None = Field(default=None, ge=1, description="The how-manieth time this same request is sent.")
    tool_choice: Literal["auto", "any", "tool", "none"] | None = Field(default=None, description="Absent means auto.")
    forced_tool: str | None = Field(default=None, description="The name in `tool_choice`.")
    model: str | None = None
    system_contains: str | None = Field(default=None, description="Upper and lower case are alike.")
    user_contains: str | None = Field(default=None, description="Text of the last user turn; case does not matter.")
    tool_names: list[str] | None = Field(default=None, description="Exactly these tools are offered; order is free.")


class Recorded(_Strict):
    """One recorded answer: a `body` (a whole Message, or an error), `text` that is no JSON, or `events` word by word.

    `partial_json` maps the id of a call that was cut off to the raw JSON that arrived. `outcome` loses the connection
    instead of an answer, or after the events. A header of null takes out one that the double would add.
    """

    status: int = Field(default=200, ge=200, le=599)
    headers: dict[str, str | None] = Field(default_factory=dict)
    body: Json | None = None
    text: str | None = None
    events: list[Json | str] | None = Field(
        default=None, description="Sent in place of generated events; a string is sent exactly as it stands."
    )
    partial_json: dict[str, str] = Field(default_factory=dict)
    outcome: Literal["dropped", "timeout"] | None = None


class Exchange(_Strict):
    """One answer and the request it belongs to.

    `follows` names the exchange whose content ends the last assistant turn of the request; without it, the exchange
    answers the conversation that `request` starts. `attempts` are the answers to one same request, in order; the last
    one stays.
    """

    id: Name
    follows: Name | None = None
    when: When = Field(default_factory=When)
    response: Recorded | None = None
    attempts: list[Recorded] | None = Field(default=None, min_length=1)

    @property
    def answers(self) -> list[Recorded]:
        """The recorded answers: one, or one for each attempt."""
        return self.attempts or ([self.response] if self.response else [])

    @property
    def message(self) -> Json | None:
        """The Message that this exchange ends with, if it ends with one."""
        last = self.answers[-1]
        return last.body if last.status == 200 else None


class Scenario(_Strict):
    """A conversation that can be replayed: what a notebook starts from, and the exchanges that answer it."""

    format: Literal[1]
    title: str = Field(min_length=1)
    provenance: Provenance
    request: RequestTemplate
    exchanges: list[Exchange] = Field(min_length=1)

    _transcript: Transcript = PrivateAttr(default_factory=Transcript)

    @model_validator(mode="after")
    def _is_consistent(self) -> Scenario:
        found = list(problems(self))
        if found:
            raise ValueError("\n".join(found))
        return self

    @property
    def prompt(self) -> str:
        """The text of the first user turn."""
        turns = (m for m in self.request.messages if m.get("role") == "user")
        return text_of(as_blocks(next(turns, {}).get("content")))

    @property
    def system(self) -> str | list[Json] | None:
        """The system prompt to send, in a fresh copy."""
        return copy.deepcopy(self.request.system)

    @property
    def tools(self) -> list[Json]:
        """The tool definitions to send, in a fresh copy."""
        return copy.deepcopy(self.request.tools)

    @property
    def messages(self) -> list[Json]:
        """The history to start from, in a fresh copy: append to it as you like."""
        return copy.deepcopy(self.request.messages)

    @property
    def transcript(self) -> Transcript:
        """Every request that clients of this scenario sent, and what they were answered."""
        return self._transcript

    def client(self) -> anthropic.Anthropic:
        """A real `anthropic.Anthropic` whose requests are answered from this scenario: no key, no network, no cost."""
        from autograder.messages_api.clients import client

        return client(self)

    def async_client(self) -> anthropic.AsyncAnthropic:
        """The same for `anthropic.AsyncAnthropic`."""
        from autograder.messages_api.clients import async_client

        return async_client(self)


def load(source: str | Path) -> Scenario:
    """The scenario of a file, or of the fixture with this name.

    Raises ScenarioError when there is no such file, when it is no JSON, or when it breaks the format; the text names
    the file, the place and what is expected there.
    """
    path = Path(source)
    if isinstance(source, str) and path.suffix != ".json":
        path = FIXTURES / f"{source}.json"
    if not path.is_file():
        raise ScenarioError(_missing(path))
    try:
        return Scenario.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        text = f"{path.name} is not valid JSON.\n  line {error.lineno}, column {error.colno}: {error.msg}"
        raise ScenarioError(text) from None
    except ValidationError as error:
        raise ScenarioError(explained(path.name, error, Scenario)) from None


def replay(name: str | Path) -> Scenario:
    """The recorded conversation with this name, with an empty transcript; see `load`."""
    return load(name)


def from_json(data: Json, *, name: str = "scenario") -> Scenario:
    """The scenario of data that is already read. Raises ScenarioError as `load` does."""
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(explained(name, error, Scenario)) from None


def schema() -> Json:
    """The JSON Schema of a scenario file."""
    return Scenario.model_json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def _missing(path: Path) -> str:
    there = sorted(file.stem for file in path.parent.glob("*.json"))
    lines = [f"There is no scenario named {path.stem!r}.", f"  looked in  {path.parent}"]
    close = nearest(path.stem, there)
    if close:
        lines.append(f"  nearest    {', '.join(close)}")
    elif there:
        lines.append(f"  there are  {', '.join(there[:8])}{' ...' if len(there) > 8 else ''}")
    return "\n".join(lines)
