"""Tied merges, and the number of cuts that are as good as one that goes through a tie."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.tree import nearest_kept
from dendrometry._typing import BoolArray, IntArray
from dendrometry.cut.cut import UndoSteps
from dendrometry.hierarchy import Hierarchy

_MOST_MERGES = 200  # of one height, whose parts are exchanged; if there are more, the others stay as they are
_MOST_PARTS = 400  # of all these merges together


def highest_tied(tree: Hierarchy, merges: BoolArray) -> IntArray:
    """Return the highest of the merges at one height that lead up from each merge; any other node itself. O(n)."""
    node = np.arange(tree.n_nodes)
    if tree.height is None:
        return node
    above = nearest_kept(tree.parent, merges)
    tied = merges & (above >= 0) & (tree.height == tree.height[above])
    return np.where(tied, nearest_kept(tree.parent, merges & ~tied), node)


def count_alternatives(tree: Hierarchy, steps: UndoSteps, count: int) -> int:
    """Return how many other clusterings are as good as the cut that undoes the first ``count`` merges.

    Merges at the height of the last one undone tie: connected ones are one merge of all their parts, which the tree
    does not order. m parts may be joined into g clusters in S(m, g) ways, a Stirling number of the second kind, and
    the clusters may be distributed over several such merges. Of more than 200 merges, or 400 parts, the others stay as
    they are, which gives a lower bound.
    """
    if count == 0 or count == steps.node.size or steps.height[count] != steps.height[count - 1]:
        return 0
    tied = np.flatnonzero(steps.height == steps.height[count - 1])
    first = max(int(tied[0]), count - _MOST_MERGES // 2)
    last = min(int(tied[-1]) + 1, first + _MOST_MERGES)
    added = np.diff(steps.n_clusters)[first:last]
    if added.sum() > _MOST_PARTS:
        added = np.minimum(added, max(_MOST_PARTS // added.size, 1))
    n_parts = _n_parts(tree, steps.node[first:last].tolist(), added.tolist())
    n_groups = len(n_parts) + int(added[: count - first].sum())
    ways = [1]  # ways[g], to join the parts seen so far into g clusters
    for m in n_parts:
        ways = _product(ways, _stirling_numbers(m))
    return ways[n_groups] - 1


def _n_parts(tree: Hierarchy, nodes: list[int], added: list[int]) -> list[int]:
    """Return the number of parts of each set of connected merges, given in an order in which parents come first."""
    top: dict[int, int] = {}
    parts: dict[int, int] = {}
    for v, more in zip(nodes, added, strict=True):
        above = _merge_above(tree, v)
        top[v] = top.get(above, v)
        parts[top[v]] = parts.get(top[v], 1) + more
    return list(parts.values())


def _merge_above(tree: Hierarchy, v: int) -> int:
    """Return the lowest node above v that holds other items too, -1 for none."""
    u = int(tree.parent[v])
    while u >= 0 and tree.sizes[u] == tree.sizes[v]:
        u = int(tree.parent[u])
    return u


def _stirling_numbers(m: int) -> list[int]:
    """Return the number of ways to join m parts into 0 to m clusters. O(m^2)."""
    row = [1]
    for _ in range(m):
        row = [0] + [g * ways + less for g, ways, less in zip(range(1, len(row) + 1), [*row[1:], 0], row, strict=True)]
    return row


def _product(x: list[int], y: list[int]) -> list[int]:
    """Return the product of two polynomials, given by their coefficients."""
    product = [0] * (len(x) + len(y) - 1)
    for i, a in enumerate(x):
        if a:
            for j, b in enumerate(y):
                product[i + j] += a * b
    return product
