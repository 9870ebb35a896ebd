"""Quality of one taxonomy from embeddings: as defined by sets, beside permuted embeddings."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dendrometry import Dag
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.taxonomy import taxonomy_quality
from tests.oracles.taxonomy import quality as oracle
from tests.taxonomy.graphs import LETTERS, as_graph, random_graph

ANIMALS = Dag.from_edges(
    [("cat", "mammal"), ("bat", "mammal"), ("owl", "bird"), ("hen", "bird"), ("mammal", "animal"), ("bird", "animal")]
)
VECTORS = {
    "cat": [3, 0, 1],
    "bat": [2, 1, 1],
    "owl": [0, 3, 1],
    "hen": [0, 2, 1],
    "mammal": [3, 0, 2],
    "bird": [0, 3, 2],
    "animal": [1, 1, 3],
}


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 9))
def test_every_score_equals_its_definition(seed, n):
    graph = random_graph(LETTERS[:n], random.Random(seed))
    dag = as_graph(graph)
    if not dag.n_edges:
        return
    rng = np.random.default_rng(seed)
    vectors = {name: rng.integers(-3, 4, 3).tolist() for name in graph}
    vectors = {name: vector if any(vector) else [1, 0, 0] for name, vector in vectors.items()}
    found = taxonomy_quality(dag, vectors, n_permutations=0)
    for name in found.scores:
        value, expected = found[name], getattr(oracle, name)(graph, vectors)
        assert (value is None) == (expected is None), name
        assert value is None or value == pytest.approx(expected, abs=1e-12), name
    owner = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    for e, (child, parent) in enumerate(zip(owner, dag.parent, strict=True)):
        one = oracle.preference(graph, vectors, dag.terms[child], dag.terms[parent])
        assert np.isnan(found.preference[e]) == (one is None)
        assert one is None or found.preference[e] == pytest.approx(one, abs=1e-12)


def test_a_good_taxonomy_is_better_than_chance_and_a_shuffled_one_is_not():
    rng = np.random.default_rng(0)
    edges, vectors = [], {"root": np.zeros(8) + 1e-3}
    for i in range(6):
        centre = rng.normal(size=8)
        vectors[f"g{i}"] = centre
        edges.append((f"g{i}", "root"))
        for j in range(6):
            vectors[f"g{i}c{j}"] = centre + 0.3 * rng.normal(size=8)
            edges.append((f"g{i}c{j}", f"g{i}"))
    dag = Dag.from_edges(edges)
    good = taxonomy_quality(dag, vectors)
    assert (good.p_value <= 0.01).all()
    assert good["parent_preference"] > 0.9
    names = list(vectors)
    order = rng.permutation(len(names))
    bad = taxonomy_quality(dag, dict(zip(names, (vectors[names[i]] for i in order), strict=True)))
    assert bad["parent_preference"] < 0.7
    assert bad.p_value.min() > 0.01


@pytest.mark.further
def test_chance_is_the_mean_over_permutations_of_the_embeddings():
    found = taxonomy_quality(ANIMALS, VECTORS, n_permutations=2_000)
    assert found.by_chance[0] == pytest.approx(0.5, abs=0.06)
    assert found["parent_preference"] == 1.0
    assert found.adjusted[0] == 1.0


def test_duplicates_are_found_by_name_and_by_embedding():
    dag = Dag.from_edges([("t-shirt", "top"), ("T Shirt", "top"), ("tee", "top"), ("hat", "top")])
    vectors = {"t-shirt": [1, 0], "T Shirt": [0, 1], "tee": [1, 0.01], "hat": [-1, 0.5], "top": [-1, -1]}
    found = taxonomy_quality(dag, vectors, n_permutations=0)
    assert [(one.first, one.second, one.why) for one in found.duplicates] == [
        ("t-shirt", "tee", "embedding"),
        ("t-shirt", "T Shirt", "name"),
    ]
    assert len(taxonomy_quality(dag, vectors, duplicate=1.0, n_permutations=0).duplicates) == 1


def test_the_shape_tells_how_even_the_taxonomy_is():
    shape = taxonomy_quality(Dag.from_edges([("c", "b"), ("b", "a"), ("d", "a")]), [[1]] * 4, n_permutations=0).shape
    assert (shape.n_leaves, shape.depth_mean, shape.depth_deviation, shape.depth_most) == (2, 1.5, 0.5, 2)
    assert (shape.n_single, shape.children_mean, shape.children_most, shape.n_several) == (1, 1.5, 2, 0)


def test_the_worst_edges_are_named_and_everything_is_written():
    found = taxonomy_quality(ANIMALS, VECTORS | {"owl": [3, 0, 2]}, n_permutations=9)
    assert found.worst(1)[0][:2] == ("owl", "bird")
    assert found.to_frame().shape == (3, 4)
    assert "Wullschleger et al. (2025)" in found.methods
    assert found.verdict.startswith("7 concepts, 4 of them leaves; 75% of edges prefer the parent to its siblings (")
    assert "parent_preference" in found._repr_html_()
    assert repr(found).startswith("TaxonomyQuality(7 concepts; parent_preference 0.75")


def test_refuses_what_has_no_quality():
    with pytest.raises(UndefinedMeasureError, match="a taxonomy must have an edge"):
        taxonomy_quality(Dag.from_edges([], terms=["a"]), [[1.0]])
    with pytest.raises(InvalidInputError, match="embeddings must have a row for each term; there is none for 'owl'"):
        taxonomy_quality(ANIMALS, {name: vector for name, vector in VECTORS.items() if name != "owl"})
    with pytest.raises(InvalidInputError, match="duplicate must be a number"):
        taxonomy_quality(ANIMALS, VECTORS, duplicate=3)
