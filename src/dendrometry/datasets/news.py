"""The news data: thirty short stories with topics and times, written for this package."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

from dendrometry._html import preview


@dataclass(frozen=True, eq=False, repr=False)
class News:
    """Thirty short news stories in the order in which they were sent.

    Attributes
    ----------
    titles, texts : tuple of str
        The title and the text of each story.
    topics : tuple of str
        The topic of each story: one of blast, football, grain, interest, law, markets, oil and space.
    minutes : tuple of int
        The time of each story, in minutes after the first.
    """

    titles: tuple[str, ...]
    texts: tuple[str, ...]
    topics: tuple[str, ...]
    minutes: tuple[int, ...]

    @property
    def stories(self) -> list[tuple[str, str]]:
        """The stories as pairs of title and text, for `dendrometry.text.vectorize_documents`."""
        return list(zip(self.titles, self.texts, strict=True))

    def _repr_html_(self) -> str:
        return preview(repr(self), {"minute": self.minutes, "title": self.titles, "topic": self.topics})

    def __repr__(self) -> str:
        return f"News({len(self.titles)} stories, {len(set(self.topics))} topics, {self.minutes[-1]} minutes)"


def news() -> News:
    """Return thirty short news stories on eight topics, sent within four hours.

    The stories are invented. Sixteen are business news, fourteen are not; four stories on an explosion are sent within
    eleven minutes.

    Examples
    --------
    >>> from dendrometry import datasets
    >>> wire = datasets.news()
    >>> wire
    News(30 stories, 8 topics, 240 minutes)
    >>> wire.titles[11], wire.minutes[11], wire.topics[11]
    ('Explosion at chemical plant', 80, 'blast')
    """
    text = files("dendrometry.datasets").joinpath("news.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    titles, texts, topics = (tuple(row[name] for row in rows) for name in ("title", "text", "topic"))
    return News(titles, texts, topics, tuple(int(row["minute"]) for row in rows))
