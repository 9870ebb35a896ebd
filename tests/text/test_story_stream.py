"""First stories on a wire: equal to the definition, blind to the future, and no dearer than what is remembered."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.text import story_clusters as clusters_oracle
from tests.oracles.text.story_stream import similarities
from tests.work import n_lines

from dendrometry import datasets
from dendrometry._kernels._jit import _PLAIN
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.text import (
    StoryStream,
    documents_from_embeddings,
    first_stories,
    recent_stories,
    story_clusters,
    vectorize_documents,
)

INF = float("inf")
WORDS = [f"word{i}" for i in range(12)]
# No similarity of small counts is exactly one of these, so that no rounding decides.
OPTIONS = (
    {"window": 2.0, "novelty": 0.5123, "cosine": 0.3217, "min_size": 1},
    {"window": 4.0, "novelty": 0.1789, "cosine": 0.6123, "min_size": 2},
    {"window": 0.0, "novelty": 0.3141, "cosine": 0.2718, "min_size": 3},
)
AGES = ((INF, INF), (4.0, INF), (INF, 3.0), (6.0, 2.0))


def random_wire(seed, n=24):
    """Return texts of few words, and times with ties."""
    rng = np.random.default_rng(seed)
    terms = [list(rng.choice(WORDS, size=rng.integers(1, 5))) for _ in range(n)]
    return [[str(term) for term in some] for some in terms], np.sort(rng.integers(0, 12, n)).tolist()


def texts_of(terms):
    return [" ".join(some) for some in terms]


def all_clusters(wire, stories):
    return [cluster for story in stories for cluster in story.closed] + list(wire.clusters_so_far())


def assert_clusters(found, expected):
    assert [list(one.items) for one in found] == [[str(i) for i in members] for members, _, _ in expected]
    assert [one.novelty for one in found] == pytest.approx([new for _, new, _ in expected])
    assert [one.similarity for one in found] == pytest.approx([link for *_, link in expected])


@pytest.mark.parametrize(("memory", "half_life"), AGES)
@pytest.mark.parametrize("seed", range(6))
def test_novelty_and_clusters_are_those_of_the_definition(seed, memory, half_life):
    terms, times = random_wire(seed)
    options = OPTIONS[seed % 3]
    wire = StoryStream(**options, memory=memory, half_life=half_life)
    stories = wire.extend(texts_of(terms), times)
    similarity = similarities(terms, times, memory, half_life)
    greatest = [max(similarity[i][:i], default=0.0) for i in range(len(terms))]
    assert [story.novelty for story in stories] == pytest.approx([1 - value for value in greatest], abs=1e-9)
    assert [story.is_first for story in stories] == [value <= 1 - options["novelty"] for value in greatest]
    for i, story in enumerate(stories):
        near = [j for j in range(i) if similarity[i][j] > max(greatest[i] - 1e-9, 0.0)]
        assert story.nearest == (str(near[0]) if near else None)
    expected = clusters_oracle.story_clusters(
        similarity, times, options["window"], options["novelty"], options["cosine"], options["min_size"]
    )
    assert_clusters(all_clusters(wire, stories), expected)


@pytest.mark.parametrize("seed", range(6))
def test_with_the_frequencies_of_all_documents_the_clusters_are_those_of_story_clusters(seed):
    terms, times = random_wire(seed, n=60)
    documents = vectorize_documents(texts_of(terms))
    wire = StoryStream(**OPTIONS[seed % 3], background=documents)
    found = all_clusters(wire, wire.extend(texts_of(terms), times))
    offline = story_clusters(documents, times, **OPTIONS[seed % 3])
    assert [one.items for one in found] == [one.items for one in offline]
    for name in ("start", "end", "novelty", "similarity"):
        assert [getattr(one, name) for one in found] == pytest.approx([getattr(one, name) for one in offline])


def test_a_background_that_is_another_weights_by_its_frequencies():
    terms, times = random_wire(1)
    known = [["word1", "word2"], ["word1"], ["word1", "other"]]
    wire = StoryStream(**OPTIONS[1], background=vectorize_documents(texts_of(known)))
    stories = wire.extend(texts_of(terms), times)
    similarity = similarities(terms, times, background=known)
    expected = [1 - max(similarity[i][:i], default=0.0) for i in range(len(terms))]
    assert [story.novelty for story in stories] == pytest.approx(expected, abs=1e-9)
    changing = StoryStream(**OPTIONS[1]).extend(texts_of(terms), times)
    assert [story.novelty for story in stories] != pytest.approx([story.novelty for story in changing], abs=1e-3)


def test_without_times_the_novelty_is_that_of_first_stories():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.4, size=20) % 300) for _ in range(150)]
    found = StoryStream(window=0.0).extend(texts, range(150))
    expected = list(first_stories(texts))
    assert [story.novelty for story in found] == pytest.approx([story.novelty for story in expected], abs=1e-9)
    assert [story.nearest for story in found] == [story.nearest for story in expected]
    assert [story.is_first for story in found] == [story.is_first for story in expected]


@given(st.integers(0, 10_000), st.lists(st.integers(1, 9), min_size=1, max_size=30), st.sampled_from(AGES))
def test_neither_batches_nor_what_follows_change_a_story(seed, sizes, ages):
    terms, times = random_wire(seed, n=30)
    texts = texts_of(terms)
    options = {**OPTIONS[1], "memory": ages[0], "half_life": ages[1]}
    one_by_one = StoryStream(**options)
    stories = tuple(one_by_one.add(text, time) for text, time in zip(texts, times, strict=True))
    wire, at, found = StoryStream(**options), 0, ()
    for size in sizes:
        found += wire.extend(texts[at : at + size], times[at : at + size])
        at += size
    assert found == stories[: len(found)]
    if len(found) == len(stories):
        assert wire.clusters_so_far() == one_by_one.clusters_so_far()


def test_a_look_at_open_windows_closes_none():
    terms, times = random_wire(4, n=40)
    looked_at, left = StoryStream(**OPTIONS[1]), StoryStream(**OPTIONS[1])
    some = []
    for text, time in zip(texts_of(terms), times, strict=True):
        assert looked_at.add(text, time) == left.add(text, time)
        some += looked_at.clusters_so_far()
    assert some


@pytest.mark.parametrize("again", [copy.deepcopy, lambda wire: pickle.loads(pickle.dumps(wire))])
def test_a_stream_that_was_stored_goes_on(again):
    terms, times = random_wire(2, n=40)
    texts = [*texts_of(terms[:39]), "unknown yet"]
    options = {**OPTIONS[1], "memory": 5.0, "half_life": 4.0, "stop_words": (word for word in ["word3"])}
    wire = StoryStream(**options)
    wire.extend(texts[:20], times[:20])
    stored = again(wire)
    assert repr(stored) == repr(wire)
    expected = wire.extend(texts[20:], times[20:])
    assert stored.extend(texts[20:], times[20:]) == expected
    assert stored.clusters_so_far() == wire.clusters_so_far()


def test_what_is_forgotten_is_removed_and_changes_nothing(monkeypatch):
    terms, times = random_wire(0, n=400)
    options = {**OPTIONS[0], "memory": 7.0}
    times = list(range(400))
    wire = StoryStream(**options)
    stories = wire.extend(texts_of(terms), times)
    assert repr(wire) == "StoryStream(400 documents, 8 remembered)"
    assert len(wire._recent._items) < 60
    monkeypatch.setattr(recent_stories.RecentStories, "_drop", lambda _: None)
    kept = StoryStream(**options)
    assert kept.extend(texts_of(terms), times) == stories
    assert len(kept._recent._items) == 400


def work_of(n, memory, monkeypatch):
    """Return the lines that are run for one more document of a few words, after n of these."""
    kernel = recent_stories.compare_recent
    monkeypatch.setattr(recent_stories, "compare_recent", getattr(kernel, "plain", kernel))
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, size=4)) for _ in range(n)]
    wire = StoryStream(window=5.0, memory=memory, background=vectorize_documents(texts))
    wire.extend(texts, range(n))
    return n_lines(lambda: wire.add("word1 word2 word3", n), "dendrometry")


def test_a_document_costs_what_is_remembered_and_not_the_length_of_the_stream(monkeypatch):
    short, long = (work_of(n, 50.0, monkeypatch) for n in (200, 2_000))
    assert long < 1.2 * short
    assert work_of(2_000, 500.0, monkeypatch) < 12 * long  # ten times as much is remembered
    assert work_of(400, INF, monkeypatch) > 2 * work_of(100, INF, monkeypatch)


def test_offline_clusters_of_twice_as_many_new_texts_take_no_more_than_twice_the_blocks(monkeypatch):
    monkeypatch.setattr("dendrometry.text.events._BLOCK", 4)
    few, many = (vectorize_documents([f"text{i} word{i}" for i in range(n)]) for n in (40, 80))
    work = [n_lines(lambda: story_clusters(some, range(some.n_items), window=3), "text") for some in (few, many)]  # noqa: B023
    assert work[1] < 2.1 * work[0]


def test_the_explosion_is_found_when_its_window_has_closed():
    news = datasets.news()
    wire = StoryStream(window=15)
    stories = wire.extend(news.stories, news.minutes)
    ((told, event),) = [(story, cluster) for story in stories for cluster in story.closed]
    assert event.items == news.titles[11:15]
    assert (event.start, event.end, told.time) == (80.0, 91.0, 100.0)
    assert wire.clusters_so_far() == ()


def test_decay_makes_an_old_story_new_again():
    wire = StoryStream(window=1.0, half_life=2.0)
    novelty = [wire.add("storm hits coast", time).novelty for time in (0, 2, 8)]
    assert novelty == pytest.approx([1.0, 0.5, 1 - 2**-3])
    assert [StoryStream(window=1.0, memory=m).extend(["storm"] * 2, [0, 5])[1].is_first for m in (5, 4)] == [
        False,
        True,
    ]


def test_an_empty_text_is_not_new_but_its_time_closes_windows():
    wire = StoryStream(window=1.0, min_size=1)
    wire.add("storm hits coast", 0)
    last = wire.add(("Blank", "  "), 5)
    assert (last.novelty, last.nearest, last.is_first, last.skipped) == (None, None, False, "empty")
    assert [cluster.items for cluster in last.closed] == [("0",)]
    assert wire.add("the", 5).skipped == "only stop words"
    assert wire.add("storm hits coast", 6).nearest == "0"


def test_one_text_or_none_is_a_stream():
    wire = StoryStream(window=1.0)
    assert wire.extend([], []) == ()
    assert wire.clusters_so_far() == ()
    one = wire.add("storm", 3.0)
    assert (one.item, one.time, one.novelty, one.nearest, one.is_first, one.closed) == ("0", 3.0, 1.0, None, True, ())


def test_texts_of_the_same_time_are_compared_in_their_order():
    stories = StoryStream(window=0.0, half_life=1.0).extend({"a": "oil gas", "b": "gas oil"}, [2, 2])
    assert [(story.novelty, story.nearest) for story in stories] == [(1.0, None), (0.0, "a")]


def test_times_far_apart_and_large_do_not_break_anything():
    wire = StoryStream(window=1e308, memory=1.7e308, half_life=1e-320)
    stories = wire.extend(["oil"] * 3, [-1.7e308, 1.7e308, 1.7e308])
    assert [story.novelty for story in stories] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("texts", "times", "message"),
    [
        (["oil", "gas"], [6, 5], "times must be in ascending order; got 5 after 6, at 1"),
        (["oil"], [4], "times must be in ascending order; got 4 after 5, at 0"),
        (["oil"], [float("nan")], "times must be finite"),
        (["oil"], [5, 6], "one time for each of 1 document; got 2"),
        (["oil", 3], [5, 6], "got 3 of type int at position 1"),
        ("oil", [5], "must be an iterable of texts"),
    ],
)
def test_a_batch_that_is_refused_changes_nothing(texts, times, message):
    wire = StoryStream(window=1.0)
    wire.add("storm", 5)
    with pytest.raises(InvalidInputError, match=message):
        wire.extend(texts, times)
    assert repr(wire) == "StoryStream(1 document, 1 remembered)"
    assert wire.add("oil", 5).item == "1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": -1.0}, "window must be"),
        ({"novelty": 1.5}, "novelty must be"),
        ({"cosine": 0.0}, "cosine must be"),
        ({"min_size": 0}, "min_size must be"),
        ({"memory": 0.5}, "memory must be a number, at least 1; got 0.5"),
        ({"half_life": 0.0}, "half_life must be"),
        ({"background": ["oil"]}, "background must be of type Documents, or None; got list"),
        ({"background": documents_from_embeddings([[1.0]])}, "background must have counts of terms"),
        ({"stop_words": "french"}, "stop_words must be"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        StoryStream(**{"window": 1.0, **options})


@pytest.fixture
def table(tmp_path):
    def make(*rows, name="wire.csv"):
        path = tmp_path / name
        path.write_text("\n".join(["sent,headline,body", *rows]), encoding="utf-8")
        return path

    return make


def test_a_table_is_read_in_its_order_with_dates_as_days(table):
    path = table("1987-02-26 15:00,A,storm hits coast", "1987-02-26 21:00,B,coast hit by storm", "1987-03-01,C,")
    wire = StoryStream(window=1.0, min_size=2)
    first, second, third = wire.read(path, time="sent", text="body", title="headline")
    assert second.time - first.time == 0.25
    assert (second.nearest, third.skipped) == ("A", "empty")
    assert third.closed[0].items == ("A", "B")


def test_a_second_table_goes_on_with_the_first(table):
    wire = StoryStream(window=1.0)
    list(wire.read(table("1,A,storm hits coast", "2,B,grain prices rise"), time="sent", text="body"))
    (again,) = wire.read(table("3.5,A,storm hits coast", name="next.csv"), time="sent", text="body", title="headline")
    assert (again.item, again.novelty, again.time) == ("A", 0.0, 3.5)
    with pytest.raises(InvalidInputError, match=r"ascending order; got 1 after 3\.5"):
        list(wire.read(table("1,A,storm"), time="sent", text="body"))


def test_parquet_tables_have_times_too(tmp_path):
    pd = pytest.importorskip("pandas")
    path = tmp_path / "wire.parquet"
    sent = pd.to_datetime(["1987-02-26 15:01:01.79", "1987-02-27 03:01:01.79"])
    pd.DataFrame({"sent": sent, "text": ["storm", "storm"]}).to_parquet(path)
    first, second = StoryStream(window=1.0).read(path, time="sent")
    assert second.time - first.time == pytest.approx(0.5)


def test_times_that_are_none_are_refused_with_their_line(table, tmp_path):
    wire = StoryStream(window=1.0)
    for value in ("yesterday", "", "nan", "1987-02-30"):
        with pytest.raises(FormatError, match=r"wire\.csv, line 2: a time must be"):
            list(wire.read(table(f"{value},A,storm"), time="sent", text="body"))
    with pytest.raises(InvalidInputError, match="must have one column 'date'"):
        list(wire.read(table("1,A,storm"), time="date", text="body"))
    with pytest.raises(InvalidInputError, match="documents with times must be in a table; got the folder"):
        wire.read(tmp_path, time="sent")


@pytest.mark.skipif(_PLAIN, reason="nothing is compiled")
def test_the_search_is_compiled_once():
    from dendrometry._kernels._jit import always_compiling

    with always_compiling():
        StoryStream(window=1.0, memory=3.0).extend([f"a{i} b{i % 3}" for i in range(60)], range(60))
    assert len(recent_stories.compare_recent.compiled.call.signatures) == 1


def test_the_index_of_a_series_names_the_documents():
    pd = pytest.importorskip("pandas")
    texts = pd.Series(["storm hits coast", "coast hit by storm"], index=["first", "second"])
    stream = StoryStream(window=2.0, min_size=2)
    assert [story.item for story in stream.extend(texts, [0, 1])] == ["first", "second"]
