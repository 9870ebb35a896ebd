import networkx
import pytest
from hypothesis import given
from tests.strategies import named_clusters, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import from_newick
from dendrometry.errors import AssumptionWarning, InvalidInputError, InvalidTreeError
from dendrometry.io import from_networkx, to_networkx


@given(wild_hierarchies())
def test_every_tree_comes_back_with_its_names(tree):
    graph = to_networkx(tree)
    assert networkx.is_arborescence(graph)
    again = from_networkx(graph)
    assert again == tree
    assert named_clusters(again) == named_clusters(tree)


@pytest.mark.parametrize("name", ZOO)
def test_every_edge_tree_comes_back(name):
    assert from_networkx(to_networkx(ZOO[name])) == ZOO[name]


def test_names_survive():
    tree = from_networkx(to_networkx(from_newick("((a,b)x,c)y;")))
    assert set(tree.node_names) == {"", "x", "y"}


def test_leaves_that_are_strings_are_items():
    graph = networkx.DiGraph([("root", "a"), ("root", 7), (7, "b"), (7, "c")])
    tree = from_networkx(graph)
    assert tree == from_newick("(a,(b,c));")
    assert tree.node_names[-1] == "root"


def test_a_forest_gets_a_root():
    graph = networkx.DiGraph([(1, "a"), (1, "b"), (2, "c")])
    assert from_networkx(graph) == from_newick("((a,b),(c));")


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (networkx.Graph([("a", "b")]), InvalidTreeError, "must be directed"),
        (networkx.DiGraph([("a", "c"), ("b", "c")]), InvalidTreeError, "one parent; 'c' has several"),
        (networkx.DiGraph([("a", "b"), ("b", "a")]), InvalidTreeError, "on or below a cycle"),
        (networkx.DiGraph([("a", "a")]), InvalidTreeError, "must be another node"),
        (networkx.DiGraph([(0, 1), (0, "1")]), InvalidInputError, "must be strings; got 1 of type int"),
        (networkx.DiGraph(), InvalidTreeError, "at least one node; got none"),
        ("graph", InvalidInputError, "must be a networkx graph; got str"),
    ],
)
def test_refuses_what_is_no_tree(graph, error, message):
    with pytest.raises(error, match=message):
        from_networkx(graph)


def test_a_leaf_without_items_among_nodes_that_carry_them_is_refused():
    graph = networkx.DiGraph([("r", "a"), ("r", "b")])
    graph.nodes["b"]["items"] = ["x"]
    with pytest.raises(InvalidInputError, match=r"every leaf must have items .*; 'a' has none"):
        from_networkx(graph)


def test_refuses_attributes_of_the_wrong_kind():
    graph = networkx.DiGraph([("r", "a"), ("r", "b")])
    graph.nodes["a"]["height"] = 1
    with pytest.raises(InvalidInputError, match="all nodes must have heights, or none; 1 node of 3 have one"):
        from_networkx(graph)
    networkx.set_node_attributes(graph, "high", "height")
    with pytest.raises(InvalidInputError, match="attribute height must be a number"):
        from_networkx(graph)
    networkx.set_node_attributes(graph, 0.0, "height")
    graph.nodes["a"]["items"] = "abc"
    with pytest.raises(InvalidInputError, match="attribute items must be a list of strings; got abc"):
        from_networkx(graph)


@pytest.mark.parametrize("name", ["branch_length", "dist"])
def test_lengths_of_another_name_are_not_dropped_without_a_word(name):
    graph = networkx.DiGraph()
    graph.add_edges_from([("r", "a", {name: 1.0}), ("r", "b", {name: 1.0})])
    with pytest.warns(AssumptionWarning, match=f"the attribute {name} of the edges is left out"):
        assert from_networkx(graph).height is None
    assert from_networkx(graph, length=name).height.tolist() == [0.0, 0.0, 1.0]
