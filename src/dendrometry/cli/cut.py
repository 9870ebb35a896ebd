"""``dendrometry cut TREE -k 5``: a flat clustering of a tree."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dendrometry._display import printable, quote_first
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    Options,
    PointColumns,
    Standardize,
    add_reading_options,
    points_at,
    require_distances,
    tree_at,
)
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import Force, announce, require_new
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry._typing import IntArray
    from dendrometry.cluster.table import PointTable
    from dendrometry.cut.cut import Cut
    from dendrometry.hierarchy import Hierarchy

_RULES = "-k, --at-most, --height, --gap, --penalty, --max-size, --excess-of-mass, --dynamic and --dynamic-tree"
_ESCAPE = 10  # maximum length of an escaped character; ensures that no name is truncated


class _Data(NamedTuple):
    """The options of the rules that look at more than the tree."""

    deep_split: int | None
    points: str | None
    distances: str | None
    items: str | None
    column: list[str] | None
    standardize: bool


@add_reading_options
def cut(
    how: Options,
    tree: Annotated[str, argument("TREE", f"The tree, with heights: {A_TREE}.")],
    k: Annotated[
        list[int] | None, option("K", "Exactly this many clusters; several times for several levels.", "-k")
    ] = None,
    at_most: Annotated[int | None, option("K", "The finest cut at one height with at most this many clusters.")] = None,
    height: Annotated[
        list[float] | None, option("H", "Cut at this height, keeping merges at or below it; several times for several.")
    ] = None,
    gap: Annotated[bool, switch("--gap", "Cut at the largest gap between heights.")] = False,
    penalty: Annotated[
        float | None, option("COST", "Least squared error plus this cost for each cluster; needs --points.")
    ] = None,
    max_size: Annotated[int | None, option("SIZE", "The largest clusters of at most this many items.", min=1)] = None,
    excess_of_mass: Annotated[
        int | None,
        option(
            "SIZE", "Disjoint clusters of at least this many items that stay together longest, as in HDBSCAN.", min=2
        ),
    ] = None,
    dynamic: Annotated[
        int | None,
        option(
            "SIZE",
            "Dynamic tree cut: branches of at least this many items with the shape of a cluster; needs --distances"
            " or --points (Euclidean).",
            min=2,
        ),
    ] = None,
    dynamic_tree: Annotated[
        int | None, option("SIZE", "Dynamic tree cut by the tree alone: runs of at least this many items.", min=2)
    ] = None,
    deep_split: Annotated[
        int | None,
        option(
            "N", "How readily to split: 0 to 4 for --dynamic, 0 or 1 for --dynamic-tree; by default 1.", min=0, max=4
        ),
    ] = None,
    points: Annotated[
        str | None,
        option("POINTS", "For --penalty and --dynamic: the .csv or .tsv file of points that the tree is of."),
    ] = None,
    distances: Annotated[
        str | None, option("DISTANCES", "For --dynamic: a square .csv or .tsv file of distances.")
    ] = None,
    column: PointColumns = None,
    standardize: Standardize = False,
    json: Annotated[bool, switch("--json", "Print the clusters as JSON, each a list of items.")] = False,
    out: Annotated[
        str | None,
        option(
            "FILE",
            "Write items and clusters to a .csv or .tsv file, or as a flat tree in any other format for trees;"
            " several levels as a tree.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Cut a tree into clusters.

    Give exactly one of -k, --at-most, --height, --gap, --penalty, --max-size, --excess-of-mass, --dynamic and
    --dynamic-tree. Prints each item and its cluster, separated by a tab, in the order of the items in the file; -k and
    --height may be given several times, for a column each. If other cuts are as good, because merges or gaps tie, a
    line on standard error says how many.

    \b
    Examples:
      dendrometry cut tree.nwk -k 5
      dendrometry cut tree.nwk -k 3 -k 10 -k 50 --out levels.csv
      dendrometry cut tree.nwk --gap --out clusters.csv
      dendrometry cut tree.nwk --penalty 2.5 --points points.csv
      dendrometry cut tree.nwk --dynamic 20 --points points.csv
    """
    require_new(out, force)
    with spinner("cutting", on_terminal()):
        hierarchy = tree_at(tree, how)
        rules: dict[str, Any] = {
            "-k": k,
            "--at-most": at_most,
            "--height": height,
            "--gap": gap or None,
            "--penalty": penalty,
            "--max-size": max_size,
            "--excess-of-mass": excess_of_mass,
            "--dynamic": dynamic,
            "--dynamic-tree": dynamic_tree,
        }
        cuts = _cuts(hierarchy, rules, _Data(deep_split, points, distances, how.items, column, standardize))
    for found in cuts:
        if found.n_alternatives and sys.stderr is not None:
            print(f"a tie decides this cut: {found!r}", file=sys.stderr)
    if out is not None:
        write_cuts(cuts, out, force)
    elif json:
        _print_json(cuts)
    else:
        for name, *labels in zip(hierarchy.items, *(found.labels.tolist() for found in cuts), strict=True):
            print(printable(name, longest=len(name) * _ESCAPE), *labels, sep="\t")


def _cuts(tree: "Hierarchy", rules: dict[str, Any], data: _Data) -> "tuple[Cut, ...]":
    """Return the cut by the one rule that is given, or several."""
    from dendrometry.cut import (
        cut_at_most,
        cut_counts,
        cut_dynamic_tree,
        cut_excess_of_mass,
        cut_gap,
        cut_heights,
        cut_size,
    )

    given = [(name, value) for name, value in rules.items() if value is not None]
    if len(given) != 1:
        raise InvalidInputError(f"a cut needs exactly one of {_RULES}")
    name, value = given[0]
    _check(name, data)
    if name in ("-k", "--height"):
        return (cut_counts if name == "-k" else cut_heights)(tree, value)
    by_rule: dict[str, Callable[[], Cut]] = {
        "--at-most": lambda: cut_at_most(tree, value),
        "--gap": lambda: cut_gap(tree),
        "--penalty": lambda: _by_penalty(tree, value, data),
        "--max-size": lambda: cut_size(tree, value),
        "--excess-of-mass": lambda: cut_excess_of_mass(tree, value),
        "--dynamic": lambda: _by_shape(tree, value, data),
        "--dynamic-tree": lambda: cut_dynamic_tree(tree, value, deep_split=data.deep_split != 0),
    }
    return (by_rule[name](),)


def _check(rule: str, data: _Data) -> None:
    """Refuse options that do not go with a rule, and rules without the options that they need."""
    if rule == "--dynamic" and (data.points is None) == (data.distances is None):
        raise InvalidInputError("--dynamic requires --points or --distances, those that the tree is of")
    if rule == "--penalty" and data.points is None:
        raise InvalidInputError("--penalty requires --points, the file of points that the tree is of; got none")
    if rule == "--dynamic-tree" and (data.deep_split or 0) > 1:
        raise InvalidInputError(f"--deep-split must be 0 or 1 with --dynamic-tree; got {data.deep_split}")
    for name, used, rules in (
        ("--points", data.points, ("--penalty", "--dynamic")),
        ("--distances", data.distances, ("--dynamic",)),
        ("--deep-split", data.deep_split, ("--dynamic", "--dynamic-tree")),
        ("--column", data.column or None, ("--penalty", "--dynamic")),
        ("--standardize", data.standardize or None, ("--penalty", "--dynamic")),
    ):
        if used is not None and rule not in rules:
            raise InvalidInputError(f"{name} requires {' or '.join(rules)}; got it with {rule}")


def _by_penalty(tree: "Hierarchy", penalty: float, data: _Data) -> "Cut":
    """Return the cut with the least squared error of the points plus the cost of its clusters."""
    from dendrometry.cut.penalty import cut_penalty, residual_squares

    assert data.points is not None
    table, row = _table_of_items(tree, data.points, data)
    return cut_penalty(tree, residual_squares(tree, table.points[row]), penalty=penalty)


def _by_shape(tree: "Hierarchy", min_size: int, data: _Data) -> "Cut":
    """Return the dynamic tree cut, by the distances in a table or those of its points."""
    from scipy.spatial.distance import pdist

    from dendrometry.cut.dynamic_hybrid import cut_dynamic_hybrid

    path = data.points or data.distances
    assert path is not None
    table, row = _table_of_items(tree, path, data)
    if data.points is not None:
        distances = pdist(table.points[row])
    else:
        require_distances(table)
        distances = table.points[row][:, row]
    deep_split = 1 if data.deep_split is None else data.deep_split
    return cut_dynamic_hybrid(tree, distances, min_size, deep_split=deep_split)


def _table_of_items(tree: "Hierarchy", path: str, data: _Data) -> "tuple[PointTable, IntArray]":
    """Return a table of numbers and its row for each item of a tree."""
    from dendrometry.overlap import positions

    distances = data.points is None
    table = points_at(path, data.items, data.column, distances=distances, standardize=data.standardize)
    names = table.items or tuple(map(str, range(len(table.points))))
    row = positions(tree.items, names)
    if len(names) != tree.n_items or (row < 0).any():
        lost = quote_first(sorted(set(tree.items) ^ set(names)))
        raise InvalidInputError(f"the points must be those of the tree's items; only in one of the two: {lost}")
    return table, row


def write_cuts(cuts: "tuple[Cut, ...]", path: str, force: bool) -> None:
    """Write the clusters as a flat tree, those of several cuts as a tree with a level for each."""
    from dendrometry.io.files import write
    from dendrometry.io.formats.labels import from_labels
    from dendrometry.io.formats.layers import from_layers

    by_number = sorted(cuts, key=lambda found: found.n_clusters)
    layers = [[f"cluster {label}" for label in found.labels.tolist()] for found in by_number]
    items = cuts[0].items
    tree = from_labels(layers[0], item_names=items) if len(cuts) == 1 else from_layers(layers, item_names=items)
    write(tree, path, force=force)
    announce(path)


def _print_json(cuts: "tuple[Cut, ...]") -> None:
    """Print the clusters; those of several cuts as a list."""
    import json

    content = [
        {
            "n_items": len(found.items),
            "n_clusters": found.n_clusters,
            "n_alternatives": found.n_alternatives,
            "clusters": found.clusters,
        }
        for found in cuts
    ]
    print(json.dumps(content[0] if len(content) == 1 else content, indent=2))
