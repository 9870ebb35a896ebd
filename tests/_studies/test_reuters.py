"""The Reuters study: planted classes come out, the numbers are those of the public functions, and the real ones."""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dendrometry import adjusted_rand, cut_count, from_labels, rand, split_merge
from dendrometry._studies import reproduce
from dendrometry._studies import reuters as study
from dendrometry._studies.inputs import ways as ways_of
from dendrometry._studies.reuters import reuters
from dendrometry.datasets import Corpus
from dendrometry.errors import InvalidInputError
from dendrometry.resampling import rank_stability
from dendrometry.text import cluster_documents, vectorize_documents
from tests._studies.committed import assert_as_committed, committed, reuters_21578

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
    assert quick.notes[-5].startswith("with one in ten documents left out, 2 times over, best by adjusted_rand: ")


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


def test_the_winners_are_those_of_the_conditions(quick):
    conditions = quick.to_frame("conditions")
    assert len(conditions) == 2 * 3 * 2  # vectorisers, all stories and two samples, runs
    assert set(conditions.columns) == WAYS | {"vectoriser", "sample", "run"}
    found = rank_stability(conditions, factors=["vectoriser", "sample", "run"])
    winners = quick.to_frame("winners").set_index(["measure", "among", "method"])
    for way, wins in zip(found.methods, found.wins.tolist(), strict=True):
        assert winners.loc[("rand", "all ways", way), "wins"] == pytest.approx(wins)
    changes = quick.to_frame("changes").set_index(["measure", "among", "factor"])["change"]
    assert changes[("rand", "all ways", "any")] == pytest.approx(found.change)
    for one in found.factors:
        assert changes[("rand", "all ways", one.factor)] == pytest.approx(one.change)
    assert quick.notes[-2].startswith("all ways, by rand, over vectorisers, samples and runs: ")
    assert quick.notes[-1].startswith("vectoriser words: ")


def test_the_conditions_of_all_stories_and_words_are_the_methods(quick):
    rows = quick.to_frame("conditions").query("vectoriser == 'words' and sample == 'all' and run == 1")
    gist = quick.to_frame().set_index("method")
    for way in WAYS - {"bisecting k-means", "Buckshot"}:
        assert rows[way].tolist() == [pytest.approx(gist.loc[way, "rand"])]


def test_the_second_figure_has_a_side_for_the_exercise_and_one_for_all(quick):
    assert [ax.get_xlabel().partition(":")[0] for ax in quick.figure("winners").axes] == [
        "linkages of the exercise",
        "all ways",
    ]


@pytest.mark.parametrize("linkage", ["single", "ward"])
def test_distances_by_products_give_the_clusters_of_the_vectors(linkage):
    rng = np.random.default_rng(0)
    words = [f"{letter}{letter}" for letter in "abcdefghijkl"]
    texts = [" ".join(rng.choice(words, size=9)) for _ in range(40)]
    for options in ({}, {"n_dimensions": 4}):
        found = vectorize_documents(texts, **options)
        tree = cluster_documents(found, method=linkage).hierarchy
        assert rand(ways_of._by_distances(found, linkage), cut_count(tree, 3).labels) == 1.0


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
    found = ways_of.by_complete_linkage(unrelated, [1, 2])
    assert len(found) == 2 * ways_of.TIE_BREAKS
    for labels in found:
        assert set(labels.tolist()) == {0, 1, 2}
        assert (labels[::2] == labels[1::2]).all()
    assert len({tuple(labels.tolist()) for labels in found}) > 20
    again = ways_of.by_complete_linkage(unrelated, [1, 2])
    assert all((x == y).all() for x, y in zip(found, again, strict=True))


def test_random_merges_give_every_partition_into_so_many_clusters():
    rng = np.random.default_rng(0)
    drawn = Counter(tuple(ways_of.merge_at_random(np.array([0, 1, 2, 3]), 3, rng).tolist()) for _ in range(600))
    groups = {frozenset(frozenset(np.flatnonzero(np.array(x) == g).tolist()) for g in set(x)) for x in drawn}
    assert len(groups) == len(drawn) == 6
    assert min(drawn.values()) > 60


def test_a_number_that_ties_decide_is_given_as_a_range(monkeypatch):
    texts = tuple(
        f"{word} {word}{word} extra{i}" for word in ("oil", "rig", "corn", "silo", "bank", "loan") for i in (1, 2)
    )
    items = tuple(map(str, range(12)))
    labels = ("crude",) * 4 + ("grain",) * 4 + ("interest",) * 4
    corpus = Corpus(items, texts, labels, from_labels(labels, item_names=items))
    monkeypatch.setattr(study, "planted", lambda *_: corpus)
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
def test_the_stories_of_r8_give_the_tables_of_the_docs():
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
def test_the_stories_of_the_exercise_give_the_tables_of_the_docs():
    result = reproduce("reuters", data=reuters_21578())
    assert "1,769 documents, none left out: 631 crude, 626 grain, 512 interest" in result.notes[0]
    assert result.notes[1] == "source: Reuters-21578, without those in more than one of the three classes (3)."
    assert_as_committed(result)


COLLECTIONS = ("reuters", "reuters-21578")
EXERCISE = ["single", "complete", "group average", "centroid (similarity)", "centroid (distance)"]
FACTORS = ["vectoriser", "sample", "run"]


def test_the_best_linkage_of_one_collection_is_not_that_of_the_other():
    """The committed tables: what the page says of both collections, and of the collection as a factor."""
    small, large = (committed(name, "methods").set_index("method").loc[EXERCISE, "rand"] for name in COLLECTIONS)
    assert (small.idxmax(), large.idxmax()) == ("centroid (similarity)", "group average")
    assert large.round(3).tolist() == [0.337, 0.531, 0.74, 0.348, 0.338]
    tables = [committed(name, "conditions").assign(collection=name) for name in COLLECTIONS]
    both = pd.concat(tables)[["collection", *FACTORS, *EXERCISE]]
    found = rank_stability(both, factors=["collection", *FACTORS])
    change = {one.factor: one.change for one in found.factors}
    assert change["collection"] > max(change[name] for name in FACTORS)
    page = (Path(__file__).parents[2] / "docs" / "study.md").read_text(encoding="utf-8")
    assert found.verdict in " ".join(page.replace("\n> ", " ").split())


@pytest.mark.slow
def test_no_other_linkage_depends_on_the_order_of_the_stories():
    try:
        stories = study._stories(None, False, np.random.default_rng(0))
    except InvalidInputError as error:
        pytest.skip(f"needs the collection reuters-r8, which cannot be fetched here: {error}")
    order = np.random.default_rng(1).permutation(stories.truth.size)
    for name in ("single", "group average", "centroid (similarity)", "ward"):
        way = ways_of.ways()[name]
        assert rand(way(stories.found, [0])[0][order], way(ways_of.part(stories.found, order), [0])[0]) == 1.0
