"""Division: a tree built from the top down, and how it was built."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dendrometry._check.points import in_units
from dendrometry._display import plural
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.tree import accumulate_maximum
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

__all__ = ["Division", "DivisionReport", "Splits", "finished"]


class Splits(NamedTuple):
    """Clusters in the order they came up, the root first: parent, scatter, and the cluster of each item at the end."""

    parent: IntArray
    scatter: FloatArray
    item_node: IntArray
    ties: int
    rounds: int
    unsettled: int


@dataclass(frozen=True)
class DivisionReport:
    """How a tree was built from the top down.

    Attributes
    ----------
    n_items : int
        The number of items.
    method, metric : str
        "bisect" or "principal_direction", and the metric asked for.
    leaves : int
        The number of leaves.
    alike : int
        The leaves of several items that are equal, which nothing can split.
    ties : int
        The items that lay exactly between the two parts of a split.
    inversions : int
        The splits that are lower than one of their parts: none, scatter never grows downwards.
    rounds : int
        The passes over the items of some cluster: rounds of two-means, or products with the centred rows.
    unsettled : int
        The splits that were taken as they were after the most passes allowed, or of items with no mean between.
    memory : int
        The bytes that the build was estimated to need at its peak, beside the input.
    """

    n_items: int
    method: str
    metric: str
    leaves: int
    alike: int
    ties: int
    inversions: int
    rounds: int
    unsettled: int
    memory: int


@dataclass(frozen=True, eq=False, repr=False)
class Division:
    """A hierarchy built by `bisect` or `principal_direction`, with what is known about the build.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree; a later split has a lower number, so that the root is last. The height of every node, leaves
        included, is its *scatter*: the sum of the squared distances of its items from their mean.
    report : DivisionReport
        Leaves, ties met, rounds and memory.
    """

    hierarchy: Hierarchy
    report: DivisionReport

    def __repr__(self) -> str:
        report = self.report
        notes = "1 leaf" if report.leaves == 1 else f"{report.leaves:,} leaves"
        notes += f", {plural(report.ties, 'tie')}"
        return f"Division({self.hierarchy!r}, {report.method} on {report.metric}, {notes})"


def finished(splits: Splits, items: tuple[str, ...], exponent: int, method: str, metric: str, memory: int) -> Division:
    """Return the tree of splits in the user's units, with its report."""
    last = splits.parent.size - 1
    parent = np.where(splits.parent < 0, -1, last - splits.parent)[::-1]
    # scatter is monotone: what falls towards the root is rounding
    scatter = accumulate_maximum(np.ascontiguousarray(parent), np.ascontiguousarray(splits.scatter[::-1]))
    height = in_units(scatter, exponent)
    if ((height == 0.0) & (scatter != 0.0)).any():
        raise InvalidInputError("heights above 0 must stay above 0; these underflow: scale the points up")
    tree = Hierarchy(parent, height, last - splits.item_node, items)
    leaf = tree.n_children == 0
    report = DivisionReport(
        n_items=tree.n_items,
        method=method,
        metric=metric,
        leaves=int(leaf.sum()),
        alike=int((leaf & (scatter == 0.0) & (tree.own_sizes > 1)).sum()),
        ties=splits.ties,
        inversions=0,
        rounds=splits.rounds,
        unsettled=splits.unsettled,
        memory=memory,
    )
    return Division(tree, report)
