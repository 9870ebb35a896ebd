"""Buckshot is the tree of a sample with all items below it, as good as the tree of all."""

import numpy as np
import pytest
from scipy import sparse
from tests.oracles.cluster.divisive import mean, squared

from dendrometry import _memory as memory
from dendrometry import _threads as threads
from dendrometry import adjusted_rand, agglomerate, cut_count, from_paths, hierarchy_agreement
from dendrometry.cluster import buckshot
from dendrometry.errors import InvalidInputError


def grouped(seed, n=300, groups=6, d=12, noise=0.15):
    """Unit vectors around the corners of the sphere, and the group of each."""
    rng = np.random.default_rng(seed)
    label = rng.integers(groups, size=n)
    X = np.eye(groups, d)[label] + noise * rng.random((n, d))
    return X / np.linalg.norm(X, axis=1)[:, None], label


def nested(seed, n):
    """Vectors of 3 groups of 3 subgroups each, and the tree of both."""
    rng = np.random.default_rng(seed)
    group, sub = rng.integers(3, size=n), rng.integers(3, size=n)
    X = np.hstack([2 * np.eye(3)[group], np.eye(9)[3 * group + sub]]) + 0.25 * rng.normal(size=(n, 12))
    return X, from_paths(
        [[f"g{g}", f"s{g}{s}"] for g, s in zip(group, sub, strict=True)], item_names=list(map(str, range(n)))
    )


def leaves_of(tree):
    return [tree.own_items(v) for v in np.flatnonzero(tree.n_children == 0)]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_clear_groups_are_found_and_are_the_leaves(form):
    X, label = grouped(0)
    built = buckshot(form(X), 6, rng=1)
    assert adjusted_rand(label, built.labels) == 1.0
    assert built.hierarchy.n_nodes == 11
    labels = {name: j for j, leaf in enumerate(leaves_of(built.hierarchy)) for name in leaf}
    assert adjusted_rand([labels[str(i)] for i in range(300)], built.labels) == 1.0
    assert built.labels[0] == 0
    assert built.report.settled


def test_the_sample_has_the_size_of_the_root_of_k_n_and_its_tree_is_above():
    X, _ = grouped(3)
    built = buckshot(X, 6, rng=2)
    assert built.sample.size == built.report.n_sampled == 43  # the root of 1,800 is 42.4
    above = agglomerate(X[built.sample], linkage="group_average", metric="cosine").hierarchy
    inner = built.hierarchy.height[built.hierarchy.n_children > 0]
    assert inner.tolist() == np.sort(above.height)[-5:].tolist()
    cut = cut_count(above, 6)
    assert sorted(built.hierarchy.height[built.hierarchy.n_children == 0]) == sorted(above.height[cut.nodes])


def test_every_item_is_nearest_to_the_mean_of_its_own_cluster():
    X = np.random.default_rng(5).normal(size=(60, 3))
    built = buckshot(X, 4, metric="euclidean", linkage="ward", max_rounds=100, rng=0)
    assert built.report.settled
    points = X.tolist()
    centres = [mean(points, np.flatnonzero(built.labels == j).tolist()) for j in range(4)]
    for i, j in enumerate(built.labels):
        assert min(range(4), key=lambda c: squared(points[i], centres[c])) == j


def test_refined_clusters_are_the_trees_of_their_items():
    X, _ = grouped(1, n=80)
    flat, fine = buckshot(X, 5, rng=3), buckshot(X, 5, refine=True, rng=3)
    assert np.array_equal(flat.labels, fine.labels)
    assert fine.hierarchy.n_nodes == 2 * 80 - 1
    for j in range(5):
        rows = np.flatnonzero(fine.labels == j)
        own = agglomerate(
            X[rows], linkage="group_average", metric="cosine", item_names=[str(i) for i in rows]
        ).hierarchy
        part = fine.hierarchy.restrict([str(i) for i in rows]).without_unary()
        assert part == own
    tree = fine.hierarchy
    low = tree.height[tree.parent[:-1]] < tree.height[:-1]
    assert fine.report.inversions == np.unique(tree.parent[:-1][low]).size


def test_one_cluster_refined_is_the_tree_of_all():
    X, _ = grouped(1, n=30)
    one = buckshot(X, 1, refine=True, rng=3)
    assert one.hierarchy == agglomerate(X, linkage="group_average", metric="cosine").hierarchy
    assert buckshot(X, 1, rng=3).hierarchy.n_nodes == 1


def test_as_many_clusters_as_items_is_the_tree_of_all():
    X, _ = grouped(2, n=20)
    built = buckshot(X, 20, linkage="complete", rng=3)
    assert built.hierarchy == agglomerate(X, linkage="complete", metric="cosine").hierarchy


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("linkage", ["group_average", "average"])
def test_the_quality_is_within_a_twentieth_of_that_of_the_full_tree(seed, linkage):
    X, truth = nested(seed, 900)
    full = agglomerate(X, linkage=linkage, metric="cosine").hierarchy
    sampled = buckshot(X, 9, linkage=linkage, refine=True, rng=seed).hierarchy
    reached = hierarchy_agreement(full, truth)
    assert reached > 0.9
    assert hierarchy_agreement(sampled, truth) > reached - 0.05


@pytest.mark.compiled
def test_ward_on_euclidean_does_as_well():
    X, truth = nested(7, 900)
    full = agglomerate(X, linkage="ward").hierarchy
    sampled = buckshot(X, 9, linkage="ward", metric="euclidean", refine=True, rng=0).hierarchy
    assert hierarchy_agreement(sampled, truth) > hierarchy_agreement(full, truth) - 0.05


def test_equal_items_still_make_k_clusters():
    built = buckshot(np.repeat([[1.0, 2.0], [3.0, 1.0]], [5, 4], axis=0), 4, rng=0)
    assert np.bincount(built.labels).min() >= 1
    assert built.labels.max() == 3
    assert built.report.refilled > 0
    assert sorted(map(len, leaves_of(built.hierarchy))) == sorted(np.bincount(built.labels).tolist())


def test_sparse_rows_are_taken_for_cosine():
    with pytest.raises(InvalidInputError, match="metric must be cosine or dot for sparse points; got euclidean"):
        buckshot(sparse.csr_matrix(grouped(0)[0]), 3, metric="euclidean", rng=0)


def test_one_item_is_a_tree_of_one_leaf():
    built = buckshot([[1.0, 2.0]], 1, rng=0)
    assert (built.hierarchy.n_nodes, built.labels.tolist()) == (1, [0])


def test_the_same_seed_gives_the_same_bits_for_any_number_of_threads(monkeypatch):
    X, _ = grouped(4, noise=0.9)
    trees = []
    for cores in (1, 3):
        monkeypatch.setattr(threads, "n_cores", lambda cores=cores: cores)
        trees.append(buckshot(sparse.csr_matrix(X), 6, rng=9))
    assert np.array_equal(trees[0].labels, trees[1].labels)
    assert trees[0].hierarchy == trees[1].hierarchy


def test_rounds_that_are_used_up_are_reported():
    X = np.random.default_rng(0).normal(size=(400, 2))
    built = buckshot(X, 7, max_rounds=1, rng=0)
    assert (built.report.rounds, built.report.settled) == (1, False)


def test_it_says_what_it_is():
    X, _ = grouped(0, n=30)
    assert repr(buckshot(X, 3, rng=0)).endswith(
        "3 clusters from 10 sampled items, group_average on cosine, 0 ties, 0 inversions; resampling.fidelity tells how"
        " near the exact tree)"
    )


@pytest.mark.parametrize(("n_clusters", "message"), [
    (0, "n_clusters must be a whole number from 1 to 30; got 0"),
    (31, "n_clusters must be a whole number from 1 to 30; got 31"),
    (2.5, r"n_clusters must be a whole number from 1 to 30; got 2\.5"),
    (np.nan, "n_clusters must be a whole number from 1 to 30; got nan"),
])  # fmt: skip
def test_a_number_of_clusters_out_of_range_is_refused(n_clusters, message):
    with pytest.raises(InvalidInputError, match=message):
        buckshot(grouped(0, n=30)[0], n_clusters)


def test_points_and_options_that_cannot_be_used_are_refused():
    X, _ = grouped(0, n=30)
    with pytest.raises(InvalidInputError, match="metric must be euclidean for ward linkage; got cosine"):
        buckshot(X, 3, linkage="ward", rng=0)
    with pytest.raises(InvalidInputError, match="max_rounds must be a whole number from 1 on; got 0"):
        buckshot(X, 3, max_rounds=0)
    X[7] = 0.0
    with pytest.raises(InvalidInputError, match="item 7 is a zero vector"):
        buckshot(sparse.csr_matrix(X), 3)
    X[7, 2] = np.inf
    with pytest.raises(InvalidInputError, match="finite; got inf in row 7, column 2"):
        buckshot(X, 3)


def test_what_does_not_fit_in_memory_is_refused_with_the_figure(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(
        InvalidInputError, match=r"buckshot into 5 clusters of 1,000 items needs \d+\.\d MiB .* Alternatives"
    ):
        buckshot(np.ones((1000, 100)), 5)
