"""Lesson 05, agent_loop: the loop, its cap, and the history it leaves."""

from __future__ import annotations

import json

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.lessons.lesson_05_cap import PROMISE
from autograder.checks.loop_properties import (
    expect_fields,
    expect_history,
    expect_last_text,
    expect_no_early_end,
    expect_results,
    expect_runs,
    expect_stop,
    next_turns,
)
from autograder.checks.loop_runs import (
    Json,
    Owner,
    expect_replies,
    fresh_where,
    in_an_order_of_its_own,
    run_loop,
    says_nothing_at_the_end,
    sources,
)
from autograder.checks.transcript import Conversation
from autograder.given import MODEL, SYSTEM
from autograder.language import _
from autograder.messages_api.scenario import from_json

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

HISTORY = "sends_the_whole_history_each_time"
OWNER = Owner(
    "sends_only_what_the_api_accepts",
    TITLES["sends_only_what_the_api_accepts"],
    endless=HISTORY,
    endless_title=TITLES[HISTORY],
)
RULES = ("order", "verbatim", "pairing", "history", "branch", "cap")
DIAGNOSES = {
    "A": ("cap", _("play the loop by hand on a run of a hundred requests")),
    "B": ("verbatim", _("play the loop by hand on a reply that begins with a thinking block")),
    "C": ("branch", _("play the loop by hand on a reply without a call that ends with max_tokens")),
}


def sends_only_what_the_api_accepts(judge: Judge, run_agent: Name) -> None:
    """Every request gets a reply: after one call, several calls, a call without arguments, a blank text."""
    for fixture in ("one_call", "parallel_calls", "no_arguments", "blank_text", "notes_between_calls"):
        run = run_loop(judge, run_agent, fixture, OWNER, next_step=next_turns())
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_the_whole_history_each_time(judge: Judge, run_agent: Name) -> None:
    """Each request begins with the turns of the one before, then holds the reply to it, whole, and its results."""
    prompt = f"{judge.samples.sentence()}\n"
    for source in sources(
        *("notes_between_calls", "five_calls", "help_first"),
        lambda: judge.fresh(("preamble", "thinking", "parallel"), prompt=prompt),
    ):
        run = run_loop(judge, run_agent, source, OWNER)
        expect_history(judge, run)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def repeats_model_system_tools_and_max_tokens(judge: Judge, run_agent: Name) -> None:
    """The four fields are the same in every request: what the caller gave, or the default."""
    own: Json = {"system": f"You help {judge.samples.number()} shops.", "max_tokens": judge.samples.number(1000, 2000)}
    defaults: Json = {"model": MODEL, "system": SYSTEM, "max_tokens": 2048}
    for given in ({}, own):
        run = run_loop(judge, run_agent, "order_first", OWNER, **given)
        expect_fields(judge, run, {**defaults, **given, "tools": run.conversation.scenario.tools})
        judge.returned(run_agent, run.outcome, may_return_none=True)


def runs_each_call_once_in_order(judge: Judge, run_agent: Name) -> None:
    """Every client call of every reply is run once, in the order of the reply, with its input, whatever its name."""
    for source in sources(
        *("order_first", "help_first", "five_calls", "same_call_again", "no_arguments"),
        lambda: fresh_where(judge, in_an_order_of_its_own, ("parallel", "renamed_tools")),
    ):
        run = run_loop(judge, run_agent, source, OWNER)
        expect_runs(judge, run)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def sends_each_result_under_its_id(judge: Judge, run_agent: Name) -> None:
    """What a tool returned goes back under the id of the call that asked for it, and not as an error."""
    for source in sources(
        *("parallel_calls", "five_calls", "same_call_again"), lambda: _with_odd_results(judge.fresh(("parallel",)))
    ):
        run = run_loop(judge, run_agent, source, OWNER)
        expect_results(judge, run)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def goes_on_at_tool_use_and_ends_at_end_turn(judge: Judge, run_agent: Name) -> None:
    """Only the stop_reason ends a run, whatever the text says."""
    cases = (("misleading_texts", None), ("misleading_texts", PROMISE), ("notes_between_calls", None))
    for fixture, prompt in (*cases, ("order_first", None)):
        run = run_loop(judge, run_agent, fixture, OWNER, prompt=prompt)
        expect_no_early_end(judge, run)
        judge.returned(run_agent, run.outcome, may_return_none=True)


def returns_the_text_of_the_last_reply(judge: Judge, run_agent: Name) -> None:
    """All text blocks of the last reply, none of the replies before it, and "" when there is no text."""
    for source in sources(
        *("notes_between_calls", "parallel_calls", "one_call", "nothing_to_add"),
        lambda: fresh_where(judge, says_nothing_at_the_end, ("preamble", "empty_ending")),
    ):
        run = run_loop(judge, run_agent, source, OWNER)
        expect_last_text(judge, run_agent, run)


def plays_a_long_case_to_its_end(judge: Judge, run_agent: Name) -> None:
    """With the default max_steps a run of fourteen requests ends with its answer."""
    next_step = _("end the run at end_turn, and leave the default of max_steps at 20")
    run = run_loop(judge, run_agent, "long_case", OWNER, next_step=next_step)
    expect_last_text(judge, run_agent, run, next_step)


def raises_at_any_other_stop_reason(judge: Judge, run_agent: Name) -> None:
    """Neither end_turn nor tool_use: RuntimeError that names the value; nothing is run or sent any more."""
    for source in sources(
        *("one_pause", "refused_at_once", "cut_at_every_size", "window_full", "stops_at_sequence"),
        lambda: _with_reason(judge, "compaction"),
        lambda: judge.fresh(("unknown_reason",)),
    ):
        expected = _("RuntimeError at the first stop_reason that is neither tool_use nor end_turn")
        run = run_loop(judge, run_agent, source, OWNER, expected=expected, tolerant=True)
        reasons = [call.response.get("stop_reason") for call in run.calls]
        place = next((n for n, reason in enumerate(reasons) if reason not in ("tool_use", "end_turn", None)), None)
        if place is None:
            expect_replies(judge, run_agent, run, OWNER)
            judge.returned(run_agent, run.outcome, may_return_none=True)
        expect_stop(judge, run, len(reasons) - 1 if place is None else place)


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


def _with_odd_results(conversation: Conversation) -> Conversation:
    """The conversation, with results that are long, begin with the word error, and end in line breaks."""
    plain = conversation.tool
    conversation.tool = lambda name, tool_input: f"  error log: empty\n{plain(name, tool_input)}{' and more' * 300}\n\n"
    return conversation


def _with_reason(judge: Judge, reason: str) -> Conversation:
    """A conversation that ends with this stop_reason."""
    data = judge.scenario("unknown_stop_reason").model_dump(mode="json", exclude_unset=True)
    data["exchanges"][-1]["response"]["body"]["stop_reason"] = reason
    return judge.play(Conversation(from_json(data)))


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
    broken, next_step = DIAGNOSES[loop]
    judge.case(
        _("loop {loop}").format(loop=loop), expected=_("the name of the rule that it breaks"), next_step=next_step
    )
    if not isinstance(found, dict):
        judge.not_yet(expected=_("a dict with the keys A, B and C"), found=shown(found), next_step=_("keep the dict"))
    if rule not in RULES:
        judge.not_yet(found=shown(rule), next_step=_("use one of: {rules}").format(rules=", ".join(RULES)))
    if rule != broken:
        judge.not_yet(found=_("{rule}, which this loop keeps").format(rule=shown(rule)))
