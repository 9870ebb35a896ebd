"""Comparison of two hierarchies at every number of clusters."""

from dendrometry.levels.profile import Profile, profile
from dendrometry.levels.stages import Stages, stages_of_partitions

__all__ = ["Profile", "profile", "Stages", "stages_of_partitions"]
