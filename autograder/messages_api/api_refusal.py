"""What the API says when it refuses: status, error type and message, plus the refusals that need no body.

Kept apart from the rules so that every rule module and every face (transport, server, transcript) can speak of a
refusal without importing the rules themselves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ApiRefusal:
    """One refusal as it stands on the wire.

    Attributes:
        status: the HTTP status, for example 400.
        type: the value of `error.type`, for example "invalid_request_error".
        message: the value of `error.message`, word for word.
    """

    status: int
    type: str
    message: str


def invalid(message: str) -> ApiRefusal:
    """Return the 400 refusal that every rule about the body uses."""
    return ApiRefusal(400, "invalid_request_error", message)


def unknown_model(model: str) -> ApiRefusal:
    """Return the 404 for a model that does not exist or has retired (recorded many times, 2025 to 2026)."""
    return ApiRefusal(404, "not_found_error", f"model: {model}")


def missing_key() -> ApiRefusal:
    """Return the 401 for a request without a key (recorded)."""
    return ApiRefusal(401, "authentication_error", "x-api-key header is required")


def invalid_key() -> ApiRefusal:
    """Return the 401 for a key that is not one (recorded)."""
    return ApiRefusal(401, "authentication_error", "invalid x-api-key")


def too_large() -> ApiRefusal:
    """Return the 413 for a body over 32 MB, which never reaches the API servers (docs "Errors"; quoted in reports)."""
    return ApiRefusal(413, "request_too_large", "Request exceeds the maximum size")


def not_json(error: json.JSONDecodeError) -> ApiRefusal:
    """Return the 400 for a body that is not JSON.

    Two wordings are quoted with request ids (2026-08-07): an empty body, and one that ends too early. For any other
    fault the place is given in the same form with Python's own words, which may differ from the server's.

    Args:
        error: what `json.loads` raised; its text and position give the wording.
    """
    if not error.doc.strip():
        detail = "Input is a zero-length, empty document"
    elif error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        detail = "unexpected end of data"
    else:
        detail = error.msg
    place = f"line {error.lineno} column {error.colno} (char {error.pos})"
    return invalid(f"The request body is not valid JSON: {detail}: {place}")
