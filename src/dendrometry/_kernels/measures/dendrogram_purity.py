"""The items of a class in the lowest cluster that two of them share, summed over pairs."""

import numpy as np

from dendrometry._kernels._jit import njit
from dendrometry._kernels.tree_pair.contraction import Meets
from dendrometry._typing import FloatArray, IntArray


@njit
def class_items_of_pairs(meets: Meets, row_tick: IntArray, count: IntArray, size: IntArray) -> tuple[FloatArray, bool]:
    """Return the items of a class in the cluster that joins two of them, summed over pairs; and if all are pure. O(n).

    Every tick forms one cluster, of this ``size``, and has its own sum; later meetings, of different classes, do not
    count. Going back in time, the items of a class after the last of its meetings at a tick are
    known when its other meetings at this tick are reached.
    """
    n_ticks, is_pure = size.size, True
    sums = np.zeros(n_ticks)
    last_tick = np.full(count.size, n_ticks)
    items = count.copy()
    for i in range(meets.tick.size - 1, -1, -1):
        tick = meets.tick[i]
        if tick >= n_ticks:
            continue
        kept, gone = meets.kept[i], meets.gone[i]
        if last_tick[kept] != tick:
            last_tick[kept] = tick
            items[kept] = meets.kept_count[i] + meets.gone_count[i]
        last_tick[gone] = tick
        items[gone] = items[kept]
        sums[tick] += float(meets.kept_count[i] * meets.gone_count[i]) * float(items[kept])
        is_pure = is_pure and items[kept] == size[tick]
    for row in range(count.size):
        tick = row_tick[row]
        if count[row] > 1 and tick < n_ticks:
            held = items[row] if last_tick[row] == tick else count[row]
            sums[tick] += float(count[row] * (count[row] - 1) // 2) * float(held)
            is_pure = is_pure and held == size[tick]
    return sums, is_pure
