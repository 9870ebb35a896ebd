"""``dendrometry cluster POINTS --out TREE``: build a tree from a table of points."""

from typing import Annotated

import typer

from dendrometry._display import plural
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli.terminal.output import Force, announce, require_new
from dendrometry.cli.trees.reading import TREE_FILES, ItemColumn, LinkageName, MetricName, PointsFile

__all__ = ["cluster"]


def cluster(
    points: PointsFile,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help=f"Write the tree in the format of the ending ({TREE_FILES}).")
    ] = None,
    linkage: LinkageName = "ward",
    metric: MetricName = "euclidean",
    items: ItemColumn = None,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="Where the tree is built: cpu, cuda (an NVIDIA GPU) or auto.")
    ] = "cpu",
    json: Annotated[bool, typer.Option("--json", help="Print how the tree was built as JSON.")] = False,
    force: Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress bar.")] = False,
) -> None:
    """Build a tree from a table of points.

    Agglomerative clustering: the two nearest clusters are merged until one is left. Without --out the tree is drawn on
    the terminal.

    \b
    Examples:
      dendrometry cluster points.csv --linkage average --out tree.nwk
      dendrometry cluster points.tsv --items name --metric cosine --linkage complete
    """
    from dendrometry.cluster.bottom_up import agglomerate
    from dendrometry.cluster.table import read_points
    from dendrometry.io.files import write

    require_new(out, force)
    with spinner("reading", on_terminal()):
        table = read_points(points, item_column=items)
    built = agglomerate(
        table.points,
        linkage=linkage,  # type: ignore[arg-type]
        metric=metric,
        item_names=table.items,
        device=device,  # type: ignore[arg-type]
        progress=not quiet and on_terminal(),
    )
    if out is not None:
        write(built.hierarchy, out, force=force)
        announce(out)
    elif not json:
        print(built.hierarchy.draw())
        print()
    if json:
        _print_json(built.report)
        return
    report = built.report
    print(
        f"{plural(report.n_items, 'item')}, {linkage} on {metric} by {report.algorithm}:"
        f" {plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
    )


def _print_json(report: object) -> None:
    """Print the report of a build."""
    import json
    from dataclasses import asdict

    print(json.dumps(asdict(report), indent=2))  # type: ignore[call-overload]
