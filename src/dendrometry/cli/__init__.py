"""The command line: parses arguments, calls the public functions, and prints results."""

import io
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import DendrometryError, LostMeaningWarning, MissingExtraError

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

_OPTIONS = (
    (r"\bforce=True\b", "--force"),
    (r"\bon_mismatch='intersect'", "--intersect"),
    (r"\btext= and title=", "--text and --title"),
    (r"\bon_bad_encoding='skip'", "--skip-bad-encoding"),
    (r"\bencoding=('[^']*')?", "--encoding"),
    (r"\bitem_column=", "--items"),
)


def main() -> None:
    """Run ``dendrometry``; an input error is printed as one line on standard error, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None if it is closed
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", LostMeaningWarning)
        warnings.showwarning = _show_warning
        try:
            code = _run()
        except KeyboardInterrupt:
            code = 130
    if isinstance(sys.stdout, io.TextIOWrapper):
        code = _flushed(sys.stdout, code)
    sys.exit(code)


def _app() -> "typer.Typer":
    """Return all commands; their modules import numerical packages only when called, so that help is quick."""
    import typer

    from dendrometry.cli.documents.browse import browse
    from dendrometry.cli.documents.documents import documents
    from dendrometry.cli.documents.duplicates import duplicates
    from dendrometry.cli.documents.first_stories import first_stories
    from dendrometry.cli.documents.label import label
    from dendrometry.cli.reference.measures import measures
    from dendrometry.cli.reference.reproduce import reproduce
    from dendrometry.cli.reference.version import options
    from dendrometry.cli.trees.cluster import cluster
    from dendrometry.cli.trees.compare import compare
    from dendrometry.cli.trees.consensus import consensus
    from dendrometry.cli.trees.convert import convert
    from dendrometry.cli.trees.cut import cut
    from dendrometry.cli.trees.demo import demo
    from dendrometry.cli.trees.matrix import matrix

    settings = {"help_option_names": ["-h", "--help"]}
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=settings)
    app.callback(invoke_without_command=True)(options)
    trees = (demo, compare, matrix, consensus, cluster, cut, convert)
    texts = (documents, label, browse, duplicates, first_stories)
    commands = (*trees, *texts, measures, reproduce)
    for command in commands:
        app.command()(command)
    return app


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        typer = require("typer", extra="cli", for_="the command line")
    except MissingExtraError as error:
        return _refuse(f"dendrometry: {error}")
    try:
        return _app()(prog_name="dendrometry", standalone_mode=False) or 0
    except DendrometryError as error:
        return _refuse(f"dendrometry: {_in_options(str(error))}")
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


def _in_options(message: str) -> str:
    """Return a message of a Python function with the command line's options in place of its arguments."""
    for argument, option in _OPTIONS:
        message = re.sub(argument, option, message)
    return message


def _usage(error: "typer.TyperException") -> str:
    """Return what is wrong with the arguments, and how to get help."""
    context: Any = getattr(error, "ctx", None)
    path = "dendrometry" if context is None else context.command_path
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{path}: {message[:1].lower()}{message[1:]} (see '{path} --help')"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning as one line."""
    if sys.stderr is not None:
        print(f"dendrometry: warning: {printable(str(message), longest=10_000)}", file=sys.stderr)


def _flushed(stream: io.TextIOWrapper, code: int) -> int:
    """Flush a stream and return the exit code; a reader that closes early, such as ``head``, is not an error."""
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 1 if isinstance(error, BrokenPipeError) else _refuse(f"dendrometry: cannot print: {error.strerror}")
    return code
