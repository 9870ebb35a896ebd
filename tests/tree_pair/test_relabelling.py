"""Relabellings drawn as tables of counts have the distribution of permutations of the items."""

import numpy as np
import pytest
from scipy.stats import chi2

import dendrometry as dm
from dendrometry.comparison import compare_overlap
from dendrometry.errors import InvalidInputError
from dendrometry.tree_pair import relabelling
from dendrometry.tree_pair.relabelling import Cells, most_cells, relabel
from tests.oracles.tree_pair.relabelling import distribution, relabellings

N_DRAWN = 4_000
NODES = {  # the node of each item in either tree, some nodes without items
    "two by two": ([0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 2, 2, 2]),
    "more columns": ([1, 1, 1, 1, 3, 3, 3, 3], [0, 0, 0, 1, 1, 1, 4, 4]),
    "more rows": ([0, 0, 0, 1, 1, 1, 4, 4], [1, 1, 1, 1, 3, 3, 3, 3]),
    "one column": ([0, 0, 1, 1], [2, 2, 2, 2]),
    "items alone": ([0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 3]),
}


def drawn(first, second, n=N_DRAWN):
    """Tables that are drawn for the nodes of items, and which way they are drawn."""
    size_a, size_b = np.bincount(first), np.bincount(second)
    at_start = Cells(np.array(first), np.array(second), np.ones(len(first), dtype=np.int64))
    rng = np.random.default_rng(0)
    return [relabel(at_start, size_a, size_b, rng) for _ in range(n)]


@pytest.mark.further
@pytest.mark.parametrize("name", NODES)
def test_every_table_is_as_frequent_as_its_relabellings(name):
    """A chi-square test against all relabellings, which a right sampler fails once in ten thousand seeds."""
    first, second = NODES[name]
    exact = distribution(first, second)
    found = dict.fromkeys(exact, 0)
    for cells in drawn(first, second):
        found[tuple(zip(*(column.tolist() for column in cells), strict=True))] += 1
    statistic = sum((found[table] - N_DRAWN * p) ** 2 / (N_DRAWN * p) for table, p in exact.items())
    assert statistic <= chi2.ppf(1 - 1e-4, max(len(exact) - 1, 1))


@pytest.mark.further
@pytest.mark.parametrize("name", NODES)
def test_counts_have_the_mean_and_variance_of_all_relabellings(name):
    """Both are within five standard errors for the number of pairs of items that are together in both trees."""
    first, second = NODES[name]
    exact = np.array([sum(m * (m - 1) / 2 for *_, m in table) for table in relabellings(first, second)])
    found = np.array([(cells.n_items * (cells.n_items - 1) / 2).sum() for cells in drawn(first, second)])
    scale = exact.std()
    assert abs(found.mean() - exact.mean()) <= 5 * scale / N_DRAWN**0.5
    fourth = ((exact - exact.mean()) ** 4).mean() - exact.var() ** 2
    assert abs(found.var() - exact.var()) <= 5 * (fourth / N_DRAWN) ** 0.5 + 1e-12


def test_tables_are_drawn_only_where_there_are_fewer_pairs_of_nodes_than_items(monkeypatch):
    calls = []
    draw = relabelling._draw_table
    monkeypatch.setattr(relabelling, "_draw_table", lambda *given: calls.append(1) or draw(*given))
    for name, (first, second) in NODES.items():
        calls.clear()
        drawn(first, second, 1)
        assert len(calls) == (most_cells(np.bincount(first), np.bincount(second)) < len(first)), name


def test_many_items_are_never_listed(monkeypatch):
    monkeypatch.delattr(relabelling, "distinct_rows")
    a = [5, 5, 5, 5, 5, -1]
    triples = [(i, j, 36_000_000) for i in range(5) for j in range(5)]
    overlap = dm.Overlap.from_triples(a, a, triples)
    result = compare_overlap(overlap, measures=["hierarchy_agreement"], n_permutations=99)
    assert 0 < result.chance.p_value["hierarchy_agreement"] <= 1
    assert compare_overlap(overlap).chance.n == 199


def test_more_items_than_can_be_drawn_are_not_tested():
    overlap = dm.Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, 10**9), (1, 1, 5), (0, 1, 3)])
    for measures in (None, ["hierarchy_agreement"]):
        result = compare_overlap(overlap, measures=measures, n_permutations=9)
        assert not result.chance.p_value
        assert set(result.chance.reason.values()) == {"not tested: at most 999,999,999 items can be relabelled"}
    with pytest.raises(InvalidInputError, match=r"at most 999,999,999 items can be relabelled; got 1,000,000,000"):
        relabel(
            Cells(*np.zeros((3, 1), dtype=np.int64)), np.array([10**9]), np.array([10**9]), np.random.default_rng(0)
        )
