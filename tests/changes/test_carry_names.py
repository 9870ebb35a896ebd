"""Names and identifiers follow what nodes hold from one run to the next."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.changes import carry_names, track_nodes
from dendrometry.changes.carry_names import content_match
from tests.strategies import hierarchy_pairs, random_hierarchy


def clusters(tree):
    order = tree.order
    return [
        {tree.items[i] for i in order.item[low:high]} for low, high in zip(order.item_low, order.item_high, strict=True)
    ]


@given(pair=hierarchy_pairs())
def test_the_jaccard_index_is_that_of_the_items_of_both_nodes(pair):
    old, new = pair
    edits, jaccard = content_match(old, new)
    before, after = clusters(old), clusters(new)
    for v, u in enumerate(edits.origin.tolist()):
        expected = len(before[u] & after[v]) / len(before[u] | after[v]) if u >= 0 else 0.0
        assert jaccard[v] == pytest.approx(expected)
        assert u < 0 or expected > 0.5


@given(seed=st.integers(0, 2**32))
def test_a_relabelled_run_has_all_its_names_back(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, 20)
    old = dm.from_labels([f"topic {x}" for x in labels])
    new = dm.from_labels([str(x) for x in rng.permutation(4)[labels]])
    found = carry_names(old, new)
    assert sorted(found.hierarchy.node_names) == sorted(old.node_names)
    assert found.hierarchy == new
    assert found.gone == ()
    names = dict(zip(new.items, (found.hierarchy.node_names[v] for v in new.item_node), strict=True))
    assert names == {str(i): f"topic {x}" for i, x in enumerate(labels)}


def test_what_is_new_gone_split_and_merged_is_told():
    old = dm.from_labels(["a"] * 10 + ["b"] * 6 + ["c"] * 4 + ["d"] * 4)
    new = dm.from_labels(["0"] * 6 + ["a"] * 4 + ["2"] * 6 + ["3"] * 8)
    found = carry_names(old, new)
    assert [name for name in found.hierarchy.node_names if name] == ["a", "b", "3", "a (2)"]
    assert [change.tell() for change in found.splits] == ["a, 10 items: split into 0 and a"]
    assert [change.tell() for change in found.merges] == ["3, 8 items: merged from c and d"]
    assert [old.node_names[u] for u in found.gone] == ["c", "d"]
    assert found.tell().splitlines()[0] == "3 of 5 nodes continue an old one; 2 new, 2 gone, 1 split, 1 merged."
    frame = found.to_frame()
    assert frame["what"].tolist() == ["split", "carried", "merged", "split", "carried"]
    assert repr(found) == "CarriedNames(3 of 5 nodes continue one of 5)"


def test_a_poor_match_does_not_carry_a_name():
    old, new = dm.from_labels(["a"] * 10 + ["b"] * 10), dm.from_labels(["0"] * 7 + ["1"] * 13)
    assert set(carry_names(old, new).hierarchy.node_names) == {"a", "b", ""}
    found = carry_names(old, new, min_jaccard=0.75)
    assert set(found.hierarchy.node_names) == {"0", "b", ""}
    assert found.jaccard.tolist() == [0.0, 10 / 13, 1.0]


def test_items_of_one_run_alone_do_not_count():
    old = dm.from_labels(["a", "a", "b"], item_names=["x", "y", "z"])
    new = dm.from_labels(["0", "0", "0", "1"], item_names=["x", "y", "new", "z"])
    assert set(carry_names(old, new).hierarchy.node_names) == {"a", "b", ""}


@given(seed=st.integers(0, 2**32))
def test_identifiers_are_distinct_in_a_run_and_never_used_again(seed):
    rng = np.random.default_rng(seed)
    runs = {f"r{i}": random_hierarchy(8, rng) for i in range(4)}
    found = track_nodes(runs)
    ended, seen = set(), set()
    for column in found.identifiers:
        now = set(column.tolist())
        assert len(now) == column.size
        assert not now & ended
        ended |= seen - now
        seen |= now
    assert seen == set(range(found.n_identifiers))
    assert found.to_frame().shape == (sum(tree.n_nodes for tree in runs.values()), 6)
    assert found.names == ("r0", "r1", "r2", "r3")


def test_a_run_that_stays_keeps_its_identifiers():
    tree = dm.from_newick("((a,b),(c,(d,e)));")
    found = track_nodes([tree, tree, tree])
    assert all((column == np.arange(tree.n_nodes)).all() for column in found.identifiers)
    assert repr(found) == "Tracks(3 runs, 9 identifiers)"


@pytest.mark.parametrize("trees", [[], "ab", 5, [3]])
def test_refuses_what_is_not_a_series_of_trees(trees):
    with pytest.raises(dm.DendrometryError, match="must be"):
        track_nodes(trees)


def test_refuses_a_threshold_below_one_half():
    tree = dm.from_labels([0, 1])
    with pytest.raises(dm.DendrometryError, match="min_jaccard must be"):
        carry_names(tree, tree, min_jaccard=0.3)
