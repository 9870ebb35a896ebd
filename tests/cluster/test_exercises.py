"""The exercises of Introduction to Information Retrieval, chapter 17, that are claims about clusterings."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np
import pytest
from tests.oracles.cluster.persistence import violations

from dendrometry import agglomerate, agglomerate_distances, cut_count, rand
from dendrometry.cluster import bisect, combination_similarity
from dendrometry.cut import cut_counts
from dendrometry.text import vectorize_documents


def subsets(n):
    """Return all sets of items but the empty one."""
    return [frozenset(chosen) for size in range(1, n + 1) for chosen in combinations(range(n), size)]


@pytest.mark.parametrize("n", range(2, 7))
def test_exercise_17_3_group_average_has_a_similarity_for_each_cluster(n):
    """Weights whose sums are all different make every cluster of two items or more a similarity of its own."""
    pairs = {frozenset(pair): 5**at for at, pair in enumerate(combinations(range(n), 2))}
    value = {
        Fraction(sum(w for pair, w in pairs.items() if pair <= union), comb(len(union), 2))
        for union in subsets(n)
        if len(union) > 1
    }
    assert len(value) == 2**n - n - 1


@pytest.mark.parametrize("n", range(2, 7))
def test_exercise_17_3_centroid_has_a_similarity_for_each_pair_of_disjoint_clusters(n):
    weight = {pair: 7**at for at, pair in enumerate(combinations(range(n), 2))}
    value = {
        Fraction(sum(weight[min(i, j), max(i, j)] for i in a for j in b), len(a) * len(b))
        for a, b in combinations(subsets(n), 2)
        if not a & b
    }
    assert len(value) == (3**n - 2 ** (n + 1) + 1) // 2
    links = {
        min(weight[min(i, j), max(i, j)] for i in a for j in b) for a, b in combinations(subsets(n), 2) if not a & b
    }
    assert len(links) == comb(n, 2)  # single link: those of pairs of items, fewer than n^2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("linkage", ["single", "complete", "group_average"])
def test_exercise_17_4_the_history_and_the_cluster_give_one_combination_similarity(linkage, seed):
    X = np.random.default_rng(seed).normal(size=(9, 3))
    similarity = -np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    built = agglomerate_distances(-similarity, linkage=linkage)
    tree, order = built.hierarchy, built.hierarchy.order
    for v in range(9, tree.n_nodes):
        members = np.sort(order.item[order.item_low[v] : order.item_high[v]])
        static = combination_similarity([0] * members.size, similarity[np.ix_(members, members)], linkage=linkage)
        assert built.similarity[v] == pytest.approx(static, abs=1e-12)


def on_a_line(position):
    """Return the distances of points on a line, in whole numbers."""
    return [[abs(int(x) - int(y)) for y in position] for x in position]


def test_exercise_17_6_single_link_is_best_merge_persistent():
    rng = np.random.default_rng(0)
    for _ in range(60):
        d = np.triu(rng.integers(1, 30, (7, 7)), 1)
        assert not violations("single", (d + d.T).tolist())


@pytest.mark.parametrize("linkage", ["complete", "group_average", "centroid"])
def test_exercise_17_6_the_other_linkages_are_not_best_merge_persistent(linkage):
    """A point between a pair and another point: d2 is the best merge of d3 until it is merged with d1."""
    d = on_a_line([0, 10, 25, 41])
    ((third, was, union, now),) = violations(linkage, d)
    assert (third, was, union, now) == ({2}, {1}, {0, 1}, {3})


@pytest.mark.parametrize("linkage", ["complete", "group_average", "centroid"])
def test_exercise_17_6_violations_are_common(linkage):
    rng = np.random.default_rng(1)
    broken = sum(bool(violations(linkage, on_a_line(rng.choice(200, 7, replace=False)))) for _ in range(20))
    assert broken >= 5


ENGLISH = (
    "the bank raised the rate of interest because prices of oil and of wheat are too high",
    "the price of wheat and of corn is high because the harvest of the year was too small",
    "the ship with oil left the port and the price of oil was higher than in the year before",
    "the rate of the bank is lower than in the year before because the prices are not so high",
)
GERMAN = (
    "die bank hat den zins erhöht weil die preise für öl und für weizen zu hoch sind",
    "der preis für weizen und für mais ist hoch weil die ernte in diesem jahr zu klein war",
    "das schiff mit öl hat den hafen verlassen und der preis für öl war höher als in dem jahr davor",
    "der zins der bank ist niedriger als in dem jahr davor weil die preise nicht so hoch sind",
)


@pytest.fixture(scope="module")
def two_languages():
    return vectorize_documents(ENGLISH + GERMAN, stop_words=None)


def test_exercise_17_7_two_means_finds_the_languages(two_languages):
    for seed in range(5):
        tree = bisect(two_languages.vectors, metric="cosine", rng=seed).hierarchy
        assert cut_count(tree, 2).labels.tolist() in ([0] * 4 + [1] * 4, [1] * 4 + [0] * 4)


@pytest.mark.parametrize("linkage", ["single", "complete", "group_average", "centroid"])
def test_exercise_17_7_so_does_a_hierarchy_at_its_root(two_languages, linkage):
    built = agglomerate(two_languages.vectors, linkage=linkage, metric="cosine")
    assert cut_count(built.hierarchy, 2).labels.tolist() == [0] * 4 + [1] * 4


def test_exercise_17_7_a_story_in_neither_language_parts_from_a_hierarchy_first():
    texts = [*(f"opec {text}" for text in ENGLISH + GERMAN), "xylophone"]  # one word in common avoids ties at 0
    found = vectorize_documents(texts, stop_words=None)
    for linkage in ("single", "complete", "centroid"):
        labels = cut_count(agglomerate(found.vectors, linkage=linkage, metric="cosine").hierarchy, 2).labels
        assert np.bincount(labels).tolist() == [8, 1]


def partitions(n, k):
    """Return all partitions of n items into k clusters, as labels."""
    return [
        c for c in product(range(k), repeat=n) if set(c) == set(range(k)) and list(dict.fromkeys(c)) == sorted(set(c))
    ]


def squared_error(X, labels):
    """Return the residual sum of squares of a clustering."""
    labels = np.asarray(labels)
    return sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in set(labels.tolist()))


def test_exercise_17_9_the_best_cut_of_a_tree_need_not_be_the_best_clustering():
    """Five points too far apart to matter, and four whose first merge, of the middle two, spoils the best halves."""
    X = np.array([0.0, 2.0, 3.0, 5.0])[:, None]
    far = np.arange(100.0, 600.0, 100.0)[:, None]
    points = np.concatenate([X, far])
    for linkage in ("ward", "complete", "average"):
        cuts = cut_counts(agglomerate(points, linkage=linkage).hierarchy, [7])
        best = min(squared_error(points, [*labels, 2, 3, 4, 5, 6]) for labels in partitions(4, 2))
        assert best == pytest.approx(4.0)
        assert squared_error(points, cuts[0].labels) > best + 0.5


@pytest.mark.parametrize("n", [2, 9, 60])
def test_exercise_17_10_on_a_line_the_merges_are_the_gaps_in_ascending_order(n):
    x = np.random.default_rng(n).normal(size=n)
    sorted_items = np.argsort(x)
    gaps = np.diff(x[sorted_items])
    tree = agglomerate(x[:, None], linkage="single").hierarchy
    assert tree.height[n:] == pytest.approx(np.sort(gaps))
    for n_clusters in range(1, n + 1):
        starts = np.zeros(n, dtype=int)
        starts[1:][np.argsort(-gaps)[: n_clusters - 1]] = 1
        labels = np.empty(n, dtype=int)
        labels[sorted_items] = np.cumsum(starts)
        assert rand(labels, cut_count(tree, n_clusters).labels) == 1.0


def trees_by_merging(n):
    """Return the number of sequences of merges of n items, and the trees that they build, as sets of clusters."""
    found, todo = [], [(frozenset(frozenset([i]) for i in range(n)), ())]
    while todo:
        clusters, merges = todo.pop()
        if len(clusters) == 1:
            found.append(merges)
        for a, b in combinations(clusters, 2):
            todo.append(((clusters - {a, b}) | {a | b}, (*merges, a | b)))
    return len(found), {frozenset(merges) for merges in found}


@pytest.mark.parametrize("n", range(2, 7))
def test_exercise_17_12_the_number_of_dendrograms(n):
    n_sequences, trees = trees_by_merging(n)
    assert n_sequences == factorial(n) * factorial(n - 1) // 2 ** (n - 1)
    assert len(trees) == prod(range(1, 2 * n - 2, 2))


@pytest.mark.parametrize("n", range(2, 7))
def test_exercise_17_12_there_are_more_dendrograms_than_flat_clusterings(n):
    n_dendrograms = factorial(n) * factorial(n - 1) // 2 ** (n - 1)
    for k in range(1, n + 1):
        n_flat = len(partitions(n, k))
        assert n_flat <= min(n_dendrograms, k**n)
        assert n_flat < n_dendrograms or n < 4


def test_exercise_17_12_the_bound_on_flat_clusterings_is_k_to_the_n_not_n_to_the_k():
    assert 7**2 < len(partitions(7, 2)) == 63 <= 2**7
