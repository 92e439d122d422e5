"""Lesson 05, max_steps: how many requests a loop sends at most, and what it leaves when it stops there."""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.loop_runs import (
    Json,
    LoopRun,
    Owner,
    Placed,
    expect_last_text,
    is_error,
    named_block,
    named_call,
    placed_blocks,
    placed_reply,
    plain,
    results_in,
    run_loop,
    text_of_result,
)
from autograder.language import _
from autograder.messages_api.request_rules import refusal

TITLES = {
    "sends_at_most_max_steps_requests": _("sends at most max_steps requests"),
    "returns_when_the_last_request_ends_it": _("returns when the last request ends the run"),
    "raises_step_limit_reached": _("raises StepLimitReached"),
    "leaves_a_history_that_can_go_on": _("leaves a history that can go on"),
    "tells_what_became_of_each_call": _("tells what became of each call"),
}

OWNER = Owner("sends_at_most_max_steps_requests", TITLES["sends_at_most_max_steps_requests"])
UNENDING = (("long_case", 4), ("five_calls", 1), ("same_call_again", 2))
"""Fixtures, each with a number of requests after which its run is not over."""
PROMISE = "Has order P-1002 left your warehouse?"
"""The question of `misleading_texts` whose one reply ends the run."""


def sends_at_most_max_steps_requests(judge: Judge, run_agent: Name) -> None:
    """Every request counts, and there are no more than max_steps."""
    for fixture, steps in UNENDING:
        run = run_loop(judge, run_agent, fixture, OWNER, max_steps=steps)
        judge.case(
            run.asked,
            expected=_("at most {n}").format(n=steps),
            because=_("each request costs money, and a model can ask for the same tool for ever"),
            next_step=_("count every request, and look at the count before you send another one"),
        )
        if len(run.calls) > steps:
            judge.not_yet(found=_("{n} requests").format(n=len(run.calls)))


def returns_when_the_last_request_ends_it(judge: Judge, run_agent: Name) -> None:
    """An end_turn in reply to the last allowed request is a normal return."""
    next_step = _("look at the stop_reason of the last reply before you look at the number of requests")
    because = _("the run is over in time; the cap has nothing to say")
    for fixture, steps, prompt in (("order_first", 3, None), ("one_call", 2, None), ("misleading_texts", 1, PROMISE)):
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt, next_step=next_step, max_steps=steps)
        expect_last_text(judge, run_agent, run, because, next_step)


def raises_step_limit_reached(judge: Judge, run_agent: Name) -> None:
    """When the run is not over after max_steps requests: StepLimitReached with the history and the number."""
    for fixture, steps in UNENDING:
        _run, fields = _limited(judge, run_agent, fixture, steps)
        if fields.get("steps") != steps:
            judge.not_yet(
                expected=_("a StepLimitReached whose steps is {n}").format(n=steps),
                found=shown(fields.get("steps")),
                next_step=_("raise StepLimitReached(messages, max_steps)"),
            )


def leaves_a_history_that_can_go_on(judge: Judge, run_agent: Name) -> None:
    """The API accepts `messages` with one more user turn, and nothing of what was sent is missing or changed."""
    for fixture, steps in UNENDING:
        run, fields = _limited(judge, run_agent, fixture, steps)
        judge.case(
            run.asked,
            expected=_("messages that the API accepts with one more user turn"),
            because=_("a person or a later run goes on from them; what was done is known nowhere else"),
            next_step=_("add the last reply and one result for each of its calls, or nothing of that reply"),
        )
        _expect_to_go_on(judge, run, plain(fields.get("messages")))


def tells_what_became_of_each_call(judge: Judge, run_agent: Name) -> None:
    """A call that was run has its result in `messages`; no other call has a result that is not an error."""
    for fixture, steps in UNENDING:
        run, fields = _limited(judge, run_agent, fixture, steps)
        successes = [text_of_result(one) for one in results_in(plain(fields.get("messages"))) if not is_error(one)]
        judge.case(
            run.asked,
            expected=_("messages with the result of every call that was run, and with no success of one that was not"),
            because=_("a refund that is made and forgotten is made again; one that was never made must not look done"),
            next_step=_("run the last calls and keep their results, or do not run them at all"),
        )
        for one in run.conversation.tool_runs:
            if one.result not in successes:
                call = named_call(one.name, one.input)
                judge.not_yet(found=_("{call} was run, and its result is missing").format(call=call))
            successes.remove(one.result)
        if successes:
            judge.not_yet(found=_("a call that was not run, with the result {text}").format(text=shown(successes[0])))


def _limited(judge: Judge, run_agent: Name, fixture: str, steps: int) -> tuple[LoopRun, Json]:
    """Play a run that is not over after `steps` requests; return it with the fields of its StepLimitReached."""
    run = run_loop(judge, run_agent, fixture, OWNER, max_steps=steps)
    error = run.outcome.error
    judge.case(
        run.asked,
        expected=_("StepLimitReached(messages, {n})").format(n=steps),
        because=_("a run that is not over must not look like one that is"),
        next_step=_("raise StepLimitReached when the last reply you may ask for does not end the run"),
    )
    if error is None:
        judge.not_yet(found=_("no error; it returned {value}").format(value=shown(run.outcome.value)))
    if "StepLimitReached" not in error.class_names:
        judge.returned(run_agent, run.outcome)
    return run, error.fields


def _expect_to_go_on(judge: Judge, run: LoopRun, messages: Any) -> None:
    """Say "not yet" unless the API takes `messages` with one more user turn, and they hold all that was sent.

    The last reply is there whole, with a result for each of its calls, or not at all.
    """
    if not isinstance(messages, list):
        judge.not_yet(expected=_("a list of turns"), found=shown(messages))
    last, found = run.calls[-1], placed_blocks(messages)
    kept = placed_blocks(last.request["messages"])
    expected = _("all that was sent so far, unchanged, at the start of messages")
    if found[: len(kept)] != kept:
        judge.not_yet(expected=expected, found=_difference(found, kept))
    added = found[len(kept) :]
    whole = placed_reply(last.response)
    if any(role == "assistant" for role, _block in added) and added[: len(whole)] != whole:
        judge.not_yet(expected=_("the last reply whole, or not at all"), found=_difference(added, whole))
    more = {"role": "user", "content": "Please go on."}
    body = {"messages": [*messages, more], "tools": run.conversation.scenario.tools}
    refused = refusal({**last.request, **body}, on=run.conversation.scenario.provenance.date)
    if refused is not None:
        the_api = f"{refused.status} {refused.type}: {refused.message}"
        judge.not_yet(found=_described(added), the_api=the_api)


def _described(added: list[Placed]) -> str:
    """What was added to the last request, its end in words."""
    blocks = [named_block(block) for block in added]
    words = "; ".join(["...", *blocks[-2:]] if len(blocks) > 2 else blocks)
    return _("messages that end with: {blocks}").format(blocks=words or _("what was sent"))


def _difference(found: list[Placed], wanted: list[Placed]) -> str:
    place = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), len(found))
    if place >= len(found):
        missing = named_block(wanted[place]) if place < len(wanted) else ""
        return _("without {block}").format(block=missing)
    return _("{found} in the place of {wanted}").format(
        found=named_block(found[place]), wanted=named_block(wanted[place])
    )
