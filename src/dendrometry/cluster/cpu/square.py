"""The tree of a square matrix of distances: the choice between rounds and the greedy algorithm."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry._progress import Advance
from dendrometry._typing import IntArray
from dendrometry.cluster.cpu.matrix_greedy import merge_matrix
from dendrometry.cluster.cpu.matrix_reciprocal import matrix_reciprocal
from dendrometry.cluster.cpu.merges import MergeSequence, first_of, new_merges
from dendrometry.cluster.linkages import LinkageRule

SMALL = 1000  # up to this size the greedy algorithm is as fast as rounds, and always resolves ties by node number


def in_rounds(rule: LinkageRule, n: int) -> bool:
    """Whether n clusters merge in rounds of reciprocal nearest neighbours, not one pair at a time."""
    return rule.reducible and n > SMALL


def matrix_algorithm(rule: LinkageRule, n: int, ranks: IntArray | None) -> str:
    """Return the name of the algorithm for distances."""
    if rule.spanning_tree:
        return "spanning_tree"
    return "matrix_reciprocal" if in_rounds(rule, n) and ranks is None else "matrix_greedy"


def merge_square(
    square: NDArray[Any], n: int, rule: LinkageRule, squared: bool, advance: Advance, ranks: IntArray | None
) -> MergeSequence:
    """Build the tree of a flat square matrix of distances, which is overwritten."""
    if matrix_algorithm(rule, n, ranks) == "matrix_reciprocal":
        merges = matrix_reciprocal(square, np.ones(n), np.arange(n), new_merges(0), rule.update, advance)
    else:
        left, right, height, tied = merge_matrix(square, np.ones(n), np.arange(n), rule.update, n, advance, ranks)
        if rule.monotone:
            height = np.maximum.accumulate(height)  # decreases are rounding errors
        merges = MergeSequence(left, right, rule.pair_share * height, int(tied.sum()), n - 1, first_of(tied))
    return merges._replace(height=np.sqrt(np.maximum(merges.height, 0.0))) if squared else merges
