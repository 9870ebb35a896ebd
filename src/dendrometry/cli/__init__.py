"""The command line: parses arguments, calls the public functions, and prints results."""

import inspect
import io
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._progress import on_compiling, on_terminal
from dendrometry.errors import (
    AssumptionWarning,
    DendrometryError,
    InvalidInputError,
    LostMeaningWarning,
    MissingExtraError,
)

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

_OPTIONS = (
    (r"\bforce=True\b", "--force"),
    (r"\ballow_slow=True\b", "--allow-slow"),
    (r"\bon_mismatch='intersect_any'", "--intersect-any"),
    (r"\bon_mismatch='intersect'", "--intersect"),
    (r"\bmatch_names='loose'", "--match-names loose"),
    (r"\btext= and title=", "--text and --title"),
    (r"\bon_bad_encoding='skip'", "--skip-bad-encoding"),
    (r"\bencoding=('[^']*')?", "--encoding"),
    (r"\bitem_column=", "--items"),
    (r"\bexact_heights=True\b", "--exact-heights"),
    (r"\bmissing_lengths='(\w+)'", r"--missing-lengths \1"),
    (r"\btree must be given: the file holds", "the file must hold one tree; it holds"),
    (r" \(tree=1 is the first; read_many returns all\)", " (FILE:1 is the first)"),
    (r"\bpath_column='([^']*)'", r"--path-column '\1'"),
    (r"\bpath_column=?", "--path-column"),
    (r"\bsep='([^']*)'", r"--sep '\1'"),
    (r"\bnode= must name it", "--path-column must name it"),
    (r" \(weight='' takes none\)", ""),
    (r"\bmax_memory= allows more memory, and ", ""),
    (r"\bformat must be given", "--format must be given"),
    (r"\bfrom_hclust takes its parts; ", ""),
    (r"\bparents='(\w+)'", r"--parents \1"),
)

# Arguments of functions whose options have other names, of which a command has at most one.
_RENAMED = {
    "n_clusters": ("k", "clusters"),
    "max_clusters": ("at_most", "max_clusters"),
    "n_dimensions": ("dimensions",),
    "n_permutations": ("permutations",),
    "n_references": ("references",),
    "n_replicates": ("replicates",),
    "n_jobs": ("jobs",),
    "columns": ("column",),
    "n_column_clusters": ("column_clusters",),
}


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
        warnings.showwarning = _show_warning
        if on_terminal():
            on_compiling(lambda: print("dendrometry: compiling, first run only", file=sys.stderr))
        try:
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
    from dendrometry.cli.first_stories import first_stories
    from dendrometry.cli.label import label
    from dendrometry.cli.labels import labels
    from dendrometry.cli.matrix import matrix
    from dendrometry.cli.measures import measures
    from dendrometry.cli.plot import plot
    from dendrometry.cli.reproduce import reproduce
    from dendrometry.cli.resolutions import resolutions
    from dendrometry.cli.stability import stability
    from dendrometry.cli.stages import stages
    from dendrometry.cli.variables import variables
    from dendrometry.cli.version import options

    settings = {"help_option_names": ["-h", "--help"]}
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=settings)
    app.callback(invoke_without_command=True, cls=Commands)(options)
    headings = {
        "Compare trees": (demo, compare, diff, stages, labels, resolutions, matrix, consensus, plot),
        "Build trees": (cluster, cut, choose, clustermap, stability, variables),
        "Documents": (documents, label, browse, duplicates, first_stories),
        "Data and reference": (convert, measures, reproduce),
    }
    for heading, commands in headings.items():
        for command in commands:
            app.command(cls=Command, rich_help_panel=heading)(command)
    return app


def _call(app: "typer.Typer") -> Any:
    """Run the command that is asked for; alone if it comes first, as typer loads pydantic to choose among several."""
    import typer

    info = _asked(app)
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


def _asked(app: "typer.Typer") -> Any:
    """Return the command that is the first argument, or None."""
    for info in app.registered_commands:
        name = info.name or getattr(info.callback, "__name__", "").replace("_", "-")
        if sys.argv[1:2] == [name]:
            return info
    return None


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        typer = require("typer", extra="cli", for_="the command line")
    except MissingExtraError as error:
        return _refuse(f"dendrometry: {error}")
    app = _app()
    try:
        return _call(app) or 0
    except DendrometryError as error:
        return _refuse(f"dendrometry: {_in_own_options(_in_options(str(error)), _asked(app))}")
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


def _in_own_options(message: str, command: Any) -> str:
    """Return a message that begins with an argument with the option of the command in its place."""
    found = re.match(r"(\w+) must", message)
    if found is None or command is None:
        return message
    options = inspect.signature(command.callback).parameters
    option = next((name for name in _RENAMED.get(found[1], (found[1],)) if name in options), None)
    if option is None:
        return message
    return f"{'-' if len(option) == 1 else '--'}{option.replace('_', '-')}{message[found.end(1) :]}"


def _usage(error: "typer.TyperException") -> str:
    """Return what is wrong with the arguments, and how to get help."""
    context: Any = getattr(error, "ctx", None)
    path = "dendrometry" if context is None else context.command_path
    message = " ".join(error.format_message().split()).rstrip(".")
    return f"{path}: {message[:1].lower()}{message[1:]} (see '{path} --help')"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning as one line."""
    if sys.stderr is not None:
        print(f"dendrometry: warning: {printable(_in_options(str(message)), longest=10_000)}", file=sys.stderr)


def _flushed(stream: io.TextIOWrapper, code: int) -> int:
    """Flush a stream and return the exit code; a reader that closes early, such as ``head``, is not an error."""
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 1 if isinstance(error, BrokenPipeError) else _refuse(f"dendrometry: cannot print: {error.strerror}")
    return code
