"""PairStatistics: intermediate results of the measures of one pair of trees, each computed once, on demand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from dendrometry.tree_pair.concordance import Concordance, concordance
from dendrometry.tree_pair.contraction import Contraction, follow, frame_of, height_clock, rank_clock, size_clock
from dendrometry.tree_pair.information import Information, expected_information, information
from dendrometry.tree_pair.matches import Field, Matches, field_of, match_clusters, steps_to_match
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.quartets import Quartets, quartets
from dendrometry.tree_pair.ranks import need_stages
from dendrometry.tree_pair.shared_clusters import SharedClusters, shared_clusters
from dendrometry.tree_pair.triplets import Triplets, triplets

STEPS_PER_SECOND = 25_000_000  # of one core, for the measures that state their cost
MOST_STEPS = 20 * STEPS_PER_SECOND  # of one measure in a comparison


_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, eq=False)
class PairStatistics:
    """The walks and matches of one pair, and what is the same for all relabellings of its items."""

    pair: Pair
    _same: dict[Any, Any] = field(default_factory=dict)

    def shuffle(self, rng: np.random.Generator) -> "PairStatistics":
        """Return the statistics of the same pair with the items of the second tree relabelled at random."""
        return PairStatistics(self.pair.shuffle(rng), self._same)

    def once(self, of: Callable[Concatenate[Pair, _P], _R], *args: _P.args, **options: _P.kwargs) -> _R:
        """Return what a function gives for the pair and all its relabellings, of which only the first calls it."""
        key = (of, *args, *options.items())
        if key not in self._same:
            self._same[key] = of(self.pair, *args, **options)
        found: _R = self._same[key]
        return found

    @cached_property
    def by_size(self) -> Contraction:
        """The walk by the size clock."""
        return follow(self.pair, self.once(frame_of, size_clock))

    @cached_property
    def by_rank(self) -> Contraction:
        """The walk by the rank clock, ties together."""
        need_stages(self.pair)
        return follow(self.pair, self.once(frame_of, rank_clock("together")))

    @cached_property
    def by_height(self) -> Contraction:
        """The walk by the height clock."""
        return follow(self.pair, self.once(frame_of, height_clock))

    def count_steps(self, cost: Callable[["PairStatistics"], int] | None) -> int:
        """Return about how many steps a measure takes, by its own count or, without one, as many as a walk."""
        n_rows = self.pair.most_rows
        return n_rows * n_rows.bit_length() if cost is None else cost(self)

    def affords(self, steps: int) -> bool:
        """Whether this number of steps takes acceptable time."""
        return steps <= MOST_STEPS

    @property
    def _field(self) -> Field | None:
        """What all relabellings share of the matches; small trees have no use for it."""
        return None if self.pair.is_small else self.once(field_of)

    @property
    def steps_to_match(self) -> int:
        """About the number of steps of matching the clusters of the first tree."""
        return steps_to_match(self.pair, self._field)

    @cached_property
    def too_deep(self) -> bool:
        """Whether the first tree is so deep that matching its clusters would take too long."""
        return not self.affords(self.steps_to_match)

    @cached_property
    def matches(self) -> Matches:
        """The best match of every cluster of the first tree."""
        return match_clusters(self.pair, self._field)

    @cached_property
    def shared_clusters(self) -> SharedClusters:
        """The clusters that both trees have."""
        return shared_clusters(self.pair)

    @cached_property
    def triplets(self) -> Triplets:
        """The numbers of triples of items that either tree resolves, and of those resolved alike."""
        return triplets(self.pair)

    @cached_property
    def quartets(self) -> Quartets:
        """The numbers of sets of four items that the trees resolve alike, differently, or only one of them."""
        return quartets(self.pair)

    @cached_property
    def concordance(self) -> Concordance:
        """The numbers of pairs of pairs of items that join in the same order in both trees, and in opposite orders."""
        return concordance(self.pair)

    @cached_property
    def information(self) -> Information:
        """What the clusters of either tree say about those of the other, depth by depth."""
        return information(self.pair)

    @property
    def expected_information(self) -> float | None:
        """The mean of that over all relabellings; None if it would take too long."""
        return self.once(expected_information)
