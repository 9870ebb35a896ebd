"""Decompositions: every component scores as the measure on its items alone, and all adds up."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.oracles import partition as oracle
from tests.partition.exhaustive import representatives

import dendrometry
from dendrometry import Contingency, InvalidInputError, decompose, split_merge
from dendrometry.partition.registry import PARTITION_MEASURES

K = 6


def definition(name):
    """The measure as the oracle has it, with the bound K where one is needed."""
    if name == "bounded_variation_similarity":
        return lambda a, b: oracle.bounded_variation_similarity(a, b, K)
    return getattr(oracle, name)


def expected_weights(name: str, sizes: list[int]) -> tuple[list[float], float]:
    """Weights and offset as in Table 1 of the paper; a single item weighs 1."""
    n = sum(sizes)
    if n == 1:
        return [1.0], 0.0
    if name == "rand":
        weights = [Fraction(s * (s - 1), n * (n - 1)) for s in sizes]
        return list(map(float, weights)), float(1 - sum(weights))
    if name == "variation_similarity":
        weights = [s * math.log(s) / (n * math.log(n)) for s in sizes]
        return weights, 1 - math.fsum(weights)
    offset = math.log(n) - math.fsum(s / n * math.log(s) for s in sizes) if name == "mutual_information" else 0.0
    return [s / n for s in sizes], offset


DECOMPOSED = [name for name, measure in PARTITION_MEASURES.items() if measure.decomposable]


@pytest.mark.parametrize("name", DECOMPOSED)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_components_score_as_on_their_items_alone_and_add_up(name, n):
    options = {"k": K} if name == "bounded_variation_similarity" else {}
    measure = definition(name)
    for a, b in representatives(n):
        parts = decompose(a, b, name, **options)
        components = oracle.join(a, b)
        weights, offset = expected_weights(name, list(map(len, components)))
        assert parts.size.tolist() == list(map(len, components))
        assert parts.weight == pytest.approx(weights, abs=1e-14)
        assert parts.offset == pytest.approx(offset, abs=1e-14)
        alone = [float(measure(oracle.restricted(a, x), oracle.restricted(b, x))) for x in components]
        assert parts.score == pytest.approx(alone, abs=1e-12)
        assert parts.value == pytest.approx(float(measure(a, b)), abs=1e-12)
        assert parts.value == pytest.approx(getattr(dendrometry, name)(a, b, **options), abs=1e-14)
        assert parts.contribution.sum() + parts.offset == pytest.approx(parts.value, abs=1e-14)


def test_rational_measures_add_up_exactly_in_fractions():
    for a, b in representatives(6):
        components = oracle.join(a, b)
        for name in ("rand", "van_dongen", "classification_accuracy"):
            measure = getattr(oracle, name)
            scores = [measure(oracle.restricted(a, x), oracle.restricted(b, x)) for x in components]
            size = [Fraction(len(x), 6) for x in components]
            if name == "rand":
                size = [Fraction(len(x) * (len(x) - 1), 30) for x in components]
            rest = 1 - sum(size)
            assert sum(w * s for w, s in zip(size, scores, strict=True)) + rest == measure(a, b)


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


def test_large_counts_decompose_without_overflow():
    table = Contingency.from_counts([[2**40, 3, 0], [0, 2**40, 0], [0, 0, 5]])
    for name in ("rand", "van_dongen", "classification_accuracy", "variation_of_information", "split_merge"):
        assert decompose(table, measure=name).value == pytest.approx(getattr(dendrometry, name)(table), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in PARTITION_MEASURES if name not in DECOMPOSED] + ["gini"])
def test_refuses_measures_that_have_no_decomposition(name):
    with pytest.raises(InvalidInputError, match=f"can be taken apart is one of rand, .*split_merge; got {name}"):
        decompose([0, 0, 1], [0, 1, 1], name)


def test_refuses_what_is_no_name_of_a_measure():
    for bad in (None, ["rand"], 3):
        with pytest.raises(InvalidInputError, match="a measure that can be taken apart is one of rand"):
            decompose([0, 0, 1], [0, 1, 1], bad)


def test_refuses_a_bound_that_is_missing():
    with pytest.raises(InvalidInputError, match="k must be a whole number"):
        decompose([0, 0, 1], [0, 1, 1], "bounded_variation_similarity")
