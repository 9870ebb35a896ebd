"""``dendrometry clustermap POINTS --out FILE``: a heat map of a table with trees of its rows and columns."""

import os
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._check.choices import one_of
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import ItemColumn, LinkageName, PointColumns, PointsFile, points_at
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import PICTURES, TABLES, Force, picture, require_new, table_encoders, write_result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dendrometry.plot._layout.sides import MapSide
    from dendrometry.plot.clustermap import Clustermap

_SCALES = ("none", "rows", "columns")


def clustermap(
    points: PointsFile,
    out: Annotated[str, option("FILE", "Write the picture to this file (.png, .svg, .pdf).")],
    clusters: Annotated[int | None, option("N", "Mark this many clusters of rows.")] = None,
    column_clusters: Annotated[int | None, option("N", "Mark this many clusters of columns.")] = None,
    linkage: LinkageName = "ward",
    scale: Annotated[
        str,
        option(
            "NAME",
            "Give each of the rows or the columns the mean 0 and the deviation 1; by default none.",
            among=_SCALES,
        ),
    ] = "none",
    members: Annotated[
        str | None, option("FILE", "Also write order and cluster of each row (.csv, .tsv, .json, .md, .tex).")
    ] = None,
    items: ItemColumn = None,
    column: PointColumns = None,
    force: Force = False,
) -> None:
    """Draw a table as a heat map beside its trees.

    Rows and columns are ordered by their trees, with similar neighbours, and clusters are marked.

    \b
    Examples:
      dendrometry clustermap points.csv --clusters 5 --out map.png
      dendrometry clustermap points.csv --scale columns --clusters 5 --members rows.csv --out map.svg
    """
    require_new(out, force, endings=PICTURES)
    require_new(members, force, endings=TABLES, option="--members")
    one_of(scale, "--scale", _SCALES)
    with spinner("drawing", on_terminal()):
        from dendrometry import plot

        table = points_at(points, items, column, distances=True)
        drawn: list[Clustermap] = []

        def draw() -> "Axes":
            drawn.append(
                plot.clustermap(
                    table.points,
                    row_tree=linkage,
                    column_tree=linkage,
                    n_clusters=clusters,
                    n_column_clusters=column_clusters,
                    scale=scale,  # type: ignore[arg-type]  # checked above
                    item_names=table.items,
                    column_names=table.columns,
                )
            )
            return drawn[0].ax

        content = picture(draw, os.path.splitext(out)[1][1:].lower())
    write_result(out, dict.fromkeys(PICTURES, lambda: content), force=force)
    if members is not None:
        head, rows = _members(drawn[0].rows)
        write_result(members, table_encoders(head, rows, lambda: _json(head, rows)), force=force)
    print(drawn[0])


def _members(side: "MapSide") -> tuple[list[str], list[list[Any]]]:
    """Return the header and the rows of a table of the rows of the map."""
    order = side.order.tolist()
    return ["item", "position", "cluster"], [[side.names[i], at, int(side.cluster[i])] for at, i in enumerate(order)]


def _json(head: list[str], rows: list[list[Any]]) -> str:
    """Return the rows of the map as JSON text."""
    import json

    return json.dumps([dict(zip(head, row, strict=True)) for row in rows], indent=2)
