"""Sums of products over pairs: both ways equal the definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry.walk.joint import products as module
from dendrometry.walk.joint.products import sum_of_products
from dendrometry.walk.pair import Pair
from tests.oracles.sets.trees import plain
from tests.oracles.walk.contraction import height_moments
from tests.strategies import random_hierarchy


@pytest.mark.parametrize("deep", [0, 10**9], ids=["along heavy paths", "down a tree"])
@given(st.integers(1, 9), st.integers(0, 2**32))
def test_both_ways_equal_the_definition(deep, n, seed):
    rng = np.random.default_rng(seed)
    a, b = (random_hierarchy(n, rng, heights=True, wild=True).without_unary() for _ in range(2))
    pair = Pair.of_trees(a, b)
    x, y = (height_moments(plain(tree, a.items)) for tree in (a, b))
    expected = float(sum((x[at] * y[at] for at in x), Fraction(0)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_DEEP", deep)
        assert sum_of_products(pair, pair.a.height, pair.b.height) == pytest.approx(expected, abs=1e-9)
