"""The newsgroups study: planted hierarchies come out, the numbers are those of the public functions, and real ones."""

import numpy as np
import pytest

from dendrometry import agglomerate, cut_count, hierarchical_f, hierarchy_agreement, partial_order_f, rand
from dendrometry._studies import newsgroups as study
from dendrometry._studies.inputs import cost
from dendrometry._studies.inputs.cost import costed
from dendrometry._studies.inputs.texts import planted
from dendrometry._studies.newsgroups import newsgroups
from dendrometry.cut import coarsen
from dendrometry.datasets import fetch
from dendrometry.errors import InvalidInputError
from dendrometry.text import cluster_documents, vectorize_documents
from tests._studies.committed import assert_as_committed

pytestmark = pytest.mark.compiled  # the examples run the quick study without compilation, too


@pytest.fixture(scope="module")
def quick():
    return newsgroups(quick=True)


def test_planted_hierarchies_are_found_better_than_by_chance(quick):
    tops, full = quick.to_frame("tops"), quick.to_frame("full")
    assert len(tops) == len(full) == 12
    assert tops["hai_adjusted"].min() > 0.3
    assert tops["hai_adjusted"].median() > 0.7
    assert tops["partial_order_f"].min() > 0.8
    assert full["hai_adjusted"].min() > 0.3
    assert set(tops["vectors"]) == {"terms", "20 dimensions"}


def test_the_measures_are_those_of_the_public_functions(quick):
    rng = np.random.default_rng(0)
    corpus = planted(dict.fromkeys(study._QUICK, study._EACH), rng)
    seed = int(rng.integers(2**31))
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=3)
    full = cluster_documents(found, method="principal_direction", rng=seed).hierarchy
    for name, tree in (("full", full), ("tops", coarsen(full, 7))):
        row = quick.to_frame(name).set_index(["method", "vectors"]).loc[("principal_direction", "terms")]
        assert row["hai"] == hierarchy_agreement(corpus.truth, tree)
        assert row["hierarchical_f"] == hierarchical_f(corpus.truth, tree)
        if name == "tops":
            assert row["partial_order_f"] == partial_order_f(corpus.truth, tree)


def test_costs_are_told_for_vectors_and_every_tree(quick):
    table = quick.to_frame("cost")
    assert len(table) == 14
    assert table["method"].tolist()[:3] == ["vectors", "vectors", "bisect"]
    assert (table[["seconds", "core_seconds"]] >= 0.0).all(axis=None)


def test_seconds_are_those_of_the_clocks(monkeypatch):
    for clock, times in {"perf_counter": [5.0, 7.5], "process_time": [1.0, 2.0]}.items():
        monkeypatch.setattr(cost.time, clock, iter(times).__next__)
    assert costed(lambda: 3)[1][:2] == (2.5, 1.0)


def test_memory_is_the_peak_of_the_part_alone(monkeypatch):
    ones, large = costed(lambda: np.ones(50_000_000).sum())
    nothing, small = costed(lambda: None)
    assert (ones, nothing) == (50_000_000.0, None)
    if large.peak_mb is None:
        pytest.skip("this system does not tell the peak memory of a part of a process")
    assert large.peak_mb > small.peak_mb + 80.0


@pytest.mark.parametrize(
    "told", [{}, {"VmHWM": 2_089.0, "VmRSS": 400.0}], ids=["tells no memory", "takes the request and keeps the peak"]
)
def test_no_memory_is_told_on_a_system_that(monkeypatch, told):
    monkeypatch.setattr(cost, "_status_mb", told.get)
    assert costed(lambda: 1)[1].peak_mb is None


def test_the_figure_has_a_row_for_each_way(quick):
    (ax,) = quick.figure().axes
    assert len(ax.get_yticklabels()) == 12
    assert [len(line.get_xdata()) for line in ax.lines] == [12, 12, 12]


def test_the_same_seed_gives_the_same_study_and_another_another():
    first, again, other = (newsgroups(quick=True, rng=seed).tables["full"].to_csv() for seed in (1, 1, 2))
    assert first == again != other


def test_messages_that_cannot_be_fetched_are_an_error(monkeypatch):
    def refuse(*_):
        raise InvalidInputError("cannot fetch it")

    monkeypatch.setattr(study, "fetch", refuse)
    with pytest.raises(InvalidInputError, match="cannot fetch it"):
        newsgroups()


def test_planted_documents_hold_words_of_their_class_and_of_the_steps_above():
    corpus = planted({"a.b.c": 3, "d": 2}, np.random.default_rng(0))
    assert corpus.labels == ("a.b.c",) * 3 + ("d",) * 2
    for text, label in zip(corpus.texts, corpus.labels, strict=True):
        kinds = [word.rstrip("0123456789") for word in text.split()]
        expected = {"abc": 10, "a": 5, "ab": 5, "common": 5} if label == "a.b.c" else {"d": 10, "common": 15}
        assert {kind: kinds.count(kind) for kind in kinds} == expected
    assert corpus.truth.leaves.size == 2


@pytest.mark.slow
def test_bisecting_and_group_average_lead_and_single_and_complete_linkage_find_hardly_anything():
    try:
        result = newsgroups()
    except InvalidInputError as error:
        pytest.skip(f"needs the collection 20newsgroups, which cannot be fetched here: {error}")
    assert result.notes[0].startswith("18,821 documents, of which 1 left out (1 only stop words)")
    tops = result.to_frame("tops").set_index(["method", "vectors"])
    adjusted = tops["hai_adjusted"].sort_values()
    leading = {("group_average", "terms"), ("bisect", "terms"), ("bisect", "100 dimensions")}
    assert set(adjusted.index[-3:]) == leading
    assert set(adjusted.index[:2]) == {("single", "100 dimensions"), ("complete", "100 dimensions")}
    for measure in ("hierarchical_f", "partial_order_f"):
        assert tops[measure].idxmax() == ("bisect", "100 dimensions")
    for method in ("single", "complete"):
        assert any(note.startswith(f"{method} on 100 dimensions is hardly nearer") for note in result.notes)
    assert_as_committed(result, without=["cost"])


@pytest.mark.slow
def test_group_average_does_not_depend_on_the_order_of_the_messages():
    try:
        corpus = fetch("20newsgroups")
    except InvalidInputError as error:
        pytest.skip(f"needs the collection 20newsgroups, which cannot be fetched here: {error}")
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=3)
    order = np.random.default_rng(0).permutation(found.n_items)
    labels = [
        cut_count(agglomerate(vectors, linkage="group_average", metric="cosine").hierarchy, 20).labels
        for vectors in (found.vectors[order], found.vectors)
    ]
    assert rand(labels[0], labels[1][order]) == 1.0
