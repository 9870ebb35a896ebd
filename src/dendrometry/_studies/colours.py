"""Table 1 and figure 1 of Johnson et al.: clusterings of colours with increasing numbers of true constraints."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._progress import track
from dendrometry._studies.inputs.colours import (
    Colours,
    Setting,
    cluster_colours,
    draw_colours,
    greatest_cfm,
    propagation,
    settings,
    unsplit,
    votes_varied,
)
from dendrometry._studies.result import Printed, StudyResult, Table
from dendrometry._typing import FloatArray
from dendrometry.comparison.compare import compare
from dendrometry.generate.triplets import satisfied_triplets
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.trees.hierarchical_f import hierarchical_f
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PRINTED = {  # number of constraints: HAI, CFM
    0: (0.701, 0.489),
    1298: (0.705, 0.472),
    7142: (0.749, 0.442),
    14026: (0.856, 0.452),
    23442: (0.923, 0.512),
    44791: (0.991, 0.784),
}
_PAPER = np.array(list(_PRINTED.values()))
_TO_CHOOSE, _FRESH = 2, 5  # sets of colours to choose a setting on, and to confirm it on
_UNSEEN = 10_000  # number of held-out triplets
_NEAR, _FAR = 0.01, 0.05  # differences from the print that are counted
_TITLE = "Does a clustering of colours come nearer to the truth with more triplets, and which measure shows it?"


class _Row(NamedTuple):
    """One hierarchy compared with the truth."""

    agreement: float
    adjusted: float
    cluster_f: float
    satisfied: float | None
    unseen: float


class _Tried(NamedTuple):
    """A setting, HAI and CFM for each set of colours and number of constraints, and a bound on its CFM.

    ``value`` has the shape (sets, constraints, 2); no hierarchy under this setting has a CFM above ``bound``.
    """

    setting: Setting
    value: FloatArray
    bound: float

    @property
    def is_possible(self) -> bool:
        """Whether a hierarchy under this setting can have the greatest CFM of the print."""
        return bool(self.bound >= _PAPER[:, 1].max())

    @property
    def difference(self) -> float:
        """The root mean square difference of the means over the sets from the print."""
        return _difference(self.value)


def colours(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Cluster random colours with increasing numbers of triplets drawn from the truth, and measure the agreement.

    The truth is the average linkage (UPGMA) of 2,500 random colours in Lab. The same colours are clustered in HSV by
    `dendrometry.cluster.bisect_constrained` with 0 to 44,791 triplets, "x and y are closer to each other than to z".
    The paper describes neither its method nor the distance of two colours in HSV, nor does it say how much a triplet
    weighs against the colours, whether it also moves items that it does not name, how triplets were drawn and where
    splitting stops. Two spaces, two ways to draw triplets, votes propagated or not, three weights and five sizes of the
    least cluster are therefore tried, on two sets of colours. Of the settings in which the greatest printed CFM is
    possible at all, the one with the least root mean square difference from the printed numbers is then applied to five
    other sets, which had no part in the choice, and so are those that differ from it in propagation or weight, six
    weights in all.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses 100 colours, one set to choose on and one other, and a fiftieth of the
        triplets.

    Returns
    -------
    StudyResult
        Tables "constraints" (Table 1 with the chosen setting: means over the fresh sets), "sets" (each fresh set),
        "claims" (propagation and weight on the fresh sets: how many numbers of the print are met, in how many sets each
        measure rises), "propagation" (their HAI and CFM), "settings" (the difference from the print of each setting
        tried), "tried" (their HAI and CFM) and "bounds" (the greatest possible CFM for each least cluster); figures
        "hierarchies" (figure 1), "curves" and "propagation".

    References
    ----------
    .. [1] D. M. Johnson et al., "Comprehensive Cross-Hierarchy Cluster Agreement Evaluation", AAAI 2013, table 1 and
       figure 1.

    Examples
    --------
    >>> from dendrometry._studies.colours import colours
    >>> result = colours(quick=True)
    >>> result
    StudyResult(colours: tables constraints, sets, claims, propagation, settings, tried, bounds; figures hierarchies,
    curves, propagation)
    >>> agreement = result.tables["constraints"].columns["hai"]
    >>> agreement[0] < agreement[-1]
    True
    """
    random = random_generator(rng)
    n, share = (100, 50) if quick else (2500, 1)
    counts = [count // share for count in _PRINTED]
    sets = [draw_colours(n, max(counts), _UNSEEN // share, random) for _ in range(2 if quick else _TO_CHOOSE + _FRESH)]
    known, fresh = (sets[:1], sets[1:]) if quick else (sets[:_TO_CHOOSE], sets[_TO_CHOOSE:])
    tried = _tried(known, counts, settings(), progress)
    chosen = min((one for one in tried if one.is_possible), key=lambda one: one.difference)
    jobs = [(one, count) for one in fresh for count in counts]
    trees = [
        unsplit(cluster_colours(one, chosen.setting, count), chosen.setting.smallest)
        for one, count in track(jobs, "hierarchies of fresh colours", len(jobs), progress)
    ]
    drawn_by = chosen.setting.triplets
    rows = [_row(one, drawn_by, count, tree) for (one, count), tree in zip(jobs, trees, strict=True)]
    varied = _varied(fresh, counts, votes_varied(chosen.setting), progress)
    table = _means(counts, rows)
    printed = () if quick else tuple(_printed(counts, rows))
    tables = {
        "constraints": table,
        "sets": _every_set(counts, rows),
        "claims": _claims(varied),
        "propagation": _spreads(varied, counts),
        "settings": _differences(tried),
        "tried": _values(tried, counts),
        "bounds": _bounds(sets, [one.setting.smallest for one in tried]),
    }
    return StudyResult(
        "colours",
        _TITLE,
        tables,
        (*_of_the_choice(chosen, _by_count(counts, rows), printed), *_of_the_claims(varied), *_sentences(tables)),
        printed,
        {
            "hierarchies": partial(_pictures, fresh[0], counts, trees[: len(counts)]),
            "curves": partial(_curves, table),
            "propagation": partial(_panels, varied, counts),
        },
    )


def _tried(sets: Sequence[Colours], counts: Sequence[int], choices: Sequence[Setting], progress: bool) -> list[_Tried]:
    """Return HAI and CFM under every setting; settings that differ in the least cluster alone share their trees."""
    alike = [list(some) for _, some in groupby(choices, key=lambda setting: setting[:-1])]
    found = []
    for some in track(alike, "settings tried", len(alike), progress):
        trees = [[cluster_colours(one, some[0], count) for count in counts] for one in sets]
        for setting in some:
            value = [
                [_both(one.truth, unsplit(tree, setting.smallest)) for tree in row]
                for one, row in zip(sets, trees, strict=True)
            ]
            bound = max(greatest_cfm(one.truth, setting.smallest) for one in sets)
            found.append(_Tried(setting, np.array(value), bound))
    return found


def _varied(
    sets: Sequence[Colours], counts: Sequence[int], choices: Sequence[Setting], progress: bool
) -> dict[Setting, FloatArray]:
    """Return HAI and CFM, (sets, counts, 2), under some settings."""
    return {
        setting: np.array(
            [
                [_both(one.truth, unsplit(cluster_colours(one, setting, count), setting.smallest)) for count in counts]
                for one in sets
            ]
        )
        for setting in track(choices, "propagation and weights", len(choices), progress)
    }


def _both(truth: Hierarchy, tree: Hierarchy) -> tuple[float, float]:
    """Return HAI and CFM."""
    return hierarchy_agreement(truth, tree), hierarchical_f(truth, tree, classes="all")


def _difference(value: FloatArray) -> float:
    """Return the root mean square difference of HAI and CFM, means over the sets, from the print."""
    return float(np.sqrt(((value.mean(axis=0) - _PAPER) ** 2).mean()))


def _row(one: Colours, drawn_by: str, count: int, tree: Hierarchy) -> _Row:
    """Compare a hierarchy with the truth."""
    agreement = compare(one.truth, tree, measures=["hierarchy_agreement"])["hierarchy_agreement"]
    return _Row(
        float(agreement.value or 0.0),
        float(agreement.adjusted or 0.0),
        hierarchical_f(one.truth, tree, classes="all"),
        float(satisfied_triplets(tree, one.triplets[drawn_by][:count]).mean()) if count else None,
        float(satisfied_triplets(tree, one.unseen).mean()),
    )


def _by_count(counts: Sequence[int], rows: Sequence[_Row]) -> FloatArray:
    """Return HAI and CFM of the rows: (sets, counts, 2)."""
    return np.array([(row.agreement, row.cluster_f) for row in rows]).reshape(-1, len(counts), 2)


def _means(counts: Sequence[int], rows: Sequence[_Row]) -> Table:
    """Return one row for each number of constraints, with means over the sets."""
    values = np.array(rows, dtype=np.float64).reshape(-1, len(counts), len(_Row._fields))
    hai, adjusted, cfm, satisfied, unseen = values.mean(axis=0).T
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


class _Claims(NamedTuple):
    """In how many sets of colours each claim of the paper holds.

    HAI rises with the first constraints, and at every row; CFM is at or below its start at the second row, up to the
    third, and up to the fourth; HAI rises at every row while CFM is at or below its start up to the third, or fourth.
    """

    hai_rises_first: int
    hai_rises: int
    cfm_low_at_second: int
    cfm_low_to_third: int
    cfm_low_to_fourth: int
    both_to_third: int
    both_to_fourth: int

    @classmethod
    def of(cls, value: FloatArray) -> "_Claims":
        """Count the sets; ``value`` is HAI and CFM, (sets, counts, 2)."""
        step = np.diff(value[:, :, 0], axis=1) > 0.0
        low = np.logical_and.accumulate(value[:, 1:4, 1] <= value[:, :1, 1], axis=1)
        rises = step.all(axis=1)
        return cls(*(int(holds.sum()) for holds in (step[:, 0], rises, *low.T, rises & low[:, 1], rises & low[:, 2])))


def _errors(value: FloatArray) -> FloatArray:
    """Return the standard error of one set of colours, as in the paper, against our mean: (counts, 2)."""
    error: FloatArray = np.zeros(value.shape[1:])
    if len(value) > 1:
        error = value.std(axis=0, ddof=1) * np.sqrt(1.0 + 1.0 / len(value))
    return error


def _cells(value: FloatArray) -> tuple[int, int, int]:
    """Return how many of the printed numbers are met within 0.01, 0.05 and 3 standard errors."""
    apart = np.abs(value.mean(axis=0) - _PAPER)
    return int((apart <= _NEAR).sum()), int((apart <= _FAR).sum()), int((apart <= 3.0 * _errors(value)).sum())


def _claims(varied: Mapping[Setting, FloatArray]) -> Table:
    """Return one row for each way to use votes: numbers of the print met, and sets in which the claims hold."""
    names = ("propagate", "trust", "difference", "within_0.01", "within_0.05", "within_3_errors", "sets")
    rows = [
        (setting.propagate, setting.trust, _difference(value), *_cells(value), len(value), *_Claims.of(value))
        for setting, value in varied.items()
    ]
    return Table.of_rows((*names, *_Claims._fields), rows)


def _spreads(varied: Mapping[Setting, FloatArray], counts: Sequence[int]) -> Table:
    """Return one row for each way to use votes and number of constraints: means and ranges over the fresh sets."""
    rows = []
    for setting, value in varied.items():
        columns = [statistic(value, axis=0)[:, j] for j in (0, 1) for statistic in (np.mean, np.min, np.max)]
        rows += [(setting.propagate, setting.trust, count, *row) for count, *row in zip(counts, *columns, strict=True)]
    names = [f"{name}{which}" for name in ("hai", "cfm") for which in ("", "_least", "_greatest")]
    return Table.of_rows(("propagate", "trust", "constraints", *names), rows)


def _differences(tried: Sequence[_Tried]) -> Table:
    """Return one row for each setting, the nearest to the print first."""
    rows = [(*one.setting, one.difference, one.is_possible) for one in sorted(tried, key=lambda one: one.difference)]
    return Table.of_rows((*Setting._fields, "difference", "possible"), rows)


def _values(tried: Sequence[_Tried], counts: Sequence[int]) -> Table:
    """Return one row for each setting and number of constraints: means over the sets to choose on."""
    rows = [
        (*one.setting, count, *value)
        for one in tried
        for count, value in zip(counts, one.value.mean(axis=0).tolist(), strict=True)
    ]
    return Table.of_rows((*Setting._fields, "constraints", "hai", "cfm"), rows)


def _bounds(sets: Sequence[Colours], smallest: Sequence[int]) -> Table:
    """Return the greatest CFM of any hierarchy, and that of the truth itself, without clusters below a size."""
    rows = []
    for size in sorted(set(smallest)):
        any_tree = [greatest_cfm(one.truth, size) for one in sets]
        itself = [hierarchical_f(one.truth, unsplit(one.truth, size), classes="all") for one in sets]
        rows.append((size, np.mean(any_tree), np.max(any_tree), np.mean(itself)))
    return Table.of_rows(("smallest", "bound", "greatest_bound", "of_the_truth"), rows)


def _printed(counts: Sequence[int], rows: Sequence[_Row]) -> Iterator[Printed]:
    """Yield the paper's Table 1, from one set of colours, beside our means; its set is assumed to vary alike."""
    values = _by_count(counts, rows)
    error = _errors(values)
    for j, what in enumerate(("HAI", "CFM")):
        for i, (count, numbers) in enumerate(_PRINTED.items()):
            yield Printed(
                f"{what}, {plural(count, 'constraint')}", numbers[j], float(values[:, i, j].mean()), float(error[i, j])
            )


def _of_the_choice(chosen: _Tried, fresh: FloatArray, printed: Sequence[Printed]) -> Iterator[str]:
    """Report the chosen setting, and how near it is to the print on the sets it was chosen on and on fresh ones."""
    yield f"Chosen: {chosen.setting}."
    yield (
        f"  Root mean square difference from the print: {chosen.difference:.3f} on the"
        f" {plural(len(chosen.value), 'set')} it was chosen on, {_difference(fresh):.3f} on {len(fresh)} fresh."
    )
    if printed:
        near, far, errors = _cells(fresh)
        yield (
            f"  On the fresh sets {near} of {len(printed)} numbers lie within {_NEAR} of the print, {far} within"
            f" {_FAR}, and {errors} within 3 standard errors."
        )
        loose = [one for one in printed if 3.0 * (one.standard_error or 0.0) > 2.0 * _FAR]
        if loose:
            wide = "; ".join(f"{one.what}: {3.0 * (one.standard_error or 0.0):.2f}" for one in loose)
            yield (
                f"  3 standard errors are more than {2.0 * _FAR:g} for {len(loose)} of them ({wide}), so lying within"
                " them there is no evidence."
            )


def _of_the_claims(varied: Mapping[Setting, FloatArray]) -> Iterator[str]:
    """Report in how many sets HAI rises, and CFM does not, with and without propagation."""
    for how, some in groupby(varied.items(), key=lambda item: item[0].propagate):
        found = {setting.trust: _Claims.of(value) for setting, value in some}
        n = len(next(iter(varied.values())))
        yield f"With {propagation(how)}, of {plural(n, 'set')} at the weights {', '.join(f'{t:g}' for t in found)}:"
        for claim, words in (
            ("hai_rises_first", "HAI rises with the first constraints"),
            ("hai_rises", "HAI rises at every row"),
            ("cfm_low_to_fourth", "CFM is at or below its start up to the fourth row"),
            ("both_to_third", "HAI rises at every row while CFM is at or below its start up to the third"),
            ("both_to_fourth", "the same up to the fourth row, as in the print,"),
        ):
            yield f"  {words} in {', '.join(str(getattr(one, claim)) for one in found.values())}."


def _sentences(tables: Mapping[str, Table]) -> Iterator[str]:
    """Report how much depends on the choices, and which least clusters the print rules out."""
    for name in ("hai", "cfm"):
        column = np.array(tables["tried"].columns[name], dtype=np.float64).reshape(-1, len(_PRINTED))
        ends = [f"{column[:, j].min():.3f} to {column[:, j].max():.3f}" for j in (0, -1)]
        yield f"{name.upper()} over all settings tried is {ends[0]} without constraints, {ends[1]} with all."
    bounds = tables["bounds"]
    highest = _PAPER[:, 1].max()
    for size, bound, greatest, itself in np.array(list(bounds.rows()), dtype=np.float64).tolist():
        if greatest < highest:
            yield (
                f"Without clusters of fewer than {size:.0f} items, no hierarchy has a CFM above {bound:.3f}, and the"
                f" truth itself {itself:.3f} (means over the sets): the {highest:g} of the print rules that out."
            )


def _pictures(one: Colours, counts: Sequence[int], trees: Sequence[Hierarchy]) -> "Figure":
    """Draw every hierarchy as nested colours, with the truth last."""
    from matplotlib.figure import Figure

    from dendrometry.plot.icicle import icicle

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

    from dendrometry.plot._axes.palette import OTHER, PALETTE

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
    ax.set(xlabel="triplets given", ylabel="agreement with the truth", ylim=(0.0, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8)
    return figure


def _panels(varied: Mapping[Setting, FloatArray], counts: Sequence[int]) -> "Figure":
    """Draw HAI and CFM against the number of constraints, with and without propagation, a line for each weight."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey="row")
    trusts = sorted({setting.trust for setting in varied})
    for setting, value in varied.items():
        colour = colormaps["viridis"](0.9 * trusts.index(setting.trust) / (len(trusts) - 1))
        for row in (0, 1):
            ax = panels[row, int(not setting.propagate)]
            middle, low, high = (
                value[:, :, row].mean(axis=0),
                value[:, :, row].min(axis=0),
                value[:, :, row].max(axis=0),
            )
            ax.fill_between(counts, low, high, color=colour, alpha=0.08, linewidth=0)
            ax.plot(counts, middle, color=colour, marker="o", markersize=3, label=f"trust {setting.trust:g}")
            ax.set_ylabel(("HAI", "CFM")[row])
            ax.spines[["top", "right"]].set_visible(False)
            if row == 0:
                ax.set_title(propagation(setting.propagate), fontsize=10)
    for ax, column in ((ax, j) for j in (0, 1) for ax in panels[j]):
        if list(counts) == list(_PRINTED):
            ax.plot(counts, _PAPER[:, column], color="black", linestyle=":", marker="x", label="paper")
        ax.label_outer()
    panels[0, 0].legend(frameon=False, fontsize=8)
    figure.supxlabel("triplets given", fontsize=10)
    return figure
