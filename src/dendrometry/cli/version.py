"""``dendrometry`` without a command, and ``dendrometry --version``."""

from typing import Annotated

import typer

from dendrometry._version import __version__


def _print_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        print(f"dendrometry {__version__}")
        raise typer.Exit


def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Measure hierarchical clusterings against each other.

    How alike are two trees, is it more than chance, and where do they differ?

    \b
    To see a complete example:
      dendrometry demo
    To compare two trees of your own:
      dendrometry compare truth.csv found.nwk
    To build a tree from a table of points, and cut it:
      dendrometry cluster points.csv --linkage average --out tree.nwk
      dendrometry cut tree.nwk -k 5
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
