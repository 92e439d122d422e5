"""What a run of a loop has to have, one function for each property: the checks of lesson 05 and later are made of them.

Each says "not yet" about the run in hand and shows the first place that differs. None of them looks at how the run
ended, except those that say so.
"""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.loop_runs import (
    Json,
    LoopRun,
    Placed,
    client_calls,
    is_error,
    named_block,
    named_call,
    placed_blocks,
    placed_reply,
    results_in,
    run_for,
    text_of_reply,
    text_of_result,
)
from autograder.checks.transcript import described_turns, is_one_user_turn
from autograder.checks.values import SdkObject
from autograder.language import _, ngettext
from autograder.messages_api.normal import as_blocks, normalised


def next_turns() -> str:
    """What to try where the history is not right."""
    return _("after each reply, append assistant_turn(message), then the turn with its results; change nothing before")


def expect_history(judge: Judge, run: LoopRun) -> None:
    """Each request begins with the turns of the one before, then holds the reply to it, whole, and its results only."""
    because = _("the API keeps nothing: what is not in this request, the model does not know")
    judge.case("", because=because, next_step=next_turns())
    first, prompt = run.calls[0].request.get("messages"), run.conversation.scenario.prompt
    if not is_one_user_turn(first, prompt):
        judge.not_yet(
            expected=_("a first request of one user turn, {prompt}").format(prompt=shown(prompt)),
            found=described_turns(first),
            next_step=_("begin with a list of one dict: role user, content the prompt as you got it"),
        )
    for before, after in zip(run.calls, run.calls[1:], strict=False):
        kept, found = (placed_blocks(call.request["messages"]) for call in (before, after))
        wanted = [*kept, *placed_reply(before.response)]
        _expect_start(judge, after.number, found, wanted)
        for added in found[len(wanted) :]:
            if added[1].get("type") != "tool_result":
                judge.not_yet(
                    expected=_("in request {number}, after the reply, its results and nothing else").format(
                        number=after.number
                    ),
                    found=named_block(added),
                    because=_("a text after results looks like a new request of the customer"),
                )


def _expect_start(judge: Judge, number: int, found: list[Placed], wanted: list[Placed]) -> None:
    place = first_difference(found, wanted)
    if place is None:
        return
    judge.not_yet(
        expected=_("in request {number}, block {place} of the history: {block}").format(
            number=number, place=place + 1, block=named_block(wanted[place])
        ),
        found=_found_at(found, wanted, place),
    )


def first_difference(found: list[Placed], wanted: list[Placed]) -> int | None:
    """Return the first place at which `found` does not go on as `wanted` does, or None."""
    differ = (n for n, block in enumerate(wanted) if n >= len(found) or found[n] != block)
    return next(differ, None)


def _found_at(found: list[Placed], wanted: list[Placed], place: int) -> str:
    if place >= len(found):
        return _("the history ends before it")
    said = named_block(found[place])
    return _("{block}, with other content").format(block=said) if said == named_block(wanted[place]) else said


def expect_fields(judge: Judge, run: LoopRun, wanted: Json) -> None:
    """Every request has these fields, and none takes the choice of a tool from the model."""
    for call in run.calls:
        for field, value in wanted.items():
            _expect_field(judge, call.number, field, value, call.request.get(field))
        choice = call.request.get("tool_choice") or {"type": "auto"}
        if choice.get("type") != "auto":
            judge.not_yet(
                expected=_("request {number} without tool_choice").format(number=call.number),
                found=shown(choice),
                because=_("the model decides whether it calls a tool, and which"),
                next_step=_("leave tool_choice out"),
            )


def _expect_field(judge: Judge, number: int, field: str, wanted: Any, found: Any) -> None:
    if field in ("system", "tools"):
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


def expect_runs(judge: Judge, run: LoopRun) -> None:
    """Every call of every reply is run once, in the order of the replies, with its input."""
    calls = [call for sent in run.calls for call in client_calls(sent.response)]
    wanted = [named_call(call["name"], call["input"]) for call in calls]
    found = [named_call(one.name, one.input) for one in run.conversation.tool_runs]
    judge.case(
        run.asked,
        because=_("the model decides which tool comes next, and with what input; a call may pay money"),
        next_step=_("give each reply to results_turn once, and name no tool in your loop"),
    )
    if found == wanted:
        return
    differ = [n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]]
    place = differ[0] if differ else min(len(found), len(wanted))
    again = found[place] if place < len(found) else ""
    if 0 < wanted.count(again) < found.count(again):
        called = wanted.count(again)
        judge.not_yet(
            expected=ngettext("one run for one call", "{n} runs for {n} calls", called).format(n=called),
            found=_("{call} was run {n} times").format(call=again, n=found.count(again)),
        )
    judge.not_yet(expected=_run_at(wanted, place), found=_run_at(found, place))


def _run_at(runs: list[str], place: int) -> str:
    if place >= len(runs):
        return _("no run no. {n}").format(n=place + 1)
    return _("as run no. {n}: {call}").format(n=place + 1, call=runs[place])


def expect_results(judge: Judge, run: LoopRun) -> None:
    """What each run gave stands in the next request under the id of its call, without is_error."""
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


def expect_no_early_end(judge: Judge, run: LoopRun) -> None:
    """The run did not return while the model waited for results."""
    if run.outcome.kind != "returned" or run.last_reply.get("stop_reason") != "tool_use":
        return
    text = text_of_reply(run.last_reply)
    said = _(", with the text {text}").format(text=shown(text)) if text else ""
    judge.not_yet(
        expected=_("a run that goes on until a reply has the stop_reason end_turn"),
        found=ngettext(
            "your loop stopped after {n} request, while the reply said tool_use",
            "your loop stopped after {n} requests, while the reply said tool_use",
            len(run.calls),
        ).format(n=len(run.calls))
        + said,
        because=_("at tool_use the model waits for results; no text and no number of rounds means that it is done"),
        next_step=_("let nothing but message.stop_reason decide whether another request follows"),
    )


def expect_last_text(judge: Judge, run_agent: Name, run: LoopRun, next_step: str = "") -> None:
    """The run returned the text of the reply that ends the scenario."""
    judge.case(run.asked, next_step=next_step or _("return final_text of the reply that ended the run"))
    expect_no_early_end(judge, run)
    exchanges = reversed(run.conversation.scenario.exchanges)
    end = next(e.message for e in exchanges if e.message and _ends(e.message, run))
    text, earlier = text_of_reply(end), [text_of_reply(call.response) for call in run.calls[:-1]]
    parts = [str(block["text"]) for block in as_blocks(end["content"]) if block.get("type") == "text"]
    judge.case(
        run.asked,
        expected=shown(text),
        because=_("the last reply has {n} text blocks").format(n=len(parts)) if len(parts) > 1 else "",
        next_step=next_step or _("return final_text of the reply that ended the run"),
    )
    value = judge.returned(run_agent, run.outcome)
    if isinstance(value, SdkObject):
        judge.not_yet(
            found=_("a {kind}, not its text").format(kind=value.type_name), because=_("the task asks for text")
        )
    if not text and value != text:
        judge.not_yet(found=shown(value), because=_("this last reply has no text"), next_step=_('return "" then'))
    if isinstance(value, str) and value != text and any(one and one in value for one in earlier):
        judge.not_yet(found=shown(value), because=_("texts before a call are notes on the way, not the answer"))
    judge.equal(value, text)


def _ends(message: Json, run: LoopRun) -> bool:
    """Whether this reply is the end of the scenario: the one that came, if one with end_turn came."""
    came = run.last_reply.get("id") if run.calls and run.last_reply.get("stop_reason") == "end_turn" else None
    return message.get("stop_reason") == "end_turn" and came in (None, message["id"])


def expect_stop(judge: Judge, run: LoopRun, last: int) -> None:
    """RuntimeError that names the stop_reason of reply `last`, and nothing done after that reply."""
    outcome, reason = run.outcome, str(run.calls[last].response.get("stop_reason"))
    judge.case(
        _("a reply that ends with {reason}").format(reason=reason),
        expected=_("RuntimeError with that word in its text, no tool run, no further request"),
        because=_("your loop does not know yet what to do there, and a silent wrong answer is worse than an error"),
        next_step=_("after the branches for end_turn and tool_use, raise RuntimeError with the stop_reason"),
    )
    if len(run.calls) > last + 1:
        judge.not_yet(found=_("one more request"))
    before = sum(len(client_calls(call.response)) for call in run.calls[:last])
    for one in run.conversation.tool_runs[before:]:
        judge.not_yet(found=_("a run of {call}").format(call=named_call(one.name, one.input)))
    if outcome.error is None:
        judge.not_yet(found=_("no error; it returned {value}").format(value=shown(outcome.value)))
    if "RuntimeError" not in outcome.error.class_names or reason not in outcome.error.text:
        judge.not_yet(found=shown(outcome.error))
