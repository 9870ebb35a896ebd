"""Near-duplicates: groups of documents linked by cosines at or above a threshold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.names import name_items
from dendrometry._check.numbers import real_number
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural
from dendrometry._html import preview
from dendrometry._kernels.text.duplicates import Links, Lists, Rows, join, lengths_before, link_block, link_rows, roots
from dendrometry._progress import bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.text.collection import Documents, stored_matrix
from dendrometry.text.unit import unit_rows

_ROUNDING = 1e-12  # a cosine this much below the threshold counts as equal to it
_STEPS = 100  # of the progress bar
_BLOCK = 2**25  # cosines of dense rows that are stored at once


@dataclass(frozen=True, eq=False, repr=False)
class NearDuplicates(Frozen):
    """Groups of documents that single linkage joins at or above a threshold.

    Attributes
    ----------
    items : tuple of str
        The names of the documents.
    labels : (n_items,) array of int
        The group of each document, numbered in the order of first members; most groups hold one document.
    links : (n_links, 2) array of int
        The pairs whose cosines joined the groups: a spanning tree of each group.
    similarity : (n_links,) array of float
        The cosine of each link.
    threshold : float
        The least cosine of a link.
    n_compared : int
        The number of pairs whose cosine was computed in full.
    """

    items: tuple[str, ...]
    labels: IntArray
    links: IntArray
    similarity: FloatArray
    threshold: float
    n_compared: int

    @property
    def groups(self) -> list[list[str]]:
        """The groups of two or more documents, the largest first, each in the order of the documents."""
        sizes = np.bincount(self.labels)
        order = np.argsort(self.labels, kind="stable")
        parts = np.split(order, np.cumsum(sizes)[:-1])
        chosen = sorted((part for part in parts if part.size > 1), key=lambda part: -part.size)
        return [[self.items[i] for i in part.tolist()] for part in chosen]

    def _repr_html_(self) -> str:
        groups = self.groups
        return preview(
            repr(self), {"documents": list(map(len, groups)), "group": [", ".join(group) for group in groups]}
        )

    def __repr__(self) -> str:
        groups = self.groups
        inside = sum(map(len, groups))
        return (
            f"NearDuplicates({plural(len(self.items), 'document')}, {plural(len(groups), 'group')} of near-duplicates"
            f" with {inside:,} of them, cosine at least {self.threshold:g})"
        )


def near_duplicates(
    documents: Documents | Any,
    *,
    threshold: float = 0.9,
    item_names: Iterable[str] | None = None,
    progress: bool = False,
) -> NearDuplicates:
    """Return the groups of documents that are linked by cosines at or above a threshold.

    Two documents are in one group if a chain of documents leads from one to the other, each step with a cosine of at
    least the threshold: single linkage, cut at that similarity. The groups are exact. Sparse rows are compared through
    an inverted index with prefix norms [1]_ [2]_: with terms ordered from the most to the least frequent, two rows can
    be similar enough only if both have large norms up to their rarest common term, so that few pairs are compared.
    Dense rows are all compared, by matrix products.

    Parameters
    ----------
    documents : Documents, or (n, d) array or sparse matrix of float
        The documents, or their vectors, of any length.
    threshold : float
        The least cosine that links two documents, above 0 and at most 1. Cosines less than 1e-12 below it count, to
        allow for rounding.
    item_names : sequence of str, optional
        The names of vectors; by default "0", "1", and so on.
    progress : bool
        Whether to draw a progress bar on standard error.

    Returns
    -------
    NearDuplicates
        The groups, the links between documents, and their cosines.

    Raises
    ------
    InvalidInputError
        If the threshold is out of range, or a vector is zero or not finite.

    Notes
    -----
    Memory: about 70 bytes for each number stored in sparse rows and 100 for each row; three copies of dense rows, and
    up to 256 MiB of cosines. Identical rows are joined first, so that copies are not compared. Lower thresholds index
    more terms and compare more pairs, which takes longer; the result stays exact.

    References
    ----------
    .. [1] R. J. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW 2007.
       doi:10.1145/1242572.1242591
    .. [2] D. C. Anastasiu, G. Karypis, "L2AP: fast cosine similarity search with prefix L-2 norm bounds", ICDE 2014.

    Examples
    --------
    >>> from dendrometry.text import vectorize_documents, near_duplicates
    >>> found = near_duplicates(vectorize_documents({
    ...     "first": "grain prices rose again on Monday",
    ...     "other": "the ship left port",
    ...     "copy": "Grain prices rose again on Monday!",
    ...     "edit": "grain prices rose again on Monday morning",
    ... }), threshold=0.7)
    >>> found.groups
    [['first', 'copy', 'edit']]
    >>> found.labels
    array([0, 1, 0, 0])
    """
    limit = check_threshold(threshold)
    vectors, names = _check_vectors(documents, item_names)
    links = _no_links(len(names))
    least = max(limit - _ROUNDING, limit / 2.0)
    distinct = _join_identical(vectors, links)
    if is_sparse(vectors):
        _link_sparse(vectors, distinct, links, least, progress)
    else:
        _link_dense(vectors, distinct, links, least, progress)
    return _result(names, links, limit)


def check_threshold(threshold: object) -> float:
    """Return the threshold, refusing numbers that are not above 0 and at most 1."""
    return real_number(threshold, "threshold", above=0.0, most=1.0)


def _check_vectors(documents: Any, item_names: Iterable[str] | None) -> tuple[Any, tuple[str, ...]]:
    """Return rows of length 1 and their names."""
    if isinstance(documents, Documents):
        if item_names is not None:
            raise InvalidInputError("item_names must not be given with documents, which have names; got both")
        return stored_matrix(documents, "vectors"), documents.items
    rows = finite_points(points_of(documents))
    names = name_items(documents, item_names, rows.shape[0])
    return unit_rows(rows, names), names


def _no_links(n: int) -> Links:
    """Return n groups of one."""
    first, second = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    return Links(np.arange(n), first, second, np.empty(n), np.zeros(2, dtype=np.int64))


def _join_identical(vectors: Any, links: Links) -> IntArray:
    """Join identical rows; return the first of each kind."""
    seen: dict[bytes, int] = {}
    distinct: list[int] = []
    for row in range(vectors.shape[0]):
        parts = _parts(vectors, row)
        key = hashlib.blake2b(b"".join(parts), digest_size=16).digest()
        first = seen.setdefault(key, row)
        if first != row and _parts(vectors, first) == parts:
            join(first, row, 1.0, links)
        else:
            distinct.append(row)
    return np.array(distinct)


def _parts(vectors: Any, row: int) -> list[bytes]:
    """Return one row as bytes."""
    if not is_sparse(vectors):
        return [vectors[row].tobytes()]
    entries = slice(vectors.indptr[row], vectors.indptr[row + 1])
    return [vectors.indices[entries].tobytes(), vectors.data[entries].tobytes()]


def _link_sparse(vectors: Any, distinct: IntArray, links: Links, limit: float, progress: bool) -> None:
    """Join sparse rows through an inverted index."""
    rows, n_columns = _rows(vectors[distinct])
    lists = _lists(rows, n_columns, limit - _ROUNDING)
    n = distinct.size
    found = _no_links(n)
    step = max(1, -(-n // _STEPS))
    with bar("comparing", n, progress) as advance:
        for first in range(0, n, step):
            link_rows(first, min(first + step, n), rows, lists, found, limit)
            advance(min(step, n - first))
    links.tally[1] += found.tally[1]
    for at in range(int(found.tally[0])):
        join(int(distinct[found.first[at]]), int(distinct[found.second[at]]), float(found.similarity[at]), links)


def _rows(inside: Any) -> tuple[Rows, int]:
    """Return rows with their columns numbered from the most to the least frequent, and the number of columns."""
    frequency = np.bincount(inside.indices, minlength=inside.shape[1])
    rank = np.empty(frequency.size, dtype=inside.indices.dtype)
    rank[np.argsort(-frequency, kind="stable")] = np.arange(frequency.size)
    inside.indices = rank[inside.indices]
    inside.has_sorted_indices = False
    inside.sort_indices()
    indptr = inside.indptr.astype(np.int64)
    column = inside.indices.astype(np.int32, copy=False)
    return Rows(indptr, column, inside.data, lengths_before(indptr, inside.data)), frequency.size


def _lists(rows: Rows, n_columns: int, least: float) -> Lists:
    """Return the entries by column, without those up to which the norm of a row is below ``least``."""
    through = np.sqrt(rows.before**2 + rows.weight**2)
    entry = np.flatnonzero(through >= least)
    entry = entry[np.lexsort((-through[entry], rows.column[entry]))]
    size = np.bincount(rows.column[entry], minlength=n_columns)
    row = np.repeat(np.arange(rows.indptr.size - 1, dtype=np.int32), np.diff(rows.indptr))
    return Lists(np.concatenate([[0], np.cumsum(size)]), row[entry], entry, through[entry])


def _link_dense(vectors: FloatArray, distinct: IntArray, links: Links, limit: float, progress: bool) -> None:
    """Join dense rows by the products of all pairs, block by block."""
    rows = vectors[distinct]
    n = rows.shape[0]
    step = max(1, min(1024, _BLOCK // n))
    with bar("comparing", n, progress) as advance:
        for first in range(0, n, step):
            last = min(first + step, n)
            link_block(rows[first:last] @ rows[:last].T, first, distinct, links, limit)
            advance(last - first)
    links.tally[1] += n * (n - 1) // 2


def _result(names: tuple[str, ...], links: Links, threshold: float) -> NearDuplicates:
    """Return the groups of the forest, numbered by their first members."""
    n_links = int(links.tally[0])
    _, labels = np.unique(roots(links.above), return_inverse=True)
    pairs = np.column_stack([links.first[:n_links], links.second[:n_links]])
    similarity = np.clip(links.similarity[:n_links], threshold, 1.0)
    return NearDuplicates(
        names, read_only(labels), read_only(pairs), read_only(similarity), threshold, int(links.tally[1])
    )
