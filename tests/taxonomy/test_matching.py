"""Which concepts of two taxonomies are the same, by names, by a table, by embeddings."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from dendrometry import Dag, from_newick, from_paths
from dendrometry.errors import InvalidInputError
from dendrometry.taxonomy import compare_taxonomies, match_concepts
from dendrometry.taxonomy.embedding import one_to_one

A = Dag.from_edges([("cat", "mammal"), ("owl", "bird")])
B = Dag.from_edges([("Cat", "mammals"), ("owl", "bird")])


def pairs_of(found):
    columns = found.columns()
    return set(zip(columns["a"], columns["b"], columns["how"], strict=True))


def test_names_are_matched_exactly_loosely_and_by_a_table():
    assert pairs_of(match_concepts(A, B)) == {("owl", "owl", "exact"), ("bird", "bird", "exact")}
    found = match_concepts(A, B, match_names="loose", pairs=[("mammal", "mammals")])
    assert pairs_of(found) == {
        ("cat", "Cat", "loose"),
        ("mammal", "mammals", "pairs"),
        ("owl", "owl", "exact"),
        ("bird", "bird", "exact"),
    }
    assert repr(found) == (
        "ConceptMatches(4 pairs: 1 by the table of pairs, 2 by the same name, 1 by loosely the same name;"
        " 0 only in the first, 0 only in the second)"
    )


def test_the_table_comes_before_the_names():
    found = match_concepts(A, B, pairs={"owl": "bird"})
    assert pairs_of(found) == {("owl", "bird", "pairs")}
    assert [found.called_b[v] for v in found.only_b] == ["Cat", "mammals", "owl"]


def test_identifiers_and_names_are_different_ways():
    a = Dag.from_edges([("1", "2")], names={"1": "cat", "2": "animal"})
    b = Dag.from_edges([("7", "2")], names={"7": "cat", "2": "thing"})
    assert pairs_of(match_concepts(a, b)) == {("2", "2", "exact")}
    assert pairs_of(match_concepts(a, b, by="names")) == {("cat", "cat", "exact")}
    assert pairs_of(match_concepts(a, b, pairs={"cat": "7"})) == {("1", "7", "pairs"), ("2", "2", "exact")}
    renamed = compare_taxonomies(a, a.__class__.from_edges([("1", "2")], names={"1": "cat", "2": "beast"}))
    assert renamed.matches.in_a.size == 2


def test_repeated_names_match_nothing_and_are_counted():
    a = Dag.from_edges([("1", "3"), ("2", "3")], names={"1": "other", "2": "other", "3": "all"})
    b = Dag.from_edges([("1", "3")], names={"1": "other", "3": "all"})
    found = match_concepts(a, b, by="names")
    assert pairs_of(found) == {("all", "all", "exact")}
    assert found.n_repeated == (2, 1)
    assert "3 concepts left out, whose names are repeated" in found.sentence()


def test_repeated_names_of_nodes_of_a_tree_are_matched_by_their_paths():
    a, b = from_paths(["shoes/other", "shirts/other"]), from_paths(["shoes/other", "shirts/other", "hats"])
    found = match_concepts(a, b)
    assert {pair[0] for pair in pairs_of(found)} == {"shoes", "shirts", "shoes/other", "shirts/other"}
    unnamed = from_newick("((cat,dog),owl);")
    assert {pair[0] for pair in pairs_of(match_concepts(unnamed, unnamed))} == {"cat", "dog", "owl"}


def test_embeddings_match_what_is_left():
    x = {"cat": [1, 0, 0], "mammal": [0, 1, 0], "owl": [0, 0, 1], "bird": [0, 1, 1]}
    y = {"Cat": [1, 0.1, 0], "mammals": [0, 1, 0.5], "owl": [0, 0, 1], "bird": [0, 1, 1]}
    found = match_concepts(A, B, embeddings=(x, y), threshold=0.95)
    assert pairs_of(found) == {
        ("cat", "Cat", "embedding"),
        ("owl", "owl", "exact"),
        ("bird", "bird", "exact"),
    }
    assert found.cosine[0] == pytest.approx(1 / np.sqrt(1.01))
    assert "cosine of at least 0.95" in found.sentence()
    lower = match_concepts(A, B, embeddings=(x, y), threshold=0.5)
    assert lower.in_a.size == 4
    frame = match_concepts(A, B, embeddings=(pd.DataFrame(x).T, pd.DataFrame(y).T[::-1]), threshold=0.95)
    assert pairs_of(frame) == pairs_of(found)
    arrays = tuple(np.array([vectors[term] for term in dag.terms]) for vectors, dag in ((x, A), (y, B)))
    assert pairs_of(match_concepts(A, B, embeddings=arrays, threshold=0.95)) == pairs_of(found)


def test_the_assignment_is_the_best_of_all():
    rng = np.random.default_rng(0)
    first, second = (
        rows / np.linalg.norm(rows, axis=1)[:, None] for rows in (rng.normal(size=(6, 3)) for _ in range(2))
    )
    row, column, cosine = one_to_one(first, second, 0.2)
    best = max(
        sum(max(first[i] @ second[j] - 0.2, 0.0) for i, j in enumerate(order)) for order in permutations(range(6))
    )
    assert (cosine - 0.2).sum() == pytest.approx(best)
    assert len(set(row.tolist())) == len(set(column.tolist())) == row.size
    assert cosine.tolist() == pytest.approx([first[i] @ second[j] for i, j in zip(row, column, strict=True)])


def test_of_many_concepts_the_most_similar_pair_is_taken_first():
    rng = np.random.default_rng(0)
    first = rng.normal(size=(2_100, 4))
    first /= np.linalg.norm(first, axis=1)[:, None]
    order = rng.permutation(2_100)
    row, column, cosine = one_to_one(first, first[order], 0.9)
    assert (order[column] == row).all()
    assert cosine.min() == pytest.approx(1.0)
    assert row.size == 2_100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"pairs": {"dog": "owl"}},
            "pairs must name concepts of the first taxonomy; got 'dog', which is not among them",
        ),
        ({"pairs": {"owl": "Dog"}}, "concepts of the second taxonomy; got 'Dog'"),
        (
            {"pairs": [("cat", "owl"), ("owl", "owl")]},
            "must name each concept once; these of the second taxonomy are repeated: 'owl'",
        ),
        ({"pairs": ["cat"]}, "pairs must be pairs of names; got cat at position 0"),
        ({"embeddings": ([[1]] * 4, [[1]] * 4)}, "embeddings need a threshold"),
        (
            {"embeddings": ([[1]] * 4, [[1]] * 3), "threshold": 0.5},
            "second taxonomy must have one row for each of 4 terms",
        ),
        ({"embeddings": ([[1]] * 4, [[1, 2]] * 4), "threshold": 0.5}, "same number of dimensions; got 1 and 2"),
        (
            {"embeddings": ([[1]] * 3 + [[0]], [[1]] * 4), "threshold": 0.5},
            "vectors must not be zero for cosine; item 'bird'",
        ),
        (
            {"embeddings": ({"cat": [1]}, {}), "threshold": 0.5},
            "must have a row for each term; there is none for 'mammal'",
        ),
        ({"embeddings": [[1]], "threshold": 0.5}, "embeddings must be a pair"),
        ({"embeddings": ([[1]] * 4, [[1]] * 4), "threshold": 2}, "threshold must be a number"),
    ],
)
def test_refuses_what_matches_nothing(options, message):
    with pytest.raises(InvalidInputError, match=message):
        match_concepts(A, B, **options)
