"""One run of a learner's loop: what it sent, what it was answered, which tools it ran.

Lesson 05 and every later lesson judge `run_agent` by its requests. They read them here, in one way: merged and
normalised as the API reads them, so that two spellings of one history are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.checks.feedback import shown, shortened
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.transcript import Conversation, ToolRun
from autograder.checks.values import CLIENT, RUN_TOOL, SdkObject
from autograder.language import _
from autograder.messages_api.normal import as_blocks, comparable, merged, text_of
from autograder.messages_api.transcript import Call

Json = dict[str, Any]
Turns = list[tuple[str, list[Json]]]
"""A history as it is compared: roles and normalised blocks, neighbours of one role joined."""


@dataclass(frozen=True)
class LoopRun:
    """A run. `calls`: the requests for a reply, each with its answer, in order."""

    conversation: Conversation
    outcome: Outcome
    calls: list[Call]

    @property
    def replies(self) -> list[Json]:
        """The replies, in order."""
        return [call.response for call in self.calls]

    @property
    def last_reply(self) -> Json:
        """The reply that the run ended with."""
        return self.calls[-1].response


def run_loop(
    judge: Judge, run_agent: Name, fixture: str, owner: str, *, prompt: str | None = None, **keywords: Any
) -> LoopRun:
    """Let `run_agent` play a scenario; returns only if every request was answered.

    owner: the check that tells of refused requests; call `judge.refusals_belong_to` with it first.
    prompt: in place of the scenario's own, in its unvaried words. keywords: of `run_agent`.
    """
    conversation = judge.conversation(fixture)
    scenario = conversation.scenario
    asked = scenario.prompt if prompt is None else conversation.apply(prompt)
    outcome = judge.attempt(run_agent, CLIENT, asked, scenario.tools, RUN_TOOL, **keywords)
    if conversation.refusal or conversation.unrecorded:
        _not_answered(judge, run_agent, conversation, outcome, owner)
    calls = [call for call in conversation.calls if call.path.endswith("/messages")]
    if not calls:
        judge.returned(run_agent, outcome, may_return_none=True)
        judge.not_yet(
            expected=_("at least one request"), found=_("no request"), next_step=_("call client.messages.create")
        )
    return LoopRun(conversation, outcome, calls)


def _not_answered(judge: Judge, run_agent: Name, conversation: Conversation, outcome: Outcome, owner: str) -> None:
    """End the check for a request that got no reply, also when the loop kept silent about it."""
    if outcome.kind != "returned":
        judge.returned(run_agent, outcome)
    if conversation.refusal and not judge.tells_of_refusals:
        judge.not_reached(owner)
    judge.not_yet(
        expected=_("requests that are answered"),
        found=_("a request without a reply, and a loop that went on: {value}").format(value=shown(outcome.value)),
        the_api=conversation.refusal,
        next_step=_("let the SDK's exceptions rise: they say what is wrong with the request"),
    )


def turns_of(messages: Any) -> Turns:
    """Return a history as it is compared; turns that hold nothing but blank text are left out."""
    turns = [(turn.role, comparable(turn.blocks)) for turn in merged(messages)]
    return [turn for turn in turns if turn[1]]


def flat(turns: Turns) -> list[tuple[str, Json]]:
    """Return the blocks of a history one after another, each with its role."""
    return [(role, block) for role, blocks in turns for block in blocks]


def reply_blocks(reply: Json) -> list[tuple[str, Json]]:
    """Return the blocks of a reply as they stand in a history."""
    return [("assistant", block) for block in comparable(as_blocks(reply.get("content")))]


def client_calls(reply: Json) -> list[Json]:
    """Return the calls of a reply that the client has to answer."""
    return [block for block in as_blocks(reply.get("content")) if block.get("type") == "tool_use"]


def results_in(messages: Any) -> Iterator[Json]:
    """Yield every result of a client's tool in a history, in order."""
    for turn in merged(messages):
        yield from (block for block in turn.blocks if block.get("type") == "tool_result")


def text_of_result(block: Json) -> str:
    """Return the text of a result, whether it is a string or a list of blocks."""
    return text_of(as_blocks(block.get("content")))


def run_for(call: Json, unused: list[ToolRun]) -> ToolRun | None:
    """Take from `unused` the first run that a call asked for, or None."""
    for place, run in enumerate(unused):
        if (run.name, run.input) == (call.get("name"), call.get("input")):
            return unused.pop(place)
    return None


def named_call(call: Any) -> str:
    """Return a call or a tool run in one line: `get_order {'order_id': 'P-1001'}`."""
    name, tool_input = (call["name"], call["input"]) if isinstance(call, dict) else (call.name, call.input)
    return f"{name} {shown(tool_input)}"


def named_block(item: tuple[str, Json]) -> str:
    """Return a block of a history in one line, with its role."""
    role, block = item
    kind = block.get("type")
    held = {"tool_use": "id", "tool_result": "tool_use_id", "text": "text"}.get(str(kind))
    detail = f" {shortened(repr(block.get(held)), 60)}" if held else ""
    return f"{role} {kind}{detail}"


def plain(value: Any) -> Any:
    """Return a value with the JSON of SDK objects in their place, as the SDK itself would send it."""
    if isinstance(value, SdkObject):
        return plain(value.json)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, str | int | float) else repr(value)
