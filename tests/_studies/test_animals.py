"""The study of animals: ranks, ties, and the picture."""

import numpy as np
import pytest

from dendrometry import datasets
from dendrometry._studies.animals import _ranks, animals
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return animals(quick=True)


def test_ranks_are_those_of_the_taxonomy():
    data = datasets.zoo()
    ranks = _ranks(data)
    assert [np.unique(labels).size for labels in ranks.values()] == [6, 15, 56, 84]
    bear, wren = data.items.index("bear"), data.items.index("wren")
    assert ranks["phylum"][bear] == ranks["phylum"][wren]
    assert ranks["class"][bear] != ranks["class"][wren]


def test_every_linkage_scale_and_order_of_ties_is_there(result):
    frame = result.to_frame("alike")
    assert frame.second.nunique() == 2 * 2 * 3
    claims = result.to_frame()
    assert claims.settings.tolist() == [60, 12, 12, 30]


def test_a_claim_of_agreement_rests_on_the_rows_of_the_table(result):
    frame = result.to_frame("alike")
    claim = result.to_frame().iloc[0]
    row = frame.set_index(["measure", "second"]).loc[tuple(claim.weakens.split(", ", 1))]
    assert row.adjusted == claim.weakens_margin == frame.adjusted.min()


def test_the_picture_has_every_animal(result):
    texts = " ".join(text.get_text() for text in result.figure("tanglegram").axes[0].texts)
    assert "platypus" in texts
    assert "wren" in texts


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(animals(), rtol=1e-4)
