"""The scores of split and merge subcomponents: those of the definition, with the properties of the paper."""

import math

import numpy as np
import pytest
from tests.measures.partitions.exhaustive import representatives
from tests.oracles.measures.partitions import split_merge as oracle
from tests.oracles.sets.partitions import clusters

from dendrometry import Contingency, split_merge
from dendrometry.errors import InvalidInputError
from dendrometry.partition import bipartite, score_subcomponents

FEATURES = [[3], [1], [4], [1], [5]]
SCORES = {
    "entropy": oracle.entropy_score,
    "max_overlap": oracle.max_overlap_score,
    "mse": oracle.mse_score(FEATURES),
}


def options_of(score):
    """Return the arguments that ask for a score."""
    return {"score": score, "features": FEATURES} if score == "mse" else {"score": score}


def scores_by_definition(score, a, b):
    """Return the score of each cluster of a, in order of label, by its parts in b."""
    parts = [(x, [x & y for y in clusters(b) if x & y]) for x in clusters(a)]
    return [float(score(x, of_x)) for x, of_x in parts]


@pytest.mark.parametrize("score", SCORES)
def test_every_cluster_has_the_score_of_its_definition(score):
    for a, b in representatives(5):
        found = score_subcomponents(a, b, **options_of(score))
        assert list(found.split.values()) == pytest.approx(scores_by_definition(SCORES[score], a, b), abs=1e-14)
        assert list(found.merge.values()) == pytest.approx(scores_by_definition(SCORES[score], b, a), abs=1e-14)


@pytest.mark.parametrize("score", SCORES)
def test_the_overlaps_weighted_by_both_scores_add_up_to_the_similarity(score):
    for a, b in representatives(5):
        table = Contingency.of(a, b)
        found = score_subcomponents(table, **options_of(score))
        s = found.score
        total = math.fsum(table.count * s[table.row] * s[table.n_a + table.column]) / table.n_items
        assert total == pytest.approx(split_merge(table, **options_of(score)), abs=1e-14)


@pytest.mark.parametrize("score", ["entropy", "max_overlap"])
def test_a_cluster_alone_is_as_similar_to_its_parts_as_its_score(score):
    """Property 4.4 of the paper: S*({L}, C_L) = s(C|L)."""
    for a, b in representatives(5):
        found = score_subcomponents(a, b, score=score)
        for x, s in zip(clusters(a), found.split.values(), strict=True):
            alone = split_merge([0] * len(x), [b[i] for i in sorted(x)], score=score)
            assert alone == pytest.approx(s, abs=1e-14)


@pytest.mark.parametrize("score", ["entropy", "max_overlap"])
def test_under_the_mean_a_cluster_alone_scores_half_of_its_score_and_a_half(score):
    """Section 4.4 of the paper: S'({L}, C_L) = s(C|L) / 2 + 1 / 2, so S' is not subcomponent-consistent."""
    for a, b in representatives(5):
        found = score_subcomponents(a, b, score=score)
        for x, s in zip(clusters(a), found.split.values(), strict=True):
            alone = split_merge([0] * len(x), [b[i] for i in sorted(x)], score=score, combine="mean")
            assert alone == pytest.approx((s + 1) / 2, abs=1e-14)


def test_scores_by_entropy_reach_their_bounds_as_the_paper_demands():
    """Property 4.3: 1 only for an undivided cluster, 0 only for one divided into single items."""
    for a, b in representatives(5):
        found = score_subcomponents(a, b)
        assert ((found.score == 1.0) == (found.parts == 1)).all()
        assert ((found.score == 0.0) == ((found.parts == found.size) & (found.size > 1))).all()
        assert ((found.score >= 0.0) & (found.score <= 1.0)).all()


def test_scores_by_entropy_fall_with_more_parts_and_with_more_even_ones():
    """Property 4.2 of the paper: of a class completeness, of a cluster homogeneity."""

    def score(*sizes):
        whole, parts = [0] * sum(sizes), np.repeat(range(len(sizes)), sizes)
        split, merge = score_subcomponents(whole, parts).split[0], score_subcomponents(parts, whole).merge[0]
        assert split == merge
        return split

    assert (
        score(6) > score(5, 1) > score(4, 2) > score(3, 3) > score(3, 2, 1) > score(2, 2, 2) > score(1, 1, 1, 1, 1, 1)
    )


def test_rows_name_clusters_with_their_component_size_and_parts():
    truth, labels = ["cat"] * 4 + ["dog"] * 3 + ["owl"], [1, 1, 1, 2, 2, 3, 3, 4]
    found = score_subcomponents(truth, labels)
    assert found.what == ("split",) * 3 + ("merge",) * 4
    assert found.label == ("cat", "dog", "owl", 1, 2, 3, 4)
    assert found.component.tolist() == [0, 0, 1, 0, 0, 0, 1]
    assert found.size.tolist() == [4, 3, 1, 3, 2, 2, 1]
    assert found.parts.tolist() == [2, 2, 1, 1, 2, 1, 1]
    graph = bipartite(truth, labels)
    assert found.component.tolist() == [*graph.component_a, *graph.component_b]
    assert repr(found) == "Subcomponents(7 clusters, 2 split and 1 merged)"


def test_a_function_of_the_user_scores_every_cluster():
    found = score_subcomponents([0, 0, 1, 1], [0, 0, 0, 1], score=lambda cluster, parts: 1 / len(parts))
    assert (found.split, found.merge) == ({0: 1.0, 1: 0.5}, {0: 0.5, 1: 1.0})


def test_refuses_unknown_scores_and_missing_features():
    with pytest.raises(InvalidInputError, match="score must be"):
        score_subcomponents([0, 0], [0, 1], score="variance")
    with pytest.raises(InvalidInputError, match="features of the items or distances must be given"):
        score_subcomponents([0, 0], [0, 1], score="mse")
