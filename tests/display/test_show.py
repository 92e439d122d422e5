"""What a notebook prints: tables, refusals, and nothing that hides another fault."""

from __future__ import annotations

import sys
from typing import Any

import anthropic
import httpx2
import IPython
import pytest

from autograder.display.layout import Table
from autograder.display.show import show, show_refusal

TURN = {"role": "user", "content": "Where is my order?"}
UNANSWERED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: "
    "toolu_016w4nFTVEfQWGx6mzNEqyix. Each `tool_use` block must have a corresponding `tool_result` block in the "
    "next message."
)


def client(status: int, body: Any) -> anthropic.Anthropic:
    transport = httpx2.MockTransport(lambda request: httpx2.Response(status, json=body))
    return anthropic.Anthropic(api_key="test", max_retries=0, http_client=httpx2.Client(transport=transport))


def error(kind: str, message: str, **more: Any) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message, **more}, "request_id": "req_011CfXS"}


def send(to: anthropic.Anthropic, **more: Any) -> None:
    to.messages.create(**{"model": "claude-sonnet-5-5", "max_tokens": 64, "messages": [TURN], **more})


def test_show_prints_a_table_outside_a_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    show([TURN])
    assert capsys.readouterr().out.startswith("A history of 1 message\n")


def test_show_displays_a_table_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    displayed: list[Any] = []
    monkeypatch.setattr(IPython, "get_ipython", object)
    monkeypatch.setattr("IPython.display.display", displayed.append)
    show([TURN])
    assert [type(view) for view in displayed] == [Table]


def test_show_does_not_load_ipython(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)
    show([TURN])
    assert "IPython" not in sys.modules


def test_a_refusal_is_three_lines_in_the_words_of_the_api(capsys: pytest.CaptureFixture[str]) -> None:
    with show_refusal():
        send(client(400, error("invalid_request_error", UNANSWERED)))
    assert capsys.readouterr().out.splitlines() == [
        "The API refused the request.",
        "  status   400",
        "  type     invalid_request_error",
        "  message  messages.1: `tool_use` ids were found without `tool_result`",
        "           blocks immediately after: toolu_016w4nFTVEfQWGx6mzNEqyix. Each",
        "           `tool_use` block must have a corresponding `tool_result` block in",
        "           the next message.",
    ]


def test_an_accepted_request_is_said_to_be_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    with show_refusal():
        send(client(200, {"type": "message", "content": []}))
    assert capsys.readouterr().out == "Nothing was refused: the API accepted the request.\n"


def test_a_request_without_a_recording_is_not_called_a_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    differed = [{"what": "user_contains", "recorded": "P-1001", "sent": "Hello"}]
    details = {"nearest": "asks_both", "agreed": ["model", "max_tokens"], "differed": differed, "empty": []}
    with show_refusal():
        send(client(400, error("replay_mismatch", "The same in words.", details=details)))
    assert capsys.readouterr().out.splitlines() == [
        "No recorded answer fits this request. The API was not asked.",
        "  nearest   asks_both",
        "  agreed    model, max_tokens",
        "  differed  user_contains",
        "            recorded: P-1001",
        "            sent: Hello",
    ]


def test_a_request_without_a_recording_is_told_without_details_too(capsys: pytest.CaptureFixture[str]) -> None:
    with show_refusal():
        send(client(400, error("replay_mismatch", "No exchange follows this conversation.")))
    assert capsys.readouterr().out.splitlines()[1:] == ["  No exchange follows this conversation."]


def test_an_error_that_is_not_json_is_shown_as_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    transport = httpx2.MockTransport(lambda request: httpx2.Response(503, text="upstream connect error"))
    plain = anthropic.Anthropic(api_key="test", max_retries=0, http_client=httpx2.Client(transport=transport))
    with show_refusal():
        send(plain)
    assert "  message  upstream connect error" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({"temperature": 0}, "unexpected keyword argument 'temperature'", id="removed parameter"),
        pytest.param({"max_tokens": 50_000}, "Streaming is required", id="too large without a stream"),
    ],
)
def test_the_sdks_own_check_is_told_apart(
    arguments: dict[str, Any], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_refusal():
        send(client(200, {}), **arguments)
    out = capsys.readouterr().out
    assert out.startswith("The SDK refused before sending:\n")
    assert expected in out


def test_a_missing_max_tokens_never_leaves_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    with show_refusal():
        client(200, {}).messages.create(model="claude-sonnet-5-5", messages=[TURN])  # type: ignore[call-overload]
    assert capsys.readouterr().out.startswith("The SDK refused before sending:\n  Missing required arguments;")


@pytest.mark.parametrize(
    "fault",
    [TypeError("mine"), ValueError("mine"), RuntimeError("mine"), KeyError("mine")],
    ids=lambda f: type(f).__name__,
)
def test_a_fault_of_the_readers_own_code_rises(fault: Exception) -> None:
    with pytest.raises(type(fault), match="mine"), show_refusal():
        raise fault


def test_no_line_of_a_refusal_is_wider_than_76_columns(capsys: pytest.CaptureFixture[str]) -> None:
    with show_refusal():
        send(client(400, error("invalid_request_error", UNANSWERED * 3)))
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 76
