"""From the bytes of a request to its JSON, or to what the API says about bytes it cannot read.

Kept apart from the faces of the double: what is no JSON, too large or too deep never reaches a double, and every face
has to answer it alike.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid, not_json, too_large
from autograder.messages_api.identifiers import new_id
from autograder.messages_api.response import Response, error_response

LARGEST_BODY = 32 * 1024 * 1024
# Real requests stay below 20 levels. Where the API's own limit lies is not known; Python's is not far above this one.
DEEPEST_BODY = 200
# Bodies that no double ever sees are refused with the date of the first release.
FIRST_DAY = dt.date(2026, 11, 30)
_WITHOUT_BODY = frozenset({"GET", "HEAD"})
_TOO_DEEP = f"The request body is not valid JSON: it is nested more than {DEEPEST_BODY} levels deep"


def read_body(method: str, content: bytes) -> dict[str, Any] | ApiRefusal:
    """Read the body of a request.

    Args:
        method: the HTTP method; GET and HEAD have no body, which reads as `{}`.
        content: the bytes that arrived; what is not UTF-8 in them is replaced.

    Returns:
        The JSON object, or what the API says to a body that it cannot read. Never raises.
    """
    if len(content) > LARGEST_BODY:
        return too_large()
    if method in _WITHOUT_BODY:
        return {}
    try:
        body = json.loads(content.decode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        return not_json(error)
    except RecursionError:
        return invalid(_TOO_DEEP)
    except ValueError as error:  # a number of more than 4300 digits
        return invalid(f"The request body is not valid JSON: {error}")
    if not isinstance(body, dict):
        return invalid("Input should be an object")
    # Counting brackets is quick and is all that an ordinary request needs.
    if content.count(b"[") + content.count(b"{") > DEEPEST_BODY and _is_deeper(body, DEEPEST_BODY):
        return invalid(_TOO_DEEP)
    return body


def unread(refused: ApiRefusal, *parts: object, on: dt.date = FIRST_DAY) -> Response:
    """The answer to a request that no double sees; `parts` are what its request id is made from."""
    return error_response(on, new_id("req", *parts), refused.status, refused.type, refused.message)


def _is_deeper(holder: Any, levels: int) -> bool:
    """Whether lists and objects lie in each other more than so many levels deep, the outermost counted."""
    layer = [holder]
    for _level in range(levels):
        layer = [inner for outer in layer for inner in _inside(outer) if isinstance(inner, dict | list)]
        if not layer:
            return False
    return True


def _inside(holder: Any) -> Iterable[Any]:
    return holder.values() if isinstance(holder, dict) else holder
