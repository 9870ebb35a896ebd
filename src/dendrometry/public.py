"""Every public name, once: what ``dendrometry.<name>`` gives."""

from typing import TYPE_CHECKING, Any

from dendrometry import datasets, plot
from dendrometry.build.agglomerate import agglomerate, agglomerate_distances
from dendrometry.build.agglomeration import Agglomeration, BuildReport
from dendrometry.build.constrained import ConstrainedDivision, TripletReport, bisect_constrained
from dendrometry.build.divisive.bisect import bisect
from dendrometry.build.divisive.buckshot import Buckshot, BuckshotReport, buckshot
from dendrometry.build.divisive.division import Division, DivisionReport
from dendrometry.build.divisive.principal_direction import principal_direction
from dendrometry.build.optimality import combination_similarity, is_optimal
from dendrometry.compare.agreement import hierarchy_agreement
from dendrometry.compare.compare import compare, compare_overlap
from dendrometry.compare.comparison import Comparison
from dendrometry.compare.consensus import Consensus, consensus
from dendrometry.compare.cophenetic import cophenetic_correlation, cophenetic_distance
from dendrometry.compare.f_scores import classic_f, hierarchical_f, partial_order_f
from dendrometry.compare.item_disagreement import ItemDisagreement, item_disagreement
from dendrometry.compare.matches import Matches, cluster_matches
from dendrometry.compare.matrix import Matrix, far_from_all, matrix
from dendrometry.compare.overall import overall_distance, overall_similarity
from dendrometry.compare.registry import MEASURES, Measure
from dendrometry.compare.significance import Significance, significance
from dendrometry.compare.stages import Stages, stages, stages_of_partitions
from dendrometry.cut.coarsen import coarsen
from dendrometry.cut.count import cut_at_most, cut_count, cut_counts
from dendrometry.cut.cut import Cut
from dendrometry.cut.height import cut_gap, cut_height, cut_heights
from dendrometry.cut.penalty import cut_penalty, residual_squares
from dendrometry.errors import (
    DendrometryError,
    FormatError,
    InvalidInputError,
    InvalidTreeError,
    ItemMismatchError,
    LostMeaningWarning,
    UndefinedMeasureError,
)
from dendrometry.generate.colours import hsv_to_rgb, lab_to_rgb, random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.corrupt import flatten, prune_regraft, swap_items, to_root
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree
from dendrometry.generate.stick_breaking import STICK_SETS, StickBreaking, StickSet, reinsert, stick_breaking
from dendrometry.generate.triplets import random_triplets, satisfied_triplets
from dendrometry.generate.worsen import WorseningStep, worsen
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
from dendrometry.label.label import label_nodes, label_table, labelled
from dendrometry.label.labels import Labels, LabelTable
from dendrometry.overlap import Overlap
from dendrometry.partition.compare import compare_partitions
from dendrometry.partition.comparison import PartitionComparison
from dendrometry.partition.contingency import Contingency
from dendrometry.partition.decompose import Costs, Decomposition, decompose
from dendrometry.partition.graph import Bipartite, Derivation, Star, bipartite, join, meet, refines
from dendrometry.partition.information import (
    bounded_variation_similarity,
    mutual_information,
    normalized_mutual_information,
    variation_of_information,
    variation_similarity,
)
from dendrometry.partition.matching import classification_accuracy, van_dongen
from dendrometry.partition.pairs import adjusted_rand, fowlkes_mallows, rand
from dendrometry.partition.profile import Profile, profile
from dendrometry.partition.registry import PARTITION_MEASURES, PartitionMeasure
from dendrometry.partition.series import score_series
from dendrometry.partition.split_merge import split_merge
from dendrometry.report.browse import browse
from dendrometry.study.registry import STUDIES, Study, reproduce
from dendrometry.study.result import StudyResult
from dendrometry.text.collection import Documents, Skipped, from_embeddings
from dendrometry.text.duplicates import NearDuplicates, near_duplicates
from dendrometry.text.first_stories import Story, first_stories, read_first_stories
from dendrometry.text.tree import DocumentTree, cluster_documents
from dendrometry.text.vectorize import documents, read_documents

if TYPE_CHECKING:
    from dendrometry.build.estimators import HierarchicalClustering

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
    "plot",
    "compare_partitions",
    "PartitionComparison",
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
    "Star",
    "join",
    "meet",
    "refines",
    "decompose",
    "Decomposition",
    "Costs",
    "PARTITION_MEASURES",
    "PartitionMeasure",
    "profile",
    "Profile",
    "worsen",
    "WorseningStep",
    "score_series",
    "stick_breaking",
    "StickBreaking",
    "STICK_SETS",
    "StickSet",
    "diffused_points",
    "random_tree",
    "reinsert",
    "to_root",
    "flatten",
    "swap_items",
    "prune_regraft",
    "random_triplets",
    "satisfied_triplets",
    "random_colours",
    "rgb_to_hsv",
    "hsv_to_rgb",
    "rgb_to_lab",
    "lab_to_rgb",
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
    "consensus",
    "Consensus",
    "agglomerate",
    "agglomerate_distances",
    "Agglomeration",
    "BuildReport",
    "bisect",
    "principal_direction",
    "Division",
    "DivisionReport",
    "buckshot",
    "Buckshot",
    "BuckshotReport",
    "bisect_constrained",
    "ConstrainedDivision",
    "TripletReport",
    "combination_similarity",
    "is_optimal",
    "HierarchicalClustering",
    "Cut",
    "cut_count",
    "cut_counts",
    "cut_at_most",
    "cut_height",
    "cut_heights",
    "cut_gap",
    "cut_penalty",
    "coarsen",
    "residual_squares",
    "reproduce",
    "STUDIES",
    "Study",
    "StudyResult",
    "documents",
    "read_documents",
    "from_embeddings",
    "Documents",
    "Skipped",
    "cluster_documents",
    "DocumentTree",
    "near_duplicates",
    "NearDuplicates",
    "first_stories",
    "read_first_stories",
    "Story",
    "label_nodes",
    "label_table",
    "labelled",
    "Labels",
    "LabelTable",
    "browse",
    "DendrometryError",
    "FormatError",
    "InvalidInputError",
    "InvalidTreeError",
    "ItemMismatchError",
    "LostMeaningWarning",
    "UndefinedMeasureError",
]


def __getattr__(name: str) -> Any:
    """Load the estimator when it is asked for: it needs scikit-learn, which takes a second."""
    if name == "HierarchicalClustering":
        from dendrometry.build.estimators import HierarchicalClustering

        return HierarchicalClustering
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
