"""The course's package: the API double, the checks, what you look at, the grader.

Notebooks import everything they need from here. Each name is looked up when it is first used, so that
`import autograder` costs next to nothing and works before any other package is installed. This file
therefore imports the standard library only and is kept readable for old Pythons.
"""

import importlib

__version__ = "0.1.0"

_HOMES = {
    "replay": "autograder.messages_api.scenario",
    "check": "autograder.checks.namespace",
    "show": "autograder.display.show",
    "show_refusal": "autograder.display.show",
    "CheckFailed": "autograder.errors",
    "MODEL": "autograder.given",
    "SYSTEM": "autograder.given",
    "PRICES": "autograder.given",
    "Fault": "autograder.given",
    "AgentResult": "autograder.given",
    "UnknownTool": "autograder.given",
    "InvalidInput": "autograder.given",
    "BusinessRule": "autograder.given",
    "StepLimitReached": "autograder.given",
    "PauseLimitReached": "autograder.given",
    "BudgetExhausted": "autograder.given",
}

__all__ = tuple(sorted(_HOMES))


def __getattr__(name):
    # type: (str) -> object
    """Look a public name up in its home module, once."""
    if name not in _HOMES:
        raise AttributeError("module 'autograder' has no attribute {!r}".format(name))  # noqa: UP032
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    # type: () -> list[str]
    return sorted(set(globals()) | set(_HOMES))
