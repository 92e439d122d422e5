"""SDK objects on the learner's side: made from JSON, described as JSON, and the client they come from.

The SDK is imported inside the functions: the judge's half never needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from autograder.checks.values import Wire


def build_sdk_object(type_name: str, json: Any) -> Any:
    """Return the SDK object `type_name` made from `json` without validation, as the SDK makes its replies.

    `construct` and not `model_validate`: the latter fails on a block type or stop_reason that the SDK does not
    know, which the API may send at any time.
    """
    from anthropic import types
    from anthropic.types import beta

    cls = getattr(types, type_name, None) or getattr(beta, type_name)
    return cls.construct(**json)


def describe_sdk_object(value: Any) -> Wire | None:
    """Return the tagged form of an SDK object, or None when `value` is none."""
    sdk = sys.modules.get("anthropic")
    if sdk is None or not isinstance(value, sdk.BaseModel):
        return None
    return {"$sdk": type(value).__name__, "json": value.to_dict(mode="json", warnings=False)}


def build_sdk_error(status: int | str, headers: dict[str, str], body: Any) -> Exception:
    """Return the exception that the SDK raises for this answer, by letting it raise it."""
    import anthropic
    import httpx2

    def handler(request: httpx2.Request) -> httpx2.Response:
        if status == "connection":
            raise httpx2.ConnectError("connection refused", request=request)
        if status == "timeout":
            raise httpx2.ReadTimeout("timed out", request=request)
        return httpx2.Response(int(status), headers=headers, json=body)

    http_client = httpx2.Client(transport=httpx2.MockTransport(handler), trust_env=False)
    client = anthropic.Anthropic(api_key="test", http_client=http_client, max_retries=0)
    try:
        client.messages.create(model="any", max_tokens=1, messages=[{"role": "user", "content": "any"}])
    except anthropic.APIError as error:
        return error
    raise ValueError(f"status {status!r} is not an error")


def make_client(ask: Callable[[dict[str, Any]], dict[str, Any]], *, is_async: bool) -> Any:
    """Return an SDK client whose requests go to `ask` instead of a network."""
    from autograder.messages_api.clients import async_client_for, client_for
    from autograder.messages_api.response import Response

    def answer(path: str, body: Any, headers: Mapping[str, str]) -> Response:
        reply = ask({"op": "request", "path": path, "body": body, "headers": dict(headers)})
        return Response.from_json(reply["response"])

    return async_client_for(answer) if is_async else client_for(answer)
