"""``dendrometry consensus TREES...``: the clusters that most of several trees share."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._display import percent, plural, quote_first
from dendrometry._files import unicode_name
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, Options, TreeFile, add_reading_options, trees_at, trees_of_one_file
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import Force, announce, require_new
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.comparison.consensus import Consensus


@add_reading_options
def consensus(
    how: Options,
    trees: Annotated[
        list[str], argument("TREE", f"Trees over the same items, each {A_TREE}; or one file of several trees.")
    ],
    threshold: Annotated[
        float | None,
        option("SHARE", "Clusters must occur in more than this share of the trees: 0.5, the default, up to 1."),
    ] = None,
    greedy: Annotated[
        bool, switch("--greedy", "Add less frequent clusters, in order, as far as they form a tree.")
    ] = False,
    json: Annotated[bool, switch("--json", "Print the clusters with their support as JSON.")] = False,
    out: TreeFile = None,
    force: Force = False,
) -> None:
    """Find the clusters that most of several trees share.

    The clusters in more than half of the trees form a tree (majority rule), and so do those in all trees (strict, a
    threshold near 1). Prints each with its support, the share of the trees that contain it, and draws the tree.

    \b
    Examples:
      dendrometry consensus trees/*.nwk
      dendrometry consensus bootstrap.nwk
      dendrometry consensus a.nwk b.nwk c.nwk --threshold 0.9 --out common.nwk
      dendrometry consensus trees/*.nwk --greedy
    """
    from dendrometry.comparison.consensus import consensus as consensus_of
    from dendrometry.comparison.greedy_consensus import greedy_consensus
    from dendrometry.io.files import write

    require_new(out, force)
    if greedy and threshold is not None:
        raise InvalidInputError("--greedy takes no --threshold, as it adds clusters of any share")
    with spinner("reading", on_terminal()):
        held = trees_of_one_file(trees, how)
        listed = trees_at(trees, how) if held is None else list(held.values())
        given = dict(zip(map(unicode_name, trees), listed, strict=True)) if held is None else held
        named = given if len(given) == len(listed) else listed  # a file may be given twice
        share = 0.5 if threshold is None else threshold
        found = greedy_consensus(named) if greedy else consensus_of(named, threshold=share)
    if out is not None:
        write(found.hierarchy, out, force=force)
        announce(out)
    if json:
        _print_json(found)
    elif out is None:
        _print(found)


def _clusters(found: "Consensus") -> list[tuple[float, tuple[str, ...]]]:
    """Return the support and the items of each cluster of two or more, without the set of all, best support first."""
    tree = found.hierarchy
    order = tree.order
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
    items = [tuple(tree.items[i] for i in order.item[low:high].tolist()) for low, high in spans]
    rows = [row for row in zip(found.support.tolist(), items, strict=True) if 1 < len(row[1]) < tree.n_items]
    return sorted(rows, key=lambda row: (-row[0], len(row[1])))


def _print(found: "Consensus") -> None:
    """Print the clusters, and draw the tree."""
    rows = _clusters(found)
    if rows:
        print_table(
            ("support", "items", ""), [(percent(share), str(len(items)), quote_first(items)) for share, items in rows]
        )
        print()
    print(found.hierarchy.draw())
    print()
    print(f"{found.words}, {plural(found.hierarchy.n_items, 'item')}")


def _print_json(found: "Consensus") -> None:
    """Print the clusters as JSON."""
    import json

    content = {
        "n_trees": found.n_trees,
        "threshold": found.threshold,
        "clusters": [{"support": share, "items": items} for share, items in _clusters(found)],
    }
    print(json.dumps(content, indent=2))
