"""Arguments and options of commands, declared in short: what stands for the value, and the help."""

from collections.abc import Callable, Iterable
from typing import Any

import typer


def argument(metavar: str, help: str, among: Iterable[str] = ()) -> Any:
    """Return an argument, which the shell completes ``among`` the known names."""
    return typer.Argument(metavar=metavar, help=help, autocompletion=completer(among) if among else None)


def option(metavar: str, help: str, *names: str, among: Iterable[str] = (), **more: Any) -> Any:
    """Return an option with a value, which the shell completes ``among`` the known names."""
    return typer.Option(*names, metavar=metavar, help=help, autocompletion=completer(among) if among else None, **more)


def switch(name: str, help: str) -> Any:
    """Return an option without a value."""
    return typer.Option(name, help=help)


def completer(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the function that completes the beginning of one of the names."""
    listed = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in listed if name.startswith(incomplete)]

    return complete
