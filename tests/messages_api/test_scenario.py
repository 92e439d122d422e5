from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from autograder.messages_api import scenario as module
from autograder.messages_api.errors import ScenarioError
from autograder.messages_api.scenario import FIXTURES, from_json, load, replay, schema
from tests.messages_api.builders import BOTH, ORDER, answer, data, exchange, message, text, two_tools, user


def test_a_scenario_gives_what_a_notebook_starts_from() -> None:
    given = from_json(data(exchange("a", answer([text("Hi.")])), prompt="Hello", system="Be kind."))
    assert given.prompt == "Hello"
    assert given.system == "Be kind."
    assert given.messages == [{"role": "user", "content": "Hello"}]
    assert [tool["name"] for tool in given.tools] == ["get_order", "search_help"]
    assert len(given.transcript) == 0


def test_what_a_notebook_changes_does_not_change_the_scenario() -> None:
    given = two_tools()
    given.messages.append(user("more"))
    given.messages[0]["content"] = "changed"
    given.tools[0]["input_schema"]["properties"].clear()
    assert given.messages == [user("Where is order P-1001?")]
    assert given.tools[0]["input_schema"]["properties"] == {"order_id": {"type": "string"}}


def test_the_prompt_is_the_text_of_the_first_user_turn() -> None:
    blocks = [{"type": "image", "source": {}}, text("What is "), text("this?")]
    given = from_json(data(exchange("a", answer([text("A tent.")])), messages=[user(blocks), user("later")]))
    assert given.prompt == "What is this?"


def test_a_file_is_loaded_by_its_path_and_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hello.json").write_text(json.dumps(data(exchange("a", answer([text("Hi.")])))), encoding="utf-8")
    monkeypatch.setattr(module, "FIXTURES", tmp_path)
    assert load(tmp_path / "hello.json").title == load("hello").title == replay("hello").title == "A test conversation"


def test_each_replay_starts_with_an_empty_transcript(tmp_path: Path) -> None:
    path = tmp_path / "hello.json"
    path.write_text(json.dumps(data(exchange("a", answer([text("Hi.")])))), encoding="utf-8")
    first = load(path)
    first.transcript.add("/v1/messages", {}, 200, {})
    assert len(load(path).transcript) == 0


def test_a_missing_scenario_is_named_with_the_nearest_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("two_calls", "two_pauses", "refusal"):
        (tmp_path / f"{name}.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(module, "FIXTURES", tmp_path)
    with pytest.raises(ScenarioError) as caught:
        replay("two_call")
    assert "There is no scenario named 'two_call'." in str(caught.value)
    assert "nearest    two_calls, two_pauses" in str(caught.value)
    with pytest.raises(ScenarioError, match="there are  refusal, two_calls, two_pauses"):
        replay("zzzzzz")


def test_a_file_that_is_no_json_is_named_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{\n "format": ?\n}', encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"broken\.json is not valid JSON\.\n  line 2, column 12"):
        load(tmp_path / "broken.json")


def _with(**changed: Any) -> dict[str, Any]:
    return (
        data(exchange("asks", answer(BOTH, "tool_use")), exchange("ends", answer([text("x")]), follows="asks"))
        | changed
    )


def _exchanges(*exchanges: dict[str, Any]) -> dict[str, Any]:
    return _with(exchanges=list(exchanges))


BROKEN = [
    pytest.param(_with(format=2), "format: should be 1; found 2", id="another format"),
    pytest.param(_with(titel="x"), "titel: there is no such field; nearest: title", id="misspelt field"),
    pytest.param(
        _exchanges(exchange("a", answer([text("x")]), max_token={"below": 1})),
        "exchanges.0.when.max_token: there is no such field; nearest: max_tokens",
        id="misspelt condition",
    ),
    pytest.param({"format": 1}, "title: this field is required", id="missing fields"),
    pytest.param(_exchanges(), "exchanges: List should have at least 1 item", id="no exchange"),
    pytest.param(
        _exchanges(exchange("a", answer([text("x")])), exchange("a", answer([text("y")]))),
        "exchanges: 2 of them have the id a",
        id="two of one name",
    ),
    pytest.param(
        _exchanges(exchange("asks", answer(BOTH, "tool_use")), exchange("b", answer([text("y")]), follows="ask")),
        "exchanges.1.follows: no exchange has the id ask; nearest: asks",
        id="follows nobody",
    ),
    pytest.param(
        _exchanges(exchange("a", answer([text("x")]), follows="b"), exchange("b", answer([text("y")]), follows="a")),
        "exchanges.0 (a): follows itself in a circle",
        id="circle",
    ),
    pytest.param(
        _exchanges(exchange("a", answer([])), exchange("b", answer([text("y")]), follows="a")),
        "exchanges.1 (b): follows a, whose answer leaves nothing to follow",
        id="follows an empty reply",
    ),
    pytest.param(_exchanges({"id": "a"}), "exchanges.0 (a): give either response or attempts", id="no answer"),
    pytest.param(
        _exchanges({"id": "a", "response": {"status": 200, "body": {"content": []}}}),
        "body is no whole Message: without id, type, role, model, stop_reason",
        id="half a message",
    ),
    pytest.param(
        _exchanges({"id": "a", "response": {"status": 429, "body": {"message": "slow"}}}),
        "the body of an error needs error.type and error.message",
        id="half an error",
    ),
    pytest.param(
        _exchanges({"id": "a", "response": {"status": 200}}),
        "an answer needs a body, a text, events or an outcome",
        id="nothing in the answer",
    ),
    pytest.param(
        _exchanges({"id": "a", "response": {"outcome": "dropped", "body": message([text("x")])}}),
        "a lost connection has no body",
        id="lost and answered",
    ),
    pytest.param(
        _exchanges(exchange("a", {**answer(BOTH, "max_tokens"), "partial_json": {ORDER: "{"}})),
        f"partial_json names {ORDER}, which is not the last block of the reply",
        id="cut in the middle",
    ),
    pytest.param(
        _exchanges(exchange("a", answer([{"type": "tool_use", "id": "toolu_1", "name": "x"}], "tool_use"))),
        "body.content.0 (tool_use) needs input",
        id="call without input",
    ),
    pytest.param(
        _exchanges(
            exchange("asks", answer(BOTH, "tool_use")),
            exchange("b", answer([text("y")]), follows="asks", is_error={"toolu_zz": True}),
        ),
        "when.is_error names toolu_zz, which is no call of asks",
        id="error of an unknown call",
    ),
    pytest.param(
        _with(provenance={**_with()["provenance"], "kind": "recorded"}),
        "a recorded scenario needs the real request-id",
        id="recorded without a request id",
    ),
    pytest.param(_with(provenance={**_with()["provenance"], "note": ""}), "provenance.note: String", id="no note"),
]


@pytest.mark.parametrize(("broken", "sentence"), BROKEN)
def test_a_broken_file_is_explained_without_pydantic(broken: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "broken.json")
    said = str(caught.value)
    assert said.startswith("broken.json does not keep to the scenario format.\n")
    assert sentence in " ".join(said.split())
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert "pydantic" not in said
    assert all(len(line) <= 76 for line in said.splitlines())


def test_the_schema_accepts_what_the_models_accept_and_refuses_a_misspelt_field() -> None:
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    good = json.loads(json.dumps(_with()))
    assert validator.is_valid(good)
    assert not validator.is_valid(good | {"titel": "x"})


def test_the_committed_fixtures_keep_to_the_format() -> None:
    names = sorted(path.stem for path in FIXTURES.glob("*.json"))
    assert [load(name).format for name in names] == [1] * len(names)


def test_the_sdk_is_imported_only_where_a_client_is_made() -> None:
    folder = Path(module.__file__).parent
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_the_top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in at_the_top if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in at_the_top if isinstance(node, ast.ImportFrom)}
        assert "anthropic" not in names or path.name in ("clients.py", "recorder.py")
