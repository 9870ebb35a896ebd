"""Names that load on first use: a package lists them in its stub ``__init__.pyi``, which type checkers also read."""

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

_LONG = 6  # letters of a name, below which names that are not alike have many letters in common
_LEAST, _LEAST_OF_SHORT = 0.6, 0.75  # likeness of a name that is suggested


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
            reason = f"module {package!r} has no attribute {name!r}"
            # obj=None keeps Python from adding a guess of its own, which it takes from the names of obj.
            raise AttributeError(f"{reason}{_hint(package, name, home)}", name=name, obj=None)
        module, there = home[name]
        if module == package:
            return import_module(f"{module}.{there}")
        return getattr(import_module(module), there)

    return get, lambda: sorted([*home, "__version__"] if package == "dendrometry" else home), list(home)


def _hint(package: str, name: str, home: dict[str, tuple[str, str]]) -> str:
    """Return the public name that a wrong one is nearest to, or where all of them are listed."""
    if name.startswith("_"):  # looked up by Python and other packages, not by people
        return ""
    elsewhere = {there: f"{module}.{there}" for module, names in _modules(package, home) for there in names}
    elsewhere = {there: path for there, path in elsewhere.items() if there not in home}
    if name in elsewhere:
        return f"; did you mean {elsewhere[name]!r}?"
    from difflib import get_close_matches

    near = get_close_matches(name[:60], [*home, *elsewhere], 1, _LEAST if len(name) >= _LONG else _LEAST_OF_SHORT)
    if "MEASURES" in home:  # what others call so; this loads all measures
        meant = import_module("dendrometry.measures.find").meant_by(name)
        near = [meant] if meant else near
    if near:
        return f"; did you mean {elsewhere.get(near[0], near[0])!r}?"
    return f"; dir({package}) lists its names"


@cache
def functions() -> tuple[str, ...]:
    """Return the public functions but measures by their paths: those of the package itself first, the plots last."""
    here = Path(__file__)
    home = homes(str(here.with_name("__init__.py")))
    own = [name for name, (module, _) in home.items() if name.islower() and "." in module]
    rooms = [name for name, (module, _) in home.items() if module == "dendrometry" and name not in ("measures", "plot")]
    stubs = [(room, here.parent / room / "__init__.py") for room in (*rooms, "plot")]
    inside = [
        f"{room}.{name}"
        for room, stub in stubs
        if stub.with_suffix(".pyi").exists()
        for name, there in homes(str(stub)).items()
        if name.islower() and there not in home.values()
    ]
    return (*(name for name in own if ".measures." not in home[name][0]), *inside)


def _modules(package: str, home: dict[str, tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Return the subpackages that a stub lists, each with the names in its own stub."""
    listed = [name for name, (module, _) in home.items() if module == package]
    files = {name: Path(__file__).with_name(name) / "__init__.py" for name in listed}
    return [(name, list(homes(str(file)))) for name, file in files.items() if file.with_suffix(".pyi").exists()]
