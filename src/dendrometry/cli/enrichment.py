"""``dendrometry enrichment TREE LABELS``: in which subtrees classes of items are concentrated."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.classes import nodes_at_level
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, trees_at
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table

if TYPE_CHECKING:
    from dendrometry.significance.enrichment import Enrichment


@add_reading_options
def enrichment(
    how: Options,
    tree: Annotated[str, argument("TREE", f"The tree: {A_TREE}.")],
    labels: Annotated[str, argument("LABELS", "The class of each item: a table of items and labels, or a tree.")],
    level: Annotated[
        int | None, option("N", "The level of LABELS that gives the classes, 1 for the top; if several.", min=1)
    ] = None,
    alpha: Annotated[float, option("P", "The level of the tests, over all nodes and classes.")] = 0.05,
    json: Annotated[bool, switch("--json", "Print every node and class with a p-value up to alpha as JSON.")] = False,
    out: Annotated[str | None, option("FILE", "Write the same (.csv, .tsv, .json, .md, .tex).")] = None,
    force: Force = False,
) -> None:
    """Find the subtrees where classes are concentrated.

    Each node and class is tested by Fisher's exact test: would as many items, drawn at random, hold as many of the
    class? P-values are adjusted so that the chance of naming any node wrongly is at most alpha. Printed are the peaks:
    for each class the node with the least p-value, then the least of those neither above nor below it, and so on. Items
    of the tree without a label are left out.

    \b
    Examples:
      dendrometry enrichment tree.nwk labels.csv
      dendrometry enrichment tree.nwk labels.csv --alpha 0.01 --out nodes.csv
      dendrometry enrichment tree.nwk taxonomy.csv --level 2
    """
    require_new(out, force, endings=TABLES)
    with spinner("testing", on_terminal()):
        from dendrometry.significance.enrichment import enrichment as test

        judged, known = trees_at([tree, labels], how)
        held = nodes_at_level(known, level, labels)
        names = {item: known.node_names[v] if known.node_names else str(v) for item, v in held.items()}
        found = test(judged, names, alpha=alpha)
    if out is not None:
        columns = found.columns()
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        write_result(out, table_encoders(list(columns), rows, lambda: _json(found)), force=force)
    elif json:
        print(_json(found))
    else:
        _print(found)


def _print(found: "Enrichment") -> None:
    """Print the peaks, and how the p-values were obtained."""
    columns, order = found.columns(), found.tree.order
    rows = []
    for i in found.peaks.tolist():
        v = columns["node"][i]
        called = columns["name"][i] or f"node {v}, with {found.tree.items[order.item[order.item_low[v]]]}"
        share = f"{columns['count'][i]:,} of {columns['total'][i]:,}"
        numbers = f"{columns['size'][i]:,}", f"{columns['expected'][i]:.3g}", f"{columns['adjusted'][i]:.2g}"
        rows.append((columns["class"][i], called, share, *numbers))
    if rows:
        print_table(["class", "cluster", "of the class", "items", "expected", "adjusted p"], rows)
        print()
    print(repr(found))
    print(f"\n{found.verdict}\n\nFor a methods section: {found.methods}")


def _json(found: "Enrichment") -> str:
    """Return the tests as JSON text."""
    import json

    columns = found.columns()
    content = {
        "n_labelled": found.n_labelled,
        "n_classes": len(found.classes),
        "n_tests": found.n_tests,
        "alpha": found.alpha,
        "verdict": found.verdict,
        "methods": found.methods,
        "nodes": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    }
    return json.dumps(content, indent=2)
