"""The option ``--max-memory``, of all commands that may need much."""

import inspect
import re
from functools import wraps
from typing import Annotated, Any

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry.cli._shared.options import Command, option
from dendrometry.errors import InvalidInputError

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?) ?([KMGT]i?B|B|)", re.ASCII)
_UNITS = {"": 1, "B": 1} | {
    f"{letter}{base}B": (1024 if base else 1000) ** power
    for power, letter in enumerate("KMGT", start=1)
    for base in ("", "i")
}
MaxMemory = Annotated[
    str | None,
    option(
        "SIZE",
        "Take no more memory than this, such as 2GB: what needs more is refused before it begins, and --engine duckdb"
        " works on disk. By default, what is free.",
    ),
]


def add_memory_option(command: Command) -> Command:
    """Give a command the option --max-memory, which holds while it runs."""

    @wraps(command)
    def run(*, max_memory: str | None = None, **given: Any) -> Any:
        with _memory.limited(None if max_memory is None else n_bytes(max_memory)):
            return command(**given)

    signature = inspect.signature(command)
    added = inspect.Parameter("max_memory", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=MaxMemory)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), added])  # type: ignore[attr-defined]
    return run


def n_bytes(size: str) -> int:
    """Return a number of bytes, as "2GB" or "500 MiB" say it."""
    found = _SIZE.fullmatch(size.strip())
    if found is None or not float(found[1]):
        raise InvalidInputError(f"--max-memory must be a size such as 500MB or 2GiB; got {printable(size)}")
    return int(float(found[1]) * _UNITS[found[2]])
