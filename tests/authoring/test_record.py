from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.loopback import Loopback
from autograder.cli import run
from autograder.messages_api.scenario import load
from autograder.messages_api.server import application
from tests.authoring.conftest import Toy
from tests.messages_api.builders import HELP, ORDER, answer, data, error, exchange, scenario, text, two_tools

REQUEST: dict[str, Any] = two_tools().model_dump(mode="json", exclude_unset=True)["request"]
TOOLS = """
def answer(name, arguments):
    return f"{name} found nothing for ines@kestrel-pine.shop"
"""


@pytest.fixture
def fixtures(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a toy course that the verb is called in, with the stand-in as its API."""
    monkeypatch.chdir(toy.root)
    toy.course.fixtures.mkdir(exist_ok=True)
    refuses = scenario(exchange("no", error(400, "invalid_request_error", "Bad.")))
    with Loopback(application({"two": two_tools(), "refuses": refuses})) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-Abcdefghijklmnop")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server.url}/two")
        yield toy.course.fixtures


def write_template(folder: Path, **more: Any) -> str:
    path = folder.parent / "template.json"
    path.write_text(json.dumps({"title": "Two tools", "request": REQUEST} | more), encoding="utf-8")
    return str(path)


def with_results(folder: Path) -> str:
    results = [
        {"name": "get_order", "input": {"order_id": "P-1001"}, "content": "on its way"},
        {"name": "search_help", "input": {"query": "late"}, "content": "nothing"},
    ]
    return write_template(folder, results=results)


def test_a_fixture_is_written_and_the_verb_says_what_it_holds(
    fixtures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["record", "two_tools", "--template", with_results(fixtures)]) == 0
    made = load(fixtures / "two_tools.json")
    assert made.provenance.kind == "written"
    assert [e.id for e in made.exchanges] == ["turn_1", "turn_2"]
    said = capsys.readouterr().out
    assert f"2 replies recorded in {fixtures / 'two_tools.json'}." in said
    assert "scrubbed                nothing" in said
    assert "not from the live API   http://127.0.0.1:" in said
    assert "Nothing was published." in said
    assert made.exchanges[0].answers[0].headers["request-id"] in said
    assert [path.name for path in fixtures.iterdir()] == ["two_tools.json"]


def test_what_was_scrubbed_is_said(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request = REQUEST | {"system": "Write to ines@kestrel-pine.shop or bo@kestrel-pine.shop."}
    template = json.loads(Path(with_results(fixtures)).read_text(encoding="utf-8"))
    path = write_template(fixtures, **(template | {"request": request}))
    assert run(["record", "mail", "--template", path]) == 0
    assert "scrubbed                e-mail addresses: 2\n" in capsys.readouterr().out
    assert "kestrel-pine" not in (fixtures / "mail.json").read_text(encoding="utf-8")


def test_without_a_key_it_is_one_sentence(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert run(["record", "two_tools", "--template", with_results(fixtures)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("course record: ANTHROPIC_API_KEY is not set:")
    assert said.count(".") == 1
    assert list(fixtures.iterdir()) == []


def test_a_fixture_is_written_over_only_when_asked(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = fixtures / "hello.json"
    there.write_text(json.dumps(data(exchange("hello", answer([text("Hello.")])))), encoding="utf-8")
    before = there.read_bytes()
    assert run(["record", "hello", "--template", with_results(fixtures)]) == 2
    assert "fixtures/hello.json is there already" in capsys.readouterr().err
    assert there.read_bytes() == before
    assert run(["record", "hello", "--template", with_results(fixtures), "--replace"]) == 0
    assert load(there).provenance.kind == "written"


def test_a_fixture_is_its_own_template(fixtures: Path) -> None:
    there = fixtures / "hello.json"
    hello = data(exchange("hello", answer([text("Hello.")])), tools=[])
    there.write_text(json.dumps(hello | {"title": "Said hello"}), encoding="utf-8")
    (fixtures.parent / "shop_tools.py").write_text(TOOLS, encoding="utf-8")
    assert run(["record", "hello", "--replace", "--tools", "shop_tools:answer"]) == 0
    made = load(there)
    assert (made.title, made.request.messages) == ("Said hello", hello["request"]["messages"])


def test_calls_are_answered_by_the_function_that_is_named(fixtures: Path) -> None:
    (fixtures.parent / "more_tools.py").write_text(TOOLS, encoding="utf-8")
    arguments = ["record", "two_tools", "--template", write_template(fixtures), "--tools", "more_tools:answer"]
    assert run(arguments) == 0
    assert load(fixtures / "two_tools.json").exchanges[1].message is not None


def test_a_call_that_nothing_answers_writes_nothing(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "two_tools", "--template", write_template(fixtures)]) == 2
    said = capsys.readouterr().err
    assert '{"name": "get_order", "input": {"order_id": "P-1001"}}' in said
    assert "Nothing was written." in said
    assert list(fixtures.iterdir()) == []


def test_a_refusal_of_the_api_writes_nothing(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", os.environ["ANTHROPIC_BASE_URL"].replace("/two", "/refuses"))
    assert run(["record", "two_tools", "--template", with_results(fixtures)]) == 2
    assert "The API answered 400" in capsys.readouterr().err
    assert list(fixtures.iterdir()) == []


MISTAKES = [
    pytest.param(["Two-Tools"], "'Two-Tools' is no name for a fixture", id="name"),
    pytest.param(["../x"], "'../x' is no name for a fixture", id="path"),
    pytest.param(["nowhere"], "There is no scenario named 'nowhere'", id="no template"),
    pytest.param(["x", "--template", "T", "--tools", "json"], "--tools json cannot be used", id="no function"),
    pytest.param(["x", "--template", "T", "--tools", "nomodule:f"], "No module named 'nomodule'", id="no module"),
    pytest.param(["x", "--template", "T", "--tools", "json:__name__"], "is no function", id="no callable"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_a_mistake_is_named_before_anything_is_asked(
    fixtures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    path = with_results(fixtures)
    assert run(["record", *(path if argument == "T" else argument for argument in arguments)]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert list(fixtures.iterdir()) == []


def test_ids_of_calls_are_those_that_the_api_gave(fixtures: Path) -> None:
    assert run(["record", "two_tools", "--template", with_results(fixtures)]) == 0
    first = load(fixtures / "two_tools.json").exchanges[0].message
    assert first is not None
    assert [block["id"] for block in first["content"] if block["type"] == "tool_use"] == [ORDER, HELP]
