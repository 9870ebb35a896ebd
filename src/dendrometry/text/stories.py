"""First stories: the novelty of each document of a stream relative to all earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature
from dendrometry._files import FilePath
from dendrometry._kernels.text.first_stories import PASS, STRIDE, Room, compare
from dendrometry._kernels.text.story_index import Index, list_documents
from dendrometry._progress import track
from dendrometry._typing import FloatArray
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.text.collection import Reason
from dendrometry.text.counting import analyzers, why_no_terms
from dendrometry.text.names import Names
from dendrometry.text.sources import OnBadEncoding, Raw, TableColumns, in_file, in_iterable
from dendrometry.text.story_columns import StoryColumns
from dendrometry.text.vectorize import StopWords

_UNLISTED = 256  # earlier documents that are compared one by one; more are indexed by term
_COMMON_SHARE = 6  # a term in more than one in so many documents is bounded by lengths in groups of such terms first
_LIST_SHARE = 16  # a term in at most one in so many documents has a list, others have bytes
_GROUPS = 3  # of common terms, by their weights in all documents: 1, 2 and the rest
_MOST_COMMON = 250  # terms
_MOST_BYTES = 2000  # terms that have bytes for all documents, but are not common


@plain_signature
class Story(NamedTuple):
    """A document of a stream, with its novelty.

    Attributes
    ----------
    item, title : str
        The distinct name of the document, and its original title.
    novelty : float or None
        1 minus the greatest cosine with an earlier document, from 0 (a copy) to 1 (no term in common); None for a
        document without terms. If not ``is_exact``, an upper bound of it.
    nearest : str or None
        The earlier document with that cosine, the earliest of equal ones; None if no earlier one shares a term. If not
        ``is_exact``, an earlier document whose cosine is 1 minus the bound.
    is_first : bool
        Whether the novelty is at least the threshold.
    skipped : str or None
        The reason why the document has no terms, if so. It does not count as new, and later documents are not compared
        with it.
    is_exact : bool
        Whether no earlier document can be nearer: always, unless the novelty is less than ``exact_above``.
    """

    item: str
    title: str
    novelty: float | None
    nearest: str | None
    is_first: bool
    skipped: Reason | None
    is_exact: bool = True


class _Wanted(NamedTuple):
    """The least novelty of a first story, and that from which on novelties must be exact."""

    threshold: float
    exact_above: float  # -inf if all must be


def first_stories(
    texts: Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str],
    *,
    threshold: float = 0.8,
    exact_above: float | None = None,
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
    exact_above : float, optional
        From 0 to the threshold: novelties of at least this are exact, and smaller ones may be replaced by an upper
        bound that is also smaller, which takes much less time in long streams. By default all are exact.
    stop_words, phrases, progress
        As for `vectorize_documents`.

    Yields
    ------
    Story
        One for each document, in their order.

    Raises
    ------
    InvalidInputError
        If the threshold or ``exact_above`` is out of range or a text is not a string.

    Notes
    -----
    Memory: about 40 bytes for each distinct term of each document so far, and the vocabulary. For each document, an
    inverted index is read from the rarest term on, until no other document can be the nearest. If that takes more than
    some entries, all earlier documents are bounded: by the rest of the index, by bytes for terms in more than one of 16
    documents, and by lengths in groups of the terms in more than one of six; those that may be nearest are compared.

    With ``exact_above``, a search ends at the first document that shows the novelty to be less, and earlier documents
    are bounded by blocks, the latest first. First stories are the same, with the same novelties to the last bit; only
    they are compared with all earlier documents. So the time for n documents grows as n where there are few of them,
    and as n times their number otherwise.

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
    return _stories(in_iterable(texts), _check_novelties(threshold, exact_above), stop_words, phrases, progress)


def read_first_stories(
    path: FilePath,
    *,
    threshold: float = 0.8,
    exact_above: float | None = None,
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
    threshold, exact_above, stop_words, phrases, progress
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
    return _stories(source, _check_novelties(threshold, exact_above), stop_words, phrases, progress)


def _stories(
    source: Iterator[Raw], wanted: _Wanted, stop_words: StopWords, phrases: bool, progress: bool
) -> Iterator[Story]:
    """Return an iterator over the stories of a source; stop words are checked immediately."""
    split, plain = analyzers(stop_words, phrases)
    return _yield_stories(track(source, "documents", None, progress), split, plain, wanted)


def _yield_stories(source: Iterable[Raw], split: Any, plain: Any, wanted: _Wanted) -> Iterator[Story]:
    """Yield a story for each document, and store the document."""
    names, memory = Names(), _Memory(wanted.exact_above)
    for title, text, _ in source:
        item = names.of(title)
        terms = split(text) if text else []
        if not terms:
            yield Story(item, title, None, None, False, why_no_terms(text, plain))
            continue
        cosine, before = memory.compare(item, terms)
        novelty = max(0.0, 1.0 - cosine)
        novelty = 0.0 if novelty < 1e-12 else novelty
        yield Story(item, title, novelty, before, novelty >= wanted.threshold, None, novelty >= wanted.exact_above)


class _Memory:
    """The documents so far: their terms and counts, weights by the last frequencies, and an index by term."""

    def __init__(self, exact_above: float) -> None:
        self._exact_above = exact_above
        self._items: list[str] = []
        self._columns = StoryColumns()
        self._index = _no_index()
        self._room = _room_for(0, exact_above)
        self._next_weighting = 1

    def compare(self, item: str, terms: list[str]) -> tuple[float, str | None]:
        """Return the greatest cosine with an earlier document and its name; then store this one.

        If the cosine shows that the novelty is less than ``exact_above``, it need not be the greatest.
        """
        n = len(self._items)
        if n >= self._next_weighting:
            self._weigh()
        elif n > _UNLISTED and not self._index.part.size:
            self._list(np.zeros(self._columns.n_terms))
        token = self._columns.tokens(terms)
        self._columns.make_room(n, token.size)
        where, cosine = compare(token, n, self._columns.documents, self._columns.terms, self._index, self._room)
        self._items.append(item)
        return cosine, self._items[where] if where >= 0 else None

    def _weigh(self) -> None:
        """Update the frequencies, and the weights of all documents."""
        n = len(self._items)
        mass = self._columns.weigh(n, n)
        self._next_weighting = n + max(1, n // 10)
        if n > _UNLISTED:
            self._list(mass)

    def _list(self, mass: FloatArray) -> None:
        """Index all documents, with bytes for terms of many documents, in groups by their weights in all documents."""
        n, n_terms = len(self._items), self._columns.n_terms
        frequency = self._columns.terms.frequency[:n_terms]
        common = np.flatnonzero(frequency > n // _COMMON_SHARE)
        common = common[np.argsort(-mass[common], kind="stable")][:_MOST_COMMON]
        place = np.full(n_terms, -1, dtype=np.int32)
        place[common] = np.arange(common.size)
        others = np.flatnonzero((frequency > n // _LIST_SHARE) & (place < 0))
        others = others[np.argsort(-frequency[others], kind="stable")][:_MOST_BYTES]
        place[others] = np.arange(common.size, common.size + others.size)
        begin = np.concatenate([[0], np.cumsum(np.where(place < 0, frequency + frequency // 4 + 2, 0))])
        row, weight = _interleaved(int(begin[-1]))
        self._index = Index(
            begin=begin,
            end=np.where(place < 0, begin[:-1], -1),
            row=row,
            weight=weight,
            place=place,
            group=np.minimum(np.frexp(np.arange(1.0, common.size + 1))[1], _GROUPS).astype(np.int64) - 1,
            part=np.zeros((_GROUPS + others.size, self._next_weighting), dtype=np.uint8),
            slot=np.zeros((self._next_weighting, _GROUPS + common.size), dtype=np.uint8),
        )
        self._room = _room_for(self._next_weighting, self._exact_above)
        self._columns.terms.last[:] = -1
        list_documents(n, self._columns.documents, self._index, self._room.square)


def _no_index() -> Index:
    """Return an index of no documents."""
    row, weight = _interleaved(0)
    return Index(
        begin=np.zeros(1, dtype=np.int64),
        end=np.zeros(0, dtype=np.int64),
        row=row,
        weight=weight,
        place=np.zeros(0, dtype=np.int32),
        group=np.zeros(0, dtype=np.int64),
        part=np.zeros((_GROUPS, 0), dtype=np.uint8),
        slot=np.zeros((0, 0), dtype=np.uint8),
    )


def _interleaved(n: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return columns for rows and weights that are side by side in memory, where they are read together."""
    pairs = np.empty((max(n, 2), 2), dtype=np.int32)  # with fewer, each column would be of another type: contiguous
    return pairs[:, 0], pairs.view(np.float32)[:, 1]


def _room_for(n_rows: int, exact_above: float) -> Room:
    """Return room for searches among at most so many rows."""
    return Room(
        score=np.zeros(n_rows, dtype=np.float32),
        bound=np.zeros(n_rows + PASS, dtype=np.uint16),
        most=np.zeros((n_rows // PASS + 1) * STRIDE, dtype=np.uint16),
        met=np.zeros(n_rows + 1, dtype=np.int32),
        finer=np.zeros(n_rows, dtype=np.int32),
        square=np.zeros(_GROUPS),
        exact_above=exact_above,
    )


def _check_novelties(threshold: object, exact_above: object) -> _Wanted:
    """Return the novelties, refusing numbers that are not from 0 to 1, and bounds that may pass the threshold."""
    least = real_number(threshold, "threshold", least=0.0, most=1.0)
    if exact_above is None:
        return _Wanted(least, -np.inf)
    exact = real_number(exact_above, "exact_above", least=0.0, most=1.0)
    if exact > least:
        raise InvalidInputError(
            Argument("exact_above"), " must be at most ", Argument("threshold"), f", {least:g}; got {exact:g}"
        )
    return _Wanted(least, exact)
