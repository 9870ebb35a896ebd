"""Sums of products and of squared differences over pairs: they equal the definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry._kernels.tree import depths
from dendrometry.generate import random_tree
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.products import sum_of_products, sum_of_squared_differences
from tests.oracles.measures.trees.kendall_colijn import vector
from tests.oracles.sets.trees import plain
from tests.oracles.tree_pair.contraction import height_moments
from tests.strategies import random_hierarchy


@given(st.integers(1, 9), st.integers(0, 2**32))
def test_equals_the_definition(n, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(n, rng, heights=True, wild=True).without_unary() for _ in range(2))
    pair = Pair.of_trees(a, b)
    x, y = (height_moments(plain(tree, a.items)) for tree in (a, b))
    expected = float(sum((x[at] * y[at] for at in x), Fraction(0)))
    assert sum_of_products(pair, pair.a.height, pair.b.height) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("unit", [1, 2**58 + 12_345], ids=["small", "too large to be summed at once"])
@given(st.integers(1, 9), st.integers(0, 2**32))
def test_sums_of_squares_are_exact(unit, n, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(n, rng, wild=True) for _ in range(2))
    pair = Pair.of_trees(a, b)
    x, y = (vector(plain(tree, a.items), Fraction(0)) for tree in (a, b))
    found = sum_of_squared_differences(pair, *(unit * depths(tree.parent) for tree in (pair.a, pair.b)))
    assert found == sum((unit * (p - q)) ** 2 for p, q in zip(x, y, strict=True))


@pytest.mark.further
@pytest.mark.parametrize("shapes", [("uniform", "uniform"), ("caterpillar", "uniform"), ("merges", "balanced")])
def test_larger_trees_of_any_shape_equal_the_definition(shapes):
    a, b = (random_tree(120, shape=shape, rng=seed) for seed, shape in enumerate(shapes))
    pair = Pair.of_trees(a, b)
    x, y = (vector(plain(tree, a.items), Fraction(0)) for tree in (a, b))
    found = sum_of_squared_differences(pair, *(depths(tree.parent) for tree in (pair.a, pair.b)))
    assert found == sum((p - q) ** 2 for p, q in zip(x, y, strict=True))
