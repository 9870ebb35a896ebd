"""Files that other tools wrote: tests/io/data says which, and how."""

import json
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import dendrometry as dm
from dendrometry.errors import InvalidInputError
from dendrometry.io import from_anndata, from_bertopic, from_graphrag, from_hdbscan, from_layers, from_skos

DATA = Path(__file__).parent / "data"
ANIMALS = dm.from_newick("((ape:1,cat:1)mammals:2,(owl_1:1.5,jay:1.5)birds:1.5);")
MERGES = dm.from_newick("(owl:16.75,((ape:1,cat:1):4.5,(elk:2,jay:2):3.5):11.25);")


@pytest.mark.parametrize("name", ["biopython.nwk", "skbio.nwk", "ete4.nwk", "ape/phylo.tre", "ape/phylo.R"])
def test_one_tree_of_many_tools(name):
    tree = dm.read(DATA / name)
    assert tree == ANIMALS
    assert set(tree.node_names) == {"", "mammals", "birds"}


def test_comments_of_ete_name_nodes():
    tree = dm.read(DATA / "ete4.nhx")
    assert tree == ANIMALS
    assert set(tree.node_names) == {"", "Mammalia", "87"}  # a species comes before a support


def test_several_trees_of_ape():
    trees = dm.read_many(DATA / "ape" / "phylo.nex")
    assert list(trees) == ["first", "second"]
    assert trees["first"] == ANIMALS
    assert trees["second"] == dm.from_newick("((ape:1,jay:1):2,(owl_1:1.5,cat:1.5):1.5);")


@pytest.mark.parametrize("name", ["hclust.R", "dump.R"])
def test_an_hclust_of_r(name):
    assert dm.read(DATA / "ape" / name) == MERGES


def test_ape_writes_an_hclust_with_half_its_heights():
    tree = dm.read(DATA / "ape" / "hclust.tre")
    assert tree.height.max() * 2 == MERGES.height.max()
    assert dm.compare(tree, MERGES)["hierarchy_agreement"].value == 1


def test_both_trees_of_hdbscan():
    condensed, single, labels = (
        np.load(DATA / "clusterings" / f"hdbscan_{name}.npy") for name in ("condensed", "single_linkage", "labels")
    )
    assert from_hdbscan(single) == dm.from_linkage(single)
    tree = from_hdbscan(condensed)
    noise = {str(i) for i in np.flatnonzero(labels == -1)}
    assert noise
    assert noise <= set(tree.own_items(tree.root))
    leaves = [set(tree.own_items(v)) for v in tree.leaves]
    for label in range(labels.max() + 1):
        members = {str(i) for i in np.flatnonzero(labels == label)}
        assert sum(leaf <= members for leaf in leaves) == 1


def test_layers_of_evoc():
    layers = np.load(DATA / "clusterings" / "evoc_layers.npy")
    tree = from_layers(list(layers), noise_label=-1)
    assert tree.n_items == layers.shape[1]
    assert tree.own_sizes[tree.root] == (layers == -1).sum()


def test_layers_of_toponymy():
    fine, coarse = np.load(DATA / "clusterings" / "toponymy_layers.npy")
    tree = from_layers([fine, coarse], noise_label=-1)
    sizes = [np.unique(layer[layer >= 0]).size for layer in (fine, coarse)]
    assert tree.n_nodes == 1 + sum(sizes)
    assert tree.leaves.size == sizes[0] > sizes[1]


def test_clusters_of_hiercc():
    tree = dm.read(DATA / "clusterings" / "phiercc.HierCC.gz")
    assert tree.items == ("s1", "s2", "s3", "s4", "s5", "s6")
    assert tree.height.max() == 6
    assert dm.cut_height(tree, 2).clusters == [["s1", "s2", "s3"], ["s4", "s5", "s6"]]


def test_modules_of_infomap():
    tree = dm.read(DATA / "clusterings" / "infomap.ftree")
    modules = {"1": ['the "big" elk', "ape", "cat"], "2": ["owl", "jay", "blue tit"]}
    assert {tree.node_names[v]: tree.own_items(v) for v in tree.leaves} == modules


def test_a_published_vocabulary_in_obo():
    tree = dm.read(DATA / "taxrank.obo")
    names = dict(zip(tree.items, (tree.node_names[v] for v in tree.item_node.tolist()), strict=True))
    assert (tree.n_items, tree.n_nodes, tree.node_names[tree.root]) == (61, 61, "taxonomic_rank")
    assert names["TAXRANK:0000006"] == "species"
    text = (DATA / "taxrank.obo").read_text(encoding="utf-8").partition("[Typedef]")[0]
    assert set(tree.items) == {line[4:] for line in text.splitlines() if line.startswith("id: TAXRANK")}


def test_trees_of_anndata():
    found = json.loads((DATA / "clusterings" / "anndata.json").read_text(encoding="utf-8"))
    stored = {name: np.array(value) if isinstance(value, list) else value for name, value in found["uns"].items()}
    cells = pd.DataFrame(found["obs"]["columns"], index=found["obs"]["index"], dtype="category")
    graph = nx.node_link_graph(found["obst"]["lineage"], edges="edges")
    data = SimpleNamespace(uns=stored, obs=cells, obst={"lineage": graph})
    tree = from_anndata(data, dendrogram="dendrogram_minor")
    drawn = stored["dendrogram_minor"]["dendrogram_info"]
    assert tree.height.max() == np.max(drawn["dcoord"])
    lowest = tree.item_node[[tree.items.index(name) for name in drawn["ivl"][:2]]]
    assert tree.parent[lowest[0]] == tree.parent[lowest[1]]
    levels = from_anndata(data, levels=["major", "minor"])
    assert levels == dm.from_paths(zip(cells["major"], cells["minor"], strict=True), item_names=cells.index)
    assert from_anndata(data, tree="lineage") == dm.from_newick("((cell0,cell1),cell2);")


def test_topics_of_bertopic():
    found = json.loads((DATA / "clusterings" / "bertopic.json").read_text(encoding="utf-8"))
    frame, topics = pd.DataFrame(found["frame"]), found["topics"]
    tree = from_bertopic(frame, topics)
    assert tree.n_items == len(topics)
    assert tree.leaves.size == len(set(topics)) == 4
    assert tree.node_names[tree.root] == frame["Parent_Name"][0]
    assert tree.height.max() == frame["Distance"].max()
    with pytest.raises(InvalidInputError, match="which each run numbers anew"):
        dm.io.as_hierarchy(frame)


@pytest.mark.parametrize("ending", ["ttl", "rdf", "jsonld", "nt"])
def test_a_thesaurus_in_four_syntaxes(ending):
    tree = dm.read(DATA / "skos" / f"skos.{ending}")
    base = "http://example.org/animals/"
    named = dict(zip(tree.items, (tree.node_names[v] for v in tree.item_node), strict=True))
    assert named == {base + "bird": "bird", base + "owl": "owl", base + "jay": "jay", base + "barn_owl": "Schleiereule"}
    depth = dict(zip(tree.items, tree.depths[tree.item_node].tolist(), strict=True))
    assert depth == {base + "bird": 0, base + "owl": 1, base + "jay": 1, base + "barn_owl": 2}
    text = (DATA / "skos" / f"skos.{ending}").read_text(encoding="utf-8")
    assert "Vogel" in from_skos(text, language="de").node_names


@pytest.mark.parametrize("ending", ["parquet", "json"])
def test_communities_of_graphrag(ending):
    tree = dm.read(DATA / "clusterings" / f"graphrag_communities.{ending}")
    assert tree.n_items == 24
    held = {tree.node_names[v]: set(tree.own_items(v)) for v in tree.leaves}
    assert len(held) == 8
    assert held["Community 3"] == {"e0", "e1", "e2"}
    top = [tree.node_names[v] for v in range(tree.root) if tree.parent[v] == tree.root]
    assert sorted(top) == [f"Community {i}" for i in range(3)]
    frame = pd.read_json(DATA / "clusterings" / "graphrag_communities.json")
    assert dm.io.as_hierarchy(frame) == from_graphrag(frame) == tree


def test_lengths_of_r_are_rounded_to_15_digits():
    rounded = "c(0.666666666666667, 0.333333333333333, 0.333333333333333, 0.5, 0.5, 0.5)"
    text = (DATA / "ape" / "phylo.R").read_text(encoding="utf-8").replace("c(2, 1, \n1, 1.5, 1.5, 1.5)", rounded)
    assert rounded in text
    tree = dm.io.from_dput(text)
    assert set(tree.height[tree.leaves].tolist()) == {0.0}
    assert tree.height.max() == pytest.approx(1.0)
