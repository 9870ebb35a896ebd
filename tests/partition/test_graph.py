"""The graph of overlaps: join, meet, refinement, split and merge graphs, and the derivation graph."""

import networkx as nx
import numpy as np
import pytest
from tests.oracles.sets import partitions as oracle

from dendrometry import Contingency
from dendrometry.errors import InvalidInputError
from dendrometry.partition import bipartite, join, meet, refines

TRUTH = ["a", "a", "a", "b", "c", "c"]
FOUND = [1, 1, 2, 2, 3, 4]


def sets(labels) -> set[frozenset[int]]:
    return set(oracle.clusters(list(labels)))


@pytest.mark.parametrize("n", range(1, 5))
def test_join_meet_and_refinement_match_their_definitions(n):
    for a in oracle.partitions(n):
        for b in oracle.partitions(n):
            joined, met = join(a, b), meet(a, b)
            assert sets(joined) == set(oracle.join(a, b))
            assert sets(met) == set(oracle.overlaps(a, b))
            inside = all(any(x <= y for y in oracle.clusters(b)) for x in oracle.clusters(a))
            assert refines(a, b) is inside
            assert refines(met, a)
            assert refines(b, joined)


def test_components_split_graphs_and_merge_graphs():
    graph = bipartite(TRUTH, FOUND)
    assert repr(graph) == "Bipartite(3 and 4 clusters, 5 overlaps, 2 components)"
    assert graph.component_a.tolist() == [0, 0, 1]
    assert graph.component_b.tolist() == [0, 0, 1, 1]
    assert graph.component_cell.tolist() == [0, 0, 0, 1, 1]
    assert graph.sizes.tolist() == [4, 2]
    splits = [(star.cluster, star.parts.tolist(), star.counts.tolist()) for star in graph.split_graphs()]
    assert splits == [(0, [0, 1], [2, 1]), (1, [1], [1]), (2, [2, 3], [1, 1])]
    merges = [(star.cluster, star.parts.tolist(), star.counts.tolist()) for star in graph.merge_graphs()]
    assert merges == [(0, [0], [2]), (1, [0, 1], [1, 1]), (2, [2], [1]), (3, [2], [1])]


def test_refuses_clusters_that_are_not_there():
    graph = bipartite(TRUTH, FOUND)
    for bad in (99, -1, 3, 0.5, "cat", None, True):
        with pytest.raises(
            InvalidInputError, match="a cluster of the first partition must be a whole number from 0 to 2"
        ):
            graph.split_graph(bad)
    for bad in (99, -1, 4, 0.5, "cat", None, True):
        with pytest.raises(
            InvalidInputError, match="a cluster of the second partition must be a whole number from 0 to 3"
        ):
            graph.merge_graph(bad)
    assert graph.split_graph(np.int32(2)).parts.tolist() == [2, 3]


def test_components_are_numbered_by_their_first_cluster():
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = rng.integers(0, 12, (2, 20))
        component = bipartite(a, b).component_a
        first = np.unique(component, return_index=True)[1]
        assert (np.diff(first) > 0).all()


def test_the_derivation_graph_goes_through_the_meet():
    flow = bipartite(TRUTH, FOUND).derivation()
    assert repr(flow) == "Derivation(3 -> 5 -> 4 clusters, 10 edges)"
    assert flow.layer.tolist() == [0] * 3 + [1] * 5 + [2] * 4
    assert flow.label == ("a", "b", "c", ("a", 1), ("a", 2), ("b", 2), ("c", 3), ("c", 4), 1, 2, 3, 4)
    assert flow.size.tolist() == [3, 1, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1]
    edges = list(zip(flow.source.tolist(), flow.target.tolist(), flow.weight.tolist(), strict=True))
    assert edges[:5] == [(0, 3, 2), (0, 4, 1), (1, 5, 1), (2, 6, 1), (2, 7, 1)]
    assert edges[5:] == [(3, 8, 2), (4, 9, 1), (5, 9, 1), (6, 10, 1), (7, 11, 1)]
    graph = flow.to_networkx()
    assert nx.number_weakly_connected_components(graph) == 2
    assert graph.nodes[4] == {"layer": 1, "label": ("a", 2), "size": 1}
    assert set(nx.multipartite_layout(graph, subset_key="layer")) == set(range(12))
    for v in range(3, 8):
        assert graph.in_degree(v, weight="weight") == graph.out_degree(v, weight="weight") == graph.nodes[v]["size"]


def test_counts_made_elsewhere_have_a_graph_but_no_items():
    table = Contingency.from_triples([("x", 1, 2), ("y", 1, 3), ("z", 2, 1)])
    assert bipartite(table).sizes.tolist() == [5, 1]
    assert refines(table)
    for structure in (join, meet):
        with pytest.raises(InvalidInputError, match="must have been made from labels of items"):
            structure(table)


def test_a_long_chain_of_overlaps_is_one_component():
    n = 200_000
    items = np.arange(n)
    graph = bipartite(items // 2, (items + 1) // 2)
    assert graph.n_components == 1
