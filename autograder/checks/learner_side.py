"""The learner's half of a check: it holds the learner's objects and does what the judge asks.

The same class serves the notebook (`player.InProcessPlayer`) and the process outside it
(`autograder.grading.runner`). It judges nothing. What it does not understand it hands back by handle.
"""

from __future__ import annotations

import asyncio
import builtins
import inspect
import linecache
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from autograder import given
from autograder.checks.capture import captured
from autograder.checks.sdk_objects import build_sdk_error, build_sdk_object, describe_sdk_object, make_client
from autograder.checks.values import GIVEN_RECORDS, Wire, given_record, pack, unpack
from autograder.language import _

Ask = Callable[[dict[str, Any]], dict[str, Any]]


class Stopped(BaseException):
    """Ends a call that would go on for ever. Not an Exception, so that neither the SDK nor a loop catches it."""


class LearnerSide:
    """Performs the judge's operations on the learner's objects.

    names: the learner's functions and values by name.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names
        self._objects: list[Any] = []

    def perform(self, operation: dict[str, Any], ask: Ask) -> dict[str, Any]:
        """Carry out one operation ("call", "value" or "drain") and return its outcome as JSON.

        ask: sends a call-back (an API request, a call of a judge's function) and returns its answer.
        """
        if operation["op"] == "value":
            return self._value(operation["name"])
        if operation["op"] == "drain":
            items = self._objects[operation["handle"]]
            return self._run(lambda: _listed(items, operation["limit"]), [], ask)
        return self._call(operation, ask)

    def _value(self, name: str) -> dict[str, Any]:
        if name not in self._names:
            return {"kind": "missing"}
        return {"kind": "returned", "value": self._pack(self._names[name])}

    def _call(self, operation: dict[str, Any], ask: Ask) -> dict[str, Any]:
        target = operation["target"]
        if "name" in target and target["name"] not in self._names:
            return {"kind": "missing"}
        function = self._names[target["name"]] if "name" in target else self._objects[target["handle"]]
        if "method" in target:
            function = getattr(function, target["method"], None)
        if not callable(function):
            return {"kind": "not_callable", "value": self._pack(function)}
        arguments = [self._unpack(item, ask) for item in operation["arguments"]]
        keywords = {name: self._unpack(item, ask) for name, item in operation["keywords"].items()}
        mismatch = _arity_mismatch(function, arguments, keywords)
        if mismatch is not None:
            return {"kind": "arity", "error": mismatch}
        return self._run(lambda: function(*arguments, **keywords), arguments, ask, function)

    def _run(self, action: Callable[[], Any], arguments: list[Any], ask: Ask, function: Any = None) -> dict[str, Any]:
        with captured() as printed:
            try:
                value = action()
                if inspect.isawaitable(value):
                    value = run_to_end(value)
                outcome = {"kind": "returned", "value": self._pack(value)}
            except Stopped as stopped:
                outcome = {"kind": "stopped", "value": str(stopped)}
            except KeyboardInterrupt:
                raise KeyboardInterrupt from None  # the learner's own hand: it ends the cell, without our frames
            except BaseException as error:
                outcome = {"kind": "raised", "error": self._error(error, function)}
            # Still captured: packing calls the learner's own __repr__ and __dict__.
            after = [self._pack(item) for item in arguments]
        return {**outcome, "arguments_after": after, "stdout": printed.getvalue()}

    def _error(self, error: BaseException, function: Any) -> Wire:
        fields = {
            name: self._handle(item) if isinstance(item, BaseException) else self._pack(item)
            for name, item in vars(error).items()
            if not name.startswith("_")
        }
        return {
            "mro": [cls.__name__ for cls in type(error).__mro__[:-1]],
            "text": _text(error),
            "fields": fields,
            "line": _learner_line(error, function),
        }

    def _pack(self, value: Any) -> Wire:
        try:
            return pack(value, self._special)
        except Exception:  # a list that holds itself, an SDK object that cannot be written, any object's own fault
            return self._handle(value)

    def _special(self, value: Any) -> Wire:
        sdk_object = describe_sdk_object(value)
        if sdk_object is not None:
            return sdk_object
        name = type(value).__name__
        fields = getattr(value, "__dataclass_fields__", None)
        if name in GIVEN_RECORDS and fields is not None:
            return {"$given": name, "fields": {field: self._pack(getattr(value, field, None)) for field in fields}}
        if isinstance(value, BaseException):
            return {"$error": self._error(value, None)}
        return self._handle(value)

    def _handle(self, value: Any) -> Wire:
        known = [number for number, kept in enumerate(self._objects) if kept is value]
        if not known:
            self._objects.append(value)
        number = known[0] if known else len(self._objects) - 1
        return {"$handle": number, "type": type(value).__name__, "text": _shown(value)}

    def _unpack(self, wire: Wire, ask: Ask) -> Any:
        def special(tag: str, form: dict[str, Any]) -> Any:
            return self._learner_form(tag, form, ask)

        return unpack(wire, special)

    def _learner_form(self, tag: str, form: dict[str, Any], ask: Ask) -> Any:
        if tag == "$sdk":
            return build_sdk_object(form["$sdk"], form["json"])
        if tag == "$sdk_error":
            return build_sdk_error(form["$sdk_error"], form["headers"], form["body"])
        if tag == "$client":
            return make_client(lambda request: _answered(ask, request), is_async=form["$client"])
        if tag == "$given":
            return given_record(
                form["$given"], {name: self._unpack(item, ask) for name, item in form["fields"].items()}
            )
        if tag == "$exception":
            return _exception(form["$exception"], form["arguments"], form["fields"])
        if tag == "$function":
            return self._judge_function(form["$function"], ask)
        if tag == "$stream":
            items = [self._unpack(item, ask) for item in form["$stream"]]
            return _async_items(items) if form["async"] else iter(items)
        if tag == "$handle":
            return self._objects[form["$handle"]]
        raise ValueError(f"the judge sent the unknown form {tag!r}")

    def _judge_function(self, number: int, ask: Ask) -> Callable[..., Any]:
        def function(*arguments: Any, **keywords: Any) -> Any:
            reply = _answered(
                ask,
                {
                    "op": "function",
                    "function": number,
                    "arguments": [self._pack(item) for item in arguments],
                    "keywords": {name: self._pack(item) for name, item in keywords.items()},
                },
            )
            if "raise" in reply:
                raise self._unpack(reply["raise"], ask)
            return self._unpack(reply["value"], ask)

        return function


def run_to_end(awaitable: Any) -> Any:
    """Run a coroutine to its end and return its value, also while a notebook's own event loop is running.

    A notebook's cells run inside a loop, where `asyncio.run` is refused. Setting that loop aside for the length
    of the call is what a loop's implementer may do (asyncio documentation, "Extending").
    """

    async def wait() -> Any:
        return await awaitable

    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return asyncio.run(wait())
    finally:
        asyncio._set_running_loop(outer)


def _answered(ask: Ask, request: dict[str, Any]) -> dict[str, Any]:
    reply = ask(request)
    if "stop" in reply:
        raise Stopped(reply["stop"])
    return reply


def _listed(items: Any, limit: int) -> Any:
    if hasattr(items, "__aiter__"):
        return _async_listed(items, limit)
    return list(islice(iter(items), limit))


async def _async_listed(items: AsyncIterator[Any], limit: int) -> list[Any]:
    found: list[Any] = []
    async for item in items:
        found.append(item)
        if len(found) == limit:
            break
    return found


async def _async_items(items: Iterable[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


def _arity_mismatch(function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Wire | None:
    """Return the TypeError of a call that cannot be made, as JSON, or None."""
    try:
        signature = inspect.signature(function)
    except Exception:  # a builtin without a signature, or an object that answers everything: only the call can tell
        return None
    try:
        signature.bind(*arguments, **keywords)
    except TypeError as error:
        return {"mro": ["TypeError"], "text": str(error), "fields": {}, "line": str(signature)}
    return None


def _exception(name: str, arguments: list[Any], fields: dict[str, Any]) -> BaseException:
    if hasattr(given, name):
        error: BaseException = getattr(given, name)(**fields)
        return error
    found = getattr(builtins, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return found(*arguments)
    return RuntimeError(f"{name}: {arguments}")


def _learner_line(error: BaseException, function: Any) -> str:
    """Return "line 3: return message.content[0].text" for the innermost line of the learner's own code."""
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    if code is None:
        return ""
    found = ""
    for frame, number in _frames(error):
        if frame.f_code.co_filename == code.co_filename:
            source = linecache.getline(frame.f_code.co_filename, number).strip()
            found = _("line {number}: {source}").format(number=number, source=source)
    return found


def _frames(error: BaseException) -> Iterator[tuple[Any, int]]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # whatever a learner's class does when it is asked for its text
        return ""


def _shown(value: Any) -> str:
    try:
        return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))[:200]
    except BaseException:  # the same for repr
        return f"<{type(value).__name__}>"
