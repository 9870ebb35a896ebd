"""Term counts: documents are read one at a time and counted in one sparse table."""

from __future__ import annotations

import re
import string
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import filterfalse, groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.choices import elements
from dendrometry._check.names import names_of
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.text.collection import Reason
from dendrometry.text.stop_words import ENGLISH

Analyzer = Callable[[str], list[str]]
_PIECE = 2**23  # entries that are sorted and copied at a time
_ASCII = string.ascii_letters + string.digits + "_"
_ASCII_WORDS = bytes(ord(chr(code).lower() if chr(code) in _ASCII else " ") for code in range(256))
_SINGLE = frozenset(_ASCII.lower())
_JOINERS = "\u200c\u200d"  # invisible parts of words in Persian and in Indian scripts
_PLANES = 0x20000  # all combining marks have lower code points


class TermCounts(NamedTuple):
    """Counts of terms: a CSR array, the terms of its columns, and the documents of its rows."""

    counts: Any
    terms: tuple[str, ...]
    kept: BoolArray


def analyzers(stop_words: str | Iterable[str] | None, phrases: bool) -> tuple[Analyzer, Analyzer]:
    """Return a function that splits a text into terms, and one that keeps stop words and forms no phrases."""
    words: frozenset[str] = frozenset()
    if isinstance(stop_words, str) and stop_words == "english":
        words = ENGLISH
    elif stop_words is not None:
        if isinstance(stop_words, str) or not isinstance(stop_words, Iterable):
            raise InvalidInputError(
                Argument("stop_words"), f" must be 'english', None or words; got {printable(stop_words)}"
            )
        given = names_of(elements(stop_words, "stop words"), "stop words")
        words = frozenset(token for word in given for token in _tokens(word))
    in_pairs = flag(phrases, "phrases")
    excluded = words | _SINGLE

    def split(text: str) -> list[str]:
        tokens = list(filterfalse(excluded.__contains__, _runs(text)))
        return tokens + [f"{a} {b}" for a, b in pairwise(tokens)] if in_pairs else tokens

    return split, _tokens


def _tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, as scikit-learn's analyzer does after Unicode normalisation."""
    return [run for run in _runs(text) if len(run) > 1]


def _runs(text: str) -> list[str]:
    """Return the words of a text, possibly with single letters and digits that are not words."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()
    return _word().findall(unicodedata.normalize("NFC", text).lower())


@cache
def _word() -> re.Pattern[str]:
    """Return scikit-learn's pattern of a word, extended by combining marks, such as the vowels of Hindi."""
    marks = (code for code in range(_PLANES) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    runs = [[code for _, code in run] for _, run in groupby(enumerate(marks), lambda pair: pair[1] - pair[0])]
    ranges = "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
    return re.compile(rf"\b\w[\w{_JOINERS}{ranges}]+")


def why_no_terms(text: str | None, plain: Analyzer) -> Reason:
    """Return the reason why a text has no terms; None is a text that could not be decoded."""
    if text is None:
        return "wrong encoding"
    if not text.strip():
        return "empty"
    return "only stop words" if plain(text) else "no words"


class Tally:
    """Counts of terms in documents that are added one at a time.

    They take eight bytes for each term of each document, and the vocabulary; the texts are not stored.
    """

    def __init__(self) -> None:
        self._number: defaultdict[str, int] = defaultdict()
        self._number.default_factory = self._number.__len__
        self._columns, self._values = array("i"), array("i")
        self._lengths = array("i")
        self._pieces: list[tuple[NDArray[np.int32], NDArray[np.int32], int]] = []

    def add(self, terms: list[str]) -> None:
        """Count the terms of the next document."""
        found = Counter(terms)
        number = self._number
        self._columns.extend([number[term] for term in found])
        self._values.extend(found.values())
        self._lengths.append(len(found))
        if len(self._columns) >= _PIECE:
            self._close_piece()

    def finish(self, min_documents: int) -> TermCounts:
        """Return all counts, without terms in fewer than ``min_documents`` documents, and without empty documents."""
        from scipy.sparse import csr_array

        self._close_piece()
        terms, column_of = self._chosen_terms(min_documents)
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        kept_lengths: list[NDArray[Any]] = []
        first = 0
        for at, (columns, values, n_rows) in enumerate(self._pieces):
            column, value, length = _renumber(columns, values, lengths[first : first + n_rows], column_of)
            self._pieces[at] = (column, value, n_rows)
            kept_lengths.append(length)
            first += n_rows
        length = np.concatenate(kept_lengths) if kept_lengths else np.zeros(0, dtype=np.int64)
        indptr = np.concatenate([[0], np.cumsum(length[length > 0])])
        if indptr[-1] < 2**31:
            indptr = indptr.astype(np.int32)  # otherwise SciPy widens both index arrays
        indices, data = self._join(int(indptr[-1]))
        counts = csr_array((data, indices, indptr), shape=(indptr.size - 1, len(terms)))
        counts.has_sorted_indices = True
        counts.has_canonical_format = True
        return TermCounts(counts, terms, length > 0)

    def _close_piece(self) -> None:
        """Store the entries since the last piece as a new piece."""
        done = sum(n_rows for *_, n_rows in self._pieces)
        columns, values = (np.frombuffer(part, dtype=np.int32) for part in (self._columns, self._values))
        if len(self._lengths) > done:
            self._pieces.append((columns, values, len(self._lengths) - done))
        self._columns, self._values = array("i"), array("i")

    def _chosen_terms(self, min_documents: int) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """Return the kept terms in alphabetical order, and the new column of each term, -1 for none."""
        n_terms = len(self._number)
        frequency = np.zeros(n_terms, dtype=np.int64)
        for columns, *_ in self._pieces:
            frequency += np.bincount(columns, minlength=n_terms)
        stays = (frequency >= min_documents).tolist()
        terms = sorted(term for term, number in self._number.items() if stays[number])
        column_of = np.full(n_terms, -1, dtype=np.int32)
        for column, term in enumerate(terms):
            column_of[self._number[term]] = column
        self._number.clear()
        return tuple(terms), column_of

    def _join(self, n_entries: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the columns and values of all pieces; each piece is freed as it is copied."""
        indices, data = np.empty(n_entries, dtype=np.int32), np.empty(n_entries, dtype=np.int32)
        at = 0
        self._pieces.reverse()
        while self._pieces:
            columns, values, _ = self._pieces.pop()
            indices[at : at + columns.size], data[at : at + columns.size] = columns, values
            at += columns.size
        return indices, data


def _renumber(
    columns: NDArray[np.int32], values: NDArray[np.int32], lengths: NDArray[np.int32], column_of: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], IntArray]:
    """Return a piece with the new columns, sorted in each row, and the new lengths of its rows."""
    from scipy.sparse import csr_array

    renumbered = column_of[columns]
    stays = renumbered >= 0
    before = np.concatenate([[0], np.cumsum(stays)])
    indptr = before[np.concatenate([[0], np.cumsum(lengths)])]
    shape = (lengths.size, column_of.size)
    piece = csr_array((values[stays], renumbered[stays], indptr), shape=shape)
    piece.sort_indices()
    return piece.indices, piece.data, np.diff(indptr)


def inverse_frequency(frequency: NDArray[Any], n_documents: int) -> FloatArray:
    """Return ``1 + ln((1 + n) / (1 + df))`` of every term: the weight of one occurrence."""
    weight: FloatArray = 1.0 + np.log((1.0 + n_documents) / (1.0 + frequency))
    return weight


def weigh(counts: Any, weight: FloatArray) -> Any:
    """Return the rows of counts times the weights of their columns, normalised to length 1, with shared indices."""
    from scipy.sparse import csr_array

    data = np.empty(counts.nnz)
    indptr = counts.indptr
    bounds = np.append(np.arange(0, counts.nnz, _PIECE // 4), counts.nnz)
    rows = np.unique(np.searchsorted(indptr, bounds))
    for a, b in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True):
        piece = slice(indptr[a], indptr[b])
        part = counts.data[piece] * weight[counts.indices[piece]]
        length = np.sqrt(np.add.reduceat(part * part, indptr[a:b] - indptr[a]))
        data[piece] = part / np.repeat(length, np.diff(indptr[a : b + 1]))
    made = csr_array((data, counts.indices, indptr), shape=counts.shape)
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made
