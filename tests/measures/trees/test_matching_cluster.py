"""The matching distance of trees whose clusters are matched by hand."""

import dendrometry as dm
from dendrometry.measures import matching_cluster


def test_five_items_by_hand():
    """Both have {a, b}; {a, b, c} and {a, b, c, d} differ from {c, d} and {c, d, e} by 6 items, in either matching."""
    a, b = dm.from_newick("((((a,b),c),d),e);"), dm.from_newick("((a,b),((c,d),e));")
    assert matching_cluster(a, b) == 6


def test_a_cluster_without_a_match_counts_all_its_items():
    a, b = dm.from_newick("(a,b,c,d,e);"), dm.from_newick("((a,b),((c,d),e));")
    assert matching_cluster(a, b) == 2 + 2 + 3
