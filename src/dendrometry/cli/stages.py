"""``dendrometry stages A B``: how alike two trees are at every number of clusters."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._display import name_trees
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, trees_at
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.cli.compare import names_of_files
from dendrometry.errors import DendrometryError
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES, measure_meant

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.levels.stages import Stages

_SERIES = ("adjusted_rand", "fowlkes_mallows", "expected_fowlkes_mallows", "rand", "expected_rand", "z")


@add_reading_options
def stages(
    how: Options,
    a: Annotated[str, argument("A", f"The first tree, with heights: {A_TREE}.")],
    b: Annotated[str, argument("B", "The second tree, in a file of any of these kinds.")],
    measure: Annotated[
        list[str] | None,
        option("NAME", "Only this measure of partitions, such as v_measure; may be given several times."),
    ] = None,
    max_clusters: Annotated[int, option("N", "Print up to this many clusters; files hold all.", min=2)] = 20,
    json: Annotated[bool, switch("--json", "Print every number of clusters as JSON.")] = False,
    out: Annotated[str | None, option("FILE", "Write every number of clusters (.csv, .tsv, .json, .md, .tex).")] = None,
    force: Force = False,
) -> None:
    """Compare two trees at every number of clusters.

    Both trees are cut into the same number of clusters, from two up, and the cuts compared: adjusted Rand is 0 for
    chance and 1 for the same cut, and z is the contribution to overall_distance. 'dendrometry plot stage_curves' draws
    the series with the range of unrelated trees. Measures that are computed for one cut at a time, such as
    classification_accuracy, stop at --max-clusters, also in files.

    \b
    Examples:
      dendrometry stages a.nwk b.nwk
      dendrometry stages a.nwk b.nwk --out stages.csv
      dendrometry stages a.nwk b.nwk --measure v_measure --measure jaccard
    """
    from dendrometry.levels.stages import stages as stages_of

    require_new(out, force, endings=TABLES)
    chosen = [one_of(name, "--measure", PARTITION_MEASURES, meant=measure_meant) for name in measure or ()]
    with spinner("comparing", on_terminal()):
        trees = trees_at([a, b], how)
        try:
            found = stages_of(*trees)
            series = _series(found) if not chosen else _profiles(trees, chosen, found, max_clusters)
        except DendrometryError as error:
            raise type(error)(*name_trees(error.args, names_of_files(a, b))) from None
    head, rows = list(series), [list(row) for row in zip(*series.values(), strict=True)]
    if out is not None:
        write_result(out, table_encoders(head, rows, lambda: _json(found, head, rows)), force=force)
    elif json:
        print(_json(found, head, rows))
    else:
        few = [row for row in rows if row[0] <= max_clusters]
        print_table(head, [(f"{row[0]:.0f}", *(f"{x:.4g}" for x in row[1:])) for row in few])
        n_left = found.n_clusters.size - len(few)
        more = f"; {n_left:,} finer {'cut' if n_left == 1 else 'cuts'} not shown" if n_left else ""
        print(f"\noverall_distance {found.distance:.6g}, by chance {found.expected_distance:.6g}{more}")


def _series(found: "Stages") -> dict[str, list[float]]:
    """Return the number of clusters and the series of each stage as columns."""
    return {"clusters": found.n_clusters.tolist()} | {name: getattr(found, name).tolist() for name in _SERIES}


def _profiles(
    trees: "list[Hierarchy]", measures: list[str], found: "Stages", max_clusters: int
) -> dict[str, list[float]]:
    """Return the number of clusters and some measures as columns; up to a number if one is computed cut by cut."""
    from dendrometry.levels.profile import profile

    k, (first, second) = found.n_clusters, trees
    if any(MEASURES[name].curve is None for name in measures):
        k = k[k <= max_clusters]
    columns = {name: profile(first, second, name, n_clusters=k).value.tolist() for name in measures}
    return {"clusters": k.tolist()} | columns


def _json(found: "Stages", head: list[str], rows: list[list[float]]) -> str:
    """Return the stages as JSON text."""
    import json

    stages = [dict(zip(head, row, strict=True)) for row in rows]
    content = {"n_items": found.n_items, "overall_distance": found.distance, "stages": stages}
    return json.dumps(content, indent=2)
