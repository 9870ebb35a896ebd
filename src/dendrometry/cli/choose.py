"""``dendrometry choose POINTS``: how many clusters points have."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    ItemColumn,
    LinkageName,
    MetricName,
    Options,
    PointsFile,
    add_reading_options,
    rows_of_tree,
    tree_at,
)
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    Quiet,
    ScoresAsJson,
    TableOrPicture,
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
    from dendrometry.quality.cut_scores import CutScores
    from dendrometry.quality.gap_statistic import GapStatistic


@add_reading_options
def choose(
    how: Options,
    points: PointsFile,
    tree: Annotated[str | None, option("FILE", f"Cut this tree, {A_TREE}; by default one is built.")] = None,
    linkage: LinkageName = "ward",
    metric: MetricName = "euclidean",
    max_clusters: Annotated[int, option("N", "Score up to this many clusters.")] = 20,
    references: Annotated[int, option("N", "Reference sets for the gap statistic, such as 20; 0 for none.", min=0)] = 0,
    items: ItemColumn = None,
    json: ScoresAsJson = False,
    out: TableOrPicture = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find how many clusters points have.

    The tree of the points is cut into every number of clusters, and each cut is scored: high values of
    Calinski-Harabasz, of the simplified silhouette and of the gap are good, low values of Davies-Bouldin. The gap
    statistic also says whether there are clusters at all. Cuts marked with * go through a tie and are not chosen.

    \b
    Examples:
      dendrometry choose points.csv
      dendrometry choose points.csv --linkage average --references 20 --out choice.png
      dendrometry choose points.csv --tree tree.nwk --max-clusters 50
    """
    from dendrometry.cluster.table import read_points

    require_new(out, force, endings=TABLES + PICTURES)
    if tree is not None and references:
        raise InvalidInputError("--references builds trees of other points, and must be 0 with --tree")
    with spinner("reading", on_terminal()):
        table = read_points(points, item_column=items)
        given = None if tree is None else tree_at(tree, how)
    scores, gap = _scores(table, given, (linkage, metric), max_clusters, references, not quiet and on_terminal())
    if out is not None:
        write_result(out, _encoders(scores, gap), force=force)
    elif json:
        print(_json(scores, gap))
    else:
        _print(scores, gap)


def _scores(
    table: "PointTable",
    given: "Hierarchy | None",
    method: tuple[str, str],
    max_clusters: int,
    references: int,
    progress: bool,
) -> "tuple[CutScores, GapStatistic | None]":
    """Return the scores of the cuts of a tree, given or built, and the gap statistic if it is asked for."""
    from dendrometry.cluster.agglomerate import agglomerate
    from dendrometry.quality.cut_scores import score_cuts
    from dendrometry.quality.gap_statistic import gap_statistic

    def build(points: Any) -> "Hierarchy":
        return agglomerate(points, linkage=method[0], metric=method[1]).hierarchy  # type: ignore[arg-type]

    with spinner("clustering", progress):
        hierarchy = build(table.points) if given is None else given
        rows = table.points if given is None else rows_of_tree(table, hierarchy)
        scores = score_cuts(hierarchy, rows, max_clusters=max_clusters)
    if not references:
        return scores, None
    return scores, gap_statistic(
        table.points, build, max_clusters=max_clusters, n_references=references, progress=progress
    )


def _columns(scores: "CutScores", gap: "GapStatistic | None") -> dict[str, list[Any]]:
    """Return the scores as columns, with the gap where there is one for that number of clusters."""
    columns = scores.columns()
    if gap is not None:
        found = dict(
            zip(gap.n_clusters.tolist(), zip(gap.gap.tolist(), gap.standard_error.tolist(), strict=True), strict=True)
        )
        rows = [found.get(k, ("", "")) for k in columns["n_clusters"]]
        columns["gap"], columns["gap_standard_error"] = (list(column) for column in zip(*rows, strict=True))
    return columns


def _print(scores: "CutScores", gap: "GapStatistic | None") -> None:
    """Print a row for each number of clusters, and what each index chooses."""
    columns = _columns(scores, gap)
    reached = columns.pop("is_reached")
    rows = [
        (f"{k:,}{'' if real else ' *'}", *(f"{x:.4g}" if x != "" else "" for x in rest))
        for real, (k, *rest) in zip(reached, zip(*columns.values(), strict=True), strict=True)
    ]
    print_table(["clusters", *list(columns)[1:]], rows)
    chosen = {**scores.best, **({} if gap is None else {"gap": gap.best})}
    numbers = ", ".join(f"{k:,} by {name}" for name, k in chosen.items())
    print(f"\nbest number of clusters: {numbers or 'none, as all cuts go through ties'}")
    if not all(reached):
        print("* a tie decides which merges this cut undoes")


def _encoders(scores: "CutScores", gap: "GapStatistic | None") -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the table and of the picture."""
    columns = _columns(scores, gap)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    tables = table_encoders(list(columns), rows, lambda: _json(scores, gap))
    return tables | {ending: partial(_picture, scores, gap, ending[1:]) for ending in PICTURES}


def _json(scores: "CutScores", gap: "GapStatistic | None") -> str:
    """Return the scores as JSON text, infinite values as null."""
    import json
    from math import isinf

    columns = {
        name: [None if x == "" or isinf(x) else x for x in column] for name, column in _columns(scores, gap).items()
    }
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    best = {**scores.best, **({} if gap is None else {"gap": gap.best})}
    return json.dumps({"n_items": scores.n_items, "best": best, "cuts": rows}, indent=2)


def _picture(scores: "CutScores", gap: "GapStatistic | None", kind: str) -> bytes:
    """Return the drawing as the bytes of an image."""
    from dendrometry.plot.cut_scores import cut_scores

    return picture(lambda: cut_scores(scores, gap=gap), kind)
