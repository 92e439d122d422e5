"""Lesson 02, stop_reason: branch on the only signal."""

from __future__ import annotations

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.samples import CATEGORIES, Samples, refusal_details
from autograder.checks.values import SdkObject
from autograder.language import _

TITLES = {
    "names_a_step_for_every_stop_reason": _("names a step for every stop_reason"),
    "decides_by_stop_reason_alone": _("decides by stop_reason alone"),
    "calls_new_values_unknown": _("calls new values unknown"),
    "names_the_stop_reason_in_one_line": _("names the stop_reason in one line"),
    "tells_what_each_ending_adds": _("tells what each ending adds"),
    "reads_details_only_where_they_exist": _("reads details only where they exist"),
}

STEPS = {
    "end_turn": "finish",
    "stop_sequence": "finish",
    "tool_use": "run_tools",
    "pause_turn": "resume",
    "compaction": "resume",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
}
STOP_SEQUENCES = ("END", "\n\nCustomer:", "it's over", "###")


def names_a_step_for_every_stop_reason(judge: Judge, next_step: Name) -> None:
    """Each of the eight values has its step."""
    for stop_reason in STEPS:
        _expect_step(judge, next_step, typical(judge.samples, stop_reason), _("each value asks for its own next step"))


def decides_by_stop_reason_alone(judge: Judge, next_step: Name) -> None:
    """Neither the text nor the blocks decide."""
    make = judge.samples
    cases = [
        make.message(make.text("Done. Final answer: it was sent."), make.tool_use(), stop_reason="tool_use"),
        make.message(make.text("Let me check that order first."), stop_reason="end_turn"),
        make.message(stop_reason="end_turn"),
        make.message(make.text(), make.tool_use(), stop_reason="max_tokens"),
        make.message(make.text(), stop_reason="max_tokens"),
        make.message(make.text("I cannot help with that."), stop_reason="end_turn"),
        make.message(make.text(), *make.server_call()[:1], stop_reason="pause_turn"),
        make.message(make.text("Done."), stop_reason="refusal", stop_details=refusal_details(make.category())),
        make.message(make.text(), stop_reason="tool_use"),
        make.message(make.tool_use(), stop_reason="end_turn"),
        make.message(make.text(), stop_reason="pause_turn"),
        make.message(make.tool_use(), make.server_call()[0], stop_reason="pause_turn"),
        make.message(make.text(), stop_reason="refusal", stop_details=None),
        make.message(stop_reason="model_context_window_exceeded"),
        make.message(stop_reason="max_tokens"),
        make.message(make.text(), stop_reason="stop_sequence", stop_sequence=f"--{make.number()}--"),
        make.message(stop_reason="stop_sequence", stop_sequence="END"),
    ]
    because = _("the model words its endings freely; stop_reason is the one field that is made for this decision")
    for message in cases:
        _expect_step(judge, next_step, message, because)


def calls_new_values_unknown(judge: Judge, next_step: Name) -> None:
    """A value that nobody knows yet, and None, are "unknown"."""
    make = judge.samples
    new = _("the API may add a value at any time; a loop that takes it for the end loses work in silence")
    unfinished = _("without a stop_reason the reply is not complete: its stream still runs, or broke off")
    values = (f"new_reason_{make.number()}", "end_turn_early", "tool_use_v2", "pause", "max_output", "finish", "")
    cases = [make.message(make.text(), stop_reason=value) for value in values]
    cases += [make.message(stop_reason=values[0]), make.message(make.tool_use(), stop_reason=values[0])]
    cases += [make.message(*blocks, stop_reason=None) for blocks in ([make.text()], [make.tool_use()], [])]
    for message in cases:
        because = unfinished if message.json["stop_reason"] is None else new
        next_step_to_try = _("give all other values one last branch, or the look-up a default")
        judge.case(_what(message), expected=shown("unknown"), because=because, next_step=next_step_to_try)
        judge.equal(judge.call(next_step, message, may_return_none=True), "unknown")


def names_the_stop_reason_in_one_line(judge: Judge, ending: Name) -> None:
    """The line holds the stop_reason, whatever it is."""
    make = judge.samples
    for stop_reason in (*STEPS, f"new_reason_{make.number()}", None):
        message = typical(make, stop_reason)
        _expect_part(
            judge,
            ending,
            message,
            str(stop_reason),
            because=_("whoever reads the log needs the API's own word for it"),
            next_step=_("begin the line with message.stop_reason as text: None becomes the word None"),
        )


def tells_what_each_ending_adds(judge: Judge, ending: Name) -> None:
    """stop_sequence: which one; refusal: its category; max_tokens: what was cut; and no detail of another ending."""
    make = judge.samples
    whole, cut = make.tool_use("open_case"), make.tool_use("check_stock")
    category = make.category()
    others = tuple(name for name in (*CATEGORIES, _no_category()) if name != category)
    names = (whole["name"], cut["name"])
    cases: list[tuple[SdkObject, str, tuple[str, ...]]] = [
        *((_stopped(make, sequence), repr(sequence), (_no_category(),)) for sequence in STOP_SEQUENCES),
        (_refused(make, category), category, others),
        (_refused(make, f"area_{make.number()}_"), "area_", (*CATEGORIES, _no_category())),
        (_refused(make, None), _no_category(), CATEGORIES),
        (make.message(make.text(), whole, cut, stop_reason="max_tokens"), cut["name"], (whole["name"],)),
        (make.message(make.thinking(), make.text(), stop_reason="max_tokens"), "text", ("thinking",)),
        (make.message(whole, make.text(), stop_reason="max_tokens"), "text", names),
        (make.message(make.text(), make.thinking(), stop_reason="max_tokens"), "thinking", names),
        (make.message(make.thinking(), stop_reason="max_tokens"), "thinking", (*names, _no_category())),
    ]
    because = _("what to do next depends on this detail")
    next_step = _("read repr of stop_sequence, stop_details or the last block, each for its own stop_reason")
    for message, part, absent in cases:
        line = _expect_part(judge, ending, message, part, because=because, next_step=next_step)
        for other in absent:
            if other in line:
                judge.not_yet(found=_("{line}, which also names {other}").format(line=shown(line), other=shown(other)))


def reads_details_only_where_they_exist(judge: Judge, ending: Name) -> None:
    """stop_details and stop_sequence are null for other reasons, and content may be empty."""
    make = judge.samples
    reasons = (
        "end_turn",
        "tool_use",
        "pause_turn",
        "model_context_window_exceeded",
        f"new_reason_{make.number()}",
        None,
    )
    messages = [make.message(stop_reason=reason) for reason in reasons]
    messages.append(make.message(stop_reason="refusal", stop_details=None))
    for message in messages:
        _expect_part(
            judge,
            ending,
            message,
            _no_category() if message.json["stop_reason"] == "refusal" else str(message.json["stop_reason"]),
            because=_("stop_details, stop_sequence and content may be empty"),
            next_step=_("look at the stop_reason first, then read only what belongs to it"),
        )


def typical(make: Samples, stop_reason: str | None) -> SdkObject:
    """Return a message as the API sends it with this stop_reason."""
    if stop_reason == "tool_use":
        return make.message(make.thinking(), make.tool_use(), stop_reason=stop_reason)
    if stop_reason == "pause_turn":
        return make.message(make.server_call()[0], stop_reason=stop_reason)
    if stop_reason == "refusal":
        return _refused(make, make.category())
    if stop_reason == "stop_sequence":
        return make.message(make.text(), stop_reason=stop_reason, stop_sequence="END")
    return make.message(make.text(), stop_reason=stop_reason)


def _stopped(make: Samples, sequence: str) -> SdkObject:
    return make.message(make.text(), stop_reason="stop_sequence", stop_sequence=sequence)


def _refused(make: Samples, category: str | None) -> SdkObject:
    return make.message(stop_reason="refusal", stop_details=refusal_details(category))


def _no_category() -> str:
    return "no category"  # part of the task's answer, the same in every language


def _expect_step(judge: Judge, next_step: Name, message: SdkObject, because: str) -> None:
    wanted = STEPS[message.json["stop_reason"]]
    judge.case(
        _what(message),
        expected=shown(wanted),
        because=because,
        next_step=_("compare message.stop_reason with the values of the table; read nothing else"),
    )
    judge.equal(judge.call(next_step, message), wanted)


def _expect_part(judge: Judge, ending: Name, message: SdkObject, part: str, *, because: str, next_step: str) -> str:
    expected = _("a line that contains {part}").format(part=shown(part))
    judge.case(_what(message), expected=expected, because=because, next_step=next_step)
    line = judge.call(ending, message, may_return_none=True)
    if not isinstance(line, str):
        judge.not_yet(
            found=_("{value}, which is no text").format(value=shown(line)),
            next_step=_("let every path through ending end with `return` and a line of text"),
        )
    if len(line.splitlines()) > 1:
        judge.not_yet(
            expected=_("one line"),
            found=shown(line),
            because=_("one ending is one line of the log, also when a stop sequence holds a line break"),
            next_step=_("return text without a line break; repr() writes one as \\n"),
        )
    if part not in line:
        judge.not_yet(found=shown(line))
    return line


def _what(message: SdkObject) -> str:
    blocks = ", ".join(block["type"] for block in message.json["content"]) or _("no content")
    what = _("stop_reason {value} with {blocks}").format(value=shown(message.json["stop_reason"]), blocks=blocks)
    texts = [block["text"] for block in message.json["content"] if block["type"] == "text"]
    return _("{what}; its text {text}").format(what=what, text=shown(texts[0])) if texts else what
