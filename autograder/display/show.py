"""The two calls a notebook makes: show a conversation, show a refusal.

A stored notebook holds no traceback. A demonstration of a mistake therefore runs inside `show_refusal`, which prints
what the API said: the same three lines that a learner would look for in the traceback.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from autograder.display.table import table
from autograder.language import _
from autograder.messages_api.errors import REPLAY_MISMATCH

WIDTH = 76


def show(x: Any) -> None:
    """Show a Message, a history or a transcript as a table: drawn in a notebook, printed elsewhere.

    x: an SDK Message or its dict, a list of turns, or the transcript of a scenario.
    Raises: CourseError when x is none of these.
    """
    view = table(x)
    if _in_ipython():
        from IPython.display import display

        display(view)  # type: ignore[no-untyped-call]
    else:
        print(view)


@contextmanager
def show_refusal() -> Iterator[None]:
    """Run a request that may be refused, and print what refused it instead of a traceback.

    Use it as `with show_refusal(): client.messages.create(...)`. Swallowed: an answer with an HTTP error status,
    and the SDK's own check of the arguments. Any other exception rises: it is not a refusal.
    """
    try:
        yield
    except Exception as error:
        if not _is_refusal(error):
            raise
        print(_refusal(error))
    else:
        print(_("Nothing was refused: the API accepted the request."))


def _in_ipython() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return get_ipython() is not None


def _is_refusal(error: Exception) -> bool:
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        return True
    return isinstance(error, TypeError | ValueError) and _raised_by_sdk(error.__traceback__)


def _raised_by_sdk(trace: TracebackType | None) -> bool:
    """Say whether the innermost frame is the SDK's: a learner's own TypeError is not a refusal."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = str(trace.tb_frame.f_globals.get("__name__", "")) if trace else ""
    return module.partition(".")[0] == "anthropic"


def _refusal(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    if status is None:
        heading = _("The SDK refused before sending:")
        return "\n".join([heading, *_wrapped(str(error), "  ")])
    body = getattr(error, "body", None)
    found = body.get("error") if isinstance(body, Mapping) else None
    inner: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    kind, message = (
        str(inner.get("type", "?")),
        str(inner.get("message", body or error)),
    )
    if kind == REPLAY_MISMATCH:
        return _mismatch(message, inner.get("details"))
    lines = {"status": str(status), "type": kind, "message": message}
    return "\n".join([_("The API refused the request."), *_entries(lines)])


def _mismatch(message: str, details: Any) -> str:
    heading = _("No recorded answer fits this request. The API was not asked.")
    if not isinstance(details, Mapping):
        return "\n".join([heading, *_wrapped(message, "  ")])
    lines = {str(key): _plainly(value) for key, value in details.items() if value}
    return "\n".join([heading, *_entries(lines)])


def _plainly(value: Any) -> str:
    """Return a detail as text: a list of words in one line, a list of differences one after the other."""
    if isinstance(value, Mapping):
        what, *rest = (f"{key}: {item}" for key, item in value.items())
        return "\n".join([what.removeprefix("what: "), *rest])
    if isinstance(value, list | tuple):
        return ("\n" if any(isinstance(item, Mapping) for item in value) else ", ").join(map(_plainly, value))
    return str(value)


def _entries(lines: Mapping[str, str]) -> Iterator[str]:
    """Yield name and value, the values wrapped and in one column."""
    label = max(map(len, lines))
    for name, value in lines.items():
        first, *rest = _wrapped(value, " " * (label + 4))
        yield f"  {name.ljust(label)}  {first.lstrip()}"
        yield from rest


def _wrapped(text: str, indent: str) -> list[str]:
    lines = [
        line
        for paragraph in text.splitlines()
        for line in textwrap.wrap(
            paragraph,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
    ]
    return lines or [indent]
