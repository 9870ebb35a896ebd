"""The figures of Introduction to Information Retrieval, chapter 17, as numbers."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from dendrometry import agglomerate, agglomerate_distances, cut_count
from dendrometry.cluster import is_optimal, medoids

EPSILON = 0.01


def two_clusters(built):
    return sorted(cut_count(built.hierarchy, 2).clusters)


def merges(built):
    """Return the sets of items that are formed, in their order."""
    tree, order = built.hierarchy, built.hierarchy.order
    items = [tree.items[i] for i in order.item.tolist()]
    return [set(items[order.item_low[v] : order.item_high[v]]) for v in range(tree.n_items, tree.n_nodes)]


def test_figure_17_4_single_link_joins_the_upper_pairs_and_complete_link_the_left_pairs():
    # Two rows of two pairs each; small shifts avoid ties. d2 and d3 are nearer than the rows, d1 and d4 farther.
    x = np.array([0.0, 1.0, 2.5, 3.52, 0.0, 1.03, 2.56, 3.6])
    points = np.column_stack([x, np.repeat([2.0, 0.0], 4)])
    names = [f"d{i}" for i in range(1, 9)]
    pairs = [{"d1", "d2"}, {"d3", "d4"}, {"d5", "d6"}, {"d7", "d8"}]
    single, complete = (
        merges(agglomerate(points, linkage=linkage, item_names=names)) for linkage in ("single", "complete")
    )
    assert single[:4] == complete[:4] == pairs
    assert single[4:6] == [{"d1", "d2", "d3", "d4"}, {"d5", "d6", "d7", "d8"}]
    assert complete[4:6] == [{"d1", "d2", "d5", "d6"}, {"d3", "d4", "d7", "d8"}]


def test_figure_17_11_the_third_merge_of_centroid_clustering_is_of_a_point_and_a_centroid():
    points = np.array([[0.0, 4.0], [1.2, 4.0], [4.5, 3.6], [6.6, 2.2], [6.0, 0.0], [7.0, 0.0]])
    built = agglomerate(points, linkage="centroid", item_names=[f"d{i}" for i in range(1, 7)])
    assert merges(built)[:3] == [{"d5", "d6"}, {"d1", "d2"}, {"d4", "d5", "d6"}]
    centroid = points[4:].mean(axis=0)
    assert built.hierarchy.height[8] == pytest.approx(np.linalg.norm(points[3] - centroid))


def test_figure_17_6_single_link_chains_where_complete_link_does_not():
    x, y = np.arange(1.0, 7.0), np.array([1.0, 2.5])
    # Two rows of six points; within a row neighbours are nearer than the rows are, with growing gaps to avoid ties.
    points = np.array([[a + 0.01 * a * a, b] for b in y for a in x])
    rows = [[str(i) for i in range(6)], [str(i) for i in range(6, 12)]]
    assert two_clusters(agglomerate(points, linkage="single")) == sorted(rows)
    assert two_clusters(agglomerate(points, linkage="complete")) != sorted(rows)


def test_figure_17_7_an_outlier_splits_the_others_in_complete_link():
    points = [[1 + 2 * EPSILON], [4.0], [5 + 2 * EPSILON], [6.0], [7 - EPSILON]]
    names = ["d1", "d2", "d3", "d4", "d5"]
    complete = agglomerate(points, linkage="complete", item_names=names)
    assert two_clusters(complete) == [["d1", "d2"], ["d3", "d4", "d5"]]
    single = agglomerate(points, linkage="single", item_names=names)
    assert two_clusters(single) == [["d1"], ["d2", "d3", "d4", "d5"]]


def test_figure_17_10_complete_link_is_not_best_merge_persistent():
    # d2 is nearest to d3 until it merges with d1; then d4 is.
    points = [[0.0], [1.0], [2.5], [4.2]]
    names = ["d1", "d2", "d3", "d4"]
    complete = agglomerate(points, linkage="complete", item_names=names)
    assert two_clusters(complete) == [["d1", "d2"], ["d3", "d4"]]
    single = agglomerate(points, linkage="single", item_names=names)
    assert two_clusters(single) == [["d1", "d2", "d3"], ["d4"]]


def test_figure_17_12_centroid_distance_has_an_inversion():
    points = np.array([[1 + EPSILON, 1], [5, 1], [3, 1 + 2 * np.sqrt(3)]])
    for built in (
        agglomerate(points, linkage="centroid"),
        agglomerate_distances(np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)), linkage="centroid"),
    ):
        heights = built.hierarchy.height[3:]
        assert heights[0] == pytest.approx(4 - EPSILON)
        assert heights[1] == pytest.approx(np.sqrt(3) / 2 * 4, abs=0.001)
        assert built.similarity[3:].tolist() == (-heights).tolist()
        assert built.report.inversions == 1
        assert not built.hierarchy.is_monotone


def test_table_17_1_the_similarity_of_centroids_is_the_average_and_has_no_inversions():
    """The row says "average inter-similarity", true of similarities, and "inversions can occur", true of distances."""
    inverted = 0
    for seed in range(20):
        points = np.random.default_rng(seed).normal(size=(30, 4))
        for metric in ("cosine", "dot"):
            centroid, average = (agglomerate(points, linkage=name, metric=metric) for name in ("centroid", "average"))
            assert merges(centroid) == merges(average)
            assert centroid.similarity == pytest.approx(average.similarity, abs=1e-12)
            assert centroid.report.inversions == 0
        inverted += agglomerate(points, linkage="centroid").report.inversions
    assert inverted > 0


def test_section_17_5_group_average_needs_no_vectors():
    """The book has it from sums of vectors only; the mean over all pairs is as well defined on any distances."""
    distances = np.array([[0, 2, 7, 9], [2, 0, 6, 8], [7, 6, 0, 3], [9, 8, 3, 0]], dtype=float)
    built = agglomerate_distances(distances, linkage="group_average")
    assert merges(built) == [{"0", "1"}, {"2", "3"}, {"0", "1", "2", "3"}]
    assert built.hierarchy.height[4:].tolist() == [2, 3, (2 + 7 + 9 + 6 + 8 + 3) / 6]


def test_section_17_9_median_clustering_has_midpoints_and_not_medoids():
    """The book says of R that it represents a cluster by its medoid; that of {0, 1} would be at 2.5 or 3.5 from 3.5."""
    points = [[0.0], [1.0], [3.5]]
    height = agglomerate(points, linkage="median").hierarchy.height
    assert height[3:].tolist() == [1.0, 3.0]
    assert medoids(points, [0, 0, 1]).tolist() == [0, 2]


def test_centroid_of_an_equilateral_triangle_keeps_its_inversion():
    points = [[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]]
    built = agglomerate(points, linkage="centroid")
    np.testing.assert_allclose(built.hierarchy.height[3:], [1.0, np.sqrt(3) / 2], rtol=1e-12)
    assert built.report.inversions == 1


def four_on_a_line(gap):
    """Return the similarities of d1 to d4 on a line, d2 and d3 at distance 1, d1 and d4 a gap away from them."""
    position = np.array([0.0, gap, gap + 1, 2 * gap + 1])
    return -np.abs(position[:, None] - position)


@pytest.mark.parametrize("gap", [1.01, 1.25, 1.5, 1.75, 1.99, 2.0, 2.01, 2.5, 3.0, 10.0])
@pytest.mark.parametrize("linkage", ["complete", "group_average"])
def test_section_17_5_complete_link_misses_the_optimum_at_every_gap_and_group_average_below_two(linkage, gap):
    # The mean over {d2, d3, d4} is (2 gap + 2) / 3: more than the gap, the distance in {d1, d2}, for gaps below 2 only.
    similarity = four_on_a_line(gap)
    tree = agglomerate_distances(-similarity, linkage=linkage).hierarchy
    assert cut_count(tree, 3).labels.tolist() == [0, 1, 1, 2]
    misses = linkage == "complete" or gap < 2.0
    assert is_optimal(cut_count(tree, 2).labels, similarity, linkage=linkage) != misses
    assert is_optimal([0, 0, 1, 1], similarity, linkage=linkage) == (misses or gap == 2.0)


def test_section_17_2_a_complete_link_cluster_is_a_clique_but_need_not_be_a_maximal_one():
    position = np.array([0.0, 1.0, 2.2, 10.0, 11.5])
    distance = np.abs(position[:, None] - position)
    built = agglomerate_distances(distance, linkage="complete")
    clusters = cut_count(built.hierarchy, 3).labels
    linked = distance <= built.hierarchy.height[6]  # the graph at the second merge, of distance 1.5
    assert clusters.tolist() == [0, 0, 1, 2, 2]
    for label in range(3):
        inside = np.flatnonzero(clusters == label)
        assert linked[np.ix_(inside, inside)].all()
    alone = np.flatnonzero(clusters == 1)
    assert alone.tolist() == [2]
    assert linked[1, 2]  # {1, 2} is a larger clique


def test_section_17_2_single_link_clusters_are_the_connected_components():
    position = np.array([0.0, 1.0, 2.2, 10.0, 11.5])
    distance = np.abs(position[:, None] - position)
    tree = agglomerate_distances(distance, linkage="single").hierarchy
    for step in range(4):
        _, labels = connected_components(distance <= tree.height[5 + step])
        assert cut_count(tree, 4 - step).labels.tolist() == labels.tolist()


def test_section_17_2_after_a_tie_a_single_link_cluster_need_not_be_a_connected_component():
    position = np.array([0.0, 1.0, 2.0])
    distance = np.abs(position[:, None] - position)
    tree = agglomerate_distances(distance, linkage="single").hierarchy
    assert connected_components(distance <= tree.height[3])[0] == 1
    assert cut_count(tree, 2).labels.tolist() == [0, 0, 1]


def test_section_17_5_every_cut_of_a_single_link_tree_is_optimal():
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(7, 2))
        similarity = -np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
        tree = agglomerate(X, linkage="single").hierarchy
        for k in range(1, 8):
            assert is_optimal(cut_count(tree, k).labels, similarity, linkage="single")


def on_sphere(x, y):
    """Return points of the plane on the surface of the unit sphere, near its equator."""
    x, y = np.asarray(x) / 20, np.asarray(y) / 20
    return np.column_stack([np.cos(x) * np.cos(y), np.sin(x) * np.cos(y), np.sin(y)])


def test_exercise_17_2_group_average_on_the_sphere_leaves_the_outlier_alone_and_cuts_across_the_chains():
    # Figure 17.7 is then clustered as by single link, and figure 17.6 as by complete link.
    line = on_sphere([1 + 2 * EPSILON, 4, 5 + 2 * EPSILON, 6, 7 - EPSILON], np.zeros(5))
    column = np.arange(1.0, 7.0) + 0.01 * np.arange(1.0, 7.0) ** 2
    rows = on_sphere(np.tile(column, 2), np.repeat([1.0, 2.5], 6))
    found = {
        linkage: [
            cut_count(agglomerate(points, linkage=linkage, metric="cosine").hierarchy, 2).labels.tolist()
            for points in (line, rows)
        ]
        for linkage in ("single", "complete", "group_average")
    }
    assert found["single"] == [[0, 1, 1, 1, 1], [0] * 6 + [1] * 6]
    assert found["complete"] == [[0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1] * 2]
    assert found["group_average"] == [found["single"][0], found["complete"][1]]
