"""The fused kernels of a device: the scan for near clusters in low precision and exactly, and the reading of lists.

A program takes some queries, and meets tiles of targets: all of them, or a part if there are few queries. Each lane of
a tile keeps its least value, where that was, and its second least value; at the end the least lanes come out, and the
least of all other values kept bounds every target that is not listed. Numbers of queries and targets change with every
call and are not compiled in. Distances in float64 are computed in the order of the compiled kernels, without fused
multiply-add.
"""

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_queries", "n_targets", "n_blocks", "factor"])
def scan_products(  # noqa: C901
    half, rest, query_at, query_error, query_size, query_group, query_row, of_query, of_cell,
    cell_of_tile, target_length, target_size, target_group, lowest_group, highest_group,
    visit_start, visit_block, near, value_of, reach, n_queries, n_targets, n_blocks, factor,
    WIDTH: tl.constexpr, CHUNK: tl.constexpr, BY_SIZE: tl.constexpr, THREEFOLD: tl.constexpr, VISITS: tl.constexpr,
    QUERIES: tl.constexpr, LANES: tl.constexpr, TILES: tl.constexpr, LISTED: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """Find near targets by products of tensor cores, and a lower bound of all others, rounding errors included.

    ``half`` are the targets in half precision, queries among them, and ``rest`` what that drops, for the product of
    three. A lane takes the least value of all tiles of a block, and what comes out is the first column of its tiles.
    All queries of a program are of one cell. It visits the blocks given, or all, of a single cell.
    """
    program = tl.program_id(0)
    row = program * QUERIES + tl.arange(0, QUERIES)
    there = row < n_queries
    lane = tl.arange(0, LANES)
    chunk = tl.arange(0, CHUNK)
    error = tl.load(query_error + row, mask=there, other=0.0)
    size = tl.load(query_size + row, mask=there, other=1.0)
    group = tl.load(query_group + row, mask=there, other=-1)
    first, last = tl.min(tl.where(there, group, 2147483647)), tl.max(group)
    of_own_cell = of_cell + tl.load(query_row + program * QUERIES).to(tl.int64) * n_targets
    least = tl.full((QUERIES, LANES), 3e38, tl.float32)
    second = tl.full((QUERIES, LANES), 3e38, tl.float32)
    block_of = tl.zeros((QUERIES, LANES), tl.int32)
    at = tl.load(query_at + row, mask=there, other=0)[:, None] * WIDTH + chunk[None, :]
    q, q_rest = tl.load(half + at), tl.load(rest + at)
    start, end = 0, n_blocks
    if VISITS:
        start, end = tl.load(visit_start + program), tl.load(visit_start + program + 1)
    n_each = tl.cdiv(end - start, tl.num_programs(1))
    start += tl.program_id(1) * n_each
    worst = tl.max(error)
    of_one_cell = tl.load(of_query + row, mask=there, other=0.0)
    for visit in tl.range(start, tl.minimum(start + n_each, end), num_stages=STAGES):
        block = visit
        if VISITS:
            block = tl.load(visit_block + visit)
        own_groups = (tl.load(lowest_group + block) <= last) & (tl.load(highest_group + block) >= first)
        lowest = tl.full((QUERIES, LANES), 3e38, tl.float32)
        for tile in tl.static_range(TILES):
            column = (block * TILES + tile) * LANES + lane
            t_at = column.to(tl.int64)[:, None] * WIDTH + chunk[None, :]
            more = of_one_cell
            if VISITS:
                cell = tl.load(cell_of_tile + block * TILES + tile).to(tl.int64)
                more = tl.load(of_query + cell * n_queries + row, mask=there, other=0.0)
            bound = tl.load(of_own_cell + column)
            length = tl.load(target_length + column)
            product = _products(half, rest, q, q_rest, at, t_at, WIDTH, CHUNK, THREEFOLD, STAGES)
            if VISITS:
                value = product * factor + (more[:, None] + bound[None, :])
                value = value - error[:, None] * length[None, :]
            else:
                value = product * factor + (bound - worst * length)[None, :]
            if BY_SIZE:
                if not VISITS:
                    value = value + more[:, None]
                share = tl.rsqrt(1.0 + size[:, None] * tl.load(target_size + column)[None, :])
                value = value * (share * share)
            if own_groups:
                value = tl.where(group[:, None] == tl.load(target_group + column)[None, :], 3e38, value)
            lowest = tl.minimum(lowest, value)
        block_of = tl.where(lowest < least, block, block_of)
        second = tl.minimum(second, tl.maximum(least, lowest))
        least = tl.minimum(least, lowest)
    if not VISITS and not BY_SIZE:
        least = tl.where(least < 1e37, least + of_one_cell[:, None], least)
        second = tl.where(second < 1e37, second + of_one_cell[:, None], second)
    column = block_of * (TILES * LANES) + lane[None, :]
    out = row.to(tl.int64) * tl.num_programs(1) + tl.program_id(1)
    for j in tl.static_range(LISTED):
        value = tl.min(least, axis=1)
        found = tl.min(tl.where(least == value[:, None], column, 2147483647), axis=1)
        tl.store(near + out * LISTED + j, tl.where(value < 1e37, found, -1), mask=there)
        tl.store(value_of + out * LISTED + j, value, mask=there)
        least = tl.where(column == found[:, None], 3e38, least)
    tl.store(reach + out, tl.minimum(tl.min(least, axis=1), tl.min(second, axis=1)), mask=there)


@triton.jit(do_not_specialize=["n_queries", "n_blocks", "alpha"])
def choose_blocks(
    away, query_size, query_spread, query_cell, limit, cell_of_tile, inner, outer, target_size, target_spread,
    chosen, beyond, n_queries, n_blocks, alpha,
    BY_SIZE: tl.constexpr, QUERIES: tl.constexpr, TILES: tl.constexpr,
):  # fmt: skip
    """Choose the blocks of a query's cell, and those that may have a target nearer than its limit; bound all others.

    A target is at least as far from a query as the difference of how far both are from the centre of its cell. The
    targets of a tile are between ``inner`` and ``outer`` from there; ``target_size`` and ``target_spread`` are the
    values of a tile that allow the nearest.
    """
    program = tl.program_id(0)
    row = program * QUERIES + tl.arange(0, QUERIES)
    there = row < n_queries
    size = tl.load(query_size + row, mask=there, other=1.0)
    spread = tl.load(query_spread + row, mask=there, other=0.0)
    most = tl.load(limit + row, mask=there, other=-3e38)
    own = tl.load(query_cell + program * QUERIES)
    least_beyond = tl.full((QUERIES,), 3e38, tl.float32)
    n_each = tl.cdiv(n_blocks, tl.num_programs(1))
    start = tl.program_id(1) * n_each
    for block in range(start, tl.minimum(start + n_each, n_blocks)):
        least = tl.full((QUERIES,), 3e38, tl.float32)
        for tile in tl.static_range(TILES):
            at = block * TILES + tile
            cell = tl.load(cell_of_tile + at).to(tl.int64)
            far = tl.load(away + cell * n_queries + row, mask=there, other=0.0)
            gap = tl.maximum(far * (1 - 2.0**-20) - tl.load(outer + at), tl.load(inner + at) - far * (1 + 2.0**-20))
            gap = tl.maximum(gap, 0.0)
            value = alpha * gap * gap + (spread + tl.load(target_spread + at))
            if BY_SIZE:
                value = value / (1.0 + size * tl.load(target_size + at))
            least = tl.where(cell == own, 0.0, tl.minimum(least, value * (1 - 2.0**-20)))
        needed = tl.max((least <= most).to(tl.int32), axis=0)
        tl.store(chosen + program.to(tl.int64) * n_blocks + block, needed)
        least_beyond = tl.where(needed > 0, least_beyond, tl.minimum(least_beyond, least))
    tl.store(beyond + row.to(tl.int64) * tl.num_programs(1) + tl.program_id(1), least_beyond, mask=there)


@triton.jit(do_not_specialize=["n_rows", "n_columns", "n_cells", "alpha"])
def finish_table(
    product, own, more, between, cell_of_row, cell_of_column, out, n_rows, n_columns, n_cells, alpha,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, BETWEEN: tl.constexpr, ROOT: tl.constexpr,
):  # fmt: skip
    """Write a table of squared distances from centres, ``own`` and twice the products: their roots, or lower bounds.

    The products are of what is left of a point in its cell, so that the distance ``between`` both centres is added.
    """
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    there, inside = row < n_rows, column < n_columns
    both = there[:, None] & inside[None, :]
    at = row.to(tl.int64)[:, None] * n_columns + column[None, :]
    value = tl.load(own + column, mask=inside, other=0.0)[None, :] - 2.0 * tl.load(product + at, mask=both, other=0.0)
    if BETWEEN:
        r = tl.load(cell_of_row + row, mask=there, other=0)
        c = tl.load(cell_of_column + column, mask=inside, other=0)
        value += tl.load(between + r[:, None] * n_cells + c[None, :], mask=both, other=0.0)
    if ROOT:
        value = tl.sqrt(tl.maximum(value, 0.0))
    else:
        value = alpha * value + tl.load(more + column, mask=inside, other=0.0)[None, :]
        value -= tl.abs(value) * 2.0**-20
    tl.store(out + at, tl.minimum(value, 3e38).to(tl.float32), mask=both)


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
def squares(q, t, step, there, inside, WIDTH: tl.constexpr):
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
    delta = squares(query + row * WIDTH, target + column.to(tl.int64), step, there, inside, WIDTH)
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
    slots, active, centroid, sizes, spreads, groups, target, visit_start, visit_tile,
    near, value_of, reach, n_queries, n_targets, alpha,
    WIDTH: tl.constexpr, BY_SIZE: tl.constexpr, VISITS: tl.constexpr,
    QUERIES: tl.constexpr, LANES: tl.constexpr, LISTED: tl.constexpr,
):  # fmt: skip
    """Find near ones of the active slots (-1 for none) by differences in float64, among the tiles given, or all.

    ``target`` are their centroids, with a row for each coordinate.
    """
    program = tl.program_id(0)
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
    start, end = 0, tl.cdiv(n_targets, LANES)
    if VISITS:
        start, end = tl.load(visit_start + program), tl.load(visit_start + program + 1)
    n_each = tl.cdiv(end - start, tl.num_programs(1))
    start += tl.program_id(1) * n_each
    for visit in range(start, tl.minimum(start + n_each, end)):
        tile = visit
        if VISITS:
            tile = tl.load(visit_tile + visit)
        column = tile * LANES + lane
        inside = column < n_targets
        t = target + column.to(tl.int64)
        step = n_targets.to(tl.int64)
        delta = squares(q, t, step, there, inside, WIDTH)
        at = tl.load(active + column, mask=inside, other=-1)
        inside = inside & (at >= 0)
        if BY_SIZE:
            other = tl.load(sizes + at, mask=inside, other=1.0)[None, :]
            value = 2.0 * (size * other / (size + other)) * delta
        else:
            value = alpha * delta + (spread + tl.load(spreads + at, mask=inside, other=0.0)[None, :])
        same = group[:, None] == tl.load(groups + at, mask=inside, other=-2)[None, :]
        value = tl.where(same | ~inside[None, :], infinite, value)
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
