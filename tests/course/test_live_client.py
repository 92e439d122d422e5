"""What a learner writes against the recordings runs unchanged with `anthropic.Anthropic()`.

The stand-in for the service is a server on 127.0.0.1 that the SDK is sent to with ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import pytest

from autograder.grading.runner import run_cells
from autograder.messages_api.double import Double
from autograder.messages_api.scenario import Scenario, replay
from tests.course.answers import FOLDER, read_answers

RIGHT = [
    pytest.param(answer.source, id=answer.name)
    for answer in read_answers(FOLDER / "lesson_01" / "ask.py")
    if not answer.rejected_by
]


@pytest.fixture
def scenario() -> Scenario:
    return replay("first_answer")


@pytest.fixture
def service(scenario: Scenario) -> Iterator[str]:
    double = Double(scenario)

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = double.respond(self.path, body, dict(self.headers.items()))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("source", RIGHT)
def test_the_same_function_runs_with_a_client_of_its_own(
    source: str, service: str, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", service)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key that only this test knows")
    names: dict[str, Any] = {}
    assert run_cells([source], names)["value"] == {}
    with anthropic.Anthropic() as client:
        live = names["ask"](client, scenario.prompt)
    replayed = names["ask"](replay("first_answer").client(), scenario.prompt)
    assert live.to_dict() == replayed.to_dict()
    assert live.content
