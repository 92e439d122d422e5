"""The checks of `history_faults`: what the learner's list says of drawn histories, against what the double says.

They stand apart from the other checks of lesson 04, which lists them among its own.
"""

from __future__ import annotations

from autograder.checks import histories as plan
from autograder.checks.feedback import shown
from autograder.checks.histories import Histories, Turns, judged, named_by_the_api, said
from autograder.checks.judge import Judge, Name
from autograder.checks.player import ErrorReport
from autograder.given import Fault
from autograder.language import _
from autograder.messages_api.merging import merged

Round = tuple[tuple[int, ...], int, plan.Plant, str]
"""Calls in each round, the round that a fault is planted in, the fault, and what it is in words."""


def finds_no_fault_where_there_is_none(judge: Judge, history_faults: Name) -> None:
    """A history that the API accepts has no fault."""
    draw = Histories(judge.samples)
    cases = [
        (draw.sound(0), _("a history without calls")),
        (draw.sound(1), _("a history with one call")),
        (draw.sound(3), _("a history with three calls in one turn")),
        (draw.sound(1, 2, 0, 1), _("a history of several rounds")),
        (draw.sound(2, 3, split=True), _("turns that are given in several messages of one role")),
        (draw.sound(2, 0, 1, 4, split=True), _("a longer history in several messages of one role")),
    ]
    for messages, what in cases:
        _expect_faults(judge, history_faults, messages, what)


def finds_unanswered_calls(judge: Judge, history_faults: Name) -> None:
    """A call needs its result at the head of the next turn."""
    _expect_planted(
        judge,
        history_faults,
        ((2,), 0, plan.one_result_missing, _("a turn with one of two results")),
        ((1, 3, 1), 1, plan.one_result_missing, _("a turn with two of three results")),
        ((1, 1), 0, plan.text_instead, _("a turn in which the user speaks, and answers no call")),
        ((2, 1), 0, plan.text_first, _("a text before the results")),
        ((1, 3), 1, plan.text_between, _("a text between the results")),
        ((1, 2), 1, plan.open_end, _("a history that ends with the calls")),
    )


def finds_unexpected_results(judge: Judge, history_faults: Name) -> None:
    """A result needs its call in the turn before."""
    _expect_planted(
        judge,
        history_faults,
        ((1,), 0, plan.result_without_call, _("a result for an id that no call has")),
        ((2, 0, 1), 0, plan.result_without_call, _("a result too many in the first round")),
        ((1, 1), 0, plan.answered_again_later, _("a result for a call of an earlier round, which has one already")),
        ((1, 2), 0, plan.beginning_lost, _("a history that begins with a result")),
        ((2, 1), 1, plan.assistant_turn_lost, _("results without the assistant turn that made the calls")),
    )
    early = Histories(judge.samples).planted(1, 1, plants={1: plan.answered_beforehand})
    what = _("a result in the first turn, for the call in the last one")
    _expect_faults(judge, history_faults, early, what, at_least=True)


def finds_second_results(judge: Judge, history_faults: Name) -> None:
    """One call has one result."""
    _expect_planted(
        judge,
        history_faults,
        ((1,), 0, plan.answered_twice, _("a call with two results")),
        ((1, 3), 1, plan.answered_twice, _("three calls, one of them with two results")),
    )


def finds_repeated_ids(judge: Judge, history_faults: Name) -> None:
    """Two calls of one turn have two ids."""
    _expect_planted(
        judge,
        history_faults,
        ((1,), 0, plan.asked_twice, _("a turn with two calls with the same id, and one result")),
        ((1, 2), 1, plan.asked_twice, _("three calls, two of them with the same id")),
    )


def names_the_fault_that_the_api_names(judge: Judge, history_faults: Name) -> None:
    """With several faults, the one that the API complains about is in the list."""
    draw = Histories(judge.samples)
    cases: list[tuple[Turns, str]] = [
        (draw.planted(2, 1, plants={0: plan.answered_late}), _("a result that comes one round too late")),
        (draw.planted(2, plants={0: plan.wrong_id}), _("two calls and two results, one of them with another id")),
        (
            draw.planted(1, 2, 2, plants={1: plan.answered_twice, 2: plan.one_result_missing}),
            _("a second result, and later a missing one"),
        ),
        (
            draw.planted(2, 2, 1, plants={0: plan.text_first, 1: plan.asked_twice}, split=True),
            _("a text before the results, and later a repeated id"),
        ),
        (
            draw.planted(1, 2, 3, plants={0: plan.result_without_call, 2: plan.text_between}, split=True),
            _("a result too many, and later a text between results"),
        ),
    ]
    for messages, what in cases:
        _expect_faults(judge, history_faults, messages, what, at_least=True)


def _expect_planted(judge: Judge, history_faults: Name, *rounds: Round) -> None:
    """One fault in each history: the list holds what the API names, and nothing else."""
    draw = Histories(judge.samples)
    for split in (False, True):
        for calls, at, plant, what in rounds:
            words = _("{what}; turns in several messages").format(what=what) if split else what
            _expect_faults(judge, history_faults, draw.planted(*calls, plants={at: plant}, split=split), words)


def _expect_faults(judge: Judge, history_faults: Name, messages: Turns, what: str, *, at_least: bool = False) -> None:
    wanted = named_by_the_api(messages)
    expected = _in_words(wanted)
    judge.case(
        what,
        expected=_("a list that holds {faults}").format(faults=expected) if at_least else expected,
        because=_("this is what the API says about the history in the table"),
        next_step=_("compare merged(messages) turn by turn: ids, and only the turn before or after"),
        evidence=messages,
    )
    outcome = judge.attempt(history_faults, messages)
    if outcome.error is not None:
        judge.advise(_mending(outcome.error))
    found = judge.returned(history_faults, outcome)
    if not isinstance(found, list) or not all(isinstance(one, Fault) for one in found):
        judge.not_yet(expected=_("a list of Fault"), found=shown(found), next_step=_("return a list; append a Fault"))
    keys, needed = sorted(map(repr, found)), sorted(map(repr, wanted))
    if (keys != needed and not at_least) or not set(needed) <= set(keys):
        judge.advise(_nearer(found, wanted, messages))
        judge.not_yet(found=_in_words(found), the_api=said(judged(messages)) or _("200, the history is accepted"))


def _mending(error: ErrorReport) -> str:
    """Say what mends an exception that reading a history brings up, "" for any other."""
    if error.name == "IndexError":
        return _("the last turn has no next turn, and the first has none before")
    if "string indices" in error.text or "'str' object" in error.text:
        return _("content can be a string: begin with merged(messages), which makes it a list of blocks")
    if error.name == "KeyError":
        return _("ask for the type of a block before you read its id: calls have id, results have tool_use_id")
    return ""


def _nearer(found: list[Fault], wanted: list[Fault], messages: Turns) -> str:
    """Say what mends the difference where it shows which mistake it is, "" where it does not."""
    if set(map(repr, found)) == set(map(repr, wanted)):
        return _("you list a fault twice: one Fault for each rule and id, however many blocks break it")
    if {repr((one.kind, one.id)) for one in found} == {repr((one.kind, one.id)) for one in wanted}:
        return _("message is the index of a turn in merged(messages); the task says of which turn")
    missed = [one for one in wanted if one not in found]
    if any(one.kind == "unexpected" and one.message == 0 for one in missed):
        return _("the first turn has no turn before it, so its results have no calls; turns[-1] is the last turn")
    if any(one.kind == "unanswered" and one.id in _answers_after(messages, one.message) for one in missed):
        return _("read the head of the next turn only: stop at the first block that is no result")
    return ""


def _answers_after(messages: Turns, turn: int) -> list[str]:
    """Return the ids that the turn after this one answers, wherever in it."""
    return [
        result["tool_use_id"]
        for after in merged(messages)[turn + 1 : turn + 2]
        for result in after.of_type("tool_result")
    ]


def _in_words(faults: list[Fault]) -> str:
    return "; ".join(
        _("{kind} in turn {turn}: {id}").format(kind=one.kind, turn=one.message, id=one.id) for one in faults
    ) or _("no fault")
