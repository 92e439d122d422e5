"""What the set-up reads: the pins, and what this Python has of them."""

from __future__ import annotations

import importlib.metadata
import itertools
from pathlib import Path

import pytest

from autograder.setup.environment import ROOT, Environment, Packages, enter, missing, pinned


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("# why\npytest==1.2.3\n\nno-such-package==1.0  # why\n-e .\n")
    (tmp_path / "pyproject.toml").write_text('[project.optional-dependencies]\ntest = ["gauge==2.0"]\n')
    return tmp_path


def test_pins_are_read_without_comments(root: Path) -> None:
    assert pinned(root, frozenset()) == {"pytest": "1.2.3", "no-such-package": "1.0"}


def test_the_extra_for_tests_adds_its_pins(root: Path) -> None:
    assert pinned(root, Packages.TEST.extras)["gauge"] == "2.0"


def test_another_version_counts_as_missing_and_is_named(root: Path) -> None:
    lacking = missing(root, frozenset())
    assert lacking["pytest"] == importlib.metadata.version("pytest")
    assert lacking["no-such-package"] is None


def test_another_copy_of_the_course_does_not_count(root: Path) -> None:
    assert "autograder" in missing(root, frozenset())


def test_every_requirement_of_the_course_is_pinned() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line.strip() and not line.startswith("#")]
    assert asked[-1] == "-e ."
    assert len(pinned(ROOT, frozenset())) == len(asked) - 1


def test_every_requirement_has_its_reason_in_the_line_above() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    for above, line in itertools.pairwise(lines):
        assert line.startswith("#") or not line or above.startswith("# "), line


def test_another_interpreter_behind_the_same_name_is_noticed(root: Path) -> None:
    environment = Environment(root)
    environment.python.parent.mkdir(parents=True)
    environment.python.write_text("one Python")
    environment.write_stamp("ready", frozenset())
    assert environment.is_ready(frozenset())
    environment.python.unlink()
    (root / "another").write_text("another Python")
    environment.python.symlink_to(root / "another")
    assert not environment.is_ready(frozenset())


@pytest.mark.parametrize("text", ["", "[]", "{", '{"state": "ready"}'])
def test_a_stamp_that_cannot_be_trusted_is_not_ready(root: Path, text: str) -> None:
    environment = Environment(root)
    environment.home.mkdir()
    environment.stamp.write_text(text)
    assert not environment.is_ready(frozenset())


def test_line_endings_do_not_make_an_environment_stale(root: Path) -> None:
    before = Environment(root).fingerprint()
    for name in ("requirements.txt", "pyproject.toml"):
        (root / name).write_bytes((root / name).read_bytes().replace(b"\n", b"\r\n"))
    assert Environment(root).fingerprint() == before


def test_a_wheel_has_nothing_to_set_up(tmp_path: Path) -> None:
    enter(["list"], Packages.COURSE, tmp_path)
    assert list(tmp_path.iterdir()) == []
