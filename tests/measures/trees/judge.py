"""One judgement for every measure of trees: what it returns beside what its definition says."""

from collections.abc import Iterator

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import Hierarchy
from tests.oracles.measures.definition import definition
from tests.oracles.sets.trees import plain
from tests.zoo import ZOO

TOLERANCE = {
    "hierarchical_f": 1e-12,
    "dendrogram_purity": 1e-12,
    "cophenetic_distance": 1e-12,
    "cophenetic_lp": 1e-12,
    "cophenetic_correlation": 1e-9,
    "baker_correlation": 1e-9,
    "kendall_tau_b": 1e-12,
    "mutual_clustering_information": 1e-12,
    "clustering_information_distance": 1e-12,
    "element_centric_hierarchy": 1e-12,
    "shared_phylogenetic_information": 1e-12,
    "matching_split_information": 1e-12,
    "weighted_robinson_foulds": 1e-12,
    "branch_score": 1e-12,
    "hierarchical_mutual_information": 1e-12,
    "normalized_hierarchical_mutual_information": 1e-12,
    "adjusted_hierarchical_mutual_information": 1e-9,
}


def or_none(function, *args, **options):
    """The value, or None where the measure is undefined."""
    try:
        return function(*args, **options)
    except dm.errors.UndefinedMeasureError:
        return None


def agree(value, truth, tolerance: float) -> bool:
    """Whether a float is the truth, correctly rounded or within rounding errors; or both are undefined."""
    if value is None or truth is None:
        return value is None and truth is None
    return value == float(truth) or abs(value - float(truth)) <= tolerance * max(1.0, abs(float(truth)))


def assert_is_defined_value(name: str, value: float | None, a: Hierarchy, b: Hierarchy, **options) -> None:
    """Compare a value of two trees with the definition of the measure."""
    truth = definition(name, "trees")(plain(a, a.items), plain(b, a.items), **options)
    assert agree(value, truth, TOLERANCE.get(name, 0.0)), (name, value, truth, a, b, options)


def assert_defined(name: str, a: Hierarchy, b: Hierarchy, **options) -> None:
    """Compare a measure of two trees with its definition."""
    assert_is_defined_value(name, or_none(dm.MEASURES[name].call, a, b, **options), a, b, **options)


def edge_pairs(heights: bool = False) -> Iterator[tuple[Hierarchy, Hierarchy]]:
    """All pairs of edge trees over the same items; with heights, if needed."""
    trees = [tree for tree in ZOO.values() if tree.height is not None or not heights]
    return ((a, b) for a in trees for b in trees if set(a.items) == set(b.items))


def assert_refuses_bad_trees(name: str) -> None:
    """Two trees over different items, and what is no tree, are refused."""
    call, tree = dm.MEASURES[name].call, dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        call(tree, dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], ["0", "1", "x"]))
    with pytest.raises(dm.errors.InvalidInputError, match="the first tree: it must be readable in one way"):
        call([[0, 0], [1, 1]], tree)
    with pytest.raises(dm.errors.InvalidInputError, match="the second tree must be a Hierarchy; got NoneType"):
        call(tree, None)


def pairwise_values(tree: Hierarchy, value: np.ndarray) -> np.ndarray:
    """The value of the lowest common node of every pair of items of a dendrogram, by merging blocks of a matrix."""
    matrix = np.zeros((tree.n_items, tree.n_items))
    held = [[i] for i in range(tree.n_items)]
    children = tree.children
    for v in range(tree.n_items, tree.n_nodes):
        left, right = (held[c] for c in children.node[children.start[v] : children.start[v + 1]])
        matrix[np.ix_(left, right)] = value[v]
        matrix[np.ix_(right, left)] = value[v]
        held.append(left + right)
    return matrix
