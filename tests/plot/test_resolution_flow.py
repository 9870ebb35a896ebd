import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import plot
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.partition import resolutions
from dendrometry.plot._layout.level_flow import level_flow
from tests.plot.drawn import artist, boxes, overlapping

LEVELS = {"coarse": list("aaaabb"), "fine": list("xxyyzy")}
tables = st.lists(st.lists(st.integers(0, 5), min_size=12, max_size=12), min_size=1, max_size=4)


@given(tables, st.integers(2, 6))
def test_bars_do_not_overlap_and_ribbons_fill_them(levels, most):
    found = resolutions(levels)
    where = level_flow(found, most)
    assert where.low.min() >= -1e-12
    assert where.high.max() <= 1 + 1e-12
    for j in range(len(levels)):
        bars = np.flatnonzero(where.level == j)
        assert bars.size == min(most, found.n_clusters[j])
        assert where.size[bars].sum() == 12
        order = bars[np.argsort(where.low[bars])]
        assert (where.high[order][:-1] <= where.low[order][1:] + 1e-12).all()
        for bar in bars:
            for side, low, has_ribbons in (
                (where.source, where.source_low, j < len(levels) - 1),
                (where.target, where.target_low, j > 0),
            ):
                held = np.flatnonzero(side == bar)
                held = held[np.argsort(low[held])]
                assert bool(held.size) == has_ribbons
                ends = np.append(low[held], where.high[bar] if has_ribbons else [])
                assert np.diff(ends) == pytest.approx(where.thickness[held], abs=1e-9)


@given(tables)
def test_ribbons_from_parents_do_not_cross(levels):
    found = resolutions(levels)
    where = level_flow(found, 9)
    for j in range(len(levels) - 1):
        some = np.flatnonzero(where.nested & (where.level[where.source] == j))
        assert some.size == found.n_clusters[j + 1]
        order = some[np.argsort(where.low[where.source[some]], kind="stable")]
        ranks = [
            sorted(where.low[where.target[order[where.source[order] == bar]]])
            for bar in dict.fromkeys(where.source[order])
        ]
        assert np.concatenate(ranks).tolist() == sorted(where.low[where.target[some]])


def test_items_from_elsewhere_are_drawn_apart():
    ax = plot.resolution_flow(resolutions(LEVELS))
    assert len(artist(ax, "bars").get_paths()) == 5
    assert len(artist(ax, "nested").get_paths()) == 3
    assert len(artist(ax, "elsewhere").get_paths()) == 1
    assert [text.get_text() for text in ax.get_xticklabels()] == ["coarse\n2", "fine\n3"]
    assert ax.get_xlabel() == "1 move from nested, 8.3% of all labels"


@given(tables, st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_ribbons_are_divided_by_labels(levels, group):
    found, code = resolutions(levels), np.array(group)
    plain, where = level_flow(found, 9), level_flow(found, 9, code)
    for j in range(len(levels) - 1):
        for g in range(3):
            some = where.thickness[(where.level[where.source] == j) & (where.group == g)].sum()
            assert some == pytest.approx((code == g).sum() / 12 * plain.thickness[plain.level[plain.source] == j].sum())
    bars = np.bincount(where.source, where.thickness, minlength=where.level.size)
    assert bars == pytest.approx(np.bincount(plain.source, plain.thickness, minlength=plain.level.size))


def test_labels_give_colours_and_a_key():
    ax = plot.resolution_flow(resolutions(LEVELS), labels=list("ppqqpp"))
    colours = {tuple(colour[:3]) for colour in artist(ax, "nested").get_facecolors()}
    assert len(colours) == 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["p", "q"]
    with pytest.raises(ItemMismatchError, match="labels must be as many as the items, 6; got 2"):
        plot.resolution_flow(resolutions(LEVELS), labels=["p", "q"])


def test_labels_do_not_overlap_and_those_left_out_are_counted():
    rng = np.random.default_rng(0)
    found = resolutions([rng.integers(0, 60, 500) for _ in range(4)])
    ax = plot.resolution_flow(found, max_clusters=50, ax=plt.figure(figsize=(4, 3)).add_subplot())
    texts = boxes(ax, ax.texts)
    assert len(texts) > 20
    assert overlapping(texts) == 0
    assert ax.get_xlabel().endswith(f"; {200 - len(texts)} labels left out")


@pytest.mark.parametrize("n_levels", [3, 12, 90])
def test_names_of_levels_do_not_overlap(n_levels):
    found = resolutions({f"resolution {j} of many": np.arange(12) % 3 for j in range(n_levels)})
    ax = plot.resolution_flow(found, ax=plt.figure(figsize=(6, 3), layout="constrained").add_subplot())
    names = ax.get_xticklabels()
    assert overlapping(boxes(ax, names)) == 0
    assert names[0].get_text() == ("resolution 0 of many\n3" if n_levels == 3 else "resolution 0 of many (3)")
    assert ("names shown" in ax.get_xlabel()) == (n_levels == 90)


def test_small_clusters_are_combined_and_labels_are_plain_text():
    labels = ["$x$"] * 6 + ["_y"] * 5 + ["\x1b[0m", "a", "b"]
    ax = plot.resolution_flow(resolutions([labels]), max_clusters=3)
    ax.figure.canvas.draw()
    assert [text.get_text() for text in ax.texts] == ["$x$", "_y", "3 others"]


def test_the_heat_map_shows_the_coefficient_from_row_to_column():
    found = resolutions(LEVELS)
    ax = plot.congruence(found)
    np.testing.assert_array_equal(ax.get_images()[0].get_array(), found.congruence)
    assert [text.get_text() for text in ax.texts] == ["1.00", "0.03", "0.06", "1.00"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["coarse", "fine"]


def test_values_that_do_not_fit_are_left_out():
    found = resolutions([np.arange(20) // k for k in range(1, 20)])
    assert not plot.congruence(found, ax=plt.figure(figsize=(3, 3)).add_subplot()).texts


@pytest.mark.parametrize("draw", [plot.resolution_flow, plot.congruence])
def test_other_results_are_refused(draw):
    with pytest.raises(InvalidInputError, match=r"dendrometry.partition.resolutions\(levels\) returns; got list"):
        draw([[0, 1]])
