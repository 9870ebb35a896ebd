"""Random arguments of the functions for large sets of points."""

from dendrometry.comparison import Expectation
from dendrometry.generate import random_tree


def connectivity(scene):
    """None mostly; else a grid, or random edges."""
    return scene.one_of(None, None, (scene.n,), (2, scene.n // 2), scene.rng.integers(0, 2, (scene.n, scene.n)))


APPROXIMATE_DRAWS = {
    "cluster.agglomerate.connectivity": connectivity,
    "cluster.agglomerate_distances.connectivity": connectivity,
    "cluster.agglomerate.min_size": lambda scene: scene.one_of(None, None, None, 1, 2, 0.5),
    "cluster.agglomerate_distances.min_size": lambda scene: scene.one_of(None, None, None, 1, 2, 0.5),
    "cluster.agglomerate.item_size": lambda scene: scene.one_of(None, None, scene.rng.random(scene.n)),
    "cluster.agglomerate_distances.item_size": lambda scene: scene.one_of(None, None, scene.rng.random(scene.n)),
    "comparison.Expectation.self": lambda scene: Expectation(
        "rand", float(scene.rng.random()), 0.1, scene.one_of(0, 9)
    ),
    "plot.cluster_map.where": lambda scene: scene.one_of((1, scene.n), scene.rng.random((scene.n, 2))),
    "cluster.agglomerate_graph.distances": lambda scene: scene.one_of(None, scene.rng.random((scene.n, 2))),
    "cluster.agglomerate_graph.points": lambda scene: scene.one_of(
        scene.rng.random((scene.n, 2)), scene.points(), None
    ),
    "cluster.agglomerate_graph.linkage": lambda scene: scene.one_of("average", "centroid", "single", "complete"),
    "cluster.agglomerate_graph.metric": lambda scene: scene.one_of("cosine", "dot", "sqeuclidean", "euclidean"),
    "cluster.agglomerate_graph.n_exact": lambda scene: scene.one_of(1, 1, 2, scene.n + 1),
    "cluster.cluster_approximate.X": lambda scene: scene.one_of(scene.rng.random((scene.n + 3, 2)), scene.points()),
    "cluster.cluster_approximate.linkage": lambda scene: scene.one_of("average", "average", "centroid", "complete"),
    "cluster.cluster_approximate.metric": lambda scene: scene.one_of("cosine", "sqeuclidean", "sqeuclidean", "dot"),
    "cluster.cluster_approximate.n_neighbours": lambda scene: scene.one_of(1, 2, 30, 0),
    "cluster.cluster_approximate.n_exact": lambda scene: scene.one_of(None, 1, 2, 0),
    "cluster.cluster_approximate.library": lambda scene: scene.one_of(None, "sklearn", ""),
    "resampling.fidelity.X": lambda scene: scene.one_of(scene.rng.random((12, 2)), scene.points()),
    "resampling.fidelity.tree": lambda scene: scene.one_of(random_tree(12, rng=scene.rng), scene.tree()),
    "resampling.fidelity.sample": lambda scene: scene.one_of(6, 9, 20_000, 0),
    "resampling.fidelity.metric": lambda scene: scene.one_of("euclidean", "cosine"),
}
