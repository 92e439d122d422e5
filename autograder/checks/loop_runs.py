"""One run of a learner's loop: what it sent, what it was answered, which tools it ran.

Lesson 05 and every later lesson judge `run_agent` by its requests. They read them here, in one way: merged and
normalised as the API reads them, so that two spellings of one history are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from autograder.checks.feedback import shortened, shown
from autograder.checks.judge import Judge, Name
from autograder.checks.player import ErrorReport, Outcome
from autograder.checks.transcript import Conversation, ToolRun
from autograder.checks.values import CLIENT, RUN_TOOL, SdkObject
from autograder.language import _
from autograder.messages_api.composition import way_to_the_end
from autograder.messages_api.normal import Turn, as_blocks, comparable, merged, text_of
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.transcript import Call

Json = dict[str, Any]
Placed = tuple[str, Json]
"""A block of a history with the role of its turn."""


@dataclass(frozen=True)
class Owner:
    """The check that tells of refused requests, and its title; every other check of the loop points to it.

    endless, endless_title: the check that tells of a loop without an end, in the same way; "" lets every check tell it.
    """

    check: str
    title: str
    endless: str = ""
    endless_title: str = ""


@dataclass(frozen=True)
class LoopRun:
    """A run. `asked`: its question, in words. `calls`: the requests for a reply, each with its answer, in order."""

    asked: str
    conversation: Conversation
    outcome: Outcome
    calls: list[Call]

    @property
    def stopped_by_cap(self) -> bool:
        """Whether it ended with StepLimitReached."""
        return self.outcome.error is not None and "StepLimitReached" in self.outcome.error.class_names

    @property
    def forgets(self) -> bool:
        """Whether one of the first requests does not go on with the one before it and its reply."""
        sent = [placed_blocks(call.request.get("messages")) for call in self.calls[:4]]
        wanted = [[*kept, *placed_reply(call.response)] for kept, call in zip(sent, self.calls, strict=False)]
        return any(after[: len(before)] != before for before, after in zip(wanted, sent[1:], strict=False))

    @property
    def last_reply(self) -> Json:
        """The answer to the last request."""
        return self.calls[-1].response


def run_loop(
    judge: Judge,
    run_agent: Name,
    source: str | Conversation,
    owner: Owner,
    *,
    prompt: str | None = None,
    expected: str = "",
    next_step: str = "",
    tolerant: bool = False,
    **keywords: Any,
) -> LoopRun:
    """Let `run_agent` play a scenario; returns only if every request got a reply, or if `tolerant`.

    source: the name of a fixture, or a conversation of this judge. prompt: in place of the scenario's own, in its
    unvaried words. expected, next_step: said when the run itself fails. keywords: of `run_agent`. Raises CheckFailed,
    in the words of the owner or as "not reached", for a refused request; and, but for the check that judges what was
    sent, for a loop without an end.
    """
    judge.refusals_belong_to(owner.check, owner.title)
    conversation = judge.conversation(source) if isinstance(source, str) else source
    scenario = conversation.scenario
    question = scenario.prompt if prompt is None else conversation.apply(prompt)
    asked = _in_words(question, keywords)
    judge.case(asked, expected=expected, next_step=next_step)
    arguments = (CLIENT, question, scenario.tools, RUN_TOOL)
    outcome = judge.attempt(run_agent, *arguments, may_be_stopped=bool(owner.endless), **keywords)
    run = LoopRun(asked, conversation, outcome, [c for c in conversation.calls if c.path.endswith("/messages")])
    judge.advise(mistake_in(run))
    if outcome.error is not None and _lost_the_list(outcome.error):
        judge.returned(run_agent, outcome)
    if not tolerant:
        expect_replies(judge, run_agent, run, owner)
    if outcome.kind == "stopped" and judge.title != owner.endless_title:
        if run.forgets:
            not_reached(judge, _("the loop does not come to an end"), owner.endless)
        if not tolerant:
            judge.returned(run_agent, outcome)
    if not run.calls and not (run.stopped_by_cap and "max_steps" in keywords):
        judge.returned(run_agent, outcome, may_return_none=True)
        judge.not_yet(
            expected=_("at least one request"), found=_("no request"), next_step=_("call client.messages.create")
        )
    return run


def sources(*each: str | Callable[[], Conversation]) -> Iterator[str | Conversation]:
    """Yield the names of fixtures, and conversations that begin only when it is their turn."""
    for source in each:
        yield source if isinstance(source, str) else source()


def fresh_where(judge: Judge, holds: Callable[[Scenario], bool], traits: Iterable[str], **how: Any) -> Conversation:
    """Start a composed conversation for which `holds` is true, whatever the seed."""
    for _try in range(500):
        conversation = judge.fresh(traits, **how)
        if holds(conversation.scenario):
            return conversation
    raise RuntimeError(f"no conversation with {traits} is as the check needs it")


def in_an_order_of_its_own(scenario: Scenario) -> bool:
    """Whether one reply calls its tools neither in the order of `tools` nor by the alphabet, forwards or backwards."""
    listed = [tool["name"] for tool in scenario.tools]
    replies = [[call["name"] for call in client_calls(each.message or {})] for each in way_to_the_end(scenario)]
    orders = [sorted(listed), sorted(listed, reverse=True), listed, listed[::-1]]
    return any(all(names != sorted(names, key=order.index) for order in orders) for names in replies)


def says_nothing_at_the_end(scenario: Scenario) -> bool:
    """Whether the last reply has no text, and one before it has."""
    *before, last = [text_of_reply(each.message or {}) for each in way_to_the_end(scenario)]
    return not last and any(before)


def expect_replies(judge: Judge, run_agent: Name, run: LoopRun, owner: Owner) -> None:
    """End the check if a request got no reply, also when the loop kept silent about it."""
    conversation, error = run.conversation, run.outcome.error
    if not conversation.refusal and not conversation.unrecorded:
        return
    if conversation.unrecorded or (error is not None and "APIError" in error.class_names):
        judge.returned(run_agent, run.outcome, may_return_none=True)
    if conversation.refusal and judge.title != owner.title:
        not_reached(judge, _("the API refused a request"), owner.check)
    judge.not_yet(
        expected=_("a reply to every request"),
        found=_("a request without a reply, and a loop that does not let the SDK's exception rise"),
        the_api=conversation.refusal,
        next_step=_("take out what catches exceptions around messages.create"),
    )


def not_reached(judge: Judge, why: str, check: str) -> NoReturn:
    """End the check because of a fault that another check tells."""
    judge.case("")
    judge.not_yet(
        found=_("not reached: {why}; see check.{check}").format(why=why, check=check),
        next_step=_("let check.{check} pass first").format(check=check),
    )


def mistake_in(run: LoopRun) -> str:
    """Return what to try where the run shows which mistake it is, or ""."""
    error = run.outcome.error
    if error is not None and _lost_the_list(error):
        return _("append changes the list and returns None: write messages.append(...) without `messages =`")
    refused = next((call for call in run.calls if call.status == 400), None)
    turns = refused.request.get("messages") if refused else None
    if refused is None or not isinstance(turns, list):
        return ""
    if any(isinstance(turn, dict) and turn.get("role") == "system" for turn in turns):
        return _("give the system prompt to create as system=system; messages holds no turn for it")
    replies = [call.response for call in run.calls if call.number < refused.number]
    return _mistake_after(replies[-1], merged(turns)) if replies else ""


def _lost_the_list(error: ErrorReport) -> bool:
    return error.name == "AttributeError" and "'NoneType' object has no attribute 'append'" in error.text


def _mistake_after(reply: Json, turns: list[Turn]) -> str:
    """What is wrong in the turns that followed a reply."""
    asked = {call["id"] for call in client_calls(reply)}
    answers = [turn.number for turn in turns for block in turn.blocks if block.get("tool_use_id") in asked]
    calls = [turn.number for turn in turns for block in turn.blocks if block.get("id") in asked]
    if asked and answers and not calls:
        return _("append assistant_turn(message), the reply with its calls, before its results")
    if answers and calls and answers[0] < calls[0]:
        return _("append the reply first, then its results")
    last = turns[-1] if turns else None
    results = [block.get("tool_use_id") for block in last.blocks if block.get("type") == "tool_result"] if last else []
    if calls and not set(results) <= asked:
        return _("send only this reply's results: begin a new list for each reply")
    if asked and calls and not asked <= set(results):
        return _("send a result for each call of the reply, in the turn right after it")
    return ""


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


def text_of_reply(reply: Json) -> str:
    """Return the text of a reply."""
    return text_of(as_blocks(reply.get("content")))


def is_error(result: Json) -> bool:
    """Return whether a result says that its call failed."""
    return result.get("is_error") is True
