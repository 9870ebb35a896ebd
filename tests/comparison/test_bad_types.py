"""Whatever is passed, the answer is a value or an error of the family."""

import numpy as np
import pytest

import dendrometry as dm

TREE = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]])
MATRIX = dm.pairwise_matrix([TREE, TREE])
SERIES = dm.stages(TREE, TREE)
MATCHES = dm.best_matches(TREE, TREE)

CALLS = {
    "a list as a measure": (lambda: dm.compare(TREE, TREE, measures=[["x"]]), r"must be among .*; got '\['x'\]'"),
    "a number as measures": (
        lambda: dm.compare(TREE, TREE, measures=3),
        "measures must be a sequence of names.* got 3",
    ),
    "one name as measures": (
        lambda: dm.compare(TREE, TREE, measures="classic_f"),
        "measures must be a sequence of names",
    ),
    "a list as the measure": (
        lambda: dm.permutation_test(TREE, TREE, ["x"]),
        "measure must be one of ",
    ),
    "a list as the measure of a matrix": (
        lambda: dm.pairwise_matrix([TREE], ["x"]),
        "measure must be one of ",
    ),
    "a list as the clock": (lambda: dm.item_disagreement(TREE, TREE, clock=["x"]), "clock must be 'size', 'rank'"),
    "a list as ties": (lambda: dm.stages(TREE, TREE, ties=["x"]), "ties must be 'together' or 'order'"),
    "a number of trees": (lambda: dm.pairwise_matrix(5), "a mapping or a sequence of trees; got int"),
    "no trees": (lambda: dm.pairwise_matrix(None), "a mapping or a sequence of trees; got NoneType"),
    "a negative seed": (lambda: dm.permutation_test(TREE, TREE, rng=-1), "rng must be a numpy Generator, .*; got -1"),
    "text as a seed": (lambda: dm.permutation_test(TREE, TREE, rng="x"), "rng must be a numpy Generator"),
    "a broken seed": (lambda: dm.permutation_test(TREE, TREE, rng=1.5), "rng must be a numpy Generator"),
    "an old source": (
        lambda: dm.permutation_test(TREE, TREE, rng=np.random.RandomState(0)),
        "rng must be a numpy Generator",
    ),
    "a truth value as a seed": (lambda: dm.permutation_test(TREE, TREE, rng=True), "rng must be a numpy Generator"),
    "a truth value as a number": (
        lambda: dm.permutation_test(TREE, TREE, n_permutations=True),
        "n_permutations must be",
    ),
    "a truth value as jobs": (lambda: dm.pairwise_matrix([TREE], n_jobs=True), "n_jobs must be"),
    "an array as a matrix": (lambda: dm.comparison.far_from_all(np.eye(4)), "takes a Matrix; got ndarray"),
    "text as a fence": (
        lambda: dm.comparison.far_from_all(MATRIX, fence="1"),
        "fence must be a finite number, at least 0; got '1'",
    ),
    "an infinite fence": (
        lambda: dm.comparison.far_from_all(MATRIX, fence=np.inf),
        "fence must be a finite number, at least 0; got inf",
    ),
    "a negative fence": (
        lambda: dm.comparison.far_from_all(MATRIX, fence=-1),
        "fence must be a finite number, at least 0; got -1",
    ),
    "no overlap": (lambda: dm.comparison.compare_overlap(None), "takes an Overlap; got NoneType"),
    "text as a level": (
        lambda: SERIES.fowlkes_mallows_limit("x"),
        "alpha must be a number, above 0 and below 1; got 'x'",
    ),
    "no partitions": (lambda: dm.levels.stages_of_partitions(None, None), "must be a sequence; got NoneType"),
    "a generator": (
        lambda: dm.levels.stages_of_partitions(([0] for _ in "x"), [[0]]),
        "must be a sequence; got generator",
    ),
    "a row beyond the last": (lambda: MATCHES.missing_items(99), "row must be a whole number from 0 to 4; got 99"),
    "a row before the first": (lambda: MATCHES.extra_items(-1), "row must be a whole number from 0 to 4; got -1"),
    "a truth value as a row": (lambda: MATCHES.missing_items(True), "row must be a whole number from 0 to 4; got True"),
    "a broken number of items": (
        lambda: dm.item_disagreement(TREE, TREE).worst(2.5),
        "most must be a whole number from 0 on; got 2.5",
    ),
    "a negative number of items": (
        lambda: dm.item_disagreement(TREE, TREE).worst(-1),
        "most must be a whole number from 0 on; got -1",
    ),
    "an array as classes": (
        lambda: dm.hierarchical_f(TREE, TREE, classes=np.array(["all", "all"])),
        "classes must be",
    ),
    "an array as on_mismatch": (
        lambda: dm.compare(TREE, TREE, on_mismatch=np.array(["error", "error"])),
        "on_mismatch must be 'error', 'intersect' or 'intersect_any'",
    ),
    "text as a row": (lambda: MATCHES.extra_items("x"), "row must be a whole number from 0 to 4; got 'x'"),
}


@pytest.mark.parametrize("name", CALLS)
def test_is_refused_with_what_came(name):
    call, message = CALLS[name]
    with pytest.raises(dm.errors.InvalidInputError, match=message):
        call()
