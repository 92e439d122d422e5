"""What a check has in its hands, tried on functions of our own."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.checks.judge import Judge, Name
from autograder.checks.player import InProcessPlayer
from autograder.checks.transcript import Conversation
from autograder.checks.values import CLIENT, RUN_TOOL
from autograder.errors import CheckFailed
from autograder.messages_api.composition import failing_calls, way_to_the_end
from autograder.messages_api.scenario import load

RUN = Name("run")


def judge_of(function: Any, title: str = "a property", seed: str = "") -> Judge:
    return Judge(InProcessPlayer({"run": function}), title, seed)


def text_of(judge: Judge, *arguments: Any) -> str:
    with pytest.raises(CheckFailed) as failed:
        judge.call(RUN, *arguments)
    return " ".join(str(failed.value).split())


def refused(client: Any) -> None:
    turns = [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}]}]
    client.messages.create(model="claude-sonnet-5-5", max_tokens=9, messages=turns)


def test_tools_run_and_are_written_down() -> None:
    judge = judge_of(lambda run_tool: [run_tool("get_order", {"n": 1}), run_tool("get_order", {"n": 1})])
    conversation = judge.conversation("first_answer")
    first, second = judge.call(RUN, RUN_TOOL)
    assert first != second
    assert [(run.name, run.input, run.result) for run in conversation.tool_runs] == [
        ("get_order", {"n": 1}, first),
        ("get_order", {"n": 1}, second),
    ]


def test_a_failing_tool_is_written_down_too() -> None:
    judge = judge_of(lambda run_tool: run_tool("slow", {}))
    conversation = judge.conversation("first_answer")

    def fail(name: str, tool_input: Any) -> str:
        raise TimeoutError(name)

    conversation.tool = fail
    assert "run raised TimeoutError: slow" in text_of(judge, RUN_TOOL)
    assert isinstance(conversation.tool_runs[0].error, TimeoutError)


def test_the_checks_own_texts_vary_with_the_scenario() -> None:
    plain = judge_of(len).conversation("first_answer")
    varied = judge_of(len, seed="a class").conversation("first_answer")
    assert plain.apply(plain.scenario.prompt) == plain.scenario.prompt
    assert varied.scenario.prompt != plain.scenario.prompt
    assert varied.apply(plain.scenario.prompt) == varied.scenario.prompt


def test_a_refusal_is_told_with_the_words_of_the_api() -> None:
    judge = judge_of(refused)
    judge.conversation("first_answer")
    assert "the API 400 invalid_request_error: messages.0.content.0: unexpected `tool_use_id`" in text_of(judge, CLIENT)


def test_a_refusal_is_told_by_one_check_only() -> None:
    owner, other = judge_of(refused, "is accepted"), judge_of(refused, "another property")
    for judge in (owner, other):
        judge.conversation("first_answer")
        judge.refusals_belong_to("is_accepted", "is accepted")
    assert "unexpected `tool_use_id`" in text_of(owner, CLIENT)
    assert text_of(other, CLIENT) == (
        "Not yet: another property found not reached: the API refused a request; see check.is_accepted "
        "try let check.is_accepted pass first"
    )


def test_a_request_that_no_recording_answers_is_not_called_a_refusal_of_the_api() -> None:
    def other_turns(client: Any) -> None:
        turns = [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "r"},
        ]
        client.messages.create(model="claude-sonnet-5-5", max_tokens=9, messages=turns)

    judge = judge_of(other_turns)
    judge.conversation("first_answer")
    text = text_of(judge, CLIENT)
    assert "a request that no recorded exchange answers: 3 turns: user 'q'; assistant 'a'; user 'r'" in text
    assert "the API" not in text


def test_the_case_in_hand_fills_what_a_failure_does_not_say() -> None:
    judge = judge_of(lambda: 1 / 0)
    judge.case("a case", expected="a value", because="a reason", next_step="a step")
    assert text_of(judge) == (
        "Not yet: a property expected for a case: a value found run raised ZeroDivisionError: division by zero "
        f"{line_of_the_lambda()} because a reason try a step"
    )


def line_of_the_lambda() -> str:
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "judge_of(lambda: 1 / 0)" in line)
    return f"line {number}: {lines[number - 1].strip()}"


@pytest.mark.parametrize(("advice", "said"), [("a nearer step", "try a nearer step"), ("", "try a step")])
def test_advice_takes_the_place_of_what_the_case_says_to_try(advice: str, said: str) -> None:
    judge = judge_of(lambda: [][0])
    judge.case("a case", expected="a value", next_step="a step")
    judge.advise(advice)
    text = text_of(judge)
    assert "expected for a case: a value" in text
    assert text.endswith(said)


@pytest.mark.parametrize(("found", "expected"), [(True, 1), (1.0, 1), ("1", 1), ([1], (1,))])
def test_a_value_of_another_type_is_not_equal(found: Any, expected: Any) -> None:
    with pytest.raises(CheckFailed):
        judge_of(len).equal(found, expected)


def value_text_of(value: Any) -> str:
    with pytest.raises(CheckFailed) as failed:
        judge_of(value).value(RUN)
    return " ".join(str(failed.value).split())


@pytest.mark.parametrize("value", [..., [...], (..., ...), {...}, {1: ..., 2: ...}, {1: [...]}], ids=repr)
def test_dots_are_a_value_that_is_not_written_yet(value: Any) -> None:
    assert "found run is not written yet try write your value in place of the dots" in value_text_of(value)


@pytest.mark.parametrize("value", [[], {}, None, 0, {1: ..., 2: "x"}], ids=repr)
def test_any_other_value_is_handed_to_the_check(value: Any) -> None:
    assert repr(judge_of(value).value(RUN)) == repr(value)


def test_a_value_that_is_not_there_is_told() -> None:
    with pytest.raises(CheckFailed, match="there is no run yet"):
        Judge(InProcessPlayer({}), "a property").value(RUN)


def test_a_function_that_came_back_is_called_by_the_name_of_the_task() -> None:
    judge = judge_of(lambda: lambda n: 1 / n)
    made = judge.function_from(RUN, judge.call(RUN), "the function that run returns")
    assert judge.call(made, 2) == 0.5
    with pytest.raises(CheckFailed, match="the function that run returns raised ZeroDivisionError"):
        judge.call(made, 0)


def test_what_came_back_instead_of_a_function_is_told() -> None:
    judge = judge_of(lambda: "no function")
    with pytest.raises(CheckFailed, match="run returned 'no function'"):
        judge.function_from(RUN, judge.call(RUN), "made")


def loop(client: Any, prompt: str, tools: list[Any], run_tool: Any) -> str:
    """A right loop of lesson 06."""
    turns: list[Any] = [{"role": "user", "content": prompt}]
    while True:
        reply = client.messages.create(model="claude-sonnet-5-5", max_tokens=2048, tools=tools, messages=turns)
        if reply.stop_reason != "tool_use":
            return "".join(block.text for block in reply.content if block.type == "text")
        results = [result_of(block, run_tool) for block in reply.content if block.type == "tool_use"]
        kept = [block for block in reply.content if block.type != "text" or block.text.strip()]
        turns += [{"role": "assistant", "content": kept}, {"role": "user", "content": results}]


def result_of(block: Any, run_tool: Any) -> Any:
    result = {"type": "tool_result", "tool_use_id": block.id}
    try:
        return result | {"content": run_tool(block.name, block.input)}
    except Exception as error:
        return result | {"content": str(error) or type(error).__name__, "is_error": True}


def ended(conversation: Any) -> str:
    message = way_to_the_end(conversation.scenario)[-1].message or {}
    return "".join(block["text"] for block in message["content"] if block["type"] == "text")


@pytest.mark.parametrize("seed", ["", "a class", "another class"])
def test_a_right_loop_plays_a_fresh_conversation_to_its_end(seed: str) -> None:
    judge = judge_of(loop, seed=seed)
    for traits in (None, ["tool_failure", "parallel"], ["write_failure"], ["many_turns", "busy"]):
        conversation = judge.fresh(traits, lesson=6)
        scenario = conversation.scenario
        assert judge.call(RUN, CLIENT, scenario.prompt, scenario.tools, RUN_TOOL) == ended(conversation)
        assert scenario.transcript.notes == []
        failed = [(run.name, run.input) for run in conversation.tool_runs if run.error]
        assert failed == [(block["name"], block["input"]) for block in failing_calls(scenario)]


def test_a_fresh_conversation_is_fixed_in_a_notebook_and_another_for_each_class_check_and_turn() -> None:
    def composed(title: str, seed: str, count: int = 1) -> str:
        judge = judge_of(len, title, seed)
        return [judge.fresh(["parallel"]).scenario.model_dump_json() for _ in range(count)][-1]

    assert composed("a property", "") == composed("a property", "")
    others = [("a property", ""), ("a property", "a class"), ("another", ""), ("a property", "", 2)]
    assert len({composed(*each) for each in others}) == 4  # type: ignore[arg-type]


def test_a_loop_that_forgets_errors_gets_another_ending_from_a_fresh_conversation() -> None:
    def forgets(client: Any, prompt: str, tools: list[Any], run_tool: Any) -> str:
        def without_errors(name: str, tool_input: Any) -> str:
            try:
                return str(run_tool(name, tool_input))
            except Exception:
                return ""

        return loop(client, prompt, tools, without_errors)

    judge = judge_of(forgets)
    conversation = judge.fresh(["tool_failure"])
    scenario = conversation.scenario
    assert judge.call(RUN, CLIENT, scenario.prompt, scenario.tools, RUN_TOOL) != ended(conversation)
    assert conversation.unrecorded is None


def test_a_conversation_of_the_check_itself_is_played_and_shown_as_evidence() -> None:
    judge = judge_of(refused)
    made = Conversation(load("first_answer"))
    assert judge.play(made) is made
    with pytest.raises(CheckFailed) as failed:
        judge.call(RUN, CLIENT)
    assert failed.value.feedback.evidence is made.calls


@pytest.mark.parametrize("may_be_stopped", [True, False])
def test_a_call_without_an_end_is_an_outcome_only_where_the_check_says_so(may_be_stopped: bool) -> None:
    def endless(run_tool: Any) -> None:
        while True:
            run_tool("get_order", {})

    judge = judge_of(endless)
    judge.conversation("first_answer")
    if may_be_stopped:
        assert judge.attempt(RUN, RUN_TOOL, may_be_stopped=True).kind == "stopped"
        return
    with pytest.raises(CheckFailed, match="did not come to an end"):
        judge.attempt(RUN, RUN_TOOL)
