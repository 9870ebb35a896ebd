"""The classic F-score equals its definition over pairs at one node, and scikit-learn's pair counts."""

import numpy as np
import pytest
from sklearn.metrics.cluster import pair_confusion_matrix

import dendrometry as dm

CHAIN = dm.from_parents([1, 2, -1], [0, 1, 2])


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_pair_counts_of_scikit_learn(seed):
    labels = np.random.default_rng(seed).integers(0, 6, (2, 50))
    (_, only_b), (only_a, both) = pair_confusion_matrix(*labels)
    value = dm.classic_f(*(dm.from_labels(side) for side in labels))
    assert value == pytest.approx(2 * both / (2 * both + only_a + only_b), abs=1e-15)


def test_moving_all_to_the_root_leaves_nothing():
    assert dm.classic_f(CHAIN, dm.Hierarchy([-1], None, [0] * 3, CHAIN.items)) == 0.0


def test_counts_of_billions_stay_exact():
    m = 10**9
    overlap = dm.Overlap.from_triples([1, -1], [2, 2, -1], [(0, 0, m), (1, 1, m)])
    assert dm.comparison.compare_overlap(overlap)["classic_f"].value == 1.0


def test_dendrograms_are_refused():
    tree = dm.from_newick("((a,b),c);")
    with pytest.raises(dm.errors.UndefinedMeasureError, match="every item has a node of its own"):
        dm.classic_f(tree, tree)
