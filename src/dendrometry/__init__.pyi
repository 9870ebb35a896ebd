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
from dendrometry import significance as significance
from dendrometry import taxonomy as taxonomy
from dendrometry import text as text
from dendrometry.changes.diff import diff as diff
from dendrometry.cluster.agglomerate import agglomerate as agglomerate
from dendrometry.cluster.agglomerate import agglomerate_distances as agglomerate_distances
from dendrometry.cluster.estimators import HierarchicalClustering as HierarchicalClustering
from dendrometry.comparison.best_matches import best_matches as best_matches
from dendrometry.comparison.compare import compare as compare
from dendrometry.comparison.comparison import Comparison as Comparison
from dendrometry.comparison.consensus import consensus as consensus
from dendrometry.comparison.item_disagreement import item_disagreement as item_disagreement
from dendrometry.comparison.pairwise_matrix import pairwise_matrix as pairwise_matrix
from dendrometry.comparison.permutation_test import permutation_test as permutation_test
from dendrometry.contingency import Contingency as Contingency
from dendrometry.cut.count import cut_count as cut_count
from dendrometry.cut.cut import Cut as Cut
from dendrometry.cut.height import cut_height as cut_height
from dendrometry.dag import Dag as Dag
from dendrometry.errors import DendrometryError as DendrometryError
from dendrometry.hierarchy import Hierarchy as Hierarchy
from dendrometry.io.files import read as read
from dendrometry.io.files import read_many as read_many
from dendrometry.io.files import write as write
from dendrometry.io.formats.hclust import from_hclust as from_hclust
from dendrometry.io.formats.hclust import to_hclust as to_hclust
from dendrometry.io.formats.json import from_json as from_json
from dendrometry.io.formats.json import to_json as to_json
from dendrometry.io.formats.labels import from_labels as from_labels
from dendrometry.io.formats.levels import from_levels as from_levels
from dendrometry.io.formats.linkage import from_linkage as from_linkage
from dendrometry.io.formats.linkage import from_sklearn as from_sklearn
from dendrometry.io.formats.linkage import to_linkage as to_linkage
from dendrometry.io.formats.newick import from_newick as from_newick
from dendrometry.io.formats.newick import to_newick as to_newick
from dendrometry.io.formats.paths import from_paths as from_paths
from dendrometry.io.formats.paths import to_paths as to_paths
from dendrometry.io.parents import from_parents as from_parents
from dendrometry.io.parents import to_parents as to_parents
from dendrometry.levels.stages import stages as stages
from dendrometry.measures.partitions.adjusted_mutual_information import (
    adjusted_mutual_information as adjusted_mutual_information,
)
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand as adjusted_rand
from dendrometry.measures.partitions.b_cubed import b_cubed as b_cubed
from dendrometry.measures.partitions.fowlkes_mallows import fowlkes_mallows as fowlkes_mallows
from dendrometry.measures.partitions.mutual_information import mutual_information as mutual_information
from dendrometry.measures.partitions.normalized_mutual_information import (
    normalized_mutual_information as normalized_mutual_information,
)
from dendrometry.measures.partitions.purity import purity as purity
from dendrometry.measures.partitions.rand import rand as rand
from dendrometry.measures.partitions.split_merge import split_merge as split_merge
from dendrometry.measures.partitions.v_measure import v_measure as v_measure
from dendrometry.measures.partitions.variation_of_information import (
    variation_of_information as variation_of_information,
)
from dendrometry.measures.registry import MEASURES as MEASURES
from dendrometry.measures.trees.baker_correlation import baker_correlation as baker_correlation
from dendrometry.measures.trees.classic_f import classic_f as classic_f
from dendrometry.measures.trees.cophenetic_correlation import cophenetic_correlation as cophenetic_correlation
from dendrometry.measures.trees.cophenetic_distance import cophenetic_distance as cophenetic_distance
from dendrometry.measures.trees.dendrogram_purity import dendrogram_purity as dendrogram_purity
from dendrometry.measures.trees.hierarchical_f import hierarchical_f as hierarchical_f
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement as hierarchy_agreement
from dendrometry.measures.trees.overall_distance import overall_distance as overall_distance
from dendrometry.measures.trees.overall_similarity import overall_similarity as overall_similarity
from dendrometry.measures.trees.partial_order_f import partial_order_f as partial_order_f
from dendrometry.measures.trees.robinson_foulds import robinson_foulds as robinson_foulds
from dendrometry.measures.trees.triplet_agreement import triplet_agreement as triplet_agreement
from dendrometry.overlap import Overlap as Overlap
from dendrometry.report.browse import browse as browse
from dendrometry.report.report import report as report
from dendrometry.resampling.recommend import recommend as recommend
from dendrometry.resampling.stability import stability as stability

__version__: str
__all__: list[str]
