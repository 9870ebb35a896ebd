"""All measures of partitions at once: every pair in every order of items, and what nearly equal partitions score."""

import pytest

from dendrometry import Contingency
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from tests.measures.partitions.exhaustive import representatives
from tests.measures.partitions.judge import assert_defined
from tests.oracles.measures.definition import definition
from tests.oracles.sets.partitions import partitions


def overlaps(a, b):
    """The sizes of every pair of clusters that overlap, and the size of the overlap, in order."""
    cells = list(zip(a, b, strict=True))
    return tuple(sorted((a.count(i), b.count(j), cells.count((i, j))) for i, j in set(cells)))


@pytest.mark.further
@pytest.mark.parametrize(("n", "least"), [(4, 33), (5, 91), (6, 298)])
def test_few_pairs_stand_for_all(n, least):
    """There are 33, 91 and 298 tables of counts up to the order of rows and columns (sequence A007716)."""
    chosen = representatives(n)
    assert least <= len(chosen) < 1.25 * least
    every = partitions(n)
    assert {overlaps(a, b) for a, b in chosen} == {overlaps(a, b) for a in every for b in every}


@pytest.mark.parametrize(
    "n", [1, 2, 3, pytest.param(4, marks=pytest.mark.further), pytest.param(5, marks=pytest.mark.slow)]
)
def test_all_pairs_of_partitions_match_the_definitions(n):
    every = partitions(n)
    for a in every:
        for b in every:
            for name in PARTITION_MEASURES:
                assert_defined(name, a, b)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTITION_MEASURES)
def test_all_41209_pairs_of_partitions_of_6_items_match(name):
    every = partitions(6)
    assert len(every) == 203
    for a in every:
        for b in every:
            assert_defined(name, a, b)


def test_nearly_equal_is_never_rounded_to_equal():
    table = Contingency.from_triples([("x", 0, 2**62), ("x", 1, 1)])
    for name in PARTITION_MEASURES:
        measure = MEASURES[name]
        value = measure.of_table(table, 2)
        if measure.kind == "similarity":
            # 0 where one cluster tells nothing, 1 where the parts of a cluster are pure
            assert 0.0 < value < 1.0 or value == float(definition(name, "partitions")([0] * 4, [0, 0, 0, 1])), name
