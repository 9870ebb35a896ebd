"""``dendrometry labels TREE LABELS``: how well the cuts of a tree agree with known classes."""

from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.classes import nodes_at_level
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, trees_at
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.measures.registry import PARTITION_MEASURES, measure_meant

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.levels.label_profile import LabelProfile
    from dendrometry.measures.score import Score

_ORDERS = ("height", "size", "depth")
_MOST_NAMED = 10  # rows without a label that a message lists


@add_reading_options
def labels(
    how: Options,
    tree: Annotated[str, argument("TREE", f"The tree: {A_TREE}.")],
    labels: Annotated[str, argument("LABELS", "The class of each item: a table of items and labels, or a tree.")],
    level: Annotated[
        int | None, option("N", "The level of LABELS that gives the classes, 1 for the top; if several.", min=1)
    ] = None,
    measure: Annotated[
        list[str] | None,
        option(
            "NAME",
            "Only this measure of partitions, such as adjusted_rand; may be given several times.",
            among=PARTITION_MEASURES,
        ),
    ] = None,
    order: Annotated[
        str | None,
        option(
            "NAME",
            f"What merges first, one of {', '.join(_ORDERS)}; by default height, or size without heights.",
            among=_ORDERS,
        ),
    ] = None,
    max_clusters: Annotated[int, option("N", "Print up to this many clusters; files hold all.", min=1)] = 20,
    json: Annotated[bool, switch("--json", "Print every number of clusters as JSON.")] = False,
    out: Annotated[str | None, option("FILE", "Write every number of clusters (.csv, .tsv, .json, .md, .tex).")] = None,
    force: Force = False,
) -> None:
    """Compare the cuts of a tree with known classes.

    The tree is cut into every number of clusters that it has, and each cut is compared with the labels. The best cut is
    an upper bound of what the tree scores, since the labels have chosen it. Dendrogram purity needs no cut; it is
    printed beside its value by chance. Items are matched by name, and each must have a label.

    \b
    Examples:
      dendrometry labels tree.nwk labels.csv
      dendrometry labels tree.nwk labels.csv --measure adjusted_rand --max-clusters 50
      dendrometry labels tree.nwk taxonomy.csv --level 1 --out labels.csv
    """
    from dendrometry.levels.label_profile import label_profile

    require_new(out, force, endings=TABLES)
    for name in measure or ():
        one_of(name, "--measure", PARTITION_MEASURES, meant=measure_meant)
    if order is not None:
        one_of(order, "--order", _ORDERS)
    with spinner("comparing", on_terminal()):
        judged, known = trees_at([tree, labels], how)
        classes = _classes(known, level, labels)
        found = label_profile(judged, classes, measure or None, order=order)  # type: ignore[arg-type] # checked above
        purity = _purity(classes, judged)
    if out is not None:
        columns = _columns(found)
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        write_result(out, table_encoders(list(columns), rows, lambda: _json(found, purity)), force=force)
    elif json:
        print(_json(found, purity))
    else:
        _print(found, purity, max_clusters)


def _classes(known: "Hierarchy", level: int | None, path: str) -> dict[str, int]:
    """Return the node at a level that holds each item; an item above that level has no label and is refused."""
    classes = nodes_at_level(known, level, path)
    missing = [row for row, item in enumerate(known.items, 1) if item not in classes]
    if missing:
        named = ", ".join(f"{row} ('{printable(known.items[row - 1])}')" for row in missing[:_MOST_NAMED])
        more = f" and {len(missing) - _MOST_NAMED:,} more" if len(missing) > _MOST_NAMED else ""
        raise InvalidInputError(
            f"{printable(path, longest=4096)}: every item must have a label; it is missing in"
            f" {'row' if len(missing) == 1 else 'rows'} {named}{more}"
        )
    return classes


def _purity(classes: dict[str, int], tree: "Hierarchy") -> "Score | None":
    """Return the dendrogram purity with its expectation, or None if no two items are of one class."""
    from dendrometry.io.formats.labels import from_labels
    from dendrometry.measures.trees.dendrogram_purity import score
    from dendrometry.tree_pair.pair import Pair
    from dendrometry.tree_pair.statistics import PairStatistics

    try:
        return score(PairStatistics(Pair.of_trees(from_labels(classes), tree)))
    except UndefinedMeasureError:
        return None


def _columns(found: "LabelProfile") -> dict[str, list[Any]]:
    """Return the numbers of clusters and the values as columns."""
    return {"n_clusters": found.n_clusters.tolist()} | {name: values.tolist() for name, values in found.value.items()}


def _print(found: "LabelProfile", purity: "Score | None", max_clusters: int) -> None:
    """Print a row for each number of clusters up to a limit, the best cuts, and the purity."""
    columns = _columns(found)
    few = [row for row in zip(*columns.values(), strict=True) if row[0] <= max_clusters]
    print_table(["clusters", *found.value], [(f"{row[0]:,}", *(f"{x:.4g}" for x in row[1:])) for row in few])
    print("\nbest cuts, an upper bound since the labels have chosen them:")
    for name in found.value:
        best = found.best_cut(name)
        print(f"  {name} {best.value:.4g} with {plural(best.n_clusters, 'cluster')}")
    print(f"dendrogram_purity {_score_text(purity)}")
    n_more = found.n_clusters.size - len(few)
    more = f"; {plural(n_more, 'finer cut')} not shown" if n_more else ""
    classes = f"{found.n_classes:,} class{'' if found.n_classes == 1 else 'es'}"
    print(f"{plural(found.n_items, 'item')}, {classes}, levels by {found.order}{more}")


def _score_text(purity: "Score | None") -> str:
    """Return the purity beside chance in words."""
    if purity is None:
        return "is undefined, since no two items are of one class"
    adjusted = "" if purity.adjusted is None else f", adjusted {purity.adjusted:.4g}"
    return f"{purity.value:.4g}, by chance {purity.expected:.4g}{adjusted}"


def _json(found: "LabelProfile", purity: "Score | None") -> str:
    """Return all levels, the best cuts and the purity as JSON text."""
    import json

    columns = _columns(found)
    content = {
        "n_items": found.n_items,
        "n_classes": found.n_classes,
        "order": found.order,
        "dendrogram_purity": None if purity is None else purity._asdict(),
        "upper_bound": {name: found.best_cut(name)._asdict() for name in found.value},
        "levels": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    }
    return json.dumps(content, indent=2)
