"""Decompositions: every component scores as the measure on its items alone, and all adds up."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.measures.partitions.exhaustive import representatives
from tests.oracles.measures.definition import definition
from tests.oracles.sets import partitions as oracle

from dendrometry import Contingency, split_merge
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from dendrometry.partition import decompose

K = 6


def value_of(name):
    """The measure as it is defined, with the bound K where one is needed."""
    options = {"max_clusters": K} if MEASURES[name].needs_bound else {}
    return lambda a, b: definition(name, "partitions")(a, b, **options)


def entropies(name, a, b):
    """The entropies, times n, that are divided among the components: of the classes, of the clusters, or of both."""
    sides = {"homogeneity": [a], "completeness": [b], "v_measure": [a, b]}[name]
    return len(a) * sum(oracle.entropy(oracle.clusters(side)) for side in sides)


def pair_weight(name, a, b):
    """The pairs together on one side, times the share of all pairs that are apart on the other."""
    pairs = list(combinations(range(len(a)), 2))
    own, other = (a, b) if name == "adjusted_wallace_ab" else (b, a)
    n_own = sum(own[i] == own[j] for i, j in pairs)
    return Fraction(n_own * sum(other[i] != other[j] for i, j in pairs), max(len(pairs), 1))


def beyond_chance(a, b):
    """1 less the agreement of independent categories, which follows from kappa and the share of matched items."""
    kappa, share = (Fraction(value_of(name)(a, b)) for name in ("matched_kappa", "classification_accuracy"))
    if kappa < 1:
        return ((1 - share) / (1 - kappa)).limit_denominator(len(a) ** 2)
    return 1 - sum(Fraction(len(x), len(a)) ** 2 for x in oracle.clusters(a))


def expected_weights(name, a, b) -> tuple[list[float], float]:
    """Weights and offset as in Table 1 of the paper, or shares in the entropy; a single item weighs 1."""
    components = oracle.join(a, b)
    sizes, n = list(map(len, components)), len(a)
    if n == 1:
        return [1.0], 0.0
    if name in ("homogeneity", "completeness", "v_measure"):
        whole = entropies(name, a, b)
        parts = [entropies(name, oracle.restricted(a, x), oracle.restricted(b, x)) for x in components]
        weights = [part / whole for part in parts] if whole else [1.0]
        return weights, 1 - math.fsum(weights)
    if name.startswith("adjusted_wallace"):
        whole = pair_weight(name, a, b)
        if whole == 0:
            alone = len(components) == 1
            return [1.0 if alone else 0.0] * len(components), 0.0 if alone else float(value_of(name)(a, b))
        weights = [pair_weight(name, oracle.restricted(a, x), oracle.restricted(b, x)) / whole for x in components]
        return list(map(float, weights)), float(1 - sum(weights))
    if name == "matched_kappa":
        whole = beyond_chance(a, b)
        parts = [beyond_chance(oracle.restricted(a, x), oracle.restricted(b, x)) for x in components]
        weights = [Fraction(s, n) * part / whole for s, part in zip(sizes, parts, strict=True)] if whole else [1]
        return list(map(float, weights)), float(1 - sum(weights))
    if name == "rand":
        weights = [Fraction(s * (s - 1), n * (n - 1)) for s in sizes]
        return list(map(float, weights)), float(1 - sum(weights))
    if name == "variation_similarity":
        weights = [s * math.log(s) / (n * math.log(n)) for s in sizes]
        return weights, 1 - math.fsum(weights)
    offset = math.log(n) - math.fsum(s / n * math.log(s) for s in sizes) if name == "mutual_information" else 0.0
    return [s / n for s in sizes], offset


DECOMPOSED = [name for name in PARTITION_MEASURES if MEASURES[name].decompose is not None]


@pytest.mark.parametrize("name", DECOMPOSED)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.further
def test_components_score_as_on_their_items_alone_and_add_up(name, n):
    bound = K if MEASURES[name].needs_bound else None
    options = {} if bound is None else {"max_clusters": bound}
    measure = value_of(name)
    for a, b in representatives(n):
        parts = decompose(a, b, name, **options)
        components = oracle.join(a, b)
        weights, offset = expected_weights(name, a, b)
        assert parts.size.tolist() == list(map(len, components))
        assert parts.weight == pytest.approx(weights, abs=1e-14)
        assert parts.offset == pytest.approx(offset, abs=1e-14)
        alone = [float(measure(oracle.restricted(a, x), oracle.restricted(b, x))) for x in components]
        assert parts.score == pytest.approx(alone, abs=1e-12)
        assert parts.value == pytest.approx(float(measure(a, b)), abs=1e-12)
        assert parts.value == MEASURES[name].of_table(Contingency.of(a, b), bound)
        assert parts.contribution.sum() + parts.offset == pytest.approx(parts.value, abs=1e-14)


@pytest.mark.parametrize("name", ["rand", "van_dongen", "classification_accuracy"])
def test_rational_measures_have_the_fractions_of_the_definition(name):
    """Weights, scores and offset are the floats next to the exact fractions, which add up to the measure exactly."""
    measure = value_of(name)
    for a, b in representatives(5):
        components = oracle.join(a, b)
        scores = [measure(oracle.restricted(a, x), oracle.restricted(b, x)) for x in components]
        weights = [Fraction(len(x), 5) for x in components]
        if name == "rand":
            weights = [Fraction(len(x) * (len(x) - 1), 20) for x in components]
        exact = sum(w * s for w, s in zip(weights, scores, strict=True)) + 1 - sum(weights)
        assert exact == measure(a, b)
        parts = decompose(a, b, name)
        assert parts.weight.tolist() == list(map(float, weights))
        assert parts.score == pytest.approx(list(map(float, scores)), rel=3e-16)
        assert parts.offset == pytest.approx(float(1 - sum(weights)), abs=3e-16)
        assert parts.value == float(exact)


@pytest.mark.further
@pytest.mark.parametrize("name", DECOMPOSED)
def test_components_score_0_and_1_exactly_where_the_measure_does(name):
    measure = MEASURES[name]
    for a, b in representatives(5):
        parts = decompose(a, b, name, **({"max_clusters": K} if measure.needs_bound else {}))
        for found, x in zip(parts.score.tolist(), oracle.join(a, b), strict=True):
            alone = measure.of_table(Contingency.of(oracle.restricted(a, x), oracle.restricted(b, x)), K)
            assert (found == 0.0, found == 1.0) == (alone == 0.0, alone == 1.0)


def test_bounds_are_met_exactly():
    assert decompose([0, 1, 2], [0, 0, 0], "variation_similarity").value == 0.0
    assert decompose([0, 1, 2], [0, 0, 0], "variation_similarity").score.tolist() == [0.0]
    independent = [0, 0, 1, 1, 5], [0, 1, 0, 1, 5]
    assert decompose(*independent, "mutual_information").score.tolist() == [0.0, 0.0]
    grid = [i // 3 for i in range(9)], [i % 3 for i in range(9)]
    assert decompose(*grid, "bounded_variation_similarity", max_clusters=3).score.tolist() == [0.0]
    assert decompose(*grid, "variation_similarity").score.tolist() == [0.0]


@pytest.mark.parametrize("combine", ["product", "mean"])
@pytest.mark.parametrize("score", ["entropy", "max_overlap", "mse"])
def test_costs_of_splits_merges_and_overlaps_add_up_to_the_loss(score, combine):
    for a, b in representatives(5):
        options = {"score": score, "combine": combine}
        if score == "mse":
            options["features"] = [3, 1, 4, 1, 5]
        parts = decompose(a, b, "split_merge", **options)
        loss = 1 - split_merge(a, b, **options)
        for costs in (parts.clusters, parts.overlaps):
            assert math.fsum(costs.cost) == pytest.approx(loss, abs=1e-12)
            assert (np.diff(costs.cost) <= 0).all()
            assert (costs.cost >= 0).all()
        assert math.fsum(parts.loss) == pytest.approx(loss, abs=1e-12)


def test_costs_say_which_split_and_which_merge():
    truth = ["cats"] * 8 + ["dogs"] * 4 + ["owls"] + ["bats"] * 2
    found = [1] * 4 + [2] * 4 + [3] * 4 + [4] + [4] * 2
    parts = decompose(truth, found)
    assert parts.clusters.what[:2] == ("split", "merge")
    assert parts.clusters.label[:2] == ("cats", 4)
    assert parts.clusters.parts[:2].tolist() == [2, 2]
    assert parts.clusters.size[:2].tolist() == [8, 3]
    assert parts.clusters.cost[0] == pytest.approx(8 / 15 * (1 - 2 / 3))
    merged = 2 * math.log(2) / (3 * math.log(3))
    assert parts.clusters.cost[1] == pytest.approx(3 / 15 * (1 - merged))
    assert parts.clusters.cost[2:].tolist() == [0.0] * 6
    assert parts.overlaps.label[:2] == (("cats", 1), ("cats", 2))
    assert parts.overlaps.what[0] == "overlap"
    assert repr(parts) == f"Decomposition(split_merge = {parts.value:.6g} over 3 components)"


@pytest.mark.parametrize("name", DECOMPOSED)
@pytest.mark.parametrize(
    "counts",
    [
        [[2**40, 3, 0], [0, 2**40, 0], [0, 0, 5]],
        [[2**63 - 1]],
        [[2**62, 2**62 - 1]],
        [[2**61, 2**61], [2**61, 2**61 - 1]],
        [[2**62, 0], [0, 2**62 - 1]],
    ],
)
def test_large_counts_decompose_without_overflow(name, counts):
    measure, table = MEASURES[name], Contingency.from_counts(counts)
    k = 5 if measure.needs_bound else None
    parts = decompose(table, measure=name, **({} if k is None else {"max_clusters": k}))
    assert parts.value == measure.of_table(table, k)
    assert math.fsum([*parts.contribution, parts.offset]) == pytest.approx(parts.value, abs=1e-12)
    assert (parts.score >= min(measure.lower, 0.0)).all()
    same = np.bincount(parts.graph.component_cell) == 1
    if measure.kind == "similarity":
        assert (parts.score[same] == 1.0).all()
    if measure.kind == "similarity" and measure.symmetric:
        assert (parts.score[~same] < 1.0).all()


MEANS = [
    "van_dongen",
    "classification_accuracy",
    "matched_kappa",
    "variation_of_information",
    "split_merge",
    "homogeneity",
    "completeness",
    "v_measure",
    "b_cubed_precision",
    "b_cubed_recall",
    "element_centric",
    "purity",
]


@pytest.mark.parametrize("name", MEANS)
def test_the_scores_of_items_and_of_clusters_have_the_measure_as_their_mean(name):
    for n in range(1, 6):
        for a, b in representatives(n):
            parts = decompose(a, b, name)
            assert parts.item_score.mean() == pytest.approx(parts.value, abs=1e-12)
            for labels, scores in ((a, parts.cluster_score_a), (b, parts.cluster_score_b)):
                means = [parts.item_score[sorted(x)].mean() for x in sorted(oracle.clusters(labels), key=min)]
                assert scores == pytest.approx(means, abs=1e-12)


def test_scores_of_items_are_those_of_the_definitions():
    for a, b in representatives(5):
        in_a, in_b = ([next(x for x in oracle.clusters(labels) if i in x) for i in range(5)] for labels in (a, b))
        both = [len(x & y) for x, y in zip(in_a, in_b, strict=True)]
        expected = {
            "b_cubed_precision": [m / len(y) for m, y in zip(both, in_b, strict=True)],
            "b_cubed_recall": [m / len(x) for m, x in zip(both, in_a, strict=True)],
            "element_centric": [m / max(len(x), len(y)) for m, x, y in zip(both, in_a, in_b, strict=True)],
        }
        for name, scores in expected.items():
            assert decompose(a, b, name).item_score.tolist() == scores


def test_adjusted_wallace_of_a_cluster_is_that_of_its_pairs():
    for a, b in representatives(5):
        for name, own, other in (("adjusted_wallace_ab", a, b), ("adjusted_wallace_ba", b, a)):
            parts, pairs = decompose(a, b, name), list(combinations(range(5), 2))
            by_chance = Fraction(sum(other[i] == other[j] for i, j in pairs), 10)
            scores = parts.cluster_score_a if own is a else parts.cluster_score_b
            for cluster, score in zip(sorted(oracle.clusters(own), key=min), scores.tolist(), strict=True):
                inside = list(combinations(sorted(cluster), 2))
                if not inside:
                    assert score == 1.0
                elif by_chance == 1:
                    assert score == parts.value
                else:
                    kept = Fraction(sum(other[i] == other[j] for i, j in inside), len(inside))
                    assert score == pytest.approx(float((kept - by_chance) / (1 - by_chance)), abs=1e-14)
            if parts.item_weight.any():
                mean = np.average(parts.item_score, weights=parts.item_weight)
                assert mean == pytest.approx(parts.value, abs=1e-14)


def test_the_homogeneity_of_a_cluster_is_one_less_its_share_of_the_entropy():
    classes, clusters = ["x", "x", "y", "y"], [1, 1, 2, 2]
    assert decompose(classes, clusters, "homogeneity").cluster_score_b.tolist() == [1.0, 1.0]
    mixed = decompose(classes, [1, 2, 2, 3], "homogeneity")
    assert mixed.cluster_score_b == pytest.approx([1.0, 0.0, 1.0])
    assert mixed.item_score == pytest.approx([1.0, 0.0, 0.0, 1.0])
    assert decompose([1, 2, 2, 3], classes, "completeness").cluster_score_a == pytest.approx([1.0, 0.0, 1.0])


def test_the_purity_of_a_cluster_is_the_share_of_its_most_frequent_class():
    parts = decompose(["x", "x", "y", "y", "z", "x"], [1, 1, 1, 2, 2, 3], "purity")
    assert parts.graph.table.label_b.tolist() == [1, 2, 3]
    assert parts.cluster_score_b == pytest.approx([2 / 3, 1 / 2, 1])


def test_a_measure_that_is_no_mean_over_items_has_no_scores_of_items():
    for name in ("rand", "mutual_information"):
        with pytest.raises(UndefinedMeasureError, match=f"{name} is not a mean over items; see contribution"):
            _ = decompose([0, 0, 1], [0, 1, 1], name).item_score
    with pytest.raises(InvalidInputError, match="made from labels of items; it was made from counts"):
        _ = decompose(Contingency.from_counts([[1, 2]]), measure="purity").item_score


def test_van_dongen_of_the_largest_tables():
    for counts, expected in (([[2**63 - 1]], 1.0), ([[2**62, 2**62 - 1]], 0.75)):
        assert decompose(Contingency.from_counts(counts), measure="van_dongen").score.tolist() == [expected]


def test_the_loss_of_a_distance_is_what_it_measures():
    parts = decompose([0, 0, 1, 1], [0, 1, 2, 2], "variation_of_information")
    assert parts.loss == pytest.approx([math.log(2) / 2, 0.0])
    assert math.fsum(parts.loss) == pytest.approx(parts.value)
    with pytest.raises(UndefinedMeasureError, match="loss is undefined for mutual_information"):
        _ = decompose([0, 0, 1, 1], [0, 1, 2, 2], "mutual_information").loss


def test_costs_are_shown_by_the_costliest():
    parts = decompose([0, 0, 0, 0, 1, 1], ["x", "x", "y", "y", "z", "z"])
    assert repr(parts.clusters) == "Costs(5 in all, the costliest: split 0, 0.333333)"
    assert repr(parts.overlaps) == "Costs(3 in all, the costliest: overlap (0, 'x'), 0.166667)"


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("rand", {"max_clusters": 3}, "the options must be those of rand: none; got max_clusters"),
        ("split_merge", {"max_clusters": 3}, "score, combine, features, distances; got max_clusters"),
        ("rand", {"score": "zzz"}, "those of rand: none; got score"),
        ("bounded_variation_similarity", {"score": max}, "bounded_variation_similarity: max_clusters; got score"),
        ("van_dongen", {"combine": "mean"}, "those of van_dongen: none; got combine"),
        ("van_dongen", {"features": [1, 2, 3]}, "those of van_dongen: none; got features"),
    ],
)
def test_refuses_options_of_other_measures(name, options, why):
    with pytest.raises(InvalidInputError, match=why):
        decompose([0, 0, 1], [0, 1, 1], name, **options)


def test_says_how_the_measure_of_a_table_is_named():
    table = Contingency.of([0, 0, 1], [0, 1, 1])
    with pytest.raises(InvalidInputError, match="use measure='rand'"):
        decompose(table, "rand")
    assert decompose(table, measure="rand").value == pytest.approx(1 / 3)


def test_a_function_is_asked_once_about_each_cluster():
    asked = []
    decompose([0, 0, 1, 1], [0, 0, 0, 1], score=lambda cluster, parts: asked.append(len(cluster)) or 1.0)
    assert asked == [2, 2, 3]


@pytest.mark.parametrize("name", [name for name in PARTITION_MEASURES if name not in DECOMPOSED] + ["gini"])
def test_refuses_measures_that_have_no_decomposition(name):
    with pytest.raises(InvalidInputError, match=f"can be decomposed: 'rand', .*'split_merge', .*; got '{name}'"):
        decompose([0, 0, 1], [0, 1, 1], name)


def test_refuses_what_is_no_name_of_a_measure():
    for bad in (None, ["rand"], 3):
        with pytest.raises(InvalidInputError, match="measure must be one that can be decomposed: 'rand'"):
            decompose([0, 0, 1], [0, 1, 1], bad)


def test_refuses_a_bound_that_is_missing():
    with pytest.raises(InvalidInputError, match="max_clusters must be a whole number"):
        decompose([0, 0, 1], [0, 1, 1], "bounded_variation_similarity")


def test_is_written_as_a_table_with_the_largest_component_first():
    parts = decompose([0, 1, 1, 1, 1], [0, 1, 1, 2, 2], "split_merge")
    frame = parts.to_frame()
    assert frame.columns.tolist() == ["component", "size", "weight", "score", "contribution"]
    assert frame.to_numpy().tolist() == [[1, 4, 0.8, 0.5, 0.4], [0, 1, 0.2, 1.0, 0.2]]
    assert parts.to_markdown().splitlines()[2] == "| 1 | 4 | 0.8 | 0.5 | 0.4 |"
    assert r"1 & 4 & 0.8 & 0.5 & 0.4 \\" in parts.to_latex()
