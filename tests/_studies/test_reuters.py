"""The Reuters study: planted classes come out, the numbers are those of the public functions, and the real ones."""

from collections import Counter

import numpy as np
import pytest

from dendrometry import adjusted_rand, from_labels, rand, split_merge
from dendrometry._studies import reproduce
from dendrometry._studies import reuters as study
from dendrometry._studies.reuters import reuters
from dendrometry.datasets import Corpus
from dendrometry.errors import InvalidInputError
from dendrometry.text import vectorize_documents
from tests._studies.committed import assert_as_committed

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
    assert quick.notes[1] == "source: synthetic documents."
    assert quick.notes[2].startswith("best of the four linkages of the exercise: by rand single and complete and")
    alone = quick.to_frame().set_index("method").loc["all in one cluster", "rand"]
    assert f"all in one cluster has rand {alone:.3f}; no better than that: none." in quick.notes


def test_the_figure_has_three_bars_of_three_classes_for_each_way(quick):
    (ax,) = quick.figure().axes
    assert len(ax.patches) == 9 * len(WAYS)
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert names[:2] == ["single", "complete"]
    assert names[-1] == "Buckshot\n(first of 2)"
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


WORDS = {
    "crude": ("oil barrel opec", "barrel opec well", "well rig oil", "rig tanker oil", "tanker opec rig"),
    "grain": ("wheat corn crop", "crop wheat maize", "maize corn silo", "silo crop corn", "wheat silo maize"),
    "interest": ("rate bank prime", "prime bank loan", "loan rate fed", "fed prime rate", "bank loan fed"),
}


@pytest.fixture
def collection(tmp_path):
    """Reuters-21578 in small: 15 stories of the classes, of which some have other topics, too, and 3 others."""
    rows = [((name, "trade") if i % 2 else (name,), text) for name in WORDS for i, text in enumerate(WORDS[name])]
    rows += [(("crude", "grain"), "oil wheat"), ((), "nothing"), (("trade",), "oil trade")]
    stories = [
        f'<REUTERS NEWID="{number}"><TOPICS>{"".join(f"<D>{topic}</D>" for topic in topics)}</TOPICS>'
        f"<TEXT><TITLE>STORY</TITLE><BODY>{text}</BODY></TEXT></REUTERS>"
        for number, (topics, text) in enumerate(rows, start=1)
    ]
    (tmp_path / "reut2-000.sgm").write_text("\n".join(stories))
    return tmp_path


def test_the_collection_of_the_user_keeps_stories_with_other_topics(collection):
    result = reproduce("reuters", data=collection, quick=True)
    assert result.notes[0].startswith("15 documents, none left out: 5 crude, 5 grain, 5 interest")
    assert result.notes[1] == "source: Reuters-21578, without those in more than one of the three classes (1)."
    assert result.to_frame().set_index("method").loc["group average", "rand"] == 1.0


def test_a_collection_without_one_of_the_classes_is_refused(collection):
    path = collection / "reut2-000.sgm"
    path.write_text(path.read_text().replace("<D>grain</D>", "<D>ship</D>"))
    with pytest.raises(InvalidInputError, match="of all the classes crude, grain, interest; got crude, interest"):
        reuters(collection)


@pytest.fixture
def unrelated():
    """Six pairs of stories that share no word with another pair, so that complete linkage ends in ties."""
    texts = {f"{word}{i}": f"{word} {word}{word} extra{i}" for word in "abcdef" for i in range(2)}
    return vectorize_documents(texts)


def test_ties_of_complete_linkage_are_broken_at_random(unrelated):
    found = study._by_complete_linkage(unrelated, [1, 2])
    assert len(found) == 2 * study._TIE_BREAKS
    for labels in found:
        assert set(labels.tolist()) == {0, 1, 2}
        assert (labels[::2] == labels[1::2]).all()
    assert len({tuple(labels.tolist()) for labels in found}) > 20
    again = study._by_complete_linkage(unrelated, [1, 2])
    assert all((x == y).all() for x, y in zip(found, again, strict=True))


def test_random_merges_give_every_partition_into_so_many_clusters():
    rng = np.random.default_rng(0)
    drawn = Counter(tuple(study._merge_at_random(np.array([0, 1, 2, 3]), 3, rng).tolist()) for _ in range(600))
    groups = {frozenset(frozenset(np.flatnonzero(np.array(x) == g).tolist()) for g in set(x)) for x in drawn}
    assert len(groups) == len(drawn) == 6
    assert min(drawn.values()) > 60


def test_a_number_that_ties_decide_is_given_as_a_range(unrelated, monkeypatch):
    corpus = Corpus(unrelated.items, (), ("crude",) * 4 + ("grain",) * 4 + ("interest",) * 4, from_labels([0]))
    truth = np.repeat([0, 1, 2], 4)
    monkeypatch.setattr(study, "_stories", lambda *_: study._Stories(corpus, "here", unrelated, truth))
    result = reuters(quick=True)
    row = result.to_frame().set_index("method").loc["complete"]
    ranges = result.to_frame("ranges").set_index(["method", "measure"])
    low, high = ranges.loc[("complete", "rand"), ["lowest", "highest"]]
    assert row.runs == 50
    assert low < row["rand"] < high
    assert result.notes[2].startswith(
        "complete: the last 5 merges are all at similarity 0, so that ties decide its three clusters; over 50 ways to"
        f" break them rand is {low:.3f} to {high:.3f}, adjusted_rand is "
    )


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
    assert "source: R8" in result.notes[1]
    assert "complete: the last 25 merges are all at similarity 0" in result.notes[2]
    ranges = result.to_frame("ranges").set_index(["method", "measure"]).loc[("complete", "rand")]
    assert ranges.runs == 500
    assert ranges.lowest < 0.46
    assert 0.65 < ranges.highest < table.loc["centroid (similarity)", "rand"]
    assert_as_committed(result)


@pytest.mark.slow
def test_no_other_linkage_depends_on_the_order_of_the_stories():
    try:
        stories = study._stories(None, False, np.random.default_rng(0))
    except InvalidInputError as error:
        pytest.skip(f"needs the collection reuters-r8, which cannot be fetched here: {error}")
    order = np.random.default_rng(1).permutation(stories.truth.size)
    for name in ("single", "group average", "centroid (similarity)", "ward"):
        way = study._ways()[name]
        assert rand(way(stories.found, [0])[0][order], way(study._part(stories.found, order), [0])[0]) == 1.0
