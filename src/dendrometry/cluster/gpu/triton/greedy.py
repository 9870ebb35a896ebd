"""The fused kernels of the greedy algorithm on a device: one step is a comparison of all slots and a decision.

Both are started again and again without waiting for the host, so what they do next is kept on the device: ``into`` is
the slot to be compared, ``made`` the number of merges.
"""

import triton
import triton.language as tl

from dendrometry.cluster.gpu.triton.kernels import squares


@triton.jit(do_not_specialize=["n_slots"])
def compare_slots(
    centroid, size, scatter, own, alive, nearest, distance, into, value_of, slot_of, count_of, n_slots, alpha,
    WIDTH: tl.constexpr, CHUNK: tl.constexpr, FORM: tl.constexpr, SLOTS: tl.constexpr,
):  # fmt: skip
    """Find in a block of slots the nearest one below a cluster, and the nearest pair of the other clusters.

    For both come the least distance, the lowest slot that has it and how many have it.
    """
    block = tl.program_id(0)
    slot = (block * SLOTS + tl.arange(0, SLOTS)).to(tl.int64)
    there = slot < n_slots
    c = tl.load(into)
    chunk = tl.arange(0, CHUNK)
    delta = tl.zeros((SLOTS,), tl.float64)
    for k in range(0, WIDTH, CHUNK):
        inside = k + chunk < WIDTH
        a = tl.load(centroid + c * WIDTH + k + chunk, mask=inside, other=0.0)
        at = centroid + slot[:, None] * WIDTH + (k + chunk)[None, :]
        gap = tl.load(at, mask=there[:, None] & inside[None, :], other=0.0) - a[None, :]
        delta += tl.sum(gap * gap, axis=1)
    n, m = tl.load(size + c), tl.load(size + slot, mask=there, other=1.0)
    scatter_c, own_c = tl.load(scatter + c), tl.load(own + c)
    scatter_s, own_s = tl.load(scatter + slot, mask=there, other=0.0), tl.load(own + slot, mask=there, other=0.0)
    value = _value(n, m, scatter_c, scatter_s, own_c, own_s, delta, alpha, FORM)
    lives = tl.load(alive + slot, mask=there, other=0) > 0
    _least(tl.where(lives & (slot < c), value, float("inf")), slot, lives, value_of, slot_of, count_of, block)
    pair = tl.load(distance + slot, mask=there & (slot != c), other=float("inf"))
    other = tl.load(nearest + slot, mask=there, other=0)
    whole = tl.load(alive + other) > 0
    _least(pair, slot, whole, value_of, slot_of, count_of, tl.num_programs(0) + block)


@triton.jit
def _value(n, m, scatter_c, scatter_s, own_c, own_s, delta, alpha, FORM: tl.constexpr):
    """Return the distance of two clusters whose centroids are ``delta`` apart (squared)."""
    if FORM == "ward":
        value = 2.0 * (n * m / (n + m)) * delta
    elif FORM == "average":
        value = alpha * (delta + (scatter_c / n + scatter_s / m)) + (own_c / n + own_s / m)
    elif FORM == "group_average":
        sum_of_squares = (scatter_c + scatter_s) + n * m / (n + m) * delta
        value = 2.0 * (alpha * sum_of_squares / (n + m - 1.0) + (own_c + own_s) / (n + m))
    else:
        value = delta
    return value


@triton.jit(do_not_specialize=["n_slots"])
def find_before(
    centroid, size, scatter, own, target, value_of, slot_of, count_of, n_slots, alpha,
    WIDTH: tl.constexpr, FORM: tl.constexpr, QUERIES: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """Find for each slot the nearest one before it; of those as near, the lowest, and how many there are.

    ``target`` are the centroids, with a row for each coordinate. The last slots, which have most before them, come
    first.
    """
    row = (tl.num_programs(0) - 1 - tl.program_id(0)) * QUERIES + tl.arange(0, QUERIES)
    there = row < n_slots
    lane = tl.arange(0, LANES)
    n = tl.load(size + row, mask=there, other=1.0)[:, None]
    scatter_c = tl.load(scatter + row, mask=there, other=0.0)[:, None]
    own_c = tl.load(own + row, mask=there, other=0.0)[:, None]
    least = tl.full((QUERIES, LANES), float("inf"), tl.float64)
    slot = tl.zeros((QUERIES, LANES), tl.int64)
    count = tl.zeros((QUERIES, LANES), tl.int64)
    step = n_slots.to(tl.int64)
    for start in range(0, tl.max(row), LANES):
        column = start + lane
        inside = column < n_slots
        delta = squares(centroid + row.to(tl.int64) * WIDTH, target + column, step, there, inside, WIDTH)
        m = tl.load(size + column, mask=inside, other=1.0)[None, :]
        scatter_s = tl.load(scatter + column, mask=inside, other=0.0)[None, :]
        own_s = tl.load(own + column, mask=inside, other=0.0)[None, :]
        value = _value(n, m, scatter_c, scatter_s, own_c, own_s, delta, alpha, FORM)
        value = tl.where(column[None, :] < row[:, None], value, float("inf"))
        count = tl.where(value < least, 1, count + (value == least).to(tl.int64))
        slot = tl.where(value < least, column[None, :].to(tl.int64), slot)
        least = tl.minimum(least, value)
    value = tl.min(least, axis=1)
    alike = least == value[:, None]
    tl.store(value_of + row, value, mask=there)
    tl.store(slot_of + row, tl.min(tl.where(alike, slot, 9223372036854775807), axis=1), mask=there)
    tl.store(count_of + row, tl.sum(tl.where(alike, count, 0), axis=1), mask=there)


@triton.jit
def _least(value, slot, counts, value_of, slot_of, count_of, at):
    """Store the least value, its lowest slot, and how many of those that count have it."""
    least = tl.min(value, axis=0)
    tl.store(value_of + at, least)
    tl.store(slot_of + at, tl.min(tl.where(value == least, slot, 9223372036854775807), axis=0))
    tl.store(count_of + at, tl.sum((counts & (value == least)).to(tl.int64), axis=0))


@triton.jit(do_not_specialize=["n_start", "n_wanted", "n_blocks"])
def decide_step(
    centroid, size, scatter, own, alive, nearest, distance, tied, node, made, into, value_of, slot_of, count_of,
    left, right, height, ties, n_start, n_wanted, n_blocks,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, BLOCKS: tl.constexpr, MEDIAN: tl.constexpr,
):  # fmt: skip
    """Take the nearest pair that is known: merge it, or have the cluster compared again whose nearest one is gone.

    Needs one warp, as it reads what it then overwrites.
    """
    here = tl.arange(0, BLOCKS)
    inside = here < n_blocks
    value = tl.load(value_of + here, mask=inside, other=float("inf"))
    least = tl.min(value, axis=0)
    is_least = inside & (value == least)
    at = tl.min(tl.where(is_least, tl.load(slot_of + here, mask=inside, other=0), 9223372036854775807), axis=0)
    n_least = tl.sum(tl.where(is_least, tl.load(count_of + here, mask=inside, other=0), 0), axis=0)
    old = tl.load(into)
    tl.store(nearest + old, at)
    tl.store(tied + old, (n_least > 1).to(tl.uint8))
    pair = tl.load(value_of + n_blocks + here, mask=inside, other=float("inf"))
    closest = tl.minimum(tl.min(pair, axis=0), least)
    is_closest = inside & (pair == closest)
    c = tl.min(tl.where(is_closest, tl.load(slot_of + n_blocks + here, mask=inside, other=0), 9223372036854775807))
    n_closest = tl.sum(tl.where(is_closest, tl.load(count_of + n_blocks + here, mask=inside, other=0), 0), axis=0)
    c = tl.minimum(c, tl.where(least == closest, old, 9223372036854775807))
    n_closest += (least == closest).to(tl.int64)
    tl.debug_barrier()
    b = tl.load(nearest + c)
    count = tl.load(made)
    merging = (tl.load(alive + b) > 0) & (count < n_wanted) & (closest < float("inf"))
    if merging:
        tl.store(left + count, tl.load(node + b))
        tl.store(right + count, tl.load(node + c))
        tl.store(height + count, closest)
        tl.store(ties + count, ((n_closest > 1) | (tl.load(tied + c) > 0)).to(tl.uint8))
        new = n_start + count
        column = tl.arange(0, PADDED)
        real = column < WIDTH
        x = tl.load(centroid + b * WIDTH + column, mask=real, other=0.0)
        gap = tl.load(centroid + c * WIDTH + column, mask=real, other=0.0) - x
        n_b, n_c = tl.load(size + b), tl.load(size + c)
        share = n_c / (n_b + n_c)
        if MEDIAN:
            share = share * 0.0 + 0.5
        tl.store(centroid + new * WIDTH + column, x + share * gap, mask=real)
        squares = n_b * n_c / (n_b + n_c) * tl.sum(gap * gap, axis=0)
        tl.store(scatter + new, (tl.load(scatter + b) + tl.load(scatter + c)) + squares)
        tl.store(own + new, tl.load(own + b) + tl.load(own + c))
        tl.store(size + new, n_b + n_c)
        tl.store(distance + b, float("inf"))
        tl.store(distance + c, float("inf"))
        tl.store(alive + b, 0)
        tl.store(alive + c, 0)
        tl.store(alive + new, 1)
        tl.store(made, count + 1)
        tl.store(into, new)
    else:
        tl.store(into, c)
    tl.store(distance + old, least, mask=(~merging) | ((old != b) & (old != c)))
