"""The choice of precisions, with searches that decide a share of what they are asked."""

import numpy as np
import pytest

from dendrometry.cluster.gpu import ladder
from dendrometry.cluster.gpu.ladder import Ladder
from dendrometry.cluster.gpu.plain import Columns, Rows, Wanted

ACTIVE = np.arange(40_000)
COLUMNS = Columns(ACTIVE[:, None] * 1.0, ACTIVE * 0.0 + 1.0, ACTIVE * 0.0)


class Searches:
    """Searches that leave open one in so many slots (0 for none)."""

    def __init__(self, **open_one_in):
        self.ladder = tuple(open_one_in)
        self.open_one_in = open_one_in
        self.asked = []

    def search(self, slots, active, group, columns, wanted):
        self.asked.append((wanted.search, slots.size))
        assert slots.flags.c_contiguous
        return Rows(slots, None)

    search_exactly = search

    def decide(self, slots, rows, exact):
        one_in = 0 if exact else self.open_one_in[self.asked[-1][0]]
        return slots[:0] if one_in == 0 else slots[slots % one_in == 0]


def ask(searches, n_slots, steps=None):
    steps = steps or Ladder(searches)
    steps.search(ACTIVE[:n_slots], ACTIVE, ACTIVE, COLUMNS, Wanted(True, 1.0), searches.decide)
    return steps


def test_a_low_precision_that_suffices_is_kept():
    searches = Searches(low=50, high=0)
    steps = ask(searches, 40_000)
    assert [name for name, _ in searches.asked] == ["low", "low", "high"]
    assert searches.asked[0][1] < 2200
    assert (searches.asked[1][1], searches.asked[2][1]) == (40_000, 800)
    assert steps.used() == "low, high"
    assert steps.distances == sum(n for _, n in searches.asked) * 40_000
    assert steps.left_open >= 800


def test_a_sample_spares_searches_that_would_stay_open():
    searches = Searches(low=1, high=1000)
    steps = ask(searches, 40_000)
    assert [name for name, n in searches.asked if n == 40_000] == ["high"]
    assert steps.lower == ("high",)
    searches.asked.clear()
    ask(searches, 5000, steps)
    assert [name for name, _ in searches.asked] == ["high", "float64"]


def test_the_last_low_precision_is_never_given_up():
    searches = Searches(low=1, high=1)
    assert ask(searches, 40_000).lower == ("high",)
    assert searches.asked[-1] == ("float64", 40_000)


def test_few_distances_are_computed_in_float64_at_once():
    searches = Searches(low=0, high=0)
    ask(searches, ladder._FEW // ACTIVE.size)
    assert [name for name, _ in searches.asked] == ["float64"]


def test_the_few_that_a_low_precision_leaves_open_are_computed_in_float64_at_once():
    searches = Searches(low=1000, high=0)
    steps = ask(searches, 40_000)
    assert searches.asked[1:] == [("low", 40_000), ("float64", 40)]
    assert steps.used() == "low, float64"


@pytest.mark.parametrize("ladder_names", [(), ("low",)])
def test_nothing_is_searched_for_no_slots(ladder_names):
    searches = Searches(**dict.fromkeys(ladder_names, 0))
    assert ask(searches, 0).used() == "none"
