"""The definition of a measure by its name, from the file of that name."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal


def definition(name: str, of: Literal["trees", "partitions"]) -> Callable[..., Any]:
    """Return the function that is called as the measure is, of plain trees or of labels."""
    return getattr(import_module(f"tests.oracles.measures.{of}.{name}"), name)
