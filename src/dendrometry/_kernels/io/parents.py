"""Orders of nodes with children first, for parents in any order."""

import numpy as np

from dendrometry._kernels._jit import FloatArray, IntArray, njit, stopped

__all__ = ["post_order", "stable_order"]


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


@njit
def stable_order(keys: FloatArray) -> IntArray:
    """Return the positions of the keys in ascending order, equal ones in their original order.

    By radix, 11 bits at a time from the lowest; a digit in which all keys agree is passed over. O(n). Relies on
    finite keys without -0.0, at least one.
    """
    n = keys.size
    raw = keys.view(np.int64)
    bits = np.empty(n, dtype=np.int64)
    counts = np.zeros((6, 2048), dtype=np.int64)
    for i in range(n):
        b = raw[i]
        b ^= (b >> 63) & 0x7FFFFFFFFFFFFFFF  # an integer of the same rank as the float
        bits[i] = b
        for digit in range(6):
            counts[digit, (b >> (11 * digit)) & 2047] += 1
    order, spare, spare_bits = np.arange(n), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for digit in range(6):
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
    return order
