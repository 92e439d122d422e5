"""`check.NAME(...)` as a notebook calls it: in an IPython shell, and in a plain interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from autograder import check
from autograder.checks import namespace
from autograder.checks.namespace import Check
from autograder.errors import CheckFailed, CourseError

RIGHT = 'def final_text(message): return "".join(b.text for b in message.content if b.type == "text")'
CELL = "check.joins_text_blocks_in_order(final_text)"


@pytest.fixture
def shell() -> Iterator[Any]:
    shell = InteractiveShell.instance()
    shell.run_cell("from autograder import check")
    yield shell
    InteractiveShell.clear_instance()


def run(shell: Any, cell: str) -> tuple[Any, Any]:
    with capture_output() as captured:
        result = shell.run_cell(cell)
    return result, captured


def test_a_pass_displays_a_verdict_and_returns_nothing(shell: Any) -> None:
    run(shell, RIGHT)
    result, captured = run(shell, CELL)
    assert result.success
    assert result.result is None
    assert [out.data["text/plain"] for out in captured.outputs] == ["Passed: joins text blocks in order"]
    assert captured.stderr == ""


def test_a_failure_shows_its_text_and_no_traceback(shell: Any) -> None:
    run(shell, "def final_text(message): return message.content[0].text")
    result, captured = run(shell, CELL)
    assert isinstance(result.error_in_exec, CheckFailed)
    assert captured.stdout.startswith("Not yet: joins text blocks in order\n\n  expected ")
    assert "Traceback" not in captured.stdout
    assert captured.stderr == ""


def test_a_missing_name_is_told_before_python_does(shell: Any) -> None:
    result, captured = run(shell, CELL)
    assert isinstance(result.error_in_exec, CheckFailed)
    assert "found     there is no final_text yet" in captured.stdout


def test_a_builtin_is_no_missing_name(shell: Any) -> None:
    result, captured = run(shell, "check.joins_text_blocks_in_order(len)")
    assert isinstance(result.error_in_exec, CheckFailed)
    assert "there is no" not in captured.stdout


def test_outside_ipython_the_verdict_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(RIGHT, names)
    assert check.joins_text_blocks_in_order(names["final_text"]) is None
    assert capsys.readouterr().out == "Passed: joins text blocks in order\n"


def test_what_the_learner_printed_is_part_of_a_failure() -> None:
    def final_text(message: Any) -> str:
        print("looking at", len(message.content))
        return "?"

    with pytest.raises(CheckFailed, match=r"printed   looking at 1"):
        check.joins_text_blocks_in_order(final_text)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        pytest.param(lambda: "", "final_text() does not take the arguments of the task", id="arity"),
        pytest.param(lambda message: None, "final_text returned None", id="returned None"),
        pytest.param(lambda message: 1 / 0, "final_text raised ZeroDivisionError: division by zero", id="raised"),
        pytest.param("text", "final_text is not a function but 'text'", id="not a function"),
    ],
)
def test_each_common_fault_has_its_own_sentence(function: Any, sentence: str) -> None:
    with pytest.raises(CheckFailed) as failed:
        check.joins_text_blocks_in_order(function)
    assert sentence in " ".join(str(failed.value).split())


def test_an_unknown_check_names_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"did you mean check\.finds_every_client_call"):
        _ = check.finds_every_client_calls


def test_wrong_arguments_for_a_check_are_told_by_their_names() -> None:
    with pytest.raises(CourseError, match=r"check.sends_one_request is called with \(ask\)"):
        check.sends_one_request()


def test_names_are_unique_and_known_to_completion() -> None:
    assert set(check.names()) == set(dir(check))
    assert "sends_one_request" in check.names()


def test_a_graded_run_has_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setenv("AUTOGRADER_SEED", "s")
    assert namespace.seed_of_this_run() == ""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert namespace.seed_of_this_run() == "s"


def test_a_graded_run_without_a_seed_is_no_graded_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setenv("AUTOGRADER_SEED", "")
    with pytest.raises(CourseError, match="AUTOGRADER_SEED is not set"):
        check.joins_text_blocks_in_order(lambda message: "")


def test_every_check_has_a_title_and_takes_at_least_one_name() -> None:
    for name in check.names():
        found = getattr(check, name)
        assert isinstance(found, Check)
        assert found.title
        assert any(found.takes_name(parameter) for parameter in found.parameters)


def test_an_answer_that_holds_only_what_the_lesson_shows_fails_when_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def learn(message: Any) -> str:
        seen[message.id] = "".join(block.text for block in message.content if block.type == "text")
        return str(seen[message.id])

    def recall(message: Any) -> str:
        return str(seen.get(message.id, "?"))

    check.joins_text_blocks_in_order(learn)
    check.joins_text_blocks_in_order(recall)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setenv("AUTOGRADER_SEED", "a class")
    with pytest.raises(CheckFailed):
        check.joins_text_blocks_in_order(recall)
