import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, from_labels, from_linkage, from_newick, from_parents
from dendrometry.errors import InvalidInputError, InvalidTreeError, ItemMismatchError
from tests.oracles.sets import hierarchy as oracle
from tests.strategies import hierarchies, hierarchy_pairs, named_clusters, wild_hierarchies
from tests.zoo import ZOO


def columns(tree):
    return tree.parent.tolist(), tree.item_node.tolist(), tree.items


def described(tree):
    height = None if tree.height is None else tree.height.tolist()
    return oracle.description(tree.parent.tolist(), height, tree.item_node.tolist(), tree.items)


def shuffled(tree, seed):
    """The same tree with other node numbers, another order of items and of children."""
    rng = np.random.default_rng(seed)
    new = rng.permutation(tree.n_nodes)
    parent, item = np.empty(tree.n_nodes, dtype=int), rng.permutation(tree.n_items)
    parent[new] = np.where(tree.parent >= 0, new[tree.parent], -1)
    height = None
    if tree.height is not None:
        height = np.empty(tree.n_nodes)
        height[new] = tree.height
    return from_parents(parent, new[tree.item_node[item]], height, [tree.items[i] for i in item])


@given(hierarchies())
def test_sizes_are_the_sizes_of_the_sets_below(tree):
    assert tree.sizes.tolist() == [len(c) for c in oracle.clusters(*columns(tree))]


@given(hierarchies())
def test_depths_count_the_steps_to_the_root(tree):
    assert tree.depths.tolist() == oracle.depths(tree.parent.tolist())


@given(wild_hierarchies())
def test_merge_height_is_the_greatest_height_at_or_below_each_node(tree):
    if tree.height is None:
        assert tree.merge_height is None
        return
    below = [tree.order.node[low:high] for low, high in zip(tree.order.low, tree.order.high, strict=True)]
    assert tree.merge_height.tolist() == [max(tree.height[nodes].tolist()) for nodes in below]
    assert not tree.merge_height.flags.writeable
    assert tree.is_monotone == np.array_equal(tree.merge_height, tree.height)


def test_merge_height_raises_an_inverted_node_to_its_child():
    tree = Hierarchy([3, 3, 4, 4, -1], [0, 0, 0, 2, 1], [0, 1, 2], ["a", "b", "c"])
    assert tree.merge_height.tolist() == [0, 0, 0, 2, 2]


@given(hierarchies())
def test_children_are_the_nodes_whose_parent_it_is(tree):
    start, node = tree.children
    for v in range(tree.n_nodes):
        assert node[start[v] : start[v + 1]].tolist() == [c for c in range(tree.n_nodes) if tree.parent[c] == v]
    assert tree.leaves.tolist() == [v for v in range(tree.n_nodes) if v not in tree.parent]


@given(hierarchies())
def test_order_spans_hold_exactly_what_lies_below(tree):
    order = tree.order
    assert order.node[0] == tree.root
    for v, cluster in enumerate(oracle.clusters(*columns(tree))):
        span = order.item[order.item_low[v] : order.item_high[v]]
        assert {tree.items[i] for i in span} == cluster
        own = span[: tree.own_sizes[v]]
        assert set(own.tolist()) == set(np.flatnonzero(tree.item_node == v).tolist())
        subtree = order.node[order.low[v] : order.high[v]]
        assert subtree[0] == v
        assert all(u == v or tree.parent[u] in subtree for u in subtree)


@given(wild_hierarchies(), st.integers(0, 1000))
def test_equality_forgets_numbers_and_order(tree, seed):
    other = shuffled(tree, seed)
    assert tree == other
    assert hash(tree) == hash(other)


@given(hierarchy_pairs(max_items=3))
def test_equality_is_equality_of_descriptions(pair):
    a, b = pair
    assert (a == b) == (described(a) == described(b))


def test_equality_sees_heights_items_and_shape():
    tree = from_newick("((a:1,b:1):1,c:2);")
    assert tree != from_newick("((a:1,b:1):2,c:3);")
    assert tree != from_newick("((a,b),c);")
    assert tree != from_newick("((a:1,c:1):1,b:2);")
    assert tree != from_newick("((a:1,b:1):1,d:2);")
    assert tree != "tree"


def test_equality_forgets_the_names_of_nodes():
    assert from_newick("((a,b)x,c);") == from_newick("((a,b)y,c);")


@given(wild_hierarchies())
def test_without_unary_keeps_the_set_of_clusters_and_the_lowest_heights(tree):
    lean = tree.without_unary()
    unary = (lean.n_children == 1) & (lean.own_sizes == 0)
    assert not unary.any()
    before = oracle.clusters(*columns(tree))
    after = oracle.clusters(*columns(lean))
    assert {frozenset(c) for c in before} == {frozenset(c) for c in after}
    if tree.height is not None:
        lowest = {}
        for v, cluster in enumerate(before):
            lowest.setdefault(frozenset(cluster), tree.height[v])
        assert all(lowest[frozenset(c)] == lean.height[v] for v, c in enumerate(after))


def test_without_unary_hands_the_name_down_to_a_child_without_one():
    lean = from_newick("(((a,b))mammals,c)root;").without_unary()
    assert sorted(lean.node_names) == ["", "", "", "mammals", "root"]


@given(wild_hierarchies(), st.data())
def test_restrict_keeps_the_clusters_of_the_chosen_items(tree, data):
    wanted = data.draw(st.sets(st.sampled_from(tree.items), min_size=1))
    small = tree.restrict(wanted)
    assert sorted(tuple(sorted(c)) for c in oracle.clusters(*columns(small))) == oracle.restricted(
        *columns(tree), wanted
    )
    assert list(small.items) == [name for name in tree.items if name in wanted]
    kept = [(name, tuple(sorted(wanted.intersection(items)))) for name, items in named_clusters(tree)]
    assert named_clusters(small) == sorted((name, items) for name, items in kept if items)


def test_restrict_refuses_unknown_items():
    with pytest.raises(ItemMismatchError, match="these are not: 'x', 'y'"):
        from_labels([0, 1]).restrict(["0", "x", "y"])
    with pytest.raises(ItemMismatchError, match="at least one item; got none"):
        from_labels([0, 1]).restrict([])
    with pytest.raises(InvalidInputError, match="names of items to keep must be strings; got 0 of type int"):
        from_labels([0, 1]).restrict([0, "1"])
    with pytest.raises(InvalidInputError, match="collection of names; got 5"):
        from_labels([0, 1]).restrict(5)
    with pytest.raises(InvalidInputError, match="collection of names; got 01"):
        from_labels([0, 1]).restrict("01")


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees_answer_every_question_of_structure(name):
    tree = ZOO[name]
    assert tree.sizes[tree.root] == tree.n_items
    assert tree.depths[tree.root] == 0
    assert tree.order.item_high[tree.root] == tree.n_items
    assert tree.restrict(tree.items) == tree
    assert tree.without_unary().n_items == tree.n_items
    assert repr(tree).startswith(f"Hierarchy({tree.n_items} item")
    assert len(repr(tree)) < 80
    assert len(tree.draw().splitlines()) == tree.n_nodes
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert copy.deepcopy(tree) == tree


def test_binary_and_monotone_tell_shapes_apart():
    binary = {name for name, tree in ZOO.items() if tree.is_binary}
    assert binary == {
        "two items",
        "caterpillar",
        "balanced",
        "ties",
        "inversion",
        "all at height 0",
        "items at inner nodes",
    }
    assert {name for name, tree in ZOO.items() if not tree.is_monotone} == {"inversion"}


def test_columns_are_read_only_copies():
    parent, height, item_node = np.array([2, 2, -1]), np.array([0.0, 0.0, 1.0]), np.array([0, 1])
    tree = Hierarchy(parent, height, item_node, ["a", "b"])
    parent[0] = 1
    height[2] = 9
    assert tree.parent.tolist() == [2, 2, -1]
    assert tree.height.tolist() == [0, 0, 1]
    for column in (tree.parent, tree.height, tree.item_node, tree.sizes, tree.depths, *tree.children, *tree.order):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    with pytest.raises(AttributeError):
        tree.parent = parent


def test_minus_zero_becomes_zero():
    tree = Hierarchy([2, 2, -1], [-0.0, 0, 1], [0, 1], ["a", "b"])
    assert not np.signbit(tree.height).any()


@pytest.mark.parametrize(
    "parent",
    [
        np.array([2, 9, 2, 9, -1, 9])[::2],
        np.array([2, 2, -1], dtype=">i4"),
        np.array([2, 2, -1], dtype=np.int8),
        np.asfortranarray(np.array([[2, 0], [2, 0], [-1, 0]]))[:, 0],
        [2, 2, -1],
        (2.0, 2.0, -1.0),
    ],
)
def test_any_whole_array_is_taken_and_stays_unchanged(parent):
    before = copy.deepcopy(parent)
    tree = Hierarchy(parent, None, [0, 1], ["a", "b"])
    assert tree.parent.tolist() == [2, 2, -1]
    assert np.array_equal(parent, before)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([-1], None, [], []), "at least one item; got none"),
        (([], None, [0], ["a"]), "last node must be the root"),
        (([2, 2, 0], None, [0, 1], "ab"), "last node must be the root"),
        (([0, 2, -1], None, [0, 1], ["a", "b"]), "parent of node 0 must be a later node, below 3; got 0"),
        (([2, 5, -1], None, [0, 1], ["a", "b"]), "parent of node 1 must be a later node, below 3; got 5"),
        (([2, 2, -1], None, [0, 3], ["a", "b"]), "item 1 must belong to a node from 0 to 2; got 3"),
        (([2, 2, -1], None, [0, 0], ["a", "b"]), "node 1 holds none"),
        (([2, 2, -1], [0, 0], [0, 1], ["a", "b"]), "one value for each of 3 nodes; got 2"),
        (([2, 2, -1], [0, np.nan, 1], [0, 1], ["a", "b"]), "height must be finite; got nan at position 1"),
        (([2, 2, -1], [0, 0, np.inf], [0, 1], ["a", "b"]), "height must be finite; got inf at position 2"),
        (([2, 2.5, -1], None, [0, 1], ["a", "b"]), "whole numbers; got 2.5 at position 1"),
        (([2, np.nan, -1], None, [0, 1], ["a", "b"]), "whole numbers; got nan at position 1"),
        (([2, 2, -1j], None, [0, 1], ["a", "b"]), "array of numbers; got complex"),
        (([2, None, -1], None, [0, 1], ["a", "b"]), "array of numbers; got Python objects"),
        ((["2", "2", "-1"], None, [0, 1], ["a", "b"]), "array of numbers; got text"),
        (([[2], [2], [-1]], None, [0, 1], ["a", "b"]), r"1 dimension; got shape \(3, 1\)"),
        (([2, 2, -1], None, [0, 1], ["a"]), "one item name for each of 2 items; got 1"),
        (([2, 2, -1], None, [0, 1], "ab"), "sequence of strings; got ab"),
        (([2, 2, -1], None, [0, 1], {"a", "b"}), "sequence of strings; got"),
        (([2, 2, -1], None, [0, 1], 5), "sequence of strings; got 5"),
        (([2, 2, -1], None, [0, 1], np.array("ab")), "sequence of strings; got"),
        (([2, 2, -1], None, [0, 1], ["a", "b"], "xyz"), "node_names must be a sequence of strings; got xyz"),
        ((np.ma.masked_array([2, 2, -1]), None, [0, 1], ["a", "b"]), "without gaps; got a masked array"),
        (([2, 2, -1], None, [0, 1], ["a", "a"]), "are repeated: 'a'"),
        (([2, 2, -1], None, [0, 1], ["a", ""]), "must not be empty; got '' at position 1"),
        (([2, 2, -1], None, [0, 1], ["a", 1]), "must be strings; got 1 of type int at position 1"),
        (([2, 2, -1], None, [0, 1], ["a", None]), "must be strings; got None of type NoneType"),
        (([2, 2, -1], None, [0, 1], ["a", "\ud800"]), "valid Unicode; got a lone surrogate"),
        (([2, 2, -1], None, [0, 1], ["a", "b"], ["x"]), "node_names must be as many as the nodes, 3; got 1"),
        (([2, 2, -1], None, [0, 1], ["a", "b"], ["x", 1, ""]), "node_names must be strings; got 1 of type int"),
        (([2, 2, -1], None, [0, 1], ["a", "b"], ["x", "\udfff", ""]), "node_names must be valid Unicode"),
    ],
)
def test_refuses_what_is_no_tree(arguments, message):
    with pytest.raises(InvalidInputError, match=message):
        Hierarchy(*arguments)


def test_drawing_shows_labels_as_text():
    tree = from_labels([0, 0], item_names=["\x1b[31mred", "two\nlines"])
    assert "\x1b" not in tree.draw()
    assert tree.draw().splitlines()[1] == r"└─ 0: \x1b[31mred, two\nlines"


def test_names_become_plain_strings():
    tree = Hierarchy([2, 2, -1], None, [0, 1], np.array(["a", "b"]), [np.str_("x"), "", "y"])
    assert {type(name) for name in tree.items + tree.node_names} == {str}


def test_drawing_shows_the_heights_of_tips_that_are_not_at_zero():
    assert from_newick("(a:1,b:2);").draw().splitlines() == ["• (2)", "├─ b", "└─ a (1)"]


@pytest.mark.parametrize("lines", [0, -1, 2.5, "all"])
def test_drawing_needs_a_line(lines):
    with pytest.raises(InvalidInputError, match=f"whole number from 1 on, or None; got {lines!r}"):
        from_labels([0]).draw(lines)


@pytest.mark.parametrize("v", [-1, 3, 0.0, "root"])
def test_only_nodes_have_items_of_their_own(v):
    with pytest.raises(InvalidInputError, match=f"a node must be a whole number from 0 to 2; got {v!r}"):
        from_labels([0, 1]).own_items(v)


def test_drawing_is_cut_after_some_lines():
    star = from_labels(range(100))
    assert star.draw().splitlines()[-1] == "… 41 more nodes"
    assert len(star.draw(max_lines=None).splitlines()) == 101


def test_heights_order_nodes_by_merging():
    tree = from_newick("((a:3,b:3):1,(c:1,d:1):3);")
    assert tree.height.tolist() == [0, 0, 0, 0, 1, 3, 4]
    linkage = from_linkage([[0, 1, 1.0, 2], [2, 3, 0.5, 3]])
    assert linkage.height.tolist() == [0, 0, 0, 1.0, 0.5]


def test_invalid_tree_is_an_invalid_input_and_a_value_error():
    assert issubclass(InvalidTreeError, InvalidInputError)
    assert issubclass(InvalidInputError, ValueError)
