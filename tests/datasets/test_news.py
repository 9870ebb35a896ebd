import pytest

from dendrometry import agglomerate, cut_count, datasets
from dendrometry.text import vectorize_documents

BUSINESS = {"markets", "grain", "oil", "interest"}


@pytest.fixture(scope="module")
def wire():
    return datasets.news()


def test_holds_thirty_stories_in_the_order_of_time(wire):
    assert len(set(wire.titles)) == len(wire.texts) == len(wire.topics) == 30
    assert list(wire.minutes) == sorted(wire.minutes)
    assert wire.minutes[0] == 0
    assert wire.stories[0] == (wire.titles[0], wire.texts[0])
    assert repr(wire) == "News(30 stories, 8 topics, 240 minutes)"


def clusters(wire, linkage, n_clusters):
    """Return the clusters of titles by a linkage on cosines, as sets, the smallest first."""
    found = vectorize_documents(wire.stories)
    tree = agglomerate(found.vectors, linkage=linkage, metric="cosine", item_names=found.items).hierarchy
    return sorted((set(cluster) for cluster in cut_count(tree, n_clusters).clusters), key=len)


def test_complete_link_splits_the_stories_evenly_as_in_figure_17_5(wire):
    business = {title for title, topic in zip(wire.titles, wire.topics, strict=True) if topic in BUSINESS}
    assert clusters(wire, "complete", 2) == [set(wire.titles) - business, business]


def test_single_link_has_no_balanced_cut_as_in_figure_17_1(wire):
    for n_clusters in range(2, 6):
        assert len(clusters(wire, "single", n_clusters)[-1]) > 15
    assert len(clusters(wire, "single", 2)[0]) == 2
