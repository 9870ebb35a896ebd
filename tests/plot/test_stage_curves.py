import numpy as np
import pytest

from dendrometry import compare, from_newick, plot, stages
from dendrometry.errors import InvalidInputError
from dendrometry.levels.band import chance_band
from tests.plot.drawn import dendrogram_of

SERIES = stages(dendrogram_of(20, 1), dendrogram_of(20, 2))


def lines(ax, what=""):
    if not what:
        return [line for line in ax.lines if not line.get_label().startswith("_")]
    return [line for line in ax.lines if line.get_label() == f"_{what}"]


def test_curves_and_means_are_those_of_the_stages():
    ax = plot.stage_curves(SERIES, ["rand", "z"])
    for line, name in zip(lines(ax), ["rand", "z"], strict=True):
        assert line.get_xdata().tolist() == SERIES.n_clusters.tolist()
        assert line.get_ydata().tolist() == getattr(SERIES, name).tolist()
    assert lines(ax, "mean")[0].get_ydata().tolist() == SERIES.expected_rand.tolist()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "rand",
        "z",
        "mean by chance",
        "95% of relabellings",
    ]


def test_the_axes_say_what_is_drawn_and_leave_room_for_a_title():
    ax = plot.stage_curves(SERIES)
    assert ax.get_ylabel() == "agreement of the cuts (1: the same)"
    assert plot.stage_curves(SERIES, ["rand", "z"]).get_ylabel() == "rand, z"
    ax.figure.canvas.draw()
    legend, inside = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend.y1 <= inside.y1
    assert legend.x0 >= inside.x0


def test_the_band_is_that_of_chance():
    ax = plot.stage_curves(SERIES, "fowlkes_mallows", alpha=0.1)
    band = chance_band(SERIES, "fowlkes_mallows", 0.1)
    drawn = next(one for one in ax.collections if one.get_label() == "_band").get_paths()[0].vertices
    assert drawn[:, 1].min() == pytest.approx(band.low.min())
    assert drawn[:, 1].max() == pytest.approx(band.high.max())
    assert ax.get_ylabel() == "fowlkes mallows"
    assert ax.get_legend().get_texts()[0].get_text() == "fowlkes mallows"
    assert ax.get_legend().get_texts()[-1].get_text() == "90% of relabellings"


def test_k_has_whole_numbers_and_a_logarithmic_scale_where_there_are_many_stages():
    few = plot.stage_curves(SERIES)
    many = plot.stage_curves(stages(dendrogram_of(200, 1), dendrogram_of(200, 2)))
    assert (few.get_xscale(), many.get_xscale()) == ("linear", "log")
    for ax in (few, many):
        ax.figure.canvas.draw()
        low, high = ax.get_xlim()
        shown = [text.get_text() for text in ax.get_xticklabels() if low <= text.get_position()[0] <= high]
        assert len(shown) >= 4
        assert all(text.replace(",", "").isdigit() for text in shown)
        assert len(set(shown)) == len(shown)


def test_random_trees_lie_in_the_band_as_often_as_it_says():
    inside = []
    for seed in range(20):
        found = stages(dendrogram_of(60, 2 * seed), dendrogram_of(60, 2 * seed + 1))
        band = chance_band(found, "fowlkes_mallows", 0.05)
        value = found.fowlkes_mallows
        inside.append((value >= band.low - 1e-12) & (value <= band.high + 1e-12))
    assert 0.9 < np.mean(inside) < 0.99


def test_very_many_stages_are_thinned():
    ax = plot.stage_curves(stages(dendrogram_of(6000, 1), dendrogram_of(6000, 2)), "rand")
    k = lines(ax)[0].get_xdata()
    assert k.size <= 4000
    assert (k[0], k[-1]) == (2, 5999)


def test_other_input_is_refused():
    with pytest.raises(InvalidInputError, match=r"stage_curves draws what .* returns; got list"):
        plot.stage_curves([1, 2])
    with pytest.raises(InvalidInputError, match=r"series must be 'z', .*; got 'p'"):
        plot.stage_curves(SERIES, "p")


def test_a_comparison_is_drawn_as_it_is():
    a, b = from_newick("((ape:1,cat:1):2,(elk:1,owl:1):2);"), from_newick("((ape:1,cat:1):1,elk:2,owl:2);")
    assert plot.stage_curves(compare(a, b), "rand").get_xlabel() == "number of clusters k"
    bare = from_newick("((ape,cat),(elk,owl));")
    with pytest.raises(InvalidInputError, match="tree must have heights for stages; it has none"):
        plot.stage_curves(compare(bare, bare))
    with pytest.raises(InvalidInputError, match="the second tree must have heights for stages; it has none"):
        plot.stage_curves(compare(a, bare))
    two = from_newick("(ape:1,cat:1);")
    with pytest.raises(InvalidInputError, match="there must be 3 to 100,000,000 items for stages; got 2"):
        plot.stage_curves(compare(two, two))


def test_stages_that_a_tree_cannot_reach_are_not_drawn():
    chain = from_newick("((((a:1,b:1):1,c:2):1,d:3):1,e:4);")
    pairs_first = from_newick("(((a:1,b:1):1,(c:1,d:1):1):1,e:3);")
    found = stages(chain, pairs_first)
    assert found.is_reached.tolist() == [True, True, False]
    ax = plot.stage_curves(found, "rand")
    assert lines(ax)[0].get_xdata().tolist() == [2, 3]
    assert [text.get_text() for text in ax.get_legend().get_texts()][1:] == ["mean by chance", "95% of relabellings"]
    none = plot.stage_curves(stages(chain, from_newick("(a:1,b:1,c:1,d:1,e:1);")), "rand")
    assert lines(none)[0].get_xdata().tolist() == [2, 3, 4]
    assert none.get_legend().get_texts()[-1].get_text() == "no k is a number of clusters of both trees"
