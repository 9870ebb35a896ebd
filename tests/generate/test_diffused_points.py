"""Points drawn down a tree: how far apart they lie, and that they can be clustered."""

import numpy as np
import pytest
from tests.zoo import ZOO, unary_chain

from dendrometry import adjusted_rand, agglomerate, cut_count, from_labels, from_newick
from dendrometry.errors import InvalidInputError
from dendrometry.generate import diffused_points


@pytest.mark.further
def test_the_mean_squared_distance_of_two_items_is_that_of_their_steps():
    tree = from_newick("((a,b),c);")
    draws = np.array([diffused_points(tree, dimension=1, shrink=0.5, noise=0.3, rng=s)[:, 0] for s in range(4000)])
    own = 0.3**2 * 0.5**4  # an item at depth 2, beside its node
    siblings = 2 * 0.5**2 + 2 * own
    cousins = 1 + 0.5**2 + own + 1 + 0.3**2 * 0.5**2
    assert np.mean((draws[:, 0] - draws[:, 1]) ** 2) == pytest.approx(siblings, rel=0.1)
    assert np.mean((draws[:, 0] - draws[:, 2]) ** 2) == pytest.approx(cousins, rel=0.1)


@pytest.mark.compiled
def test_the_groups_of_a_tree_are_found_again():
    labels = np.repeat(np.arange(5), 40)
    points = diffused_points(from_labels(labels), dimension=20, noise=0.1, rng=0)
    found = cut_count(agglomerate(points, linkage="ward").hierarchy, 5).labels
    assert adjusted_rand(labels, found) == 1.0


def test_the_same_seed_gives_the_same_points():
    tree = ZOO["items at inner nodes"]
    one, other = (diffused_points(tree, rng=3) for _ in range(2))
    assert (one == other).all()
    assert one.shape == (tree.n_items, 2)


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees_have_finite_points(name):
    assert np.isfinite(diffused_points(ZOO[name], rng=0)).all()


def test_a_deep_chain_has_finite_points():
    assert np.isfinite(diffused_points(unary_chain(3000), shrink=0.5, rng=0)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dimension": 0}, "dimension must be a whole number from 1 on; got 0"),
        ({"shrink": 1.5}, r"shrink must be a number, above 0 and at most 1; got 1\.5"),
        ({"noise": 0}, "noise must be a finite number, above 0; got 0"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InvalidInputError, match=message):
        diffused_points(from_labels([0, 1]), **options)
    with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got str"):
        diffused_points("tree")
