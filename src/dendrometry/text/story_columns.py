"""The documents of a stream as columns that grow: their terms, counts and weights."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from dendrometry._kernels.text.story_index import Documents, Terms, weigh
from dendrometry._typing import FloatArray, IntArray
from dendrometry.text.counting import inverse_frequency

_OF_ENTRIES = ("column", "times", "weight", "row", "previous")


class StoryColumns:
    """Rows of terms, and what is known of each term; the weights of all rows change together."""

    def __init__(self) -> None:
        self.number = _numbering({})
        self.documents = Documents(
            indptr=np.zeros(16, dtype=np.int64),
            column=np.zeros(16, dtype=np.int32),
            times=np.zeros(16, dtype=np.int32),
            weight=np.zeros(16),
            row=np.zeros(16, dtype=np.int32),
            previous=np.zeros(16, dtype=np.int64),
        )
        self.terms = Terms(
            frequency=np.zeros(16, dtype=np.int64),
            idf=np.ones(16),
            last=np.full(16, -1),
            dense=np.zeros(16),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "number": dict(self.number)}  # how new terms are numbered cannot be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, number=_numbering(state["number"]))

    @property
    def n_terms(self) -> int:
        """The number of terms so far."""
        return len(self.number)

    def tokens(self, terms: list[str]) -> IntArray:
        """Return the column of each term of a document; terms that are not known yet receive the next ones."""
        return np.fromiter(map(self.number.__getitem__, terms), np.int64, len(terms))

    def weigh(self, n_rows: int, n_documents: int) -> FloatArray:
        """Weigh the rows by the frequencies in all documents so far; return the sum of squares of each column."""
        self.set_weights(self.terms.frequency[: self.n_terms], n_documents)
        mass = np.zeros(self.n_terms)
        weigh(n_rows, self.documents, self.terms.idf, mass)
        return mass

    def set_weights(self, frequency: IntArray, n_documents: int) -> None:
        """Set the weights of the first terms by their frequencies, and that of all others, which are not known."""
        idf = self.terms.idf
        idf[:] = inverse_frequency(np.zeros(1), n_documents)[0]
        idf[: frequency.size] = inverse_frequency(frequency, n_documents)

    def make_room(self, n_rows: int, n_new: int) -> None:
        """Extend the columns to hold one more row of ``n_new`` words, after so many rows."""
        entries = int(self.documents.indptr[n_rows]) + n_new
        if n_rows + 2 > self.documents.indptr.size:
            self.documents = self.documents._replace(indptr=longer(self.documents.indptr, n_rows + 2, 0))
        if entries > self.documents.column.size:
            columns = {name: longer(getattr(self.documents, name), entries, 0) for name in _OF_ENTRIES}
            self.documents = self.documents._replace(**columns)
        if self.n_terms >= self.terms.dense.size:
            frequency, idf, last, dense = self.terms
            self.terms = Terms(
                longer(frequency, self.n_terms + 1, 0),
                longer(idf, self.n_terms + 1, idf[-1]),  # the last entry is the weight of unknown terms
                longer(last, self.n_terms + 1, -1),
                longer(dense, self.n_terms + 1, 0),
            )

    def drop_rows(self, first: int, n_rows: int) -> None:
        """Remove the rows before ``first``; those up to ``n_rows`` move to the front."""
        start, end = self.documents.indptr[first], self.documents.indptr[n_rows]
        for name in _OF_ENTRIES:
            column = getattr(self.documents, name)
            column[: end - start] = column[start:end]
        self.documents.indptr[: n_rows - first + 1] = self.documents.indptr[first : n_rows + 1] - start
        self.documents.row[: end - start] -= first
        for links in (self.documents.previous[: end - start], self.terms.last):
            np.maximum(links - start, -1, out=links)


def _numbering(known: dict[str, int]) -> defaultdict[str, int]:
    """Return the numbers of terms, in which a term that is looked up receives the next number if it has none."""
    number: defaultdict[str, int] = defaultdict(None, known)
    number.default_factory = number.__len__
    return number


def longer(column: Any, needed: int, fill: float) -> Any:
    """Return a column with at least ``needed`` values: itself, or a copy at least half as long again."""
    if needed <= column.size:
        return column
    made = np.full(max(needed, column.size * 3 // 2), fill, dtype=column.dtype)
    made[: column.size] = column
    return made
