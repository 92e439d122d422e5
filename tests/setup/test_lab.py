"""How JupyterLab is asked to start; tests/browser looks at what then opens."""

from __future__ import annotations

import argparse
import json
import os
import socket
from collections.abc import Iterator
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
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
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


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this machine where somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to open."""
    addresses: list[str] = []
    monkeypatch.setattr(lab.webbrowser, "open", addresses.append)
    return addresses


def note_server(root: Path, port: int) -> None:
    """Write what Jupyter notes about a running server: `ServerApp.server_info` of jupyter_server 2."""
    Path("runtime").mkdir()
    url = f"http://127.0.0.1:{port}/"
    note = {"url": url, "hostname": "127.0.0.1", "port": port, "token": "abc", "root_dir": str(root)}
    Path("runtime", "jpserver-1.json").write_text(json.dumps({**note, "pid": os.getpid()}))


@pytest.mark.parametrize(
    ("arguments", "opens"), [pytest.param([], True, id="as usual"), pytest.param(["--no-browser"], False, id="without")]
)
def test_a_server_of_this_course_is_used_again(
    arguments: list[str],
    opens: bool,
    served: list[list[str]],
    opened: list[str],
    port: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    note_server(Path.cwd(), port)
    assert start("2", *arguments) == 0
    address = f"http://127.0.0.1:{port}/lab/tree/work/02_two.ipynb?token=abc"
    said = capsys.readouterr()
    assert said.out == f"The course is open at {address}\n"
    assert "Another window serves it already." in said.err
    assert opened == [address] * opens
    assert served == []


def test_teachers_tools_are_refused_while_a_server_runs_that_may_lack_them(
    served: list[list[str]], opened: list[str], port: int
) -> None:
    note_server(Path.cwd(), port)
    with pytest.raises(CourseError, match=r"Close the other window first \(Ctrl-C .*\), then run: .*start --teacher$"):
        start("--teacher")
    assert "JUPYTER_CONFIG_PATH" not in os.environ
    assert served == opened == []


def test_a_server_of_another_folder_is_left_alone(served: list[list[str]], opened: list[str], port: int) -> None:
    note_server(Path.cwd() / "work", port)
    assert start() == 0
    assert len(served) == 1
    assert opened == []


def test_a_server_that_does_not_answer_is_not_used(served: list[list[str]], opened: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = closed.getsockname()[1]
    note_server(Path.cwd(), nobody)
    assert start() == 0
    assert len(served) == 1
    assert opened == []
