"""Containment: how much of each tree is in the other, and how finely each resolves the items."""

from dataclasses import dataclass
from math import comb
from typing import Any

from dendrometry._display import percent, plural
from dendrometry.tree_pair.contraction import exact_dot
from dendrometry.tree_pair.pair import Tree, joined_pairs
from dendrometry.tree_pair.shared_clusters import proper
from dendrometry.tree_pair.statistics import PairStatistics

_UNLIKE = 0.8  # of the triples that the finer tree resolves: below this the coarser one leaves much open
_MOST_ITEMS = 100_000  # to count triples in common in at most a few seconds


@dataclass(frozen=True)
class Containment:
    """How much of each tree is in the other, and how finely each resolves the items.

    Clusters of single items and of all items, which every tree has, are not counted. A tree resolves a triple of items
    if it joins two of them before the third.

    Attributes
    ----------
    n_clusters : pair of int
        The number of clusters of the first and of the second tree.
    n_common : int
        The number of clusters that both have.
    n_resolved : pair of int
        The number of triples that the first and the second tree resolve.
    n_alike : int or None
        The number of triples that both resolve alike; None if counting them would take long.
    n_triples : int
        The number of all triples.
    """

    n_clusters: tuple[int, int]
    n_common: int
    n_resolved: tuple[int, int]
    n_alike: int | None
    n_triples: int

    @property
    def clusters(self) -> tuple[float | None, float | None]:
        """The shares of the clusters of the first tree and of the second that the other has; None without clusters."""
        return _shares(self.n_common, self.n_clusters)

    @property
    def triples(self) -> tuple[float | None, float | None]:
        """The shares of the triples resolved by the first tree and by the second that the other resolves alike."""
        return (None, None) if self.n_alike is None else _shares(self.n_alike, self.n_resolved)

    @property
    def resolution(self) -> tuple[float | None, float | None]:
        """The shares of all triples that the first and the second tree resolve; 1 for a binary tree."""
        return (None, None) if self.n_triples == 0 else tuple(n / self.n_triples for n in self.n_resolved)  # type: ignore[return-value]

    @property
    def coarser(self) -> int | None:
        """The tree that leaves much open that the other resolves: 0 for the first, 1 for the second, or None."""
        few, many = sorted(self.n_resolved)
        return None if few >= _UNLIKE * many else self.n_resolved.index(few)

    @property
    def likeness(self) -> float | None:
        """The share of the triples of the coarser tree resolved alike, adjusted for chance; None if that is unknown."""
        share = None if self.coarser is None else self.triples[self.coarser]
        if self.coarser is None or share is None:
            return None
        by_chance = self.n_resolved[1 - self.coarser] / (3 * self.n_triples)
        return (share - by_chance) / (1.0 - by_chance)

    @property
    def contained(self) -> int | None:
        """The tree whose clusters all occur in the other, which has more: 0 (the first), 1 (the second), or None."""
        a, b = self.n_clusters
        if a == b or self.n_common < min(a, b) or self.n_common == 0:
            return None
        return 0 if a < b else 1

    @property
    def is_same(self) -> bool:
        """Whether both trees have the same clusters."""
        return self.n_common == max(self.n_clusters) > 0

    def tell(self, names: tuple[str, str]) -> list[str]:
        """Return what is in each tree of the other, and the resolution of both, as sentences with their names."""
        sentences = []
        for own, other in ((0, 1), (1, 0)):
            first, second, share = names[own], names[other], self.triples[own]
            clusters = f"{self.n_common:,} of {plural(self.n_clusters[own], 'cluster')}"
            triples = "" if share is None else f" and {percent(share)} of the resolved triples of items"
            if self.n_clusters[own]:
                sentences.append(f"{first} in {second}: {clusters}{triples}")
            else:
                sentences.append(f"{first} in {second}: its only clusters are single items and all items")
        if self.n_triples:
            a, b = (percent(n / self.n_triples) for n in self.n_resolved)
            sentences.append(f"resolved, of all triples of items: {a} by {names[0]}, {b} by {names[1]}")
        return sentences

    def summary(self) -> dict[str, Any]:
        """Return the shares as plain values."""
        return {
            "n_clusters": list(self.n_clusters),
            "n_common": self.n_common,
            "clusters": list(self.clusters),
            "triples": list(self.triples),
            "resolution": list(self.resolution),
        }


def containment_of(statistics: PairStatistics) -> Containment:
    """Return how much of each tree is in the other; triples in common are counted where that takes at most seconds."""
    pair = statistics.pair
    n = pair.n_items
    a, b = proper(pair.a, n), proper(pair.b, n)
    common = statistics.shared_clusters
    return Containment(
        n_clusters=(a.size, b.size),
        n_common=int(((pair.a.size[common.a] > 1) & (pair.a.size[common.a] < n)).sum()),
        n_resolved=(_n_resolved(pair.a, n), _n_resolved(pair.b, n)),
        n_alike=statistics.triplets.shared if n <= _MOST_ITEMS else None,
        n_triples=comb(n, 3),
    )


def _n_resolved(tree: Tree, n_items: int) -> int:
    """Return the number of triples of which the tree joins two items before the third."""
    return exact_dot(joined_pairs(tree), n_items - tree.size)


def _shares(count: int, totals: tuple[int, int]) -> tuple[float | None, float | None]:
    """Return a count as shares of two totals; None of a total of 0."""
    first, second = (None if total == 0 else count / total for total in totals)
    return first, second
