"""The cut where the evidence ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.cut.significant import clusters_of
from tests.strategies import wild_hierarchies
from tests.zoo import ZOO

from dendrometry import from_labels, from_newick
from dendrometry.cut import cut_significant
from dendrometry.errors import InvalidInputError
from dendrometry.significance import adjust_down, reject_down

NAN = float("nan")


def sets_of(cut):
    return set(map(frozenset, cut.clusters))


def expected(tree, adjusted, alpha):
    own = [tree.own_items(v) for v in range(tree.n_nodes)]
    column = [None if np.isnan(p) else p for p in adjusted]
    return clusters_of(tree.parent.tolist(), own, column, alpha)


def draw_p_values(tree, seed):
    """P-values near the level for most nodes of any kind, leaves included; nan for others."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(tree.n_nodes) < 0.7, rng.choice([0.0, 0.01, 0.05, 0.06, 1.0], tree.n_nodes), NAN)


@given(wild_hierarchies(max_items=10), st.integers(0, 10**6), st.sampled_from([0.01, 0.05, 0.5]))
def test_clusters_are_those_of_the_definition(tree, seed, alpha):
    adjusted = draw_p_values(tree, seed)
    assert sets_of(cut_significant(tree, adjusted, alpha=alpha)) == expected(tree, adjusted, alpha)


@given(wild_hierarchies(max_items=10), st.integers(0, 10**6))
def test_rejections_down_the_tree_are_all_undone_and_nothing_else_that_was_tested(tree, seed):
    merges = (tree.n_children > 0) & (tree.n_children + tree.own_sizes > 1)
    p = np.where(merges, draw_p_values(tree, seed), NAN)
    found = reject_down(tree, lambda nodes: p[nodes], hypotheses=~np.isnan(p))
    cut = cut_significant(tree, found.adjusted, alpha=found.alpha)
    assert sets_of(cut) == sets_of(cut_significant(tree, adjust_down(tree, p)))
    for v in np.flatnonzero(~np.isnan(found.adjusted)).tolist():
        assert (len(set(cut.labels[items_of(tree, v)].tolist())) > 1) == found.rejected[v]


def items_of(tree, v):
    order = tree.order
    return order.item[order.item_low[v] : order.item_high[v]]


@pytest.mark.parametrize("p", [0.0, 1.0, NAN])
@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO)
def test_edge_trees_fall_apart_or_stay_whole(tree, p):
    cut = cut_significant(tree, np.full(tree.n_nodes, p))
    assert sets_of(cut) == expected(tree, np.full(tree.n_nodes, p), 0.05)
    if p != 0.0:
        assert cut.n_clusters == 1


def test_the_parts_of_a_star_are_clusters_and_a_leaf_stays_whole():
    star = ZOO["star"]
    assert cut_significant(star, [NAN] * 4 + [0.05]).n_clusters == 4
    assert cut_significant(star, [NAN] * 4 + [0.051]).n_clusters == 1
    leaf = from_labels([7, 7, 7])
    assert cut_significant(leaf, [0.0] * leaf.n_nodes).n_clusters == 1


def test_an_outlier_above_a_significant_split_is_alone_and_one_above_none_is_not():
    tree = from_newick("(odd,((ape,bat),(cow,dog)));")  # nodes: odd, ape, bat, their parent, cow, dog, ...
    adjusted = np.full(tree.n_nodes, NAN)
    inner = np.flatnonzero((tree.n_children > 0) & (tree.sizes == 4))[0]
    adjusted[inner] = 0.01  # the split of the root, one item from the rest, is not tested
    cut = cut_significant(tree, adjusted)
    assert cut.clusters == [["odd"], ["ape", "bat"], ["cow", "dog"]]
    assert np.isnan(adjusted[tree.parent[cut.nodes]]).tolist() == [True, False, False]
    adjusted[inner] = 0.2
    assert cut_significant(tree, adjusted).n_clusters == 1


def test_a_split_below_one_that_is_not_significant_does_not_count():
    tree = from_newick("((ape,bat),(cow,dog));")
    column = np.full(tree.n_nodes, NAN)
    column[tree.sizes == 2] = 0.001
    column[tree.root] = 0.3
    assert cut_significant(tree, column).n_clusters == 1
    column[tree.root] = NAN
    assert cut_significant(tree, column).n_clusters == 4


def test_bad_requests_are_refused():
    tree = ZOO["balanced"]
    for adjusted, message in (
        ([0.5], "adjusted must have one value for each of 7 nodes; got 1"),
        (np.full(7, 2.0), "adjusted must be from 0 to 1, or nan; got 2.0 at position 0"),
        (["a"] * 7, "adjusted must be an array of numbers; got text"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            cut_significant(tree, adjusted)
    for alpha in (0, 1, NAN, "0.05"):
        with pytest.raises(InvalidInputError, match="alpha must be"):
            cut_significant(tree, np.full(7, 0.1), alpha=alpha)
