"""The fused kernels of a device: the scan for near clusters in low precision and exactly, and the reading of lists.

A program takes some queries, and meets tiles of targets: all of them, or a part if there are few queries. Each lane of
a tile keeps its least value, where that was, and its second least value; at the end the least lanes come out, and the
least of all other values kept bounds every target that is not listed. Numbers of queries and targets change with every
call and are not compiled in. Distances in float64 are computed in the order of the compiled kernels, without fused
multiply-add.
"""

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_queries", "n_blocks", "factor"])
def scan_products(
    half, rest, query_at, query_own, query_error, query_size, query_group,
    target_own, target_length, target_size, target_group, lowest_group, highest_group, lowest_size, highest_size,
    near, value_of, reach, n_queries, n_blocks, factor,
    WIDTH: tl.constexpr, CHUNK: tl.constexpr, BY_SIZE: tl.constexpr, THREEFOLD: tl.constexpr,
    QUERIES: tl.constexpr, LANES: tl.constexpr, TILES: tl.constexpr, LISTED: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """Find near targets by products of tensor cores, and a lower bound of all others, rounding errors included.

    ``half`` are the targets in half precision, queries among them, and ``rest`` what that drops, for the product of
    three. A lane takes the least value of all tiles of a block, and what comes out is the first column of its tiles.
    """
    row = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    there = row < n_queries
    lane = tl.arange(0, LANES)
    chunk = tl.arange(0, CHUNK)
    own = tl.load(query_own + row, mask=there, other=0.0)
    error = tl.max(tl.load(query_error + row, mask=there, other=0.0))
    size = tl.max(tl.load(query_size + row, mask=there, other=1.0))
    group = tl.load(query_group + row, mask=there, other=-1)
    first, last = tl.min(tl.where(there, group, 2147483647)), tl.max(group)
    least = tl.full((QUERIES, LANES), 3e38, tl.float32)
    second = tl.full((QUERIES, LANES), 3e38, tl.float32)
    block_of = tl.zeros((QUERIES, LANES), tl.int32)
    at = tl.load(query_at + row, mask=there, other=0)[:, None] * WIDTH + chunk[None, :]
    q, q_rest = tl.load(half + at), tl.load(rest + at)
    n_each = tl.cdiv(n_blocks, tl.num_programs(1))
    start = tl.program_id(1) * n_each
    for block in tl.range(start, tl.minimum(start + n_each, n_blocks), num_stages=STAGES):
        own_groups = (tl.load(lowest_group + block) <= last) & (tl.load(highest_group + block) >= first)
        if BY_SIZE:
            small = tl.load(lowest_size + block)
            mixed = small < tl.load(highest_size + block)
            share_of_all = small / (size + small)
        lowest = tl.full((QUERIES, LANES), 3e38, tl.float32)
        for tile in tl.static_range(TILES):
            column = (block * TILES + tile) * LANES + lane
            t_at = column.to(tl.int64)[:, None] * WIDTH + chunk[None, :]
            product = _products(half, rest, q, q_rest, at, t_at, WIDTH, CHUNK, THREEFOLD, STAGES)
            bound = tl.load(target_own + column) - error * tl.load(target_length + column)
            if BY_SIZE:
                share = tl.zeros((LANES,), tl.float32) + share_of_all
                if mixed:
                    share = tl.load(target_size + column)
                    share = share / (size + share)
                value = (product * factor + own[:, None]) * share[None, :] + (bound * share)[None, :]
            else:
                value = product * factor + bound[None, :]
            if own_groups:
                value = tl.where(group[:, None] == tl.load(target_group + column)[None, :], 3e38, value)
            lowest = tl.minimum(lowest, value)
        block_of = tl.where(lowest < least, block, block_of)
        second = tl.minimum(second, tl.maximum(least, lowest))
        least = tl.minimum(least, lowest)
    column = block_of * (TILES * LANES) + lane[None, :]
    out = row.to(tl.int64) * tl.num_programs(1) + tl.program_id(1)
    for j in tl.static_range(LISTED):
        value = tl.min(least, axis=1)
        found = tl.min(tl.where(least == value[:, None], column, 2147483647), axis=1)
        tl.store(near + out * LISTED + j, tl.where(value < 1e37, found, -1), mask=there)
        tl.store(value_of + out * LISTED + j, value, mask=there)
        least = tl.where(column == found[:, None], 3e38, least)
    tl.store(reach + out, tl.minimum(tl.min(least, axis=1), tl.min(second, axis=1)), mask=there)


@triton.jit
def _products(
    half, rest, q, q_rest, at, t_at,
    WIDTH: tl.constexpr, CHUNK: tl.constexpr, THREEFOLD: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """Multiply queries by targets; ``q`` and ``q_rest`` are the queries if they are a single chunk."""
    if WIDTH == CHUNK:
        t = tl.trans(tl.load(half + t_at))
        if THREEFOLD:
            product = tl.dot(q_rest, t)
            product = tl.dot(q, tl.trans(tl.load(rest + t_at)), product)
            product = tl.dot(q, t, product)
        else:
            product = tl.dot(q, t)
    else:
        product = tl.zeros((at.shape[0], t_at.shape[0]), tl.float32)
        for k in tl.range(0, WIDTH, CHUNK, num_stages=STAGES):
            q = tl.load(half + at + k)
            t = tl.trans(tl.load(half + t_at + k))
            if THREEFOLD:
                product = tl.dot(tl.load(rest + at + k), t, product)
                product = tl.dot(q, tl.trans(tl.load(rest + t_at + k)), product)
            product = tl.dot(q, t, product)
    return product


@triton.jit
def _squares(q, t, step, there, inside, WIDTH: tl.constexpr):
    """Return the squared distances of queries in rows and targets in columns, ``step`` apart."""
    delta = tl.zeros((q.shape[0], t.shape[0]), tl.float64)
    for k in range(0, WIDTH - WIDTH % 4, 4):
        d0 = tl.load(q + k, there)[:, None] - tl.load(t + k * step, inside)[None, :]
        d1 = tl.load(q + k + 1, there)[:, None] - tl.load(t + (k + 1) * step, inside)[None, :]
        d2 = tl.load(q + k + 2, there)[:, None] - tl.load(t + (k + 2) * step, inside)[None, :]
        d3 = tl.load(q + k + 3, there)[:, None] - tl.load(t + (k + 3) * step, inside)[None, :]
        delta += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for k in range(WIDTH - WIDTH % 4, WIDTH):
        d0 = tl.load(q + k, there)[:, None] - tl.load(t + k * step, inside)[None, :]
        delta += d0 * d0
    return delta


@triton.jit(do_not_specialize=["n_queries", "n_targets"])
def cross_squares(
    query, target, out, n_queries, n_targets,
    WIDTH: tl.constexpr, QUERIES: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """Write the squared distances of all queries and targets; ``target`` has a row for each coordinate."""
    row = tl.program_id(1) * QUERIES + tl.arange(0, QUERIES)
    column = tl.program_id(0) * LANES + tl.arange(0, LANES)
    there, inside = row < n_queries, column < n_targets
    step = n_targets.to(tl.int64)
    delta = _squares(query + row * WIDTH, target + column.to(tl.int64), step, there, inside, WIDTH)
    at = row.to(tl.int64)[:, None] * step + column[None, :]
    tl.store(out + at, delta, mask=there[:, None] & inside[None, :])


@triton.jit(do_not_specialize=["n_pairs"])
def pair_squares(point, first, second, out, n_pairs, WIDTH: tl.constexpr, PAIRS: tl.constexpr):
    """Write the squared distances of pairs of points."""
    pair = tl.program_id(0).to(tl.int64) * PAIRS + tl.arange(0, PAIRS)
    there = pair < n_pairs
    a = point + tl.load(first + pair, there) * WIDTH
    b = point + tl.load(second + pair, there) * WIDTH
    delta = tl.zeros((PAIRS,), tl.float64)
    for k in range(0, WIDTH - WIDTH % 4, 4):
        d0 = tl.load(a + k, there) - tl.load(b + k, there)
        d1 = tl.load(a + k + 1, there) - tl.load(b + k + 1, there)
        d2 = tl.load(a + k + 2, there) - tl.load(b + k + 2, there)
        d3 = tl.load(a + k + 3, there) - tl.load(b + k + 3, there)
        delta += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for k in range(WIDTH - WIDTH % 4, WIDTH):
        d0 = tl.load(a + k, there) - tl.load(b + k, there)
        delta += d0 * d0
    tl.store(out + pair, delta, there)


@triton.jit(do_not_specialize=["n_queries", "n_targets"])
def scan_exactly(
    slots, active, centroid, sizes, spreads, groups, target,
    near, value_of, reach, n_queries, n_targets, alpha,
    WIDTH: tl.constexpr, BY_SIZE: tl.constexpr, QUERIES: tl.constexpr, LANES: tl.constexpr, LISTED: tl.constexpr,
):  # fmt: skip
    """Find near ones of the active slots by differences in float64.

    ``target`` are their centroids, with a row for each coordinate.
    """
    row = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    there = row < n_queries
    lane = tl.arange(0, LANES)
    slot = tl.load(slots + row, mask=there, other=0)
    size = tl.load(sizes + slot, mask=there, other=1.0)[:, None]
    spread = tl.load(spreads + slot, mask=there, other=0.0)[:, None]
    group = tl.load(groups + slot, mask=there, other=-1)
    infinite = tl.full((QUERIES, LANES), float("inf"), tl.float64)
    least = infinite
    second = infinite
    tile_of = tl.zeros((QUERIES, LANES), tl.int32)
    q = centroid + slot * WIDTH
    n_tiles = tl.cdiv(tl.cdiv(n_targets, LANES), tl.num_programs(1))
    start = tl.program_id(1) * n_tiles
    for tile in range(start, tl.minimum(start + n_tiles, tl.cdiv(n_targets, LANES))):
        column = tile * LANES + lane
        inside = column < n_targets
        t = target + column.to(tl.int64)
        step = n_targets.to(tl.int64)
        delta = _squares(q, t, step, there, inside, WIDTH)
        at = tl.load(active + column, mask=inside, other=0)
        if BY_SIZE:
            other = tl.load(sizes + at, mask=inside, other=1.0)[None, :]
            value = 2.0 * (size * other / (size + other)) * delta
        else:
            value = alpha * delta + (spread + tl.load(spreads + at, mask=inside, other=0.0)[None, :])
        same = group[:, None] == tl.load(groups + at, mask=inside, other=-2)[None, :]
        value = tl.where(same | (column >= n_targets)[None, :], infinite, value)
        tile_of = tl.where(value < least, tile, tile_of)
        second = tl.minimum(second, tl.maximum(least, value))
        least = tl.minimum(least, value)
    column = tile_of * LANES + lane[None, :]
    out = row.to(tl.int64) * tl.num_programs(1) + tl.program_id(1)
    for j in tl.static_range(LISTED):
        value = tl.min(least, axis=1)
        found = tl.min(tl.where(least == value[:, None], column, 2147483647), axis=1)
        listed = there & (value < float("inf"))
        tl.store(near + out * LISTED + j, tl.load(active + found, mask=listed, other=-1).to(tl.int32), mask=there)
        tl.store(value_of + out * LISTED + j, value, mask=there)
        least = tl.where(column == found[:, None], infinite, least)
    tl.store(reach + out, tl.minimum(tl.min(least, axis=1), tl.min(second, axis=1)), mask=there)


@triton.jit(do_not_specialize=["n_slots"])
def set_lists(
    slots, found, bound, centroid, size, spread,
    near, reach, nearest, distance, tied, n_slots, alpha,
    WIDTH: tl.constexpr, BY_SIZE: tl.constexpr, EXACT: tl.constexpr,
    ROWS: tl.constexpr, FOUND: tl.constexpr, LISTED: tl.constexpr,
):  # fmt: skip
    """Order the clusters found for each slot by their distances in float64, without repetitions, and list the first."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    there = row < n_slots
    place = tl.arange(0, FOUND)
    c = tl.load(slots + row, mask=there, other=0)
    s = tl.load(found + row.to(tl.int64)[:, None] * FOUND + place[None, :], mask=there[:, None], other=-1)
    same = s[:, :, None] == s[:, None, :]
    earlier = (place[None, :] < place[:, None])[None, :, :]
    repeated = tl.sum((same & earlier).to(tl.int32), axis=2) > 0
    void = (s < 0) | (s == c[:, None]) | repeated
    known = tl.where(void, 0, s).to(tl.int64)
    a = centroid + c * WIDTH
    b = centroid + known * WIDTH
    delta = tl.zeros((ROWS, FOUND), tl.float64)
    for k in range(0, WIDTH - WIDTH % 4, 4):
        d0 = tl.load(a + k)[:, None] - tl.load(b + k)
        d1 = tl.load(a + k + 1)[:, None] - tl.load(b + k + 1)
        d2 = tl.load(a + k + 2)[:, None] - tl.load(b + k + 2)
        d3 = tl.load(a + k + 3)[:, None] - tl.load(b + k + 3)
        delta += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for k in range(WIDTH - WIDTH % 4, WIDTH):
        d0 = tl.load(a + k)[:, None] - tl.load(b + k)
        delta += d0 * d0
    if BY_SIZE:
        n = tl.load(size + c)[:, None]
        m = tl.load(size + known)
        value = 2.0 * (n * m / (n + m)) * delta
    else:
        value = alpha * delta + (tl.load(spread + c)[:, None] + tl.load(spread + known))
    value = tl.where(void, float("inf"), value)
    x, y = value[:, :, None], value[:, None, :]
    lower = s[:, None, :] < s[:, :, None]
    before = (y < x) | ((y == x) & (lower | (same & earlier)))
    rank = tl.sum(before.to(tl.int32), axis=2)
    listed = tl.where(value < float("inf"), s, -1)
    tl.store(near + c[:, None] * LISTED + rank, listed, mask=there[:, None] & (rank < LISTED))
    first = tl.min(tl.where(rank == 0, value, float("inf")), axis=1)
    second = tl.min(tl.where(rank == 1, value, float("inf")), axis=1)
    beyond = tl.min(tl.where(rank == LISTED, value, float("inf")), axis=1)
    at = tl.sum(tl.where(rank == 0, s, 0), axis=1)
    least_beyond = tl.minimum(tl.load(bound + row, mask=there, other=0.0), beyond)
    tie = (first == second) & (first < float("inf"))
    if EXACT:
        tie = tie | (first >= least_beyond)
    tl.store(reach + c, least_beyond, mask=there)
    tl.store(nearest + c, tl.where(first < float("inf"), at, c), mask=there)
    tl.store(distance + c, first, mask=there)
    tl.store(tied + c, tie, mask=there)
