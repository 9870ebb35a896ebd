"""Division: a tree built from the top down, with a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dendrometry._check.points import in_units
from dendrometry._display import plural
from dendrometry._html import field_table, note
from dendrometry._kernels.tree import accumulate_maximum
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.divisive.points import Ready
from dendrometry.cut.underflow import require_squares
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy


class Splits(NamedTuple):
    """Clusters in the order of splitting, the root first: parent, scatter, and the final cluster of each item."""

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
        "bisect" or "principal_direction", and the metric requested.
    leaves : int
        The number of leaves.
    alike : int
        The number of leaves with several equal items, which cannot be split.
    ties : int
        The number of items exactly between the two parts of a split.
    inversions : int
        The number of splits lower than one of their parts: always 0, since scatter never grows downwards.
    rounds : int
        The number of passes over the items of a cluster: rounds of two-means, or products with the centred rows.
    unsettled : int
        The number of splits that had not converged after the largest number of passes, or whose items have no mean
        between them.
    memory : int
        The estimated peak memory in bytes, in addition to the input.
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

    def _repr_html_(self) -> str:
        return field_table(self)


@dataclass(frozen=True, eq=False, repr=False)
class Division:
    """A hierarchy built by `bisect` or `principal_direction`, with its report.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree; a later split has a lower number, so that the root is last. The height of every node, leaves
        included, is its *scatter*: the sum of the squared distances of its items from their mean.
    report : DivisionReport
        The numbers of leaves, ties and rounds, and the memory.
    """

    hierarchy: Hierarchy
    report: DivisionReport

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        report = self.report
        notes = "1 leaf" if report.leaves == 1 else f"{report.leaves:,} leaves"
        notes += f", {plural(report.ties, 'tie')}"
        return f"Division({self.hierarchy!r}, {report.method} on {report.metric}, {notes})"


def as_division(splits: Splits, items: tuple[str, ...], ready: Ready, method: str, metric: str) -> Division:
    """Return the tree of splits in the user's units, with its report; refuse it if distances have fallen to 0."""
    last = splits.parent.size - 1
    parent = np.where(splits.parent < 0, -1, last - splits.parent)[::-1]
    # scatter is monotone: decreases towards the root are rounding errors
    scatter = accumulate_maximum(np.ascontiguousarray(parent), np.ascontiguousarray(splits.scatter[::-1]))
    height = in_units(scatter, ready.exponent)
    if ((height == 0.0) & (scatter != 0.0)).any():
        raise InvalidInputError("heights above 0 must stay above 0; got an underflow (scale the points up)")
    tree = Hierarchy(parent, height, last - splits.item_node, items)
    rows = ready.rows
    column = rows.column.view(np.int32)
    require_squares(tree, csr_array((rows.value, column, rows.start), (tree.n_items, rows.n_columns)), scatter)
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
        memory=ready.memory,
    )
    return Division(tree, report)
