"""Linkages are rows of one table: what the rows claim holds, and a new row is all that a new linkage needs."""

import subprocess
import sys
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from dendrometry import agglomerate, agglomerate_distances
from dendrometry._kernels.cluster import matrix_reciprocal as kernels
from dendrometry._kernels.cluster.lance_williams import GROUP_AVERAGE, GROUP_AVERAGE_WITH_SELF, UPDATES, blend
from dendrometry._kernels.cluster.matrix_reciprocal import Pairs
from dendrometry._kernels.cluster.vector_greedy import FORMS
from dendrometry.cluster import LINKAGES, METRICS, Linkage, buckshot
from dendrometry.cluster.cpu.list_reciprocal import LIST_UPDATES
from dendrometry.cluster.cpu.neighbours import BY_SIZE
from dendrometry.errors import InvalidInputError

UNKNOWN = (-1, GROUP_AVERAGE, GROUP_AVERAGE_WITH_SELF, len(UPDATES), 99)
RULES = pytest.mark.parametrize("rule", LINKAGES.values(), ids=list(LINKAGES))


def test_the_table_names_every_linkage_once():
    assert tuple(LINKAGES) == get_args(Linkage)
    assert [rule.name for rule in LINKAGES.values()] == list(LINKAGES)
    assert {rule.update for rule in LINKAGES.values()} == set(UPDATES)
    assert [rule.name for rule in LINKAGES.values()] == list(LINKAGES)


@RULES
def test_a_row_names_what_there_is(rule):
    assert rule.update in UPDATES
    for metrics in (rule.vector_metrics, rule.index_metrics, rule.equal_to):
        assert set(metrics) <= set(rule.metrics) <= set(METRICS)
    assert set(rule.equal_to.values()) <= set(LINKAGES)
    assert not rule.vector_metrics or rule.update in (BY_SIZE if rule.reducible else FORMS)
    assert not rule.squared or set(rule.metrics) - set(rule.equal_to) == {"euclidean"}
    assert set(LIST_UPDATES) <= set(UPDATES)


def test_the_table_is_read_without_numpy():
    code = "import dendrometry.cluster.linkages, sys; sys.exit(any(m in sys.modules for m in ('numpy', 'numba')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@RULES
def test_a_reducible_linkage_brings_no_new_cluster_nearer(rule):
    rng = np.random.default_rng(0)
    nearer = 0
    for _ in range(2000):
        i, j, k = rng.random((3, 2))
        near, x, y = ((i - j) ** 2).sum(), ((i - k) ** 2).sum(), ((j - k) ** 2).sum()
        if near > min(x, y):
            continue
        if rule.update.startswith("group_average"):
            new = (near + x + y) / 3 if rule.update == "group_average" else 4 * (near + x + y) / 9  # in units of a pair
        else:
            new = blend(UPDATES.index(rule.update), x, y, (1.0, 1.0, near), 1.0)
        nearer += new < min(x, y) * (1 - 1e-12)
    assert (nearer == 0) == rule.reducible


@RULES
def test_a_monotone_linkage_has_no_inversions(rule):
    rng = np.random.default_rng(0)
    inversions = [agglomerate(rng.random((12, 2)), linkage=rule.name).report.inversions for _ in range(20)]
    assert (sum(inversions) == 0) == rule.monotone


@pytest.mark.parametrize("code", UNKNOWN)
@pytest.mark.parametrize("formula", [blend, getattr(blend, "py_func", blend)], ids=["compiled", "plain"])
def test_an_unknown_code_is_refused(formula, code):
    with pytest.raises(ValueError, match="must be a formula of Lance and Williams; got an unknown code"):
        formula(code, 1.0, 2.0, (1.0, 1.0, 0.5), 1.0)


@pytest.mark.parametrize("code", UNKNOWN)
def test_an_unknown_code_is_refused_in_a_loop_over_a_matrix(code):
    one = np.ones(1)
    pairs = Pairs(np.array([0]), np.array([1]), one, one, one)
    with pytest.raises(ValueError, match="got an unknown code"):
        kernels.combine_rows(np.arange(1), pairs, np.ones(3), code, np.ones((3, 3)))


def test_every_formula_is_its_own():
    values = [blend(code, 3.0, 5.0, (2.0, 1.0, 1.5), 4.0) for code in range(GROUP_AVERAGE)]
    assert values[:4] == [3.0, 5.0, 11 / 3, 4.0]
    assert values[4:] == pytest.approx([(6 * 3 + 5 * 5 - 4 * 1.5) / 7, 11 / 3 - 2 / 9 * 1.5, 4 - 1.5 / 4])


def same_tree(one, other):
    assert np.array_equal(one.hierarchy.parent, other.hierarchy.parent)
    np.testing.assert_allclose(one.hierarchy.height, other.hierarchy.height, rtol=1e-9)


@pytest.mark.parametrize("small", [1000, 5], ids=["greedy", "rounds"])
@RULES
def test_a_linkage_is_added_by_its_row_alone(rule, small, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", small)
    monkeypatch.setitem(LINKAGES, "dummy", replace(rule, name="dummy"))
    X = np.random.default_rng(1).random((20, 3)) + 0.1
    for metric in rule.metrics[:4]:
        built = agglomerate(X, linkage="dummy", metric=metric)
        assert built.report.linkage == "dummy"
        same_tree(built, agglomerate(X, linkage=rule.name, metric=metric))
        if metric in ("cosine", "dot"):
            points = sparse.csr_array(X)
            same_tree(
                agglomerate(points, linkage="dummy", metric=metric),
                agglomerate(points, linkage=rule.name, metric=metric),
            )
    same_tree(agglomerate_distances(pdist(X), linkage="dummy"), agglomerate_distances(pdist(X), linkage=rule.name))
    if "cosine" in rule.metrics:
        assert buckshot(X, 3, linkage="dummy", rng=0).report.linkage == "dummy"


@pytest.mark.parametrize("small", [1000, 5], ids=["greedy", "rounds"])
@RULES
def test_a_linkage_that_has_only_a_formula_is_built_from_a_matrix(rule, small, monkeypatch):
    monkeypatch.setattr("dendrometry.cluster.cpu.square.SMALL", small)
    plain = replace(rule, name="dummy", vector_metrics=(), index_metrics=(), spanning_tree=False)
    monkeypatch.setitem(LINKAGES, "dummy", plain)
    X = np.random.default_rng(2).random((20, 3)) + 0.1
    for metric in rule.metrics[:4]:
        built = agglomerate(X, linkage="dummy", metric=metric)
        rounds = rule.reducible and small < 20
        if metric not in rule.equal_to:
            assert built.report.algorithm == ("matrix_reciprocal" if rounds else "matrix_greedy")
        same_tree(built, agglomerate(X, linkage=rule.name, metric=metric))
    same_tree(agglomerate_distances(pdist(X), linkage="dummy"), agglomerate_distances(pdist(X), linkage=rule.name))


@RULES
def test_other_names_of_a_linkage_are_answered_by_its_own(rule):
    for word in (*rule.aliases, *map(str.lower, rule.aliases)):
        with pytest.raises(InvalidInputError, match=f"did you mean '{rule.name}'"):
            agglomerate([[0.0], [1.0]], linkage=word)


def test_messages_name_the_linkages_of_the_table(monkeypatch):
    monkeypatch.setitem(LINKAGES, "dummy", replace(LINKAGES["ward"], name="dummy"))
    with pytest.raises(
        ValueError, match=r"did you mean .* linkage must be .*'group_average_with_self' or 'dummy'; got 'dumy'"
    ):
        agglomerate([[0.0]], linkage="dumy")
    with pytest.raises(ValueError, match="metric must be euclidean for dummy linkage; got cosine"):
        agglomerate([[0.0]], linkage="dummy", metric="cosine")
