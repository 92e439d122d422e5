"""Lesson 05, agent_loop: the loop, its cap, and the history it leaves."""

from __future__ import annotations

import json
from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.lessons.lesson_05_cap import PROMISE
from autograder.checks.loop_runs import (
    Json,
    LoopRun,
    Owner,
    client_calls,
    expect_last_text,
    expect_replies,
    expect_start,
    is_error,
    named_call,
    placed_blocks,
    results_in,
    run_for,
    run_loop,
    text_of_reply,
    text_of_result,
)
from autograder.checks.transcript import described_turns, is_one_user_turn
from autograder.given import MODEL, SYSTEM
from autograder.language import _
from autograder.messages_api.normal import as_blocks, normalised

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
    "gives_the_history_back": _("gives the history back"),
    "diagnoses_the_first_loop": _("diagnoses the first loop"),
    "diagnoses_the_second_loop": _("diagnoses the second loop"),
    "diagnoses_the_third_loop": _("diagnoses the third loop"),
}

OWNER = Owner("sends_only_what_the_api_accepts", TITLES["sends_only_what_the_api_accepts"])
RULES = ("order", "verbatim", "pairing", "history", "branch", "cap")
DIAGNOSES = {"A": "cap", "B": "verbatim", "C": "branch"}


def sends_only_what_the_api_accepts(judge: Judge, run_agent: Name) -> None:
    """Every request gets a reply: after one call, several calls, a call without arguments, a blank text."""
    for fixture in ("one_call", "parallel_calls", "no_arguments", "blank_text", "notes_between_calls"):
        run = run_loop(judge, run_agent, fixture, OWNER, next_step=_next_turns())
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_the_whole_history_each_time(judge: Judge, run_agent: Name) -> None:
    """Each request begins with the turns of the one before, then holds the reply to it, whole."""
    for fixture in ("notes_between_calls", "five_calls", "help_first"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        because = _("the API keeps nothing: what is not in this request, the model does not know")
        judge.case("", because=because, next_step=_next_turns())
        first, prompt = run.calls[0].request.get("messages"), run.conversation.scenario.prompt
        if not is_one_user_turn(first, prompt):
            judge.not_yet(
                expected=_("a first request of one user turn, {prompt}").format(prompt=shown(prompt)),
                found=described_turns(first),
                next_step=_("begin with a list of one dict: role user, content the prompt as you got it"),
            )
        for before, after in zip(run.calls, run.calls[1:], strict=False):
            kept, found = (placed_blocks(call.request["messages"]) for call in (before, after))
            expect_start(judge, after.number, found, kept, before.response)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def repeats_model_system_tools_and_max_tokens(judge: Judge, run_agent: Name) -> None:
    """The four fields are the same in every request: what the caller gave, or the default."""
    own: Json = {"system": f"You help {judge.samples.number()} shops.", "max_tokens": judge.samples.number(1000, 2000)}
    defaults: Json = {"model": MODEL, "system": SYSTEM, "max_tokens": 2048}
    for given in ({}, own):
        run = run_loop(judge, run_agent, "order_first", OWNER, **given)
        wanted = {**defaults, **given, "tools": run.conversation.scenario.tools}
        for call in run.calls:
            for field, value in wanted.items():
                _expect_field(judge, call.number, field, value, call.request.get(field))
        judge.returned(run_agent, run.outcome, may_return_none=True)


def runs_each_call_once_in_order(judge: Judge, run_agent: Name) -> None:
    """Every client call of every reply is run once, in the order of the reply, with its input."""
    for fixture in ("order_first", "help_first", "five_calls", "same_call_again"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        calls = [call for sent in run.calls for call in client_calls(sent.response)]
        wanted = [named_call(call["name"], call["input"]) for call in calls]
        found = [named_call(one.name, one.input) for one in run.conversation.tool_runs]
        judge.case(
            run.asked,
            because=_("the model decides which tool comes next, and with what input; a call may pay money"),
            next_step=_("give each reply to results_turn once, and name no tool in your loop"),
        )
        if found != wanted:
            differ = [n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]]
            place = differ[0] if differ else min(len(found), len(wanted))
            judge.not_yet(expected=_run_at(wanted, place), found=_run_at(found, place))
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_each_result_under_its_id(judge: Judge, run_agent: Name) -> None:
    """What a tool returned goes back under the id of the call that asked for it, and not as an error."""
    for fixture in ("parallel_calls", "five_calls", "same_call_again"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        unused = list(run.conversation.tool_runs)
        for before, after in zip(run.calls, run.calls[1:], strict=False):
            results = {block.get("tool_use_id"): block for block in results_in(after.request["messages"])}
            for call in client_calls(before.response):
                one = run_for(call, unused)
                judge.case(
                    named_call(call["name"], call["input"]),
                    expected=_("what its run returned: {text}").format(text=shown(one.result if one else None)),
                    because=_("the model reads a result as the answer to the call with that id"),
                    next_step=_("send the results just as results_turn made them for this reply"),
                )
                block = results.get(call["id"], {})
                if one is None:
                    judge.not_yet(found=_("no run of this call"))
                if is_error(block):
                    judge.not_yet(found=_("{text}, with is_error").format(text=shown(text_of_result(block))))
                if text_of_result(block) != one.result:
                    judge.not_yet(found=shown(text_of_result(block)))
        judge.returned(run_agent, run.outcome, may_return_none=True)


def goes_on_at_tool_use_and_ends_at_end_turn(judge: Judge, run_agent: Name) -> None:
    """Only the stop_reason ends a run, whatever the text says."""
    cases = (("misleading_texts", None), ("misleading_texts", PROMISE), ("notes_between_calls", None))
    for fixture, prompt in (*cases, ("order_first", None)):
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt)
        reason = run.last_reply.get("stop_reason")
        judge.returned(run_agent, run.outcome, may_return_none=True)
        judge.case(run.asked, expected=_("a run that ends when a reply has the stop_reason end_turn"))
        if reason != "end_turn":
            judge.not_yet(
                found=_("it ended after request {n}, with {reason} and the text {text}").format(
                    n=len(run.calls), reason=reason, text=shown(text_of_reply(run.last_reply))
                ),
                because=_("at tool_use the model waits for results; a text says nothing about that"),
                next_step=_("decide by message.stop_reason alone whether another request follows"),
            )


def returns_the_text_of_the_last_reply(judge: Judge, run_agent: Name) -> None:
    """All text blocks of the last reply, none of the replies before it, and "" when there is no text."""
    for fixture in ("notes_between_calls", "parallel_calls", "one_call", "nothing_to_add"):
        run = run_loop(judge, run_agent, fixture, OWNER)
        expect_last_text(judge, run_agent, run, _("texts before a call are notes on the way, not the answer"))


def plays_a_long_case_to_its_end(judge: Judge, run_agent: Name) -> None:
    """With the default max_steps a run of fourteen requests ends with its answer."""
    next_step = _("end the run at end_turn, and leave the default of max_steps at 20")
    run = run_loop(judge, run_agent, "long_case", OWNER, next_step=next_step)
    expect_last_text(judge, run_agent, run, _("how many requests a case takes, nobody knows beforehand"), next_step)


def raises_at_any_other_stop_reason(judge: Judge, run_agent: Name) -> None:
    """Neither end_turn nor tool_use: RuntimeError that names the value; nothing is run or sent any more."""
    fixtures = ("one_pause", "refused_at_once", "cut_at_every_size", "window_full", "stops_at_sequence")
    for fixture in (*fixtures, "unknown_stop_reason"):
        expected = _("RuntimeError at the first stop_reason that is neither tool_use nor end_turn")
        run = run_loop(judge, run_agent, fixture, OWNER, expected=expected, tolerant=True)
        reasons = [call.response.get("stop_reason") for call in run.calls]
        place = next((n for n, reason in enumerate(reasons) if reason not in ("tool_use", "end_turn", None)), None)
        if place is None:
            expect_replies(judge, run_agent, run, OWNER)
            judge.returned(run_agent, run.outcome, may_return_none=True)
        last = len(reasons) - 1 if place is None else place
        judge.case(
            _("a reply that ends with {reason}").format(reason=reasons[last]),
            expected=_("RuntimeError with that word in its text, no tool run, no further request"),
            because=_("your loop does not know yet what to do there, and a silent wrong answer is worse than an error"),
            next_step=_("after the branches for end_turn and tool_use, raise RuntimeError with the stop_reason"),
        )
        _expect_stop(judge, run, last)


def gives_the_history_back(judge: Judge, trace: Name) -> None:
    """The text is JSON, and reading it gives the history, equal in every part."""
    for what, messages in _histories(judge):
        judge.case(
            what,
            expected=_("a text from which json.loads makes the same list"),
            because=_("a trace from which one character is missing cannot be played again"),
            next_step=_("look for the function of the json module that is the reverse of json.loads"),
        )
        text = judge.call(trace, messages, may_return_none=True)
        if not isinstance(text, str):
            judge.not_yet(found=shown(text), next_step=_("return the text"))
        try:
            found = json.loads(text)
        except ValueError:
            judge.not_yet(found=_("{text}, which is not JSON").format(text=shown(text)))
        if found != messages:
            judge.not_yet(found=shown(found))


def diagnoses_the_first_loop(judge: Judge, ts_diagnosis: Name) -> None:
    """Which rule loop A breaks."""
    _expect_diagnosis(judge, ts_diagnosis, "A")


def diagnoses_the_second_loop(judge: Judge, ts_diagnosis: Name) -> None:
    """Which rule loop B breaks."""
    _expect_diagnosis(judge, ts_diagnosis, "B")


def diagnoses_the_third_loop(judge: Judge, ts_diagnosis: Name) -> None:
    """Which rule loop C breaks."""
    _expect_diagnosis(judge, ts_diagnosis, "C")


def _next_turns() -> str:
    return _("after each reply, append assistant_turn(message), then the turn with its results; change nothing before")


def _run_at(runs: list[str], place: int) -> str:
    if place >= len(runs):
        return _("no run no. {n}").format(n=place + 1)
    return _("as run no. {n}: {call}").format(n=place + 1, call=runs[place])


def _expect_field(judge: Judge, number: int, field: str, wanted: Any, found: Any) -> None:
    if field == "system" or field == "tools":
        same = [normalised(block) for block in as_blocks(found)] == [normalised(block) for block in as_blocks(wanted)]
    else:
        same = found == wanted
    if not same:
        judge.not_yet(
            expected=_("request {number} with the {field} {value}").format(
                number=number, field=field, value=shown(wanted)
            ),
            found=shown(found),
            because=_("the API keeps nothing of an earlier request, neither system nor tools"),
            next_step=_("pass model=MODEL and the parameters system, tools and max_tokens to every create"),
        )


def _expect_stop(judge: Judge, run: LoopRun, last: int) -> None:
    """RuntimeError that names the stop_reason of reply `last`, and nothing done after that reply."""
    outcome, reason = run.outcome, str(run.calls[last].response.get("stop_reason"))
    if len(run.calls) > last + 1:
        judge.not_yet(found=_("one more request"))
    before = sum(len(client_calls(call.response)) for call in run.calls[:last])
    for one in run.conversation.tool_runs[before:]:
        judge.not_yet(found=_("a run of {call}").format(call=named_call(one.name, one.input)))
    if outcome.error is None:
        judge.not_yet(found=_("no error; it returned {value}").format(value=shown(outcome.value)))
    if "RuntimeError" not in outcome.error.class_names or reason not in outcome.error.text:
        judge.not_yet(found=shown(outcome.error))


def _histories(judge: Judge) -> list[tuple[str, list[Json]]]:
    make = judge.samples
    call = make.tool_use()
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": [make.text("42 \u20ac\n")], "is_error": True}
    deep = {**make.tool_use(), "input": {"items": [1, 2.5, None, True, {"a": []}], "text": 'a "quoted" \\ text'}}
    asked = {"role": "user", "content": make.sentence()}
    answered = {"role": "assistant", "content": [make.thinking(), make.text(make.sentence()), call]}
    long_text = {"role": "user", "content": make.sentence() * 200}
    return [
        (_("a history of one question"), [asked]),
        (_("a history with thinking, a call and a result"), [asked, answered, {"role": "user", "content": [result]}]),
        (_("a call whose input holds lists, numbers and None"), [asked, {"role": "assistant", "content": [deep]}]),
        (_("a question of many lines"), [long_text]),
        (_("an empty history"), []),
    ]


def _expect_diagnosis(judge: Judge, ts_diagnosis: Name, loop: str) -> None:
    found = judge.value(ts_diagnosis)
    rule = found.get(loop) if isinstance(found, dict) else None
    judge.case(
        _("loop {loop}").format(loop=loop),
        expected=_("the name of the rule that it breaks"),
        next_step=_("play the loop by hand on a reply with two calls, and on a run of a hundred requests"),
    )
    if not isinstance(found, dict):
        judge.not_yet(expected=_("a dict with the keys A, B and C"), found=shown(found), next_step=_("keep the dict"))
    if rule not in RULES:
        judge.not_yet(found=shown(rule), next_step=_("use one of: {rules}").format(rules=", ".join(RULES)))
    if rule != DIAGNOSES[loop]:
        judge.not_yet(found=_("{rule}, which this loop keeps").format(rule=shown(rule)))
