"""``dendrometry stability POINTS``: which clusters come back when the data are drawn again."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import index_text
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    Jobs,
    LinkageName,
    MetricName,
    Options,
    PointColumns,
    Seed,
    Standardize,
    add_reading_options,
    points_at,
    require_distances,
    rows_of_tree,
    tree_at,
)
from dendrometry.cli._shared.options import argument, option, switch
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
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from dendrometry.cluster.table import PointTable
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.resampling.stability import Stability

_TREES = (".nwk", ".nex")
_REFERENCES = ("cautious", "normal", "permuted")
_LISTED = 20  # clusters that are printed


@add_reading_options
def stability(
    how: Options,
    points: Annotated[
        str | None, argument("POINTS", "A .csv or .tsv file with a header, a row for each item, and numbers.")
    ] = None,
    distances: Annotated[
        bool, switch("--distances", "POINTS is a square table of distances; rows are drawn again.")
    ] = False,
    tree: Annotated[str | None, option("FILE", f"Judge this tree, {A_TREE}; by default one is built.")] = None,
    trees: Annotated[
        list[str] | None, option("FILE", "Judge --tree by all trees in this file, and in others, in place of POINTS.")
    ] = None,
    linkage: LinkageName = "ward",
    metric: MetricName = "euclidean",
    column: PointColumns = None,
    standardize: Standardize = False,
    resample: Annotated[
        str, option("NAME", "What is drawn again: bootstrap or subsample (rows), columns, or noise.")
    ] = "bootstrap",
    multiscale: Annotated[
        bool, switch("--multiscale", "Draw columns at ten scales, for approximately unbiased probabilities.")
    ] = False,
    replicates: Annotated[int, option("N", "The number of replicates, at each scale.")] = 100,
    references: Annotated[
        int | None, option("N", "Data sets without clusters, to compare with: 39, or none of distances.", min=0)
    ] = None,
    reference: Annotated[
        str,
        option(
            "NAME",
            "Data without clusters: normal; cautious, which also asks for a valley of density; or permuted columns.",
            among=_REFERENCES,
        ),
    ] = "cautious",
    max_clusters: Annotated[int, option("N", "Compare cuts into up to this many clusters.")] = 10,
    seed: Seed = 0,
    jobs: Jobs = 1,
    file: Annotated[str | None, option("FILE", "Keep replicates here; if it exists, go on from there.")] = None,
    json: Annotated[bool, switch("--json", "Print clusters and levels as JSON.")] = False,
    out: Annotated[
        list[str] | None,
        option(
            "FILE",
            "Write a report (.html), the table of clusters (.csv, .tsv, .json, .md, .tex) or the tree with support"
            " in percent (.nwk, .nex), or draw the curve (.png, .svg, .pdf); may be given several times.",
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find which clusters recur in data drawn again.

    Prints the largest clusters of the tree with their support: the share of replicates that have exactly the same
    cluster (bp), and how near they come to it (jaccard: above 0.75 is called stable, below 0.5 dissolved). Then, how
    well replicates agree at each number of clusters, beside data without clusters. After Ctrl-C, --file has the
    replicates done so far, and the same command goes on from there.

    \b
    Examples:
      dendrometry stability points.csv
      dendrometry stability points.csv --resample columns --multiscale --replicates 1000 --jobs -1
      dendrometry stability points.csv --tree tree.nwk --file replicates.zip --out report.html
      dendrometry stability distances.csv --distances --linkage average
      dendrometry stability --tree tree.nwk --trees bootstrap.nwk --out support.nwk
    """
    for path in out or ():
        require_new(path, force, endings=(*TABLES, *_TREES, *PICTURES, *PAGES))
    _check(points, tree, trees, with_table=distances or file is not None)
    with spinner("reading", on_terminal()):
        own = None if tree is None else tree_at(tree, how)
    if trees:
        found = _of_trees(own, trees, how, max_clusters)
    else:
        found = (_of_distances if distances else _of_points)(
            _table(points, how.items, column, distances, standardize),
            own,
            (linkage, metric),
            (reference, references),
            resample=_resampling(resample, multiscale),
            n_replicates=replicates,
            max_clusters=max_clusters,
            rng=seed,
            n_jobs=jobs,
            file=file,
            progress=not quiet and on_terminal(),
        )
    for path in out or ():
        write_result(path, _encoders(found), force=force)
    if json:
        print(_json(found))
    elif not out:
        _print(found)


def _check(points: str | None, tree: str | None, trees: list[str] | None, *, with_table: bool) -> None:
    """Refuse anything but a table, or a tree with other trees."""
    if not trees and points is None:
        raise InvalidInputError("a stability needs POINTS, or --tree and --trees; got neither")
    if trees and (tree is None or points is not None or with_table):
        raise InvalidInputError("--trees requires --tree, and none of POINTS, --distances and --file")


def _table(
    points: str | None, items: str | None, columns: list[str] | None, distances: bool, standardize: bool
) -> "PointTable":
    """Return the table of points or of distances."""
    assert points is not None
    if distances and standardize:
        raise InvalidInputError("--standardize is for points; got it with --distances")
    with spinner("reading", on_terminal()):
        return points_at(points, items, columns, distances=distances, standardize=standardize)


def _resampling(name: str, multiscale: bool) -> Any:
    """Return what is drawn again, at one scale or at those of pvclust."""
    from dendrometry.resampling.replicates.draws import MULTISCALE, Resampling

    if not multiscale:
        return name
    if name not in ("bootstrap", "columns"):
        raise InvalidInputError(f"--multiscale draws columns; got it with --resample {name}")
    return Resampling("columns", scales=MULTISCALE)


def _of_trees(tree: "Hierarchy | None", files: list[str], how: Options, max_clusters: int) -> "Stability":
    """Return the stability of a tree in the trees of some files."""
    from dendrometry.io.files import read_many
    from dendrometry.resampling.stability import stability_of_trees

    assert tree is not None
    lengths: Any = {"exact_heights": how.exact_heights, "missing_lengths": how.missing_lengths}
    with spinner("reading", on_terminal()):
        trees = [replicate for file in files for replicate in read_many(file, **lengths).values()]
    return stability_of_trees(tree, trees, max_clusters=max_clusters)


def _of_points(
    table: "PointTable",
    tree: "Hierarchy | None",
    way: tuple[str, str],
    reference: tuple[str, int | None],
    **options: Any,
) -> "Stability":
    """Return the stability of a tree of points, given or built with a linkage and a metric."""
    from dendrometry.cluster.agglomerate import agglomerate
    from dendrometry.resampling.stability import stability as assess

    build = partial(agglomerate, linkage=way[0], metric=way[1])  # type: ignore[arg-type]  # refused if unknown
    own = build(table.points, item_names=table.items).hierarchy if tree is None else tree
    options |= {"reference": reference[0], "n_references": 39 if reference[1] is None else reference[1]}
    return assess(rows_of_tree(table, own), linkage=way[0], metric=way[1], tree=own, **options)  # type: ignore[arg-type]


def _of_distances(
    table: "PointTable",
    tree: "Hierarchy | None",
    way: tuple[str, str],
    reference: tuple[str, int | None],
    **options: Any,
) -> "Stability":
    """Return the stability of a tree of distances, given or built with a linkage."""
    from dendrometry._check.names import positions_of
    from dendrometry.cluster.agglomerate import agglomerate_distances
    from dendrometry.resampling.distances import stability_of_distances

    if reference[1]:
        raise InvalidInputError(f"--references must be 0 with --distances, which have none; got {reference[1]}")
    if way[1] != "euclidean":
        raise InvalidInputError(f"--metric is for points; got {way[1]} with --distances")
    require_distances(table)
    square, build = table.points, partial(agglomerate_distances, linkage=way[0])  # type: ignore[arg-type]
    own = build(square, item_names=table.items).hierarchy if tree is None else tree
    if table.items is not None:
        row = positions_of(own.items, table.items, "the tree and the distances")
        square = square[row][:, row]
    return stability_of_distances(square, build=build, tree=own, **options)


def _columns(found: "Stability") -> dict[str, list[Any]]:
    """Return the support of the clusters as columns, the largest first, each with its first item."""
    columns = found.columns()
    order = sorted(range(len(columns["node"])), key=lambda i: -columns["size"][i])
    low, item = found.hierarchy.order.item_low, found.hierarchy.order.item
    columns["first_item"] = [found.hierarchy.items[item[low[v]]] for v in columns["node"]]
    return {name: [column[i] for i in order] for name, column in columns.items()}


def _print(found: "Stability") -> None:
    """Print the largest clusters, the agreement at each number of clusters, and both in words."""
    from dendrometry.resampling.words import agreement_sentence, clusters_sentence

    columns = _columns(found)
    names = [name for name in ("size", "bp", "jaccard", "au", "first_item") if name in columns]
    rows = list(zip(*(map(_text, columns[name][:_LISTED]) for name in names), strict=True))
    print_table(["items", *names[1:-1], "first item"], rows)
    more = len(columns["node"]) - _LISTED
    print(f"and {more:,} more\n" if more > 0 else "")
    if found.agreement is not None:
        levels = found.agreement.columns()
        print_table(list(levels), list(zip(*(map(_text, column) for column in levels.values()), strict=True)))
        print(f"\n{agreement_sentence(found.agreement)}")
    print(clusters_sentence(found))
    if found.agreement is not None and found.agreement.methods:
        print(f"\nFor a methods section: {found.agreement.methods}")


def _text(value: object) -> str:
    """Return a cell as text."""
    return index_text(value, 3) if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _encoders(found: "Stability") -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the table, of the picture and of the report."""
    columns = _columns(found)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    tables = table_encoders(list(columns), rows, lambda: _json(found))
    drawn = {ending: partial(_picture, found, ending[1:]) for ending in PICTURES}
    trees = dict(zip(_TREES, (partial(_newick, found), partial(_nexus, found)), strict=True))
    return tables | trees | drawn | {ending: partial(_page, found) for ending in PAGES}


def _json(found: "Stability") -> str:
    """Return clusters and levels as JSON text."""
    import json

    clusters = _columns(found)
    result: dict[str, Any] = {"n_items": found.hierarchy.n_items, "n_replicates": found.n_replicates}
    result["clusters"] = [dict(zip(clusters, row, strict=True)) for row in zip(*clusters.values(), strict=True)]
    if found.agreement is not None:
        levels, choice = found.agreement.columns(), found.agreement.choose()
        result["levels"] = [dict(zip(levels, row, strict=True)) for row in zip(*levels.values(), strict=True)]
        result |= {"most_stable": choice.n_clusters, "as_good": list(choice.as_good), "p_value": choice.p_value}
        result["methods"] = found.agreement.methods
    return json.dumps(result, indent=2)


def _newick(found: "Stability") -> str:
    """Return the tree with its support as Newick text."""
    from dendrometry.io.formats.newick import to_newick

    return to_newick(_with_support(found)) + "\n"


def _nexus(found: "Stability") -> str:
    """Return the tree with its support as Nexus text."""
    from dendrometry.io.formats.nexus import to_nexus

    return to_nexus(_with_support(found))


def _with_support(found: "Stability") -> "Hierarchy":
    """Return the tree with its approximately unbiased probabilities, or else its bootstrap probabilities."""
    from dendrometry.resampling.support_tree import support_tree

    return support_tree(found, by="bp" if found.support.au is None else "au")


def _picture(found: "Stability", kind: str) -> bytes:
    """Return the curve as the bytes of an image."""
    from dendrometry.errors import UndefinedMeasureError
    from dendrometry.plot.stability_curve import stability_curve

    agreement = found.agreement
    if agreement is None:
        raise UndefinedMeasureError("the replicates must have heights and share items for a curve; they do not")
    return picture(lambda: stability_curve(agreement), kind)


def _page(found: "Stability") -> str:
    """Return the report as text."""
    from dendrometry.report.stability import stability_page

    return stability_page(found).html()
