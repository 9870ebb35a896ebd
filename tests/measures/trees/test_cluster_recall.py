"""What is true of cluster_recall alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.measures import cluster_recall


def test_a_refinement_holds_every_cluster():
    coarse, fine = dm.from_newick("((a,b,c),(d,e));"), dm.from_newick("(((a,b),c),(d,e));")
    assert cluster_recall(coarse, fine) == 1.0
    assert cluster_recall(fine, coarse) == 2 / 3


@pytest.mark.parametrize("text", ["(a,b,c);", "a;", "(a,b);"])
def test_a_tree_without_clusters_to_find_is_refused(text):
    tree = dm.from_newick(text)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="the first tree must have a cluster of more"):
        cluster_recall(tree, tree)
