"""The fused kernels of a round: what changed, which clusters merge, their union, and what is left.

A kernel that picks some slots is one program, which keeps their order, and leaves their number on the device: the host
reads all numbers of a round at once. No kernel reads what another thread of it may have written: a program of
`unite_pairs` is one warp, with a pair for each lane, and pairs have no cluster in common.
"""

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_slots"])
def gather_lists(
    slots, near, reach, partner, root, found, bound, n_slots, ROWS: tl.constexpr, LISTED: tl.constexpr
):  # fmt: skip
    """Write the lists of each slot and of its partner, if it has one, by the clusters that those listed belong to."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    there = row < n_slots
    place = tl.arange(0, 2 * LISTED)
    c = tl.load(slots + row, mask=there, other=0)
    p = tl.load(partner + c, mask=there, other=-1)
    owner = tl.where((place >= LISTED)[None, :], p[:, None], c[:, None])
    known = there[:, None] & (owner >= 0)
    s = tl.load(near + owner * LISTED + (place % LISTED)[None, :], mask=known, other=-1).to(tl.int64)
    s = tl.load(root + s, mask=known & (s >= 0), other=-1)
    at = row.to(tl.int64)[:, None] * (2 * LISTED) + place[None, :]
    tl.store(found + at, s.to(tl.int32), mask=there[:, None])
    tl.store(bound + row, tl.load(reach + c, mask=there, other=0.0), mask=there)


@triton.jit
def _append(out, n_out, value, keep):
    """Write the values to be kept behind those before, in their order, and return how many there are now."""
    one = keep.to(tl.int32)
    tl.store(out + n_out + tl.cumsum(one, 0) - 1, value, mask=keep)
    return n_out + tl.sum(one, 0)


@triton.jit(do_not_specialize=["n_slots"])
def pick_open(slots, distance, reach, out, counts, n_slots, BLOCK: tl.constexpr):
    """Pick the slots whose nearest cluster is not certain, and count them."""
    lane = tl.arange(0, BLOCK)
    n_out = 0
    for start in range(0, n_slots, BLOCK):
        at = start + lane
        there = at < n_slots
        s = tl.load(slots + at, mask=there, other=0)
        far = tl.load(distance + s, mask=there, other=0.0) >= tl.load(reach + s, mask=there, other=0.0)
        n_out = _append(out, n_out, s, there & far)
    tl.store(counts, n_out)


@triton.jit(do_not_specialize=["n_slots"])
def pick_pairs(active, nearest, low, counts, n_slots, BLOCK: tl.constexpr):
    """Pick the lower clusters of pairs that are each other's nearest, and count them."""
    lane = tl.arange(0, BLOCK)
    n_pairs = 0
    for start in range(0, n_slots, BLOCK):
        at = start + lane
        there = at < n_slots
        s = tl.load(active + at, mask=there, other=0)
        other = tl.load(nearest + s, mask=there, other=0)
        back = tl.load(nearest + other, mask=there, other=0)
        n_pairs = _append(low, n_pairs, s, there & (back == s) & (s < other))
    tl.store(counts, n_pairs)


@triton.jit(do_not_specialize=["n_slots"])
def pick_left(
    active, nearest, tied, root, partner, left, changed, counts, n_slots, BLOCK: tl.constexpr
):  # fmt: skip
    """Pick the clusters that are left after a round, and those to be asked again; count both, after the pairs."""
    lane = tl.arange(0, BLOCK)
    n_left = 0
    n_changed = 0
    for start in range(0, n_slots, BLOCK):
        at = start + lane
        there = at < n_slots
        s = tl.load(active + at, mask=there, other=0)
        keep = there & (tl.load(root + s, mask=there, other=-1) == s)
        other = tl.load(nearest + s, mask=there, other=0)
        moved = tl.load(root + other, mask=there, other=0) != other
        moved = moved | (tl.load(partner + s, mask=there, other=-1) >= 0)
        moved = moved | (tl.load(partner + other, mask=there, other=-1) >= 0)
        moved = moved | (tl.load(tied + s, mask=there, other=0) != 0)
        n_left = _append(left, n_left, s, keep)
        n_changed = _append(changed, n_changed, s, keep & moved)
    tl.store(counts + 1, n_left)
    tl.store(counts + 2, n_changed)


@triton.jit(do_not_specialize=["n_made", "n_slots"])
def unite_pairs(
    lows, counts, nearest, distance, tied, reach, centroid, size, spread, node, root, partner,
    left, right, height, ties, n_made, n_slots, alpha,
    WIDTH: tl.constexpr, BY_SIZE: tl.constexpr, PAIRS: tl.constexpr,
):  # fmt: skip
    """Let clusters swallow their nearest ones, write the merges, and bound the reach of the new clusters."""
    pair = tl.program_id(0).to(tl.int64) * PAIRS + tl.arange(0, PAIRS)
    there = pair < tl.load(counts)
    low = tl.load(lows + pair, mask=there, other=0)
    high = tl.load(nearest + low, mask=there, other=0)
    n_low = tl.load(size + low, mask=there, other=1.0)
    n_high = tl.load(size + high, mask=there, other=1.0)
    n = n_low + n_high
    reach_low = tl.load(reach + low, mask=there, other=0.0)
    reach_high = tl.load(reach + high, mask=there, other=0.0)
    far = tl.load(distance + low, mask=there, other=0.0)
    node_low = tl.load(node + low, mask=there, other=0)
    node_high = tl.load(node + high, mask=there, other=0)
    tie = tl.load(tied + low, mask=there, other=0) | tl.load(tied + high, mask=there, other=0)
    weighted = n_low * reach_low + n_high * reach_high
    mean = (
        n_low * tl.load(spread + low, mask=there, other=0.0) + n_high * tl.load(spread + high, mask=there, other=0.0)
    ) / n
    shrink = tl.full((PAIRS,), 1 - 1e-12, tl.float64)
    share = n_high / n
    delta = tl.zeros((PAIRS,), tl.float64)
    a = centroid + low * WIDTH
    b = centroid + high * WIDTH
    for k in range(0, WIDTH - WIDTH % 4, 4):
        a0 = tl.load(a + k, mask=there, other=0.0)
        a1 = tl.load(a + k + 1, mask=there, other=0.0)
        a2 = tl.load(a + k + 2, mask=there, other=0.0)
        a3 = tl.load(a + k + 3, mask=there, other=0.0)
        d0 = tl.load(b + k, mask=there, other=0.0) - a0
        d1 = tl.load(b + k + 1, mask=there, other=0.0) - a1
        d2 = tl.load(b + k + 2, mask=there, other=0.0) - a2
        d3 = tl.load(b + k + 3, mask=there, other=0.0) - a3
        delta += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
        tl.store(a + k, a0 + share * d0, mask=there)
        tl.store(a + k + 1, a1 + share * d1, mask=there)
        tl.store(a + k + 2, a2 + share * d2, mask=there)
        tl.store(a + k + 3, a3 + share * d3, mask=there)
    for k in range(WIDTH - WIDTH % 4, WIDTH):
        a0 = tl.load(a + k, mask=there, other=0.0)
        d0 = tl.load(b + k, mask=there, other=0.0) - a0
        delta += d0 * d0
        tl.store(a + k, a0 + share * d0, mask=there)
    if BY_SIZE:
        slope = reach_low + reach_high - far
        bound = tl.minimum((weighted + slope) / (n + 1.0), slope) * shrink
    else:
        bound = weighted / n * shrink
        mean = mean + alpha * (n_low / n) * share * delta
    tl.store(reach + low, bound, mask=there)
    tl.store(spread + low, mean, mask=there)
    tl.store(size + low, n, mask=there)
    made = n_made + pair
    tl.store(left + made, node_low, mask=there)
    tl.store(right + made, node_high, mask=there)
    tl.store(height + made, far, mask=there)
    tl.store(ties + made, tie, mask=there)
    tl.store(node + low, n_slots + made, mask=there)
    tl.store(partner + low, high, mask=there)
    tl.store(root + high, low, mask=there)


@triton.jit(do_not_specialize=["n_rows", "n_found", "n_parts"])
def join_parts(
    near, value, reach, joined, bound, n_rows, n_found, n_parts,
    ROWS: tl.constexpr, FOUND: tl.constexpr, PARTS: tl.constexpr, LISTED: tl.constexpr,
):  # fmt: skip
    """Join the lists of all parts of the targets, and their bounds; of targets as near, the first."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    there = row < n_rows
    place = tl.arange(0, FOUND)
    part = tl.arange(0, PARTS)
    inside = there[:, None] & (place < n_found)[None, :]
    at = row[:, None] * n_found + place[None, :]
    v = tl.load(value + at, mask=inside, other=float("inf"))
    s = tl.load(near + at, mask=inside, other=-1)
    others = there[:, None] & (part < n_parts)[None, :]
    r = tl.load(reach + row[:, None] * n_parts + part[None, :], mask=others, other=float("inf"))
    for j in tl.static_range(LISTED):
        least = tl.min(v, axis=1)
        first = tl.min(tl.where(v == least[:, None], place[None, :], FOUND), axis=1)
        chosen = place[None, :] == first[:, None]
        slot = tl.sum(tl.where(chosen, s, 0), axis=1)
        tl.store(joined + row * LISTED + j, tl.where(least < float("inf"), slot, -1), mask=there)
        v = tl.where(chosen, float("inf"), v)
    tl.store(bound + row, tl.minimum(tl.min(v, axis=1), tl.min(r, axis=1)), mask=there)
