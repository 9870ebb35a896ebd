"""Classes concentrated in subtrees: the definition, Fisher's exact test, missing and several labels, and the error."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from dendrometry import from_labels, from_newick
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import random_tree
from dendrometry.significance import enrichment
from tests.oracles.sets.trees import plain
from tests.oracles.significance import enrichment as oracle
from tests.strategies import hierarchies
from tests.zoo import ZOO


def by_cluster(found, labels):
    """The p-values of each row, by the labelled items of its node and its class."""
    order = found.tree.order
    rows = {}
    for row in range(len(found)):
        v = found.node[row]
        inside = order.item[order.item_low[v] : order.item_high[v]].tolist()
        key = tuple(sorted(i for i in inside if labels[i])), found.classes[found.label[row]]
        rows[key] = found.p_value[row], found.adjusted[row]
    return rows


@given(hierarchies(max_items=10), st.data())
def test_equals_its_definition_with_missing_and_several_labels(tree, data):
    some = st.sets(st.sampled_from("xyz"), max_size=2)
    labels = data.draw(st.lists(some, min_size=tree.n_items, max_size=tree.n_items).filter(any))
    exact = oracle.enrichment(plain(tree, tree.items), labels)
    found = enrichment(tree, labels, alpha=1)
    rows = by_cluster(found, labels)
    assert found.n_tests == len(exact)
    assert set(rows) <= set(exact)
    for key, (p, adjusted) in exact.items():
        assert rows.get(key, (1.0, 1.0)) == pytest.approx((float(p), float(adjusted)))
    few = by_cluster(enrichment(tree, labels, alpha=0.3), labels)
    assert few == {key: pytest.approx(p) for key, p in rows.items() if p[0] <= 0.3}


def test_a_flat_clustering_is_fishers_exact_test_of_each_group():
    rng = np.random.default_rng(0)
    group, label = rng.integers(0, 4, 80), rng.integers(0, 3, 80)
    found = enrichment(from_labels(group), label, alpha=1)
    for row in range(len(found)):
        inside = group == group[found.tree.item_node == found.node[row]][0]
        own = label == int(found.classes[found.label[row]])
        table = [[(inside & own).sum(), (inside & ~own).sum()], [(~inside & own).sum(), (~inside & ~own).sum()]]
        assert found.p_value[row] == pytest.approx(fisher_exact(table, alternative="greater").pvalue)


def test_equals_scipy_on_a_large_tree():
    tree, label = random_tree(2000, rng=0), np.random.default_rng(1).integers(0, 5, 2000)
    found = enrichment(tree, label)
    exact = hypergeom.sf(found.count - 1, 2000, found.total, found.size)
    assert found.p_value == pytest.approx(exact, rel=1e-8)
    assert found.expected == pytest.approx(hypergeom.mean(2000, found.total, found.size))


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees(name):
    tree = ZOO[name]
    found = enrichment(tree, ["x"] * tree.n_items)
    assert len(found) == 0
    assert found.to_frame().shape[0] == 0
    assert "1 classes" in repr(found)
    assert "Enrichment" in found._repr_html_()


def test_a_node_without_labels_is_not_tested_and_one_with_the_labelled_items_of_its_child_only_once():
    tree = from_newick("(((a,b),c),(d,e),(f,g,h));")
    labels = {"a": "x", "b": "x", "d": "y", "e": "y"}
    found = enrichment(tree, labels, alpha=1)
    assert found.n_labelled == 4
    assert found.n_tests == 4  # {a, b} and {d, e}, for x and y
    assert found.size.tolist() == [2, 2]
    missing = [{"a": "x", "b": "x", "d": "y", "e": "y"}.get(name) for name in tree.items]
    series = pd.Series(missing, index=tree.items)
    for same in (missing, series, labels | {"f": None, "g": math.nan, "h": []}):
        assert enrichment(tree, same, alpha=1).columns() == found.columns()


def test_finds_the_subtree_where_a_class_is_and_not_those_around_it():
    tree = random_tree(300, rng=3)
    v = int(np.flatnonzero((tree.sizes >= 15) & (tree.sizes <= 25))[0])
    order = tree.order
    inside = set(order.item[order.item_low[v] : order.item_high[v]].tolist())
    found = enrichment(tree, ["here" if i in inside else "elsewhere" for i in range(300)])
    first = found.peaks[0]
    assert (found.node[first], found.classes[found.label[first]]) == (v, "here")
    assert sum(found.classes[found.label[row]] == "here" for row in found.peaks) == 1
    assert int(found.significant.sum()) > found.peaks.size


def false_rejections(n_sets, n, n_classes, rng):
    """Return the share of trees with random labels in which any node is called enriched."""
    wrong = 0
    for _ in range(n_sets):
        label = rng.choice(n_classes, n, p=rng.dirichlet(np.ones(n_classes)))
        wrong += bool(enrichment(random_tree(n, rng=rng), label).significant.any())
    return wrong / n_sets


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 8])
@pytest.mark.parametrize("n", [12, 60, 300])
def test_the_error_is_held_over_nodes_and_classes(n, n_classes):
    error = false_rejections(1000, n, n_classes, np.random.default_rng(n + n_classes))
    assert error <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1000)


@pytest.mark.parametrize(
    ("labels", "error", "match"),
    [
        (["x"], ItemMismatchError, "there must be one label for each of 3 items; got 1"),
        ({"a": "x", "z": "y"}, ItemMismatchError, "labels must be those of items of the tree; got 'z'"),
        ([None, None, None], InvalidInputError, "at least one item must have a label; got none"),
        (["x", 1.5, "y"], InvalidInputError, "a label must be text, a whole number or a boolean; got 1.5"),
        ([1, "1", "2"], InvalidInputError, "labels must be all text or all numbers; got 1 as both"),
        (7, InvalidInputError, "labels must be a collection; got 7"),
    ],
)
def test_refuses_bad_labels(labels, error, match):
    with pytest.raises(error, match=match):
        enrichment(from_newick("((a,b),c);"), labels)


def test_the_methods_name_the_test_and_the_adjustment():
    text = enrichment(from_newick("((a,b),c);"), ["x", "x", "y"]).methods
    assert "hypergeometric" in text
    assert "2 tests" in text
    assert "Holm (1979)" in text


def test_the_verdict_says_what_is_held_and_what_is_not_shown():
    text = enrichment(from_newick("((a,b),c);"), ["x", "x", "y"]).verdict
    assert text.startswith("At the level 0.05, 0 of ")
    assert "is named wrongly is at most 0.05, over all" in text
    assert "that is not named may" in text
