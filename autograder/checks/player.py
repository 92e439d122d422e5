"""The seam between a check and the learner's code.

A check is written once, against `Player`. In a notebook the player calls functions in the same process;
when a class is graded it talks to another process. Both speak the same JSON operations with the same
learner's side (`learner_side`), so a verdict cannot depend on where the code ran.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.checks.learner_side import LearnerSide
from autograder.checks.values import (
    Handle,
    Marker,
    Method,
    SdkError,
    SdkObject,
    Stream,
    Wire,
    given_record,
    pack,
    unpack,
)
from autograder.language import _

Answer = Callable[[str, Any, Mapping[str, str]], Any]
"""`answer(path, body, headers)` returns the double's Response (status, headers, body or events)."""

Serve = Callable[[dict[str, Any]], dict[str, Any]]

KINDS = ("returned", "raised", "missing", "not_callable", "arity", "stopped", "died")
"""What can become of a call, see `Outcome.kind`."""

CALLBACK_LIMIT = 300
"""Requests and tool runs that one call may make before it is stopped as endless."""


@dataclass(frozen=True)
class ErrorReport:
    """An exception as the judge sees it.

    class_names: the names from the exception's own class up to BaseException.
    text: str(exception). fields: attributes that are JSON or given records.
    line: the learner's line that was running, "" when it is not known.
    """

    class_names: tuple[str, ...]
    text: str
    fields: dict[str, Any]
    line: str = ""

    def __repr__(self) -> str:
        return f"{self.name}({self.text!r})"

    @property
    def name(self) -> str:
        """The exception's class name."""
        return self.class_names[0]


@dataclass(frozen=True)
class Outcome:
    """What a call did.

    kind: "returned", "raised", "missing" (no such name), "not_callable", "arity" (it does not take these
    arguments), "stopped" (endless) or "died" (its process ended).
    value: the returned value. arguments_after: the arguments as the call left them.
    error: for "raised" and "arity". stdout: what it printed.
    """

    kind: str
    value: Any = None
    arguments_after: tuple[Any, ...] = ()
    error: ErrorReport | None = None
    stdout: str = ""

    @property
    def is_stub(self) -> bool:
        """Whether the function is still as it was released."""
        return self.error is not None and self.error.name == "NotImplementedError"


@dataclass
class _Callbacks:
    """The judge's functions that one call may reach, and how often it did."""

    answer: Answer | None
    functions: dict[int, Callable[..., Any]]
    count: int = 0


class Player(ABC):
    """Calls the learner's functions. Arguments and results cross as JSON (see `values`)."""

    def call(
        self,
        target: str | Handle | Method,
        *arguments: Any,
        answer: Answer | None = None,
        run_tool: Callable[[str, Any], Any] | None = None,
        **keywords: Any,
    ) -> Outcome:
        """Call a learner's function and return what it did.

        target: the function's name, a Handle that an earlier call returned, or a Handle's method.
        arguments, keywords: JSON values, `SdkObject`, `SdkError`, `Stream`, given records, functions of the
        judge, and the markers CLIENT, ASYNC_CLIENT and RUN_TOOL.
        answer: what the client's requests are answered with. run_tool: what RUN_TOOL calls.
        """
        callbacks = _Callbacks(answer, self._functions)
        operation = {
            "op": "call",
            "target": _target(target),
            "arguments": [self._pack(item, callbacks, run_tool) for item in arguments],
            "keywords": {name: self._pack(item, callbacks, run_tool) for name, item in keywords.items()},
        }
        return _outcome(self._perform(operation, lambda request: _serve(request, callbacks)))

    def value(self, name: str) -> Outcome:
        """Return the value of a name, as the outcome of looking it up ("returned" or "missing")."""
        return _outcome(self._perform({"op": "value", "name": name}, _nothing_to_serve))

    def drain(self, handle: Handle, limit: int = 1000, *, answer: Answer | None = None) -> Outcome:
        """Return the items of an iterator that stayed on the learner's side, at most `limit` of them."""
        callbacks = _Callbacks(answer, self._functions)
        operation = {"op": "drain", "handle": handle.id, "limit": limit}
        return _outcome(self._perform(operation, lambda request: _serve(request, callbacks)))

    @cached_property
    def _functions(self) -> dict[int, Callable[..., Any]]:
        """The judge's functions by number: a function that one call returned may run them in a later call."""
        return {}

    @abstractmethod
    def _perform(self, operation: dict[str, Any], serve: Serve) -> dict[str, Any]:
        """Carry one operation to the learner's side; `serve` answers its call-backs."""

    def _pack(self, value: Any, callbacks: _Callbacks, run_tool: Callable[[str, Any], Any] | None) -> Wire:
        def special(item: Any) -> Wire:
            if isinstance(item, Marker) and item.name == "run_tool":
                return _function(run_tool or _no_tool, callbacks)
            return _pack_for_learner(item, callbacks)

        return pack(value, special)


class InProcessPlayer(Player):
    """The player of a notebook: the learner's objects live in this process."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        """names: the learner's functions and values by name."""
        self._learner = LearnerSide(names)

    def _perform(self, operation: dict[str, Any], serve: Serve) -> dict[str, Any]:
        return self._learner.perform(operation, serve)


def _target(target: str | Handle | Method) -> dict[str, Any]:
    if isinstance(target, str):
        return {"name": target}
    if isinstance(target, Handle):
        return {"handle": target.id}
    return {"handle": target.handle, "method": target.name}


def _pack_for_learner(item: Any, callbacks: _Callbacks) -> Wire:
    if isinstance(item, Marker):
        return {"$client": item.name == "async_client"}
    if isinstance(item, SdkObject):
        return {"$sdk": item.type_name, "json": item.json}
    if isinstance(item, SdkError):
        return {"$sdk_error": item.status, "headers": item.headers, "body": item.body}
    if isinstance(item, Handle):
        return {"$handle": item.id}
    if isinstance(item, Stream):
        items = [pack(part, lambda value: _pack_for_learner(value, callbacks)) for part in item.items]
        return {"$stream": items, "async": item.is_async}
    if isinstance(item, BaseException):
        return {"$exception": type(item).__name__, "arguments": list(item.args), "fields": vars(item)}
    if callable(item):
        return _function(item, callbacks)
    fields = getattr(item, "__dataclass_fields__", None)
    if fields is None:
        raise TypeError(f"cannot hand a {type(item).__name__} to the learner's code")
    values = {name: pack(getattr(item, name), lambda value: _pack_for_learner(value, callbacks)) for name in fields}
    return {"$given": type(item).__name__, "fields": values}


def _function(function: Callable[..., Any], callbacks: _Callbacks) -> Wire:
    number = len(callbacks.functions) + 1
    callbacks.functions[number] = function
    return {"$function": number}


def _no_tool(name: str, tool_input: Any) -> Any:
    raise LookupError(f"this check offers no tool named {name!r}")


def _nothing_to_serve(request: dict[str, Any]) -> dict[str, Any]:
    raise RuntimeError(f"looking a value up must not call back: {request!r}")


def _serve(request: dict[str, Any], callbacks: _Callbacks) -> dict[str, Any]:
    """Answer one call-back of the learner's side: an API request or a call of one of the judge's functions."""
    callbacks.count += 1
    if callbacks.count > CALLBACK_LIMIT:
        return {"stop": _("stopped after {count} requests and tool runs").format(count=CALLBACK_LIMIT)}
    if request["op"] == "request":
        if callbacks.answer is None:
            return {"stop": _("this check answers no requests")}
        response = callbacks.answer(request["path"], request["body"], request["headers"])
        return {"response": response.to_json()}
    function = callbacks.functions.get(request["function"])
    if function is None:
        return {"stop": _("this check has no such function")}
    arguments = [_unpack_for_judge(item) for item in request["arguments"]]
    keywords = {name: _unpack_for_judge(item) for name, item in request["keywords"].items()}
    try:
        value = function(*arguments, **keywords)
    except Exception as error:
        return {"raise": _pack_for_learner(error, callbacks)}
    return {"value": pack(value, lambda item: _pack_for_learner(item, callbacks))}


def _unpack_for_judge(wire: Wire) -> Any:
    return unpack(wire, _judge_form)


def _judge_form(tag: str, form: dict[str, Any]) -> Any:
    if tag == "$sdk":
        return SdkObject(form["$sdk"], form["json"])
    if tag == "$given":
        return given_record(form["$given"], {name: _unpack_for_judge(item) for name, item in form["fields"].items()})
    if tag == "$error":
        return _error(form["$error"])
    if tag == "$handle":
        return Handle(form["$handle"], form["type"], form["text"])
    raise ValueError(f"the learner's side sent the unknown form {tag!r}")


def _error(form: dict[str, Any] | None) -> ErrorReport | None:
    if form is None:
        return None
    fields = {name: _unpack_for_judge(item) for name, item in form["fields"].items()}
    return ErrorReport(tuple(form["mro"]), form["text"], fields, form["line"])


def _outcome(reply: dict[str, Any]) -> Outcome:
    """Read what the learner's side replied; a reply that this side's code cannot have written is a dead process."""
    try:
        return _read_outcome(reply)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return Outcome("died")


def _read_outcome(reply: dict[str, Any]) -> Outcome:
    return Outcome(
        kind=reply["kind"],
        value=_unpack_for_judge(reply.get("value")),
        arguments_after=tuple(_unpack_for_judge(item) for item in reply.get("arguments_after", [])),
        error=_error(reply.get("error")),
        stdout=reply.get("stdout", ""),
    )
