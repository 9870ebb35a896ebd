"""Nodes are offered their best counterparts, and find the deepest node that holds most of their items, in any trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.changes import matching
from dendrometry.changes.edits import edits_between
from dendrometry.generate import random_tree
from dendrometry.overlap import positions
from tests.oracles.changes.counterparts import counterpart, holder
from tests.strategies import random_hierarchy

seeds = st.integers(0, 2**32)


def named(tree, rng):
    """A tree whose nodes share few names, or none."""
    return dm.from_parents(
        tree.parent,
        tree.item_node,
        item_names=tree.items,
        node_names=[["", "", "a", "b", f"n{v}"][rng.integers(5)] for v in range(tree.n_nodes)],
    )


def names_of(tree):
    return tree.node_names or ("",) * tree.n_nodes


def held(tree):
    """The items of each node, as sets."""
    found = [set() for _ in range(tree.n_nodes)]
    for item, v in zip(tree.items, tree.item_node.tolist(), strict=True):
        while v >= 0:
            found[v].add(item)
            v = int(tree.parent[v])
    return found


def two_trees(seed, most=14):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, most))
    return rng, [named(random_hierarchy(n + int(rng.integers(3)), rng), rng) for _ in range(2)]


@given(seed=seeds)
def test_the_best_counterpart_is_that_of_its_definition(seed):
    rng, (old, new) = two_trees(seed)
    one, other = matching.sides(old, new, positions(old.items, new.items), by_name=True)
    common = set(old.items) & set(new.items)
    nodes, others = ([items & common for items in held(tree)] for tree in (old, new))
    left, left_other = (rng.random(tree.n_nodes) < 0.8 for tree in (old, new))
    left[-1] = left_other[-1] = False
    candidates = {v: (names_of(new)[v], others[v]) for v in np.flatnonzero(left_other).tolist() if others[v]}
    names, names_of_others = (set(tree.node_names) - {""} for tree in (old, new))
    expected = {
        u: found
        for u in np.flatnonzero(left).tolist()
        if nodes[u] and (found := counterpart(names_of(old)[u], nodes[u], names, candidates, names_of_others))
    }
    found = matching.offers(one, other, left, left_other)
    rows = zip(found.node.tolist(), found.other.tolist(), found.score.tolist(), strict=True)
    assert {u: (v, pytest.approx(score, abs=1e-12)) for u, v, score in rows} == expected


def test_names_that_very_many_nodes_have_do_not_count(monkeypatch):
    old = dm.from_paths({"1": "a/x", "2": "b/x", "3": "c/x", "4": "y/z"})
    new = dm.from_paths({"1": "d/x", "2": "e/x", "3": "f/x", "4": "y/z"})
    one, other = matching.sides(old, new, np.arange(4), by_name=True)
    left = np.ones(old.n_nodes, dtype=bool)
    left[-1] = False

    def names(found):
        return {old.node_names[u] for u, score in zip(found.node, found.score, strict=True) if score > 1.0}

    assert names(matching.offers(one, other, left, left)) == {"x", "y", "z"}
    monkeypatch.setattr(matching, "_MOST_PAIRS", 8)  # three nodes called x in either tree are nine pairs
    assert names(matching.offers(one, other, left, left)) == {"y", "z"}


@given(seed=seeds)
def test_the_holder_is_the_deepest_node_with_more_than_half_of_the_items(seed):
    _, (old, new) = two_trees(seed)
    found = edits_between(old, new, positions(old.items, new.items))
    common = set(old.items) & set(new.items)
    below = {v: set() for v in range(old.n_nodes)}
    for v in range(old.n_nodes):
        u = v
        while u >= 0:
            below[u].add(v)
            u = int(old.parent[u])
    nodes, others = ([items & common for items in held(tree)] for tree in (old, new))
    for u in range(old.n_nodes):
        expected = -1
        if found.match[u] < 0 and nodes[u]:
            expected = holder(nodes[u], others)
            while found.origin[expected] in below[u]:
                expected = int(new.parent[expected])
        assert found.target[u] == expected


@pytest.mark.parametrize("shapes", [("caterpillar", "caterpillar"), ("uniform", "caterpillar"), ("merges", "uniform")])
@pytest.mark.further
def test_large_trees_have_the_counterparts_and_holders_of_a_table_of_all_pairs(shapes):
    old, new = (random_tree(1_500, shape=shape, rng=i) for i, shape in enumerate(shapes))
    item_match = positions(old.items, new.items)
    shared = np.zeros((old.n_nodes, new.n_nodes), dtype=np.int64)
    shared[old.item_node, new.item_node[item_match]] = 1
    for table, tree in ((shared, old), (shared.T, new)):
        for v, p in enumerate(tree.parent[:-1].tolist()):
            table[p] += table[v]
    size, sizes = shared[:, -1], shared[-1]
    jaccard = shared / (np.add.outer(size, sizes) - shared)
    best = jaccard[:-1, :-1].argmax(axis=1)
    alike = np.flatnonzero(jaccard[np.arange(best.size), best] > 0.5)
    left, left_other = (np.arange(tree.n_nodes) < tree.root for tree in (old, new))
    found = matching.offers(*matching.sides(old, new, item_match, by_name=True), left, left_other)
    assert found.node.tolist() == alike.tolist()
    assert found.other.tolist() == best[alike].tolist()
    edits = edits_between(old, new, item_match)
    deepest = (2 * shared > size[:, None]).argmax(axis=1)
    apart = np.flatnonzero((edits.match < 0) & (edits.origin[deepest] < 0))
    assert apart.size > 0
    assert edits.target[apart].tolist() == deepest[apart].tolist()
    assert ((edits.target >= 0) == (edits.match < 0)).all()
