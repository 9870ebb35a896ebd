"""What nobody should pass: every wrong argument is told by an error of the family, without a warning."""

import math

import numpy as np
import pytest

from dendrometry import Contingency, from_newick, split_merge
from dendrometry.errors import InvalidInputError
from dendrometry.generate import worsen
from dendrometry.levels import profile
from dendrometry.partition import decompose, score_series

A, B = [0, 0, 1], [0, 1, 1]
TREE = from_newick("((x:1,y:1):1,z:2);")
TWO = np.array(["label", "drop"])
MISSING = np.array(["a", None, "b"], dtype=np.dtypes.StringDType(na_object=None))


class Unwilling:
    """An object that refuses to become an array, with an error of its own."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("not today")


def chart(measure, **options):
    return profile(TREE, TREE, measure, **options)


CASES = {
    "a missing text": (lambda: Contingency.of(MISSING, B), "no missing label; got None at position 1"),
    "halves of 16 bits": (lambda: Contingency.of(np.float16([1, 0.5, 2]), B), "whole numbers; got 0.5 at position 1"),
    "arrays as labels": (lambda: Contingency.of([np.zeros(1), np.zeros(2), 3], B), "all booleans; got int and ndarray"),
    "an unwilling object": (lambda: Contingency.of(Unwilling(), B), "one label for each item; got not today"),
    "noise in an array": (lambda: Contingency.of(A, B, noise=TWO), "noise must be 'label', 'singletons' or 'drop'"),
    "no triples": (lambda: Contingency.from_triples(None), "triples must be a sequence of .*; got None"),
    "numbers for triples": (lambda: Contingency.from_triples([1, 2, 3]), "triples must be .*; got 1 in row 0"),
    "ragged counts": (lambda: Contingency.from_counts([[1, 2], [3]]), "a table of counts must be an array of numbers"),
    "no counts": (lambda: Contingency.from_counts(None), "a table of counts must be an array of numbers"),
    "ragged features": (lambda: split_merge(A, B, score="mse", features=[[1], [1, 2], [3]]), "features must be"),
    "combine in an array": (lambda: split_merge(A, B, combine=TWO), "combine must be 'product' or 'mean'"),
    "a measure in a list": (
        lambda: score_series(A, [B], measures=[["rand"]]),
        "measures must be among 'rand'",
    ),
    "a number of measures": (lambda: score_series(A, [B], measures=3), "measures must be a sequence of names.*; got 3"),
    "one name": (lambda: score_series(A, [B], measures="rand"), r"as in measures=\['rand'\]; got 'rand'"),
    "no labelings": (lambda: score_series(A, 3), "labelings must be an iterable of partitions; got 3"),
    "a word as seed": (lambda: worsen(A, rng="x"), "rng must be a numpy Generator, .*; got 'x'"),
    "a seed below 0": (lambda: worsen(A, rng=-1), "rng must be a numpy Generator, .*; got -1"),
    "half a seed": (lambda: worsen(A, rng=1.5), "rng must be a numpy Generator, .*; got 1.5"),
    "a number for a measure": (
        lambda: chart(3, n_clusters=[2]),
        "measure must be 'rand', .*; got 3",
    ),
    "ragged stages": (
        lambda: chart("rand", n_clusters=[[1], [1, 2]]),
        "n_clusters, the numbers of clusters, must be an array",
    ),
    "a word as value": (lambda: chart(lambda table: "x", n_clusters=[2]), "the measure must return a number; got x"),
    "nan as value": (
        lambda: chart(lambda table: math.nan, n_clusters=[2]),
        "the measure must return a number; got nan",
    ),
    "ties in an array": (lambda: chart("rand", ties=TWO), "ties must be 'together' or 'order'"),
    "a table and a name": (lambda: decompose(Contingency.of(A, B), "rand"), "use measure='rand'"),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_arguments_are_told(case):
    call, why = CASES[case]
    with pytest.raises(InvalidInputError, match=why):
        call()


def test_counts_of_16_bits_are_taken_without_a_warning():
    assert Contingency.from_counts(np.array([[1, 2], [3, 0]], dtype=np.float16)).count.tolist() == [1, 2, 3]
