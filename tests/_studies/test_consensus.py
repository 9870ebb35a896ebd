"""The consensus study: its matrices, the trees it leaves out, and the consensus are those of the public functions."""

import numpy as np
import pytest

from dendrometry import Hierarchy, agglomerate, consensus, datasets, pairwise_matrix
from dendrometry._studies import consensus as study_of
from dendrometry._studies.consensus import consensus as study
from dendrometry._studies.inputs.data import animals
from dendrometry.comparison import Matrix, far_from_all
from tests._studies.committed import assert_as_committed, committed, committed_text


@pytest.fixture(scope="module")
def result():
    return study(quick=True)


def trees_of(result):
    """The trees of each tie-break of the animals, drawn as the study draws them."""
    values, items, rng = animals().values[:30], datasets.zoo().items[:30], np.random.default_rng(0)
    tie_breaks = [{} for _ in range(10)]
    for name in result.tables["trees"].columns["tree"]:
        linkage, metric = name.split()
        for r in range(10):
            source = rng if r else None
            built = agglomerate(values, linkage=linkage, metric=metric, item_names=items, tie_rng=source)
            assert built.report.ties
            tie_breaks[r][name] = without_ties(built.hierarchy)
    return tie_breaks


def without_ties(tree):
    """The same in words: a merge leaves if it is as high as its parent, and its children go to that parent."""
    parent, height = tree.parent.tolist(), tree.height.tolist()
    gone = {v for v in range(tree.n_items, tree.n_nodes - 1) if height[v] == height[parent[v]]}
    for v in range(tree.n_nodes):
        while parent[v] in gone:
            parent[v] = parent[parent[v]]
    kept = [v for v in range(tree.n_nodes) if v not in gone]
    new = {v: i for i, v in enumerate(kept)} | {-1: -1}
    return Hierarchy(
        [new[parent[v]] for v in kept], [height[v] for v in kept], [new[v] for v in tree.item_node.tolist()], tree.items
    )


def test_everything_is_as_the_public_functions_say(result):
    tie_breaks = trees_of(result)
    mean = np.mean([pairwise_matrix(trees, "overall_distance", adjusted=False).values for trees in tie_breaks], axis=0)
    assert result.to_frame("matrix")["z"].tolist() == pytest.approx(mean.ravel().tolist(), abs=1e-12)
    np.testing.assert_array_equal(result.to_frame("matrix")["s"], 1.0 - result.to_frame("matrix")["z"])
    far = far_from_all(Matrix(tuple(tie_breaks[0]), mean, "overall_distance"))
    frame = result.to_frame()
    assert set(frame.tree[frame.outlier]) == set(far)
    agreed = consensus([tree for trees in tie_breaks for name, tree in trees.items() if name not in far])
    clusters = result.to_frame("clusters")
    assert sorted(clusters["size"]) == sorted(size for size in agreed.hierarchy.sizes.tolist() if size > 1)
    assert clusters["items"][0] == "; ".join(sorted(agreed.hierarchy.items))
    assert clusters.support.min() > 0.5


def test_the_words_say_how_many_agree_and_which_trees_stand_out(result):
    frame = result.to_frame()
    assert result.notes[0].startswith("animals: Z between 13 trees is 0.0")
    assert all(name in result.notes[1] for name in frame.tree[frame.outlier])
    median = frame.median_z.max()
    assert f"{frame.tree[frame.median_z.idxmax()]} (median Z {median:.2f})" in result.notes[1]
    assert result.notes[2].startswith("  merges are tied: Z is the mean over 10 tie-breaks, which change it by")
    assert f"the {13 - frame.outlier.sum()} others agree on" in result.notes[3]


@pytest.mark.parametrize(
    ("outliers", "words"),
    [
        ([], "no tree stands out from the rest; the greatest median distance is that of c (median Z 0.70)"),
        (["c"], "stands out from the rest: c (median Z 0.70)"),
        (["c", "a"], "stands out from the rest: c (median Z 0.70), a (median Z 0.50); between them Z is at most 0.80"),
    ],
)
def test_trees_that_stand_out_are_said_to_be_near_each_other_where_they_are(outliers, words):
    distance = Matrix(tuple("abc"), np.array([[0, 0.2, 0.8], [0.2, 0, 0.6], [0.8, 0.6, 0]]), "overall_distance")
    assert study_of._outlier_note(study_of._Found("x", distance, 1, 0.0, outliers, None)) == words


def test_the_committed_outliers_of_wine_are_the_nearest_pair_of_all():
    z = committed("consensus", "matrix").query("data == 'wine' and first < second").set_index(["first", "second"]).z
    trees = committed("consensus", "trees").query("data == 'wine' and outlier")
    assert set(z.idxmin()) == set(trees.tree)
    assert f"between them Z is at most {z.min():.2f}" in committed_text("consensus")


def test_the_figures_hold_every_tree_and_every_animal(result):
    heat_map = result.figure("animals").axes[0]
    assert {text.get_text() for text in heat_map.get_yticklabels()} == set(result.tables["trees"].columns["tree"])
    names = {text.get_text() for text in result.figure("animals_consensus").axes[0].get_yticklabels()}
    assert names == set(datasets.zoo().items[:30])


@pytest.mark.slow
def test_the_full_study_measures_all_linkages_and_metrics_on_both_data_sets():
    result = study()
    frame = result.to_frame()
    assert frame.groupby("data").size().to_dict() == {"animals": 18, "wine": 18}
    clusters = result.to_frame("clusters")
    for kind in ("mammal", "fish"):
        alike = sorted(item for item, of in zip(datasets.zoo().items, datasets.zoo().types, strict=True) if of == kind)
        assert "; ".join(alike) in set(clusters["items"])
    assert_as_committed(result)
