"""What users have becomes a tree in one way, or is refused with the functions that take it."""

from pathlib import Path
from types import SimpleNamespace
from typing import get_args, get_origin

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from tests.strategies import dendrograms, wild_hierarchies

import dendrometry as dm
from dendrometry.changes import carry_names, track_nodes
from dendrometry.comparison import greedy_consensus, largest_common_subtree, one_to_one_matches
from dendrometry.errors import AssumptionWarning, DendrometryError, InvalidInputError
from dendrometry.io import as_hierarchy, to_tables
from dendrometry.io.coerce import HierarchyLike
from dendrometry.levels import label_profile, profile

X = np.array([[0.0, 0], [1, 0], [5, 0], [7, 0], [20, 0]])
Z = linkage(X, "average")
TREE = dm.from_linkage(Z)
TOPICS = {
    "Parent_ID": ["2"],
    "Parent_Name": ["all"],
    "Child_Left_ID": ["0"],
    "Child_Left_Name": ["a"],
    "Child_Right_ID": ["1"],
    "Child_Right_Name": ["b"],
    "Distance": [0.5],
}
LEVELS = {"item": ["cat", "owl", "jay"], "class": ["mammal", "bird", "bird"], "order": ["cats", "owls", "songs"]}
STRAINS = {"strain": ["a", "b", "c"], "HC0": [1, 2, 3], "HC5": [1, 1, 3]}
STORED = {"linkage": Z, "categories_ordered": list("abcde"), "categories_idx_ordered": range(5)}


def anndata(**parts):
    """What AnnData and TreeData have."""
    return SimpleNamespace(**{"uns": {}, "obs": pd.DataFrame({"type": ["x"]})} | parts)


TAKEN = {
    "hierarchy": (TREE, TREE),
    "result": (dm.agglomerate(X, linkage="average"), TREE),
    "estimator of this package": (dm.HierarchicalClustering(2, linkage="average").fit(X), TREE),
    "linkage": (Z, TREE),
    "list of lists": (Z.tolist(), TREE),
    "sklearn": (
        AgglomerativeClustering(n_clusters=None, distance_threshold=0, linkage="average").fit(X),
        TREE,
    ),
    "labels of sklearn": (
        KMeans(2, n_init=1, random_state=0).fit(X),
        dm.from_labels(KMeans(2, n_init=1, random_state=0).fit(X).labels_),
    ),
    "records": (np.rec.fromarrays(Z.T, names="a,b,distance,size"), TREE),
    "networkx": (nx.DiGraph([("r", "x"), ("r", "y")]), dm.from_newick("(x,y);")),
    "pandas": (pd.DataFrame(LEVELS), dm.from_levels(LEVELS)),
    "index": (pd.DataFrame(LEVELS).set_index("item"), dm.from_levels(LEVELS)),
    "polars": (pl.DataFrame(LEVELS), dm.from_levels(LEVELS)),
    "pyarrow": (pa.table(LEVELS), dm.from_levels(LEVELS)),
    "dict with items": (LEVELS, dm.from_levels(LEVELS)),
    "dict of communities": (
        {"community": [0], "parent": [-1], "level": [0], "entity_ids": [["a", "b"]]},
        dm.from_paths({"a": "0", "b": "0"}).without_unary(),
    ),
    "nodes": (pd.DataFrame({"node": [1, 2, 3], "parent": [None, 1, 1]}), dm.from_newick("('2','3');")),
    "hiercc": (pl.DataFrame(STRAINS), dm.io.from_hiercc(STRAINS)),
    "hiercc with an index": (pd.DataFrame(STRAINS).set_index("strain"), dm.io.from_hiercc(STRAINS)),
    "some rows of hiercc": (
        pd.DataFrame(STRAINS).iloc[1:],
        dm.io.from_hiercc({name: column[1:] for name, column in STRAINS.items()}),
    ),
    "some rows": (
        pd.DataFrame(LEVELS).iloc[1:],
        dm.from_levels({name: column[1:] for name, column in LEVELS.items()}),
    ),
    "labels": ([0, 0, 1], dm.from_labels([0, 0, 1])),
    "text": (("a", "a", "b"), dm.from_labels(["a", "a", "b"])),
    "series": (pd.Series([0, 1], index=["x", "y"]), dm.from_labels([0, 1], ["x", "y"])),
    "column of polars": (pl.Series(["a", "b"]), dm.from_labels(["a", "b"])),
    "column of pyarrow": (pa.chunked_array([["a", "b"]]), dm.from_labels(["a", "b"])),
    "mapping": ({"x": 0, "y": 1}, dm.from_labels([0, 1], ["x", "y"])),
    "hclust": (dm.to_hclust(TREE), TREE),
    "parents": (dm.to_parents(TREE), TREE),
    "tables": (to_tables(TREE), TREE),
}


@pytest.mark.parametrize("name", TAKEN)
def test_takes_what_has_one_reading(name):
    thing, tree = TAKEN[name]
    assert as_hierarchy(thing) == tree


TYPES = tuple(get_origin(kind) or kind for kind in get_args(HierarchyLike))
OTHERS = [anndata(), Path("tree.nwk"), "tree.nwk", nx.Graph(), HDBSCAN()]


@pytest.mark.parametrize("thing", [*(thing for thing, _ in TAKEN.values()), *OTHERS])
def test_the_type_of_what_is_taken_has_a_name(thing):
    assert isinstance(thing, TYPES)


@pytest.mark.parametrize("thing", [None, 3, 0.5, b"tree.nwk", {"a", "b"}, range(3), iter("ab"), object()])
def test_what_has_no_such_type_is_refused(thing):
    assert not isinstance(thing, TYPES)
    with pytest.raises(InvalidInputError, match=r"the tree must be a Hierarchy; got .* \(see io\.as_hierarchy\)"):
        as_hierarchy(thing)


@given(wild_hierarchies() | dendrograms())
def test_what_is_written_is_taken(tree):
    for back in (dm.to_parents(tree), to_tables(tree), dm.io.to_networkx(tree)):
        assert as_hierarchy(back) == tree


@pytest.mark.parametrize("ending", ["nwk", "json", "nodes.parquet"])
def test_takes_the_path_of_a_file(tmp_path, ending):
    path = tmp_path / f"tree.{ending}"
    dm.write(TREE, path)
    assert as_hierarchy(path) == as_hierarchy(str(path)) == TREE


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (anndata(uns={"dendrogram_type": STORED}), "the dendrogram 'dendrogram_type' of AnnData is taken"),
        (anndata(obst={"lineage": nx.DiGraph([("r", "x")])}), "the tree 'lineage' of AnnData is taken"),
        (DBSCAN(0.5).fit(X), "5 of 5 items with the label -1, as noise has; taken as a cluster .from_labels"),
        ({"item": ["a", "b", "c"], "class": ["x > y", "x > z", "u"]}, "column 'class' is taken as paths separated by"),
    ],
)
def test_says_what_was_taken(thing, says):
    with pytest.warns(AssumptionWarning, match=says):
        as_hierarchy(thing)


def test_says_which_tree_of_hdbscan_was_taken():
    class Both:
        def fit(self):
            """Fit nothing."""

        single_linkage_tree_ = SimpleNamespace(to_numpy=lambda: Z)
        condensed_tree_ = SimpleNamespace(to_numpy=lambda: None)

    with pytest.warns(AssumptionWarning, match="the single linkage of HDBSCAN is taken"):
        assert as_hierarchy(Both()) == TREE
    model = HDBSCAN(min_cluster_size=2, copy=True).fit(X)
    assert as_hierarchy(model) == dm.io.from_hdbscan(model)


REFUSED = [
    ([[0, 1], [2, 3]], r"an array of shape \(2, 2\) \(from_sklearn\(\) takes children_; from_hclust\(\) takes merges"),
    (np.zeros((3, 3)), r"shape \(3, 3\) \(from_layers\(\) takes .*; agglomerate_distances\(\) takes distances\)"),
    (pd.DataFrame({"x": [1, 2], "y": [3, 4], "z": [5, 6]}), "a table of numbers in the columns 'y', 'z' .from_levels"),
    (pd.DataFrame({"x": [0.5, 2], "y": [3, 4]}, index=["a", "b"]), "a table of numbers in the columns 'x', 'y'"),
    (["a/b", "a/c"], r"text separated by '/' \(from_paths\(\) takes paths; from_labels\(\) takes labels"),
    (
        {"x": "a > b", "y": "a > c"},
        r"text separated by ' > ' \(from_paths\(\) takes paths; from_labels\(\)",
    ),
    ([2, 2, -1], r"whole numbers with one -1 \(from_parents\(\) takes the parent of each node; from_labels\(\) takes"),
    (
        {"cat": ["mammals", "cats"]},
        r"a mapping to sequences \(from_levels\(\) takes columns; from_paths\(\) takes",
    ),
    ({"item": ["a"], "node": [0], "parent": [1]}, r"the columns item, node and parent \(from_tables\(\) takes two"),
    (anndata(uns={"dendrogram_a": 1, "dendrogram_b": 2}), "AnnData with 'dendrogram_a', 'dendrogram_b' .from_anndata"),
    (anndata(), r"AnnData with no stored tree \(from_anndata\(\) takes dendrogram=, tree= or levels="),
    (SimpleNamespace(fit=0, cluster_layers_=[[0]]), r"with cluster_layers_ \(from_layers\(\) takes them"),
    (
        SimpleNamespace(fit=0, hierarchical_topics=0),
        r"\(from_bertopic\(\) takes hierarchical_topics\(docs\), and",
    ),
    ([["a"], ["a", "b"]], r"rows of several lengths \(from_paths\(\) takes the path of each item"),
]


@pytest.mark.parametrize(("thing", "says"), REFUSED)
def test_refuses_what_has_several_readings(thing, says):
    with pytest.raises(InvalidInputError, match=f"the tree: it must be readable in one way; got .*{says}"):
        as_hierarchy(thing)


SHOP = pd.DataFrame({"sku": list("abcd"), "top": list("xxyy"), "sub": ["1", "2", "3", "3"]})


@pytest.mark.parametrize("rows", [SHOP[SHOP["top"] == "y"], SHOP.iloc[::-1], SHOP[["sku", "top"]].iloc[[0, 3]]])
def test_refuses_row_numbers_beside_a_column_of_names(rows):
    for function in (as_hierarchy, dm.from_levels):
        with pytest.raises(InvalidInputError, match=r"it must be clear what names .* 'sku' \(set_index\('sku'\) takes"):
            function(rows)
    items = rows["sku"].tolist()
    assert as_hierarchy(rows.set_index("sku")) == dm.from_levels(rows, "sku")
    assert list(as_hierarchy(rows.set_index("sku")).items) == items
    named = rows.rename_axis("item").drop(columns="sku")
    assert list(as_hierarchy(named).items) == [str(row) for row in rows.index]


def test_row_numbers_name_items_where_no_column_does():
    assert as_hierarchy(SHOP[["top", "sub"]].iloc[2:]).items == ("2", "3")
    assert dm.from_levels(SHOP[["top"]].iloc[[0, 3]]).items == ("0", "3")


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (5, r"old must be a Hierarchy; got int \(see io.as_hierarchy\)"),
        (b"tree.nwk", "old must be a Hierarchy; got bytes"),
        (None, "old must be a Hierarchy; got NoneType"),
        (
            "((a,b),c);",
            r"old: a text must be the name of a file; got '\(\(a,b\),c\);' \(from_newick\(\) takes",
        ),
        ("nowhere.nwk", r"old: cannot read nowhere\.nwk"),
        (SHOP.iloc[:0], "old: a table must have a row for each item; got none"),
        (np.array("x"), "old: it must be readable"),
        ({}, "old: a mapping must hold an item; got none"),
        (
            {"name": "r", "children": []},
            r"old: nested objects must be given as text; got a mapping \(from_json",
        ),
        (KMeans(), "old: an estimator must be fitted, and have children_"),
        ([[0, 1, 1, 2], [0, 3, 1, 3]], "old: each cluster must be merged once; row 1 merges 0 again"),
        (nx.Graph([("a", "b")]), "old: the graph must be directed"),
    ],
)
def test_says_which_tree_cannot_be_read(thing, says):
    with pytest.raises(DendrometryError, match=says):
        as_hierarchy(thing, what="old")


ALL = {
    "compare": lambda tree: dm.compare(tree, tree)["hierarchy_agreement"].value == 1,
    "permutation_test": lambda tree: dm.permutation_test(tree, tree, n_permutations=3, rng=0).value == 1,
    "pairwise_matrix": lambda tree: dm.pairwise_matrix({"a": tree, "b": tree}).values.shape == (2, 2),
    "consensus": lambda tree: dm.consensus([tree, tree]).n_trees == 2,
    "greedy_consensus": lambda tree: greedy_consensus([tree, tree]).n_trees == 2,
    "item_disagreement": lambda tree: dm.item_disagreement(tree, tree).values.sum() == 0,
    "largest_common_subtree": lambda tree: not largest_common_subtree(tree, tree).left_out,
    "one_to_one_matches": lambda tree: (one_to_one_matches(tree, tree).f == 1).all(),
    "best_matches": lambda tree: (dm.best_matches(tree, tree).f == 1).all(),
    "stages": lambda tree: dm.stages(tree, tree).distance == 0,
    "profile": lambda tree: (profile(tree, tree, "rand").value == 1).all(),
    "label_profile": lambda tree: label_profile(tree, [0, 0, 1, 1, 1]).n_items == 5,
    "diff": lambda tree: not dm.diff(tree, tree).changes,
    "carry_names": lambda tree: carry_names(tree, tree).hierarchy == TREE,
    "track_nodes": lambda tree: track_nodes([tree, tree]).trees[0] == TREE,
    "dendrogram": dm.plot.dendrogram,
    "icicle": dm.plot.icicle,
    "tanglegram": lambda tree: dm.plot.tanglegram(tree, tree),
    "matches": lambda tree: dm.plot.matches(tree, tree),
    "entanglement": lambda tree: dm.plot.entanglement(tree, tree) == 0,
    "untangle": lambda tree: dm.plot.untangle(tree, tree).entanglement == 0,
}


@pytest.mark.parametrize("name", ALL)
def test_functions_of_trees_take_a_linkage(name):
    assert ALL[name](Z)


def test_a_page_takes_a_linkage(tmp_path):
    dm.browse(Z, tmp_path / "tree.html")
    assert (tmp_path / "tree.html").stat().st_size > 1000


def test_says_which_of_two_trees_cannot_be_read():
    with pytest.raises(InvalidInputError, match="the second tree: it must be readable in one way; got an array"):
        dm.compare(Z, X)
    with pytest.raises(InvalidInputError, match="tree 'b': it must be readable in one way; got an array"):
        dm.pairwise_matrix({"a": Z, "b": X})


@pytest.mark.parametrize(
    ("trees", "says"),
    [
        ("runs.nex", r"matrix takes several trees; got a path \(read_many returns the trees of a file\)"),
        (Z, "matrix takes a mapping or a sequence of trees; got ndarray"),
        (pd.DataFrame(LEVELS), "matrix takes a mapping or a sequence of trees; got DataFrame"),
    ],
)
def test_one_tree_is_not_several(trees, says):
    with pytest.raises(InvalidInputError, match=says):
        dm.pairwise_matrix(trees)


def test_every_measure_of_trees_takes_what_compare_takes(tmp_path):
    dm.write(TREE, tmp_path / "tree.json")
    for name in dm.measures.registry.TREE_MEASURES:
        call = dm.MEASURES[name].call
        try:
            value = call(TREE, TREE)
        except dm.errors.UndefinedMeasureError:
            continue
        assert call(dm.to_parents(TREE), tmp_path / "tree.json") == pytest.approx(value, rel=1e-12)
