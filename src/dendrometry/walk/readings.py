"""Readings: intermediate results shared by the measures of one pair of trees, each computed once, on demand."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dendrometry.walk.contraction import Contraction, contract, rank_clock, size_clock
from dendrometry.walk.information import Information, expected_information, information
from dendrometry.walk.joint.concordance import Concordance, concordance
from dendrometry.walk.joint.triplets import Triplets, triplets
from dendrometry.walk.matches import Matches, best_matches, steps_to_match
from dendrometry.walk.pair import Pair
from dendrometry.walk.ranks import need_stages
from dendrometry.walk.shared_clusters import SharedClusters, shared_clusters

__all__ = ["MOST_STEPS", "STEPS_PER_SECOND", "Readings"]

STEPS_PER_SECOND = 25_000_000  # of one core, for the measures that state their cost
MOST_STEPS = 20 * STEPS_PER_SECOND  # of one measure in a comparison


@dataclass(frozen=True, eq=False)
class Readings:
    """The walks and matches of one pair."""

    pair: Pair

    def shuffle(self, rng: np.random.Generator) -> "Readings":
        """Return the readings of the same pair with the items of the second tree relabelled at random.

        An expectation, which is the same for every relabelling, is taken over, if it was computed.
        """
        shuffled = Readings(self.pair.shuffle(rng))
        if "expected_information" in self.__dict__:
            shuffled.__dict__["expected_information"] = self.expected_information
        return shuffled

    @cached_property
    def by_size(self) -> Contraction:
        """The walk by the size clock."""
        return contract(self.pair, size_clock)

    @cached_property
    def by_rank(self) -> Contraction:
        """The walk by the rank clock, ties together."""
        need_stages(self.pair)
        return contract(self.pair, rank_clock("together"))

    def affords(self, steps: int) -> bool:
        """Whether this number of steps takes acceptable time."""
        return steps <= MOST_STEPS

    @cached_property
    def too_deep(self) -> bool:
        """Whether the first tree is so deep that matching its clusters would take too long."""
        return not self.affords(steps_to_match(self.pair))

    @cached_property
    def matches(self) -> Matches:
        """The best match of every cluster of the first tree."""
        return best_matches(self.pair)

    @cached_property
    def shared_clusters(self) -> SharedClusters:
        """The clusters that both trees have."""
        return shared_clusters(self.pair)

    @cached_property
    def triplets(self) -> Triplets:
        """The numbers of triples of items that either tree resolves, and of those resolved alike."""
        return triplets(self.pair)

    @cached_property
    def concordance(self) -> Concordance:
        """The numbers of pairs of pairs of items that join in the same order in both trees, and in opposite orders."""
        return concordance(self.pair)

    @cached_property
    def information(self) -> Information:
        """What the clusters of either tree say about those of the other, depth by depth."""
        return information(self.pair)

    @cached_property
    def expected_information(self) -> float | None:
        """The mean of that over all relabellings; None if it would take too long."""
        return expected_information(self.pair)
