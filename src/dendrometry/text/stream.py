"""A stream of documents: the novelty of each and the clusters of new ones, from the past alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._check.choices import elements
from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature, plural
from dendrometry._files import FilePath
from dendrometry._progress import track
from dendrometry.errors import InvalidInputError
from dendrometry.text.collection import Documents, Reason
from dendrometry.text.counting import analyzers, why_no_terms
from dendrometry.text.names import Names
from dendrometry.text.recent_stories import RecentStories, decay
from dendrometry.text.sources import OnBadEncoding, Raw, TableColumns, in_file, in_iterable
from dendrometry.text.story_windows import StoryCluster, StoryWindows, check_ascending
from dendrometry.text.vectorize import StopWords

_EQUAL = 1e-12  # similarities this near to each other are those of documents alike, summed in another order


@plain_signature
class StreamStory(NamedTuple):
    """A document of a stream, with its novelty, and the clusters that are complete when it arrives.

    Attributes
    ----------
    item, title : str
        The distinct name of the document, and its original title.
    time : float
        When it was sent.
    novelty : float or None
        1 minus the greatest similarity to an earlier document that is remembered, from 0 (a copy) to 1 (no term in
        common); None for a document without terms.
    nearest : str or None
        The document with that similarity, the earliest of equal ones; None if none shares a term.
    is_first : bool
        Whether the novelty is at least that of the stream.
    skipped : str or None
        The reason why the document has no terms, if so. It does not count as new, and later documents are not compared
        with it.
    closed : tuple of StoryCluster
        The clusters whose window has closed since the document before.
    """

    item: str
    title: str
    time: float
    novelty: float | None
    nearest: str | None
    is_first: bool
    skipped: Reason | None
    closed: tuple[StoryCluster, ...]


class StoryStream:
    """First stories and their clusters on a wire, as documents arrive: nothing is known of later ones.

    The similarity of two documents is their cosine, times ``2 ** (-age / half_life)`` for the time between them; it is
    0 if that is longer than ``memory``. The novelty of a document is 1 minus its greatest similarity to an earlier one,
    and is known at once. A cluster is defined as in `story_clusters`: documents sent within ``window`` of its first,
    joined by single link, none of them similar to any document before the first. It is known when the window has
    closed, and is given with the first document sent after that.

    Terms are weighted as in `first_stories`: by their frequencies in the documents before, updated whenever the number
    of documents has grown by a tenth. The cosine of two documents is that by the weights at the time of the later one.

    Parameters
    ----------
    window : float
        The longest time from the first to the last document of a cluster, in any unit.
    novelty : float
        The least novelty of a first story and of each document of a cluster, from 0 to 1.
    cosine : float
        The least similarity of a link, above 0 and at most 1.
    min_size : int
        The least number of documents in a cluster.
    memory : float
        How long a document is remembered, at least ``window``; by default forever. Costs are linear in the number of
        documents remembered.
    half_life : float
        The time after which a similarity counts half; by default similarities do not decay.
    background : Documents, optional
        Documents whose frequencies weight the terms, instead of those of the stream; terms they do not have count as in
        none of them. The weights then never change.
    stop_words, phrases
        As for `vectorize_documents`.

    Raises
    ------
    InvalidInputError
        If an option is out of range, or the background has no counts of terms.

    See Also
    --------
    story_clusters : The same clusters when all documents are known, and weighted together.
    first_stories : The novelty of each document of a stream without times.

    Notes
    -----
    For each document, the entries of its terms in the documents remembered are read, and its similarities to them are
    gone through once. When weights change, those of all documents remembered are computed anew, and one number for each
    term of the stream. Memory: the documents remembered, the terms of all documents, and all their names.

    A stream can be pickled or copied, to go on with it later.

    References
    ----------
    .. [1] Y. Yang, T. Pierce and J. Carbonell, "A study of retrospective and on-line event detection", SIGIR, 1998:
       frequencies, windows and decay from the past alone. doi:10.1145/290941.290953

    Examples
    --------
    >>> from dendrometry import datasets
    >>> from dendrometry.text import StoryStream
    >>> wire = datasets.news()
    >>> stream = StoryStream(window=15)
    >>> for story in stream.extend(wire.stories, wire.minutes):
    ...     for cluster in story.closed:
    ...         print(f"minute {story.time:g}: {len(cluster.items)} on {cluster.items[0]}")
    minute 100: 4 on Explosion at chemical plant
    """

    def __init__(
        self,
        *,
        window: float,
        novelty: float = 0.8,
        cosine: float = 0.4,
        min_size: int = 3,
        memory: float = np.inf,
        half_life: float = np.inf,
        background: Documents | None = None,
        stop_words: StopWords = "english",
        phrases: bool = False,
    ) -> None:
        self._windows = StoryWindows(window, novelty, cosine, min_size)
        self._novelty = float(novelty)
        self._memory = real_number(memory, "memory", least=self._windows.window, finite=False)
        self._half_life = real_number(half_life, "half_life", above=0.0, finite=False)
        if isinstance(stop_words, Iterable) and not isinstance(stop_words, str):
            stop_words = tuple(elements(stop_words, "stop words"))  # to be read again in a copy
        self._words = (stop_words, phrases)
        self._analyzers = analyzers(*self._words)
        self._recent = RecentStories(background)
        self._names = Names()
        self._time = -np.inf
        self._n_documents = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_analyzers"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _analyzers=analyzers(*state["_words"]))

    def __repr__(self) -> str:
        return f"StoryStream({plural(self._n_documents, 'document')}, {self._recent.n_rows:,} remembered)"

    def add(self, text: str | tuple[str, str], time: float) -> StreamStory:
        """Return the novelty of the next document: a text, or its title and text.

        Parameters
        ----------
        text : str, or (title, text) pair
            The document; without a title, it is called by its position in the stream.
        time : float
            When it was sent, no earlier than the document before.

        Raises
        ------
        InvalidInputError
            If the text is not a string, or the time is earlier than that of the document before.

        Examples
        --------
        >>> from dendrometry.text import StoryStream
        >>> stream = StoryStream(window=1.0, half_life=10.0)
        >>> stream.add("storm hits the coast", 0.0).novelty
        1.0
        >>> stream.add("storm hits the coast", 10.0).novelty
        0.5
        """
        (story,) = self.extend([text], [time])
        return story

    def extend(
        self, texts: Iterable[str | tuple[str, str]] | Mapping[str, str], times: Iterable[float]
    ) -> tuple[StreamStory, ...]:
        """Return the novelty of each of the next documents. They may come in batches of any size.

        Parameters
        ----------
        texts : iterable of str, or of (title, text) pairs, or mapping from title to text
            The documents; without a title, each is called by its position in the stream.
        times : (n,) array-like of float
            When each was sent, in ascending order; times may be equal.

        Raises
        ------
        InvalidInputError
            If a text is not a string, or the times do not fit the texts or are not in order. Nothing is added then.

        Examples
        --------
        >>> from dendrometry.text import StoryStream
        >>> stream = StoryStream(window=2.0, min_size=2)
        >>> stories = stream.extend(["storm hits coast", "coast hit by storm", "grain prices rise"], [0, 1, 1])
        >>> [story.is_first for story in stories], [cluster.items for cluster in stream.clusters_so_far()]
        ([True, False, True], [('0', '1')])
        """
        documents = list(in_iterable(texts, self._n_documents))
        time = float_column(times, "times")
        if time.size != len(documents):
            n = plural(len(documents), "document")
            raise InvalidInputError(f"there must be one time for each of {n}; got {time.size:,}")
        check_ascending(time, self._time)
        return tuple(self._add(raw, sent) for raw, sent in zip(documents, time.tolist(), strict=True))

    def read(
        self,
        path: FilePath,
        *,
        time: str,
        text: str = "text",
        title: str | None = None,
        encoding: str = "utf-8",
        on_bad_encoding: OnBadEncoding = "error",
        progress: bool = False,
    ) -> Iterator[StreamStory]:
        r"""Yield the novelty of each document of a table, one row after the other.

        Parameters
        ----------
        path : str or path
            A .csv, .tsv or .parquet table with one document in each row.
        time : str
            The column of times: numbers, or dates as in ISO 8601, which are counted in days. In ascending order.
        text, title, encoding, on_bad_encoding
            As for `read_documents`.
        progress : bool
            Whether to show a progress bar in the terminal.

        Raises
        ------
        InvalidInputError
            If the file cannot be read or holds no document, a column does not exist, or times are not in order.
        FormatError
            If the table is malformed, or holds a text in another encoding or a time that is none; the message names the
            file and the line.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from dendrometry.text import StoryStream
        >>> table = pathlib.Path(tempfile.mkdtemp(), "news.csv")
        >>> _ = table.write_text("sent,text\n2026-03-01,storm hits coast\n2026-03-02 12:00,coast hit by storm\n")
        >>> stream = StoryStream(window=2.0)
        >>> [(story.time - 20513, story.is_first) for story in stream.read(table, time="sent")]
        [(0.0, True), (1.5, False)]
        """
        source = in_file(path, TableColumns(text, title, time), encoding, on_bad_encoding)
        return self._read(track(source, "documents", None, progress))

    def clusters_so_far(self) -> tuple[StoryCluster, ...]:
        """Return the clusters in windows that are still open, as if the stream ended here; it may go on."""
        return tuple(self._windows.clusters_so_far())

    def _read(self, source: Iterable[Raw]) -> Iterator[StreamStory]:
        """Yield a story for each document of a table."""
        for raw in source:
            (time,) = check_ascending(np.array([raw.time]), self._time).tolist()
            yield self._add(raw, time)

    def _add(self, raw: Raw, time: float) -> StreamStory:
        """Compare a document with those remembered, and store it."""
        item = self._names.of(raw.title)
        self._n_documents += 1
        self._time = time
        closed = tuple(self._windows.close_before(time))
        split, plain = self._analyzers
        terms = split(raw.text) if raw.text else []
        if not terms:
            reason = why_no_terms(raw.text, plain)
            return StreamStory(item, raw.title, time, None, None, False, reason, closed)
        self._recent.forget(time, self._memory)
        cosine = self._recent.compare(item, terms, time)
        similarity = decay(cosine, self._recent.times[:-1], time, self._half_life)
        self._windows.add(item, time, similarity)
        greatest = float(similarity.max(initial=0.0))
        nearest = self._recent.item(int(np.argmax(similarity >= greatest - _EQUAL))) if greatest > 0.0 else None
        new = 0.0 if 1.0 - greatest < _EQUAL else 1.0 - greatest
        return StreamStory(item, raw.title, time, new, nearest, self._windows.is_new(greatest), None, closed)
