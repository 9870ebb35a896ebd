"""``dendrometry cut TREE -k 5``: a flat clustering of a tree."""

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from dendrometry._display import printable, quote_first
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli.terminal.output import Force, announce, require_new
from dendrometry.cli.trees.reading import (
    A_TREE,
    ExactHeights,
    MissingLengths,
    Options,
    PathColumn,
    Separator,
    TreeFormat,
    tree_at,
)
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.cut.cut import Cut
    from dendrometry.hierarchy import Hierarchy

__all__ = ["cut"]

_RULES = "-k, --at-most, --height, --gap and --penalty"
_ESCAPE = 10  # maximum length of an escaped character; ensures that no name is truncated


class _Rule(NamedTuple):
    """The options that determine a cut."""

    k: int | None
    at_most: int | None
    height: float | None
    gap: bool
    penalty: float | None
    points: str | None
    items: str | None


def cut(
    tree: Annotated[str, typer.Argument(metavar="TREE", help=f"The tree, with heights: {A_TREE}.")],
    k: Annotated[int | None, typer.Option("-k", metavar="K", help="Exactly this many clusters.")] = None,
    at_most: Annotated[
        int | None, typer.Option(metavar="K", help="The finest cut at one height with at most this many clusters.")
    ] = None,
    height: Annotated[
        float | None, typer.Option(metavar="H", help="Cut at this height; merges at or below it are kept.")
    ] = None,
    gap: Annotated[bool, typer.Option("--gap", help="Cut at the largest gap between heights.")] = False,
    penalty: Annotated[
        float | None,
        typer.Option(metavar="COST", help="Least squared error plus this cost for each cluster; needs --points."),
    ] = None,
    points: Annotated[
        str | None,
        typer.Option(metavar="POINTS", help="For --penalty: the .csv or .tsv file of points that the tree is of."),
    ] = None,
    items: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of --points with the names of the items; by default 'item'."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the clusters as JSON, each a list of items.")] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write items and clusters to a .csv or .tsv file, or as a flat tree in any other format for trees.",
        ),
    ] = None,
    force: Force = False,
    format: TreeFormat = None,
    path_column: PathColumn = None,
    sep: Separator = None,
    exact_heights: ExactHeights = False,
    missing_lengths: MissingLengths = "error",
) -> None:
    """Cut a tree into clusters.

    Give exactly one of -k, --at-most, --height, --gap and --penalty. Prints each item and its cluster, separated by a
    tab, in the order of the items in the file. If other cuts are as good, because merges or gaps tie, a line on
    standard error says how many.

    \b
    Examples:
      dendrometry cut tree.nwk -k 5
      dendrometry cut tree.nwk --gap --out clusters.csv
      dendrometry cut tree.nwk --penalty 2.5 --points points.csv
    """
    require_new(out, force)
    with spinner("cutting", on_terminal()):
        hierarchy = tree_at(tree, Options(format, path_column, sep, exact_heights, missing_lengths))
        found = _cut(hierarchy, _Rule(k, at_most, height, gap, penalty, points, items))
    if found.n_alternatives and sys.stderr is not None:
        print(f"a tie decides this cut: {found!r}", file=sys.stderr)
    if out is not None:
        _write(found, out, force)
    elif json:
        _print_json(found)
    else:
        for name, label in zip(found.items, found.labels.tolist(), strict=True):
            print(f"{printable(name, longest=len(name) * _ESCAPE)}\t{label}")


def _cut(tree: "Hierarchy", rule: _Rule) -> "Cut":
    """Return the cut by the given rule."""
    from dendrometry.cut.count import cut_at_most, cut_count
    from dendrometry.cut.height import cut_gap, cut_height

    given = (rule.k, rule.at_most, rule.height, rule.gap or None, rule.penalty)
    if sum(value is not None for value in given) != 1:
        raise InvalidInputError(f"a cut needs exactly one of {_RULES}")
    if rule.penalty is None and (rule.points is not None or rule.items is not None):
        raise InvalidInputError("--points and --items require --penalty; got them with another rule")
    if rule.k is not None:
        return cut_count(tree, rule.k)
    if rule.at_most is not None:
        return cut_at_most(tree, rule.at_most)
    if rule.penalty is not None:
        return _by_penalty(tree, rule)
    return cut_gap(tree) if rule.height is None else cut_height(tree, rule.height)


def _by_penalty(tree: "Hierarchy", rule: _Rule) -> "Cut":
    """Return the cut with the least squared error of the points plus the cost of its clusters."""
    from dendrometry.cluster.table import read_points
    from dendrometry.cut.penalty import cut_penalty, residual_squares
    from dendrometry.overlap import positions

    if rule.points is None or rule.penalty is None:
        raise InvalidInputError("--penalty requires --points, the file of points that the tree is of; got none")
    table = read_points(rule.points, item_column=rule.items)
    names = table.items or tuple(map(str, range(len(table.points))))
    row = positions(tree.items, names)
    if len(names) != tree.n_items or (row < 0).any():
        lost = quote_first(sorted(set(tree.items) ^ set(names)))
        raise InvalidInputError(f"the points must be those of the tree's items; only in one of the two: {lost}")
    return cut_penalty(tree, residual_squares(tree, table.points[row]), penalty=rule.penalty)


def _write(found: "Cut", path: str, force: bool) -> None:
    """Write the clusters as a flat tree."""
    from dendrometry.io.files import write
    from dendrometry.io.labels import from_labels

    names = [f"cluster {label}" for label in found.labels.tolist()]
    write(from_labels(names, item_names=found.items), path, force=force)
    announce(path)


def _print_json(found: "Cut") -> None:
    """Print the clusters."""
    import json

    content = {
        "n_items": len(found.items),
        "n_clusters": found.n_clusters,
        "n_alternatives": found.n_alternatives,
        "clusters": found.clusters,
    }
    print(json.dumps(content, indent=2))
