"""The structure of two partitions of the same items: splits, merges, and their costs."""

from dendrometry.partition.decompose import Costs, Decomposition, decompose
from dendrometry.partition.graph import Bipartite, Derivation, Star, bipartite, join, meet, refines
from dendrometry.partition.series import score_series
from dendrometry.partition.subcomponents import Subcomponents, score_subcomponents

__all__ = [
    "Costs",
    "Decomposition",
    "decompose",
    "Bipartite",
    "Derivation",
    "Star",
    "bipartite",
    "join",
    "meet",
    "refines",
    "score_series",
    "Subcomponents",
    "score_subcomponents",
]
