"""The number of quartets of items that two trees resolve alike, and that one resolves and the other does not."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.measures.triplets import Paths, Rows
from dendrometry._typing import IntArray

# Items have one of three colours or none. A quartet with two items of one colour and two of another is resolved if it
# parts the colours. Columns of a segment of a heavy path, by colour c or by two colours: the items that hang from it;
# the quartets resolved inside; the triples inside, one item of c and two of another colour, that would be resolved
# with one more item of c just below the segment, and just above it; the pairs of c in one light subtree; the pairs of
# an item of c and a lower one of another colour.
_SIZE, _INSIDE, _BELOW, _ABOVE, _LIGHT, _OVER = 0, 3, 4, 7, 10, 13
RESOLVED = 19  # columns
# The same of quartets of two and two colours that are not resolved at all, but for the pairs: those of c, and of two
# colours, that hang from one node of the path in different subtrees.
_STAR, _STAR_BELOW, _STAR_ABOVE, _TWIN, _MIXED = 19, 20, 23, 26, 29
STARS = 32  # columns
# Columns of a node for its light children, with x items of colour c and y of another: sums of C(x, 2), C(x, 2) y, the
# triples under _ABOVE, and what is left of the quartets; of x y, C(x y, 2), the triples under _STAR_ABOVE, and what is
# left of the quartets that are not resolved.
_PAIRS, _PAIRS_BY, _TRIPLES, _REST, _PRODUCT, _TWICE, _STAR_TRIPLES, _STAR_REST = 0, 3, 9, 12, 13, 16, 19, 22


class _Segments(NamedTuple):
    """The heavy paths of the second tree, each as a perfect binary tree of segments, as those of triplets.

    ``light`` are the columns of each node for its light children; ``pending`` counts the changes below a segment that
    it does not know yet.
    """

    total: IntArray
    light: IntArray
    pending: IntArray
    first: IntArray
    width: IntArray


@njit
def _pairs(x: int) -> int:
    """Return the number of pairs of x items, without a product of more than its double."""
    return x // 2 * (x - 1) if x % 2 == 0 else x * ((x - 1) // 2)


@njit
def _by_two(c: int, k: int) -> int:
    """Return the place of two different colours in order."""
    return 2 * c + k - 1 if k > c else 2 * c + k


@njit
def _make_segments(b: Paths, n_columns: int) -> _Segments:
    """Return the segments of a tree without coloured items."""
    n = b.parent.size
    first, width = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    used = 0
    for t in range(n):
        if b.top[t] == t:
            first[t], width[t] = used, 1
            while width[t] < b.length[t]:
                width[t] *= 2
            used += 2 * width[t]
    n_light = _PRODUCT if n_columns == RESOLVED else _STAR_REST + 1
    return _Segments(
        np.zeros((used, n_columns), dtype=np.int64),
        np.zeros((n, n_light), dtype=np.int64),
        np.zeros(used, dtype=np.int64),
        first,
        width,
    )


@njit
def _sum_up_stars(total: IntArray, at: int, upper: int, lower: int) -> None:
    """Compute the columns of a segment for quartets that are not resolved; at most one item is beyond their node."""
    up, low, here = total[upper], total[lower], total[at]
    star = up[_STAR] + low[_STAR]
    for c in range(3):
        star += up[_STAR_BELOW + c] * low[c] + low[_STAR_ABOVE + c] * up[c]
        below = above = 0
        for k in range(3):
            if k != c:
                below += up[c] * low[_TWIN + k] + up[k] * low[_MIXED + c + k - 1]
                above += low[c] * up[_TWIN + k] + low[k] * up[_MIXED + c + k - 1]
        here[_STAR_BELOW + c] = up[_STAR_BELOW + c] + low[_STAR_BELOW + c] + below
        here[_STAR_ABOVE + c] = up[_STAR_ABOVE + c] + low[_STAR_ABOVE + c] + above
    for i in range(_TWIN, STARS):
        here[i] = up[i] + low[i]
    here[_STAR] = star


@njit
def _sum_up(total: IntArray, at: int, upper: int, lower: int) -> None:
    """Compute the columns of a segment from those of its halves.

    Two items above and two below are always parted. Of three in one half, the fourth is just below or above it. For a
    fourth item just below the segment, one item above, and two of another colour below, those two must hang together;
    and of one item below and two of another colour, one of these above, the one below must hang lower than the other.
    """
    x0, x1, x2 = total[upper, _SIZE], total[upper, _SIZE + 1], total[upper, _SIZE + 2]
    y0, y1, y2 = total[lower, _SIZE], total[lower, _SIZE + 1], total[lower, _SIZE + 2]
    p0, p1, p2, q0, q1, q2 = _pairs(x0), _pairs(x1), _pairs(x2), _pairs(y0), _pairs(y1), _pairs(y2)
    l0, l1, l2 = total[upper, _LIGHT], total[upper, _LIGHT + 1], total[upper, _LIGHT + 2]
    m0, m1, m2 = total[lower, _LIGHT], total[lower, _LIGHT + 1], total[lower, _LIGHT + 2]
    up01, up02, up10 = total[upper, _OVER], total[upper, _OVER + 1], total[upper, _OVER + 2]
    up12, up20, up21 = total[upper, _OVER + 3], total[upper, _OVER + 4], total[upper, _OVER + 5]
    low01, low02, low10 = total[lower, _OVER], total[lower, _OVER + 1], total[lower, _OVER + 2]
    low12, low20, low21 = total[lower, _OVER + 3], total[lower, _OVER + 4], total[lower, _OVER + 5]
    b0, b1, b2 = total[upper, _BELOW], total[upper, _BELOW + 1], total[upper, _BELOW + 2]
    a0, a1, a2 = total[lower, _ABOVE], total[lower, _ABOVE + 1], total[lower, _ABOVE + 2]
    total[at, _SIZE], total[at, _SIZE + 1], total[at, _SIZE + 2] = x0 + y0, x1 + y1, x2 + y2
    total[at, _INSIDE] = (
        total[upper, _INSIDE]
        + total[lower, _INSIDE]
        + (b0 * y0 + b1 * y1 + b2 * y2)
        + (a0 * x0 + a1 * x1 + a2 * x2)
        + (p0 * (q1 + q2) + p1 * (q0 + q2) + p2 * (q0 + q1))
    )
    total[at, _BELOW] = b0 + total[lower, _BELOW] + x0 * (m1 + m2) + (p1 + p2) * y0 + x1 * low10 + x2 * low20
    total[at, _BELOW + 1] = b1 + total[lower, _BELOW + 1] + x1 * (m0 + m2) + (p0 + p2) * y1 + x0 * low01 + x2 * low21
    total[at, _BELOW + 2] = b2 + total[lower, _BELOW + 2] + x2 * (m0 + m1) + (p0 + p1) * y2 + x0 * low02 + x1 * low12
    total[at, _ABOVE] = a0 + total[upper, _ABOVE] + y0 * (l1 + l2) + (q1 + q2) * x0 + y1 * up01 + y2 * up02
    total[at, _ABOVE + 1] = a1 + total[upper, _ABOVE + 1] + y1 * (l0 + l2) + (q0 + q2) * x1 + y0 * up10 + y2 * up12
    total[at, _ABOVE + 2] = a2 + total[upper, _ABOVE + 2] + y2 * (l0 + l1) + (q0 + q1) * x2 + y0 * up20 + y1 * up21
    total[at, _LIGHT], total[at, _LIGHT + 1], total[at, _LIGHT + 2] = l0 + m0, l1 + m1, l2 + m2
    total[at, _OVER], total[at, _OVER + 1] = up01 + low01 + x0 * y1, up02 + low02 + x0 * y2
    total[at, _OVER + 2], total[at, _OVER + 3] = up10 + low10 + x1 * y0, up12 + low12 + x1 * y2
    total[at, _OVER + 4], total[at, _OVER + 5] = up20 + low20 + x2 * y0, up21 + low21 + x2 * y1
    if total.shape[1] > RESOLVED:
        _sum_up_stars(total, at, upper, lower)


@njit
def _set_node_stars(here: IntArray, light: IntArray) -> None:
    """Compute the columns of a node for quartets that are not resolved: four items in four subtrees.

    Of two pairs, each in two subtrees, those are taken off that have one subtree in common, and those that have both.
    """
    star = light[_STAR_REST]
    for c in range(3):
        here[_TWIN + c] = _pairs(here[c]) - light[_PAIRS + c]
        star += light[_STAR_TRIPLES + c] * here[c]
    for c in range(3):
        x = here[c]
        triples = light[_STAR_TRIPLES + c]
        for k in range(3):
            if k == c:
                continue
            y, product = here[k], light[_PRODUCT + c + k - 1]
            by_square = 2 * light[_PAIRS_BY + _by_two(k, c)] + product
            triples += x * here[_TWIN + k] - y * product + by_square
            if c < k:
                here[_MIXED + c + k - 1] = x * y - product
                squares_by = 2 * light[_PAIRS_BY + _by_two(c, k)] + product
                twice = light[_TWICE + c + k - 1]
                one_common = product * (x * y - product) - x * by_square - y * squares_by + 2 * (2 * twice + product)
                star += here[_TWIN + c] * here[_TWIN + k] - one_common - (_pairs(product) - twice)
        here[_STAR_BELOW + c] = here[_STAR_ABOVE + c] = triples
    here[_STAR] = star


@njit
def _set_node(total: IntArray, at: int, light: IntArray, v: int) -> None:
    """Compute the columns of a node of a path from the items that hang from it and the columns of its light children.

    A quartet is resolved if two of its items hang in one light subtree and the others do not; two pairs in two light
    subtrees would count twice.
    """
    x0, x1, x2 = total[at, _SIZE], total[at, _SIZE + 1], total[at, _SIZE + 2]
    l0, l1, l2 = light[v, _PAIRS], light[v, _PAIRS + 1], light[v, _PAIRS + 2]
    by01, by02, by10 = light[v, _PAIRS_BY], light[v, _PAIRS_BY + 1], light[v, _PAIRS_BY + 2]
    by12, by20, by21 = light[v, _PAIRS_BY + 3], light[v, _PAIRS_BY + 4], light[v, _PAIRS_BY + 5]
    t0, t1, t2 = light[v, _TRIPLES], light[v, _TRIPLES + 1], light[v, _TRIPLES + 2]
    p0, p1, p2 = _pairs(x0), _pairs(x1), _pairs(x2)
    total[at, _INSIDE] = (
        light[v, _REST]
        + (t0 * x0 + t1 * x1 + t2 * x2)
        + (l0 * (p1 + p2) + l1 * (p0 + p2) + l2 * (p0 + p1))
        - (x0 * (by10 + by20) + x1 * (by01 + by21) + x2 * (by02 + by12))
        - (l0 * l1 + l0 * l2 + l1 * l2)
    )
    total[at, _BELOW] = total[at, _ABOVE] = t0 + (l1 + l2) * x0 - by10 - by20
    total[at, _BELOW + 1] = total[at, _ABOVE + 1] = t1 + (l0 + l2) * x1 - by01 - by21
    total[at, _BELOW + 2] = total[at, _ABOVE + 2] = t2 + (l0 + l1) * x2 - by02 - by12
    total[at, _LIGHT], total[at, _LIGHT + 1], total[at, _LIGHT + 2] = l0, l1, l2
    if total.shape[1] > RESOLVED:
        _set_node_stars(total[at], light[v])


@njit
def _add_star_terms(light: IntArray, v: int, total: IntArray, whole: int, sign: int) -> None:
    """Add the same for quartets that are not resolved."""
    rest = total[whole, _STAR]
    for c in range(3):
        light[v, _STAR_TRIPLES + c] += sign * total[whole, _STAR_ABOVE + c]
        rest -= total[whole, _STAR_ABOVE + c] * total[whole, c]
        for k in range(c + 1, 3):
            product = total[whole, c] * total[whole, k]
            light[v, _PRODUCT + c + k - 1] += sign * product
            light[v, _TWICE + c + k - 1] += sign * _pairs(product)
    light[v, _STAR_REST] += sign * rest


@njit
def _add_terms(light: IntArray, v: int, total: IntArray, leaf: int, whole: int, sign: int) -> None:
    """Add what a whole path adds to the columns, and the items, of the node that it hangs from, or take it off."""
    x0, x1, x2 = total[whole, _SIZE], total[whole, _SIZE + 1], total[whole, _SIZE + 2]
    a0, a1, a2 = total[whole, _ABOVE], total[whole, _ABOVE + 1], total[whole, _ABOVE + 2]
    p0, p1, p2 = _pairs(x0), _pairs(x1), _pairs(x2)
    total[leaf, _SIZE] += sign * x0
    total[leaf, _SIZE + 1] += sign * x1
    total[leaf, _SIZE + 2] += sign * x2
    light[v, _PAIRS] += sign * p0
    light[v, _PAIRS + 1] += sign * p1
    light[v, _PAIRS + 2] += sign * p2
    light[v, _PAIRS_BY] += sign * p0 * x1
    light[v, _PAIRS_BY + 1] += sign * p0 * x2
    light[v, _PAIRS_BY + 2] += sign * p1 * x0
    light[v, _PAIRS_BY + 3] += sign * p1 * x2
    light[v, _PAIRS_BY + 4] += sign * p2 * x0
    light[v, _PAIRS_BY + 5] += sign * p2 * x1
    light[v, _TRIPLES] += sign * a0
    light[v, _TRIPLES + 1] += sign * a1
    light[v, _TRIPLES + 2] += sign * a2
    light[v, _REST] += sign * (
        total[whole, _INSIDE]
        - (a0 * x0 + a1 * x1 + a2 * x2)
        + (p0 * (p1 + p2) + p1 * p2)
        + (p0 * (p1 + x1 + p2 + x2) + p1 * (p0 + x0 + p2 + x2) + p2 * (p0 + x0 + p1 + x1))
    )
    if total.shape[1] > RESOLVED:
        _add_star_terms(light, v, total, whole, sign)


@njit
def _leaf(segments: _Segments, b: Paths, v: int) -> int:
    """Return the segment of a node alone."""
    t = b.top[v]
    place: int = segments.first[t] + segments.width[t] + b.place[v] - b.place[t]
    return place


@njit
def _mark(segments: _Segments, b: Paths, v: int) -> None:
    """Mark the segments above a node, up to the first that is marked already, as often as something below changes.

    What the whole path of a marked segment adds to the node that it hangs from is taken off.
    """
    total, pending = segments.total, segments.pending
    while v >= 0:
        t = b.top[v]
        start, at = segments.first[t], segments.width[t] + b.place[v] - b.place[t]
        while at > 0:
            pending[start + at] += 1
            if pending[start + at] > 1:
                return
            at //= 2
        v = b.parent[t]
        if v >= 0:
            _add_terms(segments.light, v, total, _leaf(segments, b, v), start + 1, -1)


@njit
def _update(segments: _Segments, b: Paths, v: int) -> None:
    """Compute the marked segments above a node, up to the first below which something has still to be computed."""
    total, light, pending = segments.total, segments.light, segments.pending
    while v >= 0:
        t = b.top[v]
        start, at = segments.first[t], segments.width[t] + b.place[v] - b.place[t]
        pending[start + at] -= 1
        if pending[start + at] > 0:
            return
        _set_node(total, start + at, light, v)
        at //= 2
        while at > 0:
            pending[start + at] -= 1
            if pending[start + at] > 0:
                return
            _sum_up(total, start + at, start + 2 * at, start + 2 * at + 1)
            at //= 2
        v = b.parent[t]
        if v >= 0:
            _add_terms(light, v, total, _leaf(segments, b, v), start + 1, 1)


@njit
def _recolour(segments: _Segments, b: Paths, rows: Rows, span: tuple[int, int], colours: tuple[int, int]) -> None:
    """Change the colour of the items of some rows from the first to the second; -1 is none.

    Each segment above them is computed once.
    """
    old, new = colours
    for r in range(span[0], span[1]):
        if stopped():
            break
        _mark(segments, b, rows.node_b[r])
        leaf = _leaf(segments, b, rows.node_b[r])
        if old >= 0:
            segments.total[leaf, old] -= rows.items[r]
        if new >= 0:
            segments.total[leaf, new] += rows.items[r]
    for r in range(span[0], span[1]):
        if stopped():
            break
        _update(segments, b, rows.node_b[r])


@njit
def _restore(segments: _Segments, start_of: _Segments, b: Paths, rows: Rows, span: tuple[int, int]) -> None:
    """Give all items of some rows, the only ones of colour 1, the colour 0 that all items had at the start."""
    total, light = segments.total, segments.light
    for r in range(span[0], span[1]):
        if stopped():
            break
        v = rows.node_b[r]
        is_done = False
        while v >= 0 and not is_done:
            t = b.top[v]
            start, at = segments.first[t], segments.width[t] + b.place[v] - b.place[t]
            for i in range(light.shape[1]):
                light[v, i] = start_of.light[v, i]
            while at > 0 and not is_done:
                is_done = total[start + at, _SIZE + 1] == 0
                for i in range(total.shape[1]):
                    total[start + at, i] = start_of.total[start + at, i]
                at //= 2
            v = b.parent[t]


@njit
def _add(found: IntArray, segments: _Segments, b: Paths, sign: int) -> None:
    """Add the numbers of quartets of two and two colours, resolved and not, to those found, or take them off."""
    root = segments.first[b.parent.size - 1] + 1
    found[0] += sign * segments.total[root, _INSIDE]
    if segments.total.shape[1] > RESOLVED:
        found[1] += sign * segments.total[root, _STAR]


@njit
def _n_below(rows: Rows, v: int) -> int:
    """Return the number of items at or below a node of the first tree, 2 for more."""
    found = 0
    for r in range(rows.low[v], min(rows.low[v] + 2, rows.high[v])):
        found += min(rows.items[r], 2)
    return min(found, 2)


@njit
def _part_lights(found: IntArray, apart: _Segments, rows: Rows, b: Paths, lights: IntArray) -> None:
    """Take off the quartets with two items in one light child and two in another; ``lights`` have two items or more."""
    for i in range(lights.size - 1):
        span = rows.low[lights[i]], rows.high[lights[i]]
        _recolour(apart, b, rows, span, (-1, 0))
        for j in range(i + 1, lights.size):
            other = rows.low[lights[j]], rows.high[lights[j]]
            _recolour(apart, b, rows, other, (-1, 1))
            _add(found, apart, b, -1)
            _recolour(apart, b, rows, other, (1, -1))
        _recolour(apart, b, rows, span, (0, -1))


@njit
def _light_children(rows: Rows, v: int, heavy: int) -> IntArray:
    """Return the children of a node, but for the heavy one, that have two items or more; the largest come first."""
    lights = np.empty(rows.start[v + 1] - rows.start[v], dtype=np.int64)
    size = np.empty(lights.size, dtype=np.int64)
    n = 0
    for i in range(rows.start[v], rows.start[v + 1]):
        c = rows.child[i]
        if c != heavy and _n_below(rows, c) > 1:
            lights[n], size[n] = c, rows.low[c] - rows.high[c]
            n += 1
    return lights[:n][np.argsort(size[:n])]


@njit
def _climb_over(
    found: IntArray, segments: _Segments, apart: _Segments, rows: Rows, b: Paths, nodes: tuple[int, int]
) -> None:
    """Take off the quartets parted at both ends by a node of the first tree, and colour all its items 1.

    The items of its heavy child are coloured 1 already, those outside 0.
    """
    v, heavy = nodes
    before, after = (rows.low[v], rows.low[heavy]), (rows.high[heavy], rows.high[v])
    is_binary = rows.start[v + 1] - rows.start[v] + rows.n_own[v] == 2
    passing = 2 if is_binary else -1
    _recolour(segments, b, rows, before, (0, passing))
    _recolour(segments, b, rows, after, (0, passing))
    _add(found, segments, b, -1)
    if not is_binary:
        lights = _light_children(rows, v, heavy)
        for c in lights:
            _add(found, segments, b, 1)
            _recolour(segments, b, rows, (rows.low[c], rows.high[c]), (-1, 2))
            _add(found, segments, b, -1)
            _recolour(segments, b, rows, (rows.low[c], rows.high[c]), (2, -1))
        _part_lights(found, apart, rows, b, lights)
    _recolour(segments, b, rows, before, (passing, 1))
    _recolour(segments, b, rows, after, (passing, 1))


@njit
def _has_lights(rows: Rows) -> bool:
    """Return whether a node of the first tree has three children with two items or more."""
    for v in range(rows.low.size):
        n = 0
        for i in range(rows.start[v], rows.start[v + 1]):
            n += _n_below(rows, rows.child[i]) > 1
        if n > 2:
            return True
    return False


@njit
def count_quartets(a: Paths, rows: Rows, b: Paths, n_columns: int) -> IntArray:
    """Return the number of quartets that both trees resolve alike, and of those that only the first resolves.

    A quartet ab|cd of the first tree is parted, ab from cd, by the branches of a path, one more than the nodes inside
    it. So it counts once among the quartets parted by each branch less those that each node has two and two in two of
    its parts. Each heavy path of the first tree is climbed: the items below are coloured 1, those that join at the next
    node 2, all others 0; the second tree then tells how many of these quartets it parts alike. There are O(n log n)
    changes, of O(log**2 n) steps each; at a node with d light children of two or more items, up to d times as many.

    The second number is counted only for ``n_columns`` STARS; it is 0 for RESOLVED.
    """
    segments = _make_segments(b, n_columns)
    apart = _make_segments(b, n_columns) if _has_lights(rows) else segments
    found = np.zeros(2, dtype=np.int64)
    root = a.parent.size - 1
    node_at = np.empty_like(a.place)
    for v in range(a.place.size):
        node_at[a.place[v]] = v
    _recolour(segments, b, rows, (rows.low[root], rows.high[root]), (-1, 0))
    total, light, pending, first, width = segments
    start_of = _Segments(total.copy(), light.copy(), pending, first, width)
    for t in range(a.parent.size):
        if a.top[t] != t or _n_below(rows, t) < 2:
            continue
        if stopped():
            break
        v = node_at[a.place[t] + a.length[t] - 1]
        _recolour(segments, b, rows, (rows.low[v], rows.high[v]), (0, 1))
        if v != root:
            _add(found, segments, b, 1)
        for k in range(a.length[t] - 2, -1, -1):
            heavy, v = v, node_at[a.place[t] + k]
            _climb_over(found, segments, apart, rows, b, (v, heavy))
            if v != root:
                _add(found, segments, b, 1)
        _restore(segments, start_of, b, rows, (rows.low[t], rows.high[t]))
    return found
