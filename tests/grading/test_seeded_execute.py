"""What a submission's kernel finds in its environment while nbgrader grades."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from nbgrader.preprocessors import Execute

from autograder.grading.seeded_execute import SeededExecute


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment at the moment in which nbgrader would run the cells."""
    found: dict[str, str] = {}

    def execute(self: Execute, notebook: Any, resources: Any, **options: Any) -> tuple[Any, Any]:
        found.update(os.environ)
        return notebook, resources

    monkeypatch.setattr(Execute, "preprocess", execute)
    return found


def test_the_seed_is_there_while_it_is_graded_and_not_afterwards(
    seen: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTOGRADER_SEED", raising=False)
    SeededExecute(course_root=str(tmp_path)).preprocess({}, {})
    assert seen["AUTOGRADER_SEED"] == (tmp_path / ".autograder_seed").read_text(encoding="ascii").strip()
    assert "AUTOGRADER_SEED" not in os.environ


def test_an_empty_seed_is_no_seed(seen: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SEED", "")
    SeededExecute(course_root=str(tmp_path)).preprocess({}, {})
    assert len(seen["AUTOGRADER_SEED"]) == 32
    assert os.environ["AUTOGRADER_SEED"] == ""


def test_the_teachers_key_is_kept_from_a_submission(
    seen: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    SeededExecute(course_root=str(tmp_path)).preprocess({}, {})
    assert "ANTHROPIC_API_KEY" not in seen
    assert os.environ["ANTHROPIC_API_KEY"] == "a key"
