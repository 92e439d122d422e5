"""A loop that is right, in small steps that a wrong one may replace: the yardstick for fixtures and variations.

It works on JSON and needs no SDK. What it does at each stop_reason is what lessons 05 to 12 teach.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pydantic_core

from autograder.messages_api.response import Response
from tests.messages_api.builders import assistant, result, user
from tests.messages_api.worlds import World

Json = dict[str, Any]
STATUSES = {
    "end_turn": "done",
    "stop_sequence": "done",
    "refusal": "refused",
    "max_tokens": "cut",
    "model_context_window_exceeded": "window_full",
}


class Failed(Exception):  # noqa: N818
    """A request that was not answered: its status and the API's words."""


@dataclass(frozen=True)
class Run:
    """What came out of a run."""

    status: str
    text: str
    messages: list[Json]
    usage: tuple[int, int]
    requests: int
    ran: list[tuple[str, str]]
    notes: list[str]


def calls(reply: Json) -> list[Json]:
    """The client's calls in a reply."""
    return [block for block in reply["content"] if block["type"] == "tool_use"]


def calls_open(reply: Json) -> bool:
    """Whether a call of the client or of the server waits for its result."""
    return any(block["type"] in ("tool_use", "server_tool_use") for block in reply["content"])


def final_text(reply: Json) -> str:
    """The text of a reply."""
    return "".join(block["text"] for block in reply["content"] if block["type"] == "text")


class Loop:
    """Plays one conversation. `goes_on` decides by the stop_reason alone."""

    max_pauses = 8
    max_retries = 2

    def __init__(self, world: World) -> None:
        self.world = world
        self.messages = world.messages
        self.writes = world.writes
        self.max_tokens = int(world.request["max_tokens"])
        self.status, self.text, self.parts = "", "", ""
        self.usage = [0, 0]
        self.pauses = 0

    def run(self) -> Run:
        """The whole conversation."""
        try:
            while self.goes_on(self.counted(self.ask())):
                pass
        except Failed as failed:
            self.status = f"failed: {failed}"
        world = self.world
        notes = world.scenario.transcript.notes
        used = (self.usage[0], self.usage[1])
        return Run(self.status, self.text, self.messages, used, world.requests, world.ran, notes)

    def ask(self) -> Json:
        """One reply; failures that may pass are tried again, as the SDK does."""
        for _ in range(self.max_retries):
            response = self.send()
            if response.status == 200 or not self.may_retry(response):
                return self.read(response)
        return self.read(self.send())

    def send(self) -> Response:
        return self.world.send(self.messages, self.max_tokens)

    def may_retry(self, response: Response) -> bool:
        said = response.headers.get("x-should-retry")
        if said is not None:
            return said == "true"
        return response.status in (0, 408, 409, 429) or response.status >= 500

    def read(self, response: Response) -> Json:
        if response.events is not None:
            reply = self.accumulate(list(response.events))
            if response.outcome is not None:
                raise Failed(response.outcome)
            return reply
        if response.status != 200:
            raise Failed(f"{response.status} {response.body or response.outcome}")
        return dict(response.body)

    def accumulate(self, events: list[Any]) -> Json:
        """The message that a stream carries; its stop_reason stays None when the stream just ends."""
        reply: Json = {}
        for event in events:
            match event["type"]:
                case "message_start":
                    reply = {**event["message"], "content": []}
                case "content_block_start":
                    reply["content"].append({**event["content_block"], "raw": ""})
                case "content_block_delta":
                    self.add(reply["content"][event["index"]], event["delta"])
                case "message_delta":
                    reply |= event["delta"] | {"usage": reply["usage"] | event["usage"]}
                case "error":
                    self.on_error_event(event)
        reply["content"] = [self.closed(block) for block in reply["content"]]
        return reply

    def add(self, block: Json, delta: Json) -> None:
        match delta["type"]:
            case "input_json_delta":
                block["raw"] += delta["partial_json"]
            case "citations_delta":
                block["citations"].append(delta["citation"])
            case "signature_delta":
                block["signature"] = delta["signature"]
            case kind:
                key = kind.removesuffix("_delta")
                block[key] += delta[key]

    def closed(self, block: Json) -> Json:
        raw = block.pop("raw")
        return {**block, "input": self.parsed(raw)} if "input" in block else block

    def parsed(self, raw: str) -> Any:
        return pydantic_core.from_json(raw, allow_partial=True) if raw else {}

    def on_error_event(self, event: Json) -> None:
        raise Failed(event["error"]["type"])

    def counted(self, reply: Json) -> Json:
        self.usage[0] += reply["usage"]["input_tokens"]
        self.usage[1] += reply["usage"]["output_tokens"]
        return reply

    def goes_on(self, reply: Json) -> bool:
        """Whether another request follows this reply."""
        if reply["stop_reason"] in ("tool_use", "pause_turn") and calls_open(reply) and self.world.is_last(reply):
            self.status = "step_limit"
            return False
        reason = reply["stop_reason"]
        if reason == "pause_turn":
            return self.on_pause(reply)
        self.pauses = 0
        if reason == "tool_use" and calls(reply):
            return self.on_calls(reply)
        if reason == "max_tokens":
            return self.on_cut(reply)
        return self.on_end(reply)

    def on_calls(self, reply: Json) -> bool:
        self.messages += [self.assistant_turn(reply), self.results_turn(reply)]
        return True

    def assistant_turn(self, reply: Json) -> Json:
        """The reply as it was; blank text is left out."""
        return assistant([block for block in reply["content"] if block["type"] != "text" or block["text"].strip()])

    def results_turn(self, reply: Json) -> Json:
        """One result for each call; after a write that failed nothing more is run."""
        results: list[Json] = []
        stopped = False
        for block in calls(reply):
            made = self.not_executed(block) if stopped else self.tool_result(block)
            stopped = stopped or (made.get("is_error") is True and block["name"] in self.writes)
            results.append(made)
        aside = [{"type": "text", "text": self.world.aside}] if self.world.aside else []
        return user([*results, *aside])

    def not_executed(self, block: Json) -> Json:
        return result(block["id"], "Not executed: the call before it failed.", is_error=True)

    def tool_result(self, block: Json) -> Json:
        try:
            return result(block["id"], self.world.run_tool(block))
        except Exception as error:
            return result(block["id"], str(error) or type(error).__name__, is_error=True)

    def on_pause(self, reply: Json) -> bool:
        self.messages.append(self.assistant_turn(reply))
        self.pauses += 1
        self.status = "pause_limit"
        return self.pauses <= self.max_pauses

    def on_cut(self, reply: Json) -> bool:
        """A cut text may go on after a new user turn; anything else is asked for again with more room."""
        if reply["content"] and reply["content"][-1]["type"] == "text":
            return self.on_end(reply)
        if self.max_tokens >= self.world.ceiling:
            self.status = "cut"
            return False
        self.max_tokens = min(self.max_tokens * 4, self.world.ceiling)
        return True

    def on_end(self, reply: Json) -> bool:
        self.status, self.text = self.result(reply)
        said = reply["content"] and self.status not in ("refused", "unknown", "empty")
        if said:
            self.messages.append(self.assistant_turn(reply))
        if not said or not self.world.later:
            return False
        self.parts = self.text if self.status == "cut" else ""
        self.messages.append(user(self.world.later.pop(0)))
        return True

    def result(self, reply: Json) -> tuple[str, str]:
        """Status and text of an ending."""
        status, text = STATUSES.get(reply["stop_reason"], "unknown"), final_text(reply)
        if status in ("refused", "unknown"):
            return status, ""
        if status == "done" and not text.strip():
            return "empty", ""
        return status, self.parts + text
