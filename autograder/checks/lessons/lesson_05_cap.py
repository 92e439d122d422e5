"""Lesson 05, max_steps: how many requests a loop sends at most, and what it leaves when it stops there."""

from __future__ import annotations

import json
from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.loop_properties import (
    expect_fields,
    expect_history,
    expect_last_text,
    expect_results,
    expect_runs,
    expect_stop,
    first_difference,
)
from autograder.checks.loop_runs import (
    Json,
    LoopRun,
    Owner,
    Placed,
    fresh_where,
    in_an_order_of_its_own,
    is_error,
    named_block,
    named_call,
    not_reached,
    placed_blocks,
    placed_reply,
    plain,
    results_in,
    run_loop,
    text_of_result,
)
from autograder.checks.transcript import Conversation
from autograder.checks.unending import unending_conversation
from autograder.given import MODEL
from autograder.language import _, ngettext
from autograder.messages_api.composition import way_to_the_end
from autograder.messages_api.request_rules import refusal

TITLES = {
    "sends_at_most_max_steps_requests": _("sends at most max_steps requests"),
    "returns_when_the_last_request_ends_it": _("returns when the last request ends the run"),
    "still_does_what_05_1_asks": _("still does what 05.1 asks"),
    "raises_step_limit_reached": _("raises StepLimitReached"),
    "leaves_a_history_that_can_go_on": _("leaves a history that can go on"),
    "tells_what_became_of_each_call": _("tells what became of each call"),
}

AT_MOST, RETURNS = "sends_at_most_max_steps_requests", "returns_when_the_last_request_ends_it"
LIMIT = "raises_step_limit_reached"
OWNER = Owner(AT_MOST, TITLES[AT_MOST], endless=AT_MOST, endless_title=TITLES[AT_MOST])
DEFAULT = 20
UNENDING: tuple[tuple[str, int | None], ...] = (
    ("long_case", 4),
    ("five_calls", 1),
    ("same_call_again", 2),
    ("", None),
)
"""Fixtures, each with a number of requests after which its run is not over; "": one that no cap is enough for."""
PROMISE = "Has order P-1002 left your warehouse?"
"""The question of `misleading_texts` whose one reply ends the run."""


def sends_at_most_max_steps_requests(judge: Judge, run_agent: Name) -> None:
    """Every request counts, and there are no more than max_steps."""
    for fixture, steps in (*UNENDING, ("", judge.samples.number(5, 13))):
        run = _play(judge, run_agent, fixture, steps)
        allowed = DEFAULT if steps is None else steps
        judge.case(
            run.asked,
            expected=_("at most {n}").format(n=allowed),
            because=_("each request costs money, and a model can ask for the same tool for ever"),
            next_step=_("count every request, and look at the count before you send another one"),
        )
        if len(run.calls) > allowed:
            judge.not_yet(found=_("{n} requests").format(n=len(run.calls)))


def returns_when_the_last_request_ends_it(judge: Judge, run_agent: Name) -> None:
    """An end_turn in reply to the last allowed request is a normal return."""
    next_step = _("look at the stop_reason of the last reply before you look at the number of requests")
    for fixture, steps, prompt in (("order_first", 3, None), ("one_call", 2, None), ("misleading_texts", 1, PROMISE)):
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt, next_step=next_step, max_steps=steps)
        _expect_all_requests(judge, run, steps)
        if run.stopped_by_cap:
            judge.not_yet(
                expected=_("the text of the last reply"),
                found=_("StepLimitReached, though the last reply says end_turn"),
                because=_("the run is over in time; the cap has nothing to say"),
            )
        expect_last_text(judge, run_agent, run, next_step)


def still_does_what_05_1_asks(judge: Judge, run_agent: Name) -> None:
    """The properties of 05.1, in a run that ends with its last request: by an answer, or by another stop_reason."""
    own: Json = {"system": f"You help {judge.samples.number()} shops.", "max_tokens": judge.samples.number(1000, 2000)}
    traits = ("parallel", "preamble", "thinking", "blank_text", "renamed_tools")
    conversation = fresh_where(judge, in_an_order_of_its_own, traits)
    run = _play_to_the_end(judge, run_agent, conversation, **own)
    expect_history(judge, run)
    expect_fields(judge, run, {"model": MODEL, **own, "tools": conversation.scenario.tools})
    expect_runs(judge, run)
    expect_results(judge, run)
    expect_last_text(judge, run_agent, run)
    for ending in ("unknown_reason", "window_full", "refusal"):
        run = _play_to_the_end(judge, run_agent, judge.fresh((ending,)), tolerant=True)
        expect_stop(judge, run, len(way_to_the_end(run.conversation.scenario)) - 1)


def raises_step_limit_reached(judge: Judge, run_agent: Name) -> None:
    """When the run is not over after max_steps requests: StepLimitReached with the history and the number."""
    for fixture, steps in UNENDING:
        allowed = DEFAULT if steps is None else steps
        _run, fields = _limited(judge, run_agent, fixture, steps)
        if fields.get("steps") != allowed:
            judge.not_yet(
                expected=_("a StepLimitReached whose steps is {n}").format(n=allowed),
                found=shown(fields.get("steps")),
                next_step=_("raise StepLimitReached(messages, max_steps)"),
            )


def leaves_a_history_that_can_go_on(judge: Judge, run_agent: Name) -> None:
    """`messages` is all that was sent, then the last reply with its results or nothing; one more turn is legal."""
    for fixture, steps in UNENDING:
        run, fields = _limited(judge, run_agent, fixture, steps)
        expect_history(judge, run)
        judge.case(
            run.asked,
            expected=_("messages that the API accepts with one more user turn"),
            because=_("a person or a later run goes on from them; what was done is known nowhere else"),
            next_step=_("add the last reply and one result for each of its calls, or nothing of that reply"),
        )
        _expect_to_go_on(judge, run, fields.get("messages"))


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


def _play(judge: Judge, run_agent: Name, fixture: str, steps: int | None) -> LoopRun:
    source = fixture or judge.play(unending_conversation(judge.samples.identifier("case")))
    given: Json = {} if steps is None else {"max_steps": steps}
    return run_loop(judge, run_agent, source, OWNER, next_step=_when_to_raise(), **given)


def _play_to_the_end(judge: Judge, run_agent: Name, conversation: Conversation, **how: Any) -> LoopRun:
    """Play a composed conversation with just as many requests as it takes."""
    steps = len(way_to_the_end(conversation.scenario))
    run = run_loop(judge, run_agent, conversation, OWNER, max_steps=steps, **how)
    _expect_all_requests(judge, run, steps)
    if run.stopped_by_cap and run.last_reply.get("stop_reason") == "end_turn":
        not_reached(judge, _("StepLimitReached, though the last reply says end_turn"), RETURNS)
    return run


def _when_to_raise() -> str:
    return _("when the last reply that you may ask for says tool_use: raise StepLimitReached(messages, max_steps)")


def _expect_all_requests(judge: Judge, run: LoopRun, steps: int) -> None:
    """Say "not yet" if StepLimitReached came before the cap."""
    sent = len(run.calls)
    if not run.stopped_by_cap or sent >= steps:
        return
    if judge.title not in (TITLES[LIMIT], TITLES[RETURNS]):
        not_reached(judge, _("StepLimitReached comes too early"), LIMIT)
    judge.not_yet(
        expected=ngettext("{n} request, as max_steps allows", "{n} requests, as max_steps allows", steps).format(
            n=steps
        ),
        found=ngettext("StepLimitReached after {n} request", "StepLimitReached after {n} requests", sent).format(
            n=sent
        ),
        because=_("a request that is allowed may be the one that ends the run"),
        next_step=_("leave the default of max_steps at 20")
        if steps == DEFAULT
        else _("range(max_steps) gives max_steps rounds; range(1, max_steps) one less"),
    )


def _limited(judge: Judge, run_agent: Name, fixture: str, steps: int | None) -> tuple[LoopRun, Json]:
    """Play a run that is not over after `steps` requests; return it with the fields of its StepLimitReached."""
    run = _play(judge, run_agent, fixture, steps)
    allowed = DEFAULT if steps is None else steps
    _expect_all_requests(judge, run, allowed)
    error = run.outcome.error
    if run.stopped_by_cap and error is not None:
        return run, error.fields
    if judge.title != TITLES[LIMIT]:
        not_reached(judge, _("no StepLimitReached was raised"), LIMIT)
    judge.case(
        run.asked,
        expected=_("StepLimitReached(messages, {n})").format(n=allowed),
        because=_("a run that is not over must not look like one that is"),
        next_step=_when_to_raise(),
    )
    value = judge.returned(run_agent, run.outcome, may_return_none=True)
    judge.not_yet(found=_("no error; it returned {value}").format(value=shown(value)))


def _expect_to_go_on(judge: Judge, run: LoopRun, given: Any) -> None:
    """Say "not yet" unless the API takes `messages` with one more user turn, and they hold all that was sent.

    The last reply is there whole, with a result for each of its calls, or not at all; and nothing else.
    """
    messages = plain(given)
    if not isinstance(messages, list):
        judge.not_yet(expected=_("a list of turns"), found=shown(messages))
    last, found = run.calls[-1], placed_blocks(messages)
    kept = placed_blocks(last.request["messages"])
    place = first_difference(found, kept)
    if place is not None:
        judge.not_yet(
            expected=_("all that was sent so far, unchanged, at the start of messages"),
            found=_difference(found, kept, place),
        )
    added = found[len(kept) :]
    whole = placed_reply(last.response)
    place = first_difference(added, whole)
    if place is not None and any(role == "assistant" for role, _block in added):
        judge.not_yet(expected=_("the last reply whole, or not at all"), found=_difference(added, whole, place))
    more = {"role": "user", "content": "Please go on."}
    body = {"messages": [*messages, more], "tools": run.conversation.scenario.tools}
    refused = refusal({**last.request, **body}, on=run.conversation.scenario.provenance.date)
    if refused is not None:
        the_api = f"{refused.status} {refused.type}: {refused.message}"
        judge.not_yet(found=_described(added), the_api=the_api)
    for extra in added[len(whole) :] if place is None else added:
        if extra[1].get("type") != "tool_result":
            judge.not_yet(
                expected=_("after what was sent, the last reply with its results, or nothing"),
                found=named_block(extra),
                because=_("nobody said that; whoever goes on takes it for a part of the conversation"),
                next_step=_("add no turn of your own: the exception itself says that the limit was reached"),
            )
    if not _is_json(given):
        judge.not_yet(
            expected=_("messages that hold dicts only, also for each block"),
            found=_("SDK objects among them"),
            because=_("what is written to a file or a log is JSON, and JSON knows no SDK objects"),
            next_step=_("append assistant_turn(message): it makes dicts of the blocks"),
        )


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def _described(added: list[Placed]) -> str:
    """What was added to the last request, its end in words."""
    blocks = [named_block(block) for block in added]
    words = "; ".join(["...", *blocks[-2:]] if len(blocks) > 2 else blocks)
    return _("messages that end with: {blocks}").format(blocks=words or _("what was sent"))


def _difference(found: list[Placed], wanted: list[Placed], place: int) -> str:
    if place >= len(found):
        return _("without {block}").format(block=named_block(wanted[place]))
    return _("{found} in the place of {wanted}").format(
        found=named_block(found[place]), wanted=named_block(wanted[place])
    )
