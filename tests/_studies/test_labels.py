"""The labels study: planted classes get their own words, and the counts follow from the words shown."""

import numpy as np
import pytest

from dendrometry._studies import labels as study
from dendrometry._studies import reproduce
from dendrometry._studies.labels import labels
from dendrometry.errors import InvalidInputError
from tests._studies.committed import assert_as_committed, reuters_21578


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


def test_terms_of_one_method_only_are_bold_as_in_the_book(result):
    clusters, printed = result.to_frame(), result.to_frame("printed")
    assert printed.cluster.tolist() == [1, 2, 3]
    for row in printed.itertuples():
        whole = clusters.iloc[row.cluster - 1]
        assert row.documents == whole.documents
        assert f": {row.title}" in whole.title
        words = {name: set(whole[name].split()) for name in ("centroid", "mutual_information")}
        for name, other in (("centroid", "mutual_information"), ("mutual_information", "centroid")):
            shown = getattr(row, name).split()
            assert [word.strip("*") for word in shown] == whole[name].split()
            assert {word for word in shown if not word.startswith("**")} == words[name] & words[other]


def test_the_clusters_printed_are_the_purest_of_different_topics():
    def cluster(topic, share):
        words = dict.fromkeys(("centroid", "mutual_information"), ("oil",))
        return study._Cluster(5, topic, share, words, "1: OIL UP", (topic,))

    clusters = [
        cluster("earn", 0.9),
        cluster("acq", 0.5),
        cluster("earn", 0.8),
        cluster("crude", 0.7),
        cluster("grain", 0.6),
    ]
    assert study._as_printed(clusters).columns["cluster"] == (1, 4, 5)
    assert study._as_printed(clusters).columns["title"] == ("OIL UP",) * 3


def test_the_collection_of_the_user_is_read_with_its_titles(tmp_path):
    words = {"crude": "oil barrel opec rig", "grain": "wheat corn crop silo", "interest": "rate bank prime loan"}
    stories = [
        f'<REUTERS NEWID="{3 * i + j}"><TOPICS><D>{name}</D></TOPICS><TEXT><TITLE>{name} STORY {i}</TITLE>'
        f"<BODY>{text} {text.split()[i % 4]}</BODY></TEXT></REUTERS>"
        for i in range(8)
        for j, (name, text) in enumerate(words.items())
    ]
    stories.append('<REUTERS NEWID="99"><TEXT><BODY>without a title</BODY></TEXT></REUTERS>')
    (tmp_path / "reut2-000.sgm").write_text("\n".join(stories))
    result = reproduce("labels", data=tmp_path, quick=True)
    assert result.name == "labels-21578"
    assert result.notes[0].startswith("24 documents, none left out")
    assert sorted(result.to_frame().main_class) == ["crude", "grain", "interest"]
    assert all(" STORY " in title for title in result.to_frame("printed").title)
    assert "of its cluster in 100% of the clusters." in "\n".join(result.notes)


@pytest.mark.slow
def test_the_stories_with_titles_give_the_tables_of_the_docs():
    result = reproduce("labels", data=reuters_21578())
    assert result.notes[0].startswith("10,000 documents, none left out")
    assert_as_committed(result)


@pytest.mark.slow
def test_mutual_information_and_chi_square_choose_nearly_the_same_words_for_the_real_stories():
    try:
        result = labels()
    except InvalidInputError as error:
        pytest.skip(f"needs the collection reuters-r8, which cannot be fetched here: {error}")
    runs = result.to_frame("runs")
    assert (runs.mutual_information_and_chi_square > runs.mutual_information_and_centroid).all()
    assert_as_committed(result)
