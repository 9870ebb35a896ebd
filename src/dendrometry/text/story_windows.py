"""Clusters of new documents within a window of time, from the similarities of each document to those before it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from dendrometry._check.numbers import real_number, whole_number
from dendrometry._display import plain_signature
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError


@plain_signature
class StoryCluster(NamedTuple):
    """Documents that report a new event.

    Attributes
    ----------
    items : tuple of str
        The documents in the order of the stream; the first of them is the first story.
    start, end : float
        The times of the first and of the last document.
    novelty : float
        1 minus the greatest similarity of any of them to a document before the first; 1 if there is none before it.
    similarity : float
        The combination similarity of the cluster by single link: the least similarity of the links that hold it
        together.
    """

    items: tuple[str, ...]
    start: float
    end: float
    novelty: float
    similarity: float


def check_ascending(time: FloatArray, last: float = -np.inf) -> FloatArray:
    """Return times, none of them before the ``last``, refusing those that are not in ascending order."""
    before = np.concatenate([[last], time[:-1]])
    if (time < before).any():
        at = int(np.argmax(time < before))
        raise InvalidInputError(f"times must be in ascending order; got {time[at]:g} after {before[at]:g}, at {at}")
    return time


class _Open(NamedTuple):
    """A document whose window is open: the greatest similarity to those before it, as a staircase, and its links."""

    item: str
    time: float
    rise: list[int]  # documents more similar than all before them, up to the first that makes this one not new
    height: list[float]  # the similarity to each of these
    links: list[tuple[int, float]]

    def greatest_before(self, number: int) -> float:
        """Return the greatest similarity to a document before the one of this number; 0 if none is positive."""
        n_rises = bisect_left(self.rise, number)
        return self.height[n_rises - 1] if n_rises else 0.0


class StoryWindows:
    """The documents from which a window is still open, and the clusters that are found when a window closes.

    Documents are numbered from 0. A document costs time linear in those that it is compared with. A window costs the
    links of the documents in its cluster, or of fewer than ``min_size`` documents if there is none; each document is in
    at most one cluster. So all costs are linear in the number of documents of a window, for each document.
    """

    def __init__(self, window: float, novelty: float, cosine: float, min_size: int) -> None:
        self.window = real_number(window, "window", least=0.0)
        self._most = 1.0 - real_number(novelty, "novelty", least=0.0, most=1.0)
        self._least = real_number(cosine, "cosine", above=0.0, most=1.0)
        self._min_size = whole_number(min_size, "min_size", 1)
        self._open: dict[int, _Open] = {}
        self._taken: set[int] = set()  # those of the open ones that are in a cluster
        self._oldest = self._next = 0

    def is_new(self, greatest: float) -> bool:
        """Whether a document is new, by its greatest similarity to the documents before."""
        return greatest <= self._most

    def add(self, item: str, time: float, similarity: FloatArray) -> None:
        """Add a document, given its similarity to the last ones before it, at least to all whose window is open."""
        greatest = np.maximum.accumulate(similarity)
        steps = np.flatnonzero(greatest > np.concatenate([[0.0], np.maximum(greatest[:-1], 0.0)]))
        steps = steps[: np.count_nonzero(greatest[steps] <= self._most) + 1]
        rise = (steps + (self._next - similarity.size)).tolist()
        made = _Open(item, time, rise, greatest[steps].tolist(), [])
        near = similarity[similarity.size - (self._next - self._oldest) :]
        for at in np.flatnonzero(near >= self._least).tolist():
            link = float(near[at])
            made.links.append((self._oldest + at, link))
            self._open[self._oldest + at].links.append((self._next, link))
        self._open[self._next] = made
        self._next += 1

    def close_before(self, time: float) -> Iterator[StoryCluster]:
        """Yield the clusters of the windows that close before a time, in order, and forget their first documents."""
        while self._oldest < self._next and self._open[self._oldest].time + self.window < time:
            found = self._cluster_from(self._oldest, self._taken)
            del self._open[self._oldest]
            self._taken.discard(self._oldest)
            self._oldest += 1
            if found is not None:
                yield found

    def clusters_so_far(self) -> Iterator[StoryCluster]:
        """Yield the clusters in the open windows, as if no document followed; nothing is closed."""
        taken = self._taken.copy()
        for number in range(self._oldest, self._next):
            found = self._cluster_from(number, taken)
            if found is not None:
                yield found

    def _cluster_from(self, first: int, taken: set[int]) -> StoryCluster | None:
        """Return the cluster that begins with a document, if there is one, and add its documents to ``taken``."""
        begin = self._open[first]
        if first in taken or not self.is_new(begin.greatest_before(first)):
            return None
        members, weakest = {first}, 1.0
        reach = [(-link, number) for number, link in begin.links]
        heapify(reach)
        while reach:
            link, number = heappop(reach)
            if number < first or number in members or number in taken:
                continue
            if self.is_new(self._open[number].greatest_before(first)):
                members.add(number)
                weakest = min(weakest, -link)
                for other, similarity in self._open[number].links:
                    heappush(reach, (-similarity, other))
        if len(members) < self._min_size:
            return None
        taken |= members
        chosen = [self._open[number] for number in sorted(members)]
        before = max(one.greatest_before(first) for one in chosen)
        return StoryCluster(
            tuple(one.item for one in chosen), begin.time, chosen[-1].time, 1.0 - before, min(weakest, 1.0)
        )
