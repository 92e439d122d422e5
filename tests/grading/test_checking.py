"""`course check` runs a lesson and tells what each check says. A kernel takes a second, so runs are shared."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.checks.feedback import Feedback
from autograder.course import GradeCell
from autograder.errors import GradingError
from autograder.grading import checking
from autograder.grading.playing import Played, Verdict, play, read_outputs
from autograder.grading.reports import say_rows
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


def test_rows_that_several_checks_share_are_told_once_and_wrapped_lines_are_indented(
    learner: Learner, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(learner, [failed("one", *STUB), failed("two", *STUB)], capsys) == [
        "Exercise 01.1: double(number)",
        "  not yet   one",
        "  not yet   two",
        "    found     double is not written yet",
        "    try       replace the line that raises NotImplementedError, and run that",
        "              cell",
    ]


def test_each_failed_check_has_a_block_of_its_own(learner: Learner, capsys: pytest.CaptureFixture[str]) -> None:
    other = ("  expected  2", "  found     3")
    assert shown(learner, [failed("one", *other), failed("two", *STUB[:1])], capsys)[1:] == [
        "  not yet   one",
        "    expected  2",
        "    found     3",
        "  not yet   two",
        "    found     double is not written yet",
    ]


def test_rows_that_were_told_further_up_are_pointed_to(learner: Learner, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = [failed("one", *STUB[:1]), Verdict(title="two"), failed("three", *STUB[:1])]
    assert shown(learner, verdicts, capsys)[1:] == [
        "  not yet   one",
        "    found     double is not written yet",
        "  passed    two",
        "  not yet   three",
        "    as above",
    ]


def test_a_check_is_called_by_the_words_of_the_lesson(learner: Learner, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"check-counts-none-as-zero": "counts_none_as_zero", "check-my-own": None}
    checks = tuple(GradeCell(grade_id, 1, "", check=name) for grade_id, name in names.items())
    exercise = replace(learner.course.read("01_double").exercises[0], checks=checks)
    checking._show(exercise, Played({"check-counts-none-as-zero": Verdict("NameError: no")}))
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  not yet   counts None as zero: NameError: no",
        "  not run   my own",
    ]


def test_what_was_wrapped_is_wrapped_again_and_paragraphs_stay(capsys: pytest.CaptureFixture[str]) -> None:
    feedback = Feedback(title="x", found="one two three four five " * 9 + "end\nA new line.", because="so\n\nit is")
    say_rows(feedback.text().splitlines()[2:], indent=2)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 76
    again = Feedback(title="x", found=" ".join(line[14:] for line in lines[:-4])).found
    assert again == ("one two three four five " * 9 + "end").strip()
    assert lines[-4:] == [" " * 14 + "A new line.", "    because   so", "", " " * 14 + "it is"]
    assert all(len(line) > 60 for line in lines[:-5])


@pytest.mark.parametrize("length", range(1, 30))
def test_a_sentence_is_told_again_whatever_its_line_breaks_were(
    length: int, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = f"{'x' * length} " + "and so on to the end of a line " * 5 + "y" * 100
    say_rows(Feedback(title="x", found=sentence).text().splitlines()[2:], indent=2)
    lines = capsys.readouterr().out.splitlines()
    words = [line[14:].strip() for line in lines]
    assert "".join(words).replace(" ", "") == sentence.replace(" ", "")
    assert max(map(len, lines)) <= 78
    full = [line for line in lines if "y" not in line]
    assert min(map(len, full[:-1])) > 76 - len(" another")


STUB = (
    "  found     double is not written yet",
    "  try       replace the line that raises NotImplementedError, and run that",
    "            cell",
)


def failed(title: str, *rows: str) -> Verdict:
    return Verdict(f"Not yet: {title}", title, rows)


def shown(learner: Learner, verdicts: list[Verdict], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is printed for an exercise whose checks came to `verdicts`, without the blank line before it."""
    checks = tuple(GradeCell(str(number), 1, "") for number in range(len(verdicts)))
    exercise = replace(learner.course.read("01_double").exercises[0], checks=checks)
    checking._show(exercise, Played({check.grade_id: v for check, v in zip(checks, verdicts, strict=True)}))
    return capsys.readouterr().out.splitlines()[1:]


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
    with pytest.raises(GradingError, match=r"no work/01_double\.ipynb yet\. Run:\n  course start"):
        learner.run(checking, "01")


@pytest.mark.parametrize(
    ("outputs", "verdict"),
    [
        pytest.param([], Verdict(), id="nothing"),
        pytest.param([{"output_type": "stream", "name": "stdout", "text": "ok"}], Verdict(), id="a print"),
        pytest.param(
            [error("CheckFailed", NOT_YET)],
            Verdict("Not yet: answers every call", "answers every call", tuple(NOT_YET.splitlines()[2:])),
            id="not yet, with rows",
        ),
        pytest.param(
            [error("CheckFailed", "Not yet: x\n\n  found  y")],
            Verdict("Not yet: x", "x", ("  found  y",)),
            id="one row",
        ),
        pytest.param(
            [{"output_type": "display_data", "data": {"text/html": "", "text/plain": "Passed: counts None as zero"}}],
            Verdict(title="counts None as zero"),
            id="passed",
        ),
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
