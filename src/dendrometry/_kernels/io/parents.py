"""Orders of nodes with children first, for parents in any order."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import FloatArray, IntArray


class Merges(NamedTuple):
    """Nodes, leaves before inner ones, and the height at which each of them is formed; last, room to find these."""

    node: IntArray
    formed: FloatArray
    formed_at: FloatArray


@njit
def leaves_first(parent: IntArray, height: FloatArray, merges: Merges) -> int:
    """Fill the columns of merges, and return how many nodes at its start are as low as the lowest.

    A node is formed at the greatest height at or below it. O(n); needs children first, the root last.
    """
    n = parent.size
    formed = merges.formed_at
    formed[:] = height
    is_inner = np.zeros(n, dtype=np.bool_)
    for v in range(n - 1):
        p = parent[v]
        is_inner[p] = True
        if formed[v] > formed[p]:
            formed[p] = formed[v]
    leaf, inner = 0, n - is_inner.sum()
    for v in range(n):
        at = inner if is_inner[v] else leaf
        merges.node[at], merges.formed[at] = v, formed[v]
        if is_inner[v]:
            inner += 1
        else:
            leaf += 1
    lowest, n_lowest = merges.formed.min(), 0
    while n_lowest < n and merges.formed[n_lowest] == lowest:
        n_lowest += 1
    return n_lowest


@njit
def renumber(parent: IntArray, order: IntArray, number: IntArray, above: IntArray) -> None:
    """Fill in the position of each node in ``order``, or -1, and for each of these positions that of its parent, or -1.

    O(n): nodes are read in their old order, where a parent is near. Relies on an order that holds the parent of each of
    its nodes.
    """
    number[:] = -1
    for i in range(order.size):
        number[order[i]] = i
    for v in range(parent.size):
        if number[v] >= 0:
            above[number[v]] = number[parent[v]] if parent[v] >= 0 else -1


@njit
def post_order(parent: IntArray, root: int) -> IntArray:
    """Return the nodes below a root, each after its children, siblings in ascending order.

    ``parent`` is -1 at the root alone. Nodes that the root does not reach are missing. O(n).
    """
    n = parent.size
    start = np.zeros(n + 2, dtype=np.int64)
    for v in range(n):
        start[parent[v] + 2] += 1
    for v in range(n + 1):
        start[v + 1] += start[v]
    child = np.empty(n, dtype=np.int64)
    for v in range(n):
        child[start[parent[v] + 1]] = v
        start[parent[v] + 1] += 1
    order = np.empty(n, dtype=np.int64)  # from the front, nodes that wait; from the back, nodes in their place
    order[0] = root
    waiting, free = 1, n
    while waiting > 0:
        waiting -= 1
        v = order[waiting]
        free -= 1
        order[free] = v
        for i in range(start[v], start[v + 1]):
            order[waiting] = child[i]
            waiting += 1
    return order[free:]


class Sorting(NamedTuple):
    """Keys as integers of the same rank, with their positions, and as much room again."""

    bits: IntArray
    order: IntArray
    spare_bits: IntArray
    spare_order: IntArray


@njit
def stable_order(keys: FloatArray, room: Sorting) -> IntArray:
    """Return the positions of the keys in ascending order, equal ones in their original order, as a part of the room.

    By radix, the upper 31 bits first; what these leave in disorder is mended by insertion, or if that is much, sorted
    by all bits. O(n). Relies on finite keys without -0.0, at least one.
    """
    n = keys.size
    bits, order = _by_radix(keys, 3, room)
    n_moves = 0
    for i in range(1, n):
        b, v, j = bits[i], order[i], i
        while j > 0 and bits[j - 1] > b:
            bits[j], order[j] = bits[j - 1], order[j - 1]
            j -= 1
        bits[j], order[j] = b, v
        n_moves += i - j
        if n_moves > 4 * n:
            return _by_radix(keys, 0, room)[1]
    return order


@njit
def _by_radix(keys: FloatArray, first_digit: int, room: Sorting) -> tuple[IntArray, IntArray]:
    """Return the keys, as integers, and their positions, sorted by their digits of 11 bits from one of the six on.

    A digit in which all keys agree is passed over. O(n).
    """
    n = keys.size
    raw = keys.view(np.int64)
    bits, order, spare_bits, spare = room
    counts = np.zeros((6, 2048), dtype=np.int64)
    for i in range(n):
        b = raw[i]
        b ^= (b >> 63) & 0x7FFFFFFFFFFFFFFF  # an integer of the same rank as the float
        bits[i], order[i] = b, i
        for digit in range(first_digit, 6):
            counts[digit, (b >> (11 * digit)) & 2047] += 1
    for digit in range(first_digit, 6):
        if stopped():
            break
        start, shift = counts[digit], 11 * digit
        if start[(bits[0] >> shift) & 2047] == n:
            continue
        first = 1024 if digit == 5 else 0  # the highest digit holds the sign: its negative half comes first
        total = 0
        for value in range(2048):
            count = start[value ^ first]
            start[value ^ first] = total
            total += count
        for i in range(n):
            value = (bits[i] >> shift) & 2047
            at = start[value]
            start[value] = at + 1
            spare[at] = order[i]
            spare_bits[at] = bits[i]
        order, spare = spare, order
        bits, spare_bits = spare_bits, bits
    return bits, order
