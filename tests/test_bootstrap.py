"""The gate in front of the course, tried with every old Python that this machine has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autograder import bootstrap

ROOT = Path(__file__).resolve().parents[1]
MUST_PARSE = ("__init__.py", "__main__.py", "bootstrap.py")
VERSION = "import sys; sys.stdout.write('%d %d' % sys.version_info[:2])"


def old_pythons() -> list[Path]:
    """Interpreters before 3.11, from the folders of pyenv and of the system."""
    home = os.environ.get("PYENV_ROOT") or Path(os.path.expanduser("~"), ".pyenv")
    candidates = [*Path(home, "versions").glob("*/bin/python"), *Path("/usr/bin").glob("python[23].*[0-9]")]
    return sorted(path for path in candidates if _version(path) < bootstrap.NEEDED)


def _version(python: Path) -> tuple[int, ...]:
    answer = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, answer.split())) or bootstrap.NEEDED


OLD = old_pythons()
on_old_pythons = pytest.mark.parametrize("python", [pytest.param(path, id=str(path.parts[-3])) for path in OLD])
needs_old = pytest.mark.skipif(not OLD, reason="no Python before 3.11 on this machine")


@needs_old
@on_old_pythons
@pytest.mark.parametrize("name", MUST_PARSE)
def test_the_first_files_can_be_read_by_an_old_python(python: Path, name: str) -> None:
    reads = (
        "import io, sys; compile(io.open(sys.argv[1], encoding='utf-8').read().encode('utf-8'), sys.argv[1], 'exec')"
    )
    result = subprocess.run(
        [python, "-c", reads, ROOT / "autograder" / name], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


@needs_old
@on_old_pythons
def test_an_old_python_is_told_what_it_is_and_what_is_needed(python: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(
        [python, "-m", "autograder", "start"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "This is Python {}.{}".format(*_version(python)) in result.stderr
    assert "needs Python 3.11 or newer" in result.stderr
    assert "Install one" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_sentence_names_the_newer_python_of_this_machine_and_repeats_the_command() -> None:
    text = bootstrap.sentence((3, 9, 2), "python3.12", ["start", "02"])
    assert "This is Python 3.9.2." in text
    assert text.endswith("\n  python3.12 -m autograder start 02")


def test_no_line_of_the_sentence_is_wider_than_76_columns() -> None:
    for newer in (None, "python3.12"):
        lines = bootstrap.sentence((3, 10, 13), newer, ["start"]).splitlines()
        assert max(map(len, lines)) <= 76


def test_a_newer_python_is_one_that_can_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, code in (("python3.14", 127), ("python3.12", 0)):
        command = tmp_path / name
        command.write_text(f"#!/bin/sh\nexit {code}\n")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.newer_python() == "python3.12"


def test_there_may_be_no_newer_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.newer_python() is None
