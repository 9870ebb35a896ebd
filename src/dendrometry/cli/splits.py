"""``dendrometry splits POINTS``: which splits of a tree are of two groups."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import p_text
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal
from dendrometry.cli._shared.inputs import (
    A_TREE,
    TREE_FILES,
    Jobs,
    Options,
    PointColumns,
    PointsFile,
    Seed,
    Standardize,
    add_reading_options,
    points_and_tree,
    rows_of_tree,
)
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    Quiet,
    picture,
    require_new,
    table_encoders,
    write_result,
)
from dendrometry.cli._shared.table import print_table
from dendrometry.cli.cut import write_cuts

if TYPE_CHECKING:
    from collections.abc import Callable

    from dendrometry.cluster.table import PointTable
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.significance.splits import Splits

_LINKAGES = ("ward", "average", "complete", "single")
_METRICS = ("euclidean", "cosine")
_REFERENCES = ("cautious", "unimodal", "normal", "permuted", "counts")
_LISTED = 20  # splits that are printed
_TOP = 40  # branches of the tree that are drawn


@add_reading_options
def splits(
    how: Options,
    points: PointsFile,
    tree: Annotated[str | None, option("FILE", f"Test this tree, {A_TREE}; by default one is built.")] = None,
    linkage: Annotated[
        str,
        option("NAME", f"How points are clustered, as those of --tree were: {', '.join(_LINKAGES)}.", among=_LINKAGES),
    ] = "ward",
    metric: Annotated[str, option("NAME", f"One of {', '.join(_METRICS)}.", among=_METRICS)] = "euclidean",
    column: PointColumns = None,
    standardize: Standardize = False,
    reference: Annotated[
        str,
        option(
            "NAME",
            "The sets that are one group: normal; unimodal, of any shape without a valley of density; cautious, the"
            " largest p-value of both; permuted columns; or counts, for whole numbers such as cells"
            " by genes.",
            among=_REFERENCES,
        ),
    ] = "cautious",
    references: Annotated[
        int, option("N", "The number of reference sets of a split; more are drawn for small ones.")
    ] = 199,
    alpha: Annotated[float, option("P", "The level of the tests, over the whole tree.")] = 0.05,
    max_depth: Annotated[
        int | None, option("N", "Test at most this many splits on the way from the root to any leaf.")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: Annotated[bool, switch("--json", "Print splits and groups as JSON.")] = False,
    out: Annotated[
        list[str] | None,
        option(
            "FILE",
            "Write a report (.html) or the table of splits (.csv, .tsv, .json, .md, .tex), or draw the tree with its"
            " p-values (.png, .svg, .pdf); may be given several times.",
        ),
    ] = None,
    clusters: Annotated[
        str | None, option("FILE", f"Also write the tree cut at the last splits of two groups ({TREE_FILES}).")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find which splits of a tree are of two groups.

    From the root down, each split of the tree is compared with those of random points that are one group, clustered in
    the same way. A split is tested only if all above it are of two groups; the chance that any is named whose items are
    one group is to be at most alpha. Prints the tested splits, what they say in words, and the parts that they leave.

    \b
    Examples:
      dendrometry splits points.csv
      dendrometry splits points.csv --linkage average --jobs -1 --out report.html --clusters groups.csv
      dendrometry splits points.csv --tree tree.nwk --max-depth 4 --out tree.png
    """
    for path in out or ():
        require_new(path, force, endings=(*TABLES, *PICTURES, *PAGES))
    require_new(clusters, force, option="--clusters")
    table, given = points_and_tree(points, tree, how, column, standardize)
    found = _tested(
        table,
        given,
        linkage=linkage,
        metric=metric,
        reference=reference,
        n_references=references,
        alpha=alpha,
        max_depth=max_depth,
        rng=seed,
        n_jobs=jobs,
        progress=not quiet and on_terminal(),
    )
    for path in out or ():
        write_result(path, _encoders(found), force=force)
    if json:
        print(_json(found))
    elif not out:
        _print(found)
    if clusters is not None:
        from dendrometry.significance.split_groups import split_groups

        write_cuts((split_groups(found).cut,), clusters, force)


def _tested(table: "PointTable", tree: "Hierarchy | None", **options: Any) -> "Splits":
    """Return the tested splits of a tree of points, given or built."""
    from dendrometry.significance.splits import splits as test

    if tree is not None:
        return test(rows_of_tree(table, tree), tree, **options)
    found = test(table.points, **options)
    return found if table.items is None else replace(found, tree=replace(found.tree, items=table.items))


def _columns(found: "Splits") -> dict[str, list[Any]]:
    """Return the tested splits as columns, the largest first, each with its sides and its first item."""
    tree, columns = found.tree, found.columns()
    children, low, item = tree.children, tree.order.item_low, tree.order.item
    sides = [tree.sizes[children.node[children.start[v] : children.start[v + 1]]].tolist() for v in columns["node"]]
    columns["first_side"], columns["second_side"] = ([pair[i] for pair in sides] for i in (0, 1))
    columns["first_item"] = [tree.items[item[low[v]]] for v in columns["node"]]
    order = sorted(range(len(sides)), key=lambda i: -columns["size"][i])
    return {name: [column[i] for i in order] for name, column in columns.items()}


def _print(found: "Splits") -> None:
    """Print the largest splits, what they say in words, the parts, and how they were tested."""
    from dendrometry.significance.split_groups import split_groups

    columns = _columns(found)
    names = ("size", "first_side", "second_side", "p_value", "adjusted", "rejected", "first_item")
    rows = [
        (f"{n:,}", f"{a:,} + {b:,}", p_text(p), p_text(adjusted), "yes" if rejected else "", item)
        for n, a, b, p, adjusted, rejected, item in zip(*(columns[name][:_LISTED] for name in names), strict=True)
    ]
    if rows:
        named = "two groups" if found.is_held else "rejected"
        print_table(["items", "sides", "p", "adjusted p", named, "first item"], rows)
        more = len(columns["node"]) - _LISTED
        print(f"and {more:,} more\n" if more > 0 else "")
    print(f"{found.verdict}\n\n{split_groups(found).sentence}\n\nFor a methods section: {found.methods}")


def _encoders(found: "Splits") -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the table, of the picture and of the report."""
    columns = _columns(found)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    tables = table_encoders(list(columns), rows, lambda: _json(found))
    drawn = {ending: partial(_picture, found, ending[1:]) for ending in PICTURES}
    return tables | drawn | {ending: partial(_page, found) for ending in PAGES}


def _json(found: "Splits") -> str:
    """Return splits and groups as JSON text."""
    import json

    from dendrometry.significance.split_groups import split_groups

    columns, groups = _columns(found), split_groups(found)
    content = {
        "n_items": found.tree.n_items,
        "linkage": found.linkage,
        "metric": found.metric,
        "reference": found.reference,
        "alpha": found.alpha,
        "verdict": found.verdict,
        "methods": found.methods,
        "splits": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
        "clusters": [
            {"tested": not untested, "items": items}
            for untested, items in zip(groups.untested.tolist(), groups.cut.clusters, strict=True)
        ],
    }
    return json.dumps(content, indent=2)


def _picture(found: "Splits", kind: str) -> bytes:
    """Return the tree with its p-values, in the colours of the groups, as the bytes of an image."""
    from dendrometry.plot.dendrogram import dendrogram
    from dendrometry.significance.split_groups import split_groups

    labels = split_groups(found).names
    draw = partial(dendrogram, found.tree, p_values=found.adjusted, alpha=found.alpha, top=_TOP)
    return picture(partial(draw, labels=labels), kind)


def _page(found: "Splits") -> str:
    """Return the report as text."""
    from dendrometry.report.splits import splits_page

    return splits_page(found).html()
