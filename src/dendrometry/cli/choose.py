"""``dendrometry choose POINTS``: how many clusters points have."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    LinkageName,
    MetricName,
    Options,
    PointColumns,
    PointsFile,
    Standardize,
    add_reading_options,
    points_and_tree,
    rows_of_tree,
)
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.output import (
    PICTURES,
    TABLES,
    Force,
    Quiet,
    ScoresAsJson,
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
    from dendrometry.resampling.recommend import Recommendation
    from dendrometry.significance.split_groups import SplitGroups

_REFERENCES = 20
_MOST_POINTS = 2_000  # for which trees of reference sets are built by default


@add_reading_options
def choose(
    how: Options,
    points: PointsFile,
    tree: Annotated[str | None, option("FILE", f"Cut this tree, {A_TREE}; by default one is built.")] = None,
    linkage: LinkageName = "ward",
    metric: MetricName = "euclidean",
    column: PointColumns = None,
    standardize: Standardize = False,
    max_clusters: Annotated[int, option("N", "Score up to this many clusters.")] = 10,
    references: Annotated[
        int | None,
        option(
            "N",
            "Reference sets for the gap statistic and the recommendation: by default 20, but none with --tree or more"
            " than 2,000 points; 0 for none.",
            min=0,
        ),
    ] = None,
    splits: Annotated[
        bool, switch("--splits", "Also test which splits of the tree are of two groups; see dendrometry splits.")
    ] = False,
    json: ScoresAsJson = False,
    out: Annotated[
        list[str] | None,
        option(
            "FILE",
            "Write the table (.csv, .tsv, .json, .md, .tex), or draw it (.png, .svg, .pdf); may be given several"
            " times.",
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find how many clusters points have.

    The tree of the points is cut into every number of clusters, and each cut is scored: high values of
    Calinski-Harabasz, of the simplified silhouette and of the gap are good, low values of Davies-Bouldin. The gap
    statistic also says whether there are clusters at all. The last line recommends one number, which most of four
    rules choose, and names those that disagree. Cuts marked with * go through a tie and are not chosen.

    \b
    Examples:
      dendrometry choose points.csv
      dendrometry choose points.csv --linkage average --references 20 --out choice.png
      dendrometry choose points.csv --tree tree.nwk --max-clusters 50
    """
    for path in out or ():
        require_new(path, force, endings=TABLES + PICTURES)
    if tree is not None and references:
        raise InvalidInputError("--references builds trees of other points, and must be 0 with --tree")
    table, given = points_and_tree(points, tree, how, column, standardize)
    n_sets = (
        (_REFERENCES if tree is None and len(table.points) <= _MOST_POINTS else 0) if references is None else references
    )
    progress = not quiet and on_terminal()
    found = _found(table, given, (linkage, metric), (max_clusters, n_sets, references is None), progress)
    if splits:
        found = found._replace(groups=_groups(table, given, (linkage, metric), progress))
    for path in out or ():
        write_result(path, _encoders(found), force=force)
    if json:
        print(_json(found))
    elif not out:
        _print(found)


class _Found(NamedTuple):
    """The scores of the cuts; the gap statistic and the recommendation, if there are any."""

    scores: "CutScores"
    gap: "GapStatistic | None" = None
    recommended: "Recommendation | None" = None
    groups: "SplitGroups | None" = None

    @property
    def best(self) -> dict[str, int]:
        """The number of clusters that each index chooses."""
        gap = {} if self.gap is None else {"gap": self.gap.best}
        return {**self.scores.best, **gap, **({} if self.groups is None else {"splits": self.groups.n_groups})}


def _found(
    table: "PointTable",
    given: "Hierarchy | None",
    method: tuple[str, str],
    amount: tuple[int, int, bool],
    progress: bool,
) -> _Found:
    """Return the scores of the cuts of a tree, given or built, and with reference sets what they say.

    ``amount`` is the largest number of clusters, the number of reference sets, and whether that is the default: then
    points without a gap statistic have none.
    """
    from dendrometry.cluster.agglomerate import agglomerate
    from dendrometry.errors import UndefinedMeasureError
    from dendrometry.quality.cut_scores import score_cuts
    from dendrometry.quality.gap_statistic import gap_statistic
    from dendrometry.resampling.recommend import recommendation_of
    from dendrometry.resampling.stability import stability

    def build(points: Any) -> "Hierarchy":
        return agglomerate(points, linkage=method[0], metric=method[1]).hierarchy  # type: ignore[arg-type]

    most, n_sets, by_default = amount
    with spinner("clustering", progress):
        hierarchy = build(table.points) if given is None else given
        rows = table.points if given is None else rows_of_tree(table, hierarchy)
        scores = score_cuts(hierarchy, rows, max_clusters=most)
    if not n_sets:
        return _Found(scores)
    try:
        gap = gap_statistic(table.points, build, max_clusters=most, n_references=n_sets, progress=progress)
        stable = stability(table.points, build=build, n_replicates=30, max_clusters=most, progress=progress)
    except UndefinedMeasureError:
        if not by_default:
            raise
        return _Found(scores)
    if stable.agreement is None:
        return _Found(scores, gap)
    return _Found(scores, gap, recommendation_of(method[0], hierarchy, stable.agreement, scores, gap))


def _groups(table: "PointTable", given: "Hierarchy | None", method: tuple[str, str], progress: bool) -> "SplitGroups":
    """Return the groups that are left by the splits of a tree, given or built, that are of two groups."""
    from dendrometry.significance.split_groups import split_groups
    from dendrometry.significance.splits import splits as test

    rows = table.points if given is None else rows_of_tree(table, given)
    linkage, metric = method
    found = test(rows, given, linkage=linkage, metric=metric, progress=progress)  # type: ignore[arg-type]
    return split_groups(found)


def _columns(found: _Found) -> dict[str, list[Any]]:
    """Return the scores as columns, with the gap where there is one for that number of clusters."""
    columns, gap = found.scores.columns(), found.gap
    if gap is not None:
        gaps = dict(
            zip(gap.n_clusters.tolist(), zip(gap.gap.tolist(), gap.standard_error.tolist(), strict=True), strict=True)
        )
        rows = [gaps.get(k, ("", "")) for k in columns["n_clusters"]]
        columns["gap"], columns["gap_standard_error"] = (list(column) for column in zip(*rows, strict=True))
    return columns


def _print(found: _Found) -> None:
    """Print a row for each number of clusters, what each index chooses, and the recommendation."""
    columns = _columns(found)
    reached = columns.pop("is_reached")
    rows = [
        (f"{k:,}{'' if real else ' *'}", *(f"{x:.4g}" if x != "" else "" for x in rest))
        for real, (k, *rest) in zip(reached, zip(*columns.values(), strict=True), strict=True)
    ]
    print_table(["clusters", *list(columns)[1:]], rows)
    numbers = ", ".join(f"{k:,} by {name}" for name, k in found.best.items())
    print(f"\nbest number of clusters: {numbers or 'none, as all cuts go through ties'}")
    if not all(reached):
        print("* a tie decides which merges this cut undoes")
    if found.groups is not None:
        print(f"tested splits: {found.groups.sentence}")
    if found.recommended is not None:
        print(found.recommended.verdict)
    elif len(set(found.best.values())) > 1:
        print("The indices disagree, and without reference sets none of these numbers is recommended.")


def _encoders(found: _Found) -> "dict[str, Callable[[], str | bytes]]":
    """Return the encoders of the table and of the picture."""
    columns = _columns(found)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    tables = table_encoders(list(columns), rows, lambda: _json(found))
    return tables | {ending: partial(_picture, found, ending[1:]) for ending in PICTURES}


def _json(found: _Found) -> str:
    """Return the scores as JSON text, infinite values as null."""
    import json
    from math import isinf

    columns = {name: [None if x == "" or isinf(x) else x for x in column] for name, column in _columns(found).items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    content = {"n_items": found.scores.n_items, "best": found.best, "cuts": rows}
    if found.recommended is not None:
        chosen = found.recommended
        content |= {"recommended": chosen.n_clusters, "rules": chosen.rules, "verdict": chosen.verdict}
    return json.dumps(content, indent=2)


def _picture(found: _Found, kind: str) -> bytes:
    """Return the drawing as the bytes of an image."""
    from dendrometry.plot.cut_scores import cut_scores

    number = None if found.recommended is None else found.recommended.n_clusters
    return picture(lambda: cut_scores(found.scores, gap=found.gap, recommended=number), kind)
