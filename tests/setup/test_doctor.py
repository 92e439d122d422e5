"""The doctor's table: what it calls missing, and whether that matters."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from autograder.setup import doctor


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("no-such-package==1.0\npytest==1.2.3\n-e .\n")
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def finding(root: Path, thing: str) -> doctor.Finding:
    return next(found for found in doctor.findings(root) if found.thing == thing)


def test_missing_packages_and_other_versions_are_named(root: Path) -> None:
    packages = finding(root, "packages")
    assert packages.needed
    assert not packages.fine
    assert "no-such-package" in packages.state
    assert "pytest (" in packages.state


def test_a_missing_program_is_not_a_fault_and_says_what_it_is_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(root))
    chromium = finding(root, "chromium")
    assert not chromium.fine
    assert not chromium.needed
    assert "browser tests" in chromium.purpose


@pytest.mark.parametrize("begun", [pytest.param(True, id="work"), pytest.param(False, id="no work yet")])
def test_a_place_for_the_copies_that_cannot_be_written_to_is_a_fault(
    root: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    closed = root / "work" if begun else root
    closed.mkdir(exist_ok=True)
    # The user who runs the tests may be one who can write everywhere.
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: Path(path) != closed)
    work = finding(root, "work/")
    assert work.needed
    assert not work.fine
    assert work.state == "cannot be written to"


def test_a_full_disk_is_a_fault(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NEEDED_BYTES", 10**18)
    space = finding(root, "disk space")
    assert space.needed
    assert not space.fine


@pytest.mark.parametrize(("fine", "code"), [pytest.param(True, 0, id="fine"), pytest.param(False, 1, id="missing")])
def test_the_exit_code_says_whether_the_lessons_can_run(
    fine: bool, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [doctor.Finding("thing", "as it is", fine, "what to do", needed=True)]
    monkeypatch.setattr(doctor, "findings", lambda root: rows)
    assert doctor.run(argparse.Namespace()) == code
    assert ("what to do" in capsys.readouterr().out) is not fine
