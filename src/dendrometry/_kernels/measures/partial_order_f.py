"""Pairs related in two orders at once: counts inside rectangles."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray


class Queries(NamedTuple):
    """Rectangles: of the first ``time`` points, ``weight`` times those with a place from ``low`` to below ``high``."""

    time: IntArray
    low: IntArray
    high: IntArray
    weight: IntArray


@njit
def sum_in_rectangles(place: IntArray, count: IntArray, queries: Queries) -> int:
    """Return the sum over rectangles of the counts inside times the weight.

    Point i lies at (i, place[i]); queries come in ascending time. One sweep with a Fenwick tree, O(n log n).
    """
    tree = np.zeros(place.size + 1, dtype=np.int64)
    total, done = 0, 0
    for q in range(queries.time.size):
        if stopped():
            break
        while done < queries.time[q]:
            i = place[done] + 1
            while i <= place.size:
                tree[i] += count[done]
                i += i & -i
            done += 1
        inside = 0
        i = queries.high[q]
        while i > 0:
            inside += tree[i]
            i -= i & -i
        i = queries.low[q]
        while i > 0:
            inside -= tree[i]
            i -= i & -i
        total += inside * queries.weight[q]
    return total
