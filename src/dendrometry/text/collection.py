"""Documents: names, titles and unit vectors, with the counts of their terms and the documents left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import read_only
from dendrometry._check.names import name_items, names_of, names_within
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plain_signature, plural, quote_first
from dendrometry._html import MOST_ROWS, preview
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.text.names import Names
from dendrometry.text.unit import unit_rows

Reason = Literal[
    "empty", "no words", "only stop words", "only rare terms", "nothing in the dimensions", "wrong encoding"
]


@plain_signature
class Skipped(NamedTuple):
    """A document that was left out: its name, and the reason."""

    item: str
    reason: Reason


class _Copied:
    """A field that is stored read-only and read as a copy."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, documents: Documents, table: Any) -> None:
        if table is not None:
            for part in (table.data, table.indices, table.indptr) if is_sparse(table) else (table,):
                read_only(part)
        vars(documents)[self._name] = table

    def __get__(self, documents: Documents | None, owner: type) -> Any:
        if documents is None:
            raise AttributeError(self._name)  # so that the field has no default
        table = vars(documents)[self._name]
        return None if table is None else table.copy()


@dataclass(frozen=True, eq=False, repr=False)
class Documents:
    """Documents as unit vectors, with their names and the counts of their terms.

    Made by `vectorize_documents`, `read_documents` and `documents_from_embeddings`. The documents never change: each
    access to ``vectors`` or ``counts`` gives a new copy, which may be changed and passed to other packages.

    Attributes
    ----------
    items : tuple of str
        The distinct name of each document: its title, followed by a number if titles are repeated.
    titles : tuple of str
        The original title of each document; titles may be repeated or empty.
    terms : tuple of str
        The terms in alphabetical order, the columns of ``counts``.
    skipped : tuple of Skipped
        The documents that were left out, in their original order, each with its reason.
    vectors : (n_items, n_columns) CSR array of float, or array of float
        A row of length 1 for each document, so that dot products are cosines: sparse tf-idf weights with one column for
        each of ``terms``; or dense, from truncated SVD or embeddings.
    counts : (n_items, n_terms) CSR array of int, or None
        The number of occurrences of each term in each document; None if only embeddings are known.
    """

    items: tuple[str, ...]
    titles: tuple[str, ...]
    terms: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    vectors: Any = _Copied()
    counts: Any = _Copied()

    def __reduce__(self) -> tuple[object, ...]:
        return Documents, (self.items, self.titles, self.terms, self.skipped, self.vectors, self.counts)

    @property
    def n_items(self) -> int:
        """The number of documents."""
        return len(self.items)

    @property
    def document_frequency(self) -> IntArray:
        """The number of documents that contain each term; empty if only embeddings are known."""
        counts = stored_matrix(self, "counts")
        columns = np.zeros(0, dtype=np.int64) if counts is None else counts.indices
        return np.bincount(columns, minlength=len(self.terms))

    def with_embeddings(self, vectors: ArrayLike, item_names: Iterable[str] | None = None) -> Documents:
        """Return the same documents with other vectors, matched by name.

        Parameters
        ----------
        vectors : (n, d) array of float
            The vector of each name, of any length; vectors are normalised to length 1.
        item_names : sequence of str, optional
            The names of the rows, in any order; by default the index of a data frame, or "0", "1", and so on. Rows of
            skipped documents are ignored.

        Raises
        ------
        ItemMismatchError
            If a document has no row, or a row names an unknown document.
        InvalidInputError
            If a vector is zero or not finite, or a name is repeated.

        Examples
        --------
        >>> from dendrometry.text import vectorize_documents
        >>> found = vectorize_documents({"a": "ships sail", "b": "", "c": "ships sink"})
        >>> found.with_embeddings([[0.0, 2.0], [3.0, 4.0], [1.0, 1.0]], ["c", "a", "b"]).vectors
        array([[0.6, 0.8],
               [0. , 1. ]])
        """
        rows = _dense(vectors)
        names = name_items(vectors, item_names, rows.shape[0])
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

    def _repr_html_(self) -> str:
        columns: dict[str, list[Any]] = {"document": list(self.items[:MOST_ROWS])}
        counts = stored_matrix(self, "counts")
        if counts is not None:
            columns["terms"] = np.diff(counts.indptr[: MOST_ROWS + 1]).tolist()
        return preview(repr(self), columns, self.n_items)

    def __repr__(self) -> str:
        terms = f"{plural(len(self.terms), 'term')}, " if stored_matrix(self, "counts") is not None else ""
        vectors = stored_matrix(self, "vectors")
        dense = "" if is_sparse(vectors) else f"{vectors.shape[1]} dimensions, "
        return f"Documents({plural(self.n_items, 'document')}, {terms}{dense}{len(self.skipped):,} skipped)"


def stored_matrix(documents: Documents, field: Literal["vectors", "counts"]) -> Any:
    """Return the vectors or counts themselves, read-only, without a copy."""
    return vars(documents)[field]


def documents_from_embeddings(vectors: ArrayLike, titles: Iterable[str] | None = None) -> Documents:
    """Return documents given by their embeddings, without terms.

    Parameters
    ----------
    vectors : (n, d) array of float
        The vector of each document, of any length; vectors are normalised to length 1.
    titles : sequence of str, optional
        The title of each document; by default the index of a data frame, or "0", "1", and so on. See `Documents` for
        repeated titles.

    Returns
    -------
    Documents
        Documents without terms and counts, which `Documents.with_embeddings` keeps.

    Raises
    ------
    InvalidInputError
        If a vector is zero or not finite, or the number of titles is not that of the rows.

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
    given = names_within(vectors) if titles is None else names_of(titles, "titles")
    given = tuple(map(str, range(rows.shape[0]))) if given is None else given
    if len(given) != rows.shape[0]:
        raise InvalidInputError(f"there must be one title for each of {rows.shape[0]:,} vectors; got {len(given):,}")
    names = Names()
    items = tuple(names.of(title) for title in given)
    return Documents(items, given, (), (), unit_rows(rows, items), None)


def skip_sentence(n_documents: int, skipped: Iterable[Skipped]) -> str:
    """Return a sentence on the number of documents left out, with the reasons."""
    reasons = Counter(left_out.reason for left_out in skipped)
    if not reasons:
        return f"{plural(n_documents, 'document')}, none left out"
    counts = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
    return f"{plural(n_documents, 'document')}, of which {sum(reasons.values()):,} left out ({counts})"


def _dense(vectors: ArrayLike) -> FloatArray:
    """Return embeddings as a new float64 array."""
    if is_sparse(vectors):
        raise InvalidInputError("embeddings must be a dense array; got a sparse matrix")
    rows: FloatArray = finite_points(points_of(vectors))
    return rows
