"""The tree nearest to a graph: no choice of parents keeps more pairs of a concept and one above it."""

import random
from itertools import product

import pytest

from dendrometry import Dag
from dendrometry.taxonomy import nearest_tree
from tests.oracles.taxonomy.pairs import ancestor_pairs
from tests.taxonomy.graphs import LETTERS, as_graph, random_graph


@pytest.mark.parametrize("seed", range(40))
def test_no_choice_of_parents_keeps_more_ancestors(seed):
    rng = random.Random(seed)
    graph = random_graph(LETTERS[: rng.randint(1, 7)], rng)
    ways = [sorted(above) or [None] for above in graph.values()]
    kept = [
        len(ancestor_pairs({name: {p} - {None} for name, p in zip(graph, choice, strict=True)}))
        for choice in product(*ways)
    ]
    found = nearest_tree(as_graph(graph))
    every = len(ancestor_pairs(graph))
    assert found.n_pairs == every
    assert found.n_lost == every - max(kept)
    tree = found.tree
    above = {
        found.dag.terms[v]: {found.dag.terms[p]} if p < found.dag.n_terms and p >= 0 else set()
        for v, p in enumerate(tree.parent.tolist()[: found.dag.n_terms])
    }
    assert len(ancestor_pairs(above)) == every - found.n_lost
    assert all(above[name] <= graph[name] for name in graph)
    cut = {(row["child"], row["parent"]) for _, row in found.to_frame().iterrows()}
    assert cut == {(name, p) for name in graph for p in graph[name] - above[name]}


def test_a_tree_stays_as_it_is_and_several_roots_get_one_above():
    tree = nearest_tree(Dag.from_edges([("c", "b"), ("b", "a")]))
    assert (tree.child.size, tree.n_lost, tree.tree.n_nodes) == (0, 0, 3)
    forest = nearest_tree(Dag.from_edges([("c", "b"), ("d", "a")], names={"c": "C"}))
    assert forest.tree.n_nodes == 5
    assert forest.tree.node_names[:1] == ("C",)
    assert sorted(forest.tree.items) == ["a", "b", "c", "d"]


def test_says_what_was_cut():
    found = nearest_tree(Dag.from_edges([("bat", "mammal"), ("bat", "flyer"), ("mammal", "animal")]))
    assert repr(found) == "NearestTree(1 edge of 3 cut, 1 of 4 ancestor pairs lost)"
    assert found.to_markdown().splitlines()[-1] == "| bat | flyer |"
    assert "flyer" in found._repr_html_()
