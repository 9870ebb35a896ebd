"""What is true of clustering_information_distance alone; test_definitions.py compares it with its definition."""

import math

import numpy as np
import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.generate import random_tree
from dendrometry.measures import clustering_information_distance, mutual_clustering_information
from tests.strategies import hierarchy_pairs


@given(pair=hierarchy_pairs(max_items=12))
def test_is_the_information_of_both_trees_without_what_they_share_twice(pair):
    a, b = pair
    shared = [mutual_clustering_information(*two) for two in ((a, a), (b, b), (a, b))]
    found = clustering_information_distance(a, b)
    assert found == pytest.approx(shared[0] + shared[1] - 2 * shared[2], abs=1e-12)
    assert found == clustering_information_distance(b, a)


@pytest.mark.parametrize("parts", [(2, 1, 1, 1), (2, 2, 2, 1), (3, 3, 2, 2), (1, 4, 5, 10), (4, 3, 2, 9)])
def test_of_neighbours_it_is_the_variation_of_the_split_that_differs(parts):
    """As the tests of TreeDist have it, for trees with three branches at the root: one cluster differs, or its rest."""
    n, ends = sum(parts), np.cumsum((0, *parts))
    p, q, r, s = (
        "(" * (size - 1) + f"t{start}" + "".join(f",t{start + i})" for i in range(1, size))
        for size, start in zip(parts, ends[:-1].tolist(), strict=True)
    )
    a, b = dm.from_newick(f"(({p},{q}),{r},{s});"), dm.from_newick(f"(({p},{r}),{q},{s});")
    cells = np.array(parts) / n
    sums = np.array([[cells[0] + cells[1], cells[2] + cells[3]], [cells[0] + cells[2], cells[1] + cells[3]]])
    variation = -2 * (cells * np.log(cells)).sum() + (sums * np.log(sums)).sum()
    assert clustering_information_distance(a, b) == pytest.approx(variation, abs=1e-12)


def test_of_a_star_it_is_the_entropy_of_the_other_tree():
    star, tree = dm.from_newick("(a,b,c,d);"), dm.from_newick("((a,b),(c,d));")
    assert clustering_information_distance(star, tree) == pytest.approx(2 * math.log(2))
    assert clustering_information_distance(star, star) == 0.0


def test_small_differences_of_large_trees_are_precise():
    tree = random_tree(400, rng=0)
    names = list(tree.items)
    names[:2] = names[1::-1]
    near = clustering_information_distance(tree, dm.Hierarchy(tree.parent, tree.height, tree.item_node, names))
    assert 0.0 < near < 2.0
    assert clustering_information_distance(tree, tree) == 0.0
