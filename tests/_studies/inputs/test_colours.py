"""Settings of the study of colours: the cone, triplets node by node, and the bound on CFM."""

from collections import Counter

import numpy as np
import pytest

from dendrometry import from_newick, hierarchical_f
from dendrometry._studies.inputs.colours import greatest_cfm, hsv_cone, triplets_by_node, unsplit
from dendrometry.generate import random_tree, satisfied_triplets


def test_the_cone_has_black_at_its_tip_greys_on_its_axis_and_opposite_hues_apart():
    black, grey, red, cyan = hsv_cone(np.array([[0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 1.0]]))
    assert black.tolist() == [0.0, 0.0, 0.0]
    assert grey.tolist() == [0.0, 0.0, 0.5]
    assert np.linalg.norm(red - cyan) == pytest.approx(2.0)


def test_triplets_by_node_take_every_cluster_equally_often():
    tree = from_newick("((((a,b),c),(d,e)),(f,g,h,i,j));")
    drawn = triplets_by_node(tree, 4000, np.random.default_rng(0))
    assert satisfied_triplets(tree, drawn).all()
    pairs = Counter(frozenset((x, y)) for x, y, _ in drawn.tolist())
    # below the root: ab, abc, de, abcde and fghij; all that the pair (a, d) needs is abcde, one fifth of its 10 pairs
    assert pairs[frozenset((3, 4))] / 4000 == pytest.approx(1 / 5 + 1 / 5 / 10, abs=0.03)
    assert pairs[frozenset((0, 3))] / 4000 == pytest.approx(1 / 5 / 10, abs=0.01)


@pytest.mark.parametrize("smallest", [1, 2, 4, 8])
def test_no_tree_without_smaller_clusters_has_a_greater_cfm(smallest):
    rng = np.random.default_rng(smallest)
    truth = random_tree(24, rng=rng)
    bound = greatest_cfm(truth, smallest)
    found = [hierarchical_f(truth, unsplit(random_tree(24, rng=rng), smallest), classes="all") for _ in range(30)]
    found.append(hierarchical_f(truth, unsplit(truth, smallest), classes="all"))
    assert max(found) <= bound + 1e-12
    assert (bound == 1.0) == (smallest == 1)


def test_the_bound_is_reached_where_every_small_class_has_a_cluster_of_the_least_size():
    truth = from_newick("((a,b),(c,d));")
    coarse = from_newick("((a,b),(c,d));")
    assert hierarchical_f(truth, unsplit(coarse, 2), classes="all") == greatest_cfm(truth, 2)


def test_items_are_moved_up_to_clusters_that_are_large_enough():
    tree = unsplit(from_newick("(((a,b),c),(d,e));"), 3)
    assert sorted(tree.sizes[np.unique(tree.item_node)].tolist()) == [3, 5]
