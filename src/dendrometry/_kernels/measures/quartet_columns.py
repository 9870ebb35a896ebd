"""The columns of parts of a tree from which quartets of items that it resolves, or does not, are counted.

Functions without branches: numba then counts no references to their arrays, which would take as long as the rest.
"""

from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

# Items have one of three colours or none. A quartet with two items of one colour and two of another is resolved if it
# parts the colours. Columns of a segment of a path, by colour c or by two colours: the items that hang from it; the
# quartets resolved inside; the triples inside, one item of c and two of another colour, that would be resolved with one
# more item of c just below the segment, and just above it; the pairs of c in one branch beside the path; the pairs of
# an item of c and a lower one of another colour.
SIZE, INSIDE, BELOW, ABOVE, LIGHT, OVER = 0, 3, 4, 7, 10, 13
RESOLVED = 19  # columns
# The same of quartets of two and two colours that are not resolved at all, but for the pairs: those of c, and of two
# colours, that hang from one node of the path in different branches.
STAR, STAR_BELOW, STAR_ABOVE, TWIN, MIXED = 19, 20, 23, 26, 29
STARS = 32  # columns
# Columns of a node for its branches, with x items of colour c and y of another: sums of C(x, 2), C(x, 2) y, the triples
# under ABOVE, and what is left of the quartets; of x y, C(x y, 2), the triples under STAR_ABOVE, and what is left of
# the quartets that are not resolved.
PAIRS, PAIRS_BY, TRIPLES, REST, PRODUCT, TWICE, STAR_TRIPLES, STAR_REST = 0, 3, 9, 12, 13, 16, 19, 22
BRANCHES, STAR_BRANCHES = 13, 23  # columns


@njit
def _pairs(x: int) -> int:
    """Return the number of pairs of x items, without a product of more than its double."""
    return (x >> 1) * ((x - 1) | 1)


@njit
def _by_two(c: int, k: int) -> int:
    """Return the place of two different colours in order."""
    return 2 * c + k - 1 if k > c else 2 * c + k


@njit
def join_stars(here: IntArray, at: int, up: IntArray, i: int, low: IntArray, j: int) -> None:
    """Compute the columns of a segment for quartets that are not resolved; at most one item is beyond their node."""
    star = up[i, STAR] + low[j, STAR]
    for c in range(3):
        star += up[i, STAR_BELOW + c] * low[j, c] + low[j, STAR_ABOVE + c] * up[i, c]
        below = above = 0
        for k in range(3):
            if k != c:
                below += up[i, c] * low[j, TWIN + k] + up[i, k] * low[j, MIXED + c + k - 1]
                above += low[j, c] * up[i, TWIN + k] + low[j, k] * up[i, MIXED + c + k - 1]
        here[at, STAR_BELOW + c] = up[i, STAR_BELOW + c] + low[j, STAR_BELOW + c] + below
        here[at, STAR_ABOVE + c] = up[i, STAR_ABOVE + c] + low[j, STAR_ABOVE + c] + above
    for k in range(TWIN, STARS):
        here[at, k] = up[i, k] + low[j, k]
    here[at, STAR] = star


@njit
def join(here: IntArray, at: int, up: IntArray, i: int, low: IntArray, j: int) -> None:
    """Compute the columns of a segment, ``here``, from those of its upper and lower halves; it may replace one of them.

    Two items above and two below are always parted. Of three in one half, the fourth is just below or above it. For a
    fourth item just below the segment, one item above, and two of another colour below, those two must hang together;
    and of one item below and two of another colour, one of these above, the one below must hang lower than the other.
    """
    x0, x1, x2 = up[i, SIZE], up[i, SIZE + 1], up[i, SIZE + 2]
    y0, y1, y2 = low[j, SIZE], low[j, SIZE + 1], low[j, SIZE + 2]
    p0, p1, p2, q0, q1, q2 = _pairs(x0), _pairs(x1), _pairs(x2), _pairs(y0), _pairs(y1), _pairs(y2)
    l0, l1, l2 = up[i, LIGHT], up[i, LIGHT + 1], up[i, LIGHT + 2]
    m0, m1, m2 = low[j, LIGHT], low[j, LIGHT + 1], low[j, LIGHT + 2]
    up01, up02, up10 = up[i, OVER], up[i, OVER + 1], up[i, OVER + 2]
    up12, up20, up21 = up[i, OVER + 3], up[i, OVER + 4], up[i, OVER + 5]
    low01, low02, low10 = low[j, OVER], low[j, OVER + 1], low[j, OVER + 2]
    low12, low20, low21 = low[j, OVER + 3], low[j, OVER + 4], low[j, OVER + 5]
    b0, b1, b2 = up[i, BELOW], up[i, BELOW + 1], up[i, BELOW + 2]
    a0, a1, a2 = low[j, ABOVE], low[j, ABOVE + 1], low[j, ABOVE + 2]
    here[at, SIZE], here[at, SIZE + 1], here[at, SIZE + 2] = x0 + y0, x1 + y1, x2 + y2
    here[at, INSIDE] = (
        up[i, INSIDE]
        + low[j, INSIDE]
        + (b0 * y0 + b1 * y1 + b2 * y2)
        + (a0 * x0 + a1 * x1 + a2 * x2)
        + (p0 * (q1 + q2) + p1 * (q0 + q2) + p2 * (q0 + q1))
    )
    here[at, BELOW] = b0 + low[j, BELOW] + x0 * (m1 + m2) + (p1 + p2) * y0 + x1 * low10 + x2 * low20
    here[at, BELOW + 1] = b1 + low[j, BELOW + 1] + x1 * (m0 + m2) + (p0 + p2) * y1 + x0 * low01 + x2 * low21
    here[at, BELOW + 2] = b2 + low[j, BELOW + 2] + x2 * (m0 + m1) + (p0 + p1) * y2 + x0 * low02 + x1 * low12
    here[at, ABOVE] = a0 + up[i, ABOVE] + y0 * (l1 + l2) + (q1 + q2) * x0 + y1 * up01 + y2 * up02
    here[at, ABOVE + 1] = a1 + up[i, ABOVE + 1] + y1 * (l0 + l2) + (q0 + q2) * x1 + y0 * up10 + y2 * up12
    here[at, ABOVE + 2] = a2 + up[i, ABOVE + 2] + y2 * (l0 + l1) + (q0 + q1) * x2 + y0 * up20 + y1 * up21
    here[at, LIGHT], here[at, LIGHT + 1], here[at, LIGHT + 2] = l0 + m0, l1 + m1, l2 + m2
    here[at, OVER], here[at, OVER + 1] = up01 + low01 + x0 * y1, up02 + low02 + x0 * y2
    here[at, OVER + 2], here[at, OVER + 3] = up10 + low10 + x1 * y0, up12 + low12 + x1 * y2
    here[at, OVER + 4], here[at, OVER + 5] = up20 + low20 + x2 * y0, up21 + low21 + x2 * y1


@njit
def set_node_stars(here: IntArray, at: int, light: IntArray, v: int) -> None:
    """Compute the columns of a node for quartets that are not resolved: four items in four subtrees.

    Of two pairs, each in two subtrees, those are taken off that have one subtree in common, and those that have both.
    """
    star = light[v, STAR_REST]
    for c in range(3):
        here[at, TWIN + c] = _pairs(here[at, c]) - light[v, PAIRS + c]
        star += light[v, STAR_TRIPLES + c] * here[at, c]
    for c in range(3):
        x = here[at, c]
        triples = light[v, STAR_TRIPLES + c]
        for k in range(3):
            if k == c:
                continue
            y, product = here[at, k], light[v, PRODUCT + c + k - 1]
            by_square = 2 * light[v, PAIRS_BY + _by_two(k, c)] + product
            triples += x * here[at, TWIN + k] - y * product + by_square
            if c < k:
                here[at, MIXED + c + k - 1] = x * y - product
                squares_by = 2 * light[v, PAIRS_BY + _by_two(c, k)] + product
                twice = light[v, TWICE + c + k - 1]
                one_common = product * (x * y - product) - x * by_square - y * squares_by + 2 * (2 * twice + product)
                star += here[at, TWIN + c] * here[at, TWIN + k] - one_common - (_pairs(product) - twice)
        here[at, STAR_BELOW + c] = here[at, STAR_ABOVE + c] = triples
    here[at, STAR] = star


@njit
def set_node(here: IntArray, at: int, own: IntArray, light: IntArray, v: int) -> None:
    """Compute the columns of a node alone from the items that hang from it and the columns of its branches.

    A quartet is resolved if two of its items hang in one branch and the others do not; two pairs in two branches would
    count twice.
    """
    x0, x1, x2 = own[v, 0], own[v, 1], own[v, 2]
    here[at, SIZE], here[at, SIZE + 1], here[at, SIZE + 2] = x0, x1, x2
    l0, l1, l2 = light[v, PAIRS], light[v, PAIRS + 1], light[v, PAIRS + 2]
    by01, by02, by10 = light[v, PAIRS_BY], light[v, PAIRS_BY + 1], light[v, PAIRS_BY + 2]
    by12, by20, by21 = light[v, PAIRS_BY + 3], light[v, PAIRS_BY + 4], light[v, PAIRS_BY + 5]
    t0, t1, t2 = light[v, TRIPLES], light[v, TRIPLES + 1], light[v, TRIPLES + 2]
    p0, p1, p2 = _pairs(x0), _pairs(x1), _pairs(x2)
    here[at, INSIDE] = (
        light[v, REST]
        + (t0 * x0 + t1 * x1 + t2 * x2)
        + (l0 * (p1 + p2) + l1 * (p0 + p2) + l2 * (p0 + p1))
        - (x0 * (by10 + by20) + x1 * (by01 + by21) + x2 * (by02 + by12))
        - (l0 * l1 + l0 * l2 + l1 * l2)
    )
    here[at, BELOW] = here[at, ABOVE] = t0 + (l1 + l2) * x0 - by10 - by20
    here[at, BELOW + 1] = here[at, ABOVE + 1] = t1 + (l0 + l2) * x1 - by01 - by21
    here[at, BELOW + 2] = here[at, ABOVE + 2] = t2 + (l0 + l1) * x2 - by02 - by12
    here[at, LIGHT], here[at, LIGHT + 1], here[at, LIGHT + 2] = l0, l1, l2
    for k in range(OVER, RESOLVED):
        here[at, k] = 0


@njit
def add_star_branch(light: IntArray, v: int, whole: IntArray, at: int) -> None:
    """Add the same for quartets that are not resolved."""
    rest = whole[at, STAR]
    for c in range(3):
        light[v, STAR_TRIPLES + c] += whole[at, STAR_ABOVE + c]
        rest -= whole[at, STAR_ABOVE + c] * whole[at, c]
        for k in range(c + 1, 3):
            product = whole[at, c] * whole[at, k]
            light[v, PRODUCT + c + k - 1] += product
            light[v, TWICE + c + k - 1] += _pairs(product)
    light[v, STAR_REST] += rest


@njit
def add_branch(own: IntArray, light: IntArray, v: int, whole: IntArray, at: int) -> None:
    """Add a branch, whose columns are ``whole``, to the items that hang from a node and the columns of its branches."""
    x0, x1, x2 = whole[at, SIZE], whole[at, SIZE + 1], whole[at, SIZE + 2]
    a0, a1, a2 = whole[at, ABOVE], whole[at, ABOVE + 1], whole[at, ABOVE + 2]
    p0, p1, p2 = _pairs(x0), _pairs(x1), _pairs(x2)
    own[v, 0] += x0
    own[v, 1] += x1
    own[v, 2] += x2
    light[v, PAIRS] += p0
    light[v, PAIRS + 1] += p1
    light[v, PAIRS + 2] += p2
    light[v, PAIRS_BY] += p0 * x1
    light[v, PAIRS_BY + 1] += p0 * x2
    light[v, PAIRS_BY + 2] += p1 * x0
    light[v, PAIRS_BY + 3] += p1 * x2
    light[v, PAIRS_BY + 4] += p2 * x0
    light[v, PAIRS_BY + 5] += p2 * x1
    light[v, TRIPLES] += a0
    light[v, TRIPLES + 1] += a1
    light[v, TRIPLES + 2] += a2
    light[v, REST] += (
        whole[at, INSIDE]
        - (a0 * x0 + a1 * x1 + a2 * x2)
        + (p0 * (p1 + p2) + p1 * p2)
        + (p0 * (p1 + x1 + p2 + x2) + p1 * (p0 + x0 + p2 + x2) + p2 * (p0 + x0 + p1 + x1))
    )
