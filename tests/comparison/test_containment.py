"""Containment: shares of clusters and triples equal those of sets; a refinement is never called partly alike."""

import json
from math import comb

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.comparison import containment
from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import plain
from tests.strategies import hierarchy_pairs

COARSE, FINE = dm.from_newick("((a,b,c),(d,e,f));"), dm.from_newick("(((a,b),c),((d,e),f));")
STAR = dm.from_newick("(a,b,c,d,e,f);")


@given(hierarchy_pairs(max_items=9))
def test_counts_equal_those_of_sets(pair):
    a, b = pair
    found = dm.compare(a, b, measures=["hierarchical_f"]).containment
    first, second = (plain(tree, a.items) for tree in pair)
    clusters, triples = [proper_clusters(t) for t in (first, second)], [resolved(t) for t in (first, second)]
    assert found.n_clusters == tuple(map(len, clusters))
    assert found.n_common == len(clusters[0] & clusters[1])
    assert found.n_resolved == tuple(map(len, triples))
    assert found.n_alike == len(triples[0] & triples[1])
    assert found.n_triples == comb(a.n_items, 3)


@pytest.mark.parametrize(
    ("a", "b", "names"), [(COARSE, FINE, ("taxa", "genes")), (FINE, COARSE, ("genes", "taxa"))], ids=["of a", "of b"]
)
def test_a_tree_within_a_finer_one_is_called_contained(a, b, names):
    result = dm.compare(a, b, names=names)
    assert result.verdict.startswith("Both clusters of taxa are also in genes, which has 2 more. ")
    assert (
        "In both directions, the trees are 92% of the way from chance to identical (hierarchy_agreement"
        in result.verdict
    )
    assert names[result.containment.contained] == "taxa"


def test_a_dendrogram_that_refines_the_taxonomy_of_animals_contains_it():
    taxonomy = dm.datasets.zoo().taxonomy
    fine = dm.from_newick(f"{_binary(taxonomy, taxonomy.root)};")
    result = dm.compare(fine, taxonomy, names=("dendrogram", "taxonomy"))
    assert result["hierarchy_agreement"].adjusted == pytest.approx(0.728, abs=0.0005)
    assert result.verdict.startswith("All 32 clusters of taxonomy are also in dendrogram, which has ")
    assert "partly alike" not in result.verdict
    assert result.containment.clusters[1] == result.containment.triples[1] == 1.0


def test_one_item_moved_is_judged_as_far_as_the_coarser_tree_goes():
    fine = dm.generate.random_tree(60, shape="balanced", rng=0)
    groups = dm.cut_count(fine, 6).labels
    moved = [*groups[:-1], (groups[-1] + 1) % 6]
    coarse = dm.from_labels([f"c{g}" for g in moved], item_names=fine.items)
    result = dm.compare(fine, coarse, measures=["hierarchy_agreement"])
    assert result.containment.coarser == 1
    assert result.verdict.startswith("The first tree recovers nearly all of the second tree: ")
    assert "of the way from chance to all. In both directions, the trees are " in result.verdict
    share, by_chance = result.containment.triples[1], result.containment.n_resolved[0] / (3 * comb(60, 3))
    assert result.containment.likeness == pytest.approx((share - by_chance) / (1 - by_chance))


def test_it_is_told_before_the_measures_and_in_json():
    result = dm.compare(COARSE, FINE, names=("taxa", "genes"))
    told = [
        "taxa in genes: 2 of 2 clusters and 100% of the resolved triples of items",
        "genes in taxa: 2 of 4 clusters and 90% of the resolved triples of items",
        "resolved, of all triples of items: 90% by taxa, 100% by genes",
    ]
    assert result.tell_containment() == str(result).splitlines()[2:5] == told
    assert json.loads(result.to_json())["containment"] == {
        "n_clusters": [2, 4],
        "n_common": 2,
        "clusters": [1.0, 0.5],
        "triples": [1.0, 0.9],
        "resolution": [0.9, 1.0],
    }


def test_a_star_has_nothing_to_contain():
    result = dm.compare(STAR, FINE, measures=["hierarchy_agreement"])
    assert result.containment.clusters == (None, 0.0)
    assert (result.containment.contained, result.containment.likeness) == (None, None)
    assert result.tell_containment()[0].endswith("its only clusters are single items and all items")
    assert result.verdict.startswith(
        "The first tree groups nothing: its only clusters are single items and all items. In "
    )
    assert dm.compare(FINE, STAR, names=("a", "b")).verdict.startswith("b groups nothing: ")


def test_trees_with_the_same_clusters_are_said_to_have_them():
    verdict = dm.compare(
        dm.from_labels([0, 0, 0, 1, 1, 1], list("abcdef")), dm.from_newick("((a,b,c),(d,e,f));")
    ).verdict
    assert verdict.startswith("The first tree and the second tree have the same clusters, but differ in which items s")


def test_a_clustering_that_refines_another_is_said_to_do_so():
    coarse, fine = dm.from_labels([0, 0, 0, 0, 1, 1, 1]), dm.from_labels([0, 0, 1, 1, 2, 2, 3])
    said = "refines {}: each of its clusters lies inside one there. In both directions, the clusterings are "
    assert dm.compare(coarse, fine).verdict.startswith("The second clustering " + said.format("the first clustering"))
    assert dm.compare(fine, coarse, names=("x", "y")).verdict.startswith("x " + said.format("y"))
    across = dm.from_labels([0, 0, 1, 1, 1, 2, 3])
    assert "refines" not in dm.compare(coarse, across).verdict


def test_other_measures_and_flat_clusterings_are_judged_by_themselves():
    assert "contained" not in dm.compare(COARSE, FINE, measures=["hierarchical_f"]).verdict
    flat = dm.from_labels([0, 0, 1]), dm.from_labels([0, 1, 1])
    assert dm.compare(*flat).containment is None
    assert dm.compare(*flat).tell_containment() == []


def test_triples_of_large_trees_are_not_counted(monkeypatch):
    monkeypatch.setattr(containment, "_MOST_ITEMS", 2_000)
    a, b = (dm.generate.random_tree(2_001, rng=seed) for seed in (0, 1))
    found = dm.compare(a, b, measures=["hierarchy_agreement"]).containment
    assert found.triples == (None, None)
    assert found.resolution == (1.0, 1.0)
    assert found.tell(("a", "b"))[0].startswith("a in b: ")


def _binary(tree, v):
    """The subtree of a node as Newick, its children and items joined two by two, in their order."""
    below = [_binary(tree, c) for c in range(tree.n_nodes) if tree.parent[c] == v]
    below += [f"'{tree.items[i]}'" for i in range(tree.n_items) if tree.item_node[i] == v]
    while len(below) > 1:
        below = [f"({below[0]},{below[1]})", *below[2:]]
    return below[0]
