"""``dendrometry cluster POINTS --out TREE``: build a tree from a table of points."""

import sys
from typing import Annotated, get_args

import typer

from dendrometry.build.agglomerate import METRICS, Linkage, agglomerate
from dendrometry.build.table import read_points
from dendrometry.display import plural
from dendrometry.io.files import write

__all__ = ["cluster"]


def cluster(
    points: Annotated[str, typer.Argument(help="A CSV or TSV file with a header and a row for each item.")],
    out: Annotated[str, typer.Option(help="Where to write the tree; the ending says how (.nwk, .json, .npy, ...).")],
    linkage: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(Linkage))}.")] = "ward",
    metric: Annotated[str, typer.Option(help=f"One of {', '.join(METRICS[:4])}, or a metric of SciPy.")] = "euclidean",
    items: Annotated[str | None, typer.Option(help="The column that names the items; else one called 'item'.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Build a tree from points.

    Example: dendrometry cluster points.csv --linkage average --out tree.nwk
    """
    table = read_points(points, item_column=items)
    built = agglomerate(
        table.points,
        linkage=linkage,  # type: ignore[arg-type]
        metric=metric,
        items=table.items,
        progress=not quiet and sys.stderr.isatty(),
    )
    write(built.hierarchy, out, force=force)
    report = built.report
    print(
        f"{plural(report.n_items, 'item')}, {linkage} on {metric} by {report.algorithm}:"
        f" {plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
    )
