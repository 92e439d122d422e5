"""What the Messages API refuses, in the API's own words: the face of the rules in the modules beside this one.

Learners believe what the double says, so it must refuse what the API refuses and only that. Each rule is one function
that looks at a `Request` and returns an `ApiRefusal` or None; they run in the order below, the first refusal wins.
First the shape of the body, then the model, then what the model lets a body hold, then the conversation.
That shapes come before the model and the model before the rest is how the recordings read; the order inside a group
is the order in which the fields and messages stand, and beyond that not known.

Every rule's docstring names its source and how sure it is: A recorded, B documented or reported with request ids,
C quoted in third-party code only, D inferred.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from autograder.messages_api import (
    rules_content,
    rules_fields,
    rules_pairing,
    rules_roles,
    rules_size,
    rules_thinking,
    rules_tools,
)
from autograder.messages_api.api_refusal import (
    ApiRefusal,
    invalid,
    invalid_key,
    missing_key,
    not_json,
    too_large,
    unknown_model,
)
from autograder.messages_api.merging import Request
from autograder.messages_api.rules_size import estimated_tokens
from autograder.messages_api.rules_thinking import changed_thinking

__all__ = [
    "ApiRefusal",
    "changed_thinking",
    "estimated_tokens",
    "invalid_key",
    "missing_key",
    "not_json",
    "refusal",
    "too_large",
    "unknown_model",
]

Rule = Callable[[Request], ApiRefusal | None]

SHAPE: tuple[Rule, ...] = (
    rules_fields.text_completion,
    rules_fields.required_field,
    rules_fields.model_text,
    rules_fields.whole_max_tokens,
    rules_fields.messages_list,
    rules_content.message_shapes,
    rules_fields.system_shape,
    rules_tools.tool_shapes,
    rules_tools.tool_choice_shape,
    rules_thinking.thinking_shape,
    rules_fields.known_field,
)

MODEL: tuple[Rule, ...] = (
    rules_fields.living_model,
    rules_fields.output_limit,
    rules_fields.sampling_default,
    rules_fields.one_sampling_parameter,
    rules_thinking.thinking_kind_supported,
    rules_thinking.budget_below_max_tokens,
    rules_fields.effort_level,
    rules_tools.tool_names_unique,
    rules_tools.chosen_tool_provided,
    rules_tools.forced_tools_supported,
    rules_tools.forced_tools_without_thinking,
)

CONVERSATION: tuple[Rule, ...] = (
    rules_roles.system_role_known,
    rules_roles.system_message_placed,
    rules_content.content_present,
    rules_content.text_present,
    rules_content.text_not_blank,
    rules_content.system_text,
    rules_size.cache_markers,
    rules_pairing.right_speaker,
    rules_pairing.unique_calls,
    rules_pairing.paired_results,
    rules_pairing.single_results,
    rules_pairing.known_callers,
    rules_pairing.server_results_called,
    rules_pairing.resolved_server_calls,
    rules_thinking.thinking_leads,
    rules_roles.prefill_supported,
    rules_roles.prefill_trimmed,
    rules_size.text_bytes,
    rules_size.prompt_length,
)

RULES = SHAPE + MODEL + CONVERSATION


def refusal(
    body: Any,
    *,
    api_version: str = "2026-10-21",
    on: date | None = None,
    counting: bool = False,
    characters: int | None = None,
) -> ApiRefusal | None:
    """Return what the API would answer to a request it does not accept, or None for one it accepts.

    Never raises, whatever the JSON. Thinking blocks that came back changed are not seen here: only who answered them
    can tell, see `changed_thinking`.

    Args:
        body: the request body as parsed JSON.
        api_version: the `anthropic-version` header; "2026-10-21" is what SDK 2 sends.
        on: the day of the request, today when None. Models retire and rules change from their dates.
        counting: judge as POST /v1/messages/count_tokens does, where `max_tokens` is not needed.
        characters: the length of the body as JSON text, for a caller that has that text; found out when None.

    Returns:
        Status, error type and message, word for word; None when the request passes.
    """
    if not isinstance(body, dict):
        return invalid("Input should be an object")
    request = Request(body, api_version, date.today() if on is None else on, counting, characters)
    for rule in RULES:
        found = rule(request)
        if found is not None:
            return found
    return None
