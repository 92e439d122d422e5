"""The top level of the body: required, known and allowed fields, and what the model lets them hold."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from autograder.messages_api.request_rules import ApiRefusal, refusal, unknown_model
from tests.messages_api.histories import DAY, OLD_VERSION, body


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"model": None}, "model: Field required", id="no model"),
        pytest.param({"max_tokens": None}, "max_tokens: Field required", id="no max_tokens"),
        pytest.param({"messages": None}, "messages: Field required", id="no messages"),
        pytest.param({"model": 5}, "model: Input should be a valid string", id="model is a number"),
        pytest.param({"max_tokens": "many"}, "max_tokens: Input should be a valid integer", id="max_tokens is text"),
        pytest.param({"max_tokens": True}, "max_tokens: Input should be a valid integer", id="max_tokens is true"),
        pytest.param({"max_tokens": 1.5}, "max_tokens: Input should be a valid integer", id="max_tokens is a fraction"),
        pytest.param(
            {"max_tokens": float("nan")}, "max_tokens: Input should be a valid integer", id="max_tokens is NaN"
        ),
        pytest.param(
            {"max_tokens": -1}, "max_tokens: Input should be greater than or equal to 0", id="max_tokens below 0"
        ),
        pytest.param({"messages": "hi"}, "messages: Input should be a valid list", id="messages is text"),
        pytest.param({"messages": []}, "messages: at least one message is required", id="messages is empty"),
        pytest.param({"system": 5}, "system: Input should be a valid list", id="system is a number"),
        pytest.param({"system": ["a"]}, "system.0: Input should be an object", id="system block is text"),
        pytest.param({"system": [{"type": "text"}]}, "system.0.text: Field required", id="system block without text"),
        pytest.param(
            {"system": [{"text": 1}]}, "system.0.text: Input should be a valid string", id="system text is a number"
        ),
        pytest.param(
            {"campo_inventato_xyz": 1}, "campo_inventato_xyz: Extra inputs are not permitted", id="unknown field"
        ),
        pytest.param(
            {"disable_parallel_tool_use": True},
            "disable_parallel_tool_use: Extra inputs are not permitted",
            id="a field that belongs inside tool_choice",
        ),
        pytest.param(
            {"output_config": {"effort": "extreme"}},
            "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
            id="no such effort",
        ),
    ],
)
def test_a_wrong_field_is_refused_in_the_api_words(change: dict[str, Any], message: str) -> None:
    request = {key: value for key, value in body(**change).items() if value is not None}
    assert refusal(request, on=DAY) == ApiRefusal(400, "invalid_request_error", message)


@pytest.mark.parametrize(
    ("model", "tokens", "named"),
    [
        pytest.param("claude-haiku-4-5", 64_000, "claude-haiku-4-5-20251001", id="an alias is named by its id"),
        pytest.param("claude-opus-5", 128_000, "claude-opus-5", id="opus-5"),
        pytest.param("claude-sonnet-5-5", 128_000, "claude-sonnet-5-5", id="sonnet-5-5"),
    ],
)
def test_the_output_limit_is_the_models(model: str, tokens: int, named: str) -> None:
    assert refusal(body(model=model, max_tokens=tokens), on=DAY) is None
    found = refusal(body(model=model, max_tokens=tokens + 1), on=DAY)
    assert found is not None
    assert found.message == (
        f"max_tokens: {tokens + 1} > {tokens}, which is the maximum allowed number of output tokens for {named}"
    )


@pytest.mark.parametrize(
    ("model", "last_day"),
    [
        pytest.param("claude-2.1", date(2025, 7, 20), id="claude-2.1"),
        pytest.param("claude-3-5-sonnet-latest", date(2025, 10, 27), id="an alias"),
        pytest.param("claude-3-5-haiku-20241022", date(2026, 2, 18), id="claude-3-5-haiku"),
        pytest.param("claude-sonnet-4-5", date(2026, 11, 29), id="claude-sonnet-4-5"),
    ],
)
def test_a_model_answers_until_it_retires_and_then_is_not_found(model: str, last_day: date) -> None:
    assert refusal(body(model=model), on=last_day) is None
    assert refusal(body(model=model), on=last_day.replace(year=last_day.year + 1)) == unknown_model(model)


@pytest.mark.parametrize("model", ["claude-haiku-4-5-latest", "claude-4-5-haiku", "gpt-5", ""])
def test_a_model_that_never_was_is_not_found(model: str) -> None:
    assert refusal(body(model=model), on=DAY) == ApiRefusal(404, "not_found_error", f"model: {model}")


@pytest.mark.parametrize(
    ("model", "fields", "message"),
    [
        pytest.param("claude-opus-4-7", {"temperature": 0}, "`temperature` is deprecated for this model.", id="4.7"),
        pytest.param("claude-opus-5-5", {"top_p": 0.5}, "`top_p` is deprecated for this model.", id="5.5"),
        pytest.param("claude-sonnet-5", {"top_k": 5}, "`top_k` is deprecated for this model.", id="5"),
        pytest.param("claude-sonnet-5", {"temperature": 1.0, "top_p": 1}, None, id="default values"),
        pytest.param("claude-sonnet-4-6", {"temperature": 0}, None, id="4.6 takes one"),
        pytest.param(
            "claude-haiku-4-5",
            {"temperature": 0.2, "top_p": 0.9},
            "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
            id="4.5 takes one, not both",
        ),
        pytest.param("claude-haiku-4-5", {"temperature": 0.2, "top_k": 5}, None, id="temperature with top_k"),
    ],
)
def test_sampling_under_the_older_version_depends_on_the_model(
    model: str, fields: dict[str, Any], message: str | None
) -> None:
    found = refusal(body(model=model, **fields), api_version=OLD_VERSION, on=DAY)
    assert (found.message if found else None) == message


def test_claude_4_took_temperature_with_top_p() -> None:
    request = body(model="claude-sonnet-4-0", temperature=0.7, top_p=0.3)
    assert refusal(request, api_version=OLD_VERSION, on=date(2025, 10, 9)) is None


@pytest.mark.parametrize(
    ("model", "effort", "refused"),
    [
        pytest.param("claude-opus-4-6", "xhigh", True, id="opus-4-6 has no xhigh"),
        pytest.param("claude-opus-4-6", "max", False, id="opus-4-6 has max"),
        pytest.param("claude-sonnet-5-5", "xhigh", False, id="sonnet-5-5 has all"),
    ],
)
def test_an_effort_level_the_model_lacks_is_refused(model: str, effort: str, refused: bool) -> None:
    found = refusal(body(model=model, output_config={"effort": effort}), on=DAY)
    assert (found is not None) is refused
    if found is not None:
        assert found.message == (
            "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."
        )


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param("claude-4-5-haiku", unknown_model("claude-4-5-haiku"), id="unknown"),
        pytest.param(
            "claude-haiku-4-5",
            ApiRefusal(
                400,
                "invalid_request_error",
                '"claude-haiku-4-5" is not supported on this API. Please use the Messages API instead.',
            ),
            id="known",
        ),
    ],
)
def test_a_text_completion_is_judged_by_its_model(model: str, expected: ApiRefusal) -> None:
    assert refusal({"model": model, "prompt": "Human: hi", "max_tokens_to_sample": 3}, on=DAY) == expected
