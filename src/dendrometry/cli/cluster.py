"""``dendrometry cluster POINTS --out TREE``: build a tree from a table of points."""

from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    ItemColumn,
    LinkageName,
    MetricName,
    PointColumns,
    PointsFile,
    Standardize,
    TreeFile,
    points_at,
    require_distances,
)
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.output import Force, Quiet, announce, require_new
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.cluster.agglomeration import Agglomeration, BuildReport
    from dendrometry.cluster.table import PointTable
    from dendrometry.resampling.fidelity import Fidelity


def cluster(
    points: PointsFile,
    out: TreeFile = None,
    linkage: LinkageName = "ward",
    metric: MetricName = "euclidean",
    items: ItemColumn = None,
    column: PointColumns = None,
    standardize: Standardize = False,
    distances: Annotated[bool, switch("--distances", "POINTS is a square table of distances.")] = False,
    device: Annotated[str, option("NAME", "Where the tree is built: cpu, cuda (an NVIDIA GPU) or auto.")] = "cpu",
    approximate: Annotated[
        bool, switch("--approximate", "Merge neighbours below, exactly above, and print how near the tree is to exact.")
    ] = False,
    connectivity: Annotated[
        str | None,
        option(
            "PAIRS",
            "Only neighbours merge: a .csv or .tsv file with a header and two of them in each row, or the shape of a"
            " grid, such as 28x28.",
        ),
    ] = None,
    min_size: Annotated[
        float | None,
        option(
            "NUMBER",
            "With --connectivity: the least number of points in a cluster; smaller ones first merge with the nearest.",
            min=0,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        option(
            "FILE",
            "A .npz file in which a long build keeps what it has done, and from which the same command goes on after a"
            " stop.",
        ),
    ] = None,
    json: Annotated[bool, switch("--json", "Print how the tree was built as JSON.")] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Build a tree from a table of points.

    Agglomerative clustering: the two nearest clusters are merged until one is left. With --approximate, for more points
    than this can take, clusters of neighbours are merged first. Without --out the tree is drawn on the terminal.

    \b
    Examples:
      dendrometry cluster points.csv --linkage average --out tree.nwk
      dendrometry cluster penguins.csv --column bill_mm --column body_g --standardize
      dendrometry cluster points.tsv --items name --metric cosine --linkage complete
      dendrometry cluster distances.csv --distances --linkage average
      dendrometry cluster districts.csv --connectivity borders.csv --min-size 5
      dendrometry cluster million.csv --resume build.npz --out tree.nwk
    """
    from dendrometry.cluster.agglomerate import agglomerate
    from dendrometry.io.files import write

    require_new(out, force)
    if distances and standardize:
        raise InvalidInputError("--standardize is for points; got it with --distances")
    if resume is not None and (distances or approximate):
        raise InvalidInputError("--resume is for exact trees of points; got --distances or --approximate")
    with spinner("reading", on_terminal()):
        table = points_at(points, items, column, distances=distances, standardize=standardize)
    shown = not quiet and on_terminal()
    adjacent = _adjacent(connectivity, table, min_size)
    if distances:
        built = _build_of_distances(table, linkage, metric, device, approximate, adjacent, min_size)
    elif approximate:
        built = _build_approximate(table, linkage, metric, device, shown, adjacent)
    else:
        built = agglomerate(
            table.points,
            linkage=linkage,  # type: ignore[arg-type]
            metric=metric,
            item_names=table.items,
            device=device,  # type: ignore[arg-type]
            connectivity=adjacent,
            min_size=min_size,
            resume=resume,
            progress=shown,
        )
    if out is not None:
        write(built.hierarchy, out, force=force)
        announce(out)
    elif not json:
        print(built.hierarchy.draw())
        print()
    report = built.report
    near = _judge(table, built, shown) if approximate else None  # last, so that stopping it loses no tree
    if json:
        _print_json(report, near)
        return
    _print_report(report, "distances" if distances else metric, near)


def _print_report(report: "BuildReport", space: str, near: "Fidelity | None") -> None:
    """Print how a tree was built."""
    print(
        f"{plural(report.n_items, 'item')}, {report.linkage} on {space} by {report.algorithm}:"
        f" {plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
    )
    if near is not None:
        print(near)
    elif report.graph is not None:
        edges, parts = plural(report.graph.n_edges, "pair"), plural(report.graph.n_parts, "connected part")
        print(f"{edges} of neighbours in {parts}")


def _adjacent(connectivity: str | None, table: "PointTable", min_size: float | None) -> Any:
    """Return which items are neighbours, if that was given; items without names are numbered."""
    from dendrometry.cluster.neighbours import read_connectivity

    if connectivity is None:
        if min_size is not None:
            raise InvalidInputError("--min-size requires --connectivity; got none")
        return None
    numbers = map(str, range(len(table.points)))
    return read_connectivity(connectivity, table.items if table.items is not None else tuple(numbers))


def _build_of_distances(
    table: "PointTable",
    linkage: str,
    metric: str,
    device: str,
    approximate: bool,
    adjacent: Any,
    min_size: float | None,
) -> "Agglomeration":
    """Build a tree from a table of distances."""
    from dendrometry.cluster.agglomerate import agglomerate_distances

    if approximate or device != "cpu" or metric != "euclidean":
        raise InvalidInputError("--approximate, --device and --metric are for points; got one with --distances")
    require_distances(table)
    return agglomerate_distances(
        table.points,
        linkage=linkage,  # type: ignore[arg-type]
        item_names=table.items,
        connectivity=adjacent,
        min_size=min_size,
    )


def _build_approximate(
    table: "PointTable", linkage: str, metric: str, device: str, shown: bool, adjacent: Any
) -> "Agglomeration":
    """Build a tree on a graph of neighbours, exact above."""
    from dendrometry.cluster.approximate.cluster_approximate import cluster_approximate

    if adjacent is not None:
        raise InvalidInputError("--approximate takes no --connectivity; got both")
    if device != "cpu":
        raise InvalidInputError(f"--approximate requires --device cpu; got {printable(device)}")
    return cluster_approximate(
        table.points,
        linkage=linkage,  # type: ignore[arg-type]
        metric=metric,
        item_names=table.items,
        progress=shown,
    )


def _judge(table: "PointTable", built: "Agglomeration", shown: bool) -> "Fidelity | None":
    """Return how near a tree is to the exact one, if it is not exact."""
    from dendrometry.resampling.fidelity import fidelity

    if built.report.graph is None:
        return None
    return fidelity(built, table.points, progress=shown)


def _print_json(report: "BuildReport", near: "Fidelity | None") -> None:
    """Print the report of a build, and the fidelity of a tree that is not exact."""
    import json
    from dataclasses import asdict

    print(json.dumps({**asdict(report), "fidelity": None if near is None else asdict(near)}, indent=2))
