"""The Reuters study: planted classes come out, the numbers are those of the public functions, and the real ones."""

import numpy as np
import pytest

from dendrometry import adjusted_rand, rand, split_merge
from dendrometry.errors import InvalidInputError
from dendrometry.study.studies import reuters as study
from dendrometry.study.studies.reuters import reuters

pytestmark = pytest.mark.compiled  # the examples run the quick study without compilation, too
WAYS = {
    "single",
    "complete",
    "group average",
    "centroid (similarity)",
    "centroid (distance)",
    "ward",
    "bisecting k-means",
    "Buckshot",
}


@pytest.fixture(scope="module")
def quick():
    return reuters(quick=True)


def test_planted_classes_are_found(quick):
    table = quick.to_frame().set_index("method")
    assert set(table.index) == WAYS | {"all in one cluster"}
    for way in ("group average", "ward", "bisecting k-means"):
        assert table.loc[way, ["rand", "adjusted_rand", "split_merge"]].tolist() == [1.0, 1.0, 1.0]
    assert table.loc["all in one cluster", "adjusted_rand"] == 0.0
    assert table.loc[["bisecting k-means", "Buckshot"], "runs"].tolist() == [2, 2]


def test_the_measures_are_those_of_the_clusters_shown(quick):
    clusters = quick.to_frame("clusters").set_index("method")
    gist = quick.to_frame().set_index("method")
    assert set(clusters.index) == WAYS
    for way in WAYS - {"bisecting k-means", "Buckshot"}:
        counts = clusters.loc[way, ["crude", "grain", "interest"]].to_numpy()
        assert counts.shape == (3, 3)
        cluster, truth = (np.repeat(axis.ravel(), counts.ravel()) for axis in np.indices(counts.shape))
        expected = [rand(truth, cluster), adjusted_rand(truth, cluster), split_merge(truth, cluster)]
        assert gist.loc[way, ["rand", "adjusted_rand", "split_merge"]].tolist() == pytest.approx(expected)


def test_documents_are_left_out_one_in_ten(quick):
    parts = quick.to_frame("parts").set_index("method")
    assert set(parts.index) == WAYS
    assert (parts["runs"] == 2).all()
    assert all(sum(map(int, sizes.split(" + "))) == 41 for sizes in parts["sizes_in_first_run"])
    assert quick.notes[-1].startswith("with one in ten documents left out, 2 times over, best by adjusted_rand: ")


def test_the_words_say_which_is_best_and_what_one_cluster_has(quick):
    assert quick.notes[0].startswith("45 documents, none left out: 20 crude, 10 grain, 15 interest")
    assert quick.notes[1].startswith("best of the four linkages of the exercise: by rand single and complete and")
    alone = quick.to_frame().set_index("method").loc["all in one cluster", "rand"]
    assert f"all in one cluster has rand {alone:.3f}; no better than that: none." in quick.notes


def test_the_figure_has_three_bars_of_three_classes_for_each_way(quick):
    (ax,) = quick.figure().axes
    assert len(ax.patches) == 9 * len(WAYS)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["crude", "grain", "interest"]


def test_the_same_seed_gives_the_same_study_and_another_another():
    first, again, other = (reuters(quick=True, rng=seed).tables["methods"].to_csv() for seed in (1, 1, 2))
    assert first == again != other


def test_stories_that_cannot_be_fetched_are_an_error(monkeypatch):
    def refuse(*_):
        raise InvalidInputError("cannot fetch it")

    monkeypatch.setattr(study, "chosen", refuse)
    with pytest.raises(InvalidInputError, match="cannot fetch it"):
        reuters()


@pytest.mark.slow
def test_centroid_similarity_is_best_on_the_real_stories():
    try:
        result = reuters()
    except InvalidInputError as error:
        pytest.skip(f"needs the collection reuters-r8, which cannot be fetched here: {error}")
    assert "696 documents, none left out: 374 crude, 51 grain, 271 interest" in result.notes[0]
    table = result.to_frame().set_index("method")
    assert table["adjusted_rand"].idxmax() == "centroid (similarity)"
    assert table.loc["centroid (similarity)", "rand"] == pytest.approx(0.919, abs=0.005)
    assert table.loc["single", "adjusted_rand"] < 0.05
