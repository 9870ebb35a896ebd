"""Documents: names, titles and unit vectors, with the counts of their terms and what was left out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.names import name_column, names_of
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural, quote_first
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.text.names import Names
from dendrometry.text.unit import unit_rows

__all__ = ["Documents", "Reason", "Skipped", "documents_from_embeddings", "skip_sentence"]

Reason = Literal[
    "empty", "no words", "only stop words", "only rare terms", "nothing in the dimensions", "wrong encoding"
]


class Skipped(NamedTuple):
    """A document that was left out: its name, and why."""

    item: str
    reason: Reason


@dataclass(frozen=True, eq=False, repr=False)
class Documents(Frozen):
    """Documents as unit vectors, with their names and the counts of their terms.

    Made by `vectorize_documents`, `read_documents` and `documents_from_embeddings`. All columns are read-only.

    Attributes
    ----------
    items : tuple of str
        The name of each document, all different: its title, with a number behind it where titles repeat.
    titles : tuple of str
        The title of each document as it came; titles may repeat or be empty.
    vectors : (n_items, n_columns) CSR array of float, or array of float
        A row of length 1 for each document, so that dot products are cosines: sparse tf-idf weights, column by
        column those of ``terms``; or dense, after truncated SVD or from elsewhere.
    counts : (n_items, n_terms) CSR array of int, or None
        How often each document holds each term; None where only embeddings are known.
    terms : tuple of str
        The terms in alphabetical order, the columns of ``counts``.
    skipped : tuple of Skipped
        The documents that were left out, in the order they came, each with its reason.
    """

    items: tuple[str, ...]
    titles: tuple[str, ...]
    vectors: Any
    counts: Any
    terms: tuple[str, ...]
    skipped: tuple[Skipped, ...]

    def __post_init__(self) -> None:
        """Set the columns read-only, also those of a copy."""
        for table in (self.vectors, self.counts):
            if table is not None:
                for part in (table.data, table.indices, table.indptr) if is_sparse(table) else (table,):
                    read_only(part)

    def __reduce__(self) -> tuple[object, ...]:
        return Documents, (self.items, self.titles, self.vectors, self.counts, self.terms, self.skipped)

    @property
    def n_items(self) -> int:
        """The number of documents."""
        return len(self.items)

    @property
    def document_frequency(self) -> IntArray:
        """In how many documents each term is; empty where only embeddings are known."""
        columns = np.zeros(0, dtype=np.int64) if self.counts is None else self.counts.indices
        return np.bincount(columns, minlength=len(self.terms))

    def with_embeddings(self, vectors: ArrayLike, item_names: Iterable[str]) -> "Documents":
        """Return the same documents with vectors made elsewhere, met by name.

        Parameters
        ----------
        vectors : (n, d) array of float
            A row for each name, in any length; they are scaled to length 1.
        item_names : sequence of str
            The names of the rows, in any order. Rows of documents that were skipped are left out again.

        Raises
        ------
        ItemMismatchError
            If a document has no row, or a row names a document that never came.
        InvalidInputError
            If a vector is zero or not finite, or a name comes twice.

        Examples
        --------
        >>> from dendrometry.text import vectorize_documents
        >>> found = vectorize_documents({"a": "ships sail", "b": "", "c": "ships sink"})
        >>> found.with_embeddings([[0.0, 2.0], [3.0, 4.0], [1.0, 1.0]], ["c", "a", "b"]).vectors
        array([[0.6, 0.8],
               [0. , 1. ]])
        """
        rows = _dense(vectors)
        names = name_column(item_names, rows.shape[0])
        known = {*self.items, *(left_out.item for left_out in self.skipped)}
        row_of = {name: row for row, name in enumerate(names)}
        missing = [item for item in self.items if item not in row_of]
        strange = [name for name in names if name not in known]
        if missing or strange:
            parts = [
                f"{plural(len(some), 'item')} {what}: {quote_first(some)}"
                for some, what in ((missing, "without a vector"), (strange, "not among the documents"))
                if some
            ]
            raise ItemMismatchError(f"vectors and documents must hold the same items; {'; '.join(parts)}")
        chosen = rows[[row_of[item] for item in self.items]]
        return replace(self, vectors=unit_rows(chosen, self.items))

    def __repr__(self) -> str:
        terms = f"{plural(len(self.terms), 'term')}, " if self.counts is not None else ""
        dense = "" if is_sparse(self.vectors) else f"{self.vectors.shape[1]} dimensions, "
        return f"Documents({plural(self.n_items, 'document')}, {terms}{dense}{len(self.skipped):,} skipped)"


def documents_from_embeddings(vectors: ArrayLike, titles: Iterable[str] | None = None) -> Documents:
    """Return documents of which only dense vectors are known, made elsewhere.

    Parameters
    ----------
    vectors : (n, d) array of float
        A row for each document, in any length; they are scaled to length 1.
    titles : sequence of str, optional
        The title of each document; by default "0", "1", and so on. See `Documents` for titles that repeat.

    Returns
    -------
    Documents
        Without terms and counts. `Documents.with_embeddings` keeps them.

    Raises
    ------
    InvalidInputError
        If a vector is zero or not finite, or the titles are not as many as the rows.

    Examples
    --------
    >>> from dendrometry.text import documents_from_embeddings
    >>> found = documents_from_embeddings([[3.0, 4.0], [0.0, 2.0]], ["north", "up"])
    >>> found.vectors
    array([[0.6, 0.8],
           [0. , 1. ]])
    >>> found
    Documents(2 documents, 2 dimensions, 0 skipped)
    """
    rows = _dense(vectors)
    given = tuple(map(str, range(rows.shape[0]))) if titles is None else names_of(titles, "titles")
    if len(given) != rows.shape[0]:
        raise InvalidInputError(f"titles must be as many as the vectors, {rows.shape[0]:,}; got {len(given):,}")
    names = Names()
    items = tuple(names.of(title) for title in given)
    return Documents(items, given, unit_rows(rows, items), None, (), ())


def skip_sentence(n_documents: int, skipped: Iterable[Skipped]) -> str:
    """Return how many documents were left out, and why."""
    reasons = Counter(left_out.reason for left_out in skipped)
    if not reasons:
        return f"{plural(n_documents, 'document')}, none left out"
    told = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
    return f"{plural(n_documents, 'document')}, of which {sum(reasons.values()):,} left out ({told})"


def _dense(vectors: ArrayLike) -> FloatArray:
    """Return embeddings as a new float64 array."""
    if is_sparse(vectors):
        raise InvalidInputError("embeddings must be a dense array; got a sparse matrix")
    rows: FloatArray = finite_points(points_of(vectors))
    return rows
