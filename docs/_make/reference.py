"""The pages of the reference: one for the package and one for each of its public modules, from ``__all__``.

A page has a table of names and, for each name that it describes, a directive of mkdocstrings. Names load on first use,
so a directive gives the module that defines the name, and its heading the name by which users reach it.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import dendrometry
from dendrometry._lazy import homes

PACKAGE = dendrometry.__name__


class Name(NamedTuple):
    """A public name: how users reach it, and where it is defined."""

    public: str
    defined: str


def pages() -> dict[str, str]:
    """Return the text of the page of each public module, by its place in the site."""
    return {f"reference/{module.rpartition('.')[2]}.md": page(module) for module in modules()}


def modules() -> list[str]:
    """Return the public modules: those among the names of the package."""
    names = [name for name in dendrometry.__all__ if isinstance(getattr(dendrometry, name), ModuleType)]
    return [f"{PACKAGE}.{name}" for name in sorted(names)]


def described(module: str) -> list[Name]:
    """Return the names that the page of a module describes, so that each is described on one page.

    The page of a module has its names, those that the package has too first and under their short name. The page of
    the package has those of its names that are left.
    """
    everyday = [name for name in public_names(PACKAGE) if name.public not in modules()]
    if module == PACKAGE:
        elsewhere = {name.defined for other in modules() for name in described(other)}
        return [name for name in everyday if name.defined not in elsewhere]
    own = {name.defined: name for name in public_names(module)}
    shared = {name.defined: name for name in everyday if name.defined in own}
    return [*shared.values(), *(name for name in own.values() if name.defined not in shared)]


def public_names(module: str) -> list[Name]:
    """Return the names in ``__all__`` of a module, in its order."""
    names = getattr(import_module(module), "__all__", ())
    return [Name(f"{module}.{name}", _defined(module, name)) for name in names]


def value(public: str) -> Any:
    """Return what a public name stands for."""
    module, _, name = public.rpartition(".")
    return getattr(import_module(module), name)


def page(module: str) -> str:
    """Return the page of a module: what it is for, its names, and what each of them does."""
    first = (inspect.getdoc(import_module(module)) or "").partition("\n\n")[0]
    return f"# {module}\n\n{first}\n\n{content(module)}"


def content(module: str) -> str:
    """Return a table of the names of a module, and the directives of those that its page describes."""
    here = described(module)
    listed = public_names(PACKAGE) if module == PACKAGE else here
    rows = [f"| {_link(name)} | {_summary(value(name.public))} |\n" for name in listed]
    return "\n".join(["| name | what it is |\n|---|---|\n" + "".join(rows), *map(_directive, here)])


def _defined(module: str, name: str) -> str:
    """Return the full name of something where it is defined."""
    file = import_module(module).__file__
    if file and Path(file).with_suffix(".pyi").exists():
        return ".".join(homes(file)[name])
    return f"{getattr(value(f'{module}.{name}'), '__module__', module)}.{name}"


def _link(name: Name) -> str:
    """Return a link to where a name is described."""
    if name.public in modules():
        return f"[`{name.public}`]({name.public.rpartition('.')[2]}.md)"
    return f"[`{name.public}`][{name.defined}]"


def _summary(thing: Any) -> str:
    """Return the first sentence of a docstring, or what a constant holds."""
    if isinstance(thing, dict):
        return f"{len(thing)} values of type `{type(next(iter(thing.values()))).__name__}`, by name"
    first = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return re.sub(r"\s+", " ", first).replace("``", "`").replace("|", "\\|")


def _directive(name: Name) -> str:
    """Return the directive of a name, below an anchor at the name that users know."""
    short = name.public.rpartition(".")[2]
    anchor = "" if name.public == name.defined else f"[](){{#{name.public}}}\n\n"
    return f"{anchor}::: {name.defined}\n    options:\n      heading: {name.public}\n      toc_label: {short}\n"
