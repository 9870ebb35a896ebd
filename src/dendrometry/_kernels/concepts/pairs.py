"""What two taxonomies have in common, by the concepts at or above each concept, for any matching of the concepts."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._kernels.concepts.ancestry import Ancestry
from dendrometry._typing import FloatArray, IntArray


class Places(NamedTuple):
    """The places of concepts: row v, from ``start[v]`` to ``start[v + 1]``, holds the concepts that it lies below."""

    start: IntArray
    concept: IntArray


class Worth(NamedTuple):
    """The depth of each concept, 1 for one without parents, and its information content."""

    depth: FloatArray
    content: FloatArray


@njit
def count_shared(a: Ancestry, b: Ancestry, to_a: IntArray) -> IntArray:
    """Return how many edges, and how many pairs of a concept and one above it, are in both taxonomies.

    ``to_a`` is the concept of ``a`` that each one of ``b`` is matched with, or -1. Time as the pairs of both.
    """
    distance, owner = np.zeros(a.start.size, dtype=np.int64), np.full(a.start.size, -1, dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    for v in range(to_a.size):
        if stopped():
            break
        u = to_a[v]
        if u < 0:
            continue
        for i in range(a.start[u] + 1, a.start[u + 1]):
            owner[a.concept[i]] = u
            distance[a.concept[i]] = a.distance[i]
        for j in range(b.start[v] + 1, b.start[v + 1]):
            w = to_a[b.concept[j]]
            if w >= 0 and owner[w] == u:
                found[1] += 1
                if distance[w] == 1 and b.distance[j] == 1:
                    found[0] += 1
    return found


@njit
def mark(above: Ancestry, concept: int, distance: IntArray, value: int) -> None:
    """Write the distances of the concepts at or above one, plus a value that is larger than all of them before."""
    for k in range(above.start[concept], above.start[concept + 1]):
        distance[above.concept[k]] = value + above.distance[k]


@njit
def best_common(above: Ancestry, worth: Worth, distance: IntArray, value: int, concept: int) -> tuple[float, float]:
    """Return the greatest Wu-Palmer similarity and information content of concepts above this and the marked one."""
    wu_palmer, content = 0.0, 0.0
    for k in range(above.start[concept], above.start[concept + 1]):
        s = above.concept[k]
        if distance[s] >= value:
            twice = 2.0 * worth.depth[s]
            wu_palmer = max(wu_palmer, twice / (above.distance[k] + distance[s] - value + twice))
            content = max(content, worth.content[s])
    return wu_palmer, content


@njit
def place_similarities(
    a: Ancestry, worth: Worth, in_a: Places, in_b: Places, to_a: IntArray, some: IntArray
) -> FloatArray:
    """Return the similarities of the places of some matched concepts of ``b`` and of their matches: Wu-Palmer, Lin.

    Places are compared inside ``a``: each one with the most similar one of the other side, averaged within each side,
    then over the two sides. The matches of the places of ``b`` are never -1. O(depth) per pair of places.
    """
    similarity = np.zeros((some.size, 2))
    n = a.start.size - 1
    distance = np.full(n, -1, dtype=np.int64)
    best = np.zeros((in_b.concept.size, 2))
    value = 0
    for at in range(some.size):
        if stopped():
            break
        v = some[at]
        u = to_a[v]
        low, high = in_b.start[v], in_b.start[v + 1]
        n_a, n_b = in_a.start[u + 1] - in_a.start[u], high - low
        if n_a == 0 or n_b == 0:
            similarity[at] = 1.0 if n_a == n_b else 0.0
            continue
        wu_palmer, lin = 0.0, 0.0
        for i in range(in_a.start[u], in_a.start[u + 1]):
            value += n
            mark(a, in_a.concept[i], distance, value)
            greatest = most_similar(a, worth, in_a.concept[i], distance, value, to_a, in_b, v, best)
            wu_palmer += greatest[0] / n_a
            lin += greatest[1] / n_a
        for j in range(low, high):
            wu_palmer += best[j, 0] / n_b
            lin += best[j, 1] / n_b
        similarity[at, 0] = wu_palmer / 2.0
        similarity[at, 1] = lin / 2.0
    return similarity


@njit
def most_similar(
    a: Ancestry,
    worth: Worth,
    p: int,
    distance: IntArray,
    value: int,
    to_a: IntArray,
    in_b: Places,
    v: int,
    best: FloatArray,
) -> tuple[float, float]:
    """Return the greatest similarities of a marked concept to the places of one of ``b``; raise ``best`` of these."""
    greatest_wu_palmer, greatest_lin = 0.0, 0.0
    for j in range(in_b.start[v], in_b.start[v + 1]):
        q = to_a[in_b.concept[j]]
        if p == q:
            wu_palmer, lin = 1.0, 1.0
        else:
            wu_palmer, content = best_common(a, worth, distance, value, q)
            both = worth.content[p] + worth.content[q]
            lin = 2.0 * content / both if both > 0.0 else 0.0
        best[j, 0] = max(best[j, 0], wu_palmer)
        best[j, 1] = max(best[j, 1], lin)
        greatest_wu_palmer = max(greatest_wu_palmer, wu_palmer)
        greatest_lin = max(greatest_lin, lin)
    return greatest_wu_palmer, greatest_lin


@njit
def set_distances(a: Places, b: Places, here: IntArray, order: IntArray, pair: IntArray) -> FloatArray:
    """Return the Jaccard distance of the common ancestor sets, and the mean of those of the distinct ones, of pairs.

    Row i of ``a`` holds the concepts at or above concept i. In ``b`` that is row ``here[i]``, whose numbers ``order``
    translates. Pairs are columns. O(depth) per pair.
    """
    n = a.start.size - 1
    row_a, row_b = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    far_a = np.full(n, -1, dtype=np.int64)
    distance = np.zeros((pair.shape[1], 2))
    for at in range(pair.shape[1]):
        if stopped():
            break
        i, j = pair[0, at], pair[1, at]
        here_i, here_j = here[i], here[j]
        for k in range(a.start[i], a.start[i + 1]):
            row_a[a.concept[k]] = at
        in_both_i = 0
        for k in range(b.start[here_i], b.start[here_i + 1]):
            x = order[b.concept[k]]
            row_b[x] = at
            in_both_i += row_a[x] == at
        common_a, common_b, common = 0, 0, 0
        i_and_a, i_and_b, j_and_a, j_and_b, in_both_j = 0, 0, 0, 0, 0
        for k in range(a.start[j], a.start[j + 1]):
            x = a.concept[k]
            far_a[x] = at
            common_a += row_a[x] == at
            i_and_a += row_a[x] == at and row_b[x] == at
        for k in range(b.start[here_j], b.start[here_j + 1]):
            x = order[b.concept[k]]
            common_b += row_b[x] == at
            i_and_b += row_a[x] == at and row_b[x] == at
            in_both_j += far_a[x] == at
            j_and_a += far_a[x] == at and row_a[x] == at
            j_and_b += far_a[x] == at and row_b[x] == at
            common += far_a[x] == at and row_a[x] == at and row_b[x] == at
        only_i = in_both_i - i_and_a - i_and_b + common
        only_j = in_both_j - j_and_a - j_and_b + common
        size_i = a.start[i + 1] - a.start[i] + b.start[here_i + 1] - b.start[here_i] - common_a - common_b
        size_j = a.start[j + 1] - a.start[j] + b.start[here_j + 1] - b.start[here_j] - common_a - common_b
        distance[at, 0] = jaccard(common, common_a + common_b)
        distance[at, 1] = (jaccard(only_i, size_i) + jaccard(only_j, size_j)) / 2.0
    return distance


@njit
def jaccard(common: int, sizes: int) -> float:
    """Return the Jaccard distance of two sets from the size of their intersection and the sum of their sizes."""
    return 1.0 - common / (sizes - common) if sizes else 0.0


@njit
def triple_shapes(above: Ancestry, triple: IntArray) -> IntArray:
    """Return the shape of each triple of concepts, as a number.

    It tells which of the three lies above which, and if none does, which pair has the most concepts above both: 0 if
    no pair has more than both others. O(depth) per triple.
    """
    n = above.start.size - 1
    near, far = np.full(n, -1, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    shape = np.zeros(triple.shape[0], dtype=np.int64)
    for at in range(triple.shape[0]):
        if stopped():
            break
        i, j, k = triple[at]
        near[above.concept[above.start[i] : above.start[i + 1]]] = at
        far[above.concept[above.start[j] : above.start[j + 1]]] = at
        i_j, i_k, j_k, order = 0, 0, 0, 0
        for e in range(above.start[j], above.start[j + 1]):
            x = above.concept[e]
            i_j += near[x] == at
            order += x == i
        for e in range(above.start[k], above.start[k + 1]):
            x = above.concept[e]
            i_k += near[x] == at
            j_k += far[x] == at
            order += 2 * (x == i) + 4 * (x == j)
        order += 8 * (near[j] == at) + 16 * (near[k] == at) + 32 * (far[k] == at)
        shape[at] = 3 + order if order else leading(i_j, i_k, j_k)
    return shape


@njit
def leading(first: int, second: int, third: int) -> int:
    """Return which of three numbers, 1 to 3, is greater than both others; 0 if none is."""
    if first > second and first > third:
        return 1
    if second > first and second > third:
        return 2
    return 3 if third > first and third > second else 0


@njit
def wu_palmer_similarities(above: Ancestry, worth: Worth, first: IntArray, second: IntArray) -> FloatArray:
    """Return the Wu-Palmer similarity of pairs of concepts. O(depth) per pair."""
    n = above.start.size - 1
    distance = np.full(n, -1, dtype=np.int64)
    similarity = np.zeros(first.size)
    value = 0
    for at in range(first.size):
        if stopped():
            break
        value += n
        mark(above, first[at], distance, value)
        similarity[at] = best_common(above, worth, distance, value, second[at])[0]
    return similarity
