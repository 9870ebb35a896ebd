"""Table 1 and figure 1 of Johnson et al.: clusterings of colours with increasing numbers of true constraints."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._progress import track
from dendrometry.cluster.bottom_up import agglomerate
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.comparison.compare import compare
from dendrometry.generate.colours import random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.triplets import random_triplets, satisfied_triplets
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents
from dendrometry.measures.trees.hierarchical_f import hierarchical_f
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement
from dendrometry.study.result import Printed, StudyResult, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["colours", "hsv_cone"]

_PRINTED = {  # number of constraints: HAI, CFM
    0: (0.701, 0.489),
    1298: (0.705, 0.472),
    7142: (0.749, 0.442),
    14026: (0.856, 0.452),
    23442: (0.923, 0.512),
    44791: (0.991, 0.784),
}
_REPETITIONS = 5
_LEAF_SIZES = (1, 5, 20, 50, 100)
_UNSEEN = 10_000  # number of held-out triplets
_TITLE = "Does a clustering of colours come nearer to the truth, the more of it is told, and which measure shows it?"


class _Colours(NamedTuple):
    """Colours, their true hierarchy, triplets used as constraints, and held-out triplets."""

    rgb: FloatArray
    truth: Hierarchy
    triplets: IntArray
    unseen: IntArray


class _Row(NamedTuple):
    """One hierarchy compared with the truth."""

    agreement: float
    adjusted: float
    cluster_f: float
    satisfied: float | None
    unseen: float


def colours(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Cluster random colours with increasing numbers of triplets drawn from the truth, and measure the agreement.

    The truth is the average linkage (UPGMA) of 2,500 random colours in Lab. The same colours are clustered in HSV by
    `dendrometry.cluster.bisect_constrained` with 0 to 44,791 triplets, "x and y are closer to each other than to z".
    The paper neither describes its method nor defines the distance of two colours in HSV; here colours are points in
    the HSV cone, where hue is circular. The study uses 5 sets of colours; the paper has one.

    Parameters
    ----------
    quick, rng, progress
        As for `dendrometry.study.reproduce`; ``quick`` uses 100 colours, one set, and a fiftieth of the triplets.

    Returns
    -------
    StudyResult
        Tables "constraints" (Table 1: means over the sets), "sets" (each set), "leaves" (the first set, if small
        clusters are not split) and, unless ``quick``, "spaces" (other definitions of distance); figures "hierarchies"
        (figure 1) and "curves".

    References
    ----------
    .. [1] D. M. Johnson et al., "Comprehensive Cross-Hierarchy Cluster Agreement Evaluation", AAAI 2013, table 1 and
       figure 1.

    Examples
    --------
    >>> from dendrometry.study.studies.colours import colours
    >>> result = colours(quick=True)
    >>> result
    StudyResult(colours: tables constraints, sets, leaves; figures hierarchies, curves)
    >>> agreement = result.tables["constraints"].columns["hai"]
    >>> agreement[0] < agreement[-1]
    True
    """
    random = random_generator(rng)
    n, repetitions, share = (100, 1, 50) if quick else (2500, _REPETITIONS, 1)
    counts = [count // share for count in _PRINTED]
    sets = [_drawn(n, max(counts), _UNSEEN // share, random) for _ in range(repetitions)]
    jobs = [(one, count) for one in sets for count in counts]
    trees = [
        bisect_constrained(hsv_cone(one.rgb), one.triplets[:count], rng=random).hierarchy
        for one, count in track(jobs, "hierarchies of colours", len(jobs), progress)
    ]
    rows = [_row(one, count, tree) for (one, count), tree in zip(jobs, trees, strict=True)]
    table = _means(counts, rows)
    printed = () if quick else tuple(_printed(counts, rows))
    tables = {
        "constraints": table,
        "sets": _every_set(counts, rows),
        "leaves": _leaves(sets[0], counts, trees[: len(counts)]),
    }
    if not quick:
        tables["spaces"] = _spaces(sets, random, progress)
    return StudyResult(
        "colours",
        _TITLE,
        tables,
        tuple(_sentences(tables, printed)),
        printed,
        {
            "hierarchies": partial(_pictures, sets[0], counts, trees[: len(counts)]),
            "curves": partial(_curves, table),
        },
    )


def hsv_cone(rgb: FloatArray) -> FloatArray:
    """Return colours in the HSV cone: black at the tip, hue as the angle, saturation times value as the radius."""
    hue, saturation, value = rgb_to_hsv(rgb).T
    angle, chroma = 2.0 * np.pi * hue, saturation * value
    return np.column_stack([chroma * np.cos(angle), chroma * np.sin(angle), value])


def _drawn(n: int, most: int, unseen: int, rng: np.random.Generator) -> _Colours:
    """Draw colours, build their true hierarchy, and draw triplets from it."""
    rgb = random_colours(n, rng=rng)
    truth = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy
    return _Colours(rgb, truth, random_triplets(truth, most, rng=rng), random_triplets(truth, unseen, rng=rng))


def _row(one: _Colours, count: int, tree: Hierarchy) -> _Row:
    """Compare a hierarchy with the truth."""
    agreement = compare(one.truth, tree, measures=["hierarchy_agreement"])["hierarchy_agreement"]
    return _Row(
        float(agreement.value or 0.0),
        float(agreement.adjusted or 0.0),
        hierarchical_f(one.truth, tree, classes="all"),
        float(satisfied_triplets(tree, one.triplets[:count]).mean()) if count else None,
        float(satisfied_triplets(tree, one.unseen).mean()),
    )


def _by_count(counts: Sequence[int], rows: Sequence[_Row], name: str) -> FloatArray:
    """Return (sets, counts): the values of one field of the rows."""
    return np.array([getattr(row, name) for row in rows], dtype=np.float64).reshape(-1, len(counts))


def _means(counts: Sequence[int], rows: Sequence[_Row]) -> Table:
    """Return one row for each number of constraints, with means over the sets."""
    names = ("agreement", "adjusted", "cluster_f", "satisfied", "unseen")
    hai, adjusted, cfm, satisfied, unseen = (_by_count(counts, rows, name).mean(axis=0) for name in names)
    return Table.of(
        constraints=counts,
        hai=hai,
        hai_adjusted=adjusted,
        cfm=cfm,
        satisfied=[None if count == 0 else share for count, share in zip(counts, satisfied.tolist(), strict=True)],
        unseen_satisfied=unseen,
    )


def _every_set(counts: Sequence[int], rows: Sequence[_Row]) -> Table:
    """Return one row for each set of colours and number of constraints."""
    columns = ("set", "constraints", "hai", "hai_adjusted", "cfm", "satisfied", "unseen_satisfied")
    places = [(i // len(counts), counts[i % len(counts)]) for i in range(len(rows))]
    return Table.of_rows(columns, [(*place, *row) for place, row in zip(places, rows, strict=True)])


def _leaves(one: _Colours, counts: Sequence[int], trees: Sequence[Hierarchy]) -> Table:
    """Return the measures of the same hierarchies if clusters of few items are not split."""
    rows = []
    sizes = [size for size in _LEAF_SIZES if size <= one.truth.n_items / 5]
    for count, tree in zip(counts, trees, strict=True):
        for smallest in sizes:
            coarse = _unsplit(tree, smallest)
            found = hierarchy_agreement(one.truth, coarse), hierarchical_f(one.truth, coarse, classes="all")
            rows.append((count, smallest, *found))
    return Table.of_rows(("constraints", "smallest_leaf", "hai", "cfm"), rows)


def _unsplit(tree: Hierarchy, smallest: int) -> Hierarchy:
    """Return a hierarchy whose items are moved up to the lowest cluster of at least ``smallest`` items."""
    at = tree.item_node.copy()
    small = np.flatnonzero(tree.sizes[at] < smallest)
    while small.size:
        at[small] = tree.parent[at[small]]
        small = small[tree.sizes[at[small]] < smallest]
    return from_parents(tree.parent, at, None, tree.items)


def _printed(counts: Sequence[int], rows: Sequence[_Row]) -> Iterator[Printed]:
    """Yield the paper's Table 1, from one set of colours, beside our means; its set is assumed to vary alike."""
    for j, (what, name) in enumerate((("HAI", "agreement"), ("CFM", "cluster_f"))):
        values = _by_count(counts, rows, name)
        error = values.std(axis=0, ddof=1) * np.sqrt(1.0 + 1.0 / len(values))
        for i, (count, numbers) in enumerate(_PRINTED.items()):
            yield Printed(
                f"{what}, {plural(count, 'constraint')}", numbers[j], float(values[:, i].mean()), float(error[i])
            )


def _spaces(sets: Sequence[_Colours], rng: np.random.Generator, progress: bool) -> Table:
    """Return the agreement without constraints and with all of them, for other distances between colours."""
    ways = {
        "HSV cone": hsv_cone,
        "HSV columns": rgb_to_hsv,
        "HSV columns, standardised": lambda rgb: rgb_to_hsv(rgb) / rgb_to_hsv(rgb).std(axis=0),
        "Lab, as the truth": rgb_to_lab,
    }
    rows = []
    for name, way in track(ways.items(), "spaces", len(ways), progress):
        values = [
            [
                hierarchy_agreement(one.truth, bisect_constrained(way(one.rgb), triplets, rng=rng).hierarchy)
                for triplets in (one.triplets[:0], one.triplets)
            ]
            for one in sets
        ]
        without, with_all = np.array(values).T
        rows.append((name, without.mean(), without.std(ddof=1), with_all.mean(), with_all.std(ddof=1)))
    return Table.of_rows(("space", "hai_without", "deviation_without", "hai_with_all", "deviation_with_all"), rows)


def _sentences(tables: Mapping[str, Table], printed: Sequence[Printed]) -> Iterator[str]:
    """Report which measures increase, and where the paper's results and ours differ."""
    for name in ("hai", "cfm"):
        yield _of_the_sets(tables["sets"], name)
    if printed:
        yield from _of_the_print(printed)
    yield from _of_leaves(tables["leaves"])
    if "spaces" in tables:
        columns = (tables["spaces"].columns[name] for name in ("space", "hai_without", "hai_with_all"))
        told = "; ".join(f"{name} {start:.3f} and {end:.3f}" for name, start, end in zip(*columns, strict=True))
        yield f"HAI without and with all constraints, by space: {told}."


def _of_the_sets(sets: Table, name: str) -> str:
    """Report how one measure changes with the constraints: its mean, and the number of sets in which it increases."""
    columns = {column: np.array(sets.columns[column], dtype=np.float64) for column in ("set", "constraints", name)}
    values = columns[name].reshape(int(columns["set"][-1]) + 1, -1)
    steps = np.diff(values, axis=1)
    mean = values.mean(axis=0)
    error = f" ± {steps[:, 0].std(ddof=1) / np.sqrt(len(steps)):.3f}" if len(steps) > 1 else ""
    return (
        f"{name.upper()} goes from {mean[0]:.3f} without constraints to {mean[-1]:.3f} with"
        f" {columns['constraints'][-1]:,.0f}, rising at every row in {(steps > 0).all(axis=1).sum()} of"
        f" {plural(len(steps), 'set')}; the first constraints change it by {steps[:, 0].mean():+.3f}{error}."
    )


def _of_the_print(printed: Sequence[Printed]) -> Iterator[str]:
    """Report how many of the paper's numbers are reproduced, and why the others are not."""
    far = [number.what for number in printed if (number.errors_apart or 0.0) > 3.0]
    yield (
        f"{len(printed) - len(far)} of {len(printed)} numbers lie within 3 standard errors of the print"
        f"{' (farther away: ' + '; '.join(far) + ')' if far else ''}."
    )
    if far:
        yield (
            "  The methods differ: the paper's is not described. Ours takes what a triplet says of two items on to"
            " others, so a few thousand of them turn the upper splits, which make HAI."
        )


def _of_leaves(leaves: Table) -> Iterator[str]:
    """Report how much the results depend on where splitting stops."""
    sizes = np.unique(np.array(leaves.columns["smallest_leaf"]))
    rows = np.array(list(leaves.rows()), dtype=np.float64).reshape(-1, sizes.size, 4)
    drop = np.round(rows[:, 0, 2:] - rows[:, -1, 2:], 3) + 0.0
    hai, cfm = (f"{column.min():.3f} to {column.max():.3f}" for column in drop.T)
    yield f"Were clusters below {sizes[-1]} items not split, CFM would lose {cfm}, and HAI {hai}."
    if drop[:, 1].min() > 10.0 * np.abs(drop[:, 0]).max():
        yield "  So CFM depends on where a method stops, which the paper does not say, and HAI hardly does."


def _pictures(one: _Colours, counts: Sequence[int], trees: Sequence[Hierarchy]) -> "Figure":
    """Draw every hierarchy as nested colours, with the truth last."""
    from matplotlib.figure import Figure

    from dendrometry.plot.trees.icicle import icicle

    figure = Figure(figsize=(12.0, 6.4), layout="constrained")
    panels = figure.subplots(2, -(-(len(trees) + 1) // 2)).ravel()
    titles = [plural(count, "constraint") for count in counts]
    for ax, title, tree in zip(panels, [*titles, "truth"], [*trees, one.truth], strict=False):
        icicle(tree, colours=one.rgb, by="depth", ax=ax)
        ax.set_title(title, fontsize=9)
        ax.set_xlabel("")
    for ax in panels[len(trees) + 1 :]:
        ax.set_axis_off()
    return figure


def _curves(table: Table) -> "Figure":
    """Draw HAI and CFM against the number of constraints, with the paper's values beside ours."""
    from matplotlib.figure import Figure

    from dendrometry.plot.canvas.palette import OTHER, PALETTE

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    ax = figure.subplots()
    columns = {name: np.array(values, dtype=np.float64) for name, values in table.columns.items()}
    for name, label, colour in (("hai", "HAI", PALETTE[0]), ("cfm", "CFM", PALETTE[1])):
        ax.plot(columns["constraints"], columns[name], color=colour, marker="o", markersize=4, label=f"{label}, here")
    if len(table) == len(_PRINTED) and table.columns["constraints"] == tuple(_PRINTED):
        for j, (label, colour) in enumerate((("HAI", PALETTE[0]), ("CFM", PALETTE[1]))):
            values = [numbers[j] for numbers in _PRINTED.values()]
            ax.plot(list(_PRINTED), values, color=colour, linestyle=":", marker="x", label=f"{label}, paper")
    ax.plot(
        columns["constraints"], columns["unseen_satisfied"], color=OTHER, linewidth=1.0, label="unseen triplets kept"
    )
    ax.set(xlabel="triplets told", ylabel="agreement with the truth", ylim=(0.0, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8)
    return figure
