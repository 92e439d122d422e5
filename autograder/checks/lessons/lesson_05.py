"""Lesson 05, agent_loop: the loop, its cap, and the history it leaves."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name, nearest
from autograder.checks.loop_runs import (
    Json,
    LoopRun,
    Owner,
    client_calls,
    flat,
    named_block,
    named_call,
    plain,
    reply_blocks,
    results_in,
    run_for,
    run_loop,
    text_of_result,
    turns_of,
)
from autograder.checks.transcript import described_turns, is_one_user_turn
from autograder.given import MODEL, SYSTEM
from autograder.language import _
from autograder.messages_api.normal import as_blocks, normalised, text_of
from autograder.messages_api.request_rules import refusal

TITLES = {
    "sends_only_what_the_api_accepts": _("sends only what the API accepts"),
    "sends_the_whole_history_each_time": _("sends the whole history each time"),
    "repeats_model_system_tools_and_max_tokens": _("repeats model, system, tools and max_tokens"),
    "runs_each_call_once_in_order": _("runs each call once, in order"),
    "sends_each_result_under_its_id": _("sends each result under its id"),
    "goes_on_at_tool_use_and_ends_at_end_turn": _("goes on at tool_use and ends at end_turn"),
    "returns_the_text_of_the_last_reply": _("returns the text of the last reply"),
    "plays_a_long_case_to_its_end": _("plays a long case to its end"),
    "raises_at_any_other_stop_reason": _("raises at any other stop_reason"),
    "sends_at_most_max_steps_requests": _("sends at most max_steps requests"),
    "returns_when_the_last_request_ends_it": _("returns when the last request ends the run"),
    "raises_step_limit_reached": _("raises StepLimitReached"),
    "leaves_a_history_that_can_go_on": _("leaves a history that can go on"),
    "tells_what_became_of_each_call": _("tells what became of each call"),
    "gives_the_history_back": _("gives the history back"),
    "diagnoses_the_first_loop": _("diagnoses the first loop"),
    "diagnoses_the_second_loop": _("diagnoses the second loop"),
    "diagnoses_the_third_loop": _("diagnoses the third loop"),
}

OWNER = Owner("sends_only_what_the_api_accepts", TITLES["sends_only_what_the_api_accepts"])
RULES = ("order", "verbatim", "pairing", "history", "branch", "cap")
UNENDING = (("long_case", 4), ("five_calls", 1), ("same_call_again", 2))
"""Fixtures, each with a number of requests after which the run is not over."""


def sends_only_what_the_api_accepts(judge: Judge, run_agent: Name) -> None:
    """Every request gets a reply: with one call, several, none, no arguments, and blank text in a reply."""
    for fixture in ("one_call", "parallel_calls", "no_arguments", "blank_text", "misleading_texts"):
        judge.case("", because=_("after a refusal there is no reply, and the run is lost"), next_step=_next_turns())
        run = run_loop(judge, run_agent, fixture, OWNER)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_the_whole_history_each_time(judge: Judge, run_agent: Name) -> None:
    """Each request begins with the turns of the one before, then holds the reply to it, whole."""
    for fixture in ("notes_between_calls", "five_calls", "help_first"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        prompt = run.conversation.scenario.prompt
        because = _("the API keeps nothing: what is not in this request, the model does not know")
        judge.case("", because=because, next_step=_next_turns())
        first = run.calls[0].request.get("messages")
        if not is_one_user_turn(first, prompt):
            judge.not_yet(
                expected=_("a first request of one user turn, {prompt}").format(prompt=shown(prompt)),
                found=described_turns(first),
                next_step=_("begin with a list of one dict: role user, content the prompt as you got it"),
            )
        for before, after in zip(run.calls, run.calls[1:], strict=False):
            kept = flat(turns_of(before.request["messages"]))
            _expect_start(judge, after.number, flat(turns_of(after.request["messages"])), kept, before.response)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def repeats_model_system_tools_and_max_tokens(judge: Judge, run_agent: Name) -> None:
    """The four fields are the same in every request: what the caller gave, or the default."""
    system = "You help {n} shops.".format(n=judge.samples.number())
    for given in ({}, {"system": system, "max_tokens": judge.samples.number(1000, 2000)}):
        run = run_loop(judge, run_agent, "order_first", OWNER, **given)
        tools = run.conversation.scenario.tools
        wanted = {"model": MODEL, "system": SYSTEM, "max_tokens": 2048, **given, "tools": tools}
        for call in run.calls:
            for field, value in wanted.items():
                _expect_field(judge, call.number, field, value, call.request.get(field))
        judge.returned(run_agent, run.outcome, may_return_none=True)


def runs_each_call_once_in_order(judge: Judge, run_agent: Name) -> None:
    """Every client call of every reply is run once, in the order of the reply, with its input."""
    for fixture in ("order_first", "help_first", "five_calls", "same_call_again"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        wanted = [named_call(call) for reply in run.replies for call in client_calls(reply)]
        found = [named_call(one) for one in run.conversation.tool_runs]
        judge.case(
            _asked(run),
            because=_("the model decides which tool comes next, and with what input; a call may pay money"),
            next_step=_("give the whole reply to results_turn, once; name no tool in your loop"),
        )
        if found != wanted:
            place = next((n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None)
            place = min(len(found), len(wanted)) if place is None else place
            judge.not_yet(expected=_run_at(wanted, place), found=_run_at(found, place))
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_each_result_under_its_id(judge: Judge, run_agent: Name) -> None:
    """What a tool returned goes back under the id of the call that asked for it, and not as an error."""
    for fixture in ("parallel_calls", "five_calls", "same_call_again"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        unused = list(run.conversation.tool_runs)
        judge.case("", because=_("the model reads a result as the answer to the call with that id"))
        for before, after in zip(run.calls, run.calls[1:], strict=False):
            results = {block.get("tool_use_id"): block for block in results_in(after.request["messages"])}
            for call in client_calls(before.response):
                _expect_result(judge, call, results.get(call["id"]), unused)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def goes_on_at_tool_use_and_ends_at_end_turn(judge: Judge, run_agent: Name) -> None:
    """Only the stop_reason ends a run, whatever the text says."""
    cases = (("misleading_texts", None), ("misleading_texts", "Has order P-1002 left your warehouse?"))
    for fixture, prompt in (*cases, ("notes_between_calls", None), ("order_first", None)):
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt)
        reason = run.last_reply.get("stop_reason")
        if reason != "end_turn":
            judge.returned(run_agent, run.outcome, may_return_none=True)
            judge.not_yet(
                expected=_("a run that ends with the reply whose stop_reason is end_turn"),
                found=_("it ended after request {n}, with {reason} and the text {text}").format(
                    n=len(run.calls), reason=reason, text=shown(_text_of(run.last_reply))
                ),
                because=_("at tool_use the model waits for results; a text says nothing about that"),
                next_step=_("decide by message.stop_reason alone whether another request follows"),
            )
        judge.returned(run_agent, run.outcome, may_return_none=True)


def returns_the_text_of_the_last_reply(judge: Judge, run_agent: Name) -> None:
    """All text blocks of the last reply, none of the replies before it, and "" when there is no text."""
    for fixture in ("notes_between_calls", "parallel_calls", "one_call", "nothing_to_add"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        _expect_last_text(judge, run_agent, run, _("texts before a call are notes on the way, not the answer"))


def plays_a_long_case_to_its_end(judge: Judge, run_agent: Name) -> None:
    """With the default max_steps a run of fourteen requests ends with its answer."""
    judge.case("", next_step=_("end the run at end_turn, and leave the default of max_steps at 20"))
    run = run_loop(judge, run_agent, "long_case", OWNER)
    _expect_last_text(judge, run_agent, run, _("how many requests a case takes, nobody knows before it is solved"))


def raises_at_any_other_stop_reason(judge: Judge, run_agent: Name) -> None:
    """Neither end_turn nor tool_use: RuntimeError that names the value; nothing is run or sent any more."""
    fixtures = ("one_pause", "refused_at_once", "cut_at_every_size", "window_full", "stops_at_sequence")
    for fixture in (*fixtures, "unknown_stop_reason"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        reason = str(run.last_reply.get("stop_reason"))
        judge.case(
            _("a reply that ends with {reason}").format(reason=reason),
            expected=_("RuntimeError with {reason} in its text, no tool run and no further request").format(
                reason=reason
            ),
            because=_("you do not know yet what to do there; a silent wrong answer is worse than an error"),
            next_step=_("after the branches for end_turn and tool_use: raise RuntimeError(...) with the stop_reason"),
        )
        early = next((one for one in run.replies if one["stop_reason"] not in ("tool_use", "end_turn")), None)
        if early is not run.replies[-1] and early is not None:
            judge.not_yet(found=_("a further request after {reason}").format(reason=early["stop_reason"]))
        _expect_error(judge, run, reason)
        allowed = sum(len(client_calls(reply)) for reply in run.replies[:-1])
        if len(run.conversation.tool_runs) > allowed:
            judge.not_yet(found=_("a run of {call}").format(call=named_call(run.conversation.tool_runs[allowed])))


def sends_at_most_max_steps_requests(judge: Judge, run_agent: Name) -> None:
    """Every request counts, and there are no more than max_steps."""
    for fixture, steps in UNENDING:
        run = run_loop(judge, run_agent, fixture, OWNER, max_steps=steps)
        judge.case(
            _limit_of(run, steps),
            expected=_("{n} requests at most").format(n=steps),
            because=_("each request costs money; a model can ask for the same tool for ever"),
            next_step=_("count each request before you send it"),
        )
        if len(run.calls) > steps:
            judge.not_yet(found=_("{n} requests").format(n=len(run.calls)))


def returns_when_the_last_request_ends_it(judge: Judge, run_agent: Name) -> None:
    """An end_turn in reply to the last allowed request is a normal return."""
    cases = (("order_first", 3, None), ("one_call", 2, None))
    for fixture, steps, prompt in (*cases, ("misleading_texts", 1, "Has order P-1002 left your warehouse?")):
        judge.case("", next_step=_("look at the stop_reason of the last reply before you look at the number of steps"))
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt, max_steps=steps)
        _expect_last_text(judge, run_agent, run, _("the run is over in time; the cap has nothing to say"))


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
        messages = plain(fields.get("messages"))
        judge.case(
            _limit_of(run, steps),
            expected=_("messages that the API accepts with one more user turn"),
            because=_("a person or a later run goes on from them; what was done is known nowhere else"),
            next_step=_("add the last reply and one result for each of its calls, or add nothing of that reply"),
        )
        if not isinstance(messages, list):
            judge.not_yet(expected=_("a list of turns"), found=shown(messages))
        _expect_to_go_on(judge, run, messages)


def tells_what_became_of_each_call(judge: Judge, run_agent: Name) -> None:
    """A call that was run has its result in `messages`; no other call has a result that is not an error."""
    for fixture, steps in UNENDING:
        run, fields = _limited(judge, run_agent, fixture, steps)
        successes = [text_of_result(one) for one in results_in(plain(fields.get("messages"))) if not _failed(one)]
        judge.case(
            _limit_of(run, steps),
            expected=_("a result in messages for every call that was run, and for no other unless is_error is true"),
            because=_("a refund that is made and forgotten is made again; one that is not made must not look done"),
            next_step=_("run the last calls and keep their results, or do not run them"),
        )
        for one in run.conversation.tool_runs:
            if one.result not in successes:
                judge.not_yet(found=_("{call} was run, and its result is missing").format(call=named_call(one)))
            successes.remove(one.result)
        if successes:
            judge.not_yet(found=_("a call that was not run, with the result {text}").format(text=shown(successes[0])))
