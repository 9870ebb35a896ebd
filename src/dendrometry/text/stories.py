"""First stories: the novelty of each document of a stream relative to all earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature
from dendrometry._files import FilePath
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.text.first_stories import Past, Room, nearest
from dendrometry._progress import track
from dendrometry.text.collection import Reason
from dendrometry.text.counting import analyzers, inverse_frequency, why_no_terms
from dendrometry.text.names import Names
from dendrometry.text.sources import OnBadEncoding, Raw, TableColumns, in_file, in_iterable
from dendrometry.text.vectorize import StopWords

__all__ = ["Story", "first_stories", "read_first_stories"]

_UNLISTED = 256  # earlier documents that are compared one by one before they are indexed by term
_LISTED_SHARE = 32
_ROUNDED = 1e-6  # more than a length in single precision may lack
_GROUPS = 8  # of common terms, by their weights in all documents: 1, 2, 4 and so on, the rest in the last
_COMMON_SHARE = 8  # a term in more than one in so many documents is bounded by lengths before its list is read


@plain_signature
class Story(NamedTuple):
    """A document of a stream, with its novelty.

    Attributes
    ----------
    item, title : str
        The distinct name of the document, and its original title.
    novelty : float or None
        1 minus the greatest cosine with an earlier document, from 0 (a copy) to 1 (no term in common); None for a
        document without terms.
    nearest : str or None
        The earlier document with that cosine, the earliest of equal ones; None if no earlier one shares a term.
    is_first : bool
        Whether the novelty is at least the threshold.
    skipped : str or None
        The reason why the document has no terms, if so. It does not count as new, and later documents are not compared
        with it.
    """

    item: str
    title: str
    novelty: float | None
    nearest: str | None
    is_first: bool
    skipped: Reason | None


def first_stories(
    texts: Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str],
    *,
    threshold: float = 0.8,
    stop_words: StopWords = "english",
    phrases: bool = False,
    progress: bool = False,
) -> Iterator[Story]:
    """Yield the novelty of each document of a stream: 1 minus its greatest cosine with an earlier one.

    Documents are weighted as in `vectorize_documents`, with the frequencies in earlier documents only: a term in ``df``
    of the ``n`` earlier documents has the weight ``1 + ln((1 + n) / (1 + df))``. The frequencies, and the weights of
    all earlier documents, are updated whenever the number of documents has grown by a tenth (for each of the first 20);
    so any two documents are compared by the same weights, and a copy of an earlier document has novelty 0. The nearest
    document is exact.

    Parameters
    ----------
    texts : iterable of str, or of (title, text) pairs, or mapping from title to text
        The stream; one document is read for each story requested, so it need not end.
    threshold : float
        The least novelty of a first story, from 0 to 1.
    stop_words, phrases, progress
        As for `vectorize_documents`.

    Yields
    ------
    Story
        One for each document, in their order.

    Raises
    ------
    InvalidInputError
        If the threshold is out of range or a text is not a string.

    Notes
    -----
    Memory: about 40 bytes for each distinct term of each document so far, and the vocabulary. For each document, an
    inverted index is read from the rarest term on, until no other document can be the nearest; if that takes all but
    the terms in more than an eighth of the documents, all documents are bounded by their lengths in these terms, and
    those that may be nearest are compared.

    Examples
    --------
    >>> from dendrometry.text import first_stories
    >>> stream = ["storm hits the coast", "grain prices rise", "the storm leaves the coast", "storm hits the coast"]
    >>> for story in first_stories(stream):
    ...     print(story.item, round(story.novelty, 2), story.nearest, story.is_first)
    0 1.0 None True
    1 1.0 None True
    2 0.44 0 False
    3 0.0 0 False
    """
    return _stories(in_iterable(texts), _check_novelty(threshold), stop_words, phrases, progress)


def read_first_stories(
    path: FilePath,
    *,
    threshold: float = 0.8,
    text: str = "text",
    title: str | None = None,
    encoding: str = "utf-8",
    on_bad_encoding: OnBadEncoding = "error",
    stop_words: StopWords = "english",
    phrases: bool = False,
    progress: bool = False,
) -> Iterator[Story]:
    r"""Yield the novelty of each document of a folder or a table, in the order of its files or rows.

    Parameters
    ----------
    path, text, title, encoding, on_bad_encoding
        As for `read_documents`.
    threshold, stop_words, phrases, progress
        As for `first_stories`.

    Raises
    ------
    InvalidInputError
        If the path cannot be read or holds no document, a column does not exist, or an option is out of range.
    FormatError
        If a table is malformed or a text has another encoding; the message names the file, and the line or byte.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dendrometry.text import read_first_stories
    >>> table = pathlib.Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = table.write_text("title,text\nMon,storm hits coast\nTue,grain prices rise\nWed,coast hit by storm\n")
    >>> [story.title for story in read_first_stories(table) if story.is_first]
    ['Mon', 'Tue']
    """
    source = in_file(path, TableColumns(text, title), encoding, on_bad_encoding)
    return _stories(source, _check_novelty(threshold), stop_words, phrases, progress)


def _stories(
    source: Iterator[Raw], threshold: float, stop_words: StopWords, phrases: bool, progress: bool
) -> Iterator[Story]:
    """Return an iterator over the stories of a source; stop words are checked immediately."""
    split, plain = analyzers(stop_words, phrases)
    return _yield_stories(track(source, "documents", None, progress), split, plain, threshold)


def _yield_stories(source: Iterable[Raw], split: Any, plain: Any, threshold: float) -> Iterator[Story]:
    """Yield a story for each document, and store the document."""
    names, memory = Names(), _Memory()
    for title, text in source:
        item = names.of(title)
        terms = split(text) if text else []
        if not terms:
            yield Story(item, title, None, None, False, why_no_terms(text, plain))
            continue
        cosine, before = memory.compare(item, terms)
        novelty = max(0.0, 1.0 - cosine)
        novelty = 0.0 if novelty < 1e-12 else novelty
        yield Story(item, title, novelty, before, novelty >= threshold, None)


class _Memory:
    """The documents so far: their terms and counts, weights by the last frequencies, and lists by term."""

    def __init__(self) -> None:
        self._items: list[str] = []
        self._number: dict[str, int] = {}
        self._frequency = np.zeros(16, dtype=np.int64)
        self._idf = np.ones(16)
        self._dense = np.zeros(16)
        self._indptr = np.zeros(16, dtype=np.int64)
        self._column = np.zeros(16, dtype=np.int32)
        self._count = np.zeros(16)
        self._weight = np.zeros(16)
        self._score = np.zeros(16, dtype=np.float32)
        self._bound = np.zeros(16, dtype=np.float32)
        self._most = np.zeros(16, dtype=np.float32)
        self._met = np.zeros(17, dtype=np.int32)
        no_row: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        no_weight: NDArray[np.float32] = np.zeros(0, dtype=np.float32)
        no_group: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        no_parts: NDArray[np.float32] = np.zeros((0, _GROUPS), dtype=np.float32)
        self._lists = (np.zeros(1, dtype=np.int64), no_row, no_weight, no_group, no_weight, no_parts)
        self._n_listed = 0
        self._next_weighting = 1

    def compare(self, item: str, terms: list[str]) -> tuple[float, str | None]:
        """Return the greatest cosine with an earlier document and its name; then store this one."""
        if len(self._items) >= self._next_weighting:
            self._weigh()
        if len(self._items) - self._n_listed > max(_UNLISTED, len(self._items) // _LISTED_SHARE):
            self._list()
        found = Counter(terms)
        column = np.array([self._number.setdefault(term, len(self._number)) for term in found])
        self._make_room(column.size)
        count = np.array(list(found.values()), dtype=np.float64)
        weight = count * self._idf[column]
        weight /= np.sqrt((weight * weight).sum())
        where, cosine = self._nearest(column, weight)
        before = self._items[where] if where >= 0 else None
        self._remember(item, column, count, weight)
        return cosine, before

    def _nearest(self, column: IntArray, weight: FloatArray) -> tuple[int, float]:
        """Return the number of the nearest earlier document, and its cosine."""
        n = len(self._items)
        past = Past(self._indptr, self._column, self._weight, *self._lists, self._n_listed, n)
        self._dense[column] = weight
        room = Room(self._score, self._bound, self._most, self._met)
        found = nearest(column[np.argsort(self._frequency[column], kind="stable")], self._dense, past, room)
        self._dense[column] = 0.0
        return found

    def _remember(self, item: str, column: IntArray, count: FloatArray, weight: FloatArray) -> None:
        """Append a document."""
        n = len(self._items)
        a, b = self._indptr[n], self._indptr[n] + column.size
        self._column[a:b], self._count[a:b], self._weight[a:b] = column, count, weight
        self._indptr[n + 1] = b
        self._frequency[column] += 1
        self._items.append(item)

    def _weigh(self) -> None:
        """Update the frequencies, and the weights of all documents."""
        n, n_terms = len(self._items), len(self._number)
        self._idf[:] = inverse_frequency(np.zeros(1), n)[0]
        self._idf[:n_terms] = inverse_frequency(self._frequency[:n_terms], n)
        indptr = self._indptr[: n + 1]
        weight = self._count[: indptr[-1]] * self._idf[self._column[: indptr[-1]]]
        length = np.sqrt(np.add.reduceat(weight * weight, indptr[:-1]))
        self._weight[: indptr[-1]] = weight / np.repeat(length, np.diff(indptr))
        self._next_weighting = n + max(1, n // 10)
        if self._n_listed:
            self._list()

    def _list(self) -> None:
        """List all documents by term, and find their lengths in the terms of many documents."""
        from scipy.sparse import csr_array

        n, n_terms = len(self._items), len(self._number)
        indptr = self._indptr[: n + 1]
        entries = slice(0, int(indptr[-1]))
        weight, column = self._weight[entries], self._column[entries]
        listed = csr_array((weight.astype(np.float32), column, indptr), shape=(n, n_terms)).tocsc()
        begin = listed.indptr.astype(np.int64)
        many = np.flatnonzero(np.diff(begin) > n // _COMMON_SHARE)
        mass = np.concatenate([[0.0], np.cumsum(listed.data.astype(np.float64) ** 2)])
        many = many[np.argsort(mass[begin[many]] - mass[begin[many + 1]], kind="stable")]
        group = np.full(n_terms, -1, dtype=np.int8)
        group[many] = np.minimum(np.frexp(np.arange(1, many.size + 1))[1], _GROUPS) - 1
        of_entry = group[column]
        common = np.flatnonzero(of_entry >= 0)
        row = np.repeat(np.arange(n) * _GROUPS, np.diff(indptr))
        square = np.bincount(row[common] + of_entry[common], weight[common] ** 2, n * _GROUPS).reshape(n, _GROUPS)
        common_length = _single_above(np.sqrt(square.sum(axis=1)))
        parts = _single_above(np.sqrt(square))
        self._lists = (begin, listed.indices.astype(np.int32, copy=False), listed.data, group, common_length, parts)
        self._n_listed = n

    def _make_room(self, n_new: int) -> None:
        """Extend the columns to hold one more document with ``n_new`` terms."""
        n, n_terms = len(self._items), len(self._number)
        for name in ("_frequency", "_dense", "_idf"):
            fill = self._idf[-1] if name == "_idf" else 0  # the last entry is the weight of unknown terms
            setattr(self, name, _longer(getattr(self, name), n_terms + 1, fill))
        for name in ("_column", "_count", "_weight"):
            setattr(self, name, _longer(getattr(self, name), int(self._indptr[n]) + n_new, 0))
        self._indptr = _longer(self._indptr, n + 2, 0)
        self._score = _longer(self._score, n + 1, 0)
        self._bound = _longer(self._bound, n + 1, 0)
        self._most = _longer(self._most, n + 1, 0)
        self._met = _longer(self._met, n + 2, 0)


def _longer(column: Any, needed: int, fill: float) -> Any:
    """Return a column with at least ``needed`` values: itself, or a copy at least half as long again."""
    if needed <= column.size:
        return column
    longer = np.full(max(needed, column.size * 3 // 2), fill, dtype=column.dtype)
    longer[: column.size] = column
    return longer


def _single_above(length: FloatArray) -> NDArray[np.float32]:
    """Return lengths in single precision, none less than it was."""
    return length.astype(np.float32) + np.float32(_ROUNDED)


def _check_novelty(threshold: object) -> float:
    """Return the threshold, refusing numbers that are not from 0 to 1."""
    return real_number(threshold, "threshold", least=0.0, most=1.0)
