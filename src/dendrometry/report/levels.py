"""The levels at which two trees are alike: cuts of both trees at every number of clusters, or at every depth."""

from typing import Any, NamedTuple

import numpy as np

from dendrometry._kernels.cut import cut as walks
from dendrometry._kernels.tree import depths
from dendrometry._typing import IntArray
from dendrometry.comparison.comparison import MOST_STAGES, Comparison
from dendrometry.errors import UndefinedMeasureError
from dendrometry.levels.band import Series, chance_band, chosen_stages
from dendrometry.levels.stages import Stages, stages_of_groups
from dendrometry.measures.registry import MEASURES
from dendrometry.tree_pair.contraction import rank_clock
from dendrometry.tree_pair.pair import Pair, Tree

_SERIES: tuple[Series, ...] = ("adjusted_rand", "fowlkes_mallows", "rand", "z")
_PART = ("Part in Z", "what this level adds to overall_distance; lower is more alike")  # z, which is no measure itself
_MOST_STEPS = 1_200
_MOST_DEPTHS = 60
_ALPHA = 0.05


class LevelCuts(NamedTuple):
    """Pairs of cuts, from coarse to fine, and their similarity.

    A node is a cluster of a cut if its moment is at most the limit of the cut and the moment of its parent is not. For
    each tree, ``alone`` states whether the items of a node that has not formed are single groups, not one group.
    """

    by_depth: bool
    at: IntArray
    stages: Stages
    moments: tuple[IntArray, IntArray]
    limits: tuple[IntArray, IntArray]
    alone: tuple[bool, bool]

    def columns(self) -> dict[str, Any]:
        """Return the series with their chance bands, and the limits, at a number of steps suitable for a page.

        Of the numbers of clusters, those are left out into which a tree cannot be cut, unless that leaves none.
        """
        real = np.flatnonzero(self.stages.is_reached | self.by_depth)
        real = real if real.size else np.arange(self.at.size)
        chosen = real[chosen_stages(self.at[real], _MOST_STEPS)]
        series: dict[str, dict[str, Any]] = {}
        for name in _SERIES:
            try:
                band = chance_band(self.stages, name, _ALPHA)
                value = getattr(self.stages, name)
            except UndefinedMeasureError:
                continue
            columns = {"value": value, "mean": band.mean, "low": band.low, "high": band.high}
            series[name] = {key: _short(column[chosen]) for key, column in columns.items()}
            title, meaning = (MEASURES[name].title, MEASURES[name].describe()) if name in MEASURES else _PART
            series[name] |= {"title": title, "meaning": meaning}
        return {
            "byDepth": self.by_depth,
            "at": self.at[chosen].tolist(),
            "groups": self.stages.n_clusters[chosen].tolist(),
            "limits": [limit[chosen].tolist() for limit in self.limits],
            "alone": list(self.alone),
            "series": series,
            "all": int(self.at.size),
        }


def cut_levels(comparison: Comparison) -> LevelCuts | str:
    """Return the cuts of both trees, or the reason why there are none."""
    if comparison.n_items < 3:
        return "Cuts into groups are compared from three items on."
    pair = comparison.statistics.pair
    stages = comparison.stages
    if stages is not None:
        limit = comparison.n_items - stages.n_clusters
        moments = _ranks(pair.a), _ranks(pair.b)
        return LevelCuts(False, stages.n_clusters, stages, moments, (limit, limit), (True, True))
    if comparison.n_items > MOST_STAGES and pair.a.height is not None and pair.b.height is not None:
        return "There are too many items to cut the trees level by level."
    return _by_depth(pair)


def _ranks(tree: Tree) -> IntArray:
    """Return the rank at which each node of a tree with heights forms; 0 for a node of a single item."""
    return np.where(tree.parts > 1, rank_clock("together")(tree), 0)


class _Cuts(NamedTuple):
    """One tree, cut at several limits on the moments of its nodes."""

    tree: Tree
    moment: IntArray
    limit: IntArray

    @property
    def alone(self) -> bool:
        """Whether the items of a node that has not formed are single groups: true for a merge order, not for depths."""
        return self.tree.height is not None

    def groups(self) -> list[IntArray]:
        """Return the group of each row of items in every cut."""
        return [self._groups(int(limit)) for limit in self.limit]

    def _groups(self, limit: int) -> IntArray:
        """Return the group of each row in one cut: the highest node that has formed; -1 if its items are single."""
        formed = self.moment <= limit
        node: IntArray = walks.highest_kept(self.tree.parent, formed)[self.tree.node]
        return np.where(self.alone & ~formed[self.tree.node], -1, node)


def _by_depth(pair: Pair) -> LevelCuts | str:
    """Return the cuts by depth of trees without heights, and the cuts of a tree with heights into as many groups."""
    trees = (pair.a, pair.b)
    deepest = max(int(depths(tree.parent).max()) for tree in trees if tree.height is None)
    if deepest == 0:
        return "A tree that is a single node has no levels to compare."
    depth = 1 + chosen_stages(np.arange(deepest), _MOST_DEPTHS)
    cuts = [_depths(tree, depth) if tree.height is None else None for tree in trees]
    for i in (0, 1):
        led = cuts[1 - i]
        if cuts[i] is None and led is not None:
            n_groups = np.array([np.unique(groups).size for groups in led.groups()])
            cuts[i] = _Cuts(trees[i], _ranks(trees[i]), pair.n_items - n_groups)
    first, second = (cut for cut in cuts if cut is not None)
    stages = stages_of_groups(first.groups(), second.groups(), pair.count)
    moments, limits = (first.moment, second.moment), (first.limit, second.limit)
    return LevelCuts(True, depth, stages, moments, limits, (first.alone, second.alone))


def _depths(tree: Tree, depth: IntArray) -> _Cuts:
    """Return the cuts of a tree at several depths; a leaf above the cut is a group, as are the items of a node."""
    below = depths(tree.parent)
    deepest = int(below.max())
    return _Cuts(tree, np.where(tree.n_children > 0, deepest - below, 0), np.maximum(deepest - depth, 0))


def _short(column: Any) -> list[float]:
    """Return numbers rounded to the precision that a curve can show."""
    return [float(f"{x:.6g}") for x in column.tolist()]
