"""The weighted Robinson-Foulds distance equals its definition in sets."""

import pytest

import dendrometry as dm
from dendrometry.measures import weighted_robinson_foulds
from tests.measures.trees.judge import assert_defined
from tests.measures.trees.shapes import all_hierarchies, by_size

NAME = "weighted_robinson_foulds"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_equals_its_definition_on_all_pairs_of_up_to_three_items(n):
    trees = list(map(by_size, all_hierarchies(n)))
    for a in trees:
        for b in trees:
            assert_defined(NAME, a, b)


def test_one_branch_longer_by_hand():
    a, b = dm.from_newick("((x:1,y:1):2,z:3);"), dm.from_newick("((x:1,y:1):4,z:5);")
    assert weighted_robinson_foulds(a, b) == 2.0 + 2.0


def test_more_sets_than_a_float_can_count_are_no_obstacle():
    """Two caterpillars, one twice as high: item i hangs i below its parent, and every cluster 1."""
    n = 1_500
    links = [[[n + i - 2 if i > 1 else 0, i, h * i, i + 1] for i in range(1, n)] for h in (1, 2)]
    line = dm.compare(*map(dm.from_linkage, links), measures=[NAME])[NAME]
    assert line.value == sum(range(1, n)) + 1 + (n - 2)
    assert 0.0 < line.adjusted < 1.0


def test_inversions_and_missing_heights_are_refused():
    up, bare = dm.from_linkage([[0, 1, 2, 2], [2, 3, 1, 3]]), dm.from_newick("(a,b);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="heights must not decrease towards the root"):
        weighted_robinson_foulds(up, up)
    with pytest.raises(dm.errors.UndefinedMeasureError, match="must have heights"):
        weighted_robinson_foulds(bare, bare)


def test_heights_too_far_apart_are_refused():
    tree = dm.Hierarchy([2, 2, -1], [-1.7e308, -1.7e308, 1.7e308], [0, 1], ["x", "y"])
    with pytest.raises(dm.errors.UndefinedMeasureError, match="more than a float can hold"):
        weighted_robinson_foulds(tree, tree)
