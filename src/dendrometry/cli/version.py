"""``dendrometry --version``: which version this is."""

from typing import Annotated

import typer

import dendrometry

__all__ = ["options"]


def _print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        print(f"dendrometry {dendrometry.__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Compare, build and cut hierarchies of clusters."""
