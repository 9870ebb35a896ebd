"""Selective inference: where the clusters are the same, that p-values are uniform, and tails however far out."""

import math

import numpy as np
import pytest
from scipy.stats import chi, kstest

import dendrometry as dm
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.significance import selective
from dendrometry.significance.selective import compare_clusters
from dendrometry.significance.truncated_chi import share_beyond
from tests.oracles.significance import selective as oracle

LINKAGES = {"ward": "euclidean", "average": "sqeuclidean", "single": "euclidean"}


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("seed", range(6))
def test_the_clusters_are_the_same_at_the_distances_that_are_allowed_and_at_no_others(linkage, seed):
    points = np.random.default_rng(seed).normal(size=(9, 2))
    tree = dm.agglomerate(points, linkage=linkage, metric=LINKAGES[linkage]).hierarchy
    order, low, high = tree.order.item, tree.order.item_low, tree.order.item_high
    below = [frozenset(order[a:b].tolist()) for a, b in zip(low, high, strict=True)]
    for count in (2, 3, 4):
        last = tree.n_nodes + 1 - count
        there = [v for v in range(last) if tree.parent[v] >= last]
        first, second = (int(there[i]) for i in np.random.default_rng(seed).permutation(len(there))[:2])
        statistic, allowed, p = compare_clusters(points, tree, last, (first, second), linkage, 1.0)
        pair = (below[first], below[second])
        given = points.tolist()
        assert statistic == pytest.approx(oracle.distance(given, *pair))
        assert any(a <= statistic <= b for a, b in allowed)
        assert 0.0 < p <= 1.0
        for to in np.linspace(0.013, 6.0, 40):
            same = set(pair) <= oracle.clusters(oracle.moved(given, *pair, to), count, linkage)
            assert same == any(a < to < b for a, b in allowed), (count, to, allowed)


def test_the_p_value_is_the_share_of_the_truncated_distribution():
    allowed = np.array([[0.2, 0.9], [1.4, 3.0], [4.0, np.inf]])
    mass = [chi.cdf(b, 3) - chi.cdf(a, 3) for a, b in allowed]
    beyond = chi.cdf(3.0, 3) - chi.cdf(2.0, 3) + chi.sf(4.0, 3)
    assert share_beyond(2.0, allowed, 3) == pytest.approx(beyond / sum(mass), rel=1e-12)
    assert share_beyond(0.1, allowed, 3) == 1.0


@pytest.mark.parametrize("d", [1, 2, 7])
def test_tails_far_out_are_those_of_the_density(d):
    """From 60 to 61 and beyond: the density falls as x^(d-1) exp(-x^2 / 2), and no probability is above 1e-780."""
    x = np.linspace(60.0, 62.0, 200_001)
    density = (x / 60.0) ** (d - 1) * np.exp(-(x**2 - 60.0**2) / 2.0)
    beyond = density[x >= 60.02].sum() / density.sum()
    assert share_beyond(60.02, np.array([[60.0, np.inf]]), d) == pytest.approx(beyond, rel=1e-3)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_p_values_of_normal_data_are_uniform(linkage):
    found = [
        selective(np.random.default_rng([seed, 5]).normal(size=(12, 2)), linkage=linkage, deviation=1.0).p_value
        for seed in range(60)
    ]
    assert kstest(found, "uniform").pvalue > 0.01


def test_an_estimated_deviation_is_cautious():
    points = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0, 0], [7, 0]], 15, axis=0)
    known, estimated = selective(points, deviation=1.0), selective(points)
    assert known.p_value < estimated.p_value / 1e6
    assert estimated.deviation > 2.0
    assert estimated.is_estimated
    assert not known.is_estimated
    assert estimated.sizes == (15, 15)


def test_a_node_below_the_root_is_compared_with_what_is_there_before_it():
    points = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0)
    tree = dm.agglomerate(points).hierarchy
    found = [selective(points, v, deviation=1.0) for v in (tree.root, tree.root - 1, tree.root - 2)]
    assert [sum(one.sizes) for one in found[:2]] == [30, 20]
    assert [one.p_value < 0.01 for one in found] == [True, True, False]


def test_words():
    found = selective(np.random.default_rng(0).normal(size=(20, 2)))
    assert "exact for normal data" in found.verdict
    assert f"apart (p = {found.p_value:.2g})" in found.verdict
    assert "does not hold the error over a tree" in found.verdict
    assert "Gao, Bien and Witten, 2022" in found.methods
    assert repr(found).startswith("Selective(node 38, ")
    assert math.isfinite(found.statistic)


def test_refuses_wrong_input():
    points = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(InvalidInputError, match="linkage must be"):
        selective(points, linkage="complete")
    with pytest.raises(InvalidInputError, match="node must be a whole number from 20 to 38"):
        selective(points, 3)
    with pytest.raises(InvalidInputError, match="deviation must be"):
        selective(points, deviation=0.0)
    with pytest.raises(UndefinedMeasureError, match="at least 3 points"):
        selective(points[:2])
    with pytest.raises(UndefinedMeasureError, match="must not all be equal"):
        selective(np.ones((5, 2)))
