"""Reading of the trees given on the command line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dendrometry.cli.terminal.completion import completing
from dendrometry.errors import InvalidInputError
from dendrometry.io.formats import ENDINGS, FormatName

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy

__all__ = ["A_TREE", "TREE_FILES", "StandardInputFormat", "tree_at", "trees_at"]

TREE_FILES = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
A_TREE = f"a file ({TREE_FILES}, or these with .gz), or - for standard input"

StandardInputFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"The format of standard input (the file is -): {', '.join(ENDINGS)}.",
        autocompletion=completing(ENDINGS),
    ),
]


def tree_at(path: str, standard_input: str | None) -> "Hierarchy":
    """Return the tree in a file, or on standard input in the format given."""
    return trees_at([path], standard_input)[0]


def trees_at(paths: Sequence[str], standard_input: str | None) -> "list[Hierarchy]":
    """Return the trees in files, at most one of them on standard input in the format given."""
    from dendrometry.io.files import read

    if paths.count("-") > 1:
        raise InvalidInputError("standard input can be only one tree; got - more than once")
    if standard_input is not None and "-" not in paths:
        raise InvalidInputError("--format says what standard input holds, and needs - as the tree; files tell by name")
    if standard_input is None and "-" in paths:
        raise InvalidInputError(f"standard input (the file is -) needs a format: --format {', '.join(ENDINGS)}")
    form = cast("FormatName | None", standard_input)
    return [read(path, format=form if path == "-" else None) for path in paths]
