"""Readings: what several measures of one pair of trees share, computed once and only when asked for."""

from dataclasses import dataclass
from functools import cached_property

from dendrometry.compare.contraction import Contraction, contract, rank_clock, size_clock
from dendrometry.compare.matches import Matches, best_matches
from dendrometry.compare.pair import Pair
from dendrometry.compare.stages import Stages, need_stages, stages_of_walk

__all__ = ["Readings"]


@dataclass(frozen=True, eq=False)
class Readings:
    """The walks and matches of one pair."""

    pair: Pair

    @cached_property
    def by_size(self) -> Contraction:
        """The walk by the size clock."""
        return contract(self.pair, size_clock)

    @cached_property
    def stages(self) -> Stages:
        """The stages, ties together."""
        need_stages(self.pair)
        return stages_of_walk(contract(self.pair, rank_clock("together")), "together")

    @cached_property
    def matches(self) -> Matches:
        """The best match of every cluster of the first tree."""
        return best_matches(self.pair)
