"""Embeddings of concepts beside their places, from sets: a taxonomy maps each concept to the set of its parents."""

from itertools import combinations
from math import sqrt

from tests.oracles.taxonomy.pairs import Taxonomy, wu_palmer

Vectors = dict[str, list[float]]


def cosine(x: list[float], y: list[float]) -> float:
    return sum(i * j for i, j in zip(x, y, strict=True)) / sqrt(sum(i * i for i in x) * sum(j * j for j in y))


def children(taxonomy: Taxonomy, name: str) -> set[str]:
    return {child for child, parents in taxonomy.items() if name in parents}


def siblings_of_parent(taxonomy: Taxonomy, child: str, parent: str) -> set[str]:
    near = {one for above in taxonomy[parent] for one in children(taxonomy, above)}
    return near - {child} - taxonomy[child]


def preference(taxonomy: Taxonomy, vectors: Vectors, child: str, parent: str) -> float | None:
    near = siblings_of_parent(taxonomy, child, parent)
    if not near:
        return None
    mean = sum(cosine(vectors[child], vectors[one]) for one in near) / len(near)
    return cosine(vectors[child], vectors[parent]) - mean


def parent_preference(taxonomy: Taxonomy, vectors: Vectors) -> float | None:
    every = [preference(taxonomy, vectors, child, parent) for child in taxonomy for parent in taxonomy[child]]
    known = [one for one in every if one is not None]
    wins = sum(1.0 if one > 1e-12 else 0.5 if one >= -1e-12 else 0.0 for one in known)
    return wins / len(known) if known else None


def sibling_coherence(taxonomy: Taxonomy, vectors: Vectors) -> float | None:
    every = [
        cosine(vectors[x], vectors[y])
        for name in taxonomy
        for x, y in combinations(sorted(children(taxonomy, name)), 2)
    ]
    return sum(every) / len(every) if every else None


def concept_similarity_correlation(taxonomy: Taxonomy, vectors: Vectors) -> float | None:
    pairs = list(combinations(sorted(taxonomy), 2))
    x = [cosine(vectors[i], vectors[j]) for i, j in pairs]
    y = [wu_palmer(taxonomy, i, j) for i, j in pairs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    both = sum((i - mean_x) * (j - mean_y) for i, j in zip(x, y, strict=True))
    spread = sqrt(sum((i - mean_x) ** 2 for i in x) * sum((j - mean_y) ** 2 for j in y))
    return both / spread if spread > 1e-12 else None
