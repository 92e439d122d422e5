"""A table bug x conversation: each known bug is given away, in the original and under every seed.

A bug is given away when the API refuses, when another answer or another status comes out, when other tools run, when
the loop sends another number of requests or counts other tokens, when it dies, or when the double notes an altered
history.
"""

from __future__ import annotations

import pytest

from tests.messages_api import bugs_in_endings as endings
from tests.messages_api import bugs_in_turns as turns
from tests.messages_api.loops import Loop, Run
from tests.messages_api.worlds import conversation, world

SEEDS = ["", "a", "b", "c"]

# bug, how it is given away, the scenario and the exchange that a right loop would meet
TABLE: list[tuple[type[Loop], str, str, str]] = [
    (turns.FirstCallOnly, "refused", "parallel_calls", "answers"),
    (turns.FirstCallOnly, "refused", "five_calls", "answers"),
    (turns.DropsTheAssistantTurn, "refused", "one_call", "answers"),
    (turns.KeepsTextOnly, "refused", "one_call", "answers"),
    (turns.KeepsTextOnly, "refused", "notes_between_calls", "answers"),
    (turns.KeepsCallsOnly, "altered", "notes_between_calls", "answers"),
    (turns.DropsThinking, "altered", "one_call", "answers"),
    (turns.DropsThinking, "altered", "long_case", "answers"),
    (turns.SendsTheWholeMessage, "refused", "one_call", "answers"),
    (turns.RebuildsIds, "refused", "one_call", "answers"),
    (turns.EchoesBlankText, "refused", "blank_text", "answers"),
    (turns.ResendsTheLastTurnOnly, "refused", "order_first", "answers"),
    (turns.ForgetsTheQuestion, "altered", "order_first", "answers"),
    (turns.TextBeforeResults, "refused", "one_call", "answers"),
    (turns.TextAfterResults, "result", "empty_after_results", "answers"),
    (turns.TextAfterResults, "refused", "mixed_turn", "answers"),
    (turns.AnswersTwice, "refused", "parallel_calls", "answers"),
    (turns.AnswersBetweenTurns, "refused", "parallel_calls", "answers"),
    (turns.AnswersServerCalls, "refused", "mixed_turn", "answers"),
    (turns.StopsAtTheFirstText, "result", "notes_between_calls", "answers"),
    (turns.StopsAtTheFirstText, "tools", "misleading_texts", "is_done"),
    (turns.StopsAtTheFirstText, "result", "two_pauses", "answers"),
    (turns.StopsAtTheWordDone, "tools", "misleading_texts", "is_done"),
    (turns.StopsAfterTenRequests, "result", "long_case", "answers"),
    (turns.CollectsAllText, "result", "notes_between_calls", "answers"),
    (turns.FixesTheOrderOfTools, "tools", "help_first", "answers"),
    (turns.FixesTheOrderOfTools, "tools", "five_calls", "answers"),
    (turns.DecidesByBlocks, "tools", "cut_call", "answers"),
    (turns.DecidesByBlocks, "tools", "cut_second_call", "answers"),
    (turns.DecidesByBlocks, "tools", "cut_stream", "breaks_off"),
    (turns.AnythingElseIsTools, "refused", "cut_text", "third_part"),
    (turns.AnythingElseIsTools, "refused", "one_pause", "answers"),
    (turns.BelievesToolUse, "refused", "tool_use_without_call", "calls_nothing"),
    (turns.AnythingElseIsDone, "result", "unknown_stop_reason", "hands_over"),
    (turns.AnythingElseIsDone, "result", "window_full", "fills_the_window"),
    (turns.AnythingElseIsDone, "result", "refused_midway", "breaks_off"),
    (turns.AnythingElseIsDone, "result", "refused_at_once", "refuses"),
    (turns.AnythingElseIsDone, "result", "tool_use_without_call", "calls_nothing"),
    (turns.KnowsFourReasons, "died", "unknown_stop_reason", "hands_over"),
    (turns.KnowsFourReasons, "died", "stops_at_sequence", "stops"),
    (turns.KnowsFourReasons, "died", "window_full", "fills_the_window"),
    (turns.ReadsTheFirstBlock, "died", "first_answer", "greets"),
    (turns.ReadsTheFirstBlock, "died", "nothing_to_add", "says_nothing"),
    (turns.ReadsTheFirstBlock, "died", "empty_reply", "says_nothing"),
    (turns.ReadsTheFirstBlock, "result", "blank_ending", "is_blank"),
    (turns.ReadsTheFirstBlock, "result", "parallel_calls", "answers"),
    (turns.ReadsTheFirstBlock, "died", "web_search_answer", "searches"),
    (turns.LetsToolErrorsRise, "died", "wrong_order_id", "answers"),
    (turns.LetsToolErrorsRise, "died", "unknown_tool", "answers"),
    (turns.HidesToolErrors, "result", "wrong_order_id", "answers"),
    (turns.HidesToolErrors, "result", "unknown_tool", "answers"),
    (turns.HidesToolErrors, "tools", "refund_over_limit", "waits"),
    (turns.HidesToolErrors, "tools", "refund_without_identity", "answers"),
    (turns.ReportsAnEmptyError, "refused", "wrong_order_id", "answers"),
    (turns.TakesTextForAnError, "result", "empty_search", "found_nothing"),
    (turns.WritesOnAfterAFailure, "tools", "refund_fails", "stopped_in_time"),
    (endings.PauseIsTheEnd, "result", "one_pause", "answers"),
    (endings.PauseIsTheEnd, "result", "pauses_between_calls", "answers"),
    (endings.SaysContinue, "refused", "one_pause", "answers"),
    (endings.SaysContinue, "refused", "two_pauses", "answers"),
    (endings.MakesUpAServerResult, "refused", "one_pause", "answers"),
    (endings.ReplacesPartialContent, "refused", "two_pauses", "answers"),
    (endings.RetriesAPauseAsItWas, "died", "one_pause", "answers"),
    (endings.ResumesWithoutTools, "refused", "one_pause", "answers"),
    (endings.PausesInAll, "result", "pauses_between_calls", "answers"),
    (endings.RunsACutCall, "tools", "cut_call", "answers"),
    (endings.RunsACutCall, "tools", "cut_twice", "answers"),
    (endings.RunsTheWholeCallsOfACutTurn, "tools", "cut_second_call", "answers"),
    (endings.AppendsACutTurn, "refused", "cut_call", "answers"),
    (endings.SameBudgetAgain, "died", "cut_call", "answers"),
    (endings.SameBudgetAgain, "died", "thinking_used_everything", "answers"),
    (endings.SameBudgetAgain, "died", "cut_at_every_size", "cut"),
    (endings.CutIsTheEnd, "result", "cut_call", "answers"),
    (endings.CutIsTheEnd, "result", "thinking_used_everything", "answers"),
    (endings.PrefillsACutText, "refused", "cut_text", "third_part"),
    (endings.LosesTheFirstHalf, "result", "cut_text", "third_part"),
    (endings.StripsTheParts, "result", "cut_text", "third_part"),
    (endings.RetriesARefusal, "requests", "refused_at_once", "refuses"),
    (endings.RetriesARefusal, "requests", "refused_midway", "breaks_off"),
    (endings.SendsTheEmptyTurnBack, "refused or died", "nothing_to_add", "says_nothing"),
    (endings.SendsTheEmptyTurnBack, "refused", "blank_ending", "is_blank"),
    (endings.CountsTheLastReplyOnly, "usage", "order_first", "answers"),
    (endings.CountsTheLastReplyOnly, "usage", "cut_twice", "answers"),
    (endings.ParsesEveryFragment, "died", "no_arguments", "answers"),
    (endings.ParsesEveryFragment, "died", "stream_breaks_off", "ends_in_a_call"),
    (endings.SwallowsErrorEvents, "result", "stream_error", "overloaded"),
    (endings.SwallowsErrorEvents, "result", "stream_breaks_off", "ends_in_a_text"),
    (endings.RunsACallOfABrokenStream, "tools", "stream_breaks_off", "ends_in_a_call"),
    (endings.NeverRetries, "result", "busy_in_mid_run", "answers"),
    *[
        (endings.NeverRetries, "result", "failures", aim)
        for aim in ("slow", "crowded", "busy", "hiccup", "upstream", "dropped", "timeout", "one_after_another")
    ],
    *[
        (endings.RetriesEverything, "requests", "failures", aim)
        for aim in ("broken", "too_large_for_the_limit", "spent", "too_large", "unpaid", "forbidden")
    ],
    (endings.RetriesWhatIsJson, "result", "failures", "upstream"),
    (endings.RetriesWhatIsJson, "result", "failures", "dropped"),
]


def signs(run: Run, right: Run) -> set[str]:
    """How a run differs from the right one."""
    found = {
        "refused": run.status.startswith("failed: 4") and run.status != right.status,
        "result": (run.status, run.text) != (right.status, right.text),
        "tools": run.ran != right.ran,
        "requests": run.requests != right.requests,
        "usage": run.usage != right.usage,
        "altered": run.notes != right.notes,
    }
    return {sign for sign, there in found.items() if there}


def given_away(bug: type[Loop], name: str, aim: str, seed: str) -> set[str]:
    """The signs by which a bug shows in one world; "died" when it raises."""
    scenario = conversation(name, seed)
    stream = bug is endings.ParsesEveryFragment
    right, wrong = (world(scenario, aim, TimeoutError(), stream=stream) for _ in range(2))
    expected = Loop(right).run()
    assert right.answered[-1][0] == aim
    try:
        return signs(bug(wrong).run(), expected)
    except (RuntimeError, TimeoutError, KeyError, IndexError, ValueError):
        return {"died"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("bug", "sign", "name", "aim"), TABLE, ids=lambda value: getattr(value, "__name__", value))
def test_the_bug_is_given_away(bug: type[Loop], sign: str, name: str, aim: str, seed: str) -> None:
    assert given_away(bug, name, aim, seed) & set(sign.split(" or "))


def test_every_bug_has_a_row() -> None:
    known = {
        value for value in (vars(turns) | vars(endings)).values() if isinstance(value, type) and issubclass(value, Loop)
    }
    assert known - {Loop} == {bug for bug, *_ in TABLE}


def test_the_right_loop_has_no_sign() -> None:
    for _, _, name, aim in TABLE:
        for seed in SEEDS:
            assert given_away(Loop, name, aim, seed) == set()
