"""Tails of the hypergeometric distribution against exact counts and SciPy, and Holm's adjustment."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from dendrometry.significance.hypergeometric import holm, log_tails
from tests.oracles.significance import hypergeometric as oracle


def log_of(fraction):
    """The log of a fraction that may be below the least float."""
    shift = fraction.numerator.bit_length() - fraction.denominator.bit_length()
    return math.log(fraction / 2**shift if shift >= 0 else fraction * 2**-shift) + shift * math.log(2)


def log_tail(k, drawn, marked, n):
    return float(log_tails(np.array([k]), np.array([drawn]), np.array([marked]), n)[0])


@given(st.data())
def test_equals_the_count_of_all_draws(data):
    n = data.draw(st.integers(1, 400))
    drawn, marked = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    k = data.draw(st.integers(0, min(drawn, marked) + 1))
    exact = oracle.upper_tail(k, drawn, marked, n)
    found = log_tail(k, drawn, marked, n)
    assert found == -math.inf if exact == 0 else found == pytest.approx(log_of(exact), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("k", "drawn", "marked", "n"),
    [(1_200, 10_000, 100_000, 10**6), (51_000, 100_000, 500_000, 10**6), (20, 3_000, 4_000, 10**6), (2, 2, 3, 10**6)],
)
def test_keeps_its_digits_for_a_million_items(k, drawn, marked, n):
    assert log_tail(k, drawn, marked, n) == pytest.approx(float(hypergeom.logsf(k - 1, n, marked, drawn)), rel=1e-8)


def test_a_chance_below_the_least_float_has_a_logarithm():
    """All 500,000 marked items in half of a million: one way of C(1000000, 500000)."""
    exact = 2 * math.lgamma(500_001) - math.lgamma(1_000_001)
    assert log_tail(500_000, 500_000, 500_000, 10**6) == pytest.approx(exact, rel=1e-12)


def test_is_fishers_exact_test_of_a_table():
    """Fisher's tea: of 8 cups, 4 with milk first, 3 of them named: p = 17/70."""
    table = [[3, 1], [1, 3]]
    assert math.exp(log_tail(3, 4, 4, 8)) == pytest.approx(17 / 70)
    assert math.exp(log_tail(3, 4, 4, 8)) == pytest.approx(fisher_exact(table, alternative="greater").pvalue)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=12))
def test_holms_adjustment_equals_its_definition(p):
    found = np.exp(holm(np.log(p), len(p)))
    assert found == pytest.approx(oracle.holm(p))
    few = np.sort(p)[: len(p) // 2 + 1]  # those left out are at least as large
    assert np.exp(holm(np.log(few), len(p))) == pytest.approx(np.sort(oracle.holm(p))[: few.size])
