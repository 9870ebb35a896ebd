"""The definition of a measure by its name, from the file of that name."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).parent


@cache
def definition(name: str, of: Literal["trees", "partitions"]) -> Callable[..., Any]:
    """Return the function that is called as the measure is, of plain trees or of labels."""
    (path,) = (HERE / of).rglob(f"{name}.py")
    module = ".".join(path.relative_to(HERE).with_suffix("").parts)
    return getattr(import_module(f"tests.oracles.measures.{module}"), name)
