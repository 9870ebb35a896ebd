"""Documents to a tree: every method is the function it stands for, on vectors sparse and dense."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import adjusted_rand, agglomerate, cut_count
from dendrometry.cluster import bisect, buckshot, principal_direction
from dendrometry.cut import coarsen
from dendrometry.errors import InvalidInputError
from dendrometry.text import cluster_documents, vectorize_documents
from dendrometry.text.methods import TREE_METHODS


def texts(n=30, seed=0):
    """Three subjects with words of their own among common ones."""
    rng = np.random.default_rng(seed)
    subject = np.arange(n) % 3
    own = [[f"{name}{i}" for i in range(12)] for name in ("ship", "grain", "rate")]
    common = [f"word{i}" for i in range(20)]
    made = {f"{i}": " ".join([*rng.choice(own[s], 12), *rng.choice(common, 4)]) for i, s in enumerate(subject.tolist())}
    return made, subject


@pytest.fixture(scope="module")
def found():
    return vectorize_documents(texts()[0])


@pytest.mark.parametrize("method", TREE_METHODS)
def test_every_method_finds_three_subjects_and_goes_down_to_single_documents(found, method):
    built = cluster_documents(found, method=method)
    assert built.method == method
    assert built.hierarchy.items == found.items
    assert (built.hierarchy.n_nodes, built.hierarchy.leaves.size) == (59, 30)
    three = cluster_documents(found, method=method, n_clusters=3)
    assert three.hierarchy.n_nodes == 5
    assert adjusted_rand(cut_count(three.hierarchy, 3).labels, texts()[1]) == 1.0
    assert three.report.n_items == 30


def test_methods_are_the_functions_they_stand_for(found):
    X, items = found.vectors, found.items
    expected = {
        "bisect": bisect(X, metric="cosine", item_names=items, rng=7, max_clusters=5).hierarchy,
        "principal_direction": principal_direction(X, metric="cosine", item_names=items, max_clusters=5).hierarchy,
        "buckshot": buckshot(X, 5, item_names=items, rng=7).hierarchy,
        "group_average": coarsen(
            agglomerate(X, linkage="group_average", metric="cosine", item_names=items).hierarchy, 5
        ),
        "ward": coarsen(agglomerate(X.toarray(), linkage="ward", item_names=items).hierarchy, 5),
    }
    for method, tree in expected.items():
        assert cluster_documents(found, method=method, n_clusters=5, rng=7).hierarchy == tree, method
    refined = buckshot(X, 6, refine=True, item_names=items, rng=7).hierarchy  # ceil(sqrt(30)) clusters
    assert cluster_documents(found, method="buckshot", rng=7).hierarchy == refined


def test_vectors_of_few_dimensions_are_taken(found):
    dense = vectorize_documents(texts()[0], n_dimensions=3)
    for method in ("ward", "single", "bisect"):
        tree = cluster_documents(dense, method=method, n_clusters=3).hierarchy
        assert adjusted_rand(cut_count(tree, 3).labels, texts()[1]) == 1.0


def test_the_default_gives_the_same_tree_every_time(found):
    assert cluster_documents(found).hierarchy == cluster_documents(found).hierarchy
    assert cluster_documents(found).method == "bisect"


@pytest.mark.parametrize("method", TREE_METHODS)
def test_one_document_and_equal_documents_have_a_tree(method):
    alone = vectorize_documents({"only": "ship"})
    assert cluster_documents(alone, method=method).hierarchy.n_nodes == 1
    alike = vectorize_documents({"a": "ship port", "b": "ship port", "c": "grain"})
    assert cluster_documents(alike, method=method).hierarchy.n_items == 3


def test_what_is_out_of_range_is_refused(found):
    with pytest.raises(InvalidInputError, match=r"method must be 'bisect', .*; got 'wards'"):
        cluster_documents(found, method="wards")
    for k in (0, 31, 2.5, True):
        with pytest.raises(InvalidInputError, match="n_clusters must be a whole number from 1 to 30"):
            cluster_documents(found, n_clusters=k)
    with pytest.raises(InvalidInputError, match="must be of type Documents; got dict"):
        cluster_documents({"a": "ship"})


NEED_THE_TREE = {
    "label_nodes": lambda built, found, path: dm.label.label_nodes(built, found),
    "label_table": lambda built, found, path: dm.label.label_table(built, found, [0]),
    "label_tree": lambda built, found, path: dm.label.label_tree(built, dm.label.label_nodes(built.hierarchy, found)),
    "write": lambda built, found, path: dm.write(built, path),
}


@pytest.mark.parametrize("name", NEED_THE_TREE)
def test_who_passes_what_was_built_is_told_where_the_tree_is(name, found, tmp_path):
    with pytest.raises(InvalidInputError, match=r"got DocumentTree \(pass its \.hierarchy\)"):
        NEED_THE_TREE[name](cluster_documents(found), found, tmp_path / "tree.json")


def test_what_was_built_is_taken_as_its_tree(found, tmp_path):
    built = cluster_documents(found)
    tree = built.hierarchy
    assert dm.compare(tree, built).verdict.startswith("The two trees are the same")
    assert dm.pairwise_matrix([built, built]).values.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert dm.cut_count(built, 2).clusters == dm.cut_count(tree, 2).clusters
    assert len(dm.plot.dendrogram(built).texts) == len(dm.plot.dendrogram(tree).texts)
    dm.browse(built, tmp_path / "page.html")
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize("build", [bisect, principal_direction, agglomerate, lambda X: buckshot(X, 2)])
def test_who_passes_documents_as_points_is_told_where_the_points_are(build, found):
    with pytest.raises(
        InvalidInputError, match=r"got Documents \(pass its \.vectors as points, its \.items as item_names\)"
    ):
        build(found)


def test_a_table_with_a_column_called_vectors_holds_points():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"vectors": [0.0, 1.0, 5.0], "items": [0.0, 2.0, 5.0]})
    assert bisect(table).hierarchy == bisect(table.to_numpy()).hierarchy


def test_ward_of_more_than_fits_is_refused_with_the_way_out(found, monkeypatch):
    monkeypatch.setattr("dendrometry._memory.available", lambda: 1000)
    with pytest.raises(InvalidInputError, match=r"ward linkage of 30 documents with .* terms needs .*by SVD"):
        cluster_documents(found, method="ward")
