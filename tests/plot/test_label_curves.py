import numpy as np
import pytest

from dendrometry import from_newick, plot
from dendrometry.errors import InvalidInputError, UnknownNameError
from dendrometry.generate import random_tree
from dendrometry.levels import label_profile

TREE = from_newick("(((ape:1,cat:1):1,elk:2):1,(owl:1,jay:1):2);")
CLASSES = {"ape": "mammal", "cat": "mammal", "elk": "mammal", "owl": "bird", "jay": "bird"}
FOUND = label_profile(TREE, CLASSES)


def curves(ax):
    """The curves of the measures, and the marked best cuts, by their labels."""
    lines = {line.get_label(): line for line in ax.lines}
    marks = {label.removeprefix("_best "): line for label, line in lines.items() if label.startswith("_best")}
    return {label.partition(":")[0]: line for label, line in lines.items() if ":" in label}, marks


def test_every_measure_is_a_curve_with_its_best_cut_marked_as_a_bound():
    ax = plot.label_curves(FOUND)
    shown, marks = curves(ax)
    assert list(marks) == list(FOUND.value)
    for name, values in FOUND.value.items():
        k, value = shown[name.replace("_", " ")].get_data()
        assert (k.tolist(), value.tolist()) == (FOUND.n_clusters.tolist(), values.tolist())
        assert (marks[name].get_xdata()[0], marks[name].get_ydata()[0]) == FOUND.best_cut(name)[1:]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[0] == "adjusted rand: at most 1, with 2 clusters"
    assert texts[-1] == "2 classes"
    assert ax.get_xlabel() == "number of clusters (levels by height)"


def test_a_distance_is_bounded_from_below():
    ax = plot.label_curves(label_profile(TREE, CLASSES, ["variation_of_information"]), "variation_of_information")
    assert ax.get_ylabel() == "variation of information"
    assert ax.get_legend().get_texts()[0].get_text() == "variation of information: at least 0, with 2 clusters"


def test_many_levels_are_thinned_on_a_logarithmic_axis_and_the_best_cut_stays():
    tree = random_tree(6000, rng=0)
    found = label_profile(tree, np.random.default_rng(0).integers(0, 900, 6000), ["adjusted_rand"])
    ax = plot.label_curves(found)
    shown, marks = curves(ax)
    assert ax.get_xscale() == "log"
    assert shown["adjusted rand"].get_xdata().size <= 4000
    assert marks["adjusted_rand"].get_xdata()[0] == found.best_cut("adjusted_rand").n_clusters


def test_refuses_other_results_and_measures():
    with pytest.raises(InvalidInputError, match=r"draws what label_profile\(tree, labels\) returns; got list"):
        plot.label_curves([1.0])
    with pytest.raises(UnknownNameError, match="got 'rand'"):
        plot.label_curves(FOUND, "rand")
    with pytest.raises(InvalidInputError, match="at least one measure; got none"):
        plot.label_curves(FOUND, [])
