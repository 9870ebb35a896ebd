"""What is true of quartet_agreement alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.measures import quartet_agreement
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.quartets import MOST_ITEMS, quartets


def test_five_items_by_hand():
    # ape and cat against any two others: three of five quartets; elk joins ape or cat before owl does, or after
    a, b = dm.from_newick("((((ape,cat),elk),owl),jay);"), dm.from_newick("((((ape,cat),owl),elk),jay);")
    assert quartet_agreement(a, b) == 0.6


def test_the_root_makes_no_difference():
    a, b = dm.from_newick("(((ape,cat),elk),(jay,owl));"), dm.from_newick("(ape,(cat,(elk,(jay,owl))));")
    assert quartet_agreement(a, b) == 1.0


def test_two_trees_that_resolve_nothing_are_refused():
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must part four items two by two; neither does"):
        quartet_agreement(dm.from_newick("(a,b,c,d);"), dm.from_newick("(a,b,c,d);"))


@pytest.mark.compiled
def test_too_many_items_for_exact_counts_are_refused():
    parent = [2, 2, -1]
    overlap = dm.Overlap.from_triples(parent, parent, [(0, 0, MOST_ITEMS), (1, 1, 1)])
    result = dm.comparison.compare_overlap(overlap, measures=["quartet_agreement"])
    assert result.lines[0].reason == "there must be at most 121,977 items to count quartets; got 121,978"


def test_counts_of_the_most_items_are_exact():
    x, y, z = 60_000, 61_976, 1
    overlap = dm.Overlap.from_triples([2, 2, -1], [2, 2, -1], [(0, 0, x), (1, 1, y), (0, 1, z)])

    def pairs(n):
        return n * (n - 1) // 2

    counts = quartets(Pair.of(overlap))
    assert counts.same == pairs(x) * pairs(y)  # both parts keep two of their own
    assert counts.only_a == pairs(x + z) * pairs(y) - counts.same
    assert counts.only_b == pairs(x) * pairs(y + z) - counts.same
    assert counts.different == 0
    assert sum(counts) == MOST_ITEMS * (MOST_ITEMS - 1) * (MOST_ITEMS - 2) * (MOST_ITEMS - 3) // 24
