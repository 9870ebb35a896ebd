from dendrometry.comparison.best_matches import best_matches as best_matches
from dendrometry.comparison.compare import compare as compare
from dendrometry.comparison.compare import compare_overlap as compare_overlap
from dendrometry.comparison.comparison import Comparison as Comparison
from dendrometry.comparison.consensus import Consensus as Consensus
from dendrometry.comparison.consensus import consensus as consensus
from dendrometry.comparison.greedy_consensus import greedy_consensus as greedy_consensus
from dendrometry.comparison.item_disagreement import ItemDisagreement as ItemDisagreement
from dendrometry.comparison.item_disagreement import item_disagreement as item_disagreement
from dendrometry.comparison.largest_common_subtree import CommonSubtree as CommonSubtree
from dendrometry.comparison.largest_common_subtree import largest_common_subtree as largest_common_subtree
from dendrometry.comparison.line import Line as Line
from dendrometry.comparison.one_to_one_matches import one_to_one_matches as one_to_one_matches
from dendrometry.comparison.pairwise_matrix import Matrix as Matrix
from dendrometry.comparison.pairwise_matrix import far_from_all as far_from_all
from dendrometry.comparison.pairwise_matrix import pairwise_matrix as pairwise_matrix
from dendrometry.comparison.partition_part import PartitionPart as PartitionPart
from dendrometry.comparison.partitions import compare_partitions as compare_partitions
from dendrometry.comparison.permutation_test import PermutationTest as PermutationTest
from dendrometry.comparison.permutation_test import permutation_test as permutation_test
from dendrometry.comparison.variables import VariableScores as VariableScores
from dendrometry.comparison.variables import score_variables as score_variables
from dendrometry.tree_pair.matches import Matches as Matches

__all__: list[str]
