"""What a value from outside must be: a part of JSON Schema, which also describes it in OpenAPI."""

from collections.abc import Mapping
from typing import Any

from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import InvalidInputError

Schema = Mapping[str, Any]
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_NOUNS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
_LONGEST = 10_000  # of a text that is no file


def require(value: object, schema: Schema, what: str) -> None:
    """Raise an error unless a value is as its schema says; ``what`` names it.

    Examples
    --------
    >>> from dendrometry.app.schema import require
    >>> require(3, {"type": "integer", "minimum": 0}, "seed")
    >>> require(-1, {"type": "integer", "minimum": 0}, "seed")
    Traceback (most recent call last):
    dendrometry.errors.InvalidInputError: seed must be at least 0; got -1
    """
    kind = schema["type"]
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise InvalidInputError(f"{what} must be {_NOUNS[kind]}; got {printable_repr(value)}")
    if isinstance(value, str):
        _require_text(value, schema, what)
    elif isinstance(value, int | float):
        _require_number(value, schema, what)
    elif isinstance(value, list):
        _require_list(value, schema, what)
    elif isinstance(value, dict):
        _require_object(value, schema, what)


def _require_text(value: str, schema: Schema, what: str) -> None:
    """Refuse a text that is too long, or none of those that are allowed."""
    if "enum" in schema and value not in schema["enum"]:
        raise InvalidInputError(f"{what} must be one of {quote_first(schema['enum'], 20)}; got '{printable(value)}'")
    longest = schema.get("maxLength", _LONGEST)
    if len(value) > longest:
        raise InvalidInputError(f"{what} must have at most {longest:,} characters; got {len(value):,}")
    if "\0" in value:
        raise InvalidInputError(f"{what} must not hold the character with the code 0")


def _require_number(value: float, schema: Schema, what: str) -> None:
    """Refuse a number that is too small or too large."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and not value >= low:
        raise InvalidInputError(f"{what} must be at least {low:,}; got {printable(value)}")
    if high is not None and not value <= high:
        raise InvalidInputError(f"{what} must be at most {high:,}; got {printable(value)}")


def _require_list(value: list[Any], schema: Schema, what: str) -> None:
    """Refuse a list with too few or too many values, or with one that is not as it must be."""
    low, high = schema.get("minItems", 0), schema.get("maxItems", 1000)
    if not low <= len(value) <= high:
        raise InvalidInputError(f"{what} must hold {low} to {high:,} values; got {len(value):,}")
    for i, one in enumerate(value):
        require(one, schema["items"], f"{what}[{i}]")


def _require_object(value: dict[str, Any], schema: Schema, what: str) -> None:
    """Refuse an object with an unknown or a missing property, or with one that is not as it must be."""
    known = schema["properties"]
    unknown = [name for name in value if name not in known]
    if unknown:
        raise InvalidInputError(f"{what} takes {quote_first(list(known), 30)}; got {quote_first(unknown)}")
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        raise InvalidInputError(f"{what} needs {quote_first(missing)}")
    for name, one in value.items():
        require(one, known[name], name)
