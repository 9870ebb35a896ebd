"""One judgement for every measure of partitions: its value beside its definition, and where it is exactly 0 or 1."""

import pytest
from hypothesis import strategies as st

from dendrometry import MEASURES, Contingency
from dendrometry.errors import InvalidInputError, ItemMismatchError
from tests.oracles.measures.definition import definition
from tests.oracles.sets.partitions import clusters, independent, overlaps, same

RATIONAL = (
    "rand",
    "adjusted_rand",
    "jaccard",
    "adjusted_wallace_ab",
    "adjusted_wallace_ba",
    "van_dongen",
    "classification_accuracy",
    "purity",
    "matched_kappa",
)


def labelings(max_items: int = 40, max_clusters: int = 9) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    """Two lists of labels of the same items."""
    labels = st.integers(0, max_clusters - 1)
    return st.integers(1, max_items).flatmap(
        lambda n: st.tuples(*(st.lists(labels, min_size=n, max_size=n) for _ in range(2)))
    )


def large_table(n: int) -> Contingency:
    """Two clusters on either side of n items, a single one off the staircase."""
    return Contingency.from_triples([("x", 0, n // 3), ("x", 1, n - n // 3 - 1), ("y", 1, 1)])


def meet_alone(a, b) -> bool:
    """Whether no two items are together in both."""
    return all(len(x) == 1 for x in overlaps(a, b))


# Where a measure is exactly 0; those that are not named here are 0 nowhere, or where rounding decides.
ZERO = {
    "rand": lambda a, b: {len(clusters(a)), len(clusters(b))} == {1, len(a)} and len(a) > 1,
    "fowlkes_mallows": lambda a, b: meet_alone(a, b) and not same(a, b),
    "jaccard": lambda a, b: meet_alone(a, b) and not same(a, b),
    "homogeneity": lambda a, b: independent(a, b) and len(set(a)) > 1,
    "completeness": lambda a, b: independent(a, b) and len(set(b)) > 1,
    "v_measure": lambda a, b: independent(a, b) and not same(a, b),
    "van_dongen": lambda a, b: False,
    "classification_accuracy": lambda a, b: False,
    "mutual_information": independent,
    "normalized_mutual_information": lambda a, b: independent(a, b) and not same(a, b),
    "variation_similarity": lambda a, b: independent(a, b) and meet_alone(a, b) and len(a) > 1,
    "split_merge": lambda a, b: meet_alone(a, b) and not set(clusters(a)) & set(clusters(b)),
}


def inside_one(a, b) -> bool:
    """Whether every cluster of the first partition lies inside one of the second."""
    return all(any(x <= y for y in clusters(b)) for x in clusters(a))


# Where a measure is exactly 1; those that are not named here are 1 for the same partition alone.
ONE = {
    "adjusted_wallace_ab": lambda a, b: same(a, b) or (inside_one(a, b) and len(set(a)) < len(a) and len(set(b)) > 1),
    "adjusted_wallace_ba": lambda a, b: ONE["adjusted_wallace_ab"](b, a),
    "homogeneity": lambda a, b: inside_one(b, a),
    "completeness": inside_one,
    "b_cubed_precision": lambda a, b: inside_one(b, a),
    "b_cubed_recall": inside_one,
    "purity": lambda a, b: inside_one(b, a),
}


def assert_defined(name: str, a, b) -> None:
    """Compare a measure with its definition, fractions to the last bit, logarithms to 1e-12; and judge its ends."""
    measure, table = MEASURES[name], Contingency.of(a, b)
    least = max(table.n_a, table.n_b)
    for options in [{"max_clusters": k} for k in (least, least + 1)] if measure.needs_bound else [{}]:
        value, truth = measure.call(table, **options), definition(name, "partitions")(a, b, **options)
        if name in RATIONAL:
            assert value == truth.numerator / truth.denominator, (name, a, b)
        else:
            assert value == pytest.approx(float(truth), abs=1e-12), (name, a, b)
        assert measure.lower <= value <= measure.upper
        assert str(value) != "-0.0"
        if measure.identical is not None:
            assert (value == measure.identical) == ONE.get(name, same)(a, b), (name, a, b)
        if name in ZERO:
            assert (value == 0.0) == ZERO[name](a, b), (name, a, b)


def assert_refuses_bad_labelings(name: str) -> None:
    """Labels that are not one whole number or text for each of the same items are refused."""
    options = {"max_clusters": 9} if MEASURES[name].needs_bound else {}
    cases = [
        (([0, 1], [0]), ItemMismatchError, "one label for each of the same items; got 2 and 1"),
        (([], []), InvalidInputError, "must hold at least one item; got none"),
        (([0, 1], None), InvalidInputError, "must be two partitions, or one Contingency; got a single partition"),
        (([0, 0.5], [0, 1]), InvalidInputError, "whole numbers; got 0.5 at position 1"),
        (([0, 1], [0, float("nan")]), InvalidInputError, "the second partition must hold no missing label; got nan"),
        (([[0, 1]], [[0, 1]]), InvalidInputError, r"one label for each item; got shape \(1, 2\)"),
    ]
    for pair, error, message in cases:
        with pytest.raises(error, match=message):
            MEASURES[name].call(*pair, **options)
