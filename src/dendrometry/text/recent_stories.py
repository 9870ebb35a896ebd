"""The documents of a stream that are remembered, and the cosines of a new one with them."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.text.story_stream import compare_recent
from dendrometry._typing import FloatArray
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.text.collection import Documents, stored_matrix
from dendrometry.text.story_columns import StoryColumns, longer


class RecentStories:
    """The documents remembered: their terms and counts, weights by the last frequencies, and lists by term.

    Rows before ``_first`` are forgotten. They are removed when weights change, or are more than the rest and the terms.
    """

    def __init__(self, background: Documents | None) -> None:
        self._columns = StoryColumns()
        self._items: list[str] = []
        self._time = np.zeros(16)
        self._first = 0
        self._n_seen = 0
        self._next_weighting = 1
        self._is_fixed = background is not None
        if background is not None:
            _check_background(background)
            self._columns.tokens(list(background.terms))
            self._columns.make_room(0, 0)
            self._columns.set_weights(background.document_frequency, background.n_items)

    @property
    def n_rows(self) -> int:
        """The number of documents remembered."""
        return len(self._items) - self._first

    @property
    def times(self) -> FloatArray:
        """The times of the documents remembered."""
        return self._time[self._first : len(self._items)]

    def item(self, at: int) -> str:
        """Return the name of a document remembered."""
        return self._items[self._first + at]

    def forget(self, time: float, memory: float) -> None:
        """Forget the documents whose memory has ended before a time."""
        while self.n_rows and float(self._time[self._first]) + memory < time:
            self._first += 1
        indptr = self._columns.documents.indptr
        if indptr[self._first] > indptr[len(self._items)] - indptr[self._first] + self._columns.n_terms:
            self._drop()

    def compare(self, item: str, terms: list[str], time: float) -> FloatArray:
        """Return the cosine with each document remembered, the earliest first; then store this one."""
        if self._n_seen >= self._next_weighting and not self._is_fixed:
            self._drop()
            self._columns.weigh(len(self._items), self._n_seen)
            self._next_weighting = self._n_seen + max(1, self._n_seen // 10)
        n = len(self._items)
        token = self._columns.tokens(terms)
        self._columns.make_room(n, token.size)
        cosine = np.zeros(n - self._first)
        compare_recent(token, n, self._first, self._columns.documents, self._columns.terms, cosine)
        self._items.append(item)
        self._time = longer(self._time, n + 1, 0.0)
        self._time[n] = time
        self._n_seen += 1
        return np.minimum(cosine, 1.0, out=cosine)

    def _drop(self) -> None:
        """Remove the rows that are forgotten."""
        n = len(self._items)
        self._columns.drop_rows(self._first, n)
        self._time[: n - self._first] = self._time[self._first : n]
        del self._items[: self._first]
        self._first = 0


def decay(cosine: FloatArray, times: FloatArray, time: float, half_life: float) -> FloatArray:
    """Return cosines with documents of these times as similarities at a later time."""
    if half_life == np.inf:
        return cosine
    with np.errstate(over="ignore", under="ignore"):
        similarity: FloatArray = cosine * np.exp2((times - time) / half_life)
    return similarity


def _check_background(background: object) -> None:
    """Refuse a background that is not documents with counts of terms."""
    if not isinstance(background, Documents):
        kind = type(background).__name__
        raise InvalidInputError(Argument("background"), f" must be of type Documents, or None; got {kind}")
    if stored_matrix(background, "counts") is None:
        raise InvalidInputError(Argument("background"), " must have counts of terms; it has embeddings alone")
