"""How JupyterLab is asked to start; tests/browser looks at what then opens."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.setup import lab


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that JupyterLab would get, in a course of two lessons."""
    (tmp_path / "nbgrader_config.py").touch()
    for slug in ("01_one", "02_two"):
        (tmp_path / "notebooks" / slug).mkdir(parents=True)
        (tmp_path / "notebooks" / slug / f"{slug}.ipynb").write_text("{}")
    lines: list[list[str]] = []
    monkeypatch.setattr(lab, "_serve", lambda command_line, page: lines.append(command_line))
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    return lines


def start(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    lab.configure(parser)
    return lab.run(parser.parse_args(arguments))


@pytest.mark.parametrize(
    ("arguments", "slug"), [pytest.param([], "01_one", id="first"), pytest.param(["2"], "02_two", id="asked for")]
)
def test_it_opens_on_a_lesson(arguments: list[str], slug: str, served: list[list[str]]) -> None:
    assert start(*arguments) == 0
    assert f"--LabApp.default_url=/lab/tree/work/{slug}.ipynb" in served[0]
    assert Path("work", f"{slug}.ipynb").exists()


def test_a_lesson_that_does_not_exist_is_a_sentence(served: list[list[str]]) -> None:
    with pytest.raises(CourseError, match="01_one"):
        start("9")
    assert served == []


def test_only_this_machine_is_served_and_another_port_is_tried(served: list[list[str]]) -> None:
    start("--port", "9000")
    assert {"--ServerApp.ip=127.0.0.1", "--ServerApp.port=9000", "--ServerApp.port_retries=50"} <= set(served[0])


@pytest.mark.parametrize(
    ("arguments", "opens"), [pytest.param([], True, id="as usual"), pytest.param(["--no-browser"], False, id="without")]
)
def test_the_browser_is_opened_unless_told_not_to(arguments: list[str], opens: bool, served: list[list[str]]) -> None:
    start(*arguments)
    assert f"--ServerApp.open_browser={opens}" in served[0]


def test_teachers_tools_come_back_when_asked_for(served: list[list[str]]) -> None:
    start()
    assert "JUPYTER_CONFIG_PATH" not in os.environ
    start("--teacher")
    assert os.environ.pop("JUPYTER_CONFIG_PATH").split(os.pathsep)[0] == str(lab.TEACHER)
    assert (lab.TEACHER / "labconfig" / "page_config.json").is_file()
