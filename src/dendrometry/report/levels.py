"""At which level two trees are alike: cuts of both at every number of groups, or at every depth."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels import cut as cuts
from dendrometry._kernels._jit import IntArray
from dendrometry.compare.comparison import Comparison
from dendrometry.compare.contraction import rank_clock
from dendrometry.compare.pair import Tree
from dendrometry.compare.stages import Stages, stages_of_partitions
from dendrometry.errors import UndefinedMeasureError
from dendrometry.plot.layout.chance import chance_band, chosen_stages
from dendrometry.report.units import Units

__all__ = ["Levels", "levels_of"]

SERIES = {
    "adjusted_rand": ("Adjusted Rand", "pairs treated alike, 0 as by chance, 1 for equal cuts"),
    "fowlkes_mallows": ("Fowlkes–Mallows", "pairs together in both, against those together in either"),
    "rand": ("Rand", "the share of pairs treated alike, not adjusted for chance"),
    "z": ("Part in Z", "what this level adds to overall_distance; lower is more alike"),
}
_MOST_STEPS = 1_200
_MOST_DEPTHS = 60
_MOST_ITEMS = 1_000_000  # for cuts by depth, which are counted one by one
_BAND = 0.95


class Levels(NamedTuple):
    """Pairs of cuts, from coarse to fine, and how alike they are.

    A node is a cluster of a cut if its moment is at most the cut's limit, and its parent's is not. ``alone`` says for
    either tree whether items of a node that has not formed are groups of one, rather than one group.
    """

    by_depth: bool
    at: IntArray
    stages: Stages
    moments: tuple[IntArray, IntArray]
    limits: tuple[IntArray, IntArray]
    alone: tuple[bool, bool]

    def columns(self) -> dict[str, Any]:
        """Return the series with their band of chance, and the limits, at no more steps than a page needs."""
        chosen = chosen_stages(self.at, _MOST_STEPS)
        series = {}
        for name, (title, says) in SERIES.items():
            try:
                band = chance_band(self.stages, name, _BAND)  # type: ignore[arg-type]
                value = getattr(self.stages, name)
            except UndefinedMeasureError:
                continue
            columns = {"value": value, "mean": band.mean, "low": band.low, "high": band.high}
            series[name] = {key: _short(column[chosen]) for key, column in columns.items()}
            series[name] |= {"title": title, "says": says}
        return {
            "byDepth": self.by_depth,
            "at": self.at[chosen].tolist(),
            "groups": self.stages.k[chosen].tolist(),
            "limits": [limit[chosen].tolist() for limit in self.limits],
            "alone": list(self.alone),
            "series": series,
            "all": int(self.at.size),
        }


def levels_of(comparison: Comparison, units: Units | None) -> Levels | str:
    """Return the cuts of both trees, or the reason why there are none."""
    if comparison.n_items < 3:
        return "Cuts into groups are compared from three items on."
    pair = comparison.readings.pair
    stages = comparison.stages
    if stages is not None:
        limit = comparison.n_items - stages.k
        return Levels(False, stages.k, stages, _ranks(pair.a, pair.b), (limit, limit), (True, True))
    if units is None or comparison.n_items > _MOST_ITEMS:
        return "There are too many items to cut the trees level by level."
    return _by_depth(comparison, units)


def _ranks(a: Tree, b: Tree) -> tuple[IntArray, IntArray]:
    """Return when the nodes of two trees with heights form; a node of a single item is always there."""
    moments = [np.where(tree.parts > 1, rank_clock("together")(tree), 0) for tree in (a, b)]
    return moments[0], moments[1]


def _by_depth(comparison: Comparison, units: Units) -> Levels | str:
    """Return cuts by depth of the trees without heights, and of a tree with heights into as many groups."""
    trees, pair = (units.a, units.b), comparison.readings.pair
    deepest = max(int(tree.depths.max()) for tree in trees if tree.height is None)
    if deepest == 0:
        return "A tree without inner structure has no levels to compare."
    depth = np.unique(np.geomspace(1, deepest, min(deepest, _MOST_DEPTHS)).round().astype(np.int64))
    if deepest <= _MOST_DEPTHS:
        depth = np.arange(1, deepest + 1)
    moments, limits, parts = [], [], []
    order = sorted((0, 1), key=lambda i: trees[i].height is not None)  # a tree without heights leads
    n_groups = np.zeros(depth.size, dtype=np.int64)
    for i in order:
        tree, counted = trees[i], (pair.a, pair.b)[i]
        if tree.height is None:
            moment = np.where(tree.n_children > 0, deepest - tree.depths, 0)
            limit = deepest - depth
        else:
            moment = np.where(counted.parts > 1, rank_clock("together")(counted), 0)
            limit = comparison.n_items - n_groups
        labels = [_labels(units, i, moment, int(at), tree.height is not None) for at in limit]
        if i == order[0]:
            n_groups = np.array([np.unique(column).size for column in labels])
        moments.append(moment)
        limits.append(limit)
        parts.append(labels)
    back = order.index(0), order.index(1)
    stages = stages_of_partitions(parts[back[0]], parts[back[1]])
    alone = (units.a.height is not None, units.b.height is not None)
    return Levels(
        True,
        depth,
        stages,
        (moments[back[0]], moments[back[1]]),
        (limits[back[0]], limits[back[1]]),
        alone,
    )


def _labels(units: Units, which: int, moment: IntArray, limit: int, alone: bool) -> IntArray:
    """Return the group of each item, where nodes up to a moment have formed."""
    tree = (units.a, units.b)[which]
    formed = moment <= limit
    node = cuts.highest_kept(tree.parent, formed)[tree.item_node]
    single = alone & ~formed[tree.item_node]
    label = np.where(single, tree.n_nodes + np.arange(node.size), node)
    return np.repeat(label, units.weight)


def _short(column: Any) -> list[float]:
    """Return numbers with as many digits as a curve can show."""
    return [float(f"{x:.6g}") for x in column.tolist()]
