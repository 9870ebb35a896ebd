from dendrometry.measures.partitions.information import bounded_variation_similarity as bounded_variation_similarity
from dendrometry.measures.partitions.information import mutual_information as mutual_information
from dendrometry.measures.partitions.information import normalized_mutual_information as normalized_mutual_information
from dendrometry.measures.partitions.information import variation_of_information as variation_of_information
from dendrometry.measures.partitions.information import variation_similarity as variation_similarity
from dendrometry.measures.partitions.matching import classification_accuracy as classification_accuracy
from dendrometry.measures.partitions.matching import van_dongen as van_dongen
from dendrometry.measures.partitions.pairs import adjusted_rand as adjusted_rand
from dendrometry.measures.partitions.pairs import fowlkes_mallows as fowlkes_mallows
from dendrometry.measures.partitions.pairs import rand as rand
from dendrometry.measures.partitions.registry import PARTITION_MEASURES as PARTITION_MEASURES
from dendrometry.measures.partitions.registry import PartitionMeasure as PartitionMeasure
from dendrometry.measures.partitions.split_merge import split_merge as split_merge
from dendrometry.measures.registry import MEASURES as MEASURES
from dendrometry.measures.registry import Measure as Measure
from dendrometry.measures.trees.cophenetic import cophenetic_correlation as cophenetic_correlation
from dendrometry.measures.trees.cophenetic import cophenetic_distance as cophenetic_distance
from dendrometry.measures.trees.f_scores import classic_f as classic_f
from dendrometry.measures.trees.f_scores import hierarchical_f as hierarchical_f
from dendrometry.measures.trees.f_scores import partial_order_f as partial_order_f
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement as hierarchy_agreement
from dendrometry.measures.trees.overall import overall_distance as overall_distance
from dendrometry.measures.trees.overall import overall_similarity as overall_similarity

__all__: list[str]
