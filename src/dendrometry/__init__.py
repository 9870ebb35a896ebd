"""Measure hierarchical clusterings against each other: how alike, more than by chance, and where they differ."""

from dendrometry import datasets
from dendrometry.compare.agreement import hierarchy_agreement
from dendrometry.compare.compare import compare, compare_overlap
from dendrometry.compare.comparison import Comparison
from dendrometry.compare.cophenetic import cophenetic_correlation, cophenetic_distance
from dendrometry.compare.f_scores import classic_f, hierarchical_f, partial_order_f
from dendrometry.compare.item_disagreement import ItemDisagreement, item_disagreement
from dendrometry.compare.matches import Matches, cluster_matches
from dendrometry.compare.matrix import Matrix, far_from_all, matrix
from dendrometry.compare.overall import overall_distance, overall_similarity
from dendrometry.compare.registry import MEASURES, Measure
from dendrometry.compare.significance import Significance, significance
from dendrometry.compare.stages import Stages, stages, stages_of_partitions
from dendrometry.errors import (
    DendrometryError,
    FormatError,
    InvalidInputError,
    InvalidTreeError,
    ItemMismatchError,
    LostMeaningWarning,
    UndefinedMeasureError,
)
from dendrometry.generate.worsen import worsen
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.files import read, write
from dendrometry.io.hclust import from_hclust, to_hclust
from dendrometry.io.json import from_json, to_json
from dendrometry.io.labels import from_labels
from dendrometry.io.linkage import from_children, from_linkage, to_linkage
from dendrometry.io.networkx import from_networkx, to_networkx
from dendrometry.io.newick import from_newick, to_newick
from dendrometry.io.parents import from_parents, to_parents
from dendrometry.io.table import from_levels, from_paths, to_paths
from dendrometry.overlap import Overlap
from dendrometry.partition.contingency import Contingency
from dendrometry.partition.decompose import Costs, Decomposition, decompose
from dendrometry.partition.graph import Bipartite, Derivation, bipartite, join, meet, refines
from dendrometry.partition.information import (
    bounded_variation_similarity,
    mutual_information,
    normalized_mutual_information,
    variation_of_information,
    variation_similarity,
)
from dendrometry.partition.matching import classification_accuracy, van_dongen
from dendrometry.partition.pairs import adjusted_rand, fowlkes_mallows, rand
from dendrometry.partition.registry import PARTITION_MEASURES, PartitionMeasure
from dendrometry.partition.series import score_series
from dendrometry.partition.split_merge import split_merge

__all__ = [
    "Hierarchy",
    "Overlap",
    "read",
    "write",
    "from_linkage",
    "to_linkage",
    "from_hclust",
    "to_hclust",
    "from_children",
    "from_parents",
    "to_parents",
    "from_newick",
    "to_newick",
    "from_labels",
    "from_paths",
    "to_paths",
    "from_levels",
    "from_networkx",
    "to_networkx",
    "from_json",
    "to_json",
    "datasets",
    "Contingency",
    "rand",
    "adjusted_rand",
    "fowlkes_mallows",
    "van_dongen",
    "classification_accuracy",
    "mutual_information",
    "normalized_mutual_information",
    "variation_of_information",
    "variation_similarity",
    "bounded_variation_similarity",
    "split_merge",
    "bipartite",
    "Bipartite",
    "Derivation",
    "join",
    "meet",
    "refines",
    "decompose",
    "Decomposition",
    "Costs",
    "PARTITION_MEASURES",
    "PartitionMeasure",
    "worsen",
    "score_series",
    "compare",
    "compare_overlap",
    "Comparison",
    "MEASURES",
    "Measure",
    "hierarchy_agreement",
    "hierarchical_f",
    "classic_f",
    "partial_order_f",
    "overall_distance",
    "overall_similarity",
    "cophenetic_distance",
    "cophenetic_correlation",
    "stages",
    "stages_of_partitions",
    "Stages",
    "item_disagreement",
    "ItemDisagreement",
    "cluster_matches",
    "Matches",
    "significance",
    "Significance",
    "matrix",
    "Matrix",
    "far_from_all",
    "DendrometryError",
    "FormatError",
    "InvalidInputError",
    "InvalidTreeError",
    "ItemMismatchError",
    "LostMeaningWarning",
    "UndefinedMeasureError",
]

__version__ = "0.1.0"
