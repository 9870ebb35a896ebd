"""Terms with several parents: columns against sets of edges, the order, cycles, and what is refused."""

import pickle

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Dag, from_newick, from_paths
from dendrometry.errors import InvalidInputError, InvalidTreeError, UnknownNameError
from dendrometry.io import from_obo

DIAMOND = [("bat", "mammal"), ("bat", "flyer"), ("mammal", "animal"), ("flyer", "animal"), ("owl", "flyer")]


@st.composite
def edge_lists(draw, most=8):
    """Edges of a directed acyclic graph over letters, whose order says nothing."""
    n = draw(st.integers(2, most))
    names = draw(st.permutations("abcdefgh"[:n]))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] < pair[1])
    return [(names[c], names[p]) for c, p in draw(st.lists(pairs, min_size=1, max_size=2 * n))]


def above(edges, term):
    """The term and all terms above it."""
    found = {term}
    while more := {p for c, p in edges if c in found} - found:
        found |= more
    return found


def ways(edges, term):
    """The lengths of all ways from a term to a root."""
    parents = {p for c, p in edges if c == term}
    return {1 + length for p in parents for length in ways(edges, p)} or {0}


@given(edge_lists())
def test_columns_equal_their_definitions_by_sets(edges):
    dag = Dag.from_edges(edges)
    every = {term for edge in edges for term in edge}
    assert set(dag.terms) == every
    assert dag.n_edges == len(set(edges))
    for v, term in enumerate(dag.terms):
        assert {dag.terms[p] for p in dag.parents_of(term)} == {p for c, p in edges if c == term}
        assert {dag.terms[c] for c in dag.children_of(term)} == {c for c, p in edges if p == term}
        assert all(p > v for p in dag.parents_of(term))
        held = dag.ancestors.term[dag.ancestors.start[v] : dag.ancestors.start[v + 1]].tolist()
        assert held == sorted(held)
        assert {dag.terms[u] for u in held} == above(edges, term)
        assert (dag.depths[v], dag.shortest_depths[v]) == (max(ways(edges, term)), min(ways(edges, term)))
        below = dag.below(term)
        assert set(below.terms) == {other for other in every if term in above(edges, other)}
        assert [below.terms[r] for r in below.roots] == [term]
    assert {dag.terms[v] for v in dag.roots} == every - {c for c, _ in edges}
    assert {dag.terms[v] for v in dag.leaves} == every - {p for _, p in edges}
    assert dag == Dag.from_edges(edges[::-1]) == pickle.loads(pickle.dumps(dag))
    assert hash(dag) == hash(Dag.from_edges(edges[::-1]))


def test_a_tree_is_a_graph_with_the_same_numbers():
    tree = from_paths(["animal/mammal", "animal/bird", "plant"])
    dag = Dag.from_hierarchy(tree)
    assert dag.is_tree
    assert dag.parent.tolist() == tree.parent[:-1].tolist()
    assert dag.depths.tolist() == tree.depths.tolist()
    assert Dag.from_hierarchy(from_newick("((x,y)a,(z,w)a);")).terms == (
        "x",
        "y",
        "node 2",
        "z",
        "w",
        "node 5",
        "node 6",
    )


def test_terms_of_an_ontology_keep_their_identifiers_and_names():
    dag = Dag.from_hierarchy(from_obo("[Term]\nid: A:1\nname: cell\n\n[Term]\nid: A:2\nname: neuron\nis_a: A:1\n"))
    assert (dag.terms, dag.names) == (("A:2", "A:1"), ("neuron", "cell"))


def test_reads_graphs_of_networkx_in_both_directions():
    down = networkx.DiGraph([(parent, child) for child, parent in DIAMOND])
    down.nodes["owl"]["name"] = "barn owl"
    found = Dag.from_networkx(down)
    assert found == Dag.from_networkx(networkx.MultiDiGraph(DIAMOND), direction="up") == Dag.from_edges(DIAMOND)
    assert found.names[found.find("owl")] == "barn owl"
    with pytest.raises(InvalidTreeError, match="must be directed, between parents and children"):
        Dag.from_networkx(down.to_undirected())


@pytest.mark.further
def test_a_chain_of_a_million_terms_has_depths_but_no_table_of_ancestors():
    n = 1_000_000
    dag = Dag([f"t{v}" for v in range(n)], np.minimum(np.arange(n + 1), n - 1), np.arange(1, n))
    assert (dag.depths[0], dag.shortest_depths[0], dag.is_tree) == (n - 1, n - 1, True)
    with pytest.raises(InvalidInputError, match=r"a table of all ancestors needs .* of memory"):
        _ = dag.ancestors


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Dag.from_edges([("a", "b"), ("b", "c"), ("c", "a")]), InvalidTreeError, "no term may be above itself"),
        (lambda: Dag.from_edges([("a", "a")]), InvalidTreeError, "got the cycle 'a' → 'a'$"),
        (lambda: Dag.from_edges([]), InvalidTreeError, "there must be at least one term; got none"),
        (lambda: Dag.from_edges(["ab"]), InvalidInputError, "each edge must be a pair of a child and a parent; got ab"),
        (lambda: Dag.from_edges([("a", "b")], names={"c": "x"}), InvalidInputError, "not terms: 'c'"),
        (
            lambda: Dag.from_edges([("a", "b")], aliases={"c": "x"}),
            InvalidInputError,
            "stand for a term and be none themselves; got 'c'",
        ),
        (lambda: Dag(["a", "a"], [0, 1, 1], [1]), InvalidInputError, "must be distinct; these are repeated: 'a'"),
        (lambda: Dag(["a", "b"], [0, 0, 1], [0]), InvalidTreeError, "a parent of term 1 must be a later term"),
        (lambda: Dag(["a", "b"], [0, 2, 2], [1, 1]), InvalidTreeError, "must ascend and be distinct; those of term 0"),
        (lambda: Dag(["a", "b"], [0, 2, 1], [1]), InvalidTreeError, "parent_start must ascend from 0"),
        (lambda: Dag(["a"], [0, 0], [], ["x", "y"]), InvalidTreeError, "names must be as many as the terms, 1; got 2"),
        (lambda: Dag.from_networkx([("a", "b")]), InvalidInputError, "must be a networkx graph; got list"),
    ],
)
def test_refuses_what_is_no_graph_of_terms(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_other_identifiers_find_their_term_and_obsolete_ones_are_named_as_such():
    dag = Dag.from_edges(DIAMOND, aliases={"chiroptera": "bat"}, obsolete=["bird"])
    assert dag.find("chiroptera") == dag.find("bat")
    with pytest.raises(UnknownNameError, match="got 'bird', which is obsolete"):
        dag.find("bird")
    assert dag.below("mammal").aliases == {"chiroptera": "bat"}


def test_shows_its_terms():
    dag = Dag.from_edges(DIAMOND)
    assert repr(dag) == "Dag(5 terms 'bat' to 'animal', 5 edges, 1 root, 1 term with several parents)"
    assert dag.columns()["parents"][0] == ["mammal", "flyer"]
    assert "mammal, flyer" in dag._repr_html_()
