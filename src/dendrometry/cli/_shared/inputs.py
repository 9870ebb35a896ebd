"""Arguments that several commands share: trees and points, and how they are read."""

import inspect
import os
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, cast, get_type_hints

import typer

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry.cli._shared.completion import completer
from dendrometry.cluster.linkages import LINKAGES, METRICS, OWN_METRICS
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.format_names import ENDINGS, FormatName, tells_format

if TYPE_CHECKING:
    from dendrometry.cluster.table import PointTable
    from dendrometry.hierarchy import Hierarchy

Result = TypeVar("Result")

TREE_FILES = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
A_TREE = (
    f"a file ({TREE_FILES}, or these with .gz; others, such as .obo, by their content), file.nex:2 for its second tree,"
    " or - for standard input"
)

PointsFile = Annotated[
    str,
    typer.Argument(metavar="POINTS", help="A .csv or .tsv file with a header, a row for each item, and numbers."),
]
LinkageName = Annotated[
    str,
    typer.Option(metavar="NAME", help=f"One of {', '.join(LINKAGES)}.", autocompletion=completer(LINKAGES)),
]
MetricName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"One of {', '.join(OWN_METRICS)}, or another metric of SciPy.",
        autocompletion=completer(METRICS),
    ),
]
ItemColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column with the names of the items; by default 'item'.")
]


class Options(NamedTuple):
    """How the trees in files are read: the options of every command that reads one, see `add_reading_options`."""

    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"The format of standard input (-) and of files whose names do not tell it: {', '.join(ENDINGS)}.",
            autocompletion=completer(ENDINGS),
        ),
    ] = None
    path_column: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of a table that holds paths such as 'Food > Fruit'."),
    ] = None
    sep: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="The separator of paths in tables, by default found; '' if no column holds paths."
        ),
    ] = None
    exact_heights: Annotated[
        bool,
        typer.Option(
            "--exact-heights",
            help="Take all digits of branch lengths as exact; otherwise heights within their rounding are equal.",
        ),
    ] = False
    missing_lengths: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="If only some branches have lengths: error, zero (take the others as 0), or no_heights (leave all"
            " out).",
            autocompletion=completer(("error", "zero", "no_heights")),
        ),
    ] = "error"
    parents: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="If terms of an ontology or thesaurus have several parents: error, first (keep the first), or longest"
            " (keep that with the longest way to a root).",
            autocompletion=completer(("error", "first", "longest")),
        ),
    ] = "error"


def add_reading_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return a command with the options of `Options` in place of its parameter ``how``."""

    @wraps(command)
    def run(**given: Any) -> Result:
        how = Options(**{name: given.pop(name) for name in Options._fields})
        return command(how=how, **given)

    signature = inspect.signature(command)
    own = [parameter for name, parameter in signature.parameters.items() if name != "how"]
    hints = get_type_hints(Options, include_extras=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
        for name, default in Options._field_defaults.items()
    ]
    run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]  # typer reads it
    return run


def tree_at(path: str, options: Options) -> "Hierarchy":
    """Return the tree in a file."""
    return trees_at([path], options)[0]


def trees_at(paths: Sequence[str], options: Options) -> "list[Hierarchy]":
    """Return the trees in files, at most one of them on standard input; ``runs.nex:2`` is the second of a file."""
    from dendrometry.io.files import read

    form = options.format
    if paths.count("-") > 1:
        raise InvalidInputError("standard input can be only one tree; got - more than once")
    files = [_file_and_tree(path) for path in paths]
    untold = [file for file, _ in files if not tells_format(file)]
    if form is not None and not untold:
        _check_agreement([file for file, _ in files], form)
    if form is None and "-" in paths:
        raise InvalidInputError(f"standard input (the file is -) needs a format: --format {', '.join(ENDINGS)}")
    given = cast("FormatName | None", form)
    return [
        read(
            file,
            format=given if file in untold else None,
            path_column=options.path_column,
            sep=options.sep,
            tree=tree,
            exact_heights=options.exact_heights,
            missing_lengths=cast("Any", options.missing_lengths),
            parents=cast("Any", options.parents),
        )
        for file, tree in files
    ]


def _file_and_tree(path: str) -> tuple[str, str | None]:
    """Return the file and the tree of ``runs.nex:2``, unless that is itself the name of a file."""
    file, colon, tree = path.rpartition(":")
    return (file, tree) if colon and tree and not os.path.exists(path) and os.path.isfile(file) else (path, None)


def _check_agreement(paths: Sequence[str], form: str) -> None:
    """Refuse a format if the names of the files determine theirs, and one of them is another."""
    known = cast("FormatName", one_of(form, "--format", ENDINGS))
    others = [path for path in paths if not path.lower().removesuffix(".gz").endswith(ENDINGS[known])]
    if others:
        raise InvalidInputError(
            "--format must be that of the names, which determine it for all of these files;"
            f" got {known} for {printable(others[0], longest=4096)}"
        )


def rows_of_tree(table: "PointTable", tree: "Hierarchy") -> Any:
    """Return the points in the order of the items of a tree, matched by name; without names in their own order."""
    from dendrometry._check.names import positions_of

    if table.items is None:
        return table.points
    return table.points[positions_of(tree.items, table.items, "the tree and the points")]
