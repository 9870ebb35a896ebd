"""Names that load on first use: a package lists them in its stub ``__init__.pyi``, which type checkers also read."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


def homes(file: str) -> dict[str, tuple[str, str]]:
    """Return, for each name in the stub beside a package's ``__init__.py``, its module and its name there."""
    stub = Path(file).with_suffix(".pyi")
    imports = [line for line in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(line, ast.ImportFrom)]
    return {alias.asname or alias.name: (line.module or "", alias.name) for line in imports for alias in line.names}


class _Package(ModuleType):
    """A package whose names are not hidden by its modules: ``plot.dendrogram`` is the function, loaded or not.

    Python makes each loaded module an attribute of its package. Where the stub lists something else of that name, this
    one does not; the module is reached by ``from dendrometry.plot.dendrogram import ...``.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or name not in vars(self)["_not_modules"]:
            super().__setattr__(name, value)


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names are listed in its stub."""
    home = homes(file)
    here = sys.modules[package]
    vars(here)["_not_modules"] = {name for name, (module, _) in home.items() if module != package}
    here.__class__ = _Package

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, there = home[name]
        if module == package:
            return import_module(f"{module}.{there}")
        return getattr(import_module(module), there)

    return get, lambda: sorted([*home, "__version__"] if package == "dendrometry" else home), list(home)
