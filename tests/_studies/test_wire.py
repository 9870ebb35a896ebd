"""The study of a wire: planted events come out, topics and takeovers are those of the files, and the real numbers."""

import numpy as np
import pytest

from dendrometry._studies import reproduce
from dendrometry._studies import wire as study
from dendrometry._studies.wire import wire
from dendrometry.errors import InvalidInputError
from dendrometry.text import StoryStream, vectorize_documents
from tests._studies.committed import assert_as_committed, reuters_21578

pytestmark = pytest.mark.compiled  # the examples run the quick study without compilation, too
DETECTORS = {"offline", "streaming"} | {
    f"{what} {days}" for what in ("memory", "half-life") for days in ("1 day", "3 days", "7 days", "30 days")
}


@pytest.fixture(scope="module")
def quick():
    return wire(quick=True)


def test_planted_events_are_found_and_a_short_memory_takes_them_for_new(quick):
    table = quick.to_frame()
    assert set(table["detector"]) == DETECTORS
    assert set(table["truth"]) == {"topics", "takeovers without end", *(f"takeovers, gap {n} days" for n in (3, 7, 14))}
    cost = table[table["truth"] == "topics"].set_index("detector")["least_cost"]
    assert cost["offline"] == cost["streaming"] == 0.0
    assert cost["memory 1 day"] > 0.2
    assert (table["low"] <= table["high"]).all()
    assert (table["least_cost"] <= table["cost_at_default"]).all()


def test_the_numbers_are_those_of_a_stream():
    found = study._planted(np.random.default_rng(1))
    runs = study._runs(found, progress=False)
    documents = vectorize_documents(found.texts)
    options = {
        "offline": {"background": documents},
        "memory 3 days": {"memory": 3.0},
        "half-life 7 days": {"half_life": 7.0},
    }
    for (name, window), run in runs.items():
        if name in ("streaming", *options):
            stream = StoryStream(window=window, min_size=2, **options.get(name, {}))
            stories = stream.extend(found.texts, found.times)
            np.testing.assert_allclose(run.novelty, [story.novelty for story in stories], atol=1e-9)
            clusters = [cluster for story in stories for cluster in story.closed] + list(stream.clusters_so_far())
            assert run.clusters == [set(map(int, cluster.items)) for cluster in clusters]
    assert {window for name, window in runs if name == "streaming"} == {1.0, 3.0, 7.0}


def test_a_story_that_is_the_first_of_another_topic_is_no_false_alarm():
    judged = study._judged([[0, 1, 2, 5], [2, 3]])
    rows = list(zip(*(column.tolist() for column in judged), strict=True))
    assert rows == [(0, 0, True, 1.0), (0, 1, False, 0.5), (0, 5, False, 0.5), (1, 2, True, 1.0), (1, 3, False, 1.0)]


def test_topics_count_as_often_as_they_are_drawn():
    judged = study._judged([[0, 1], [2, 3, 4]])
    novelty = np.array([0.9, 0.8, 0.7, 0.1, 0.1])
    once, twice = (study._curve(judged, novelty, np.array(times)) for times in ([1, 1], [2, 0]))
    assert (once.at(0.8).miss, once.at(0.8).false_alarm) == (0.5, 0.5)
    assert (twice.at(0.8).miss, twice.at(0.8).false_alarm) == (0.0, 1.0)


def test_the_cluster_that_matches_a_topic_best_has_the_least_cost():
    clusters = [{0, 7}, {0, 1, 8, 9}, {5}]
    assert study._best({0, 1}, clusters, 102) == pytest.approx((4.9 * 0.02, 0.0, 0.02))
    assert study._best({0, 1, 2, 3}, [{0}], 102) == (0.75, 0.75, 0.0)
    assert study._best({3, 4}, clusters, 102) == (1.0, 1.0, 0.0)


def story(number, day, title, topics, date=None):
    topics = "".join(f"<D>{topic}</D>" for topic in topics)
    date = f"{day}-MAR-1987 10:00:00.00" if date is None else date
    return (
        f'<REUTERS NEWID="{number}"><DATE>{date}</DATE><TOPICS>{topics}</TOPICS>'
        f"<TEXT><TITLE>{title}</TITLE><BODY>{title.lower()} said</BODY></TEXT></REUTERS>"
    )


@pytest.fixture
def collection(tmp_path):
    """Reuters-21578 in small, not in the order of dates: a takeover with a gap of ten days, and another one."""
    stories = [
        story(5, 14, "CYCLOPS &lt;CYL> AGREES", ["acq"]),
        story(1, 1, "BID FOR CYCLOPS &lt;CYL> BY DIXONS &lt;DXN>", ["acq"]),
        story(2, 2, "CYCLOPS &lt;CYL> REFUSES", ["acq", "trade"]),
        story(3, 3, "WHEAT RISES", ["grain", "wheat"]),
        story(4, 4, "CYCLOPS &lt;CYL> TALKS", ["acq"]),
        story(6, 15, "CYCLOPS &lt;CYL> SOLD", ["acq", "trade"]),
        story(7, 5, "DIXONS &lt;DXN> NET", ["earn"]),
        story(8, 5, "NO DATE", ["acq"], date="yesterday"),
    ]
    (tmp_path / "reut2-000.sgm").write_text("\n".join(stories))
    return tmp_path


def test_stories_are_in_the_order_of_their_dates_without_codes(collection):
    found = study._of_reuters(collection)
    assert found.times == [0.0, 1.0, 2.0, 3.0, 4.0, 13.0, 14.0]
    assert found.texts[0] == "BID FOR CYCLOPS   BY DIXONS  \nbid for cyclops   by dixons   said"
    assert "7 stories from 1987-03-01 to 1987-03-15, on 7 days; without a date and left out: 1." in found.source


def test_takeovers_end_where_there_are_no_stories_for_some_days(collection):
    truths = study._of_reuters(collection).truths
    assert truths["topics"] == [[0, 1, 3, 5, 6], [1, 6]]
    assert truths["takeovers, gap 3 days"] == truths["takeovers, gap 7 days"] == [[0, 1, 3], [5, 6]]
    assert truths["takeovers, gap 14 days"] == truths["takeovers without end"] == [[0, 1, 3, 5, 6]]


def test_the_collection_of_the_user_is_studied(collection):
    result = reproduce("wire", data=collection, quick=True)
    assert result.notes[0].startswith("Reuters-21578: 7 stories")
    assert "takeovers, gap 7 days: 2 topics in 5 stories." in result.notes
    assert len(result.tables["detection"]) == 5 * len(DETECTORS)
    assert list(result.figures) == ["topics", "takeovers"]
    assert "least cost" in result.figure("takeovers").axes[0].get_legend().get_title().get_text()


def test_without_stories_there_is_nothing_to_study(collection):
    with pytest.raises(InvalidInputError, match="the study wire needs data: a folder or archive of Reuters-21578"):
        wire()
    path = collection / "reut2-000.sgm"
    path.write_text(path.read_text().replace("CYL", "C Y L").replace("&lt;", ""))
    with pytest.raises(InvalidInputError, match="got none for takeovers, gap 3 days"):
        wire(collection)
    path.write_text(story(1, 1, "ALONE", ["acq"], date="yesterday"))
    with pytest.raises(InvalidInputError, match="got none for topics"):
        wire(collection)


def test_the_same_seed_gives_the_same_study_and_another_another():
    first, again, other = (wire(quick=True, rng=seed).tables["detection"].to_csv() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.slow
def test_the_tables_of_the_docs_are_those_of_the_real_stories():
    assert_as_committed(wire(reuters_21578()))
