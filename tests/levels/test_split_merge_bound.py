"""The profile of S_H multiplies matrices: the reduction of docs/levels.md, carried out.

Two matrices of N rows and columns become two trees of O(N^2) items, whose curve holds all N^2 entries of the product.
"""

import math

import numpy as np
import pytest

from dendrometry import from_linkage
from dendrometry.levels import profile

TWO = 2 * math.log(2)


class Merging:
    """A tree that is built merge by merge."""

    def __init__(self):
        self.cluster, self.parts = {}, []

    def join(self, *names, into=None):
        """Merge clusters or items one after another; the result is called by the first name, or as given."""
        first = names[0]
        for name in names[1:]:
            self.parts.append((first, name))
        if into is not None:
            self.cluster[into] = first

    def linkage(self, items):
        at = {item: i for i, item in enumerate(items)}
        size, rows = dict.fromkeys(items, 1), []
        top = {item: item for item in items}

        def root(x):
            x = self.cluster.get(x, x)
            while top[x] != x:
                x = top[x]
            return x

        def merge(x, y):
            x, y = root(x), root(y)
            rows.append([at[x], at[y], len(rows) + 1.0, size[x] + size[y]])
            top[y], size[x], at[x] = x, size[x] + size[y], len(items) + len(rows) - 1

        for x, y in self.parts:
            merge(x, y)
        for item in items[1:]:
            if root(item) != root(items[0]):
                merge(items[0], item)
        return np.array(rows)


def trees_of(A, B):  # noqa: C901 - one construction
    """Two trees whose profile holds the product of two matrices of 0 and 1, and the number of merges before it."""
    n = len(A)
    a, b = Merging(), Merging()
    items, inside = [], {"a": {u: [] for u in range(n)}, "b": {v: [] for v in range(n)}}

    def new(*name):
        items.append(name)
        return name

    for u in range(n):
        for v in range(n):
            first, second = new("cell", u, v, 0), new("cell", u, v, 1)
            inside["a"][u].append(first)
            inside["b"][v].append(first if A[u, v] else second)
        base = new("base", u, 0), new("base", u, 1)
        inside["a"][u] += base
        b.join(*base)
    for u in range(n):
        a.join(*inside["a"][u], into=("row", u))
        b.join(*inside["b"][u], into=("column", u))
    for t in range(n):
        for v in range(n):
            pair = new("pair", t, v, 0), new("pair", t, v, 1)
            b.join(*pair)
            if B[v, t]:
                a.join(*pair)
            new("read", t, v)
    idle = {"a": new("idle", "a", -1), "b": new("idle", "b", -1)}
    n_before = max(len(a.parts), len(b.parts)) + 1
    for name, tree in (("a", a), ("b", b)):
        for i in range(n_before - len(tree.parts)):
            tree.join(idle[name], new("idle", name, i))
    for t in range(n):
        for v in range(n):
            b.join(("column", v), ("pair", t, v, 0))
            a.join(idle["a"], new("round", "a", t, v))
        for u in range(n):
            a.join(("row", u), ("read", t, u))
            b.join(idle["b"], new("round", "b", t, u))
    return from_linkage(a.linkage(items)), from_linkage(b.linkage(items)), n_before


def product_from(curve, A, n_before):
    """Read the product of the matrices from n times S_H after each merge."""
    n = len(A)
    sums = np.zeros((n, n + 1))
    for t in range(n):
        size = n + 2 * (t + 1)  # of every column, its pairs included
        before, after = (TWO / (m * math.log(m)) for m in (n + 2 + t, n + 3 + t))  # the scores of a row
        for u in range(n):
            merge = n_before + 2 * n * t + n + u
            change = curve[merge + 1] - curve[merge] + 1.0  # what joins the idle cluster counted 1, and now 0
            others = n - A[u].sum() + 2 + t  # items of the row that are not in a column
            held = (change + 1.0 - after) / (after - before) - others
            sums[u, t + 1] = held * size * math.log(size) / TWO
    return np.diff(np.rint(sums).astype(np.int64), axis=1), np.abs(sums - np.rint(sums)).max()


@pytest.mark.parametrize(("n", "seed"), [(2, 0), (3, 1), (5, 2), (8, 3)])
def test_the_profile_multiplies_matrices(n, seed):
    rng = np.random.default_rng(seed)
    A, B = rng.integers(2, size=(2, n, n))
    first, second, n_before = trees_of(A, B)
    assert first.n_items <= 14 * n * n
    curve = profile(first, second, "split_merge").value[::-1] * first.n_items  # after 0, 1, ... merges
    product, off = product_from(curve, A, n_before)
    np.testing.assert_array_equal(product, A @ B)
    assert off < 1e-6
