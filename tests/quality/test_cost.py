"""Cost and revenue: the definition, all relabellings, published facts, points as graphs, and bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from dendrometry import agglomerate, from_labels, from_newick, from_parents
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.generate import random_tree
from dendrometry.quality import dasgupta_cost, dasgupta_cost_graph
from tests.oracles.quality import cost as oracle
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchies
from tests.zoo import ZOO, caterpillar

THREE = from_newick("((ape,cat),owl);")


def graph(n, seed, negative=False):
    """Return random symmetric weights, about half of them 0."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(-3 if negative else 0, 4, (n, n)) * rng.integers(0, 2, (n, n)), 1).astype(float)
    return upper + upper.T


@given(tree=hierarchies(max_items=9), seed=st.integers(0, 2**32), negative=st.booleans())
def test_a_graph_costs_what_the_definition_says(tree, seed, negative):
    if tree.n_items > 1:
        weight = graph(tree.n_items, seed, negative)
        shape = plain(tree, tree.items)
        for given_as in (weight, sparse.csr_array(weight), sparse.coo_matrix(weight)):
            found = dasgupta_cost_graph(tree, given_as)
            assert found.cost == oracle.cost(shape, weight)
            assert found.revenue == oracle.revenue(shape, weight)
            assert found.total_weight == weight.sum() / 2


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("metric", ["dot", "cosine", "sqeuclidean"])
def test_points_cost_what_the_graph_of_all_pairs_costs(name, metric):
    tree = ZOO[name]
    points = np.random.default_rng(3).normal(size=(tree.n_items, 70))  # more than one block of coordinates
    if tree.n_items == 1:
        with pytest.raises(UndefinedMeasureError, match="at least two items, since pairs have weights"):
            dasgupta_cost(tree, points, metric=metric)
        return
    unit = points / np.linalg.norm(points, axis=1)[:, None] if metric == "cosine" else points
    weights = oracle.squared_distances if metric == "sqeuclidean" else oracle.dot_products
    weight = weights(unit.tolist())
    shape = plain(tree, tree.items)
    found = dasgupta_cost(tree, points, metric=metric)
    assert found.cost == pytest.approx(oracle.cost(shape, weight), rel=1e-12, abs=1e-12)
    assert found.revenue == pytest.approx(oracle.revenue(shape, weight), rel=1e-12, abs=1e-12)
    if metric != "sqeuclidean":
        assert dasgupta_cost_graph(tree, np.array(weight)).cost == pytest.approx(
            found.cost, rel=1e-12
        )  # some are below 0
        thin = dasgupta_cost(tree, sparse.csr_array(points), metric=metric)
        assert thin.cost == pytest.approx(found.cost, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_expectation_is_the_mean_over_all_relabellings(seed):
    tree = random_tree(5, rng=seed)
    weight = graph(5, seed)
    found = dasgupta_cost_graph(tree, weight)
    shape = plain(tree, tree.items)
    assert found.expected_cost == pytest.approx(oracle.mean_over_relabellings(oracle.cost, shape, weight))
    assert found.expected_revenue == pytest.approx(oracle.mean_over_relabellings(oracle.revenue, shape, weight))


def test_the_expectation_is_what_a_simulation_finds():
    tree = random_tree(30, rng=1)
    weight, rng = graph(30, 2), np.random.default_rng(0)
    orders = [rng.permutation(30) for _ in range(400)]
    found = [dasgupta_cost_graph(tree, weight[np.ix_(order, order)]).cost for order in orders]
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(dasgupta_cost_graph(tree, weight).expected_cost, abs=4 * error)


@pytest.mark.parametrize("seed", range(5))
def test_every_binary_tree_of_a_clique_costs_the_same(seed):
    """(n^3 - n) / 3: Dasgupta 2016, theorem 3."""
    n = 12
    found = dasgupta_cost_graph(random_tree(n, rng=seed), np.ones((n, n)) - np.eye(n))
    assert found.cost == (n**3 - n) / 3
    assert found.expected_cost == pytest.approx(found.cost)


def test_an_even_split_of_a_line_costs_less_than_a_caterpillar():
    """Dasgupta 2016, section 2: a path of n nodes costs about n log2 n with even splits."""
    line = np.diag(np.ones(7), 1)
    even = from_newick("(((0,1),(2,3)),((4,5),(6,7)));")
    costs = [dasgupta_cost_graph(tree, line + line.T).cost for tree in (even, caterpillar(8))]
    assert costs == [24.0, 35.0]


def test_cost_and_revenue_add_up_and_have_their_bounds():
    found = dasgupta_cost_graph(THREE, [[0, 5, 1], [5, 0, 0], [1, 0, 0]])
    assert found.cost + found.revenue == 3 * found.total_weight
    assert found.normalized_cost == 13 / 18
    assert found.normalized_revenue == 5 / 6
    star = dasgupta_cost_graph(from_labels(list("abcd")), graph(4, 1))
    assert (star.normalized_cost, star.normalized_revenue) == (1.0, 0.0)
    apart = dasgupta_cost_graph(from_newick("((ape,cat),(elk,owl));"), np.eye(4)[[1, 0, 3, 2]])
    assert (apart.normalized_cost, apart.normalized_revenue) == (0.5, 1.0)


def test_a_tree_of_the_points_costs_less_than_chance():
    points = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat([[0, 0, 9], [0, 9, 0], [9, 0, 0]], 20, axis=0)
    tree = agglomerate(points, linkage="average", metric="cosine").hierarchy
    alike = dasgupta_cost(tree, points)
    assert alike.cost < alike.expected_cost
    far = dasgupta_cost(tree, points, metric="sqeuclidean")
    assert far.cost > far.expected_cost
    assert repr(far).endswith(f"cost {far.cost:.6g} of distances, higher is better, {far.expected_cost:.6g} by chance)")


def test_without_weight_there_is_no_normalised_form():
    found = dasgupta_cost_graph(THREE, np.zeros((3, 3)))
    assert (found.cost, found.expected_cost, found.revenue) == (0.0, 0.0, 0.0)
    with pytest.raises(UndefinedMeasureError, match="the bound to normalise by must be above 0; got 0"):
        _ = found.normalized_cost
    pair = dasgupta_cost_graph(from_newick("(ape,owl);"), [[0, 2], [2, 0]])
    assert pair.normalized_cost == 1.0
    with pytest.raises(UndefinedMeasureError, match="above 0; got 0"):
        _ = pair.normalized_revenue
    equal = dasgupta_cost(THREE, np.ones((3, 2)), metric="sqeuclidean")
    assert (equal.cost, equal.total_weight) == (0.0, 0.0)


def test_items_are_matched_by_the_index_of_a_frame():
    points = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    frame = pd.DataFrame(points, index=["ape", "cat", "owl"])
    assert dasgupta_cost(THREE, frame.loc[["owl", "ape", "cat"]]) == dasgupta_cost(THREE, points)
    weight = pd.DataFrame(graph(3, 5), index=frame.index, columns=frame.index)
    other = weight.loc[["owl", "ape", "cat"], ["owl", "ape", "cat"]]
    assert dasgupta_cost_graph(THREE, other) == dasgupta_cost_graph(THREE, weight)
    with pytest.raises(ItemMismatchError, match="the tree and the weights must name the same items"):
        dasgupta_cost_graph(THREE, weight.rename({"ape": "yak"}))


@pytest.mark.parametrize("metric", ["dot", "sqeuclidean"])
def test_points_of_any_scale_work(metric):
    points = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 4.0]])
    plain_cost = dasgupta_cost(THREE, points, metric=metric)
    large = dasgupta_cost(THREE, np.ldexp(points, 500), metric=metric)
    assert large.cost == np.ldexp(plain_cost.cost, 1000)
    with pytest.raises(InvalidInputError, match="got an overflow"):
        dasgupta_cost(THREE, points * 1e200, metric=metric)
    shifted = dasgupta_cost(THREE, points + 2.0**40, metric="sqeuclidean")
    assert shifted.cost == dasgupta_cost(THREE, points, metric="sqeuclidean").cost


@pytest.mark.compiled
def test_a_deep_chain_works():
    n = 200_000
    path = sparse.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1])
    found = dasgupta_cost_graph(caterpillar(n), path)
    assert found.cost == n * (n + 1) / 2 - 1


def test_is_written_as_a_table():
    found = dasgupta_cost_graph(THREE, [[0, 5, 1], [5, 0, 0], [1, 0, 0]])
    assert found.to_frame().loc["Dasgupta cost"].tolist() == pytest.approx([13.0, 16.0, 13 / 18])
    assert found.to_markdown().splitlines()[2:] == [
        "| Dasgupta cost | 13 | 16 | 0.7222 |",
        "| Moseley-Wang revenue | 5 | 2 | 0.8333 |",
    ]
    assert r"Moseley-Wang revenue & 5 & 2 & 0.8333 \\" in found.to_latex()
    assert dasgupta_cost_graph(THREE, np.zeros((3, 3))).to_frame().normalized.isna().all()


def test_refuses_what_has_no_cost():
    with pytest.raises(InvalidInputError, match=r"weights must be symmetric; got 1.0 at \(0, 1\) but 0.0 at \(1, 0\)"):
        dasgupta_cost_graph(THREE, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(InvalidInputError, match=r"weights must be symmetric; got 2.0 at \(0, 1\) but 1.0 at \(1, 0\)"):
        dasgupta_cost_graph(THREE, sparse.csr_array([[0, 2, 0], [1, 0, 0], [0, 0, 0]]))
    with pytest.raises(InvalidInputError, match="a row and a column for each of 3 items; got 2 by 2"):
        dasgupta_cost_graph(THREE, np.eye(2))
    with pytest.raises(InvalidInputError, match="weights must be finite; got nan"):
        dasgupta_cost_graph(THREE, np.full((3, 3), np.nan))
    with pytest.raises(InvalidInputError, match="points must be dense for sqeuclidean; got a sparse matrix"):
        dasgupta_cost(THREE, sparse.csr_array(np.eye(3)), metric="sqeuclidean")
    with pytest.raises(InvalidInputError, match="one point for each of 3 items; got 2"):
        dasgupta_cost(THREE, np.eye(2))
    with pytest.raises(InvalidInputError, match="item 1 is a zero vector"):
        dasgupta_cost(THREE, [[1], [0], [1]])
    with pytest.raises(InvalidInputError, match="metric must be 'cosine', 'dot' or 'sqeuclidean'; got 'euclidean'"):
        dasgupta_cost(THREE, np.eye(3), metric="euclidean")
    with pytest.raises(UndefinedMeasureError, match="at least two items"):
        dasgupta_cost_graph(from_parents([-1], [0]), [[0]])
