"""Variable selection by trees, with the three approaches of Morlini and Zani."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.data import Points, bundled, planted_noise
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import BoolArray, FloatArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.comparison.permutation_test import permutation_test
from dendrometry.comparison.variables import VariableScores, score_variables
from dendrometry.cut.count import cut_count
from dendrometry.hierarchy import Hierarchy
from dendrometry.levels.stages import stages
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RELABELLINGS = 59  # of the many small data sets: enough to select at 5% among 3 variables
_LINKAGE: Linkage = "ward"
_TITLE = "Which variables carry the groups, and which agree with the others no more than by chance?"
_KINDS_OF_WINE = {
    "phenols": ("total_phenols", "flavanoids", "nonflavanoid_phenols", "proanthocyanins"),
    "minerals": ("ash", "alcalinity_of_ash", "magnesium"),
    "colour": ("color_intensity", "hue", "od280/od315_of_diluted_wines"),
    "alcohol and acid": ("alcohol", "malic_acid", "proline"),
}


class _Found(NamedTuple):
    """The results of all three approaches on one data set."""

    points: Points
    scores: VariableScores
    subsets: Table

    @property
    def p_value(self) -> FloatArray:
        """The p-value of each variable."""
        assert self.scores.p_value is not None
        return self.scores.p_value

    @property
    def selected(self) -> BoolArray:
        """Whether each variable agrees with the others more than by chance, at 5% divided among the variables."""
        assert self.scores.selected is not None
        return self.scores.selected


def variables(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Select variables by comparing trees, with three approaches, on data with planted noise variables and on wine.

    First, the tree of each single variable is compared with those of all others by the overall similarity S, adjusted
    for chance. A variable is selected if its mean adjusted S is reached by at most a share of 5%, divided by the number
    of variables, of the relabellings of its items. Equal values in a variable tie its merges: its tree is then built by
    10 tie-breaks, and similarities are means over these. Second, trees of subsets of the variables are compared. Third,
    the tree of all variables is compared with the trees that each omit one variable. Last, the first approach is
    applied to many small data sets, to count the noise variables that it selects.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses a small planted data set and omits wine.

    Returns
    -------
    StudyResult
        Tables "variables" (first and third approach), "matrix" (similarities of the single-variable trees), "subsets"
        (second approach) and "false" (noise variables selected); one figure for each data set.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, section 5,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry._studies.variables import variables
    >>> variables(quick=True).to_frame()[["variable", "selected"]].to_dict("list")  # doctest: +NORMALIZE_WHITESPACE
    {'variable': ['informative 1', 'informative 2', 'noise 1', 'noise 2'],
     'selected': [True, True, False, False]}
    """
    source = random_generator(rng)
    planted = planted_noise(6, 2, 2, source) if quick else planted_noise(30, 6, 4, source)
    n_relabellings = 79 if quick else 299  # enough to test at 5% over 4 or 13 variables
    found = [_found(planted, _by_kind(planted), n_relabellings, source, progress)]
    if not quick:
        found.append(_found(bundled("wine"), _KINDS_OF_WINE, n_relabellings, source, progress))
    false = _false_selections(10 if quick else 200, source, progress)
    return StudyResult(
        "variables",
        _TITLE,
        {"variables": _gist(found), "matrix": _matrix(found), "subsets": _joined(found), "false": false},
        (*_sentences(found), *_of_false_selections(false)),
        figures={one.points.name.replace(" ", "_"): partial(_figure, one) for one in found},
    )


def _tree(values: FloatArray) -> Hierarchy:
    """Return the tree of the given variables."""
    return agglomerate(values, linkage=_LINKAGE).hierarchy


def _by_kind(planted: Points) -> dict[str, tuple[str, ...]]:
    """Return the subsets of planted data: the informative variables in two halves, and the noise variables."""
    informative = [name for name in planted.columns if name.startswith("informative")]
    noise = tuple(name for name in planted.columns if name.startswith("noise"))
    return {"informative, odd": tuple(informative[::2]), "informative, even": tuple(informative[1::2]), "noise": noise}


def _found(
    points: Points,
    subsets: Mapping[str, Sequence[str]],
    n_relabellings: int,
    rng: np.random.Generator,
    progress: bool,
) -> _Found:
    """Apply all three approaches to one data set."""
    scores = score_variables(
        points.values,
        variable_names=points.columns,
        subsets=subsets,
        linkage=_LINKAGE,
        n_permutations=n_relabellings,
        rng=rng,
        progress=progress,
    )
    rows: list[list[Any]] = []
    for (first, a), (second, b) in combinations(scores.subset_trees.items(), 2):
        test = permutation_test(a, b, "overall_similarity", n_relabellings, rng)
        expected = 1.0 - stages(a, b).expected_distance
        adjusted = (test.value - expected) / (1.0 - expected)
        rows.append([points.name, first, second, test.value, expected, adjusted, test.p_value])
    names = ("data", "first", "second", "similarity", "by_chance", "adjusted", "p_value")
    return _Found(points, scores, Table.of_rows(names, rows))


def _false_selections(n_sets: int, rng: np.random.Generator, progress: bool) -> Table:
    """Return how many noise variables are selected in many data sets of 3 variables and 20 items."""
    draws: dict[str, tuple[int, Callable[[], FloatArray]]] = {
        "noise": (0, lambda: rng.normal(size=(20, 3))),
        "noise of 4 values": (0, lambda: rng.integers(4, size=(20, 3)).astype(np.float64)),
        "2 informative, 1 noise": (2, lambda: planted_noise(5, 2, 1, rng).values),
    }
    rows = []
    for kind, (n_informative, draw) in draws.items():
        chosen = np.array([_select(draw(), rng) for _ in track(range(n_sets), kind, n_sets, progress)])
        false, true = chosen[:, n_informative:], chosen[:, :n_informative]
        rows.append((kind, n_sets, false.size, false.sum(), false.any(axis=1).sum(), true.size, true.sum()))
    names = ("data", "data_sets", "noise", "noise_selected", "sets_with_one", "informative", "informative_selected")
    return Table.of_rows(names, rows)


def _select(values: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Return which variables are selected."""
    chosen = score_variables(values, linkage=_LINKAGE, n_permutations=_RELABELLINGS, rng=rng).selected
    assert chosen is not None
    return chosen


def _of_false_selections(false: Table) -> Iterator[str]:
    """Report how often noise is selected."""
    rows: list[Any] = list(false.rows())
    yield "False selections, among 3 variables of 20 items (expected in at most 5% of the data sets):"
    for kind, n_sets, noise, selected, sets, informative, found in rows:
        power = f", and {found} of {informative} informative ones" if informative else ""
        yield f"  {kind}: in {sets} of {n_sets} data sets; {selected} of {noise} noise variables{power}"


def _gist(found: Sequence[_Found]) -> Table:
    """Return one row for each variable with the results of the first and third approach."""
    rows: list[tuple[Any, ...]] = []
    for one in found:
        columns = {name: column for name, column in one.scores.columns().items() if name != "selected"}
        limit = np.quantile(one.scores.null, 0.95, axis=0)
        names = ["data", *columns, "chance_95", "selected"]
        rows += [(one.points.name, *row) for row in zip(*columns.values(), limit, one.selected, strict=True)]
    return Table.of_rows(names, rows)


def _matrix(found: Sequence[_Found]) -> Table:
    """Return the similarity of the trees of every pair of variables, and its expected value by chance."""
    rows = [
        (
            one.points.name,
            one.points.columns[i],
            one.points.columns[j],
            one.scores.similarity[i, j],
            one.scores.expected[i, j],
        )
        for one in found
        for i, j in combinations(range(len(one.points.columns)), 2)
    ]
    return Table.of_rows(("data", "first", "second", "similarity", "by_chance"), rows)


def _joined(found: Sequence[_Found]) -> Table:
    """Return the subsets of all data sets in one table."""
    return Table.of_rows(tuple(found[0].subsets.columns), [row for one in found for row in one.subsets.rows()])


def _sentences(found: Sequence[_Found]) -> Iterator[str]:
    """Summarise the three approaches in sentences computed from the numbers."""
    yield (
        "Criterion, fixed beforehand: a variable is selected if at most 5%, divided by the number of"
        " variables, of the relabellings of its items agree as much with the other variables."
    )
    for one in found:
        chosen = one.selected
        rows = zip(one.points.columns, one.p_value.tolist(), chosen.tolist(), strict=True)
        left = [f"{name} (p = {p_value:.2g})" for name, p_value, picked in rows if not picked]
        yield f"{one.points.name}: {chosen.sum()} of {chosen.size} selected; left: {', '.join(left) or 'none'}."
        if one.scores.n_tie_breaks > 1:
            yield (
                f"  equal values tie merges: means over {one.scores.n_tie_breaks} tie-breaks, which change the mean"
                f" adjusted S of a variable by at most {one.scores.tie_effect:.4f}, and {_changed(one)}"
            )
        yield _recovered(one)
        yield from _second(one)
        yield _third(one)


def _changed(one: _Found) -> str:
    """Report which variables one tie-break would select and another not."""
    each = [one.scores.agreement_over_ties[[r]] for r in range(one.scores.n_tie_breaks)]
    chosen = np.array([one._replace(scores=replace(one.scores, agreement_over_ties=row)).selected for row in each])
    changed = [one.points.columns[j] for j in np.flatnonzero(chosen.any(axis=0) & ~chosen.all(axis=0))]
    return f"the selection of {', '.join(changed)}" if changed else "no selection"


def _recovered(one: _Found) -> str:
    """Report how well the known groups are recovered with all variables and with the selected ones."""
    if not one.selected.any():
        return "  no variable is left to cluster by"
    k = one.points.groups[-1]
    scores = [
        adjusted_rand(one.points.labels, cut_count(_tree(values), k).labels)  # type: ignore[arg-type]
        for values in (one.points.values, one.points.values[:, one.selected])
    ]
    return (
        f"  adjusted Rand to the {k} known groups: {scores[0]:.3f} by all variables, {scores[1]:.3f} by those selected"
    )


def _second(one: _Found) -> Iterator[str]:
    """Report the agreement of noise with other subsets; without planted noise, the most and least similar subsets."""
    rows: list[Any] = [row[1:] for row in one.subsets.rows()]
    apart = sorted((row for row in rows if "all" not in row), key=lambda row: row[4])
    for first, second, *_, adjusted, p_value in [row for row in rows if "noise" in row] or apart[::-1][:1] + apart[:1]:
        yield f"  subsets {first} and {second}: adjusted S {round(adjusted, 2) + 0.0:.2f}, p = {p_value:.2g}"


def _third(one: _Found) -> str:
    """Report whether omitting one variable separates the selected variables from the others."""
    without = one.scores.without
    kept, rest = without[one.selected], without[~one.selected]
    if not kept.size or not rest.size:
        return f"  without one variable, S to the tree of all is {without.min():.2f} to {without.max():.2f}"
    if kept.min() > rest.max():
        verdict = "to leave out what is not selected changes the tree most"
    elif rest.min() > kept.max():
        verdict = "to leave out what is selected changes the tree most"
    else:
        verdict = "the third way does not tell them apart"
    return (
        f"  without one variable, S to the tree of all is {kept.min():.2f} to {kept.max():.2f} (selected ones) and"
        f" {rest.min():.2f} to {rest.max():.2f} (others): {verdict}"
    )


def _figure(one: _Found) -> "Figure":
    """Draw the similarity matrix of the variables, the agreement of each with the others, and the tree without it."""
    from matplotlib.figure import Figure

    n = len(one.points.columns)
    figure = Figure(figsize=(12.0, 1.8 + 0.28 * n), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(1.25, 1.0, 1.0))
    _draw_matrix(left, one)
    _draw_bars(middle, one, one.scores.agreement, "mean adjusted S with the others")
    limits = np.quantile(one.scores.null, (0.025, 0.975), axis=0)
    places = np.arange(n)
    middle.hlines(places, limits[0], limits[1], color="black", linewidth=3.0, alpha=0.55, label="chance, 95%")
    middle.legend(loc="lower right", frameon=False, fontsize=8)
    _draw_bars(right, one, one.scores.without, "S of the tree without it to the tree of all")
    for ax in (middle, right):
        ax.set_yticks(places, [""] * n)
        ax.set_ylim(n - 0.5, -0.5)
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_matrix(ax: "Axes", one: _Found) -> None:
    """Draw the adjusted similarity of all pairs of variables."""
    adjusted = (one.scores.similarity - one.scores.expected) / (1.0 - one.scores.expected)
    np.fill_diagonal(adjusted, np.nan)
    n = len(adjusted)
    image = ax.imshow(adjusted, cmap="cividis_r", vmin=0.0, vmax=float(np.nanmax(adjusted)), aspect="auto")
    ax.figure.colorbar(image, ax=ax, label="adjusted S of single variables", location="top", aspect=40, pad=0.02)
    ax.set_yticks(range(n), [name[:28] for name in one.points.columns], fontsize=8)
    ax.set_xticks(range(n), [str(j + 1) for j in range(n)], fontsize=8)
    ax.spines[:].set_visible(False)


def _draw_bars(ax: "Axes", one: _Found, values: FloatArray, title: str) -> None:
    """Draw one value for each variable, with the selected variables in another colour."""
    from dendrometry.plot._axes.palette import OTHER, PALETTE

    colours = [PALETTE[0] if chosen else OTHER for chosen in one.selected.tolist()]
    ax.barh(range(len(values)), values, color=colours, height=0.7)
    ax.set_xlabel(title, fontsize=9)
    ax.set_title("blue: selected, grey: not", fontsize=8)
