"""Trees named on the command line."""

from typing import Annotated, cast

import typer

from dendrometry.hierarchy import Hierarchy
from dendrometry.io.files import FormatName, read

__all__ = ["StandardInputFormat", "tree_at"]

StandardInputFormat = Annotated[
    str | None,
    typer.Option("--format", help="What standard input, given as -, holds: newick, json, csv, tsv, parquet or npy."),
]


def tree_at(path: str, standard_input: str | None) -> Hierarchy:
    """Return the tree in a file, or on standard input in the format given."""
    return read(path, format=cast(FormatName | None, standard_input) if path == "-" else None)
