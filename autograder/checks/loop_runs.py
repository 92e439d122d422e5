"""One run of a learner's loop: what it sent, what it was answered, which tools it ran.

Lesson 05 and every later lesson judge `run_agent` by its requests. They read them here, in one way: merged and
normalised as the API reads them, so that two spellings of one history are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from autograder.checks.feedback import shortened, shown
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.transcript import Conversation, ToolRun
from autograder.checks.values import CLIENT, RUN_TOOL, SdkObject
from autograder.language import _
from autograder.messages_api.normal import as_blocks, comparable, merged, text_of
from autograder.messages_api.transcript import Call

Json = dict[str, Any]
Placed = tuple[str, Json]
"""A block of a history with the role of its turn."""


@dataclass(frozen=True)
class Owner:
    """The check that tells of refused requests, and its title; every other check of the loop points to it."""

    check: str
    title: str


@dataclass(frozen=True)
class LoopRun:
    """A run. `asked`: its question, in words. `calls`: the requests for a reply, each with its answer, in order."""

    asked: str
    conversation: Conversation
    outcome: Outcome
    calls: list[Call]

    @property
    def last_reply(self) -> Json:
        """The answer to the last request."""
        return self.calls[-1].response


def run_loop(
    judge: Judge,
    run_agent: Name,
    fixture: str,
    owner: Owner,
    *,
    prompt: str | None = None,
    expected: str = "",
    next_step: str = "",
    tolerant: bool = False,
    **keywords: Any,
) -> LoopRun:
    """Let `run_agent` play a scenario; returns only if every request got a reply, or if `tolerant`.

    prompt: in place of the scenario's own, in its unvaried words. expected, next_step: said when the run itself fails.
    keywords: of `run_agent`. Raises CheckFailed, in the words of the owner or as "not reached", for a refused request.
    """
    judge.refusals_belong_to(owner.check, owner.title)
    conversation = judge.conversation(fixture)
    scenario = conversation.scenario
    question = scenario.prompt if prompt is None else conversation.apply(prompt)
    asked = _in_words(question, keywords)
    judge.case(asked, expected=expected, next_step=next_step)
    outcome = judge.attempt(run_agent, CLIENT, question, scenario.tools, RUN_TOOL, **keywords)
    run = LoopRun(asked, conversation, outcome, [c for c in conversation.calls if c.path.endswith("/messages")])
    if not tolerant:
        expect_replies(judge, run_agent, run, owner)
    if not run.calls:
        judge.returned(run_agent, outcome, may_return_none=True)
        judge.not_yet(
            expected=_("at least one request"), found=_("no request"), next_step=_("call client.messages.create")
        )
    return run


def expect_replies(judge: Judge, run_agent: Name, run: LoopRun, owner: Owner) -> None:
    """End the check if a request got no reply, also when the loop kept silent about it."""
    conversation, error = run.conversation, run.outcome.error
    if not conversation.refusal and not conversation.unrecorded:
        return
    if conversation.unrecorded or (error is not None and "APIError" in error.class_names):
        judge.returned(run_agent, run.outcome, may_return_none=True)
    if conversation.refusal and judge.title != owner.title:
        _not_reached(judge, owner)
    judge.not_yet(
        expected=_("a reply to every request"),
        found=_("a request without a reply, and a loop that does not let the SDK's exception rise"),
        the_api=conversation.refusal,
        next_step=_("take out what catches exceptions around messages.create"),
    )


def _not_reached(judge: Judge, owner: Owner) -> NoReturn:
    judge.case("")
    judge.not_yet(
        found=_("not reached: the API refused a request; see check.{check}").format(check=owner.check),
        next_step=_("let check.{check} pass first").format(check=owner.check),
    )


def _in_words(question: str, keywords: dict[str, Any]) -> str:
    asked = _("the question {prompt}").format(prompt=shown(question))
    if "max_steps" in keywords:
        return _("{asked} with max_steps={n}").format(asked=asked, n=keywords["max_steps"])
    return asked


def placed_blocks(messages: Any) -> list[Placed]:
    """Return the blocks of a history as they are compared, one after another, each with its role."""
    return [(turn.role, block) for turn in merged(messages) for block in comparable(turn.blocks)]


def placed_reply(reply: Json) -> list[Placed]:
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


def named_call(name: str, tool_input: Any) -> str:
    """Return a call or a run in one line: `get_order {'order_id': 'P-1001'}`."""
    return f"{name} {shown(tool_input)}"


def named_block(item: Placed) -> str:
    """Return a block of a history in one line: `user tool_result 'toolu_01...'`."""
    role, block = item
    kind = str(block.get("type"))
    held = {"tool_use": "id", "tool_result": "tool_use_id", "text": "text"}.get(kind)
    return f"{role} {kind}" + (f" {shortened(repr(block.get(held)), 60)}" if held else "")


def plain(value: Any) -> Any:
    """Return a value with the JSON of SDK objects in their place, as the SDK itself would send it."""
    if isinstance(value, SdkObject):
        return plain(value.json)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, str | int | float) else repr(value)


def expect_start(judge: Judge, number: int, found: list[Placed], kept: list[Placed], reply: Json) -> None:
    """Say "not yet" unless request `number` begins with the blocks `kept` and the whole reply to the one before."""
    wanted = [*kept, *placed_reply(reply)]
    place = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None)
    if place is None and len(found) >= len(wanted):
        return
    place = min(len(found), len(wanted)) if place is None else place
    judge.not_yet(
        expected=_("in request {number}, block {place} of the history: {block}").format(
            number=number, place=place + 1, block=named_block(wanted[place])
        ),
        found=_found_at(found, wanted, place),
    )


def _found_at(found: list[Placed], wanted: list[Placed], place: int) -> str:
    if place >= len(found):
        return _("the history ends before it")
    said = named_block(found[place])
    return _("{block}, with other content").format(block=said) if said == named_block(wanted[place]) else said


def expect_last_text(judge: Judge, run_agent: Name, run: LoopRun, because: str, next_step: str = "") -> None:
    """The run returned the text of the reply that ends the scenario."""
    exchanges = reversed(run.conversation.scenario.exchanges)
    end = next(e.message for e in exchanges if e.message and _ends(e.message, run))
    judge.case(
        run.asked,
        expected=shown(text_of_reply(end)),
        because=because,
        next_step=next_step or _("return final_text of the reply that ended the run"),
    )
    judge.equal(judge.returned(run_agent, run.outcome), text_of_reply(end))


def _ends(message: Json, run: LoopRun) -> bool:
    """Whether this reply is the end of the scenario: the one that came, if one with end_turn came."""
    came = run.last_reply.get("id") if run.last_reply.get("stop_reason") == "end_turn" else None
    return message.get("stop_reason") == "end_turn" and came in (None, message["id"])


def text_of_reply(reply: Json) -> str:
    """Return the text of a reply."""
    return text_of(as_blocks(reply.get("content")))


def is_error(result: Json) -> bool:
    """Return whether a result says that its call failed."""
    return result.get("is_error") is True
