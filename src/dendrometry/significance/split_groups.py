"""The parts that the splits of two groups leave of a tree, and those that no tested split sets apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._display import plural
from dendrometry._typing import BoolArray
from dendrometry.cut.cut import Cut
from dendrometry.cut.significant import cut_significant
from dendrometry.significance.splits import Splits

_LISTED = 12  # groups whose sizes are named


class SplitGroups(NamedTuple):
    """The clusters below the splits of two groups.

    Attributes
    ----------
    cut : Cut
        The clusters.
    untested : (n_clusters,) array of bool
        Which clusters no tested split sets apart: outliers, which are too few to be tested, above a split of two
        groups, and parts of a node with more than two. No test says where they belong.
    """

    cut: Cut
    untested: BoolArray

    @property
    def n_groups(self) -> int:
        """The number of parts: one more than the splits of two groups, in a binary tree."""
        return int((~self.untested).sum())

    @property
    def names(self) -> list[str]:
        """What the cluster of each item is called: a numbered part; all that no tested split sets apart alike."""
        number = np.cumsum(~self.untested).tolist()
        called = [
            "not tested" if untested else f"part {i:,}"
            for i, untested in zip(number, self.untested.tolist(), strict=True)
        ]
        return [called[label] for label in self.cut.labels.tolist()]

    @property
    def sentence(self) -> str:
        """How many parts there are, of how many items, and how many items are in none of them.

        They are not called groups, as a group may be cut in two.
        """
        size = np.bincount(self.cut.labels)
        groups = np.sort(size[~self.untested])[::-1].tolist()
        if len(groups) == 1:
            return f"No split is shown to be of two groups: one part of {plural(groups[0], 'item')}."
        shown = [f"{n:,}" for n in groups[:_LISTED]]
        shown += [f"{len(groups) - _LISTED:,} more"] if len(groups) > _LISTED else []
        outside = plural(int(size[self.untested].sum()), "item")
        beside = f"; no tested split sets {outside} apart" if self.untested.any() else ""
        return f"{len(groups):,} parts, of {', '.join(shown[:-1])} and {shown[-1]} items{beside}."


def split_groups(found: Splits) -> SplitGroups:
    """Return the cut of a tree at the splits that are of two groups, and which of its clusters no test sets apart."""
    tree = found.tree
    cut = cut_significant(tree, found.adjusted, alpha=found.alpha)
    is_own = np.bincount(cut.labels) < tree.sizes[cut.nodes]  # an item of an undone node, of which it has the number
    above = np.where(is_own, cut.nodes, tree.parent[cut.nodes])
    return SplitGroups(cut, (cut.n_clusters > 1) & np.isnan(found.adjusted[above]))
