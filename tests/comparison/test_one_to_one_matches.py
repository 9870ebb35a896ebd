"""The matching shown is one to one, and adds up to the measure."""

import pytest
from hypothesis import given

import dendrometry as dm
from dendrometry.comparison import one_to_one_matches
from dendrometry.generate import random_tree
from dendrometry.measures import matching_cluster, mutual_clustering_information
from tests.oracles.measures.trees.mutual_clustering_information import information
from tests.oracles.measures.trees.proper_clusters import proper_clusters
from tests.oracles.sets.trees import clusters, plain
from tests.strategies import hierarchy_pairs


@pytest.mark.parametrize("by", ["matching_cluster", "mutual_clustering_information"])
@given(pair=hierarchy_pairs(max_items=9))
def test_matching_adds_up_to_the_measure(by, pair):
    a, b = pair
    found = one_to_one_matches(a, b, by=by)
    plain_a, plain_b = plain(a, a.items), plain(b, a.items)
    x, y = [clusters(plain_a)[v] for v in found.node], [clusters(plain_b)[v] for v in found.match]
    in_a, in_b = proper_clusters(plain_a), proper_clusters(plain_b)
    assert set(x) <= in_a
    assert set(y) <= in_b
    assert len(set(x)) == len(set(y)) == len(found) == min(len(in_a), len(in_b))
    assert found.common.tolist() == [len(u & v) for u, v in zip(x, y, strict=True)]
    if by == "matching_cluster":
        left = sum(map(len, in_a - set(x))) + sum(map(len, in_b - set(y)))
        assert matching_cluster(a, b) == left + sum(len(u ^ v) for u, v in zip(x, y, strict=True))
    else:
        value = sum(information(u, v, a.n_items) for u, v in zip(x, y, strict=True))
        assert mutual_clustering_information(a, b) == pytest.approx(value, abs=1e-9)


def test_shared_clusters_are_matched_with_themselves_and_shown_by_name():
    a, b = dm.from_newick("(((ape,cat),elk),owl);"), dm.from_newick("((ape,cat),(elk,owl));")
    found = one_to_one_matches(a, b)
    assert found.to_markdown().splitlines()[2].startswith("| 2 items, such as ape | 2 items, such as ape |")
    assert found.missing_items(1) == ("ape", "cat")
    assert found.extra_items(1) == ("owl",)


def test_trees_without_clusters_have_no_matches():
    star = dm.from_newick("(a,b,c);")
    assert repr(one_to_one_matches(star, star)) == "Matches(0 clusters, 0 found exactly)"
    assert len(one_to_one_matches(star, star).to_frame()) == 0


def test_refuses_an_unknown_measure_and_too_many_clusters():
    a, b = random_tree(5_100, rng=0), random_tree(5_100, rng=1)
    with pytest.raises(
        dm.errors.InvalidInputError, match=r"at most 5,000 clusters that the other lacks.*; got 5,0\d\d"
    ):
        one_to_one_matches(a, b)
    result = dm.compare(a, b, measures=["matching_cluster", "mutual_clustering_information"])
    assert all(line.reason.startswith("each tree must have at most 5,000 clusters") for line in result.lines)
    with pytest.raises(dm.errors.InvalidInputError, match="by must be"):
        one_to_one_matches(a, a, by="size")


def test_cost_grows_with_the_clusters_that_differ():
    measure = dm.MEASURES["matching_cluster"]
    a, b = random_tree(300, rng=0), random_tree(300, rng=1)
    assert measure.estimate_seconds(a, a) == 0.0
    assert 0.0 < measure.estimate_seconds(a, b) < 1.0
    assert matching_cluster(a, a) == 0.0


def test_matching_by_information_is_told_to_take_longer_than_by_items():
    """Real weights hardly ever tie, and then the steps are cubic: 0.46 s of a core were measured at 1,000 items."""
    a, b = random_tree(2_000, rng=0), random_tree(2_000, rng=1)
    by_items, by_information = (
        dm.MEASURES[name].estimate_seconds(a, b) for name in ("matching_cluster", "mutual_clustering_information")
    )
    assert by_items < 1.0 < by_information < 9.0
