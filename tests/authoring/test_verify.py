"""`course verify` on the toy course: sound as it is, and one finding for each thing that is broken on purpose."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from autograder.authoring import verify as verb
from autograder.authoring.finding import Finding
from autograder.authoring.verify import RULES, verify

FIRST, SECOND = "solutions/01_double/01_double.ipynb", "solutions/02_total/02_total.ipynb"
FIRST_RELEASE = "notebooks/01_double/01_double.ipynb"
RERUN = f"edit {FIRST}, then course tidy 01 --run"
AND_RELEASE = f"edit {FIRST}, then course release 01"

Break = Callable[[Any], object]


def unreadable_source(toy: Any) -> None:
    toy.path("01_double").write_text("{", encoding="utf-8")


def unreadable_release(toy: Any) -> None:
    toy.path("01_double", "notebooks").write_text("[]", encoding="utf-8")


def own_id(toy: Any) -> None:
    toy.edit_cell("01_double", "the-idea", id="64489c57")


def other_kernel(toy: Any) -> None:
    toy.edit("01_double", lambda notebook: notebook["metadata"]["kernelspec"].update(name="conda-env-py"))


def editor_metadata(toy: Any) -> None:
    toy.edit_cell("01_double", "the-idea", metadata={"collapsed": True})


def other_numbers(toy: Any) -> None:
    toy.edit_cell("01_double", "imports", execution_count=17)


def wide_indent(toy: Any) -> None:
    notebook = json.loads(toy.path("01_double").read_text(encoding="utf-8"))
    toy.path("01_double").write_text(json.dumps(notebook, indent=4), encoding="utf-8")


def windows_line_ends(toy: Any) -> None:
    path = toy.path("01_double")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def stale_given(toy: Any) -> None:
    toy.replace("01_double", "double", "Return the number, twice.", "Return twice the number.")


def given_of_nothing(toy: Any) -> None:
    toy.edit_cell("02_total", "given", metadata={"autograder": {"given": ["01_double/triple"]}})


def stored_output(toy: Any, output: dict[str, Any]) -> None:
    toy.edit_cell("01_double", "imports", outputs=[output])


def stored_traceback(toy: Any) -> None:
    stored_output(toy, {"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": []})


def stored_stderr(toy: Any) -> None:
    stored_output(toy, {"output_type": "stream", "name": "stderr", "text": "careful"})


def edited_release(toy: Any) -> None:
    toy.replace("01_double", "summary", "itself", "once more", home="notebooks")


def edited_picture(toy: Any) -> None:
    (toy.root / "notebooks/01_double/bars.svg").write_text("<svg/>", encoding="utf-8")


def open_solution(toy: Any) -> None:
    toy.replace("01_double", "double", "    ### END SOLUTION", "")


def empty_solution(toy: Any) -> None:
    toy.edit_cell("01_double", "double", source="def double(number):\n    ### BEGIN SOLUTION\n    ### END SOLUTION")


def check_never_run(toy: Any) -> None:
    toy.edit_cell("01_double", "check-doubles-a-number", outputs=[])


def shows(toy: Any, cell_id: str, **fields: Any) -> None:
    toy.edit_cell("01_double", cell_id, **fields)
    toy.release_again("01_double")


def answer_in_a_demo(toy: Any) -> None:
    shows(toy, "predict-then-run-1", source="both_of_them = (1, 2)\nprint(both_of_them[0]  +  both_of_them[1])")


def answer_in_prose(toy: Any) -> None:
    shows(toy, "summary", source="## Summary\n\nThe line is `return both_of_them[0] + both_of_them[1]`, in short.")


def answer_in_a_hint(toy: Any) -> None:
    notebook_hints = {"hints": ["both_of_them[0] + both_of_them[1]"]}
    marks = {
        "grade": False,
        "grade_id": "double",
        "locked": False,
        "schema_version": 3,
        "solution": True,
        "task": False,
    }
    shows(toy, "double", metadata={"autograder": notebook_hints, "nbgrader": marks})


def hidden_test(toy: Any) -> None:
    call = "check.doubles_a_number(double)\n### BEGIN HIDDEN TESTS\nassert double(2) == 4\n### END HIDDEN TESTS"
    toy.edit_cell("01_double", "check-doubles-a-number", source=call)


def solution_in_the_release(toy: Any) -> None:
    toy.edit_cell("01_double", "summary", home="notebooks", source="## Summary\n\n### END SOLUTION")


def gives_its_own_answer(toy: Any) -> None:
    toy.edit_cell(
        "01_double", "predict-then-run-1", id="given", metadata={"autograder": {"given": ["01_double/double"]}}
    )


def lesson_without_release(toy: Any) -> None:
    shutil.rmtree(toy.root / "notebooks/02_total")


def release_without_lesson(toy: Any) -> None:
    shutil.rmtree(toy.root / "solutions/02_total")


def stray_file(toy: Any) -> None:
    for home in ("solutions", "notebooks"):
        (toy.root / home / "01_double/old.svg").write_text("<svg/>", encoding="utf-8")


def stray_folder(toy: Any) -> None:
    (toy.root / "notebooks/drafts").mkdir()


def unnamed_scenario(toy: Any) -> None:
    (toy.root / "fixtures").mkdir()
    (toy.root / "fixtures/two_calls.json").write_text("{}", encoding="utf-8")


@pytest.mark.parametrize(
    ("break_it", "rule", "file", "cell", "says", "then"),
    [
        pytest.param(unreadable_source, "readable", FIRST, "", "cannot be read", f"edit {FIRST}", id="source"),
        pytest.param(unreadable_release, "readable", FIRST_RELEASE, "", "no cells", "course release 01", id="release"),
        pytest.param(own_id, "tidy", FIRST, "the-idea", "'64489c57'", "course tidy 01", id="id"),
        pytest.param(other_kernel, "tidy", FIRST, "", "metadata", "course tidy 01", id="kernel"),
        pytest.param(editor_metadata, "tidy", FIRST, "the-idea", "collapsed", "course tidy 01", id="cell-metadata"),
        pytest.param(other_numbers, "tidy", FIRST, "imports", "numbered", "course tidy 01", id="numbers"),
        pytest.param(wide_indent, "tidy", FIRST, "", "layout", "course tidy 01", id="indent"),
        pytest.param(windows_line_ends, "tidy", FIRST, "", "layout", "course tidy 01", id="line-ends"),
        pytest.param(stale_given, "tidy", SECOND, "given", "origin lesson", "course tidy 02", id="stale-given"),
        pytest.param(
            given_of_nothing,
            "tidy",
            SECOND,
            "given",
            "it has: double",
            f"edit {SECOND}, then course tidy 02 --run",
            id="given-of-nothing",
        ),
        pytest.param(stored_traceback, "tidy", FIRST, "imports", "KeyError", RERUN, id="traceback"),
        pytest.param(stored_stderr, "tidy", FIRST, "imports", "stderr", RERUN, id="stderr"),
        pytest.param(edited_release, "sync", FIRST_RELEASE, "summary", "not what", "course release 01", id="edited"),
        pytest.param(
            edited_picture, "sync", "notebooks/01_double/bars.svg", "", "not what", "course release 01", id="picture"
        ),
        pytest.param(open_solution, "sync", FIRST, "", "no end solution", f"edit {FIRST}", id="nbgrader-refuses"),
        pytest.param(empty_solution, "solved", FIRST, "double", "no code", f"edit {FIRST}", id="empty-solution"),
        pytest.param(
            check_never_run,
            "solved",
            FIRST,
            "check-doubles-a-number",
            "no stored verdict",
            "course tidy 01 --run",
            id="check-never-run",
        ),
        pytest.param(answer_in_a_demo, "leak", FIRST, "predict-then-run-1", "answer to double", AND_RELEASE, id="demo"),
        pytest.param(answer_in_prose, "leak", FIRST, "summary", "answer to double", AND_RELEASE, id="prose"),
        pytest.param(answer_in_a_hint, "leak", FIRST, "double", "answer to double", AND_RELEASE, id="hint"),
        pytest.param(
            hidden_test, "leak", FIRST, "check-doubles-a-number", "BEGIN HIDDEN TESTS", AND_RELEASE, id="hidden-test"
        ),
        pytest.param(
            solution_in_the_release, "leak", FIRST, "summary", "still holds END SOLUTION", AND_RELEASE, id="marker"
        ),
        pytest.param(gives_its_own_answer, "leak", FIRST, "given", "only earlier", AND_RELEASE, id="own-given"),
        pytest.param(
            lesson_without_release, "orphan", "solutions/02_total", "", "no release", "course release 02", id="lesson"
        ),
        pytest.param(
            release_without_lesson,
            "orphan",
            "notebooks/02_total",
            "",
            "no source",
            "git rm -r notebooks/02_total",
            id="orphaned-release",
        ),
        pytest.param(
            stray_file,
            "orphan",
            "solutions/01_double/old.svg",
            "",
            "does not name it",
            "git rm solutions/01_double/old.svg",
            id="stray-file",
        ),
        pytest.param(
            stray_folder,
            "orphan",
            "notebooks/drafts",
            "",
            "not a lesson",
            "git rm -r notebooks/drafts",
            id="stray-folder",
        ),
        pytest.param(
            unnamed_scenario,
            "orphan",
            "fixtures/two_calls.json",
            "",
            "no lesson, test or check",
            "git rm fixtures/two_calls.json",
            id="unnamed-scenario",
        ),
    ],
)
def test_what_is_broken_is_named_with_its_place_its_rule_and_the_next_step(
    toy: Any, break_it: Break, rule: str, file: str, cell: str, says: str, then: str
) -> None:
    break_it(toy)
    findings = verify(toy.course, execute=False)
    found = [finding for finding in findings if finding.rule == rule and finding.file == file and finding.cell == cell]
    assert [(says in finding.problem, finding.next) for finding in found] == [(True, then)], findings


@pytest.mark.parametrize(
    "use_it",
    [
        pytest.param('replay("two_calls")', id="lesson"),
        pytest.param("replay('two_calls.json')", id="with-ending"),
    ],
)
def test_a_scenario_that_a_test_names_is_no_orphan(toy: Any, use_it: str) -> None:
    unnamed_scenario(toy)
    (toy.root / "tests").mkdir()
    (toy.root / "tests/test_calls.py").write_text(use_it, encoding="utf-8")
    assert [finding for finding in verify(toy.course, execute=False) if finding.rule == "orphan"] == []


def test_chosen_lessons_are_reported_alone(toy: Any) -> None:
    own_id(toy)
    lesson_without_release(toy)
    assert verify(toy.course, ["02_total"], execute=False) == []
    assert {finding.file for finding in verify(toy.course, ["01_double"], execute=False)} == {FIRST, FIRST_RELEASE}


def test_all_findings_come_in_one_run(toy: Any) -> None:
    own_id(toy)
    edited_picture(toy)
    stray_folder(toy)
    stored_stderr(toy)
    rules = {finding.rule for finding in verify(toy.course, execute=False)}
    assert rules == {"tidy", "sync", "orphan"}
    assert rules <= set(RULES)


def test_a_finding_reads_as_place_rule_and_next_step() -> None:
    finding = Finding("a.ipynb", "ask", "tidy", "one line\nanother", "course tidy 01")
    assert str(finding) == "a.ipynb, cell ask\n  tidy: one line\n    another\n  next: course tidy 01"


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    verb.configure(parser)
    return parser.parse_args(arguments)


def test_the_command_ends_with_1_and_counts_what_it_found(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edited_picture(toy)
    monkeypatch.chdir(toy.root)
    assert verb.run(parsed("--quick")) == 1
    said = capsys.readouterr().out
    assert "notebooks/01_double/bars.svg\n  sync: " in said
    assert said.endswith("1 finding.\n")


def test_the_command_says_what_holds_and_what_was_not_run(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(toy.root / "notebooks")
    assert verb.run(parsed("1", "--quick")) == 0
    assert capsys.readouterr().out == "1 lesson: tidy, in sync, whole, without leaks. Not run (--quick).\n"
