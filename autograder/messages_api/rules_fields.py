"""Rules about the top level of the body: what must be there, what may be, and what the model lets it hold.

Sources and sureness: "Errors" in the Claude documentation and quotes with request ids (B) unless a docstring names
something else.
"""

from __future__ import annotations

from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid, unknown_model
from autograder.messages_api.block_types import BODY_FIELDS, SAMPLING_FIELDS
from autograder.messages_api.merging import Request
from autograder.messages_api.models_table import EFFORTS, model_named


def text_completion(request: Request) -> ApiRefusal | None:
    """Judge a body written for the retired Text Completions endpoint by its model alone.

    Recorded (langsmith-sdk, completions_async_api, 2026-01-08): an unknown model is a 404, a known one is told to use
    the Messages API. These recordings do not say which path they were sent to.
    """
    body = request.body
    if "messages" in body or "max_tokens_to_sample" not in body or not isinstance(body.get("model"), str):
        return None
    unknown = living_model(request)
    return unknown or invalid(f'"{body["model"]}" is not supported on this API. Please use the Messages API instead.')


def required_field(request: Request) -> ApiRefusal | None:
    """Refuse a body without `model`, `max_tokens` or `messages`. Which is named first is not known (D)."""
    for field in ("model", "max_tokens", "messages"):
        if request.body.get(field) is None and not (field == "max_tokens" and request.counting):
            return invalid(f"{field}: Field required")
    return None


def model_text(request: Request) -> ApiRefusal | None:
    """Refuse a `model` that is not text (wording D)."""
    return None if isinstance(request.body["model"], str) else invalid("model: Input should be a valid string")


def whole_max_tokens(request: Request) -> ApiRefusal | None:
    """Refuse a `max_tokens` that is no whole number, or is below 0 (wording D; 0 itself only warms the cache)."""
    value: Any = request.body.get("max_tokens", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value % 1:
        return invalid("max_tokens: Input should be a valid integer")
    return None if value >= 0 else invalid("max_tokens: Input should be greater than or equal to 0")


def messages_list(request: Request) -> ApiRefusal | None:
    """Refuse `messages` that are no list, or an empty one."""
    messages = request.body["messages"]
    if not isinstance(messages, list):
        return invalid("messages: Input should be a valid list")
    return None if messages else invalid("messages: at least one message is required")


def system_shape(request: Request) -> ApiRefusal | None:
    """Refuse a `system` that is neither text nor a list of text blocks (wording D)."""
    system = request.body.get("system")
    if system is None or isinstance(system, str):
        return None
    if not isinstance(system, list):
        return invalid("system: Input should be a valid list")
    for index, block in enumerate(system):
        if not isinstance(block, dict):
            return invalid(f"system.{index}: Input should be an object")
        if not isinstance(block.get("text"), str):
            problem = "Input should be a valid string" if "text" in block else "Field required"
            return invalid(f"system.{index}.text: {problem}")
    return None


def known_field(request: Request) -> ApiRefusal | None:
    """Refuse a top-level field that no request type has, and sampling parameters from 2026-10-21 on.

    `temperature: Extra inputs are not permitted` was probed on that version by Synthorai (sonnet-4-6, sonnet-5-5).
    """
    for field in request.body:
        if field not in BODY_FIELDS and (request.strict or field not in SAMPLING_FIELDS):
            return invalid(f"{field}: Extra inputs are not permitted")
    return None


def living_model(request: Request) -> ApiRefusal | None:
    """Refuse a model that does not exist or has retired by the day of the request (A)."""
    name = request.body["model"]
    model = model_named(name)
    if model is None or (model.retired is not None and request.on >= model.retired):
        return unknown_model(name)
    return None


def output_limit(request: Request) -> ApiRefusal | None:
    """Refuse more output tokens than the model can give."""
    wanted, limit = request.body.get("max_tokens", 0), request.model.output_limit
    if wanted <= limit:
        return None
    return invalid(
        f"max_tokens: {wanted} > {limit}, which is the maximum allowed number of output tokens for {request.model.id}"
    )


def sampling_default(request: Request) -> ApiRefusal | None:
    """Refuse non-default sampling parameters on models from 4.7 on (API version 2023-06-01).

    What counts as default is known for `temperature` and `top_p` (1); a `top_k` has no value that changes nothing.
    """
    if request.model.sampling != "default":
        return None
    for field in SAMPLING_FIELDS:
        value = request.body.get(field)
        if value is not None and (field == "top_k" or value != 1):
            return invalid(f"`{field}` is deprecated for this model.")
    return None


def one_sampling_parameter(request: Request) -> ApiRefusal | None:
    """Refuse `temperature` together with `top_p` on the 4.5 and 4.6 models (probe of 2026-08-20 with request ids)."""
    body = request.body
    if request.model.sampling != "one" or body.get("temperature") is None or body.get("top_p") is None:
        return None
    return invalid("`temperature` and `top_p` cannot both be specified for this model. Please use only one.")


def effort_level(request: Request) -> ApiRefusal | None:
    """Refuse an effort level that the model does not have (A for opus-4-6; an unknown level is wording D)."""
    config = request.body.get("output_config")
    effort = config.get("effort") if isinstance(config, dict) else None
    if effort is None:
        return None
    if effort not in EFFORTS:
        return invalid("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
    if request.model.efforts is None or effort in request.model.efforts:
        return None
    levels = ", ".join(request.model.efforts)
    return invalid(f"This model does not support effort level '{effort}'. Supported levels: {levels}.")
