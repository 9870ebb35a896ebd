import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import AgglomerativeClustering

from dendrometry import Hierarchy, Overlap, from_labels, from_newick
from dendrometry import overlap as overlaps
from dendrometry._check.names import parts_of, table_for
from dendrometry._kernels.io import names as name_kernels
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError
from tests.oracles.sets import hierarchy as oracle
from tests.strategies import hierarchies, hierarchy_pairs
from tests.zoo import ZOO


def triples(overlap):
    return list(zip(overlap.a.node.tolist(), overlap.b.node.tolist(), overlap.count.tolist(), strict=True))


@given(hierarchy_pairs())
def test_rows_count_the_items_that_share_both_nodes(pair):
    a, b = pair
    overlap = Overlap.of(a, b)
    assert triples(overlap) == oracle.triples(a.item_node.tolist(), a.items, b.item_node.tolist(), b.items)
    assert overlap.n_items == a.n_items
    for name, row in zip(overlap.items, overlap.item_row.tolist(), strict=True):
        assert overlap.a.node[row] == a.item_node[a.items.index(name)]
        assert overlap.b.node[row] == b.item_node[b.items.index(name)]


@given(hierarchy_pairs())
def test_swapped_is_the_overlap_of_the_swapped_trees(pair):
    a, b = pair
    there, back = Overlap.of(a, b).swap(), Overlap.of(b, a)
    assert triples(there) == triples(back)
    rows = dict(zip(back.items, back.item_row.tolist(), strict=True))
    assert all(rows[name] == row for name, row in zip(there.items, there.item_row.tolist(), strict=True))


@given(hierarchy_pairs())
def test_counts_made_elsewhere_give_the_same_overlap(pair):
    a, b = pair
    overlap = Overlap.of(a, b)
    rows = triples(overlap)[::-1]
    again = Overlap.from_triples(a.parent, b.parent, rows, height_a=a.height, height_b=b.height)
    assert triples(again) == triples(overlap)
    assert np.array_equal(again.a.parent, a.parent)
    assert (again.a.height is None) == (a.height is None)


def test_rows_of_the_same_nodes_add_up():
    overlap = Overlap.from_triples([-1], [-1], [(0, 0, 2**40), (0, 0, 1)])
    assert triples(overlap) == [(0, 0, 2**40 + 1)]
    assert repr(overlap) == "Overlap(1,099,511,627,777 items in 1 row; trees of 1 and 1 nodes)"


@pytest.mark.parametrize("name", ZOO)
def test_an_edge_tree_overlaps_itself_on_the_diagonal(name):
    tree = ZOO[name]
    overlap = Overlap.of(tree, tree)
    assert triples(overlap) == [(v, v, c) for v, c in enumerate(tree.own_sizes.tolist()) if c]


def test_items_meet_by_name_never_by_position():
    a = from_labels([0, 0, 1], item_names=["x", "y", "z"])
    b = from_labels([0, 1, 1], item_names=["z", "y", "x"])
    assert triples(Overlap.of(a, b)) == [(0, 1, 2), (1, 0, 1)]


@given(hierarchies())
def test_items_in_the_same_order_meet_as_in_any_other(tree):
    other = Hierarchy(tree.parent, tree.height, tree.item_node[::-1], tree.items[::-1])
    there, here = Overlap.of(tree, other), Overlap.of(tree, tree)
    assert triples(there) == triples(here)
    assert there.item_row.tolist() == here.item_row.tolist()


def test_different_items_are_refused_with_the_difference():
    a, b = from_newick("(a,b,c);"), from_newick("(b,c,d,e,f,g,h,i);")
    message = (
        "1 item of the first tree not in the second: 'a'; "
        "6 items of the second tree not in the first: 'd', 'e', 'f', 'g', 'h' and 1 more "
        r"\(on_mismatch='intersect_any' compares the 2 common items only"
    )
    with pytest.raises(ItemMismatchError, match=message):
        Overlap.of(a, b)


def test_near_misses_are_suggested():
    a, b = from_newick("(Homo_sapiens,cat);"), from_newick("('homo sapiens',cat);")
    with pytest.raises(ItemMismatchError, match="perhaps the same: 'Homo_sapiens' and 'homo sapiens'"):
        Overlap.of(a, b)
    a, b = from_newick("(pâté,cat);"), from_newick("(pa\u0302te\u0301,cat);")
    with pytest.raises(ItemMismatchError, match="perhaps the same"):
        Overlap.of(a, b)


def test_intersect_goes_on_with_the_common_items_and_says_what_was_left_out():
    a, b = from_newick("((a,b)ab,c);"), from_newick("((b,c),(d,e));")
    overlap = Overlap.of(a, b, on_mismatch="intersect")
    assert overlap.items == ("b", "c")
    assert overlap.left_out == (1, 2)
    assert repr(overlap) == "Overlap(2 items in 2 rows; trees of 4 and 4 nodes; left out 1 and 2)"
    assert overlap.swap().left_out == (2, 1)


def test_less_than_half_of_either_tree_in_common_needs_a_word_of_its_own():
    few, many = from_newick("(a,b);"), from_newick("((a,b),(c,(d,e)));")
    message = r"at least half of the items .* they share 2 of 2 and 2 of 5 \(on_mismatch='intersect_any' compares"
    for pair in ((few, many), (many, few)):
        with pytest.raises(ItemMismatchError, match=message if pair[0] is few else "share 2 of 5 and 2 of 2"):
            Overlap.of(*pair, on_mismatch="intersect")
        assert Overlap.of(*pair, on_mismatch="intersect_any").items == ("a", "b")
    assert Overlap.of(few, from_newick("((a,b),(c,d));"), on_mismatch="intersect").left_out == (0, 2)
    with pytest.raises(ItemMismatchError, match="on_mismatch='intersect_any' compares the 2 common items only"):
        Overlap.of(few, many)


def test_names_are_matched_loosely_when_asked_for():
    a = from_newick("((Homo_sapiens,Pan),(owl,Owl));")
    b = from_newick("((owl,'homo  sapiens'),(PAN,OWL));")
    with pytest.raises(ItemMismatchError, match="match_names='loose' ignores case, underscores and spaces"):
        Overlap.of(a, b)
    overlap = Overlap.of(a, b, match_names="loose")
    assert overlap.items == a.items
    assert overlap.matched_loosely == 3
    assert overlap.swap().matched_loosely == 3
    assert repr(overlap).endswith("; matched loosely 3)")
    assert Overlap.of(a, a, match_names="loose").matched_loosely == 0


def test_names_with_several_loose_partners_stay_apart():
    a, b = from_newick("(x,a_b);"), from_newick("(x,'a b','A b');")
    with pytest.raises(ItemMismatchError, match="1 item of the first tree not in the second: 'a_b'"):
        Overlap.of(a, b, match_names="loose")


def test_loose_names_and_common_items_go_together():
    a, b = from_newick("((a_1,b),c);"), from_newick("(('A 1',b),d);")
    overlap = Overlap.of(a, b, match_names="loose", on_mismatch="intersect")
    assert (overlap.items, overlap.left_out, overlap.matched_loosely) == (("a_1", "b"), (1, 1), 1)
    with pytest.raises(ItemMismatchError, match=r"they share 1 of 3 and 1 of 3; perhaps the same: 'a_1' and 'A 1'"):
        Overlap.of(a, b, on_mismatch="intersect")


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ([[0, 1, 1.0, 2]], "from_linkage\\(\\) takes a linkage matrix"),
        (np.zeros((3, 4)), "from_linkage"),
        (pandas.DataFrame({"a": [1], "b": [2]}), "from_levels\\(\\) takes a table"),
        ([0, 0, 1], "from_labels\\(\\) takes a label for each item"),
        (pandas.Series([0, 1]), "from_labels"),
        ({"a": 1}, "from_labels"),
        ("tree.nwk", "read\\(\\) takes the name of a file"),
        (networkx.DiGraph(), "from_networkx"),
        (AgglomerativeClustering().fit([[0.0], [1.0]]), "from_sklearn"),
    ],
)
def test_what_is_no_tree_is_told_the_function_that_makes_one(value, way):
    with pytest.raises(InvalidInputError, match=f"the first tree must be a Hierarchy; got .*{way}"):
        Overlap.of(value, value)


def test_intersect_of_nothing_is_refused():
    with pytest.raises(ItemMismatchError, match="must share at least one item; 2 items of the first"):
        Overlap.of(from_newick("(a,b);"), from_newick("(c,d);"), on_mismatch="intersect")


def test_labels_in_messages_are_shown_as_text():
    with pytest.raises(ItemMismatchError) as caught:
        Overlap.of(from_labels([0], item_names=["\x1b[2J"]), from_labels([0], item_names=["<b>"]))
    assert "\x1b" not in str(caught.value)


def test_only_hierarchies_meet():
    tree = from_labels([0])
    with pytest.raises(InvalidInputError, match="the second tree must be a Hierarchy; got list"):
        Overlap.of(tree, [1])
    with pytest.raises(
        InvalidInputError, match="on_mismatch must be 'error', 'intersect' or 'intersect_any'; got 'union'"
    ):
        Overlap.of(tree, tree, on_mismatch="union")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([-1], [-1], [(0, 0)]), InvalidInputError, r"rows of \(node in a, node in b, count\); got shape \(1, 2\)"),
        (([-1], [-1], [(0, 0, 1), (0, 0)]), InvalidInputError, "triples must be an array of numbers; got list"),
        (([-1], [-1], [(0, 0, 0)]), InvalidInputError, "at least 1; got 0 in row 0"),
        (([-1], [-1], [(0, 0, 1.5)]), InvalidInputError, "column 2 of triples must hold whole numbers; got 1.5"),
        (([-1], [-1], [(0, 1, 1)]), InvalidTreeError, "the second tree: item 0 must belong to a node from 0 to 0"),
        (([1, 0], [-1], [(0, 0, 1)]), InvalidTreeError, "the first tree: the last node must be the root"),
        (([2, 2, -1], [-1], [(0, 0, 1)]), InvalidTreeError, "the first tree: every leaf must hold at least one item"),
        (([-1], [-1], [(0, 0, 2**62), (0, 0, 2**62)]), InvalidInputError, r"less than 2\*\*63 items"),
    ],
)
def test_refuses_triples_that_are_no_overlap(arguments, error, message):
    with pytest.raises(error, match=message):
        Overlap.from_triples(*arguments)


@given(st.lists(st.text("ab é🐜", min_size=1, max_size=3), min_size=1, unique=True), st.randoms(), st.booleans())
@pytest.mark.compiled
def test_many_names_are_found_as_bytes_where_they_are(names, random, ascii_only):
    names = [name for name in names if name.isascii()] or ["a"] if ascii_only else names
    among = random.sample([*names, "new"], len(names))
    here, there = parts_of(tuple(names), tuple(among))
    found = name_kernels.positions(here, there, table_for(there))
    assert found.tolist() == [among.index(name) if name in among else -1 for name in names]


def test_many_names_of_two_trees_are_matched(monkeypatch):
    a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("(owl,(cat,(elk,ape)));")
    expected = Overlap.of(a, b)
    monkeypatch.setattr(overlaps, "_MANY", 2)
    found = Overlap.of(a, b)
    assert found.item_row.tolist() == expected.item_row.tolist()
    assert found.b.node.tolist() == expected.b.node.tolist()


def test_rows_in_order_are_found_without_sorting():
    rng = np.random.default_rng(4)
    first, second = np.flatnonzero(rng.random(40) < 0.5), rng.integers(0, 9, 40)
    shuffled = rng.permutation(first.size)
    found = overlaps.distinct_rows(first, second[: first.size], 9)
    again = overlaps.distinct_rows(first[shuffled], second[: first.size][shuffled], 9)
    assert (found.a.tolist(), found.b.tolist()) == (again.a.tolist(), again.b.tolist())
    assert found.row[shuffled].tolist() == again.row.tolist()
