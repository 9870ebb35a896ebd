"""Arguments and options of commands, declared in short: what stands for the value, and the help."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, get_type_hints

import typer

Command = Callable[..., Any]


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


def add_options(parameter: str, options: type[Any]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command some ``options`` in place of one parameter, which then holds them."""
    hints = get_type_hints(options, include_extras=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
        for name, default in options._field_defaults.items()
    ]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**given: Any) -> Any:
            held = options(**{name: given.pop(name) for name in options._fields})
            return command(**{parameter: held}, **given)

        signature = inspect.signature(command)
        own = [one for name, one in signature.parameters.items() if name != parameter]
        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]  # typer reads it
        return run

    return decorate
