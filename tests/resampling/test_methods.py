from dataclasses import replace

import numpy as np
import pytest

from dendrometry import HierarchicalClustering, agglomerate, plot, stability
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.quality import score_cuts
from dendrometry.resampling import StabilityScorer, score_methods

X = np.random.default_rng(0).normal(size=(45, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 15, axis=0)


@pytest.fixture(scope="module")
def found():
    return score_methods(X, {"a": "ward", "b": "single"}, max_clusters=5, n_replicates=8, n_references=39, rng=1)


@pytest.mark.further
def test_rows_are_those_of_each_method(found):
    seed = int(np.random.default_rng(1).integers(2**62))
    for i, linkage in enumerate(("ward", "single")):
        rows = found.method == i
        alone = stability(X, linkage=linkage, max_clusters=5, n_replicates=8, n_references=39, rng=seed)
        scores = score_cuts(agglomerate(X, linkage=linkage).hierarchy, X, max_clusters=5)
        assert found.n_clusters[rows].tolist() == [2, 3, 4, 5]
        assert found.agreement[rows].tolist() == alone.agreement.mean.tolist()
        assert found.excess[rows].tolist() == alone.agreement.excess.tolist()
        assert found.p_value[rows].tolist() == alone.agreement.p_values.tolist()
        assert found.chosen[i] == alone.agreement.choose(0.025).n_clusters == 3
        for name in ("simplified_silhouette", "calinski_harabasz", "davies_bouldin"):
            assert getattr(found, name)[rows].tolist() == getattr(scores, name).tolist()


def test_planted_clusters_are_told_in_words(found):
    assert {k for _, k in found.best.values()} == {3}
    assert found.words.startswith("By stability, a with 3 clusters stands out most")
    assert "All agree on the number of clusters." in found.words
    assert found.words.endswith("no procedure proves a number of clusters.")


def test_noise_is_told_in_words():
    found = score_methods(np.random.default_rng(5).normal(size=(30, 3)), n_replicates=6, n_references=5)
    assert found.methods == ("single", "complete", "average", "ward")
    assert "excess" not in found.best
    assert found.words.startswith("No method is more stable than on data without clusters")


def test_results_are_shown(found):
    pytest.importorskip("pandas")
    assert found.to_frame().shape == (8, 9)
    assert repr(found).startswith("MethodScores(2 methods; best ")
    assert "<table" in found._repr_html_()
    ax = plot.method_scores(found)
    assert [text.get_text() for text in ax.texts] == ["2", "3", "4", "5"] * 2
    with pytest.raises(InvalidInputError, match=r"method_scores draws what score_methods\(X\) returns; got int"):
        plot.method_scores(3)


def test_an_interrupt_ends_the_comparison():
    calls = []

    def interrupted(points):
        calls.append(1)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return agglomerate(points)

    with pytest.raises(KeyboardInterrupt):
        score_methods(X, {"a": interrupted, "b": "ward"}, n_replicates=6, n_references=5)
    assert len(calls) == 8


def test_an_interrupt_ends_a_score(monkeypatch):
    whole = stability(X, n_replicates=6, n_references=0)
    monkeypatch.setattr("dendrometry.resampling.scorers.stability", lambda *_, **__: replace(whole, is_complete=False))
    with pytest.raises(KeyboardInterrupt):
        StabilityScorer()(HierarchicalClustering(n_clusters=3), X)


def test_bad_requests_are_refused():
    with pytest.raises(InvalidInputError, match="methods must be a mapping of names to builders; got"):
        score_methods(X, ["ward"])
    with pytest.raises(InvalidInputError, match="n_references must be a whole number from 1 on; got 0"):
        score_methods(X, n_references=0)
    with pytest.raises(UndefinedMeasureError, match="at least 4 points"):
        score_methods(X[:3])
