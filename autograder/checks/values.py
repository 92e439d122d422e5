"""How a value crosses between the judge and the learner's code.

Everything crosses as JSON, in a notebook too, so that a check sees the same thing wherever the learner's
code runs. What JSON cannot say has a tagged form: an object with one key that starts with "$". SDK objects
cross as the JSON they were made from, because `model_validate` fails on a block type or stop_reason that the
SDK does not know; given records and exceptions cross by class name and fields; what cannot cross at all stays
where it is and a handle crosses instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder import given

Wire = Any
"""A JSON value, possibly holding tagged forms."""

LARGEST_INT_BITS = 4096
"""Larger numbers stay where they are: Python refuses to write very long ones as text."""

GIVEN_RECORDS = ("Fault", "AgentResult")


@dataclass(frozen=True)
class SdkObject:
    """An object of the anthropic SDK: its class name in `anthropic.types` and the JSON it holds."""

    type_name: str
    json: Any

    def __repr__(self) -> str:
        return f"{self.type_name}({self.json!r})"


@dataclass(frozen=True)
class SdkError:
    """An error of the SDK, described by what came over the wire.

    status: HTTP status, or "connection" or "timeout" when no answer came.
    headers: response headers. body: the decoded error body.
    """

    status: int | str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Stream:
    """Values handed over one after another: a list that the learner's code receives as an iterator."""

    items: tuple[Any, ...]
    is_async: bool = False


@dataclass(frozen=True)
class Handle:
    """An object that stayed on the learner's side. `text` is its repr, short and without addresses."""

    id: int
    type_name: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def method(self, name: str) -> Method:
        """Return the target that calls this object's method `name`."""
        return Method(self.id, name)


@dataclass(frozen=True)
class Method:
    """A method of an object on the learner's side, as the target of a call."""

    handle: int
    name: str


@dataclass(frozen=True)
class Marker:
    """A stand-in, in a call's arguments, for something that is built on the learner's side."""

    name: str


CLIENT = Marker("client")
"""Becomes an `anthropic.Anthropic` whose requests are answered by the call's `answer`."""
ASYNC_CLIENT = Marker("async_client")
"""Becomes an `anthropic.AsyncAnthropic` whose requests are answered by the call's `answer`."""
RUN_TOOL = Marker("run_tool")
"""Becomes a function `run_tool(name, tool_input)` that calls the call's `run_tool`."""


def pack(value: Any, special: Callable[[Any], Wire]) -> Wire:
    """Return `value` as JSON; whatever JSON and the plain tags cannot say is left to `special`."""
    if value is None or isinstance(value, bool):
        return value
    # The methods of the base classes: a subclass, such as an Enum of strings, may say something else of itself.
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value) if value.bit_length() <= LARGEST_INT_BITS else special(value)
    if isinstance(value, float):
        number = float.__float__(value)
        return number if math.isfinite(number) else {"$float": repr(number)}
    if isinstance(value, list):
        return [pack(item, special) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [pack(item, special) for item in value]}
    if isinstance(value, set | frozenset):
        return {"$set": sorted((pack(item, special) for item in value), key=str)}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, dict):
        return _pack_dict(value, special)
    return special(value)


def _pack_dict(value: dict[Any, Any], special: Callable[[Any], Wire]) -> Wire:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: pack(item, special) for key, item in value.items()}
    return {"$dict": [[pack(key, special), pack(item, special)] for key, item in value.items()]}


def unpack(wire: Wire, special: Callable[[str, dict[str, Any]], Any]) -> Any:
    """Return the value that `pack` wrote; tags that it does not know are left to `special(tag, form)`."""
    if isinstance(wire, list):
        return [unpack(item, special) for item in wire]
    if not isinstance(wire, dict):
        return wire
    tag = next(iter(wire), "")
    if not tag.startswith("$"):
        return {key: unpack(item, special) for key, item in wire.items()}
    body = wire[tag]
    if tag == "$float":
        return float(body)
    if tag == "$tuple":
        return tuple(unpack(item, special) for item in body)
    if tag == "$set":
        return frozenset(_hashable(unpack(item, special)) for item in body)
    if tag == "$bytes":
        return bytes.fromhex(body)
    if tag == "$dict":
        return {_hashable(unpack(key, special)): unpack(item, special) for key, item in body}
    return special(tag, wire)


def _hashable(value: Any) -> Any:
    """Return `value`, or its repr when it cannot be in a set on this side."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def given_record(type_name: str, fields: dict[str, Any]) -> Any:
    """Return the given record `type_name` with these fields; fields it does not know are dropped."""
    record = getattr(given, type_name)
    known = {name: fields.get(name) for name in record.__dataclass_fields__}
    return record(**known)
