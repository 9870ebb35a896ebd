"""The labels study: planted classes get their own words, and the counts follow from the words shown."""

import numpy as np
import pytest

from dendrometry._studies import labels as study
from dendrometry._studies.labels import labels
from dendrometry.errors import InvalidInputError
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return labels(quick=True)


def test_every_cluster_has_the_words_of_its_class(result):
    frame = result.to_frame()
    assert sorted(frame.main_class) == ["crude", "grain", "trade"]
    assert frame.documents.sum() == 42
    for row in frame.itertuples():
        for method in ("centroid", "mutual_information", "chi_square"):
            words = getattr(row, method).split()
            assert len(set(words)) == 10
            assert all(word.startswith(row.main_class) for word in words)
        assert row.main_class in row.title


def test_words_in_common_are_those_of_the_clusters(result):
    frame, runs = result.to_frame(), result.to_frame("runs")
    for one, other in (("mutual_information", "chi_square"), ("mutual_information", "centroid")):
        common = [len(set(getattr(row, one).split()) & set(getattr(row, other).split())) for row in frame.itertuples()]
        assert runs[f"{one}_and_{other}"][0] == pytest.approx(np.mean(common))
    assert ((runs.filter(like="frequency") > 0) & (runs.filter(like="frequency") < 1)).all().all()


def test_the_figure_counts_the_clusters_of_all_runs(result):
    (ax,) = result.figure("common").axes
    heights = [bar.get_height() for bar in ax.patches]
    assert sum(heights) == 2 * 3 * 2  # two pairs of methods, three clusters, two runs


def test_the_same_seed_gives_the_same_study_and_another_another(result):
    again, other = labels(quick=True), labels(quick=True, rng=1)
    assert again.tables["clusters"].columns == result.tables["clusters"].columns
    assert other.tables["clusters"].columns != result.tables["clusters"].columns


def test_stories_that_cannot_be_fetched_are_an_error(monkeypatch):
    def no_network(_):
        raise InvalidInputError("the stories cannot be fetched")

    monkeypatch.setattr(study, "fetch", no_network)
    with pytest.raises(InvalidInputError, match="cannot be fetched"):
        labels()


@pytest.mark.slow
def test_mutual_information_and_chi_square_choose_nearly_the_same_words_for_the_real_stories():
    try:
        result = labels()
    except InvalidInputError as error:
        pytest.skip(f"needs the collection reuters-r8, which cannot be fetched here: {error}")
    runs = result.to_frame("runs")
    assert (runs.mutual_information_and_chi_square > runs.mutual_information_and_centroid).all()
    assert_as_committed(result)
