"""P-values adjusted down a tree: their definition, their laws, and the error that they hold."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import from_newick
from dendrometry.errors import InvalidInputError
from dendrometry.significance import adjust_down, reject_down
from tests.oracles.sets.trees import ancestors, plain
from tests.oracles.significance import top_down as oracle
from tests.strategies import hierarchies
from tests.zoo import ZOO, caterpillar

NAN = math.nan


def some_p_values(tree, rng):
    """P-values of every size, some of them equal, some 0 and some missing."""
    p = rng.random(tree.n_nodes) ** rng.integers(1, 12)
    p = np.where(rng.random(tree.n_nodes) < 0.2, rng.choice([0.0, 0.001, 0.01]), p)
    return np.where(rng.random(tree.n_nodes) < 0.3, NAN, p)


@given(hierarchies(max_items=12), st.integers(0, 2**32))
def test_equals_its_definition_and_is_never_above_meinshausens(tree, seed):
    p = some_p_values(tree, np.random.default_rng(seed))
    found, small = adjust_down(tree, p), plain(tree, tree.items)
    assert found.tolist() == pytest.approx(oracle.adjust_down(small, p.tolist()), rel=1e-12, nan_ok=True)
    above = np.array(oracle.meinshausen(small, p.tolist()))
    assert (found[~np.isnan(p)] <= above[~np.isnan(p)] * (1 + 1e-12)).all()


@given(hierarchies(max_items=12), st.integers(0, 2**32))
def test_testing_on_the_way_down_rejects_the_same_nodes(tree, seed):
    p = some_p_values(tree, np.random.default_rng(seed))
    asked, calls = [], []

    def test(nodes):
        asked.extend(nodes.tolist())
        calls.append(1)
        return p[nodes]

    found = reject_down(tree, test, hypotheses=~np.isnan(p), alpha=0.05)
    every = adjust_down(tree, p)
    assert np.array_equal(found.adjusted <= 0.05, every <= 0.05)
    assert found.adjusted[every <= 0.05] == pytest.approx(every[every <= 0.05])
    assert (found.adjusted[~np.isnan(found.adjusted)] >= every[~np.isnan(found.adjusted)] * (1 - 1e-12)).all()
    assert len(asked) == len(set(asked))
    assert len(calls) <= tree.depths.max() + 1
    small = plain(tree, tree.items)
    for v in asked:
        assert all(every[u] <= 0.05 for u in ancestors(small, v)[1:] if not np.isnan(p[u]))


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees(name):
    tree = ZOO[name]
    p = np.full(tree.n_nodes, 0.03)
    assert adjust_down(tree, p).tolist() == pytest.approx(oracle.adjust_down(plain(tree, tree.items), p.tolist()))
    assert np.isnan(adjust_down(tree, np.full(tree.n_nodes, NAN))).all()


def configurations(n_nodes):
    return itertools.product([False, True], repeat=n_nodes)


@pytest.mark.parametrize("text", ["((a,b),c);", "((a,b),(c,d));", "(a,b,c);", "(((a,b),c),d);"])
def test_the_shares_of_true_hypotheses_never_exceed_the_level(text):
    """By enumeration: whichever are true, once all false ones are rejected, the shares of the rest add up to 1 at most.

    With shares that never shrink as more is rejected, this is what the sequential rejection principle asks for.
    """
    tree = from_newick(text)
    small, p = plain(tree, tree.items), [0.5] * tree.n_nodes
    for true in configurations(tree.n_nodes):
        false = {v for v in range(tree.n_nodes) if not true[v]}
        reached = {v for v in false if all(u in false for u in ancestors(small, v))}
        before = oracle.shares(small, p, reached)
        assert sum(before.values()) <= 1
        for v in before:
            after = oracle.shares(small, p, reached | {v})
            assert all(after[u] >= before[u] for u in before if u != v)


def family_wise_error(tree, rng, n_sets, is_true, dependence):
    """Return the share of sets in which a true hypothesis is rejected at 0.05; the false ones have p-values of 0."""
    wrong = 0
    for _ in range(n_sets):
        own, common = rng.random(tree.n_nodes), rng.random()
        drawn = {
            "independent": own,
            "equal": np.full(tree.n_nodes, common),
            "apart": (common + own.argsort() / own.size) % 1,  # if one is small, few others are
        }
        p = np.where(is_true, drawn[dependence], 0.0)
        wrong += bool((adjust_down(tree, p)[is_true] <= 0.05).any())
    return wrong / n_sets


@pytest.mark.slow
@pytest.mark.parametrize("dependence", ["independent", "equal", "apart"])
@pytest.mark.parametrize("shape", ["balanced", "caterpillar"])
def test_the_error_is_held_whichever_hypotheses_are_true(shape, dependence):
    rng = np.random.default_rng(3)
    tree = caterpillar(24) if shape == "caterpillar" else from_newick(balanced(5))
    for share in (0.0, 0.3, 0.6, 0.9):
        is_true = rng.random(tree.n_nodes) >= share
        error = family_wise_error(tree, rng, 2000, is_true, dependence)
        assert error <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)  # 24 settings, most with an error of exactly 0.05


def balanced(depth, name="x"):
    if depth == 0:
        return name
    text = f"({balanced(depth - 1, name + '0')},{balanced(depth - 1, name + '1')})"
    return text + ";" if name == "x" else text


@pytest.mark.further
def test_a_deep_tree_keeps_its_shares():
    """A chain of a hundred thousand nodes: each node has the whole level once its leaf is left alone."""
    tree = caterpillar(100_000)
    p = np.where(tree.n_children > 0, 0.01, NAN)
    assert adjust_down(tree, p)[tree.n_children > 0] == pytest.approx(0.01)
    every = adjust_down(tree, np.full(tree.n_nodes, 1e-9))
    assert every.max() == pytest.approx(1e-9 * 100_000, rel=1e-6)


@pytest.mark.parametrize(
    ("p", "match"),
    [
        ([0.1], "p_values must have one value for each of 5 nodes; got 1"),
        ([0.1, 0.2, 0.3, 0.4, 1.5], "p_values must be from 0 to 1, or nan; got 1.5 at position 4"),
        (["a"] * 5, "p_values must be an array of numbers; got text"),
    ],
)
def test_refuses_what_are_no_p_values(p, match):
    with pytest.raises(InvalidInputError, match=match):
        adjust_down(from_newick("((a,b),c);"), p)


def test_refuses_a_test_that_gives_no_p_values():
    tree = from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="what test returns must be numbers from 0 to 1; got nan"):
        reject_down(tree, lambda nodes: np.full(nodes.size, NAN), hypotheses=tree.sizes > 1)
    with pytest.raises(InvalidInputError, match="one boolean for each of 5 nodes"):
        reject_down(tree, lambda nodes: np.ones(nodes.size), hypotheses=[1, 2])
    with pytest.raises(InvalidInputError, match="alpha must be a number, above 0 and below 1; got 1"):
        reject_down(tree, lambda nodes: np.ones(nodes.size), hypotheses=tree.sizes > 1, alpha=1)
