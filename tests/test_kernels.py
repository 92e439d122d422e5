"""What a learner's code finds in its environment, wherever it runs: in a kernel, under nbgrader, beside the judge."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.authoring.kernels import execute
from autograder.grading.playing import play
from autograder.grading.subprocess_player import SubprocessPlayer
from autograder.kernels import environment

ROOT = Path(__file__).parents[1]
PRIVATE = {"ANTHROPIC_API_KEY": "sk-ant-1", "ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
LEFT_BEHIND = {"NBGRADER_EXECUTION": "autograde", "COV_CORE_SOURCE": "x", "PYTEST_ADDOPTS": "-x"}
ASKS = f"import os\nleft = sorted({{*{sorted(PRIVATE | LEFT_BEHIND)}}} & {{*os.environ}})"


@pytest.fixture(autouse=True)
def _set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (PRIVATE | LEFT_BEHIND).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("name", sorted(PRIVATE | LEFT_BEHIND))
def test_keys_and_what_tools_leave_behind_are_taken_out(name: str) -> None:
    assert name not in environment()


def test_the_rest_of_the_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_OWN", "1")
    assert environment()["MY_OWN"] == "1"


def test_this_python_and_this_package_are_found_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "elsewhere")
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    found = environment()
    assert Path(found["PATH"].split(os.pathsep)[0]).samefile(Path(sys.executable).parent)
    assert found["PATH"].split(os.pathsep)[1] == "elsewhere"
    assert found["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "somewhere"]


def test_no_learners_code_sees_a_key(tmp_path: Path) -> None:
    cell = nbformat.v4.new_code_cell(f"{ASKS}\nassert not left, left")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    assert play(notebook, tmp_path).other == ""
    (ran,) = execute(notebook, tmp_path)["cells"]
    assert (ran["execution_count"], ran["outputs"]) == (1, [])
    with SubprocessPlayer([f"{ASKS}\ndef found(): return left"], 30) as player:
        assert player.call("found").value == []
