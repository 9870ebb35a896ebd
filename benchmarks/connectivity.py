"""Trees of maps and images: the same as scikit-learn's on 20 maps, and how long an image of a million pixels takes.

``python benchmarks/connectivity.py`` prints both; ``maps`` or ``image`` only one, ``image 300`` that of 300 rows.
"""

import sys
import time

import numpy as np
from scipy import ndimage
from sklearn.cluster import linkage_tree, ward_tree
from sklearn.feature_extraction.image import grid_to_graph

import dendrometry as dm


def picture(side: int) -> np.ndarray:
    """Return an image of smooth regions with noise, one row of three colours for each pixel."""
    rng = np.random.default_rng(0)
    image = np.stack([ndimage.gaussian_filter(rng.normal(size=(side, side)), side / 40) for _ in range(3)], axis=2)
    return (image / image.std() + 0.1 * rng.normal(size=image.shape)).reshape(-1, 3)


def in_order_of_sklearn(X: np.ndarray, graph: object, linkage: str) -> dm.Hierarchy:
    """Return scikit-learn's tree."""
    if linkage == "ward":
        children, _, n, _, height = ward_tree(X, connectivity=graph, return_distance=True)
    else:
        children, _, n, _, height = linkage_tree(X, connectivity=graph, linkage=linkage, return_distance=True)
    parent = np.full(2 * n - 1, -1)
    parent[children[:, 0]] = parent[children[:, 1]] = n + np.arange(n - 1)
    return dm.Hierarchy(parent, np.append(np.zeros(n), height), np.arange(n), [str(i) for i in range(n)])


def maps() -> None:
    """Print on how many of 20 maps the clusters are scikit-learn's, and the mean agreement."""
    print("linkage   same trees  mean agreement  of 20 maps of 900 cells")
    graph = grid_to_graph(30, 30)
    for linkage in ("ward", "single", "average", "complete"):
        scores = []
        for seed in range(20):
            X = np.random.default_rng(seed).normal(size=(900, 3))
            ours = dm.agglomerate(X, linkage=linkage, connectivity=graph).hierarchy
            theirs = in_order_of_sklearn(X, graph, linkage)
            same = dm.measures.robinson_foulds(ours, theirs) == 0
            scores.append((same, dm.hierarchy_agreement(ours, theirs)))
        same, agreement = np.array(scores).T
        print(f"{linkage:9s} {int(same.sum()):10d}  {agreement.mean():14.2f}")


def image(side: int) -> None:
    """Print how long the tree of an image takes, as it is, in seven shades, and in one colour."""
    X = picture(side)
    print(f"image of {side:,} x {side:,}          core s      s  inversions")
    for name, values in (("smooth", X), ("whole numbers", np.round(X)), ("one colour", np.zeros_like(X))):
        for linkage, metric in (("ward", "euclidean"), ("single", "euclidean"), ("average", "sqeuclidean")):
            start = time.process_time(), time.perf_counter()
            built = dm.agglomerate(values, linkage=linkage, metric=metric, connectivity=(side, side))
            took = time.process_time() - start[0], time.perf_counter() - start[1]
            print(f"{name:14s} {linkage:8s} {took[0]:10.1f} {took[1]:6.1f}  {built.report.inversions:,}", flush=True)


if __name__ == "__main__":
    asked = sys.argv[1:] or ["maps", "image"]
    if "maps" in asked:
        maps()
    if "image" in asked:
        image(int(asked[1]) if len(asked) > 1 and asked[1].isdigit() else 1000)
