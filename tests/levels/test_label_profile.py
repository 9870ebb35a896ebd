"""Labels against the cuts of a tree: every level as the partitions say, whatever orders the levels."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Contingency, Hierarchy, from_linkage, from_newick
from dendrometry.cut import cut_counts
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError, UnknownNameError
from dendrometry.generate import random_tree
from dendrometry.levels import label_profile
from dendrometry.measures import MEASURES, PARTITION_MEASURES
from dendrometry.measures.partitions import adjusted_mutual_information
from tests.oracles.levels.label_levels import partitions_by
from tests.oracles.levels.stages import partition_at
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs, random_linkage
from tests.zoo import ZOO

FOLLOWED = [
    name
    for name in PARTITION_MEASURES
    if (MEASURES[name].curve or MEASURES[name].label_curve) and not MEASURES[name].needs_bound
]
TREE = from_newick("(((ape:1,cat:1):1,elk:2):1,(owl:1,jay:1):2);")
CLASSES = {"ape": "mammal", "cat": "mammal", "elk": "mammal", "owl": "bird", "jay": "bird"}


def levels_of(tree: Hierarchy, order: str) -> list[list[int]]:
    """The partitions of the oracle from coarse to fine, as labels of the items."""
    flat = plain(tree, tree.items)
    if order == "height":
        every = [partition_at(flat, k, "together") for k in range(1, tree.n_items + 1)]
        every = list({len(groups): groups for groups in every}.values())
    else:
        every = partitions_by(flat, order)
    wheres = [{i: g for g, group in enumerate(groups) for i in group} for groups in every]
    return [[where[i] for i in range(tree.n_items)] for where in wheres]


def check(tree: Hierarchy, labels: list[int], order: str) -> None:
    """Compare a profile with the measures of the partitions at every level."""
    found = label_profile(tree, labels, FOLLOWED, order=order)
    cuts = levels_of(tree, order)
    assert found.order == order
    assert found.n_clusters.tolist() == [len(set(cut)) for cut in cuts]
    for name in FOLLOWED:
        expected = [MEASURES[name].call(labels, cut) for cut in cuts]
        assert found[name].tolist() == pytest.approx(expected, abs=1e-10), name
        assert [value == 1.0 for value in found[name]] == [value == 1.0 for value in expected], name


@given(hierarchy_pairs(heights=True, max_items=9), st.sampled_from(["height", "size", "depth"]), st.data())
def test_every_level_is_that_of_the_partitions(pair, order, data):
    tree = pair[0]
    n = tree.n_items
    check(tree, data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), order)


@pytest.mark.further
@pytest.mark.parametrize("name", ZOO)
def test_every_level_is_that_of_the_partitions_of_the_edge_trees(name):
    tree = ZOO[name]
    for order in ("height", "size", "depth") if tree.height is not None else ("size", "depth"):
        for labels in ([0] * tree.n_items, list(range(tree.n_items)), [i % 2 for i in range(tree.n_items)]):
            check(tree, labels, order)


@pytest.mark.parametrize("seed", range(2))
def test_every_level_of_larger_dendrograms(seed):
    rng = np.random.default_rng(seed)
    check(from_linkage(random_linkage(40, rng)), rng.integers(0, 5, 40).tolist(), "height")


def test_the_measures_are_followed_that_people_look_for():
    wanted = {"adjusted_rand", "adjusted_mutual_information", "v_measure", "b_cubed", "element_centric", "purity"}
    assert wanted <= set(FOLLOWED)


def test_the_best_cut_is_the_highest_value_of_all_levels_and_the_lowest_distance():
    found = label_profile(TREE, CLASSES, ["adjusted_rand", "variation_of_information"])
    assert found.best_cut("adjusted_rand") == ("adjusted_rand", 2, 1.0)
    assert found.best_cut("variation_of_information") == ("variation_of_information", 2, 0.0)
    assert found["adjusted_rand"].max() == 1.0


def test_labels_with_names_are_matched_by_name_and_others_by_position():
    expected = label_profile(TREE, [CLASSES[item] for item in TREE.items])["adjusted_rand"].tolist()
    shuffled = dict(sorted(CLASSES.items()))
    for labels in (shuffled, pd.Series(shuffled)):
        assert label_profile(TREE, labels)["adjusted_rand"].tolist() == expected


def test_a_tree_without_heights_has_levels_by_size_and_says_so():
    tree = from_newick("(((ape,cat),elk),(owl,jay));")
    assert label_profile(tree, CLASSES).order == "size"
    assert "levels by size" in repr(label_profile(tree, CLASSES))
    assert label_profile(tree, CLASSES, order="depth").n_clusters.tolist() == [1, 2, 4, 5]
    with pytest.raises(InvalidInputError, match="must have heights to be cut in their order; it has none"):
        label_profile(tree, CLASSES, order="height")


def test_the_table_has_a_row_for_each_level():
    frame = label_profile(TREE, CLASSES).to_frame()
    assert frame.columns.tolist() == [
        "n_clusters",
        "adjusted_rand",
        "adjusted_mutual_information",
        "v_measure",
        "b_cubed",
    ]
    assert frame.n_clusters.tolist() == [1, 2, 3, 5]


def test_refuses_bad_input():
    with pytest.raises(InvalidInputError, match="must hold no missing label; got None at position 1"):
        label_profile(TREE, ["x", None, "y", "y", "y"])
    with pytest.raises(InvalidInputError, match=r"got None at position 1 \('cat'\)$"):
        label_profile(TREE, pd.Series(["x", None], index=["ape", "cat"]))
    with pytest.raises(InvalidInputError, match="as adjusted_rand can; got van_dongen, which is computed for one cut"):
        label_profile(TREE, CLASSES, ["van_dongen"])
    with pytest.raises(InvalidInputError, match="order must be"):
        label_profile(TREE, CLASSES, order="weight")
    with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got int"):
        label_profile(3, CLASSES)
    with pytest.raises(UnknownNameError, match=r"one of this profile: 'adjusted_rand', .*; got 'gini'"):
        label_profile(TREE, CLASSES).best_cut("gini")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"ape": 0, "elk": 0, "owl": 1, "jay": 1}, "tree; got 1 item of the tree without a label: 'cat'$"),
        ({**CLASSES, "fox": "mammal"}, "tree; got 1 label of what is not an item: 'fox'$"),
        (
            {"ape": 0, "Cat": 0, "elk": 0, "owl": 1, "jay": 1},
            r"^did you mean 'cat'\? the labels must .* without a label: 'cat'; 1 label of what is not an item: 'Cat'$",
        ),
        (["x", "y"], "there must be one label for each of 5 items; got 2$"),
    ],
)
def test_refuses_labels_that_are_not_one_for_each_item(labels, message):
    with pytest.raises(ItemMismatchError, match=message):
        label_profile(TREE, labels)


def test_refuses_an_expectation_that_would_take_too_long(monkeypatch):
    monkeypatch.setattr(adjusted_mutual_information, "MOST_STEPS", 2)
    with pytest.raises(UndefinedMeasureError, match="too many different sizes"):
        label_profile(TREE, CLASSES)


def test_random_trees_of_thousands_of_items_keep_their_precision():
    tree = random_tree(3000, rng=0)
    labels = np.random.default_rng(0).integers(0, 7, 3000)
    found = label_profile(tree, labels)
    for cut in cut_counts(tree, [2, 10, 500]):
        at = found.n_clusters.tolist().index(len(set(cut.labels.tolist())))
        for name, values in found.value.items():
            assert values[at] == pytest.approx(MEASURES[name].call(Contingency.of(labels, cut.labels)), abs=1e-9)
