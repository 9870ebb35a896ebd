"""Which clusters recur in another tree: the definition, the bound against all draws, and the error that is held."""

import math

import numpy as np
import pytest
from hypothesis import given

from dendrometry import Hierarchy, best_matches, compare, from_newick
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import random_tree
from dendrometry.significance import recurrence
from tests.oracles.sets.trees import plain
from tests.oracles.significance import hypergeometric
from tests.oracles.significance import recurrence as oracle
from tests.strategies import hierarchy_pairs
from tests.zoo import ZOO


def by_cluster(found, tree):
    """The p-value and adjusted p-value of each cluster, as a set of the numbers of items."""
    order, number = tree.order, {name: i for i, name in enumerate(tree.items)}
    sets = [
        frozenset(number[tree.items[i]] for i in order.item[order.item_low[v] : order.item_high[v]])
        for v in found.matches.node.tolist()
    ]
    return dict(zip(sets, zip(found.p_value, found.adjusted, strict=True), strict=True))


@given(hierarchy_pairs(max_items=10))
def test_equals_its_definition(pair):
    a, b = pair
    first, second = plain(a, a.items), plain(b, a.items)
    found = by_cluster(recurrence(a, b), a)
    exact = {cluster: oracle.bound(cluster, second) for cluster in oracle.tested(first)}
    assert {cluster: p for cluster, (p, _) in found.items()} == pytest.approx({c: float(p) for c, p in exact.items()})
    adjusted = dict(zip(exact, hypergeometric.holm(list(exact.values())), strict=True))
    assert {cluster: p for cluster, (_, p) in found.items()} == pytest.approx(
        {c: float(p) for c, p in adjusted.items()}
    )


@given(hierarchy_pairs(max_items=8))
def test_is_at_least_the_chance_over_all_draws_and_equal_for_a_cluster_found_exactly(pair):
    a, b = pair
    second = plain(b, a.items)
    for cluster, (p, _) in by_cluster(recurrence(a, b), a).items():
        chance = float(oracle.chance(cluster, second))
        assert p >= chance * (1 - 1e-12)
        if oracle.best(cluster, second) == 1:
            assert p == pytest.approx(chance)


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees(name):
    tree = ZOO[name]
    found = recurrence(tree, tree)
    assert len(found) == len({c for c in oracle.tested(plain(tree, tree.items))})
    assert (found.matches.f == 1.0).all()
    assert found.to_frame().columns.tolist()[-2:] == ["p_value", "adjusted"]
    assert f"Recurrence({len(found):,} clusters" in repr(found)
    assert "p" in found._repr_html_()


def test_exact_numbers_of_a_cluster_found_once():
    """5 of 10 items form the same cluster: one of 252 draws, and the sibling is another cluster of that size."""
    a = from_newick("((a,b,c,d,e),(f,g,h,i,j));")
    assert recurrence(a, a).p_value.tolist() == pytest.approx([2 / 252, 2 / 252])
    assert recurrence(a, a).adjusted.tolist() == pytest.approx([4 / 252, 4 / 252])


def test_a_comparison_has_the_same_tests():
    a, b = random_tree(40, rng=0), random_tree(40, rng=1)
    assert np.array_equal(compare(a, b).recurrence.log_p_value, recurrence(a, b).log_p_value)
    assert len(recurrence(a, b)) == int(((best_matches(a, b).size > 1) & (best_matches(a, b).size < 40)).sum())


def test_p_values_below_the_least_float_are_told_apart():
    tree = random_tree(3000, rng=0)
    found = recurrence(tree, tree)
    assert np.isfinite(found.log_p_value).all()
    assert found.p_value.min() == 0.0
    assert found.log_p_value.min() < -1500


def relabel(tree, cluster, rng):
    """Return a tree in which some items sit at random places, and the others fill the rest in their order."""
    n, place = tree.n_items, rng.permutation(tree.n_items)
    at = np.empty(n, dtype=np.int64)
    others = np.setdiff1d(np.arange(n), cluster)
    at[cluster], at[others] = place[: cluster.size], np.sort(place[cluster.size :])
    return Hierarchy(tree.parent, None, tree.item_node[at], tree.items)


def false_rejections(n_sets, n, share, rng):
    """Return the share of sets in which a cluster of randomly placed items is said to recur; the others may."""
    wrong = 0
    for _ in range(n_sets):
        tree = random_tree(n, rng=rng)
        inner = np.flatnonzero((tree.sizes <= max(2, share * n)) & (tree.sizes > 1))
        v = inner[np.argmax(tree.sizes[inner])]
        order = tree.order
        found = recurrence(tree, relabel(tree, order.item[order.item_low[v] : order.item_high[v]], rng))
        below = (order.low[found.matches.node] >= order.low[v]) & (order.low[found.matches.node] < order.high[v])
        wrong += bool((found.recurs() & below).any())
    return wrong / n_sets


def test_few_random_trees_share_a_cluster():
    assert false_rejections(60, 30, 1.0, np.random.default_rng(0)) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 60)


@pytest.mark.slow
@pytest.mark.parametrize("n", [12, 40, 150])
@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_the_error_is_held_whichever_clusters_recur(n, share):
    error = false_rejections(1000, n, share, np.random.default_rng(n))
    assert error <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1000)


def test_refuses_other_items_and_levels():
    with pytest.raises(ItemMismatchError):
        recurrence(from_newick("((a,b),c);"), from_newick("((a,b),d);"))
    tree = from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="alpha must be a number, above 0 and below 1; got 2"):
        recurrence(tree, tree).recurs(2)


def test_the_methods_name_the_test_and_the_adjustment():
    text = recurrence(from_newick("((a,b),c);"), from_newick("((a,b),c);")).methods
    assert "1 cluster of the first tree" in text
    assert "hypergeometric" in text
    assert "Holm (1979)" in text


def test_the_verdict_says_what_is_held_and_what_is_not_shown():
    text = recurrence(from_newick("((a,b),c);"), from_newick("((a,b),c);")).verdict
    assert text.startswith("At the level 0.05, 0 of ")
    assert "is named wrongly is at most 0.05, over all" in text
    assert "that is not named may" in text
