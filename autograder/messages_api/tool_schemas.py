"""Whether a tool's input schema is valid JSON Schema, looked at once and as cheaply as can be.

jsonschema decides. But importing it costs up to two seconds where Jupyter has installed its optional format checkers,
and nearly every tool is described with a few everyday keywords. So those are recognised here, and jsonschema is
imported only for a schema that holds anything else or looks wrong. A test proves that what is recognised is valid.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


def is_valid_schema(schema: dict[str, Any]) -> bool:
    """Say whether a schema is valid JSON Schema, draft 2020-12.

    Verdicts of jsonschema are cached by the schema's content. A schema nested too deep to be read counts as invalid.
    """
    try:
        return _is_everyday(schema) or _valid_text(json.dumps(schema))
    except RecursionError:
        return False


@lru_cache(maxsize=512)
def _valid_text(schema: str) -> bool:
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError:
        return False
    return True


def _is_everyday(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    return all(keyword in _EVERYDAY and _EVERYDAY[keyword](value) for keyword, value in schema.items())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_type(value: Any) -> bool:
    return isinstance(value, str) and value in _TYPES


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _are_named_schemas(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_everyday, value.values()))


def _are_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_everyday, value))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_anything(value: Any) -> bool:
    return True


_EVERYDAY: dict[str, Callable[[Any], bool]] = {
    "$defs": _are_named_schemas,
    "additionalProperties": _is_everyday,
    "anyOf": _are_schemas,
    "const": _is_anything,
    "default": _is_anything,
    "description": _is_text,
    "enum": _is_list,
    "examples": _is_list,
    "format": _is_text,
    "items": _is_everyday,
    "maximum": _is_number,
    "maxItems": _is_size,
    "maxLength": _is_size,
    "minimum": _is_number,
    "minItems": _is_size,
    "minLength": _is_size,
    "pattern": _is_text,
    "properties": _are_named_schemas,
    "required": _are_names,
    "title": _is_text,
    "type": _is_type,
    "$ref": _is_text,
}
