"""Pairs of items together in two partitions: as counted one by one, and exact at any size."""

from hypothesis import given

from dendrometry import Contingency
from dendrometry.measures._shared.pair_counts import pair_counts
from tests.measures.partitions.judge import labelings, large_table
from tests.oracles.sets import partitions as oracle


@given(labelings())
def test_random_labelings_match_the_pair_counts(pair):
    assert pair_counts(Contingency.of(*pair)) == oracle.pair_counts(*pair)


def test_pair_counts_are_exact_at_ten_million_items_and_beyond():
    def choose(m):
        return m * (m - 1) // 2

    for n in (10**7, 2**31 - 1, 2**31, 2**33, 2**62):
        a_only, both = n // 3, n - n // 3
        pairs = pair_counts(large_table(n))
        assert pairs.in_a == choose(n - 1)
        assert pairs.in_b == choose(a_only) + choose(both)
        assert pairs.in_both == choose(a_only) + choose(both - 1)
        assert pairs.all == choose(n)
