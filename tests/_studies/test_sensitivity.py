"""The study of real trees: what must go unnoticed does, and rankings are those of the values."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dendrometry import adjusted_rand, cut_count, robinson_foulds
from dendrometry._studies import sensitivity as study
from dendrometry._studies.inputs.real_trees import real_items
from dendrometry._studies.result import Table
from dendrometry._studies.sensitivity import sensitivity
from dendrometry.measures import MEASURES, PARTITION_MEASURES, TREE_MEASURES
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return sensitivity(quick=True)


def losses(result, measure, of="trees"):
    frame = result.to_frame("losses").query("of == @of and measure == @measure")
    return dict(zip(frame.edit, frame.loss, strict=True))


def test_all_measures_are_there_for_all_edits(result):
    frame = result.to_frame("losses")
    assert set(frame.query("of == 'trees'").measure) >= set(TREE_MEASURES) - {
        "classic_f",
        "partial_order_f",
        "dendrogram_purity",
    }
    without = {"mutual_information", "reduced_mutual_information"}  # no value for "the same"
    assert set(frame.query("of == 'partitions'").measure) == set(PARTITION_MEASURES) - without
    assert set(frame.edit) == set(study._EDITS)


def test_heights_are_noticed_by_measures_of_heights_alone(result):
    for measure in result.to_frame("losses").query("of == 'trees'").measure.unique():
        noticed = losses(result, measure)["noise in heights"] != 0.0
        assert noticed == MEASURES[measure].needs_heights


def test_what_is_blind_has_only_zeros(result):
    frame = result.to_frame()
    zero = result.to_frame("losses").query("lowest == 0 and highest == 0").groupby(["of", "measure"]).edit.agg(set)
    for of, measure, blind in zip(frame["of"], frame.measure, frame["blind to"], strict=True):
        assert set(filter(None, blind.split(", "))) == zero.get((of, measure), set())


def test_measures_that_are_one_number_rank_alike(result):
    frame = result.to_frame("rankings").set_index(["first", "second"])
    assert frame.tau["overall_distance", "overall_similarity"] == pytest.approx(1.0)
    assert frame.tau["variation_of_information", "variation_similarity"] == pytest.approx(1.0)
    assert frame.tau.between(-1, 1).all()


def test_edits_keep_the_items_and_change_what_they_say():
    (data,) = real_items(quick=True)
    some = np.arange(101)
    rng = np.random.default_rng(0)
    for tree in (data.classification(some), data.built(some, "average")):
        for name, edit in study._EDITS.items():
            if edit.tree is not None:
                edited = edit.tree(tree, rng)
                assert set(edited.items) == set(tree.items)
                assert (robinson_foulds(tree, edited) == 0) == (name == "noise in heights")
        hung = study._hung_from_root(tree, rng)
        assert (hung.parent[hung.item_node] == hung.root).sum() >= 10
    cut = study._labels(tree, 10)
    assert adjusted_rand(cut, cut_count(tree, 10).labels[np.argsort(np.array(tree.items))]) == 1.0
    alone = study._alone(tree, 10, rng)
    assert len(set(alone.tolist())) >= 20 - 1
    assert np.unique(study._EDITS["too many groups"].labels(tree, 10, rng)).size == 20


def with_gaps(result):
    """The result as files hold it, where an empty text is a gap."""
    columns = dict(result.tables["choosing"].columns)
    columns["blind to"] = tuple(blind or None for blind in columns["blind to"])
    return replace(result, tables={**result.tables, "choosing": Table(columns)})


def test_the_tables_come_back_from_their_files(result):
    for table in with_gaps(result).tables.values():
        again = pd.read_csv(io.StringIO(table.to_csv()))
        pd.testing.assert_frame_equal(table.to_frame(), again, check_dtype=False, rtol=1e-5, atol=1e-9)


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(with_gaps(sensitivity()), rtol=1e-4)
