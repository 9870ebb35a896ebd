"""BERTopic's hierarchy of topics, and the trees of AnnData and TreeData."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import leaves_list, linkage

import dendrometry as dm
from dendrometry.errors import DendrometryError, InvalidInputError, ItemMismatchError

COLUMNS = [
    "Parent_ID",
    "Parent_Name",
    "Topics",
    "Child_Left_ID",
    "Child_Left_Name",
    "Child_Right_ID",
    "Child_Right_Name",
    "Distance",
]


def hierarchical_topics(merges):
    """Return the frame that BERTopic makes of a linkage: the last merge first, numbers as text."""
    n = len(merges) + 1
    rows = []
    for i, (left, right, distance, _) in enumerate(merges):
        ids = [str(int(v)) for v in (n + i, left, right)]
        rows.append([ids[0], f"t{ids[0]}", [0], ids[1], f"t{ids[1]}", ids[2], f"t{ids[2]}", distance])
    return pd.DataFrame(rows[::-1], columns=COLUMNS)


@pytest.fixture
def merges():
    return linkage(np.random.default_rng(0).random((6, 2)), "ward")


def test_topics_are_leaves_with_their_documents(merges):
    frame = hierarchical_topics(merges)
    assert dm.io.from_bertopic(frame) == dm.from_linkage(merges, [f"{i}_t{i}" for i in range(6)])
    topics = [0, 1, 2, 3, 4, 5, 5, -1, 0]
    tree = dm.io.from_bertopic(frame, topics, [f"d{i}" for i in range(9)])
    assert tree.own_items(tree.root) == ["d7"]
    held = {tree.node_names[v]: tree.own_items(v) for v in tree.leaves}
    assert held["t5"] == ["d5", "d6"]
    assert held["t0"] == ["d0", "d8"]
    assert tree.height.max() == merges[-1, 2]
    assert dm.io.from_bertopic(frame, item_names=list("abcdef")) == dm.from_linkage(merges, list("abcdef"))


def test_topics_of_two_runs_are_not_compared_by_their_numbers(merges, tmp_path):
    frame = hierarchical_topics(merges)
    other = frame.replace({f"t{i}": f"s{i}" for i in range(6)})
    with pytest.raises(InvalidInputError, match=r"anew .from_bertopic\(..., topics=\) with model.topics_"):
        dm.compare(frame, other)
    with pytest.raises(ItemMismatchError, match="6 items of the first tree not in the second: '0_t0'"):
        dm.compare(dm.io.from_bertopic(frame), dm.io.from_bertopic(other))
    topics = [0, 1, 2, 3, 4, 5, 5, -1, 0]
    by_document = dm.compare(dm.io.from_bertopic(frame, topics), dm.io.from_bertopic(other, topics))
    assert by_document["hierarchy_agreement"].value == 1
    frame.to_csv(tmp_path / "topics.csv", index=False)
    with pytest.raises(InvalidInputError, match="got the topics of BERTopic, which each run numbers anew"):
        dm.read(tmp_path / "topics.csv")


def test_refuses_frames_that_are_not_of_bertopic(merges):
    frame = hierarchical_topics(merges)
    with pytest.raises(DendrometryError, match="it lacks 'Distance'"):
        dm.io.from_bertopic(frame.drop(columns="Distance"))
    with pytest.raises(DendrometryError, match="a table must be a dict of columns or a data frame; got int"):
        dm.io.from_bertopic(3)
    with pytest.raises(DendrometryError, match="topics must be leaves of frame, or -1; got '7'"):
        dm.io.from_bertopic(frame, [0, 7])
    with pytest.raises(DendrometryError, match="at least one merge"):
        dm.io.from_bertopic(frame.iloc[:0])
    with pytest.raises(DendrometryError, match="is merged again"):
        dm.io.from_bertopic(pd.concat([frame, frame.iloc[:1]]))
    with pytest.raises(DendrometryError, match="topics of frame must be whole numbers; got x"):
        dm.io.from_bertopic(frame.assign(Parent_ID="x"))


def test_a_dendrogram_of_scanpy_names_its_categories(merges):
    names, order = np.array(["B", "T", "NK", "mono", "DC", "mega"]), leaves_list(merges)
    stored = {
        "linkage": merges,
        "groupby": ["louvain"],
        "categories_ordered": names[order].tolist(),
        "categories_idx_ordered": order,
    }
    data = SimpleNamespace(uns={"dendrogram_louvain": stored, "pca": {}})
    assert dm.io.from_anndata(data, dendrogram="dendrogram_louvain") == dm.from_linkage(merges, names)
    with pytest.raises(DendrometryError, match="must be one of uns, 'dendrogram_louvain', 'pca'; got umap"):
        dm.io.from_anndata(data, dendrogram="umap")
    with pytest.raises(DendrometryError, match="a dendrogram must hold linkage, categories_ordered"):
        dm.io.from_anndata(data, dendrogram="pca")
    with pytest.raises(DendrometryError, match="the key must be one of obst, which has none"):
        dm.io.from_anndata(data, tree="x")


def test_columns_of_obs_are_levels():
    obs = pd.DataFrame({"major": ["T", "T", "B"], "minor": ["CD4", "CD8", "B/naive"]}, index=["c1", "c2", "c3"])
    data = SimpleNamespace(uns={}, obs=obs.astype("category"))
    tree = dm.io.from_anndata(data, levels=["major", "minor"])
    assert tree == dm.from_paths([("T", "CD4"), ("T", "CD8"), ("B", "B/naive")], ["c1", "c2", "c3"])
    assert dm.io.from_anndata(data, levels="minor").n_nodes == 4
    with pytest.raises(DendrometryError, match="levels must be columns of obs, 'major', 'minor'; got 'x'"):
        dm.io.from_anndata(data, levels=["x"])
    with pytest.raises(DendrometryError, match="exactly one of dendrogram, levels and tree must be given; got none"):
        dm.io.from_anndata(data)


def test_trees_of_treedata_are_graphs():
    graph = nx.DiGraph([("root", "a"), ("root", "x"), ("x", "b"), ("x", "c")])
    assert dm.io.from_anndata(SimpleNamespace(obst={"lineage": graph}), tree="lineage") == dm.io.from_networkx(graph)
