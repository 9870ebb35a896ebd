# The measures, in the order in which they are shown. A new one is a file of its own and one line here.
# ruff: noqa: I001 - one line each, in the order of the tables
from dendrometry.measures.find import Found as Found
from dendrometry.measures.find import find as find
from dendrometry.measures.measure import Measure as Measure
from dendrometry.measures.registry import MEASURES as MEASURES
from dendrometry.measures.registry import PARTITION_MEASURES as PARTITION_MEASURES
from dendrometry.measures.registry import TREE_MEASURES as TREE_MEASURES
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement as hierarchy_agreement
from dendrometry.measures.trees.hierarchical_f import hierarchical_f as hierarchical_f
from dendrometry.measures.trees.classic_f import classic_f as classic_f
from dendrometry.measures.trees.partial_order_f import partial_order_f as partial_order_f
from dendrometry.measures.trees.overall_distance import overall_distance as overall_distance
from dendrometry.measures.trees.overall_similarity import overall_similarity as overall_similarity
from dendrometry.measures.trees.cophenetic_distance import cophenetic_distance as cophenetic_distance
from dendrometry.measures.trees.cophenetic_correlation import cophenetic_correlation as cophenetic_correlation
from dendrometry.measures.trees.baker_correlation import baker_correlation as baker_correlation
from dendrometry.measures.trees.cophenetic_lp import cophenetic_lp as cophenetic_lp
from dendrometry.measures.trees.cophenetic_l_infinity import cophenetic_l_infinity as cophenetic_l_infinity
from dendrometry.measures.trees.kendall_tau_b import kendall_tau_b as kendall_tau_b
from dendrometry.measures.trees.goodman_kruskal_gamma import goodman_kruskal_gamma as goodman_kruskal_gamma
from dendrometry.measures.trees.triplet_agreement import triplet_agreement as triplet_agreement
from dendrometry.measures.trees.triplet_recall import triplet_recall as triplet_recall
from dendrometry.measures.trees.triplet_precision import triplet_precision as triplet_precision
from dendrometry.measures.trees.quartet_agreement import quartet_agreement as quartet_agreement
from dendrometry.measures.trees.normalized_robinson_foulds import (
    normalized_robinson_foulds as normalized_robinson_foulds,
)
from dendrometry.measures.trees.cluster_recall import cluster_recall as cluster_recall
from dendrometry.measures.trees.cluster_precision import cluster_precision as cluster_precision
from dendrometry.measures.trees.robinson_foulds import robinson_foulds as robinson_foulds
from dendrometry.measures.trees.weighted_robinson_foulds import weighted_robinson_foulds as weighted_robinson_foulds
from dendrometry.measures.trees.branch_score import branch_score as branch_score
from dendrometry.measures.trees.kendall_colijn import kendall_colijn as kendall_colijn
from dendrometry.measures.trees.path_difference import path_difference as path_difference
from dendrometry.measures.trees.matching_cluster import matching_cluster as matching_cluster
from dendrometry.measures.trees.mutual_clustering_information import (
    mutual_clustering_information as mutual_clustering_information,
)
from dendrometry.measures.trees.clustering_information_distance import (
    clustering_information_distance as clustering_information_distance,
)
from dendrometry.measures.trees.shared_phylogenetic_information import (
    shared_phylogenetic_information as shared_phylogenetic_information,
)
from dendrometry.measures.trees.matching_split_information import (
    matching_split_information as matching_split_information,
)
from dendrometry.measures.trees.hierarchical_mutual_information import (
    hierarchical_mutual_information as hierarchical_mutual_information,
)
from dendrometry.measures.trees.normalized_hierarchical_mutual_information import (
    normalized_hierarchical_mutual_information as normalized_hierarchical_mutual_information,
)
from dendrometry.measures.trees.adjusted_hierarchical_mutual_information import (
    adjusted_hierarchical_mutual_information as adjusted_hierarchical_mutual_information,
)
from dendrometry.measures.trees.element_centric_hierarchy import (
    element_centric_hierarchy as element_centric_hierarchy,
)
from dendrometry.measures.trees.dendrogram_purity import dendrogram_purity as dendrogram_purity
from dendrometry.measures.partitions.rand import rand as rand
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand as adjusted_rand
from dendrometry.measures.partitions.pair_correlation import pair_correlation as pair_correlation
from dendrometry.measures.partitions.fowlkes_mallows import fowlkes_mallows as fowlkes_mallows
from dendrometry.measures.partitions.van_dongen import van_dongen as van_dongen
from dendrometry.measures.partitions.classification_accuracy import classification_accuracy as classification_accuracy
from dendrometry.measures.partitions.matched_kappa import matched_kappa as matched_kappa
from dendrometry.measures.partitions.normalized_clustering_accuracy import (
    normalized_clustering_accuracy as normalized_clustering_accuracy,
)
from dendrometry.measures.partitions.pair_sets_index import pair_sets_index as pair_sets_index
from dendrometry.measures.partitions.mutual_information import mutual_information as mutual_information
from dendrometry.measures.partitions.normalized_mutual_information import (
    normalized_mutual_information as normalized_mutual_information,
)
from dendrometry.measures.partitions.variation_of_information import (
    variation_of_information as variation_of_information,
)
from dendrometry.measures.partitions.variation_similarity import variation_similarity as variation_similarity
from dendrometry.measures.partitions.bounded_variation_similarity import (
    bounded_variation_similarity as bounded_variation_similarity,
)
from dendrometry.measures.partitions.split_merge import split_merge as split_merge
from dendrometry.measures.partitions.jaccard import jaccard as jaccard
from dendrometry.measures.partitions.adjusted_wallace_ab import adjusted_wallace_ab as adjusted_wallace_ab
from dendrometry.measures.partitions.adjusted_wallace_ba import adjusted_wallace_ba as adjusted_wallace_ba
from dendrometry.measures.partitions.adjusted_mutual_information import (
    adjusted_mutual_information as adjusted_mutual_information,
)
from dendrometry.measures.partitions.reduced_mutual_information import (
    reduced_mutual_information as reduced_mutual_information,
)
from dendrometry.measures.partitions.normalized_reduced_mutual_information import (
    normalized_reduced_mutual_information as normalized_reduced_mutual_information,
)
from dendrometry.measures.partitions.homogeneity import homogeneity as homogeneity
from dendrometry.measures.partitions.completeness import completeness as completeness
from dendrometry.measures.partitions.v_measure import v_measure as v_measure
from dendrometry.measures.partitions.b_cubed import b_cubed as b_cubed
from dendrometry.measures.partitions.b_cubed_precision import b_cubed_precision as b_cubed_precision
from dendrometry.measures.partitions.b_cubed_recall import b_cubed_recall as b_cubed_recall
from dendrometry.measures.partitions.element_centric import element_centric as element_centric
from dendrometry.measures.partitions.purity import purity as purity

__all__: list[str]
