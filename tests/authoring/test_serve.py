from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anthropic
import httpx2
import pytest

from autograder.authoring.loopback import HOST, Loopback
from autograder.authoring.serve import chosen
from autograder.cli import run
from autograder.errors import AuthoringError
from autograder.messages_api.scenario import FIXTURES, replay

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`course serve` in a process of its own, with its first line."""
    code = "import sys; from autograder.cli import run; sys.exit(run(['serve', *sys.argv[1:]]))"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, *arguments], cwd=ROOT, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def url_in(line: str) -> str:
    return next(word for word in line.split() if word.startswith("http://"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send to another process")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_the_verb_says_where_answers_and_ends_cleanly(number: signal.Signals) -> None:
    with serving("first_answer") as (process, line):
        url = url_in(line)
        assert url.startswith("http://127.0.0.1:")
        scenario = replay("first_answer")
        http_client = httpx2.Client(trust_env=False)
        with anthropic.Anthropic(api_key="test", base_url=f"{url}/first_answer", http_client=http_client) as client:
            reply = client.messages.create(model=scenario.request.model, max_tokens=1024, messages=scenario.messages)
            assert reply.stop_reason == "end_turn"
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")


def test_a_server_that_cannot_start_says_so_and_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Loopback, ready: object) -> None:
        raise OSError("too many open files")

    monkeypatch.setattr(Loopback, "run", fail)
    with pytest.raises(AuthoringError, match=r"on http://127\.0\.0\.1:\d+ did not start: too many open files\."):
        Loopback(never).__enter__()


async def never(_scope: object, _receive: object, _send: object) -> None:
    raise AssertionError("nobody asks this application")


def test_nothing_but_loopback_is_bound() -> None:
    with Loopback(never) as server:
        port = int(server.url.rpartition(":")[2])
        for other in ("127.0.0.2", socket.gethostbyname(socket.gethostname())):
            if other != HOST:
                with socket.socket() as asking:
                    asking.settimeout(5)
                    assert asking.connect_ex((other, port)) != 0
        with socket.create_connection((HOST, port), timeout=5):
            pass


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port)]) == 2
    assert f"course serve: Port {port} of 127.0.0.1 cannot be taken:" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "http", "8.5"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["serve", f"--port={port}"])
    assert caught.value.code == 2
    assert f"'{port}' is no port" in capsys.readouterr().err


def test_an_unknown_scenario_is_refused_before_a_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "first_anser"]) == 2
    assert "nearest    first_answer" in capsys.readouterr().err


def test_without_names_every_fixture_is_served() -> None:
    assert set(chosen([])) == {path.stem for path in FIXTURES.glob("*.json")}
    assert list(chosen(["two_calls"])) == ["two_calls"]


def test_a_folder_without_scenarios_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.messages_api.scenario.FIXTURES", tmp_path)
    with pytest.raises(AuthoringError, match="There are no scenarios in"):
        chosen([])


def test_the_port_is_free_unless_one_is_asked_for() -> None:
    from autograder.authoring.serve import configure

    parser = argparse.ArgumentParser()
    configure(parser)
    assert parser.parse_args([]).port == 0
    assert parser.parse_args(["--port", "8123", "a", "b"]).names == ["a", "b"]
