"""What is said about an exception of the learner's code: its words, what it means, what mends it."""

from __future__ import annotations

from autograder.checks.feedback import shortened
from autograder.checks.player import ErrorReport
from autograder.language import _


def said(error: ErrorReport, refusal: str) -> str:
    """Return the exception in one line; only its name where the API's own words are shown beside it."""
    if refusal or not error.text:
        return error.name
    return f"{error.name}: {shortened(' '.join(error.text.split()), 160)}"


def explained(error: ErrorReport) -> str:
    """Return what an exception means that says it badly itself, or ""."""
    if error.name == "RecursionError":
        return _("the function calls itself without an end")
    return ""


def mended(error: ErrorReport) -> str:
    """Return what to try, or ""."""
    if error.name == "NameError":
        return _("run the cells above, from the first one; if the name stays unknown, look at how it is spelled")
    if error.name == "TypeError" and error.text.endswith("object is not subscriptable"):
        return _("the reply and its parts are objects: read a field with a dot, not with square brackets")
    return ""
