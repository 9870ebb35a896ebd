"""The command line: parses arguments, calls the public functions, and prints results."""

import inspect
import io
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from dendrometry._display import printable
from dendrometry._ending import ended_by_interrupts
from dendrometry._extras import require
from dendrometry._progress import on_compiling, on_terminal
from dendrometry.errors import (
    Argument,
    AssumptionWarning,
    DendrometryError,
    InvalidInputError,
    LostMeaningWarning,
    MissingExtraError,
    Part,
    Remedy,
    phrase,
)

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

# Arguments, or one value of them, whose options have other names; a command has at most one of several.
_RENAMED: dict[str | tuple[str, object], tuple[str, ...]] = {
    ("on_mismatch", "intersect"): ("intersect",),
    ("on_mismatch", "intersect_any"): ("intersect_any",),
    ("on_bad_encoding", "skip"): ("skip_bad_encoding",),
    "item": ("items",),
    "item_column": ("items",),
    "node": ("path_column",),
    "n_clusters": ("k", "clusters"),
    "max_clusters": ("at_most", "max_clusters"),
    "n_dimensions": ("dimensions",),
    "n_permutations": ("permutations",),
    "n_references": ("references",),
    "n_replicates": ("replicates",),
    "n_jobs": ("jobs",),
    "columns": ("column",),
    "relations": ("relation",),
    "n_column_clusters": ("column_clusters",),
}
_LARGE = ("Compare trees", "Build trees")  # headings of commands that may need much memory
_COMMANDS = {
    "compare": "compare",
    "partition.resolutions": "resolutions",
    "MEASURES.keys": "measures",
}  # that stand for functions


def main() -> None:
    """Run ``dendrometry``; an input error is printed as one line on standard error, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None if it is closed
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    with warnings.catch_warnings():
        for category in (AssumptionWarning, LostMeaningWarning):
            warnings.simplefilter("always", category)
        if on_terminal():
            on_compiling(lambda: print("dendrometry: compiling, first run only", file=sys.stderr))
        try:
            with ended_by_interrupts():
                code = _run()
        except KeyboardInterrupt:
            code = 130
    if isinstance(sys.stdout, io.TextIOWrapper):
        code = _flushed(sys.stdout, code)
    sys.exit(code)


class _ClosedOutput(io.TextIOBase):
    """Stands for a standard output that is closed: whatever is printed is an error, since it would be lost."""

    def write(self, _: str) -> int:
        raise InvalidInputError("standard output must be open; it is closed")


def _app() -> "typer.Typer":
    """Return all commands; their modules import numerical packages only when called, so that help is quick."""
    import typer

    from dendrometry.cli._shared.help import Command, Commands
    from dendrometry.cli._shared.memory import add_memory_option
    from dendrometry.cli.app import app
    from dendrometry.cli.browse import browse
    from dendrometry.cli.choose import choose
    from dendrometry.cli.cluster import cluster
    from dendrometry.cli.clustermap import clustermap
    from dendrometry.cli.compare import compare
    from dendrometry.cli.consensus import consensus
    from dendrometry.cli.convert import convert
    from dendrometry.cli.cut import cut
    from dendrometry.cli.demo import demo
    from dendrometry.cli.diff import diff
    from dendrometry.cli.documents import documents
    from dendrometry.cli.duplicates import duplicates
    from dendrometry.cli.enrichment import enrichment
    from dendrometry.cli.first_stories import first_stories
    from dendrometry.cli.info import info
    from dendrometry.cli.label import label
    from dendrometry.cli.labels import labels
    from dendrometry.cli.matrix import matrix
    from dendrometry.cli.measures import measures
    from dendrometry.cli.plot import plot
    from dendrometry.cli.predictions import predictions
    from dendrometry.cli.reproduce import reproduce
    from dendrometry.cli.resolutions import resolutions
    from dendrometry.cli.splits import splits
    from dendrometry.cli.stability import stability
    from dendrometry.cli.stages import stages
    from dendrometry.cli.story_clusters import story_clusters
    from dendrometry.cli.taxonomy import taxonomy
    from dendrometry.cli.variables import variables
    from dendrometry.cli.version import options

    settings = {"help_option_names": ["-h", "--help"]}
    program = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=settings)
    program.callback(invoke_without_command=True, cls=Commands)(options)
    headings = {
        "Compare trees": (
            app,
            demo,
            compare,
            diff,
            stages,
            labels,
            enrichment,
            resolutions,
            matrix,
            consensus,
            plot,
        ),
        "Taxonomies": (taxonomy, predictions),
        "Build trees": (cluster, cut, choose, clustermap, stability, splits, variables),
        "Documents": (documents, label, browse, duplicates, first_stories, story_clusters),
        "Data and reference": (info, convert, measures, reproduce),
    }
    for heading, commands in headings.items():
        for command in commands:
            large = heading in _LARGE and command not in (app, demo)
            program.command(cls=Command, rich_help_panel=heading)(add_memory_option(command) if large else command)
    return program


def _call(app: "typer.Typer") -> Any:
    """Run the command that is asked for; alone if it comes first, as typer loads pydantic to choose among several."""
    import typer

    info = _chosen(app, *sys.argv[1:2])
    if info is not None and "_DENDROMETRY_COMPLETE" not in os.environ:
        alone = typer.Typer(
            add_completion=False,
            context_settings=app.info.context_settings,
            pretty_exceptions_enable=False,
            rich_markup_mode=None,
        )
        alone.registered_commands = [info]
        return alone(sys.argv[2:], prog_name=f"dendrometry {sys.argv[1]}", standalone_mode=False)
    return app(prog_name="dendrometry", standalone_mode=False)


def _chosen(app: "typer.Typer", wanted: str = "") -> Any:
    """Return the command of a name, or None."""
    for info in app.registered_commands:
        name = info.name or getattr(info.callback, "__name__", "").replace("_", "-")
        if name == wanted:
            return info
    return None


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        typer = require("typer", extra="cli", for_="the command line")
    except MissingExtraError as error:
        return _refuse(f"dendrometry: {error}")
    from dendrometry.cli._shared.words import use_words

    app = _app()
    words = partial(_words, app)
    use_words(words)
    warnings.showwarning = partial(_show_warning, words)
    try:
        return _call(app) or 0
    except DendrometryError as error:
        return _refuse(f"dendrometry: {phrase(error.args, words)}")
    except typer.TyperException as error:
        return _refuse(_usage(error))
    except MemoryError as error:
        return _refuse(f"dendrometry: there is not enough memory: {str(error) or 'none is left'}")
    except OSError as error:
        return _refuse(f"dendrometry: {error.strerror or error}")
    except typer.Abort:
        return 130


def _refuse(message: str) -> int:
    """Print an error message on one line, and return the exit code."""
    if sys.stderr is not None:
        print(printable(message, longest=10_000), file=sys.stderr)
    return 2


def _words(app: "typer.Typer", part: Part) -> str:
    """Return a part of a message in the words of the command: options and commands in place of what Python has."""
    command = _chosen(app, *sys.argv[1:2])
    if isinstance(part, Argument):
        return _option(command, part.name, part.value) or str(part)
    if not isinstance(part, Remedy):
        return str(part)
    if not part.argument:
        called = f"dendrometry {_COMMANDS[part.function]} " if part.function in _COMMANDS else ""
        return f"{called}{part.effect}" if called or not part.function else ""
    if part.argument == "tree":
        return f"FILE:{part.value} {part.effect}"
    given = _option(command, part.argument, part.value)
    if not given and part.function in _COMMANDS:
        other = _COMMANDS[part.function]
        option = _option(_chosen(app, other), part.argument, part.value)
        given = f"dendrometry {other} {option}" if option else ""
    return f"{given} {part.effect}" if given else ""


def _option(command: Any, argument: str, value: object = ...) -> str:
    """Return the option of a command that stands for an argument, with a value if it takes one; "" without one."""
    from typer.models import OptionInfo

    given = {} if command is None else inspect.signature(command.callback).parameters
    options = [name for name, one in given.items() if isinstance(one.annotation.__metadata__[0], OptionInfo)]
    switches = _RENAMED.get((argument, value), ())
    name = next((name for name in switches or _RENAMED.get(argument, (argument,)) if name in options), "")
    if not name:
        return ""
    takes_none = switches or value is ... or value is True
    shown = "" if takes_none else f" {value}" if str(value).isidentifier() else f" '{value}'"
    return f"{'-' if len(name) == 1 else '--'}{name.replace('_', '-')}{shown}"


def _usage(error: "typer.TyperException") -> str:
    """Return what is wrong with the arguments, and how to get help."""
    context: Any = getattr(error, "ctx", None)
    path = "dendrometry" if context is None else context.command_path
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{path}: {message[:1].lower()}{message[1:]} (see '{path} --help')"


def _show_warning(words: Callable[[Part], str], message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning as one line."""
    text = phrase(message.args, words) if isinstance(message, AssumptionWarning) else str(message)
    if sys.stderr is not None:
        print(f"dendrometry: warning: {printable(text, longest=10_000)}", file=sys.stderr)


def _flushed(stream: io.TextIOWrapper, code: int) -> int:
    """Flush a stream and return the exit code; a reader that closes early, such as ``head``, is not an error."""
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 1 if isinstance(error, BrokenPipeError) else _refuse(f"dendrometry: cannot print: {error.strerror}")
    return code
