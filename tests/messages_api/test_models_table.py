"""The table of models: it is complete, its names agree, and the SDK knows no model that it lacks."""

from __future__ import annotations

from typing import get_args

import pytest
from anthropic._data import DEPRECATED_MODELS
from anthropic.types import model_param

from autograder.messages_api.models_table import ALIASES, EFFORTS, MODELS, model_named


def test_every_model_the_sdk_names_is_in_the_table() -> None:
    literal, _ = get_args(model_param.ModelParam)
    assert [name for name in get_args(literal) if model_named(name) is None] == []


def test_every_model_the_sdk_calls_deprecated_has_its_last_day_in_the_table() -> None:
    assert [name for name in DEPRECATED_MODELS if (found := model_named(name)) is None or found.retired is None] == []


@pytest.mark.parametrize(("alias", "identifier"), [pytest.param(*pair, id=pair[0]) for pair in ALIASES.items()])
def test_an_alias_leads_to_a_dated_model(alias: str, identifier: str) -> None:
    assert alias not in MODELS
    assert model_named(alias) is MODELS[identifier]


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in MODELS])
def test_a_row_is_filled_in(name: str) -> None:
    model = MODELS[name]
    assert model.id == name
    assert 4_096 <= model.output_limit <= model.window
    assert model.efforts is None or set(model.efforts) <= set(EFFORTS)
    assert model.manual_thinking or model.adaptive_thinking
