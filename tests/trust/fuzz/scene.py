"""The items of one drawn call: odd trees, points, labels and texts, all over the same few items."""

import numpy as np
from scipy import sparse
from tests.strategies import random_hierarchy, random_linkage
from tests.trust.fuzz.good import DOCUMENTS

from dendrometry import (
    Hierarchy,
    from_labels,
    from_linkage,
    to_newick,
)
from dendrometry.generate import random_tree
from dendrometry.text import vectorize_documents

WORDS = ["ship", "oil", "gas", "port", "the", "Öl", "<b>", "=1+1", "\x1b[2J", "a\u0301", "x" * 90]
INTEGERS = [0, 1, 2, 3, 5, 100, -1]
FLOATS = [0.0, 1e-300, 0.05, 0.5, 1.0, 1.5, 7.0, 1e300, -0.5, -0.0]
NAMES = ["", "a b", "<b>", "'", "a/b", "=1+1", "\x1b[2J", "Ä", "\u202e", "-1", "nan"]


class Scene:
    """Draws for one call, all over the same few items."""

    def __init__(self, rng):
        self.rng = rng
        self.n = int(rng.integers(1, 9))
        self.names = [f"i{i}" for i in range(self.n)]
        self.n_nodes = int(rng.integers(1, self.n + 1))
        self.latest = None  # the tree that was drawn last

    def one_of(self, *values):
        return values[int(self.rng.integers(len(values)))]

    def tree(self):
        """A tree over the items, now and then over others: a dendrogram, a flat clustering, or one of any shape."""
        n = self.n if self.rng.random() < 0.95 else self.n + 1
        match self.rng.integers(8):
            case 0:
                self.latest = random_hierarchy(n, self.rng)
            case 1:
                self.latest = random_hierarchy(n, self.rng, heights=True, wild=True)
            case 2:
                self.latest = random_hierarchy(n, self.rng, heights=True)
            case 3:
                self.latest = from_labels(self.rng.integers(0, 3, n), item_names=[f"i{i}" for i in range(n)])
            case _:
                Z = random_linkage(n, self.rng, ties=bool(self.rng.integers(2)))
                Z[:, 2] *= self.one_of(1.0, 1.0, 0.0, 1e-300, 1e300)
                self.latest = from_linkage(Z, item_names=[f"i{i}" for i in range(n)])
        return self.latest

    def colours(self):
        """Colours, mostly in their range."""
        return self.rng.random((self.n, 3)) * self.one_of(1.0, 1.0, 1.0, [90.0, 5.0, 5.0], 1e300)

    def points(self, d=None):
        """Points of any type and scale, with ties; now and then with a value that is not a number."""
        shape = (self.n, int(self.rng.integers(1, 4)) if d is None else d)
        X = self.one_of(self.rng.random(shape), self.rng.integers(-2, 3, shape))
        X = X * self.one_of(1, 1, 1, 0, 1e-160, 1e160, 5e307)
        if self.rng.random() < 0.1:
            X = X.astype(float)
            X[self.rng.integers(self.n), 0] = self.one_of(np.nan, np.inf, 1e300, 1e-300)
        with np.errstate(over="ignore", under="ignore"):
            X = X.astype(self.one_of(X.dtype, float, np.float32, ">f8"))
        return self.one_of(X, X, X.tolist(), np.asfortranarray(X), X[::-1], sparse.csr_matrix(X.astype(float)))

    def labels(self):
        """Labels of any type, of the items or of one more."""
        code = self.rng.integers(-1, 4, self.n if self.rng.random() < 0.95 else self.n + 1)
        return self.one_of(code, code.tolist(), code.astype(float), [f"c{c}" for c in code], code > 0, code.astype("S"))

    def distances(self):
        """Distances, as a square or one after the other."""
        D = self.one_of(self.rng.random((self.n, self.n)), self.rng.integers(0, 3, (self.n, self.n)))
        D = (D + D.T) * self.one_of(1, 1, 0, 1e-200, 1e200)
        np.fill_diagonal(D, 0)
        return D if self.rng.random() < 0.5 or self.n == 1 else D[np.triu_indices(self.n, 1)]

    def merges(self):
        """Merges as pairs of nodes, mostly complete."""
        Z = random_linkage(max(self.n, 2), self.rng)
        return Z[:, :2].astype(int) if self.rng.random() < 0.9 else self.rng.integers(0, 2 * self.n, (self.n, 2))

    def parents(self):
        """Parents in any order, mostly of a tree."""
        n = self.n_nodes
        if self.rng.random() < 0.2:
            return self.rng.integers(-1, n, n)
        return np.array([int(self.rng.integers(v + 1, n)) for v in range(n - 1)] + [-1])

    def text_of_tree(self):
        """A Newick text, mostly intact."""
        text = to_newick(from_linkage(random_linkage(max(self.n, 2), self.rng)))
        return text if self.rng.random() < 0.7 else text.replace(self.one_of("(", ",", ":", "1"), "", 1)

    def texts(self):
        """Texts of common and odd words, also empty ones."""
        return [
            " ".join(self.rng.choice(WORDS, size=self.rng.integers(0, 8)).tolist())
            for _ in range(self.rng.integers(1, 6))
        ]

    def documents(self):
        """Documents with at least one word."""
        return vectorize_documents([text + " word" for text in self.texts()]) if self.rng.random() < 0.5 else DOCUMENTS

    def tree_of_documents(self):
        """A tree over the documents that are known, or over its own items."""
        shape = random_tree(DOCUMENTS.n_items, rng=self.rng)
        names = shape.items if self.rng.random() < 0.1 else DOCUMENTS.items
        return Hierarchy(shape.parent, shape.height, shape.item_node, names)

    def some_names(self):
        """Names for the items, mostly distinct."""
        names = list(self.names)
        for _ in range(self.rng.integers(0, 3)):
            names[self.rng.integers(self.n)] = self.one_of(*NAMES)
        return names
