"""``dendrometry stages A B``: how alike two trees are at every number of clusters."""

from typing import TYPE_CHECKING, Annotated

import typer

from dendrometry._progress import on_terminal, spinner
from dendrometry.cli.terminal.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli.terminal.table import print_table
from dendrometry.cli.trees.reading import A_TREE, Options, add_reading_options, trees_at

if TYPE_CHECKING:
    from dendrometry.levels.stages import Stages

__all__ = ["stages"]

_SERIES = ("adjusted_rand", "fowlkes_mallows", "expected_fowlkes_mallows", "rand", "expected_rand", "z")


@add_reading_options
def stages(
    how: Options,
    a: Annotated[str, typer.Argument(metavar="A", help=f"The first tree, with heights: {A_TREE}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second tree, in a file of any of these kinds.")],
    max_clusters: Annotated[
        int, typer.Option(min=2, metavar="N", help="Print up to this many clusters; files hold all.")
    ] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print every number of clusters as JSON.")] = False,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write every number of clusters (.csv, .tsv, .json, .md, .tex).")
    ] = None,
    force: Force = False,
) -> None:
    """Compare two trees at every number of clusters.

    Both trees are cut into the same number of clusters, from two up, and the cuts compared: adjusted Rand is 0 for
    chance and 1 for the same cut, and z is the contribution to overall_distance. 'dendrometry plot stage_curves' draws
    the series with the range of unrelated trees.

    \b
    Examples:
      dendrometry stages a.nwk b.nwk
      dendrometry stages a.nwk b.nwk --out stages.csv
    """
    from dendrometry.levels.stages import stages as stages_of

    require_new(out, force, endings=TABLES)
    with spinner("comparing", on_terminal()):
        found = stages_of(*trees_at([a, b], how))
        rows = _rows(found)
    head = ["clusters", *_SERIES]
    if out is not None:
        write_result(out, table_encoders(head, rows, lambda: _json(found, head, rows)), force=force)
    elif json:
        print(_json(found, head, rows))
    else:
        few = [row for row in rows if row[0] <= max_clusters]
        print_table(head, [(f"{row[0]:.0f}", *(f"{x:.4g}" for x in row[1:])) for row in few])
        more = f"; {len(rows) - len(few):,} finer cuts not shown" if len(few) < len(rows) else ""
        print(f"\noverall_distance {found.distance:.6g}, by chance {found.expected_distance:.6g}{more}")


def _rows(found: "Stages") -> list[list[float]]:
    """Return the number of clusters and the series, one row for each stage."""
    columns = [found.n_clusters.tolist(), *(getattr(found, name).tolist() for name in _SERIES)]
    return [list(row) for row in zip(*columns, strict=True)]


def _json(found: "Stages", head: list[str], rows: list[list[float]]) -> str:
    """Return the stages as JSON text."""
    import json

    stages = [dict(zip(head, row, strict=True)) for row in rows]
    content = {"n_items": found.n_items, "overall_distance": found.distance, "stages": stages}
    return json.dumps(content, indent=2)
