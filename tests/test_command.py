"""Sentences name a command that can be typed where they are read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.command import HANDED_ON, STARTED_AS, command, hand_on, remember

ROOT = Path(__file__).resolve().parents[1]
UNACTIVATED = "py -m autograder" if os.name == "nt" else "python3 -m autograder"


@pytest.fixture(autouse=True)
def _unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set first, so that what `remember` and `hand_on` write is taken back as well.
    for name in (STARTED_AS, HANDED_ON):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def started(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(sys, "argv", [program, "list"])


@pytest.mark.parametrize(
    ("program", "said"),
    [
        pytest.param("/home/a/.venv/bin/course", "course", id="script"),
        pytest.param("course.exe", "course", id="windows script"),
        pytest.param("/home/a/course/autograder/__main__.py", UNACTIVATED, id="module"),
        pytest.param("-c", UNACTIVATED, id="anything else"),
    ],
)
def test_the_command_is_the_one_that_was_typed(program: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, program)
    assert command("hint ask") == f"{said} hint ask"
    remember()
    assert os.environ[STARTED_AS] == said
    assert command("") == said


@pytest.mark.parametrize(
    ("windows", "said"),
    [
        pytest.param(True, "py -m autograder list", id="windows"),
        pytest.param(False, "python3 -m autograder list", id="elsewhere"),
    ],
)
def test_each_system_has_its_own_python_launcher(windows: bool, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, "__main__.py")
    monkeypatch.setattr("autograder.command.WINDOWS", windows)
    assert command("list") == said


def test_a_process_that_goes_on_in_another_python_keeps_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, "course")
    remember()
    hand_on()
    started(monkeypatch, "__main__.py")
    remember()
    assert command("start") == "course start"
    # A terminal inside JupyterLab is a new start, under the name that is typed there.
    remember()
    assert command("start") == f"{UNACTIVATED} start"


@pytest.mark.parametrize(
    ("handed_on", "said"), [pytest.param("", UNACTIVATED, id="typed"), pytest.param("1", "course", id="handed on")]
)
def test_help_shows_the_command_that_was_typed(handed_on: str, said: str) -> None:
    environment = {**os.environ, STARTED_AS: "course", HANDED_ON: handed_on}
    result = subprocess.run(
        [sys.executable, "-m", "autograder", "--help"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"usage: {said} VERB [options]" in result.stdout
    assert ("`course VERB` is the same" in result.stdout) == (said != "course")
