"""A series of partitions scored against one truth: wrong arguments."""

import pytest

from dendrometry.errors import InvalidInputError
from dendrometry.partition import score_series

A, B = [0, 0, 1], [0, 1, 1]


@pytest.mark.parametrize(
    ("labelings", "measures", "why"),
    [
        ([B], [["rand"]], "measures must be among 'rand'"),
        ([B], 3, "measures must be a sequence of names.*; got 3"),
        ([B], "rand", r"such as \['rand'\]; got 'rand'"),
        (3, None, "partitions must be an iterable of partitions; got 3"),
    ],
)
def test_wrong_arguments_are_refused(labelings, measures, why):
    with pytest.raises(InvalidInputError, match=why):
        score_series(A, labelings, measures=measures)
