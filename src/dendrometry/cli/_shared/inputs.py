"""Arguments that several commands share: trees and points, and how they are read."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry.cli._shared.options import add_options, argument, option, switch
from dendrometry.cli._shared.output import announce_reading
from dendrometry.cluster.linkages import LINKAGES, METRICS, OWN_METRICS
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.format_names import ENDINGS, FormatName, tells_format

if TYPE_CHECKING:
    from dendrometry.cluster.table import PointTable
    from dendrometry.hierarchy import Hierarchy

TREE_FILES = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
A_TREE = (
    f"a file ({TREE_FILES}, or these with .gz; others, such as .obo, by their content), file.nex:2 for its second tree,"
    " or - for standard input"
)

PointsFile = Annotated[str, argument("POINTS", "A .csv or .tsv file with a header, a row for each item, and numbers.")]
LinkageName = Annotated[str, option("NAME", f"One of {', '.join(LINKAGES)}.", among=LINKAGES)]
MetricName = Annotated[
    str, option("NAME", f"One of {', '.join(OWN_METRICS)}, or another metric of SciPy.", among=METRICS)
]
ItemColumn = Annotated[str | None, option("COLUMN", "The column with the names of the items; by default 'item'.")]
MatchNamesOption = Annotated[
    str,
    option(
        "HOW",
        "How names of items are matched: exact, or loose (case, underscores and spaces are ignored).",
        among=("exact", "loose"),
    ),
]
TreeFile = Annotated[str | None, option("FILE", f"Write the tree in the format of the ending ({TREE_FILES}).")]


class Options(NamedTuple):
    """How the trees in files are read: the options of every command that reads one, see `add_reading_options`."""

    format: Annotated[
        str | None,
        option(
            "NAME",
            f"The format of standard input (-) and of files whose names do not tell it: {', '.join(ENDINGS)}.",
            "--format",
            among=ENDINGS,
        ),
    ] = None
    path_column: Annotated[
        str | None, option("COLUMN", "The column of a table that holds paths such as 'Food > Fruit'.")
    ] = None
    sep: Annotated[
        str | None, option("TEXT", "The separator of paths in tables, by default found; '' if no column holds paths.")
    ] = None
    levels: Annotated[
        list[str] | None,
        option("COLUMN", "A column of a table that is a level; may be given several times, from the top down."),
    ] = None
    missing: Annotated[
        str,
        option(
            "HOW",
            "If a rank is missing above one that is given: refuse, skip_rank (leave it out), or own_node (make a node"
            " for it).",
            among=("refuse", "skip_rank", "own_node"),
        ),
    ] = "refuse"
    repeats: Annotated[
        str,
        option(
            "HOW",
            "If a name lies in several of the level above: refuse, or split (make a node of that name below each).",
            among=("refuse", "split"),
        ),
    ] = "refuse"
    noise: Annotated[
        str | None,
        option(
            "HOW",
            "What becomes of items with the label -1, as HDBSCAN labels noise: label (one cluster), singletons (a"
            " cluster each), or drop (left out). By default one cluster, and their number is printed.",
            among=("label", "singletons", "drop"),
        ),
    ] = None
    exact_heights: Annotated[
        bool,
        switch(
            "--exact-heights",
            "Take all digits of branch lengths as exact; otherwise heights within their rounding are equal.",
        ),
    ] = False
    missing_lengths: Annotated[
        str,
        option(
            "HOW",
            "If only some branches have lengths: error, zero (take the others as 0), or no_heights (leave all out).",
            among=("error", "zero", "no_heights"),
        ),
    ] = "error"
    parents: Annotated[
        str,
        option(
            "HOW",
            "If terms of an ontology or thesaurus have several parents: error, first (keep the first), or longest"
            " (keep that with the longest way to a root).",
            among=("error", "first", "longest"),
        ),
    ] = "error"


add_reading_options = add_options("how", Options)


def tree_at(path: str, options: Options) -> "Hierarchy":
    """Return the tree in a file."""
    return trees_at([path], options)[0]


def trees_at(paths: Sequence[str], options: Options) -> "list[Hierarchy]":
    """Return the trees in files, at most one of them on standard input; ``runs.nex:2`` is the second of a file."""
    from dendrometry.io._shared.options import LengthChoice, TableChoice
    from dendrometry.io._shared.requirements import warn_assumed
    from dendrometry.io.files import reading

    form = options.format
    if paths.count("-") > 1:
        raise InvalidInputError("standard input can be only one tree; got - more than once")
    files = [_file_and_tree(path) for path in paths]
    unnamed = [file for file, _ in files if not tells_format(file)]
    if form is not None and not unnamed:
        _check_agreement([file for file, _ in files], form)
    if form is None and "-" in paths:
        raise InvalidInputError(f"standard input (the file is -) needs a format: --format {', '.join(ENDINGS)}")
    given = cast("FormatName | None", form)
    choice = TableChoice(
        path_column=options.path_column,
        sep=options.sep,
        levels=options.levels or None,
        missing=cast("Any", options.missing),
        repeats=cast("Any", options.repeats),
        noise=cast("Any", options.noise),
    )
    lengths = LengthChoice(options.exact_heights, cast("Any", options.missing_lengths))
    parents = cast("Any", options.parents)
    found = [
        reading(file, given if file in unnamed else None, tree, parents, choice=choice, lengths=lengths)
        for file, tree in files
    ]
    for (file, _), one in zip(files, found, strict=True):
        warn_assumed(one.notes)
        announce_reading(file, one.account)
    return [one.tree for one in found]


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
