"""First stories: the novelty of each document beside all before it."""

from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.text.first_stories import earlier_cosines, novelties

from dendrometry._kernels._jit import _PLAIN
from dendrometry._kernels.text.first_stories import PASS
from dendrometry.errors import InvalidInputError
from dendrometry.text import first_stories

TERMS = st.lists(st.sampled_from(["ape", "bat", "cat", "dog", "eel", "fox", "gnu"]), min_size=1, max_size=6)


@settings(max_examples=60)
@given(st.lists(TERMS, min_size=1, max_size=25), st.sampled_from([0, 3, 256]))
def test_novelty_is_that_of_all_pairs(stream, unlisted):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dendrometry.text.stories._UNLISTED", unlisted)
        found = list(first_stories((" ".join(terms) for terms in stream), threshold=0.5))
    expected = novelties(stream)
    np.testing.assert_allclose([story.novelty for story in found], expected, atol=1e-9)
    for story, novelty in zip(found, expected, strict=True):
        assert 0.0 <= story.novelty <= 1.0
        assert story.is_first == (story.novelty >= 0.5)
        assert (story.nearest is None) == (novelty == 1.0)


def test_the_index_finds_what_a_plain_search_finds():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.4, size=20) % 300) for _ in range(200)]
    plain = list(first_stories(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dendrometry.text.stories._UNLISTED", 5)
        assert list(first_stories(texts)) == plain
    terms = [text.split() for text in texts[:60]]
    np.testing.assert_allclose([story.novelty for story in plain[:60]], novelties(terms), atol=1e-9)


@pytest.mark.parametrize("n_common", [0, 4, 12, 40])
@pytest.mark.further
def test_terms_of_many_documents_are_compared_as_those_of_few(n_common):
    rng = np.random.default_rng(n_common)
    rare = [" ".join(f"r{i}" for i in rng.integers(400, size=6)) for _ in range(150)]
    texts = [f"{words} {' '.join(f'c{i}' for i in rng.zipf(1.3, size=25) % max(n_common, 1))}" for words in rare]
    texts = rare if n_common == 0 else texts
    texts[90] = texts[17] + " extra"
    plain = list(first_stories(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dendrometry.text.stories._UNLISTED", 5)
        assert list(first_stories(texts)) == plain
    assert plain[90].nearest == "17"
    terms = [text.split() for text in texts[:95]]
    np.testing.assert_allclose([story.novelty for story in plain[:95]], novelties(terms), atol=1e-9)


def stories_of(texts, unlisted, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dendrometry.text.stories._UNLISTED", unlisted)
        return list(first_stories(texts, **options))


def check_bounds(found, exact, least):
    """Check that novelties of at least ``least`` are exact to the last bit, and others bounds of what is exact."""
    for story, true in zip(found, exact, strict=True):
        assert story.is_exact == (true.novelty >= least)
        if story.is_exact:
            assert story == true
        else:
            assert true.novelty <= story.novelty < least
            assert (story.item, story.is_first) == (true.item, False)


@settings(max_examples=40)
@given(
    st.lists(TERMS, min_size=1, max_size=25), st.sampled_from([0, 3, 256]), st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0])
)
def test_below_exact_above_the_novelty_is_a_bound_that_a_document_shows(stream, unlisted, least):
    texts = [" ".join(terms) for terms in stream]
    found = stories_of(texts, unlisted, threshold=least, exact_above=least)
    check_bounds(found, stories_of(texts, 256, threshold=least), least)
    for story, cosines in zip(found, earlier_cosines(stream), strict=True):
        shown = 0.0 if story.nearest is None else cosines[int(story.nearest)]
        assert abs(story.novelty - (1.0 - shown)) < 1e-9


@pytest.mark.skipif(_PLAIN, reason="takes minutes uncompiled")
@pytest.mark.parametrize("least", [0.3, 0.4])
def test_first_stories_of_many_blocks_are_exact(least):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.2, size=9) % 900) for _ in range(9_000)]
    found, exact = (list(first_stories(texts, threshold=least, exact_above=bound)) for bound in (least, None))
    check_bounds(found, exact, least)
    assert any(not story.is_exact for story in found[5_000:])
    assert any(story.is_exact and int(story.nearest) < 2_000 for story in found[8_000:])


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        (0.9, "exact_above must be at most threshold, 0.8; got 0.9"),
        (-0.1, "exact_above must be a number"),
        ("all", "exact_above must be a number"),
    ],
)
def test_bounds_above_the_threshold_are_refused(bound, message):
    with pytest.raises(InvalidInputError, match=message):
        first_stories([], exact_above=bound)


def test_terms_that_come_all_at_once_are_found():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.4, size=15) % 200) for _ in range(160)]
    for i in range(102, 118):  # no weights are updated meanwhile
        texts[i] += f" w{i} breaking w150 w151 news{i // 2}"
    plain = stories_of(texts, 1000)
    assert stories_of(texts, 5) == plain
    assert plain[103].nearest == "102"
    np.testing.assert_allclose([story.novelty for story in plain], novelties([t.split() for t in texts]), atol=1e-9)


def test_the_nearest_of_documents_with_next_to_nothing_in_common_is_found():
    rng = np.random.default_rng(0)
    shared = [[] for _ in range(320)]
    for j in range(24):
        for i in rng.choice(320, size=18, replace=False):
            shared[i].append(f"t{j}")
    texts = [" ".join([f"own{i}"] * 300 + shared[i]) for i in range(320)]
    texts.append(" ".join(["new"] * 300 + [f"t{j}" for j in range(24)]))
    found = stories_of(texts, 5)[-1]
    assert found == stories_of(texts, 1000)[-1]
    assert 0.99 < found.novelty < 1.0
    assert len(shared[int(found.nearest)]) == max(map(len, shared))


def test_a_document_of_many_terms_is_compared_with_short_ones():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.3, size=size) % 20_000) for size in [30] * 90 + [9_000, 30, 9_000]]
    assert stories_of(texts, 5) == stories_of(texts, 1000)


@pytest.mark.skipif(_PLAIN, reason="takes minutes uncompiled")
def test_the_nearest_is_found_in_every_pass_over_the_documents():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.2, size=9) % 90) for _ in range(2_300)]
    found = stories_of(texts, 5)
    assert found == stories_of(texts, 10_000)
    assert any(int(story.nearest) >= PASS for story in found[1:])


def test_the_search_is_compiled_once():
    from dendrometry._kernels._jit import always_compiling
    from dendrometry._kernels.text.first_stories import compare

    with always_compiling():
        stories_of([f"a{i} b{i % 3}" for i in range(30)], 5)
    assert _PLAIN or len(compare.compiled.call.signatures) == 1


def test_a_copy_is_not_new_however_late_it_comes():
    texts = ["storm on the coast", *(f"report{i} about matter{i % 7}" for i in range(50)), "Storm on the coast!"]
    last = list(first_stories(texts))[-1]
    assert (last.novelty, last.nearest, last.is_first) == (0.0, "0", False)


def test_the_earliest_of_equals_is_the_nearest():
    stories = list(first_stories([("a", "oil gas"), ("b", "gas oil"), ("c", "oil gas")]))
    assert [story.nearest for story in stories] == [None, "a", "a"]


@pytest.mark.parametrize("unlisted", [0, 2, 256])
def test_equals_with_their_words_in_another_order_are_equal(unlisted, monkeypatch):
    monkeypatch.setattr("dendrometry.text.stories._UNLISTED", unlisted)
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(12) for _ in range(i % 3 + 1)]
    for _ in range(20):
        copies = [" ".join(rng.permutation(words)) for _ in range(5)]
        last = list(first_stories([*copies[:4], "another story", "one more", copies[4]]))[-1]
        assert (last.nearest, last.novelty) == ("0", 0.0)


def test_the_first_and_the_unheard_of_are_new():
    stories = list(first_stories({"a": "oil", "b": "wheat", "c": "oil"}, threshold=1.0))
    assert [(story.novelty, story.is_first) for story in stories] == [(1.0, True), (1.0, True), (0.0, False)]


def test_a_stream_need_not_end():
    stream = ((f"day {i}", f"word{i} common") for i in count())
    assert [story.title for story in islice(first_stories(stream), 3)] == ["day 0", "day 1", "day 2"]


def test_documents_without_terms_are_told_with_their_reason():
    stories = list(first_stories(["oil", "", "the", "!", "oil"]))
    assert [story.skipped for story in stories] == [None, "empty", "only stop words", "no words", None]
    assert [story.novelty for story in stories] == [1.0, None, None, None, 0.0]
    assert [story.is_first for story in stories] == [True, False, False, False, False]


def test_titles_that_repeat_are_told_apart():
    stories = list(first_stories([("News", "oil"), ("News", "oil")]))
    assert [(story.item, story.title, story.nearest) for story in stories] == [
        ("News", "News", None),
        ("News (2)", "News", "News"),
    ]


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), True, "new"])
def test_thresholds_out_of_range_are_refused_at_once(threshold):
    with pytest.raises(InvalidInputError, match="threshold must be a number, at least 0 and at most 1"):
        first_stories([], threshold=threshold)


def test_what_is_no_text_is_refused():
    with pytest.raises(InvalidInputError, match="must be an iterable of texts"):
        first_stories("one text")
    with pytest.raises(InvalidInputError, match="got 3 of type int at position 1"):
        list(first_stories(["oil", 3]))
    with pytest.raises(InvalidInputError, match="stop_words must be"):
        first_stories([], stop_words="french")
