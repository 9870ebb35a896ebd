"""How alike hierarchies of the same items are: measures, levels, the items moved most, and what follows from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from dendrometry._progress import track
from dendrometry._studies.result import Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.comparison.item_disagreement import item_disagreement
from dendrometry.comparison.permutation_test import PermutationTest, permutation_tests
from dendrometry.cut.count import cut_count
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.flat import statistics_of
from dendrometry.measures.partitions.adjusted_mutual_information import adjusted_mutual_information
from dendrometry.measures.registry import MEASURES

MEASURES_USED = (
    "hierarchy_agreement",
    "triplet_agreement",
    "triplet_recall",
    "normalized_robinson_foulds",
    "normalized_hierarchical_mutual_information",
)  # of trees without heights, with an exact expectation by chance
_STAGES = (2, 4, 8, 16, 32, 64, 128, 256)  # numbers of clusters where neither hierarchy has named levels
FULL, QUICK = (30, 99), (5, 19)  # halves and permutations
_WITHIN = 0.95  # of an interval
RELABELLINGS = 20  # of the items at random, for a mean by chance


class View(NamedTuple):
    """One hierarchy of some items.

    ``levels`` are its named classifications, coarse to fine, with the class of each item; a dendrogram has none and is
    cut. ``rebuilt`` builds the tree of some of the items, given by their indices; without it, the tree is restricted.
    """

    name: str
    tree: Hierarchy
    levels: Mapping[str, IntArray]
    rebuilt: Callable[[IntArray], Hierarchy] | None = None


class Agreement(NamedTuple):
    """How alike two views are.

    ``values``, ``expected`` and ``adjusted`` have one number for each measure, ``halves`` the adjusted values for
    random halves of the items, (halves, measures). ``levels`` has for each pair of levels the same for
    adjusted_mutual_information.
    """

    first: View
    second: View
    tests: list[PermutationTest]
    expected: FloatArray
    adjusted: FloatArray
    halves: FloatArray
    levels: list["LevelAgreement"]

    def measured(self, measure: str) -> "Estimate":
        """Return the adjusted value of a measure."""
        j = MEASURES_USED.index(measure)
        return Estimate(float(self.adjusted[j]), self.halves[:, j])

    def at(self, first: str, second: str | None = None) -> "Estimate":
        """Return the agreement of a level of the first with one of the second, or with its cut into as many groups."""
        return next(
            level.estimate
            for level in self.levels
            if level.first == first and (second is None or level.second == second)
        )


class LevelAgreement(NamedTuple):
    """Agreement of two levels, with their names and numbers of groups."""

    first: str
    n_first: int
    second: str
    n_second: int
    estimate: "Estimate"


class Estimate(NamedTuple):
    """A number, and the same number for random halves of the items.

    The deviation over halves drawn without replacement is the standard error of the number for all items.
    """

    value: float
    halves: FloatArray

    def __sub__(self, other: "Estimate") -> "Estimate":
        """Return the difference of two numbers computed from the same halves."""
        return Estimate(self.value - other.value, self.halves - other.halves)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of a 95% interval by Student's t, since the deviation is estimated from few halves."""
        quantile = float(stdtrit(self.halves.size - 1, (1 + _WITHIN) / 2))
        error = quantile * float(self.halves.std(ddof=1))
        return self.value - error, self.value + error


class Claim(NamedTuple):
    """A sentence that holds if a number is above 0, with this number in each setting that could be chosen."""

    text: str
    margins: Mapping[str, Estimate]

    @property
    def state(self) -> str:
        """Whether the sentence holds or fails beyond its errors in every setting; "undecided" otherwise."""
        ends = [margin.interval for margin in self.margins.values()]
        return (
            "holds"
            if all(low > 0 for low, _ in ends)
            else "fails"
            if all(high < 0 for _, high in ends)
            else "undecided"
        )


def agree(
    pairs: Sequence[tuple[View, View]],
    n_halves: int,
    n_permutations: int,
    rng: np.random.Generator,
    progress: bool,
) -> list[Agreement]:
    """Compare pairs of views of the same items, in the same order; all pairs see the same halves."""
    n = pairs[0][0].tree.n_items
    halves = [np.sort(rng.permutation(n)[: n // 2]) for _ in range(n_halves)]
    parts = {view.name: [_part(view, half) for half in halves] for pair in pairs for view in pair}
    streams = rng.spawn(n_permutations)
    return [
        _agreement(first, second, list(zip(parts[first.name], parts[second.name], strict=True)), streams)
        for first, second in track(pairs, "pairs of hierarchies", len(pairs), progress)
    ]


def _part(view: View, half: IntArray) -> View:
    """Return a view of half of the items."""
    names = [view.tree.items[i] for i in half.tolist()]
    tree = view.tree.restrict(names).without_unary() if view.rebuilt is None else view.rebuilt(half)
    return View(view.name, tree, {name: labels[half] for name, labels in view.levels.items()})


def _agreement(
    first: View, second: View, parts: list[tuple[View, View]], streams: list[np.random.Generator]
) -> Agreement:
    """Compare two views, and their halves."""
    statistics = statistics_of(MEASURES[MEASURES_USED[0]], first.tree, second.tree)
    tests = permutation_tests(statistics, [MEASURES[name] for name in MEASURES_USED], streams, None, "")
    expected, adjusted = _adjusted(first.tree, second.tree)
    halves = np.array([_adjusted(a.tree, b.tree)[1] for a, b in parts])
    levels = []
    for names, (a, b) in _levels(first, second).items():
        value = adjusted_mutual_information(a, b)
        some = np.array([adjusted_mutual_information(*_levels(*part, names)[names]) for part in parts])
        levels.append(LevelAgreement(names[0], _n_groups(a), names[1], _n_groups(b), Estimate(value, some)))
    return Agreement(first, second, tests, expected, adjusted, halves, levels)


def _adjusted(a: Hierarchy, b: Hierarchy) -> tuple[FloatArray, FloatArray]:
    """Return the expectation and the adjusted value of each measure."""
    statistics = statistics_of(MEASURES[MEASURES_USED[0]], a, b)
    scores = [MEASURES[name].score(statistics) for name in MEASURES_USED]
    return np.array([score.expected for score in scores]), np.array([score.adjusted for score in scores])


def _levels(
    first: View, second: View, only: tuple[str, str] | None = None
) -> dict[tuple[str, str], tuple[IntArray, IntArray]]:
    """Return the labels of each pair of levels: named levels, and cuts of a dendrogram into as many groups."""
    if first.levels and second.levels:
        named = {(a, b): (x, y) for a, x in first.levels.items() for b, y in second.levels.items()}
        return named if only is None else {only: named[only]}
    if first.levels:
        chosen = {name: labels for name, labels in first.levels.items() if only is None or only[0] == name}
        return {(name, "as many groups"): (labels, _cut(second, _n_groups(labels))) for name, labels in chosen.items()}
    most = first.tree.n_items // 4
    return {
        (f"{k} groups", f"{k} groups"): (_cut(first, k), _cut(second, k))
        for k in _STAGES
        if (k <= most if only is None else only[0] == f"{k} groups")
    }


def _cut(view: View, n_groups: int) -> IntArray:
    """Cut a dendrogram into a number of groups."""
    return cut_count(view.tree, n_groups).labels


def _n_groups(labels: IntArray) -> int:
    """Return the number of groups."""
    return int(np.unique(labels).size)


def measures_table(found: Sequence[Agreement]) -> Table:
    """Return one row for each pair of views and measure."""
    rows = []
    for one in found:
        for j, (name, test) in enumerate(zip(MEASURES_USED, one.tests, strict=True)):
            low, high = one.measured(name).interval
            numbers = test.value, one.expected[j], one.adjusted[j], low, high, test.p_value
            rows.append((one.first.name, one.second.name, name, *numbers))
    return Table.of_rows(
        ("first", "second", "measure", "value", "by_chance", "adjusted", "low", "high", "p_value"), rows
    )


def levels_table(found: Sequence[Agreement]) -> Table:
    """Return one row for each pair of levels of each pair of views."""
    rows = []
    for one in found:
        for at in one.levels:
            levels = one.first.name, at.first, at.n_first, one.second.name, at.second, at.n_second
            rows.append((*levels, at.estimate.value, *at.estimate.interval))
    columns = ("first", "level", "groups", "second", "level_of_second", "groups_of_second")
    return Table.of_rows((*columns, "adjusted_mutual_information", "low", "high"), rows)


def disagreement(first: View, second: View, rng: np.random.Generator) -> FloatArray:
    """Return how much two trees disagree about each item: 0 not at all, 1 as much as with all items relabelled."""
    a, b = first.tree, second.tree
    chance = np.zeros(a.n_items)
    for _ in range(RELABELLINGS):
        shuffled = Hierarchy(b.parent, None, rng.permutation(b.item_node), b.items)
        chance += item_disagreement(a, shuffled).sums / RELABELLINGS
    return item_disagreement(a, b).sums / chance


def moved_table(moved: Mapping[str, FloatArray], titles: Sequence[str], groups: Sequence[str], most: int) -> Table:
    """Return the items about which two views disagree most, by the mean over the settings, with their range."""
    values = np.array(list(moved.values()))
    order = np.argsort(-values.mean(axis=0), kind="stable")[:most].tolist()
    rows = [
        (titles[i], groups[i], values[:, i].mean(), values[:, i].min(), values[:, i].max(), len(moved)) for i in order
    ]
    return Table.of_rows(("item", "group", "disagreement", "lowest", "highest", "settings"), rows)


def groups_table(moved: Mapping[str, FloatArray], groups: Sequence[str], least: int) -> Table:
    """Return the mean disagreement about the items of each group with at least so many, the largest first.

    The mean is one over items and settings; its range is that of the means in each setting.
    """
    values = np.array(list(moved.values()))
    of = np.array(groups)
    rows = []
    for name in sorted(set(groups)):
        some = values[:, of == name]
        if some.shape[1] >= least:
            means = some.mean(axis=1)
            rows.append((name, some.shape[1], means.mean(), means.min(), means.max(), len(moved)))
    rows.sort(key=lambda row: -row[2])
    return Table.of_rows(("group", "items", "disagreement", "lowest", "highest", "settings"), rows)


def claims_table(claims: Sequence[Claim]) -> Table:
    """Return each claim with the setting that supports it most and the one that weakens it most."""
    rows = []
    for claim in claims:
        best, worst = (pick(claim.margins, key=lambda name: claim.margins[name].value) for pick in (max, min))
        above = sum(margin.value > 0 for margin in claim.margins.values())
        cells = [
            cell for name in (best, worst) for cell in (name, claim.margins[name].value, *claim.margins[name].interval)
        ]
        rows.append((claim.text, claim.state, above, len(claim.margins), *cells))
    ends = [f"{side}{end}" for side in ("supports", "weakens") for end in ("", "_margin", "_low", "_high")]
    return Table.of_rows(("claim", "state", "above_0", "settings", *ends), rows)


def claim_notes(claims: Sequence[Claim]) -> Iterator[str]:
    """Say of each claim whether it holds, and what speaks for it and against it."""
    for claim in claims:
        best, worst = (pick(claim.margins, key=lambda name: claim.margins[name].value) for pick in (max, min))
        margin = ", ".join(
            f"{word} {claim.margins[name].value:+.3f} ({claim.margins[name].interval[0]:+.3f} to"
            f" {claim.margins[name].interval[1]:+.3f}) by {name}"
            for word, name in (("most", best), ("least", worst))
        )
        yield f"{claim.state}: {claim.text} [{margin}]."
