from dendrometry import changes as changes
from dendrometry import cluster as cluster
from dendrometry import comparison as comparison
from dendrometry import cut as cut
from dendrometry import datasets as datasets
from dendrometry import engine as engine
from dendrometry import errors as errors
from dendrometry import generate as generate
from dendrometry import io as io
from dendrometry import label as label
from dendrometry import levels as levels
from dendrometry import measures as measures
from dendrometry import partition as partition
from dendrometry import plot as plot
from dendrometry import quality as quality
from dendrometry import resampling as resampling
from dendrometry import study as study
from dendrometry import taxonomy as taxonomy
from dendrometry import text as text
from dendrometry.changes.diff import diff as diff
from dendrometry.cluster.bottom_up import agglomerate as agglomerate
from dendrometry.cluster.bottom_up import agglomerate_distances as agglomerate_distances
from dendrometry.cluster.estimators import HierarchicalClustering as HierarchicalClustering
from dendrometry.comparison.compare import compare as compare
from dendrometry.comparison.consensus import consensus as consensus
from dendrometry.comparison.item_disagreement import item_disagreement as item_disagreement
from dendrometry.comparison.pairwise_matrix import pairwise_matrix as pairwise_matrix
from dendrometry.comparison.permutation_test import permutation_test as permutation_test
from dendrometry.comparison.result.comparison import Comparison as Comparison
from dendrometry.contingency import Contingency as Contingency
from dendrometry.cut.count import cut_count as cut_count
from dendrometry.cut.cut import Cut as Cut
from dendrometry.cut.height import cut_height as cut_height
from dendrometry.errors import DendrometryError as DendrometryError
from dendrometry.hierarchy import Hierarchy as Hierarchy
from dendrometry.io.files import read as read
from dendrometry.io.files import read_many as read_many
from dendrometry.io.files import write as write
from dendrometry.io.hclust import from_hclust as from_hclust
from dendrometry.io.hclust import to_hclust as to_hclust
from dendrometry.io.labels import from_labels as from_labels
from dendrometry.io.linkage import from_linkage as from_linkage
from dendrometry.io.linkage import from_sklearn as from_sklearn
from dendrometry.io.linkage import to_linkage as to_linkage
from dendrometry.io.nested.json import from_json as from_json
from dendrometry.io.nested.json import to_json as to_json
from dendrometry.io.nested.newick import from_newick as from_newick
from dendrometry.io.nested.newick import to_newick as to_newick
from dendrometry.io.parents import from_parents as from_parents
from dendrometry.io.parents import to_parents as to_parents
from dendrometry.io.tables.levels import from_levels as from_levels
from dendrometry.io.tables.paths import from_paths as from_paths
from dendrometry.io.tables.paths import to_paths as to_paths
from dendrometry.levels.stages import stages as stages
from dendrometry.measures.partitions.information.bounded_variation_similarity import (
    bounded_variation_similarity as bounded_variation_similarity,
)
from dendrometry.measures.partitions.information.mutual_information import mutual_information as mutual_information
from dendrometry.measures.partitions.information.normalized_mutual_information import (
    normalized_mutual_information as normalized_mutual_information,
)
from dendrometry.measures.partitions.information.variation_of_information import (
    variation_of_information as variation_of_information,
)
from dendrometry.measures.partitions.information.variation_similarity import (
    variation_similarity as variation_similarity,
)
from dendrometry.measures.partitions.overlaps.classification_accuracy import (
    classification_accuracy as classification_accuracy,
)
from dendrometry.measures.partitions.overlaps.matched_kappa import matched_kappa as matched_kappa
from dendrometry.measures.partitions.overlaps.split_merge import split_merge as split_merge
from dendrometry.measures.partitions.overlaps.van_dongen import van_dongen as van_dongen
from dendrometry.measures.partitions.pairs.adjusted_rand import adjusted_rand as adjusted_rand
from dendrometry.measures.partitions.pairs.fowlkes_mallows import fowlkes_mallows as fowlkes_mallows
from dendrometry.measures.partitions.pairs.rand import rand as rand
from dendrometry.measures.registry import MEASURES as MEASURES
from dendrometry.measures.trees.f_scores.classic_f import classic_f as classic_f
from dendrometry.measures.trees.f_scores.hierarchical_f import hierarchical_f as hierarchical_f
from dendrometry.measures.trees.f_scores.partial_order_f import partial_order_f as partial_order_f
from dendrometry.measures.trees.heights.baker_correlation import baker_correlation as baker_correlation
from dendrometry.measures.trees.heights.cophenetic_correlation import cophenetic_correlation as cophenetic_correlation
from dendrometry.measures.trees.heights.cophenetic_distance import cophenetic_distance as cophenetic_distance
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement as hierarchy_agreement
from dendrometry.measures.trees.stages.overall_distance import overall_distance as overall_distance
from dendrometry.measures.trees.stages.overall_similarity import overall_similarity as overall_similarity
from dendrometry.overlap import Overlap as Overlap
from dendrometry.pages.browse import browse as browse
from dendrometry.pages.report import report as report
from dendrometry.resampling.stability import stability as stability
from dendrometry.walk.matches import cluster_matches as cluster_matches

__version__: str
__all__: list[str]
