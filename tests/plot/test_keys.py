"""Legends of curves lie beside the Axes, and cover nothing."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import plot
from dendrometry.resampling import score_methods, stability
from dendrometry.text import detection_curve

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(size=(12, 3)) + shift for shift in (0.0, 6.0, 12.0)])
TREE = dm.agglomerate(X, linkage="average").hierarchy
LABELS = np.repeat(["a", "b", "c"], 12)
PLOTS = {
    "cut_scores": lambda: plot.cut_scores(dm.quality.score_cuts(TREE, X, max_clusters=8)),
    "stability_curve": lambda: plot.stability_curve(stability(X, n_replicates=6, n_references=4).agreement),
    "method_scores": lambda: plot.method_scores(score_methods(X, max_clusters=4, n_replicates=6, n_references=4)),
    "label_curves": lambda: plot.label_curves(dm.levels.label_profile(TREE, LABELS)),
    "stage_curves": lambda: plot.stage_curves(dm.stages(TREE, dm.agglomerate(X, linkage="ward").hierarchy)),
    "detection_curves": lambda: plot.detection_curves({"one": detection_curve([0.9, 0.1, 0.8], [True, False, True])}),
}


@pytest.mark.parametrize("name", PLOTS)
def test_the_key_of_curves_lies_beside_them(name):
    ax = PLOTS[name]()
    ax.figure.canvas.draw()
    legend, inside, page = ax.get_legend().get_window_extent(), ax.get_window_extent(), ax.figure.bbox
    assert legend.x0 >= inside.x1
    assert legend.x1 <= page.x1
    assert inside.width > 0.4 * page.width
