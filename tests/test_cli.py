"""The command line as a reader meets it: help, mistyped verbs, sentences instead of tracebacks."""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder import cli
from autograder.errors import CourseError

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A verb `list` whose module is a stand-in; a test sets what its `run` does."""
    module = SimpleNamespace(configure=lambda parser: None, run=lambda options: 0)
    monkeypatch.setattr(cli.importlib, "import_module", lambda name: module)
    return module


def raises(error: BaseException) -> object:
    def run(options: argparse.Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize("name", cli.VERBS)
def test_every_verb_has_its_module(name: str) -> None:
    module = importlib.import_module(cli.VERBS[name].module)
    parser = argparse.ArgumentParser()
    module.configure(parser)
    assert callable(module.run)
    assert parser.format_help()


def test_help_lists_every_verb_under_its_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([]) == 0
    text = capsys.readouterr().out
    learn, rest = text.split("learn:")[1].split("write:")
    write, everyone = rest.split("everyone:")
    assert all(f"  {name} " in learn for name in ("start", "list", "check", "hint", "grade"))
    assert all(f"  {name} " in write for name in ("release", "tidy", "verify"))
    assert all(f"  {name} " in everyone for name in ("test", "doctor"))


@pytest.mark.parametrize(
    ("typed", "meant"), [pytest.param("strat", "start", id="swapped"), pytest.param("Grades", "grade", id="plural")]
)
def test_a_mistyped_verb_is_answered_with_the_nearest(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([typed]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"There is no verb '{typed}'." in said
    assert f"The nearest is: course {meant} " in said


def test_an_error_of_the_course_is_one_sentence_and_code_2(
    verb: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    verb.run = raises(CourseError("The lesson has no notebook. Run course release."))
    assert cli.run(["list"]) == 2
    assert capsys.readouterr().err == "course list: The lesson has no notebook. Run course release.\n"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        pytest.param(
            OSError(30, "Read-only file system", "/c/work/.hints.json"),
            "/c/work/.hints.json cannot be used: Read-only file system.",
            id="a file",
        ),
        pytest.param(OSError(28, "No space left on device"), "The system says: No space left on device.", id="no file"),
        pytest.param(TimeoutError(), "The system says: TimeoutError.", id="no words"),
    ],
)
def test_an_error_of_the_system_is_one_sentence_and_code_2(
    verb: SimpleNamespace, capsys: pytest.CaptureFixture[str], error: OSError, sentence: str
) -> None:
    verb.run = raises(error)
    assert cli.run(["list"]) == 2
    assert capsys.readouterr().err == f"course list: {sentence}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX systems")
@pytest.mark.parametrize("lines", [pytest.param(1, id="at the end"), pytest.param(100_000, id="in the middle")])
def test_a_reader_that_goes_away_ends_the_verb_without_a_word(lines: int) -> None:
    code = f"""
import sys
from types import SimpleNamespace
from autograder import cli
def run(options):
    sys.stdin.read()  # until the reader has gone
    for number in range({lines}):
        print("line", number)
    return 0
cli.importlib.import_module = lambda name: SimpleNamespace(configure=lambda parser: None, run=run)
sys.exit(cli.run(["list"]))
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, text=True, **pipes) as process:  # type: ignore[call-overload]
        process.stdout.close()
        process.stdin.close()
        assert (process.stderr.read(), process.wait()) == ("", 1)


def test_any_other_error_is_not_hidden(verb: SimpleNamespace) -> None:
    verb.run = raises(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        cli.run(["list"])


def test_ctrl_c_ends_with_code_130(verb: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    verb.run = raises(KeyboardInterrupt())
    assert cli.run(["list"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_the_exit_code_is_that_of_the_verb(verb: SimpleNamespace) -> None:
    verb.run = lambda options: 1
    assert cli.run(["list"]) == 1


def test_an_unknown_option_is_refused(verb: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.run(["list", "--colour"])
    assert left.value.code == 2
    assert "--colour" in capsys.readouterr().err


def test_a_verb_may_pass_on_what_it_does_not_know(verb: SimpleNamespace) -> None:
    seen = []
    verb.configure = lambda parser: parser.set_defaults(passes_on=True)
    verb.run = lambda options: seen.append(options.rest) or 0
    assert cli.run(["test", "-k", "stop_reason"]) == 0
    assert seen == [["-k", "stop_reason"]]


def test_a_long_sentence_is_broken_and_one_with_lines_of_its_own_is_not() -> None:
    assert max(map(len, cli.as_lines("word " * 60).splitlines())) <= 76
    drawn = "Not yet: a name\n\n  expected  " + "x" * 90
    assert cli.as_lines(drawn) == drawn


def test_help_needs_nothing_but_the_standard_library() -> None:
    # -S: without site-packages.
    result = subprocess.run(
        [sys.executable, "-S", "-m", "autograder", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "open the course in JupyterLab" in result.stdout
