"""What is wrong with a scenario file, in sentences for its author: pydantic's findings without pydantic's words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from autograder.messages_api.errors import nearest

_SHOWN = 4
_WIDTH = 76


def explained(name: str, error: ValidationError, model: type[BaseModel]) -> str:
    """The first findings of a validation, each with its place in the file and what is expected there.

    `name` is the file's name; `model` is what the file has to be, for the names of fields that were perhaps meant.
    """
    lines = [f"{name} does not keep to the scenario format."]
    findings = error.errors(include_url=False)
    for finding in findings[:_SHOWN]:
        place = ".".join(str(part) for part in finding["loc"])
        for sentence in _sentences(finding, model):
            lines.extend(_wrapped(f"{place}: {sentence}" if place else sentence))
    if len(findings) > _SHOWN:
        lines.append(f"  and {len(findings) - _SHOWN} more")
    return "\n".join(lines)


def _sentences(finding: Mapping[str, Any], model: type[BaseModel]) -> Iterator[str]:
    match finding["type"]:
        case "extra_forbidden":
            meant = nearest(str(finding["loc"][-1]), _field_names(model), count=1)
            yield "there is no such field" + (f"; nearest: {meant[0]}" if meant else "")
        case "missing":
            yield "this field is required"
        case "value_error":
            yield from str(finding["ctx"]["error"]).split("\n")
        case _:
            expected = str(finding["msg"]).removeprefix("Input ")
            yield f"{expected}; found {_short(finding['input'])}"


def _field_names(model: type[BaseModel]) -> set[str]:
    definitions = model.model_json_schema()
    models = [definitions, *definitions.get("$defs", {}).values()]
    return {field for each in models for field in each.get("properties", {})}


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 30 else f"{text[:27]}..."


def _wrapped(sentence: str) -> list[str]:
    return textwrap.wrap(
        sentence, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
