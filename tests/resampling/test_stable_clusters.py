import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, cut_count, from_newick, stability
from dendrometry._display import index_text, support_text
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.resampling import (
    MULTISCALE,
    Resampling,
    co_membership,
    cut_stable,
    item_stability,
    stability_of_trees,
    support_tree,
)
from tests.oracles.resampling import stability as oracle
from tests.resampling.test_stability import THREE, sets_of
from tests.strategies import random_hierarchy


def renamed(tree, names):
    return Hierarchy(tree.parent, tree.height, tree.item_node, names)


@given(st.integers(0, 10**6), st.integers(3, 10), st.sampled_from(["large", "many"]))
def test_stable_clusters_are_those_of_the_definition(seed, n, prefer):
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng)
    trees = [tree, *(renamed(random_hierarchy(n, rng), tree.items) for _ in range(2))]
    found = stability_of_trees(tree, trees)
    cut = cut_stable(found, threshold=0.7, prefer=prefer)
    clusters = [cluster for cluster, _ in sets_of(tree)]
    stable = oracle.stable_nodes(clusters, found.support.jaccard.tolist(), 0.7, prefer)
    ours = {frozenset(cluster) for cluster in cut.clusters}
    assert stable <= ours
    covered = set().union(*stable) if stable else set()
    leaves = {frozenset(tree.own_items(v)) for v in tree.leaves.tolist()}
    for rest in ours - stable:
        assert not rest & covered
        assert len(rest) == 1 or rest in leaves


@given(st.integers(0, 10**6), st.integers(3, 8))
def test_shares_of_items_are_those_of_the_definition(seed, n):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 1))
    found = stability(points, resample="subsample", n_replicates=4, n_references=0, rng=seed)
    k = int(rng.integers(2, n))
    shown, cut = item_stability(found, k), cut_count(found.hierarchy, k)
    partitions = [oracle.partition_at(sets_of(found.replicate_tree(i)), k) for i in range(4)]
    for i, name in enumerate(shown.items):
        cluster = set(cut.clusters[cut.labels[i]])
        if len(cluster) > 1:
            assert shown.own[i] == pytest.approx(oracle.share_with(name, cluster, partitions))
        else:
            holding = [parts for parts in partitions if any(name in part for part in parts)]
            assert shown.own[i] == pytest.approx(sum({name} in parts for parts in holding) / max(len(holding), 1))
        others = [oracle.share_with(name, set(c), partitions) for c in cut.clusters if name not in c]
        assert shown.other[i] == pytest.approx(max(others))
        assert shown.rival[i] != cut.labels[i]
    together = co_membership(found, k)
    assert (together == together.T).all()
    for i, j in ((0, 1), (1, n - 1)):
        names = {found.hierarchy.items[i], found.hierarchy.items[j]}
        both = [parts for parts in partitions if names <= set().union(*parts)]
        expected = sum(any(names <= part for part in parts) for parts in both) / max(len(both), 1)
        assert together[i, j] == pytest.approx(expected)


def test_results_are_shown():
    pytest.importorskip("pandas")
    found = item_stability(stability(THREE, n_replicates=20, n_references=0), 3)
    assert repr(found) == "ItemStability(30 items in 3 clusters, 0 unstable)"
    assert found.to_frame().shape == (30, 4)
    assert "<table" in found._repr_html_()


def test_support_becomes_the_names_of_nodes():
    points = np.random.default_rng(0).normal(size=(8, 6))
    plan = Resampling("columns", scales=MULTISCALE)
    found = stability(points, resample=plan, n_replicates=4, n_references=0)
    for by in ("bp", "jaccard", "au"):
        tree = support_tree(found, by=by)
        assert tree == found.hierarchy
        shares = getattr(found.support, by)
        names = {v: support_text(shares[v]) for v in found.nodes().tolist()}
        assert tree.node_names == tuple(names.get(v, "") for v in range(tree.n_nodes))


def test_a_support_is_0_or_100_only_if_it_is_exact():
    shares = (0.0, 0.001, 0.334, 0.5, 0.994, 0.996, 0.9999, 1.0)
    assert [support_text(share) for share in shares] == ["0", "1", "33", "50", "99", "99", "99", "100"]


def test_bad_requests_are_refused():
    tree = from_newick("((a,b),(c,d));")
    found = stability_of_trees(tree, [tree, tree])
    with pytest.raises(InvalidInputError, match="by='au' needs replicates at three or more scales"):
        cut_stable(found, by="au")
    with pytest.raises(
        InvalidInputError, match=r"result must be a Stability; got Hierarchy \(stability\(\) returns one\)"
    ):
        cut_stable(tree)
    with pytest.raises(UndefinedMeasureError, match="the replicates must have heights to be cut"):
        item_stability(found, 2)


def test_an_index_is_1_only_if_it_is_exact():
    values = (1.0, 0.997, 0.9996, 0.5, -0.0, -0.004, 33.0, 1.0 - 1e-15)
    assert [index_text(x) for x in values] == ["1.00", "0.997", "0.9996", "0.50", "0.00", "-0.00", "33.00", "1.00"]
    assert (index_text(0.9996, 3), index_text(0.25, 3)) == ("0.9996", "0.250")
