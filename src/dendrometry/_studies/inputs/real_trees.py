"""Real hierarchies with heights, small enough for every measure: classifications, and dendrograms of the same items."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dendrometry._studies.inputs.data import animals
from dendrometry._studies.inputs.diagnoses import diagnoses
from dendrometry._studies.inputs.languages import feature_distances, languages
from dendrometry._studies.inputs.words import words
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate, agglomerate_distances
from dendrometry.cluster.linkages import Linkage
from dendrometry.datasets.zoo import zoo
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.paths import from_paths, to_paths


class RealItems(NamedTuple):
    """Items with a path in a classification, and how a dendrogram of some of them is built, if they have data."""

    name: str
    items: tuple[str, ...]
    paths: Sequence[tuple[str, ...]]
    built: Callable[[IntArray, Linkage], Hierarchy] | None

    def some(self, most: int, rng: np.random.Generator) -> IntArray:
        """Return the indices of random items, at most so many."""
        return np.sort(rng.permutation(len(self.items))[:most])

    def classification(self, some: IntArray) -> Hierarchy:
        """Return the classification of some items, with a leaf for each; heights are longest ways down to an item."""
        names = [self.items[i] for i in some.tolist()]
        tree = from_paths([(*self.paths[i], f"item {i}") for i in some.tolist()], names).without_unary()
        height = np.zeros(tree.n_nodes)
        for v in range(tree.n_nodes - 1):
            height[tree.parent[v]] = max(height[tree.parent[v]], height[v] + 1.0)
        return Hierarchy(tree.parent, height, tree.item_node, tree.items)

    def classes(self, some: IntArray, depth: int) -> IntArray:
        """Return the class of some items at a depth of the classification."""
        above = [self.paths[i][: depth + 1] for i in some.tolist()]
        number = {path: j for j, path in enumerate(dict.fromkeys(above))}
        return np.array([number[path] for path in above])


def real_items(quick: bool) -> list[RealItems]:
    """Return the animals, and unless a quick look is wanted languages, words and diagnoses."""
    traits = animals().values
    data = zoo()
    paths = [tuple(path.split("/")) for path in to_paths(data.taxonomy).values()]
    found = [RealItems("animals", data.items, paths, _of_points(traits, data.items))]
    if not quick:
        spoken, nouns, ill = languages(), words(), diagnoses()
        found += [
            RealItems("languages", spoken.items, spoken.lineage, _of_features(spoken.grammar, spoken.items)),
            RealItems("words", nouns.items, nouns.paths, _of_points(nouns.vectors, nouns.items)),
            RealItems("diagnoses", ill.items, ill.paths["ICD-10"], None),
        ]
    return found


def _of_points(values: FloatArray, items: Sequence[str]) -> Callable[[IntArray, Linkage], Hierarchy]:
    """Return how a dendrogram of some points is built."""

    def built(some: IntArray, linkage: Linkage) -> Hierarchy:
        return agglomerate(values[some], linkage=linkage, item_names=[items[i] for i in some.tolist()]).hierarchy

    return built


def _of_features(values: FloatArray, items: Sequence[str]) -> Callable[[IntArray, Linkage], Hierarchy]:
    """Return how a dendrogram is built of the shares of known features that differ."""

    def built(some: IntArray, linkage: Linkage) -> Hierarchy:
        names = [items[i] for i in some.tolist()]
        return agglomerate_distances(feature_distances(values[some]), linkage=linkage, item_names=names).hierarchy

    return built
