"""First stories as clusters: equal to the definition, and the event in the news found."""

import numpy as np
import pytest
from tests.oracles.text import story_clusters as oracle

from dendrometry import datasets
from dendrometry.errors import InvalidInputError
from dendrometry.text import documents_from_embeddings, story_clusters, vectorize_documents

WORDS = [f"word{i}" for i in range(12)]


def random_stream(seed, n=24):
    """Return documents of few words, and times with ties."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, size=rng.integers(1, 5))) for _ in range(n)]
    return vectorize_documents(texts), np.sort(rng.integers(0, 12, n))


@pytest.mark.parametrize("seed", range(12))
def test_clusters_are_those_of_the_definition(seed):
    documents, times = random_stream(seed)
    cosine = np.minimum((documents.vectors @ documents.vectors.T).toarray(), 1.0)
    options = {"novelty": (0.5, 0.9, 0.2)[seed % 3], "window": (2, 4, 0)[seed % 3], "min_size": 1 + seed % 3}
    least = (0.3, 0.6)[seed % 2]
    found = story_clusters(documents, times, cosine=least, **options)
    expected = oracle.story_clusters(cosine, times, options["window"], options["novelty"], least, options["min_size"])
    assert [list(one.items) for one in found] == [[str(i) for i in members] for members, _, _ in expected]
    assert [one.novelty for one in found] == pytest.approx([new for _, new, _ in expected])
    assert [one.similarity for one in found] == pytest.approx([link for *_, link in expected])


def test_some_of_these_streams_hold_clusters():
    assert any(story_clusters(*random_stream(seed), window=4, novelty=0.2, cosine=0.3) for seed in range(12))


def test_blocks_do_not_change_the_clusters(monkeypatch):
    documents, times = random_stream(3, n=40)
    options = {"window": 5, "novelty": 0.3, "cosine": 0.3, "min_size": 2}
    whole = story_clusters(documents, times, **options)
    monkeypatch.setattr("dendrometry.text.events._BLOCK", 7)
    assert len(whole) > 1
    assert story_clusters(documents, times, **options) == whole


def test_the_explosion_is_the_one_event_of_the_news():
    wire = datasets.news()
    (event,) = story_clusters(vectorize_documents(wire.stories), wire.minutes, window=15)
    assert event.items == wire.titles[11:15]
    assert (event.start, event.end) == (80.0, 91.0)
    assert set(wire.topics[11:15]) == {"blast"}
    assert 0.8 < event.novelty < 1.0


def test_later_reports_of_an_event_are_not_new():
    times = [0, 1, 2, 50, 51, 52]
    copies = vectorize_documents(["storm hits coast"] * 6)
    (event,) = story_clusters(copies, times, window=5)
    assert (event.items, event.novelty, event.similarity) == (("0", "1", "2"), 1.0, pytest.approx(1.0))


def test_embeddings_may_point_away_from_each_other():
    documents = documents_from_embeddings([[1.0, 0.0], [-1.0, 0.0], [-1.0, 0.1], [-1.0, -0.1]])
    (event,) = story_clusters(documents, [0, 5, 6, 7], window=5)
    assert event.items == ("1", "2", "3")
    assert event.novelty == 1.0


@pytest.mark.parametrize(
    ("times", "options", "message"),
    [
        ([0, 1], {}, "one time for each of 3 documents; got 2"),
        ([0, 2, 1], {}, "times must be in ascending order; got 1 after 2, at 2"),
        ([0, 1, float("nan")], {}, "times must be finite"),
        ([0, 1, 2], {"window": -1.0}, "window must be"),
        ([0, 1, 2], {"novelty": 1.5}, "novelty must be"),
        ([0, 1, 2], {"cosine": 0.0}, "cosine must be"),
        ([0, 1, 2], {"min_size": 0}, "min_size must be"),
    ],
)
def test_refuses_times_and_options_out_of_range(times, options, message):
    documents = vectorize_documents(["a storm", "a ship", "a port"])
    with pytest.raises(InvalidInputError, match=message):
        story_clusters(documents, times, **{"window": 1.0, **options})


def test_refuses_what_are_no_documents():
    with pytest.raises(InvalidInputError, match="the documents must be of type Documents; got list"):
        story_clusters(["a storm"], [0], window=1.0)
