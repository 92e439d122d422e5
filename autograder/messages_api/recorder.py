"""From a live conversation to a scenario file: what was asked, what came back, and nothing that has to stay private.

A reference loop plays a template through the SDK over a transport that keeps what passes. Only replies are written
down, with the headers of an allow-list; the request is the template's own.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic
import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.messages_api.capture import Capture, RecordingTransport
from autograder.messages_api.errors import ScenarioError
from autograder.messages_api.explain import explained
from autograder.messages_api.normal import is_blank
from autograder.messages_api.scenario import RequestTemplate, from_json, load
from autograder.messages_api.scrubbing import KEY, Scrubber

Json = dict[str, Any]
Tool = Callable[[str, Json], Any]

LIVE = "https://api.anthropic.com"
MOST_TURNS = 24
_TIMEOUT = 600.0


class RecordingError(ValueError):
    """A conversation that could not be recorded; the text says why. Nothing was written."""


class ToolResult(BaseModel):
    """What a call of this name with this input gives back."""

    model_config = ConfigDict(extra="forbid")

    name: str
    input: Json
    content: str | list[Json]
    is_error: bool = False


class Template(BaseModel):
    """What to record: a title, the request that starts the conversation, and the results of the calls it may bring."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1)
    request: RequestTemplate
    results: list[ToolResult] = Field(default_factory=list)


@dataclass(frozen=True)
class Recording:
    """A finished recording: the scenario as it stands in a file, and what there is to say about it."""

    data: Json
    request_ids: tuple[str, ...]
    stop_reason: str
    scrubbed: dict[str, int]
    failed_attempts: int

    def text(self) -> str:
        """The text of the scenario file."""
        return json.dumps(self.data, indent=2, ensure_ascii=False) + "\n"


def template_of(path: Path) -> Template:
    """The template in a file: one of its own (`title`, `request`, `results`), or a scenario, whose request is taken.

    Raises ScenarioError when there is no such file, or when it is neither.
    """
    if path.is_file():
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError:
            data = None  # load() says where the fault is
        if isinstance(data, dict) and "format" not in data:
            try:
                return Template.model_validate(data)
            except ValidationError as error:
                raise ScenarioError(explained(path.name, error, Template)) from None
    scenario = load(path)
    return Template(title=scenario.title, request=scenario.request)


def record(
    template: Template,
    *,
    api_key: str,
    base_url: str = LIVE,
    tool: Tool | None = None,
    on: dt.date | None = None,
) -> Recording:
    """Play the template against an API and give back what was recorded.

    Args:
        template: what to ask, and the results of its calls.
        api_key: the key to use; it is never written down.
        base_url: where the API is.
        tool: called with name and input of a call that the template has no result for. What it raises becomes an
            error result; what is neither text nor a list of blocks is sent as JSON.
        on: the day of the recording; default: today, in UTC.

    Raises:
        RecordingError: the API refused or was not reached, or a call has no result.
    """
    scrubber = Scrubber()
    scrubber.learn(KEY, api_key)
    with httpx2.HTTPTransport() as network:
        transport = RecordingTransport(network)
        loop = _Loop(template, _client(transport, api_key, base_url), transport, tool, scrubber)
        exchanges = list(loop.exchanges())
    date = dt.datetime.now(dt.UTC).date() if on is None else on
    ids = tuple(capture.headers["request-id"] for capture in loop.answers)
    provenance = {
        # What a stand-in said is no recording of the API.
        "kind": "recorded" if origin(base_url) == LIVE else "written",
        "model": exchanges[0]["response"]["body"]["model"],
        "date": date.isoformat(),
        "sdk": f"anthropic {anthropic.__version__}",
        "api_version": loop.answers[0].api_version,
        "note": scrubber.text(f"Recorded with `course record` from {origin(base_url)}; request-ids: {', '.join(ids)}."),
    }
    request = template.request.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    data = {
        "format": 1,
        "title": scrubber.text(template.title),
        "provenance": provenance,
        "request": scrubber.value(request),
        "exchanges": exchanges,
    }
    stop_reason = str(exchanges[-1]["response"]["body"]["stop_reason"])
    failed = len(transport.captures) - len(ids)
    made = Recording(_valid(data), ids, stop_reason, scrubber.counts, failed)
    if left := scrubber.remaining(made.text()):
        raise RecordingError(f"The recording still holds what looks private ({', '.join(left)}).")
    return made


def _valid(data: Json) -> Json:
    try:
        from_json(data, name="the recording")
    except ScenarioError as error:
        raise RecordingError(str(error)) from None
    return data


def _client(transport: httpx2.BaseTransport, api_key: str, base_url: str) -> anthropic.Anthropic:
    http_client = httpx2.Client(transport=transport, trust_env=False, timeout=_TIMEOUT)
    # What passes has to be readable, so nothing may be compressed.
    plain = {"accept-encoding": "identity"}
    return anthropic.Anthropic(api_key=api_key, base_url=base_url, http_client=http_client, default_headers=plain)


class _Loop:
    """The reference loop: ask, give results back, ask again, until the model has no more calls."""

    def __init__(
        self,
        template: Template,
        client: anthropic.Anthropic,
        transport: RecordingTransport,
        tool: Tool | None,
        scrubber: Scrubber,
    ) -> None:
        self._template = template
        self._client = client
        self._transport = transport
        self._tool = tool
        self._scrubber = scrubber
        self.answers: list[Capture] = []

    def exchanges(self) -> Iterator[Json]:
        """The exchanges of the conversation, one a reply."""
        request = self._template.request.model_dump(mode="json", exclude_unset=True, exclude_none=True)
        streamed = request.pop("stream", False)
        results: list[Json] = []
        for turn in range(1, MOST_TURNS + 1):
            reply = self._asked(request, streamed)
            yield self._exchange(turn, reply, results)
            content = [block for block in reply["content"] if not is_blank(block)]
            results = list(self._results(content)) if reply["stop_reason"] == "tool_use" else []
            if not content or not (results or reply["stop_reason"] == "pause_turn"):
                return
            turns = [{"role": "assistant", "content": content}]
            turns += [{"role": "user", "content": results}] if results else []
            request = {**request, "messages": [*request["messages"], *turns]}

    def _asked(self, request: Json, streamed: bool) -> Json:
        """Send one request and give back the whole message, out of the stream if it is one."""
        try:
            if streamed:
                with self._client.messages.stream(**request) as stream:
                    reply: Json = stream.get_final_message().to_dict()
            else:
                self._client.messages.create(**request, timeout=_TIMEOUT)
                reply = json.loads(self._transport.captures[-1].content)
        except (anthropic.APIError, httpx2.HTTPError, ValueError) as error:
            raise RecordingError(self._scrubber.text(_told(error))) from None
        answer = self._transport.captures[-1]
        if "request-id" not in answer.headers:
            raise RecordingError("The answer has no request-id, so it does not come from the API.")
        if reply.get("type") != "message" or reply.get("stop_reason") is None:
            raise RecordingError("The answer is no whole message.")
        self._scrubber.learn_headers(answer.headers)
        self.answers.append(answer)
        return reply

    def _exchange(self, turn: int, reply: Json, results: list[Json]) -> Json:
        answer = self.answers[-1]
        response: Json = {
            "status": answer.status,
            "headers": answer.kept_headers(),
            "body": self._scrubber.value(reply),
        }
        events = answer.events()
        if events is not None:
            clean = self._scrubber.events(events)
            response |= {"events": clean, "partial_json": _cut_call(reply, clean)}
        exchange: Json = {"id": f"turn_{turn}"}
        if turn > 1:
            exchange["follows"] = f"turn_{turn - 1}"
        failed = {result["tool_use_id"]: True for result in results if result["is_error"]}
        if failed:
            exchange["when"] = {"is_error": failed}
        return exchange | {"response": {key: value for key, value in response.items() if value != {}}}

    def _results(self, content: list[Json]) -> Iterator[Json]:
        for block in content:
            if block["type"] == "tool_use":
                found = self._result(block["name"], block["input"])
                yield {"type": "tool_result", "tool_use_id": block["id"], **found}

    def _result(self, name: str, arguments: Json) -> Json:
        for known in self._template.results:
            if known.name == name and known.input == arguments:
                return {"content": known.content, "is_error": known.is_error}
        if self._tool is None:
            call = json.dumps({"name": name, "input": arguments}, ensure_ascii=False)
            raise RecordingError(self._scrubber.text(f"Nothing says what this call gives back:\n  {call}"))
        try:
            given = self._tool(name, arguments)
        except Exception as error:  # whatever a tool raises, the model is told
            return {"content": str(error) or type(error).__name__, "is_error": True}
        blocks = isinstance(given, list) and all(isinstance(item, dict) and "type" in item for item in given)
        content = given if isinstance(given, str) or blocks else json.dumps(given, ensure_ascii=False)
        return {"content": content, "is_error": False}


def _cut_call(reply: Json, events: list[Any]) -> dict[str, str]:
    """The raw JSON of a call at the end that was cut off; empty when there is none."""
    last = reply["content"][-1] if reply["content"] else {}
    if "id" not in last:
        return {}
    place = len(reply["content"]) - 1
    deltas = (e["delta"] for e in events if isinstance(e, dict) and "delta" in e and e.get("index") == place)
    raw = "".join(delta.get("partial_json", "") for delta in deltas)
    try:
        json.loads(raw or "{}")
    except json.JSONDecodeError:
        return {str(last["id"]): raw}
    return {}


def _told(error: Exception) -> str:
    if isinstance(error, anthropic.APIStatusError):
        return f"The API answered {error.status_code}: {error.message}"
    return f"The API was not reached, or the answer broke off: {error}"


def origin(base_url: str) -> str:
    """Scheme, host and port of a base URL: what may be written down of it."""
    url = httpx2.URL(base_url)
    return str(url.copy_with(userinfo=b"", path="/", query=None, fragment=None)).rstrip("/")
