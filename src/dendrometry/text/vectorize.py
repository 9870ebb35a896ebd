"""Texts as TF-IDF vectors: terms are counted, weighted by inverse document frequency, and normalised to length 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._files import FilePath
from dendrometry._progress import track
from dendrometry._typing import FloatArray
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.text.collection import Documents, Reason, Skipped, skip_sentence
from dendrometry.text.counting import Tally, analyzers, inverse_frequency, weigh, why_no_terms
from dendrometry.text.names import Names
from dendrometry.text.sources import OnBadEncoding, Raw, TableColumns, in_file, in_iterable
from dendrometry.text.unit import unit_rows

StopWords = str | Iterable[str] | None
NumberOfDimensions = int | Literal["auto"] | None
_DIMENSIONS = 100  # those of "auto": see the study document-trees
_NOTHING = 1e-12  # a unit vector shorter than this in the kept dimensions is a rounding error


class _Plan(NamedTuple):
    """The options of `vectorize_documents`, checked."""

    stop_words: StopWords
    min_documents: int
    phrases: bool
    n_dimensions: NumberOfDimensions
    rng: np.random.Generator
    progress: bool


def vectorize_documents(
    texts: Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str],
    *,
    stop_words: StopWords = "english",
    min_documents: int = 1,
    phrases: bool = False,
    n_dimensions: NumberOfDimensions = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Documents:
    """Return documents as unit vectors of tf-idf weights.

    The weight of a term in a document is its number of occurrences times ``1 + ln((1 + n) / (1 + df))``, where ``df``
    of the ``n`` documents contain it; each row is then normalised to length 1. Terms are words of two or more letters
    or digits in lower case, found and weighted as by scikit-learn's `TfidfVectorizer`; in addition, combining marks,
    such as the vowels of Hindi, are parts of words, and composed and decomposed accents are the same.

    Parameters
    ----------
    texts : iterable of str, or of (title, text) pairs, or mapping from title to text
        The documents; they are read once, one at a time, and not stored. Without titles they are called "0", "1",
        and so on.
    stop_words : "english", iterable of str, or None
        The words that are not terms.
    min_documents : int
        The least number of documents that must contain a term; rarer terms are left out.
    phrases : bool
        Whether pairs of successive words (without stop words) are terms too.
    n_dimensions : int, "auto" or None
        The number of dimensions for a truncated SVD of the vectors (latent semantic analysis); they are then dense.
        None keeps the terms; "auto" takes 100 dimensions if there are more documents and more terms, and else keeps
        the terms.
    rng : numpy Generator, int or None
        The source of random numbers for the randomised SVD. The default seed, 0, gives the same result in every call;
        None does not.
    progress : bool
        Whether to show the number of documents read on standard error.

    Returns
    -------
    Documents
        The documents with terms; the others are listed in ``skipped``, each with its reason.

    Raises
    ------
    InvalidInputError
        If no document is left, a text is not a string, or an option is out of range.

    Notes
    -----
    Memory: 16 bytes for each distinct term of each document, and the vocabulary. Documents with the same counts of
    terms have identical vectors.

    Examples
    --------
    >>> from dendrometry.text import vectorize_documents
    >>> found = vectorize_documents({"port": "The ship left the port.", "dock": "A ship at the dock", "blank": " "})
    >>> found
    Documents(2 documents, 4 terms, 1 skipped)
    >>> found.terms, found.skipped
    (('dock', 'left', 'port', 'ship'), (Skipped(item='blank', reason='empty'),))
    >>> found.vectors.toarray().round(2)
    array([[0.  , 0.63, 0.63, 0.45],
           [0.81, 0.  , 0.  , 0.58]])
    """
    plan = _check_options(stop_words, min_documents, phrases, n_dimensions, rng, progress)
    return _vectors(in_iterable(texts), plan)


def read_documents(
    path: FilePath,
    *,
    text: str = "text",
    title: str | None = None,
    encoding: str = "utf-8",
    on_bad_encoding: OnBadEncoding = "error",
    stop_words: StopWords = "english",
    min_documents: int = 1,
    phrases: bool = False,
    n_dimensions: NumberOfDimensions = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> Documents:
    r"""Return the documents of a folder or a table as unit vectors of tf-idf weights.

    Parameters
    ----------
    path : str or path
        A folder in which every file is a document (files in subfolders included, hidden ones excluded, in order of
        name; the title is the path inside the folder); or a .csv, .tsv or .parquet file with a row for each document.
        Documents are read one at a time (from Parquet, by row groups).
    text, title : str
        The columns of a table with texts and titles; titles may be whole numbers. The default for ``title`` is the
        column "title", if it exists; otherwise rows are called "0", "1", and so on.
    encoding : str
        The encoding of files and delimited tables; UTF-8 may start with a byte order mark.
    on_bad_encoding : {"error", "skip"}
        What to do with a file or row in another encoding: raise an error, or leave it out and list it in ``skipped``.
    stop_words, min_documents, phrases, n_dimensions, rng, progress
        As for `vectorize_documents`.

    Raises
    ------
    InvalidInputError
        If the path cannot be read, a column does not exist, no document is left, or an option is out of range.
    FormatError
        If a table is malformed or a text has another encoding; the message names the file, and the line or byte.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dendrometry.text import read_documents
    >>> table = pathlib.Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = table.write_text("headline,body\nHarbour,The ship left\nNight,and then\n")
    >>> found = read_documents(table, text="body", title="headline")
    >>> found.items, found.terms, found.skipped
    (('Harbour',), ('left', 'ship'), (Skipped(item='Night', reason='only stop words'),))
    """
    plan = _check_options(stop_words, min_documents, phrases, n_dimensions, rng, progress)
    return _vectors(in_file(path, TableColumns(text, title), encoding, on_bad_encoding), plan)


def _check_options(
    stop_words: StopWords, min_documents: Any, phrases: bool, n_dimensions: Any, rng: Any, progress: bool
) -> _Plan:
    """Return the options, refusing those out of range."""
    whole_number(min_documents, "min_documents", 1)
    if n_dimensions not in (None, "auto"):
        whole_number(n_dimensions, "n_dimensions", 1, also="None or 'auto'")
    return _Plan(stop_words, min_documents, phrases, n_dimensions, random_generator(rng), progress)


def _vectors(source: Iterator[Raw], plan: _Plan) -> Documents:
    """Return the documents of a source with their vectors."""
    tally = Tally()
    names, outcome = _count_terms(source, plan, tally)
    if not outcome:
        raise InvalidInputError("there must be at least one document; got none")
    counts, terms, kept = tally.finish(plan.min_documents)
    left = iter(kept.tolist())
    outcome = [reason if reason or next(left) else "only rare terms" for reason in outcome]
    _check_some_left(names, outcome)
    vectors = weigh(counts, inverse_frequency(np.bincount(counts.indices, minlength=len(terms)), counts.shape[0]))
    n_dimensions = plan.n_dimensions
    if n_dimensions == "auto":
        n_dimensions = _DIMENSIONS if min(vectors.shape) > _DIMENSIONS else None
    if n_dimensions is not None:
        vectors = _reduce(vectors, n_dimensions, plan.rng)
        rows = np.linalg.norm(vectors, axis=1) > _NOTHING
        there = iter(rows.tolist())
        outcome = [reason if reason or next(there) else "nothing in the dimensions" for reason in outcome]
        _check_some_left(names, outcome)
        counts, vectors = counts[rows], vectors[rows]
    return _result(names, outcome, counts, vectors, terms)


def _count_terms(source: Iterator[Raw], plan: _Plan, tally: Tally) -> tuple[list[tuple[str, str]], list[Reason | None]]:
    """Count the terms of all documents; return their names and titles, and the reasons of those without terms."""
    split, plain = analyzers(plan.stop_words, plan.phrases)
    given = Names()
    names: list[tuple[str, str]] = []
    outcome: list[Reason | None] = []
    for title, text, _ in track(source, "documents", None, plan.progress):
        names.append((given.of(title), title))
        terms = split(text) if text else []
        if terms:
            tally.add(terms)
        outcome.append(None if terms else why_no_terms(text, plain))
    return names, outcome


def _check_some_left(names: list[tuple[str, str]], outcome: list[Reason | None]) -> None:
    """Refuse documents that are all left out."""
    if all(outcome):
        raise InvalidInputError(
            "at least one document must have a term;"
            f" got {skip_sentence(len(names), (Skipped('', reason) for reason in outcome if reason))}"
        )


def _reduce(vectors: Any, n_dimensions: int, rng: np.random.Generator) -> FloatArray:
    """Return the rows in the directions of the largest singular values, not yet normalised."""
    TruncatedSVD = require("sklearn.decomposition", extra="text", for_=Argument("n_dimensions")).TruncatedSVD
    most = min(vectors.shape)
    if n_dimensions > most:
        raise InvalidInputError(
            Argument("n_dimensions"), f" must be at most {most:,} (documents and terms); got {printable(n_dimensions)}"
        )
    seed = int(rng.integers(2**31))
    with np.errstate(invalid="ignore", divide="ignore"):  # shares of the variance, where there is none
        rows: FloatArray = TruncatedSVD(n_dimensions, random_state=seed).fit_transform(vectors)
    return rows


def _result(
    names: list[tuple[str, str]], outcome: list[Reason | None], counts: Any, vectors: Any, terms: tuple[str, ...]
) -> Documents:
    """Return the kept documents, with those that were left out."""
    kept = [pair for pair, reason in zip(names, outcome, strict=True) if reason is None]
    skipped = tuple(Skipped(pair[0], reason) for pair, reason in zip(names, outcome, strict=True) if reason)
    items, titles = tuple(pair[0] for pair in kept), tuple(pair[1] for pair in kept)
    if isinstance(vectors, np.ndarray):
        vectors = unit_rows(vectors, items)
    return Documents(items, titles, terms, skipped, vectors, counts)
