"""The order in which the nodes of a tree are rejected when a rejected node leaves its share of the level to others."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


class Nodes(NamedTuple):
    """A tree: the children of v are ``child[start[v]:start[v + 1]]``, its subtree has the ranks ``low[v]:high[v]``.

    ``p`` is the p-value of each node, nan without a hypothesis; ``heir`` the total size of the children with nodes that
    are still to be rejected, at or below them.
    """

    parent: IntArray
    start: IntArray
    child: IntArray
    low: IntArray
    high: IntArray
    size: IntArray
    p: FloatArray
    heir: IntArray


class Shares(NamedTuple):
    """The shares of the open nodes, at the feet of a binary tree over the ranks of nodes.

    ``least`` is the least p-value per share at or below a place; ``factor`` what all shares at or below a place have
    been multiplied by. Place 1 is the top, the feet are the second half. ``share`` is that of each node without its
    factors.
    """

    least: FloatArray
    factor: FloatArray
    share: FloatArray


@njit
def adjust_down(nodes: Nodes, order: IntArray) -> FloatArray:
    """Return the least level at which each node is rejected, at most 1; nan without a hypothesis.

    The root has the whole level. A rejected node, or one without a hypothesis, divides its share among the children
    with nodes that are still to be rejected, in proportion to their sizes. ``order`` is the node of each rank.
    Changes ``nodes.heir``. O(n log n).
    """
    n = order.size
    feet = 1
    while feet < n:
        feet *= 2
    shares = Shares(np.full(2 * feet, np.inf), np.ones(2 * feet), np.zeros(n))
    adjusted = np.where(np.isnan(nodes.p), np.nan, 1.0)
    level = 0.0
    if np.isnan(nodes.p[n - 1]):
        _divide(nodes, shares, n - 1, 1.0)
    else:
        _open(nodes, shares, n - 1, 1.0)
    while shares.least[1] <= 1.0:
        level = max(level, shares.least[1])
        rank = _first(shares.least)
        v = order[rank]
        adjusted[v] = level
        part = shares.share[v] * _product(shares.factor, feet + rank)
        _put(shares, feet + rank, np.inf)
        if nodes.heir[v] > 0:
            _divide(nodes, shares, v, part)
        else:
            _bequeath(nodes, shares, v)
    return adjusted


@njit
def sizes_of_heirs(parent: IntArray, size: IntArray, p: FloatArray) -> IntArray:
    """Return the total size of the children of each node that have a p-value at or below them. O(n)."""
    heir = np.zeros(parent.size, dtype=np.int64)
    for v in range(parent.size - 1):
        if heir[v] > 0 or not np.isnan(p[v]):
            heir[parent[v]] += size[v]
    return heir


@njit
def _open(nodes: Nodes, shares: Shares, v: int, part: float) -> None:
    """Give a share to a node with a hypothesis."""
    place = shares.least.size // 2 + nodes.low[v]
    shares.factor[place] = 1.0
    above = _product(shares.factor, place)
    shares.share[v] = part / above
    _put(shares, place, nodes.p[v] / part * above)


@njit
def _divide(nodes: Nodes, shares: Shares, v: int, part: float) -> None:
    """Divide the share of a node among its heirs, and that of an heir without a hypothesis among its own."""
    stack = [(v, part)]
    while len(stack) > 0:
        u, whole = stack.pop()
        for c in nodes.child[nodes.start[u] : nodes.start[u + 1]]:
            if not np.isnan(nodes.p[c]):
                _open(nodes, shares, c, whole * (nodes.size[c] / nodes.heir[u]))
            elif nodes.heir[c] > 0:
                stack.append((c, whole * (nodes.size[c] / nodes.heir[u])))


@njit
def _bequeath(nodes: Nodes, shares: Shares, v: int) -> None:
    """Leave the share of a subtree without open nodes to the other heirs of the nearest ancestor that has any."""
    u = nodes.parent[v]
    while u >= 0:
        before = nodes.heir[u]
        nodes.heir[u] -= nodes.size[v]
        if nodes.heir[u] > 0:
            _multiply(shares, nodes.low[u], nodes.high[u], before / nodes.heir[u])
            return
        v, u = u, nodes.parent[u]


@njit
def _product(factor: FloatArray, place: int) -> float:
    """Return the product of the factors at and above a place. O(log n)."""
    product = 1.0
    while place > 0:
        product *= factor[place]
        place //= 2
    return product


@njit
def _put(shares: Shares, place: int, value: float) -> None:
    """Set the p-value per share of a foot, as divided by the factors above it."""
    shares.least[place] = value
    _renew(shares, place)


@njit
def _renew(shares: Shares, place: int) -> None:
    """Renew the least values above a place. O(log n)."""
    place //= 2
    while place > 0:
        lower = min(shares.least[2 * place], shares.least[2 * place + 1])
        shares.least[place] = lower / shares.factor[place]
        place //= 2


@njit
def _first(least: FloatArray) -> int:
    """Return the rank of the first foot with the least value. O(log n)."""
    place, feet = 1, least.size // 2
    while place < feet:
        place *= 2
        if least[place + 1] < least[place]:
            place += 1
    return place - feet


@njit
def _multiply(shares: Shares, low: int, high: int, by: float) -> None:
    """Multiply the shares of the open nodes with ranks from low to high. O(log n).

    Places without open nodes are left alone: their factors would grow without bound.
    """
    feet = shares.least.size // 2
    left, right = feet + low, feet + high
    while left < right:
        if left % 2 == 1:
            _scale(shares, left, by)
            left += 1
        if right % 2 == 1:
            right -= 1
            _scale(shares, right, by)
        left //= 2
        right //= 2
    _renew(shares, feet + low)
    _renew(shares, feet + high - 1)


@njit
def _scale(shares: Shares, place: int, by: float) -> None:
    """Multiply the shares below a place, if any node there is open."""
    if np.isfinite(shares.least[place]):
        shares.factor[place] *= by
        shares.least[place] /= by
