"""The page on the scenario format says what the models say, and its examples are good scenarios."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel

from autograder.authoring.scenario_schema import PAGE, schema_text, write
from autograder.messages_api.composed_plan import survivable
from autograder.messages_api.composition import ENDINGS, TRAITS
from autograder.messages_api.identifiers import looks_real
from autograder.messages_api.scenario import (
    FIXTURES,
    Exchange,
    MaxTokens,
    Provenance,
    Recorded,
    RequestTemplate,
    Scenario,
    When,
    from_json,
)
from tests.messages_api.builders import data, message

Json = dict[str, Any]

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "scenario_format.md").read_text(encoding="utf-8")
MODELS: list[type[BaseModel]] = [Scenario, Provenance, RequestTemplate, Exchange, When, MaxTokens, Recorded]
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]


def made_whole(value: Any) -> Any:
    """An example with whole Messages in the place of the shortened ones."""
    if isinstance(value, list):
        return [made_whole(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("...") == "...":
        own = {key: item for key, item in value.items() if key != "..."}
        return message(own["content"], str(own["stop_reason"])) | own
    return {key: made_whole(item) for key, item in value.items()}


def as_scenario(example: Any) -> Json:
    whole = made_whole(example)
    if isinstance(whole, dict) and "format" in whole:
        return whole
    return data(*(whole if isinstance(whole, list) else [whole]))


def test_the_schema_file_is_current() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == schema_text(), (
        "run: python3 -m autograder.authoring.scenario_schema"
    )


def test_the_schema_is_written_where_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    assert write(tmp_path).read_text(encoding="utf-8") == schema_text()


def test_every_committed_scenario_keeps_to_the_schema_file() -> None:
    validator = jsonschema.Draft202012Validator(json.loads((ROOT / PAGE).read_text(encoding="utf-8")))
    for path in FIXTURES.glob("*.json"):
        assert list(validator.iter_errors(json.loads(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_page_names_every_field_and_whether_it_must_be_there(model: type[BaseModel]) -> None:
    said = {row[0].strip("`"): row[1] for row in rows(model.__name__)}
    fields = {name: "yes" if field.is_required() else "no" for name, field in model.model_fields.items()}
    if model is Exchange:
        fields |= {"response": "this or `attempts`", "attempts": "this or `response`"}
    assert said == fields
    assert list(said) == list(fields)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: json.dumps(example)[:30])
def test_an_example_is_a_good_scenario(example: Any) -> None:
    given = as_scenario(example)
    jsonschema.validate(given, json.loads(schema_text()))
    assert from_json(given).exchanges
    assert all(map(looks_real, re.findall(r"(?:srv)?toolu_\w+", json.dumps(example))))


def test_every_field_has_an_example() -> None:
    written = {key for example in EXAMPLES for key in _keys(example)}
    known = {name for model in (Scenario, Exchange, When, MaxTokens, Recorded) for name in model.model_fields}
    assert known - written == set()


def _keys(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set(value).union(*map(_keys, value.values())) if isinstance(value, dict) else set()


def test_the_page_names_every_trait_and_its_lesson() -> None:
    table = [row for row in rows("Other conversations from the same files") if row[1].isdigit()]
    assert {row[0].strip("`") for row in table} == set(TRAITS)
    assert len(table) == len(TRAITS)
    for trait, lesson, what in ((row[0].strip("`"), int(row[1]), row[2]) for row in table):
        assert trait in survivable(lesson)
        assert trait not in survivable(lesson - 1)
        assert what.startswith("ending") == (trait in ENDINGS)
