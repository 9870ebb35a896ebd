"""Measure hierarchical clusterings against each other: how alike, more than by chance, and where they differ.

The public names stand in ``dendrometry.public`` and are loaded when the first of them is asked for, so that the command
line can answer ``--help`` without the numerical libraries.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dendrometry.public import *  # noqa: F403 - the one place where every public name is listed is public.py
    from dendrometry.public import __all__ as __all__

__version__ = "0.1.0"


class _Package(ModuleType):
    """The package: its names come from ``dendrometry.public``, and ``compare`` is the function, not the room."""

    @property
    def compare(self) -> Any:
        """The function; a room of the same name, once loaded, does not take its place."""
        return import_module("dendrometry.public").compare

    @compare.setter
    def compare(self, room: ModuleType) -> None:
        """Let the import system put a loaded room here, to no effect."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        public = import_module("dendrometry.public")
        try:
            return getattr(public, name)
        except AttributeError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})


sys.modules[__name__].__class__ = _Package
