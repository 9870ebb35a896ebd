"""Documents in the pre-order of a tree, so that those of a node are a slice of rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dendrometry._check.points import is_sparse
from dendrometry._display import plural, quote_first
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import ItemMismatchError
from dendrometry.hierarchy import Hierarchy
from dendrometry.text.collection import Documents, stored_matrix
from dendrometry.text.counting import inverse_frequency, weigh


@dataclass(frozen=True, eq=False)
class Ordered:
    """Documents and the tree that holds them.

    ``row`` is the document at each position of the pre-order; node v has the positions from ``low[v]`` to ``high[v]``.
    """

    documents: Documents
    tree: Hierarchy
    row: IntArray

    @classmethod
    def of(cls, tree: Hierarchy, documents: Documents) -> Ordered:
        """Return the documents in the order of a tree over the same items, matched by name."""
        row_of = {item: row for row, item in enumerate(documents.items)}
        place = np.array([row_of.get(item, -1) for item in tree.items], dtype=np.int64)
        if place.min() < 0 or len(row_of) > place.size:
            raise ItemMismatchError(_mismatch(tree, documents))
        return cls(documents, tree, place[tree.order.item])

    @property
    def n(self) -> int:
        """The number of documents."""
        return self.tree.n_items

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms, in alphabetical order."""
        return self.documents.terms

    @cached_property
    def is_phrase(self) -> BoolArray:
        """Whether each term has more than one word."""
        return np.array([" " in term for term in self.terms], dtype=bool)

    @property
    def low(self) -> IntArray:
        """The position of the first document of every node."""
        return self.tree.order.item_low

    @property
    def high(self) -> IntArray:
        """The position after the last document of every node."""
        return self.tree.order.item_high

    @property
    def size(self) -> IntArray:
        """The number of documents of every node."""
        return self.tree.sizes

    @cached_property
    def overall(self) -> IntArray:
        """The number of documents that contain each term."""
        return self.documents.document_frequency

    @cached_property
    def counts(self) -> Any:
        """The counts of the terms, in the order of the tree."""
        return stored_matrix(self.documents, "counts")[self.row]

    @cached_property
    def vectors(self) -> Any:
        """The unit vectors, sparse or dense, in the order of the tree."""
        return stored_matrix(self.documents, "vectors")[self.row]

    @cached_property
    def weights(self) -> Any:
        """The sparse tf-idf weights, for any kind of vectors, in the order of the tree."""
        if is_sparse(stored_matrix(self.documents, "vectors")):
            return self.vectors
        return weigh(self.counts, inverse_frequency(self.overall, self.n))

    def frequency(self, v: int) -> IntArray:
        """Return the number of documents of a node that contain each term. O(terms of its documents + n_terms)."""
        return self.frequency_between(int(self.low[v]), int(self.high[v]))

    def frequency_between(self, first: int, last: int) -> IntArray:
        """Return the number of documents in a range of positions that contain each term."""
        start = self.counts.indptr
        return np.bincount(self.counts.indices[start[first] : start[last]], minlength=len(self.terms))

    def total_weight(self, v: int) -> FloatArray:
        """Return the sum of the tf-idf weights of a node's documents, by term."""
        start = self.weights.indptr
        span = slice(start[self.low[v]], start[self.high[v]])
        column, weight = self.weights.indices[span], self.weights.data[span]
        return np.bincount(column, weights=weight, minlength=len(self.terms)).astype(np.float64)


def _mismatch(tree: Hierarchy, documents: Documents) -> str:
    """Return a message that lists the items that the tree or the documents lack."""
    in_tree, in_documents = set(tree.items), set(documents.items)
    parts = ["the tree and the documents must hold the same items"]
    for only, what in (
        (sorted(in_tree - in_documents), "of the tree not among the documents"),
        (
            sorted(in_documents - in_tree),
            "not in the tree (leave them out, as min_documents or n_dimensions may have, or add them)",
        ),
    ):
        if only:
            parts.append(f"{plural(len(only), 'item')} {what}: {quote_first(only)}")
    skipped = in_tree.intersection(left_out.item for left_out in documents.skipped)
    if skipped:
        parts.append(f"{plural(len(skipped), 'document')} of the tree had no terms and were skipped")
    return "; ".join(parts)
