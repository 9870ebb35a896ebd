"""Worsening series: what happens at each step, and which measures notice."""

from itertools import pairwise

import numpy as np
import pytest
from tests.oracles.sets import partitions as oracle

from dendrometry.errors import InvalidInputError
from dendrometry.generate import worsen
from dendrometry.measures import MEASURES, PARTITION_MEASURES
from dendrometry.partition import score_series

TRUTH = [0] * 9 + [1] * 5 + [2] * 3 + [3] * 2 + [4, 5, 6, 7, 8]


def curve(table, measure: str) -> np.ndarray:
    return table["value"][table["measure"] == measure]


def scored(truth):
    return score_series(truth, (step.labels for step in worsen(truth, rng=0)))


def test_the_largest_cluster_is_halved_until_all_are_alone():
    steps = list(worsen(TRUTH, rng=0))
    assert [step.operation for step in steps] == ["start"] + ["split"] * 15 + ["merge"] * 3
    assert oracle.same(steps[0].labels.tolist(), TRUTH)
    for before, after in pairwise(steps[:16]):
        old, new = (set(oracle.clusters(step.labels.tolist())) for step in (before, after))
        (halved,) = old - new
        one, other = new - old
        assert len(halved) == max(map(len, old))
        assert abs(len(one) - len(other)) <= 1
        assert one | other == halved
    assert set(steps[15].labels.tolist()) == set(range(len(TRUTH)))


def test_true_singletons_are_merged_until_none_is_left():
    steps = list(worsen(TRUTH, rng=0))
    last = oracle.clusters(steps[-1].labels.tolist())
    assert all(len(x) == 1 for x in oracle.overlaps(TRUTH, steps[-1].labels.tolist()))
    assert not set(last) & set(oracle.clusters(TRUTH))
    for pair in ({19, 20}, {21, 22}):
        assert any(pair <= x for x in last)
    assert frozenset({23}) not in last


@pytest.mark.further
@pytest.mark.parametrize("n", range(1, 7))
def test_ends_at_a_worst_partition_whatever_the_truth(n):
    for truth in oracle.partitions(n):
        values = curve(scored(truth), "split_merge")
        assert values[0] == 1.0
        assert (np.diff(values) < 0).all()
        assert n == 1 or values[-1] == 0.0
        assert values.size <= n + 1


def test_only_the_split_merge_similarity_falls_strictly_from_1_to_0_among_the_measures_of_the_paper():
    table = scored(TRUTH)
    flat = {"van_dongen", "classification_accuracy"}
    names = {"rand", "normalized_mutual_information", "variation_similarity", "split_merge"}
    assert {name for name in names | flat if (np.diff(curve(table, name)) < 0).all()} == names
    zero = {name for name in set(table["measure"]) if curve(table, name)[-1] <= 0.0}
    assert zero == {"split_merge", "fowlkes_mallows", "adjusted_rand"}


def test_fowlkes_mallows_reaches_0_too_but_long_before_the_worst():
    """Once all items are alone no pair is left to find: what the merges then break goes unseen."""
    values = curve(scored(TRUTH), "fowlkes_mallows")
    assert values[15:].tolist() == [0.0] * 4


def test_against_one_cluster_other_measures_reach_0_as_well():
    table = scored([0] * 8)
    for name in ("rand", "variation_similarity", "normalized_mutual_information", "split_merge"):
        assert curve(table, name)[-1] == 0.0


def test_the_same_seed_gives_the_same_series():
    truth = [0, 0, 0, 1, 1, 2]
    first, again = (np.array([step.labels for step in worsen(truth, rng=3)]) for _ in range(2))
    assert (first == again).all()
    last = {tuple(list(worsen(truth, rng=seed))[-1].labels.tolist()) for seed in range(40)}
    assert len(last) == 5


def test_the_input_stays_and_every_step_is_a_fresh_read_only_array():
    truth = np.array([0, 0, 1])
    steps = list(worsen(truth))
    assert truth.tolist() == [0, 0, 1]
    assert len({id(step.labels) for step in steps}) == len(steps)
    assert not any(step.labels.flags.writeable for step in steps)


def test_the_table_is_tidy():
    truth = ["a", "a", "b"]
    table = score_series(truth, [truth, [0, 1, 2]], measures=["rand", "bounded_variation_similarity"], max_clusters=3)
    assert table["step"].tolist() == [0, 0, 1, 1]
    assert table["measure"].tolist() == ["rand", "bounded_variation_similarity"] * 2
    assert table["value"][:3].tolist() == [1.0, 1.0, 2 / 3]
    everything = score_series(truth, [[0, 1, 2]])
    shown = [name for name in PARTITION_MEASURES if MEASURES[name].default]
    assert sorted(everything["measure"]) == sorted(shown)
    assert score_series(truth, [])["value"].size == 0


def test_of_clusters_of_the_same_size_the_one_with_the_least_label_is_halved():
    steps = [step.labels.tolist() for step in worsen([1, 1, 1, 1, 0, 0, 0, 0])]
    assert steps[:5] == [
        [1, 1, 1, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 0, 0, 2, 2],
        [1, 1, 3, 3, 0, 0, 2, 2],
        [1, 1, 3, 3, 0, 4, 2, 2],
        [1, 5, 3, 3, 0, 4, 2, 2],
    ]


def test_refuses_bad_truth_at_once_and_unknown_measures():
    with pytest.raises(InvalidInputError, match="the true partition must hold at least one item"):
        worsen([])
    with pytest.raises(InvalidInputError, match=r"measures must be among 'rand', .*; got 'gini'"):
        score_series([0, 0], [[0, 1]], measures=["gini"])


@pytest.mark.parametrize(("rng", "shown"), [("x", "'x'"), (-1, "-1"), (1.5, "1.5")])
def test_refuses_what_is_no_seed(rng, shown):
    with pytest.raises(InvalidInputError, match=f"rng must be a numpy Generator, .*; got {shown}"):
        worsen([0, 0, 1], rng=rng)
