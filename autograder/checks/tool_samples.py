"""Tool definitions, inputs and functions that the checks of lesson 03 hand to a learner's code, drawn from the seed."""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shortened
from autograder.checks.samples import Samples
from autograder.language import _

Json = dict[str, Any]
Run = tuple[str, tuple[Any, ...], Json]
"""The name of a function, its positional arguments, its keyword arguments."""

REASONS = ("damaged", "late", "other")


def closed_tool(make: Samples) -> tuple[Json, Json]:
    """Return a tool that allows no extra keys, and an input that has every key of its schema.

    The input's keys are, in order: a required text with a pattern, a required number, a choice, a list of items.
    """
    order = make.one_of(("order_id", "parcel_id", "case_id"))
    amount = make.one_of(("amount", "weight", "price"))
    reason = make.one_of(("reason", "cause"))
    items = make.one_of(("items", "parts", "goods"))
    item = _object({"sku": {"type": "string"}, "count": {"type": "integer", "minimum": 1}}, ["sku"])
    properties = {
        order: {"type": "string", "pattern": "^P-[0-9]{4}$"},
        amount: {"type": "number", "minimum": 0},
        reason: {"enum": [*REASONS, None]},
        items: {"type": "array", "items": item},
    }
    whole = {
        order: order_number(make),
        amount: make.number() / 100,
        reason: make.one_of(REASONS),
        items: [{"sku": "tent", "count": make.number(1, 9)}, {"sku": "boots"}],
    }
    return _tool("process_refund", _object(properties, [order, amount])), whole


def open_tool(make: Samples) -> tuple[Json, Json]:
    """Return a tool that allows extra keys, and a valid input."""
    key = make.one_of(("query", "question", "topic"))
    schema = {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]}
    return _tool("search_help", schema), {key: make.sentence()}


def order_number(make: Samples) -> str:
    """Return the number of an order, such as P-1001."""
    return f"P-{make.number(1000)}"


def described_input(tool_input: Json) -> str:
    """Return an input as a learner may read it: as Python writes it, shortened in the middle when it is long."""
    return shortened(repr(tool_input), 150)


class Shop:
    """Some tools with their functions, which write down how they are run.

    fails_with: what every function raises, if anything. `undefined` has a function and no definition, `unwritten` a
    definition and no function.
    """

    undefined = "delete_order"
    unwritten = "escalate_to_human"

    def __init__(self, make: Samples, fails_with: Exception | None = None) -> None:
        self.runs: list[Run] = []
        self._make = make
        self._fails_with = fails_with
        self._pay = make.one_of(("process_refund", "send_voucher"))
        self._find = make.one_of(("search_help", "find_customer"))
        self._ask = make.one_of(("list_carriers", "opening_hours"))
        pay = _object({"order_id": {"type": "string"}, "amount": {"type": "number"}}, ["order_id", "amount"])
        find = _object({"query": {"type": "string"}, "limit": {"type": "integer"}}, ["query"])
        schemas = {self._pay: pay, self._find: find, self._ask: _object({}, []), self.unwritten: _object({}, [])}
        self.tools = [_tool(name, schema) for name, schema in schemas.items()]
        self.results = {self._pay: make.sentence(), self._find: make.identifier("help"), self._ask: ""}
        self.functions = {name: self._function(name) for name in (*self.results, self.undefined)}

    def calls(self) -> list[tuple[str, Json]]:
        """Return valid calls: names with inputs."""
        make = self._make
        return [
            (self._pay, {"order_id": order_number(make), "amount": make.number()}),
            (self._find, {"query": make.sentence()}),
            (self._find, {"limit": make.number(1, 9), "query": make.sentence()}),
            (self._ask, {}),
        ]

    def invalid_calls(self) -> list[tuple[str, Json]]:
        """Return calls whose input breaks the schema."""
        order, number = order_number(self._make), self._make.number()
        return [
            (self._pay, {"order_id": order, "amount": str(number)}),
            (self._pay, {"order_id": order}),
            (self._pay, {"order_id": order, "amount": number, "note": "x"}),
            (self._find, {"query": number}),
            (self._find, {"query": [order], "limit": "all"}),
        ]

    def written_runs(self) -> str:
        """Return the runs so far as Python writes calls."""
        return ", ".join(written_call(*run) for run in self.runs) or _("no call")

    def _function(self, name: str) -> Any:
        def run(*arguments: Any, **keywords: Any) -> str:
            self.runs.append((name, arguments, keywords))
            if self._fails_with is not None:
                raise self._fails_with
            return self.results.get(name, "")

        return run


def written_call(name: str, arguments: tuple[Any, ...], keywords: Json) -> str:
    """Return a call as Python writes it."""
    inside = [*map(repr, arguments), *(f"{key}={value!r}" for key, value in keywords.items())]
    return f"{name}({', '.join(inside)})"


def _tool(name: str, schema: Json) -> Json:
    return {"name": name, "description": f"What {name} does.", "input_schema": schema}


def _object(properties: Json, required: list[str]) -> Json:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
