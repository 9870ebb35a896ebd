"""Columns computed in blocks, on one thread or more, have the same bits as at once."""

from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import _threads
from dendrometry.generate import random_tree
from dendrometry.levels import blocks, variance
from dendrometry.measures._shared.pair_counts import PairColumns
from dendrometry.measures.partitions.adjusted_rand import adjusted_rand_columns

adjusted_rand = import_module("dendrometry.measures.partitions.adjusted_rand")


def series():
    found = dm.stages(*(random_tree(60, shape="merges", rng=seed) for seed in (1, 2)))
    return found.adjusted_rand.tobytes(), found.variance_fowlkes_mallows.tobytes()


@pytest.mark.parametrize("n_cores", [1, 2])
def test_blocks_do_not_matter(monkeypatch, n_cores):
    before = series()
    monkeypatch.setattr(blocks, "_BLOCK", 7)
    monkeypatch.setattr(_threads, "n_cores", lambda: n_cores)
    assert series() == before


@pytest.mark.parametrize("most_whole", [2_000_000, 10])
def test_loops_have_the_bits_of_columns(monkeypatch, most_whole):
    monkeypatch.setattr(import_module("dendrometry.levels.stages"), "_MOST_WHOLE", most_whole)
    before = series()
    for module in (adjusted_rand, variance):
        monkeypatch.setattr(module, "MANY_LEVELS", 0)
    assert series() == before


def test_an_error_in_a_block_is_raised(monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 2)
    with pytest.raises(ZeroDivisionError):
        blocks.in_blocks(lambda x: 1 // int(x[0]) + 0.0 * x, [np.arange(5)])


@pytest.mark.parametrize("n_levels", [1, 5_000])
def test_adjusted_rand_is_exact_where_pairs_add_up_to_more_than_a_float_holds(n_levels):
    n = 97_844_766
    p, q, t, every = (k * (k - 1) // 2 + more for k, more in ((n - 1, 0), (n - 2, 1), (n - 2, 0), (n, 0)))
    expected = Fraction(p * q, every)
    columns = (np.full(n_levels, pairs) for pairs in (p, q, t))
    found = adjusted_rand_columns(PairColumns(*columns, every))
    assert found.tolist() == [float((t - expected) / (Fraction(p + q, 2) - expected))] * n_levels
