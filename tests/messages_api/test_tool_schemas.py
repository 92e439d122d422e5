"""Input schemas: jsonschema has the word, the everyday ones pass without it, and nothing is looked at twice."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, SchemaError

from autograder.messages_api.tool_schemas import is_valid_schema


def is_valid_to_jsonschema(schema: Any) -> bool:
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return False
    return True


KEYWORDS = [
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "enum",
    "examples",
    "items",
    "maximum",
    "minLength",
    "minProperties",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
]
VALUES = st.sampled_from(["string", "object", "text", "", -1, 0, 2, 1.5, True, False, None, ["a"], ["a", "a"], [1], []])
SCHEMAS = st.recursive(
    VALUES,
    lambda inner: st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYWORDS), SCHEMAS, max_size=3))
def test_the_verdict_is_that_of_jsonschema(schema: dict[str, Any]) -> None:
    assert is_valid_schema(schema) is is_valid_to_jsonschema(schema)


@pytest.mark.parametrize(
    ("schema", "asked"),
    [
        pytest.param({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, 0, id="everyday"),
        pytest.param({"type": "object", "patternProperties": {"^seen": {"type": "string"}}}, 1, id="anything else"),
    ],
)
def test_jsonschema_is_asked_once_and_only_when_needed(schema: dict[str, Any], asked: int) -> None:
    with patch.object(Draft202012Validator, "check_schema", wraps=Draft202012Validator.check_schema) as check:
        assert [is_valid_schema(schema) for _ in range(3)] == [True, True, True]
    assert check.call_count == asked
