"""The seed of the class is made once, kept to its owner, and can come from the environment."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from autograder.grading.seed import SEED_FILE, SEED_VARIABLE, class_seed


@pytest.fixture(autouse=True)
def _no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SEED_VARIABLE, raising=False)


def test_the_seed_is_made_on_first_use_and_stays_the_same(tmp_path: Path) -> None:
    seed = class_seed(tmp_path)
    assert len(seed) == 32
    assert class_seed(tmp_path) == seed


def test_two_courses_have_two_seeds(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert class_seed(tmp_path) != class_seed(tmp_path / "other")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no owner-only mode bits")
def test_only_its_owner_may_read_the_seed_file(tmp_path: Path) -> None:
    class_seed(tmp_path)
    assert stat.S_IMODE((tmp_path / SEED_FILE).stat().st_mode) == 0o600


def test_the_environment_wins_and_no_file_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEED_VARIABLE, "autumn")
    assert class_seed(tmp_path) == "autumn"
    assert not (tmp_path / SEED_FILE).exists()


def test_an_empty_seed_file_is_filled(tmp_path: Path) -> None:
    (tmp_path / SEED_FILE).write_text("\n")
    seed = class_seed(tmp_path)
    assert seed
    assert (tmp_path / SEED_FILE).read_text().strip() == seed
