"""The two smaller resources of the API: the list of models, and the count of a request's tokens."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from autograder.messages_api.models_table import MODELS, Model, model_named
from autograder.messages_api.request_rules import estimated_tokens

Json = dict[str, Any]
# The reference allows this where the day of release is not known, and our table does not hold it.
_UNKNOWN_DAY = "1970-01-01T00:00:00Z"


def model_list(on: dt.date) -> Json:
    """Every model with its stage of life on a day, newest first, as GET /v1/models lists them."""
    listed = [_info(model, on) for model in reversed(MODELS.values())]
    return {"data": listed, "has_more": False, "first_id": listed[0]["id"], "last_id": listed[-1]["id"]}


def model_info(name: str, on: dt.date) -> Json | None:
    """One model as GET /v1/models/NAME shows it; an alias gives the model it stands for; None when there is none."""
    model = model_named(name)
    return None if model is None else _info(model, on)


def token_estimate(body: Json, usage: Mapping[str, Any] | None) -> int:
    """The input tokens of a request: recorded, or else an estimate from its length (the API calls its own count one).

    `usage` is that of the recorded reply to this very request, if there is one.
    """
    if usage is not None:
        parts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        return sum(usage.get(part) or 0 for part in parts)
    return max(1, estimated_tokens(body))


def _info(model: Model, on: dt.date) -> Json:
    """Fields of ModelInfo in SDK 2.14.0; what our table does not know is null, as the reference allows."""
    return {
        "type": "model",
        "id": model.id,
        "display_name": _display_name(model.id),
        "created_at": _UNKNOWN_DAY,
        "lifecycle": _lifecycle(model, on),
        "line": None,
        "capabilities": None,
        "deprecated_at": None,
        "max_input_tokens": model.window,
        "max_tokens": model.output_limit,
    }


def _lifecycle(model: Model, on: dt.date) -> str:
    if model.retired is None:
        return "active"
    return "retired" if on >= model.retired else "deprecated"


def _display_name(identifier: str) -> str:
    """`claude-sonnet-5-5` is Claude Sonnet 5.5; a date at the end is left out."""
    undated = re.sub(r"-\d{8}$", "", identifier)
    return re.sub(r"(?<=\d)-(?=\d)", ".", undated).replace("-", " ").title()
