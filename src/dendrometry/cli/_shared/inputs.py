"""Arguments that several commands share: trees and points, and how they are read."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from dendrometry._check.choices import one_of
from dendrometry._display import percent, printable, quote_first
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.options import add_options, argument, option, switch
from dendrometry.cli._shared.output import announce_reading
from dendrometry.cluster.linkages import LINKAGES, METRICS, OWN_METRICS
from dendrometry.errors import DendrometryError, InvalidInputError, Remedy
from dendrometry.io._shared.format_names import ENDINGS, READ_ENDINGS, FormatName, tells_format

if TYPE_CHECKING:
    from dendrometry.cluster.table import PointTable
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.io._shared.options import LengthChoice, TableChoice

TREE_FILES = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
_READ_FILES = ", ".join((TREE_FILES, *(ending for endings in READ_ENDINGS.values() for ending in endings)))
A_TREE = (
    f"a file ({_READ_FILES}, or these with .gz; others, such as .obo, by their content), file.nex:2 for its second"
    " tree, or - for standard input"
)

_ONE_TREE = tuple(ending for form in ("json", "csv", "tsv", "parquet", "npy") for ending in ENDINGS[form])
_ONE_BY_ONE = Remedy(
    "", ..., "columns are named for all files alike; 'dendrometry convert' writes one of them, by its own, as a tree"
)
_ROW_NUMBERS = ("id", "index", "idx", "row", "nr", "no", "number")  # names of a column that numbers the rows
_NEARLY_ALL = 0.95  # of the variance

PointsFile = Annotated[str, argument("POINTS", "A .csv or .tsv file with a header, a row for each item, and numbers.")]
LinkageName = Annotated[str, option("NAME", f"One of {', '.join(LINKAGES)}.", among=LINKAGES)]
MetricName = Annotated[
    str, option("NAME", f"One of {', '.join(OWN_METRICS)}, or another metric of SciPy.", among=METRICS)
]
ItemColumn = Annotated[
    str | None,
    option(
        "COLUMN",
        "The column of a table that names the items; by default 'item', else a first column without a name, else the"
        " first column, unless it holds numbers as the others do.",
    ),
]
PointColumns = Annotated[
    list[str] | None,
    option(
        "NAME", "Only this column of numbers; may be given several times. By default all but the items.", "--column"
    ),
]
Standardize = Annotated[
    bool, switch("--standardize", "Give every column the mean 0 and the standard deviation 1, so that all count alike.")
]
Seed = Annotated[int, option("N", "The seed of random numbers.", min=0)]
Jobs = Annotated[int, option("N", "Jobs at a time; -1 for all cores.")]
PathsOption = Annotated[
    str | None,
    option(
        "OLD,NEW", "Two columns of paths in one table, which is then the only file; the trees are called as they are."
    ),
]
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
    items: ItemColumn = None
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
    from dendrometry.io._shared.requirements import warn_assumed
    from dendrometry.io.files import reading

    form = options.format
    if paths.count("-") > 1:
        raise InvalidInputError("standard input can be only one tree; got - more than once")
    files = [file_and_tree(path) for path in paths]
    unnamed = [file for file, _ in files if not tells_format(file)]
    if form is not None and not unnamed:
        _check_agreement([file for file, _ in files], form)
    if form is None and "-" in paths:
        raise InvalidInputError(f"standard input (the file is -) needs a format: --format {', '.join(ENDINGS)}")
    given = cast("FormatName | None", form)
    choice, lengths = _table_choice(options), _length_choice(options)
    parents = cast("Any", options.parents)
    try:
        found = [
            reading(file, given if file in unnamed else None, tree, parents, choice=choice, lengths=lengths)
            for file, tree in files
        ]
    except DendrometryError as error:
        if len(files) == 1 or not (choice.levels or choice.item or choice.path_column):
            raise
        raise type(error)(*error.args, _ONE_BY_ONE) from None
    for (file, _), one in zip(files, found, strict=True):
        warn_assumed(one.notes)
        announce_reading(file, one.account)
    return [one.tree for one in found]


def trees_of_one_file(paths: Sequence[str], options: Options) -> "dict[str, Hierarchy] | None":
    """Return all trees of the only file, by name, if it may hold several: no table, and no tree of it is named."""
    from dendrometry.io.files import read_many

    file, tree = file_and_tree(paths[0])
    if len(paths) > 1 or tree is not None or file == "-" or file.lower().removesuffix(".gz").endswith(_ONE_TREE):
        return None
    lengths = _length_choice(options)._asdict()
    return read_many(file, format=cast("FormatName | None", options.format), **lengths)


def pair_of_trees(a: str, b: str | None, paths: str | None, options: Options) -> "list[Hierarchy]":
    """Return two trees: of two files, or of two columns of paths in one table."""
    from dendrometry.io._shared.requirements import warn_assumed
    from dendrometry.io.files import read_paths

    columns = columns_of_paths(a, b, paths)
    if columns is None:
        return trees_at([a, str(b)], options)
    form = cast("FormatName | None", options.format)
    found = read_paths(a, columns, form, None, _table_choice(options), _length_choice(options))
    for one in found.values():
        warn_assumed(one.notes)
        announce_reading(a, one.account)
    return [one.tree for one in found.values()]


def columns_of_paths(a: str, b: str | None, paths: str | None) -> tuple[str, str] | None:
    """Return the two columns that --paths names, or None for two files."""
    if (b is None) == (paths is None):
        raise InvalidInputError("two files must be given, or one table and --paths OLD,NEW")
    if paths is None:
        return None
    first, comma, second = paths.partition(",")
    if not comma or not first.strip() or not second.strip() or "," in second:
        raise InvalidInputError(f"--paths must be two names of columns, such as old,new; got {printable(paths)}")
    return first.strip(), second.strip()


def points_at(
    path: str,
    items: str | None,
    columns: Sequence[str] | None = None,
    *,
    distances: bool = False,
    standardize: bool | None = None,
) -> "PointTable":
    """Return the points in a file, after saying how they are read; ``distances`` of its items may be in it too.

    Unless they shall be standardized, a warning says if one column makes nearly all of the distances; not if
    ``standardize`` is None, as in commands that scale the points themselves.
    """
    from dendrometry.cluster.table import read_points
    from dendrometry.io._shared.account import Account

    table = read_points(path, item_column=items, columns=columns or None)
    if table.are_distances and not distances:
        raise InvalidInputError(
            f"{printable(path, longest=4096)} must hold measurements of its items; it is a table of distances: its"
            " columns are the items, it is symmetric, and 0 from each item to itself",
            Remedy("distances", ..., "takes it as distances"),
        )
    n_items, n_columns = table.points.shape
    announce_reading(path, Account("points", n_items, n_columns, table.columns, item=table.item_column))
    if items is None and not columns:
        _warn_of_row_numbers(table)
    if standardize is False and not table.are_distances:
        _warn_of_scales(table)
    return table.standardized() if standardize else table


def _warn_of_row_numbers(table: "PointTable") -> None:
    """Warn if a first column that is called so only numbers the rows, but is taken as one of the points."""
    import warnings

    from dendrometry.errors import AssumptionWarning

    numbers, name = table.points[:, 0].tolist(), table.columns[0]
    if table.items is None and name.lower() in _ROW_NUMBERS and numbers[0] in (0, 1):
        if numbers == [numbers[0] + i for i in range(len(numbers))]:
            says = f"column '{printable(name)}' only numbers the rows, but is taken as numbers like the others"
            warnings.warn(
                AssumptionWarning(says, Remedy("item_column", ..., "names the column of the items")), stacklevel=2
            )


def _warn_of_scales(table: "PointTable") -> None:
    """Warn if one column makes nearly all of the distances."""
    import warnings

    from dendrometry.errors import AssumptionWarning

    shares = table.variance_shares
    most = int(shares.argmax())
    if len(shares) > 1 and shares[most] > _NEARLY_ALL:
        name = printable(table.columns[most])
        warnings.warn(
            AssumptionWarning(
                f"column '{name}' has {percent(shares[most])} of the variance of all {len(shares)} columns, so"
                " distances are hardly those of the others",
                Remedy("standardize", ..., "makes all count alike"),
            ),
            stacklevel=2,
        )


def require_distances(table: "PointTable") -> None:
    """Refuse a table of distances whose columns are not the items."""
    if table.items is not None and table.columns != table.items:
        raise InvalidInputError(
            "the columns of a table of distances must be the items, in the order of the rows;"
            f" got {quote_first(table.columns)} and {quote_first(table.items)}"
        )


def _table_choice(options: Options) -> "TableChoice":
    """Return what the options say about tables."""
    from dendrometry.io._shared.options import TableChoice

    return TableChoice(
        item=options.items,
        path_column=options.path_column,
        sep=options.sep,
        levels=options.levels or None,
        missing=cast("Any", options.missing),
        repeats=cast("Any", options.repeats),
        noise=cast("Any", options.noise),
    )


def _length_choice(options: Options) -> "LengthChoice":
    """Return what the options say about lengths of branches."""
    from dendrometry.io._shared.options import LengthChoice

    return LengthChoice(options.exact_heights, cast("Any", options.missing_lengths))


def file_and_tree(path: str) -> tuple[str, str | None]:
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


def points_and_tree(
    points: str, tree: str | None, how: Options, columns: Sequence[str] | None, standardize: bool
) -> "tuple[PointTable, Hierarchy | None]":
    """Return the points in a file, and the tree in another one, if any."""
    with spinner("reading", on_terminal()):
        table = points_at(points, how.items, columns, standardize=standardize)
        return table, None if tree is None else tree_at(tree, how)


def rows_of_tree(table: "PointTable", tree: "Hierarchy") -> Any:
    """Return the points in the order of the items of a tree, matched by name; without names in their own order."""
    from dendrometry._check.names import positions_of

    if table.items is None:
        return table.points
    return table.points[positions_of(tree.items, table.items, "the tree and the points")]
