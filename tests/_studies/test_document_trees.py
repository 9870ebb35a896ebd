"""The study of trees of documents: planted topics come out, and the numbers are those of the public functions."""

import numpy as np
import pytest

from dendrometry import dendrogram_purity, from_labels, from_newick, hierarchy_agreement
from dendrometry._studies import document_trees as study
from dendrometry._studies.document_trees import document_trees
from dendrometry._studies.inputs.docstrings import docstrings, versions
from dendrometry._studies.inputs.texts import planted
from dendrometry.cut import fold
from dendrometry.text import cluster_documents, vectorize_documents

pytestmark = pytest.mark.compiled  # the examples run the quick study without compilation, too


@pytest.fixture(scope="module")
def quick():
    return document_trees(quick=True)


def test_planted_topics_are_found_in_fewer_steps_when_folded(quick):
    table = quick.to_frame("trees").set_index(["vectors", "method", "tree"])
    assert len(table) == 8
    assert table["purity"].min() > 0.9
    for vectors, method in (("terms", "bisect"), ("20 dimensions", "ward")):
        binary, folded = (table.loc[(vectors, method, shape)] for shape in ("binary", "folded"))
        assert folded["depth"] < 0.5 * binary["depth"]
        assert folded["largest_child"] < binary["largest_child"]
        assert folded["without_words"] <= binary["without_words"]


def test_the_measures_are_those_of_the_public_functions(quick):
    rng = np.random.default_rng(0)
    corpus = planted(dict.fromkeys(study._QUICK, 10), rng)
    seed = int(rng.integers(2**31))
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), n_dimensions=20, rng=seed)
    tree = fold(cluster_documents(found, method="ward", rng=seed).hierarchy, 10)
    row = quick.to_frame("trees").set_index(["vectors", "method", "tree"]).loc[("20 dimensions", "ward", "folded")]
    topics = from_labels(list(corpus.labels), item_names=corpus.items)
    assert row["purity"] == pytest.approx(dendrogram_purity(topics, tree))
    assert 0.0 < row["hai_adjusted"] < hierarchy_agreement(corpus.truth, tree)
    assert row["depth"] == tree.depths[tree.item_node].mean()


def test_rows_read_are_the_children_of_all_nodes_on_the_way():
    assert study._rows_read(from_newick("((a,b),c);")) == (2 * (2 + 2 + 1) + (2 + 1)) / 3  # a leaf shows its document
    assert study._rows_read(from_newick("(a,b,c,d);")) == 4 + 1


def test_docstrings_have_their_modules_as_topics():
    corpus = docstrings()
    topic = dict(zip(corpus.items, corpus.labels, strict=True))
    assert topic["scipy.stats._kde.gaussian_kde"] == "scipy.stats"
    assert not any(".tests." in item for item in corpus.items)
    assert "scikit-learn " in versions()
