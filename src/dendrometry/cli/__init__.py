"""The command line: parse, call the public functions, print."""

import io
import sys

from dendrometry.errors import DendrometryError

__all__ = ["main"]


def main() -> None:
    """Run ``dendrometry``; what the package refuses becomes one line on standard error and exit code 2."""
    import typer

    from dendrometry.cli.cluster import cluster
    from dendrometry.cli.compare import compare
    from dendrometry.cli.cut import cut
    from dendrometry.cli.measures import measures
    from dendrometry.cli.version import options

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it is closed
            stream.reconfigure(errors="backslashreplace")
    app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(options)
    for command in (compare, cluster, cut, measures):
        app.command()(command)
    try:
        app()
    except DendrometryError as error:
        if sys.stderr is not None:
            print(f"dendrometry: {error}", file=sys.stderr)
        sys.exit(2)
