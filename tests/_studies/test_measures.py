"""The study of measures: what must go unnoticed does, and all measures are there."""

import csv
from pathlib import Path

import numpy as np
import pytest

from dendrometry._studies import reproduce
from dendrometry._studies.measures import measures
from dendrometry.measures import MEASURES, PARTITION_MEASURES, TREE_MEASURES
from tests._studies.committed import assert_as_committed

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def result():
    return measures(quick=True)


def loss(result, kind, measure):
    frame = result.to_frame("losses")
    chosen = frame[(frame.kind == kind) & (frame.measure == measure)]
    return dict(zip(chosen.corruption, chosen.loss, strict=True))


def test_every_measure_of_the_package_is_there(result):
    names = set(result.to_frame("losses").measure)
    assert set(TREE_MEASURES) <= names
    assert set(PARTITION_MEASURES) - names == {
        "mutual_information",
        "reduced_mutual_information",
    }  # no value for "the same"


def test_unary_nodes_are_noticed_by_none(result):
    for measure in ("hierarchy_agreement", "hierarchical_f", "classic_f", "partial_order_f"):
        assert loss(result, "hierarchies", measure)["unary nodes"] == 0.0


def test_what_only_hangs_nodes_elsewhere_is_not_noticed_by_the_classic_f_score(result):
    classic = loss(result, "hierarchies", "classic_f")
    assert classic["flattened"] == classic["subtrees moved"] == 0.0
    assert loss(result, "hierarchies", "partial_order_f")["flattened"] > 0.1


def test_the_order_of_merges_is_seen_by_measures_of_merge_order_alone(result):
    for measure in ("hierarchy_agreement", "hierarchical_f"):
        assert loss(result, "dendrograms", measure)["other order of merges"] == 0.0
    assert loss(result, "dendrograms", "overall_distance")["other order of merges"] > 0.05


def test_the_values_of_heights_are_seen_by_measures_of_values_alone(result):
    noticed = {name for name in TREE_MEASURES if loss(result, "dendrograms", name).get("heights squared", 0.0) != 0.0}
    of_values = {"cophenetic_distance", "cophenetic_correlation", "cophenetic_lp", "cophenetic_l_infinity"}
    assert noticed == of_values | {"weighted_robinson_foulds", "branch_score"}


def test_a_distance_and_its_similarity_lose_alike(result):
    one, other = (loss(result, "dendrograms", f"overall_{kind}") for kind in ("distance", "similarity"))
    assert one == pytest.approx(other)


def test_losses_follow_from_values_and_all_corruptions_of_items_are_noticed(result):
    frame = result.to_frame("losses")
    moved = frame[frame.corruption.isin(["re-inserted", "swapped", "items moved", "clusters halved"])]
    symmetric = np.array([name not in MEASURES or MEASURES[name].symmetric for name in moved.measure])
    assert (moved.loss >= 0).all()
    assert (moved.loss > 0)[symmetric].all()  # one direction alone may not notice that clusters are halved
    assert frame.noticed.tolist() == (frame.loss != 0.0).tolist()


def test_the_heat_maps_show_every_number(result):
    axes = result.figure().axes
    assert [ax.get_title() for ax in axes] == ["hierarchies", "dendrograms", "partitions"]
    of_kind = result.to_frame("losses").groupby("kind", sort=False)
    numbers = of_kind.measure.nunique() * of_kind.corruption.nunique()
    assert [len(ax.texts) for ax in axes] == numbers.tolist()


def shown_loss(loss):
    """A loss as the page shows it: a dash where it is undefined, 0 only where it is exact."""
    if not loss:
        return "–"
    return "0" if float(loss) == 0.0 else f"{float(loss):.2f}"


@pytest.mark.parametrize("kind", ["hierarchies", "dendrograms", "partitions"])
def test_the_page_on_choosing_a_measure_shows_the_committed_losses(kind):
    page = (DOCS / "choosing.md").read_text(encoding="utf-8")
    with (DOCS / "results" / f"measures-{kind}.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    shown = [[f"`{name}`", *map(shown_loss, losses)] for name, _, *losses in rows]
    for line in (["measure", *head[2:]], *shown):
        assert f"| {' | '.join(line)} |\n" in page


@pytest.mark.slow
def test_the_full_study_has_small_errors():
    result = reproduce("measures")
    frame = result.to_frame("losses")
    swapped = frame[frame.corruption == "swapped"]
    assert swapped.standard_error.max() < 0.05
    assert np.isfinite(frame.loss).all()
    assert_as_committed(result)
