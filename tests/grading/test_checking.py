"""`course check` runs a lesson and tells what each check says. A kernel takes a second, so runs are shared."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.errors import GradingError
from autograder.grading import checking
from autograder.grading.playing import Played, Verdict, play, read_outputs
from tests.grading.conftest import Learner, Said, code_cell

NOT_YET = """Not yet: answers every call

  expected  one tool_result for each tool_use of the assistant turn
  found     message 3 answers toolu_01B...; toolu_01A... (get_order) has
            no answer
  the API   400 invalid_request_error: messages.1: `tool_use` ids were found
  because   the model cannot go on while a call it made is open
  try       loop over every block of the reply,
            not the first one"""


def error(name: str, text: str) -> dict[str, object]:
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": []}


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> tuple[Learner, Said, bytes]:
    learner = Learner(tmp_path_factory.mktemp("half"))
    learner.start()
    learner.answer("01_double", "double", "def double(number):\n    return 2.0 * number")
    learner.edit("01_double", lambda cells: cells.insert(5, code_cell("mine", "no_such_name + 1")))
    before = learner.work("01_double").read_bytes()
    return learner, learner.run(checking, "01", "02"), before


def test_each_check_is_told_by_exercise_and_the_exit_code_says_not_yet(half: tuple[Learner, Said, bytes]) -> None:
    said = half[1]
    assert said.code == 1
    assert "\nExercise 01.1: double(number)\n  passed    doubles a number\n  not yet   keeps text apart: " in said.text
    assert "1 check of 2 is not there yet." in said.text


def test_a_check_failed_is_told_without_its_first_words_twice(half: tuple[Learner, Said, bytes]) -> None:
    assert "\nExercise 02.1: total(numbers)\n  not yet   adds up the doubles\n" in half[1].text


def test_another_cell_that_failed_is_named(half: tuple[Learner, Said, bytes]) -> None:
    assert "NameError: name 'no_such_name' is not defined\n  in the cell that begins: no_such_name + 1" in half[1].text


def test_a_stub_that_later_cells_call_is_not_named_as_a_reason(half: tuple[Learner, Said, bytes]) -> None:
    assert "NotImplementedError" not in half[1].text


def test_the_learners_file_and_folder_stay_as_they_are(half: tuple[Learner, Said, bytes]) -> None:
    learner, _said, before = half
    assert learner.work("01_double").read_bytes() == before
    assert sorted(path.name for path in learner.course.work.iterdir()) == ["01_double.ipynb", "02_total.ipynb"]
    assert not learner.course.gradebook.exists()


def test_a_solved_lesson_passes_with_exit_code_0(learner: Learner) -> None:
    learner.start("02_total")
    learner.answer("02_total", "total")
    said = learner.run(checking, "02")
    assert said.code == 0
    assert "  passed    adds up the doubles\n" in said.text
    assert "Every check passes. For the score: course grade 02" in said.text


def test_advice_that_several_checks_share_is_given_once_and_wrapped_lines_are_indented(
    learner: Learner, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "write the answer " * 6
    verdicts = {name: Verdict("Not yet: x", long) for name in ("check-doubles-a-number", "check-keeps-text-apart")}
    checking._show(learner.course.read("01_double").exercises[0], Played(verdicts))
    lines = capsys.readouterr().out.splitlines()
    starts = [line[:12] for line in lines]
    assert starts == ["", "Exercise 01.", "  not yet   ", "  not yet   ", "     try    ", " " * 12]
    assert max(map(len, lines)) <= 76


def test_a_dead_process_is_told_and_later_checks_are_not_run(learner: Learner) -> None:
    learner.start("01_double")
    learner.answer("01_double", "double", "def double(number):\n    import os; os._exit(1)")
    said = learner.run(checking, "01")
    assert said.code == 1
    assert "A cell ended the Python process" in said.text
    assert "  not run   keeps text apart" in said.text


def test_a_kernel_stands_in_the_folder_and_is_not_in_graded_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    source = "import os\nraise KeyError(os.getcwd(), os.environ.get('NBGRADER_EXECUTION'))"
    cells = [code_cell("look", source, grade=True, locked=True, points=1)]
    played = play({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, tmp_path)
    assert played.verdicts == {"look": Verdict(f"KeyError: ('{os.fspath(tmp_path)}', None)")}


def test_a_lesson_that_was_not_started_is_named(learner: Learner) -> None:
    with pytest.raises(GradingError, match=r"no work/01_double\.ipynb yet\. Run: course start"):
        learner.run(checking, "01")


@pytest.mark.parametrize(
    ("outputs", "verdict"),
    [
        pytest.param([], Verdict(), id="nothing"),
        pytest.param([{"output_type": "stream", "name": "stdout", "text": "ok"}], Verdict(), id="a print"),
        pytest.param(
            [error("CheckFailed", NOT_YET)],
            Verdict("Not yet: answers every call", "loop over every block of the reply, not the first one"),
            id="not yet, with advice over two lines",
        ),
        pytest.param([error("CheckFailed", "Not yet: x\n\n  found  y")], Verdict("Not yet: x"), id="no advice"),
        pytest.param([error("AssertionError", "")], Verdict("AssertionError: "), id="an assert"),
        pytest.param(
            [{"output_type": "stream", "name": "stdout", "text": "a"}, error("TypeError", "two\nlines")],
            Verdict("TypeError: two"),
            id="an error after a print",
        ),
    ],
)
def test_outputs_are_read_for_what_they_say(outputs: list[dict[str, object]], verdict: Verdict) -> None:
    assert read_outputs(outputs) == verdict
