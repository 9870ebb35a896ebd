"""What is true of cluster_precision alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.measures import cluster_precision


def test_what_a_refinement_adds_is_not_in_the_first_tree():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert cluster_precision(coarse, fine) == 2 / 3
    assert cluster_precision(fine, coarse) == 1.0


def test_a_second_tree_without_clusters_is_refused():
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the second tree must have a cluster of more"):
        cluster_precision(dm.from_newick("((a,b),c);"), dm.from_newick("(a,b,c);"))
