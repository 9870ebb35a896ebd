"""How a file is read: what may be said about it, and the same as options of a command."""

from collections.abc import Mapping
from typing import Any

from dendrometry.app.python_lines import Source
from dendrometry.app.schema import Schema
from dendrometry.io._shared.format_names import ENDINGS

TEXT: Schema = {"type": "string", "maxLength": 1000}
_READING: dict[str, tuple[Schema, str, str]] = {
    "format": ({"type": "string", "enum": list(ENDINGS)}, "--format", "The format, if the name does not tell it."),
    "item": (TEXT, "--items", "The column that names the items."),
    "path_column": (TEXT, "--path-column", "The column of paths."),
    "sep": (TEXT, "--sep", "The separator of paths."),
    "levels": (
        {"type": "array", "items": TEXT, "maxItems": 100},
        "--levels",
        "The columns that are levels, from the top down.",
    ),
    "missing": ({"type": "string", "enum": ["refuse", "skip_rank", "own_node"]}, "--missing", "If a rank is missing."),
    "repeats": ({"type": "string", "enum": ["refuse", "split"]}, "--repeats", "If a name lies in several groups."),
    "noise": ({"type": "string", "enum": ["label", "singletons", "drop"]}, "--noise", "What the label -1 means."),
    "exact_heights": ({"type": "boolean"}, "--exact-heights", "Whether all digits of lengths are exact."),
    "missing_lengths": (
        {"type": "string", "enum": ["error", "zero", "no_heights"]},
        "--missing-lengths",
        "If only some branches have lengths.",
    ),
    "parents": ({"type": "string", "enum": ["error", "first", "longest"]}, "--parents", "If a term has several."),
    "tree": ({"type": "string", "maxLength": 200}, "", "Which tree of the file: its number or name."),
}
READING: Schema = {
    "type": "object",
    "description": "How a file is read: arguments of dendrometry.read().",
    "properties": {name: {**schema, "description": says} for name, (schema, _, says) in _READING.items()},
}


def options_of(reading: Mapping[str, Any]) -> list[str]:
    """Return how a file is read as arguments of a command."""
    given: list[str] = []
    for name, value in reading.items():
        flag = _READING[name][1]
        if isinstance(value, bool):
            given += [flag] * value
        elif flag:
            given += [part for one in (value if isinstance(value, list) else [value]) for part in (flag, str(one))]
    return given


def file_of(source: Source) -> str:
    """Return how a command names a file, or one of its trees."""
    return f"{source.name}:{source.reading['tree']}" if "tree" in source.reading else source.name


def is_table(source: Source) -> bool:
    """Whether options about columns would say something about a file."""
    bare = source.name.lower().removesuffix(".gz")
    return bare.endswith((".csv", ".tsv", ".parquet", ".xlsx", ".xlsm", ".h5ad"))
