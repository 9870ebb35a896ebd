"""The worsening study: the claims of the paper on synthetic documents and on clusterings that are given."""

import numpy as np
import pytest

from dendrometry import split_merge
from dendrometry._studies import reproduce
from dendrometry._studies.worsening import coreference_like, worsening
from dendrometry.errors import InvalidInputError
from dendrometry.generate import worsen
from tests._studies.committed import assert_as_committed


def claims(result, column):
    table = result.tables["claims"].columns
    return dict(zip(table["symbol"], table[column], strict=True))


def check_the_claims_of_the_paper(result):
    falls, ends = claims(result, "falls_here"), claims(result, "ends_at_0_here")
    assert {symbol for symbol, share in falls.items() if share == 1.0} == {"R", "NMI", "V", "S_H"}
    assert {symbol for symbol, share in ends.items() if share > 0.0} == {"S_H"}
    assert set(claims(result, "largest_rise").values()) == {0.0}
    assert min(value for symbol, value in claims(result, "last_value").items() if symbol != "S_H") > 0.2


def test_the_claims_of_the_paper_hold_on_synthetic_documents():
    result = worsening(quick=True)
    check_the_claims_of_the_paper(result)
    operations = result.tables["series"].columns["operation"][::6]
    assert operations.count("split") == 33


@pytest.mark.slow
def test_the_claims_of_the_paper_hold_on_a_hundred_documents():
    result = worsening()
    check_the_claims_of_the_paper(result)
    assert_as_committed(result)


def test_the_series_is_that_of_the_public_functions():
    labels = ["x"] * 5 + ["y"] * 3 + ["z", "u", "v"]
    table = worsening(labels).to_frame("series")
    found = table[table.measure == "split_merge"]["value"]
    assert found.tolist() == [split_merge(labels, step.labels) for step in worsen(labels, rng=0)]
    assert found.iloc[-1] == 0.0


def test_documents_have_many_singletons_and_few_long_chains():
    rng = np.random.default_rng(5)
    sizes = [np.bincount(coreference_like(33, rng)) for _ in range(200)]
    assert all(size.sum() - size.size == 33 for size in sizes)
    pooled = np.concatenate(sizes)
    assert (pooled == 1).mean() == pytest.approx(1 / (1 / np.arange(1, 13) ** 2).sum(), abs=0.03)
    assert pooled.max() == 12


def test_the_same_seed_gives_the_same_study_and_another_another():
    first, again, other = (worsening(quick=True, rng=seed).tables["series"].to_csv() for seed in (1, 1, 2))
    assert first == again != other


def test_the_figure_has_a_curve_for_each_measure_and_a_dot_for_each_truth():
    left, right = worsening(quick=True).figure().axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["R", "N", "A", "NMI", "V", "S_H"]
    assert [len(dots.get_offsets()) for dots in right.collections[::2]] == [5] * 6


def test_a_single_item_cannot_be_made_worse():
    result = worsening(["x"])
    assert result.tables["series"].columns["value"] == (1.0,) * 6
    assert "0 splits and 0 merges" in result.notes[0]
    assert result.notes[1:] == ("A single item cannot be made worse.",)
    assert result.figure().axes


def test_labels_are_for_the_studies_that_take_them():
    assert reproduce("worsening", labels=[0, 0, 1]).notes[0].startswith("The clustering that was given")
    with pytest.raises(InvalidInputError, match=r"the study must be .*'worsening'"):
        reproduce("nothing")
    with pytest.raises(InvalidInputError, match="the true partition must hold whole numbers"):
        reproduce("worsening", labels=[0.5, 1])
