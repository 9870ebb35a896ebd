"""Comparison of two or more hierarchies: how alike they are, whether more than by chance, and where they differ."""

from dendrometry.comparison.compare import compare_overlap
from dendrometry.comparison.consensus import Consensus
from dendrometry.comparison.item_disagreement import ItemDisagreement
from dendrometry.comparison.line import Line
from dendrometry.comparison.pairwise_matrix import Matrix, far_from_all
from dendrometry.comparison.partition_part import PartitionPart
from dendrometry.comparison.partitions import compare_partitions
from dendrometry.comparison.permutation_test import Significance
from dendrometry.comparison.variables import VariableScores, score_variables
from dendrometry.walk.matches import Matches

__all__ = [
    "compare_overlap",
    "Consensus",
    "ItemDisagreement",
    "Line",
    "Matrix",
    "far_from_all",
    "PartitionPart",
    "compare_partitions",
    "Significance",
    "VariableScores",
    "score_variables",
    "Matches",
]
