"""Tests of splits: what is tested, what is found, and that the same seed gives the same p-values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry._kernels.significance import splits as kernels
from dendrometry.errors import InvalidInputError, ItemMismatchError, UndefinedMeasureError
from dendrometry.significance import adjust_down, splits
from dendrometry.significance.clustering import Clustering
from dendrometry.significance.references import count_draws, log_counts, normal_draws, uniform_draws
from dendrometry.significance.separation import Split, least_side, separation, top_split, valley
from dendrometry.significance.splits import Splits
from tests.oracles.significance import splits as oracle
from tests.strategies import hierarchies

LINKAGES = ["ward", "average", "complete", "single"]


def three_groups(n=60, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], n // 3, axis=0)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_finds_three_groups(linkage):
    found = splits(three_groups(), linkage=linkage)
    assert found.rejected.sum() == 2
    groups = {frozenset(np.flatnonzero(below).tolist()) for below in groups_below(found)}
    assert sum(len(g & set(range(i, i + 20))) >= 17 for g in groups for i in (0, 20, 40)) == 3


def groups_below(found):
    """The items below each child of a rejected split that is not itself rejected."""
    tree, order = found.tree, found.tree.order
    for v in np.flatnonzero(found.rejected):
        for c in np.flatnonzero(tree.parent == v):
            below = order.item[order.item_low[c] : order.item_high[c]]
            inner = [u for u in np.flatnonzero(found.rejected) if order.low[c] <= order.low[u] < order.high[c]]
            if not inner:
                yield np.isin(np.arange(tree.n_items), below)


def some_points(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(12, 40))
    side = np.r_[[1] * 5, [2] * 5, rng.integers(0, 3, n - 10)]
    return rng.normal(size=(n, int(rng.integers(1, 4)))) + side[:, None] * rng.random() * 4, rng.permutation(side)


@given(st.integers(0, 2**32))
def test_the_statistics_equal_their_definitions(seed):
    points, side = some_points(seed)
    k = least_side(len(points))
    assert k == oracle.least_side(len(points))
    split = Split(points, side)
    assert separation(split) == pytest.approx(oracle.separation(points.tolist(), side.tolist()))
    assert valley(split) == pytest.approx(oracle.valley(points.tolist(), side.tolist(), k))
    line = np.sort(points[:, 0])
    assert kernels.deepest_on_line(line, k) == pytest.approx(oracle.deepest_on_line(line.tolist(), k))


@given(hierarchies(max_items=40))
def test_the_hypotheses_equal_their_definition(tree):
    least = np.array([oracle.least_side(n) for n in range(tree.n_items + 1)])
    columns = (tree.parent.copy(), tree.own_sizes.copy(), tree.sizes.copy())
    found, group = kernels.hypotheses(*columns, least)
    expected = oracle.hypotheses(tree.parent.tolist(), tree.item_node.tolist())
    assert set(np.flatnonzero(found).tolist()) == set(expected)
    for v, items in expected.items():
        low, high = tree.order.item_low[group[v]], tree.order.item_high[group[v]]
        assert set(tree.order.item[low:high].tolist()) == items


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_first_split_of_a_reference_set_is_that_of_its_tree(linkage):
    points = np.random.default_rng(4).standard_t(2, size=(50, 2))
    tree = dm.agglomerate(points, linkage=linkage).hierarchy
    side = top_split(points, Clustering(linkage, "euclidean")).side
    (v,) = [v for v, group in oracle.hypotheses(tree.parent.tolist(), tree.item_node.tolist()).items()
            if len(group) == 50] or [None]  # fmt: skip
    if v is None:
        assert not side.any()
    else:
        below = [set(tree.order.item[tree.order.item_low[c] : tree.order.item_high[c]].tolist())
                 for c in np.flatnonzero(tree.parent == v)]  # fmt: skip
        assert {frozenset(np.flatnonzero(side == i).tolist()) for i in (1, 2)} == set(map(frozenset, below))


def test_a_valley_does_not_depend_on_scale_place_or_turn():
    points, side = some_points(3, n=30)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(points.shape[1],) * 2))[0]
    assert valley(Split(1e3 * points @ turn + 7, side)) == pytest.approx(valley(Split(points, side)))


def test_equal_points_have_no_valley():
    assert valley(Split(np.ones((20, 2)), np.repeat([1, 2], 10))) == 0.0
    found = splits(np.ones((20, 2)))
    assert not found.rejected.any()


def test_rounded_values_are_not_groups():
    points = np.random.default_rng(0).integers(0, 6, size=(120, 2)).astype(float)
    assert not splits(points).rejected.any()


def test_normal_sets_have_the_covariance_of_ledoit_and_wolf():
    covariance = pytest.importorskip("sklearn.covariance")
    points = np.random.default_rng(0).normal(size=(30, 6)) * [5, 3, 1, 1, 1, 1] + 4
    draw = normal_draws(points)
    drawn = np.vstack([draw(np.random.default_rng(i)) for i in range(4000)])
    expected = covariance.LedoitWolf().fit(points).covariance_
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.03 * expected.max())
    assert drawn.mean(axis=0) == pytest.approx(points.mean(axis=0), abs=0.1)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_few_points_are_clustered_as_agglomerate_does(linkage, metric):
    if (linkage, metric) == ("ward", "cosine"):
        return
    points = np.random.default_rng(1).normal(size=(40, 3))
    expected = dm.agglomerate(points, linkage=linkage, metric=metric).hierarchy
    assert Clustering(linkage, metric).parents(points).tolist() == expected.parent.tolist()


@pytest.mark.parametrize("linkage", LINKAGES)
def test_a_few_tied_points_are_clustered_to_a_binary_tree(linkage):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 60))
        points = rng.integers(0, rng.integers(1, 6), (n, 2)).astype(float)
        parent = Clustering(linkage, "euclidean").parents(points)
        assert (parent[:-1] > np.arange(2 * n - 2)).all()
        assert (np.bincount(parent[:-1], minlength=2 * n - 1)[n:] == 2).all()


def test_p_values_are_adjusted_down_the_tree_and_count_the_data_as_a_reference():
    found = splits(three_groups())
    held = np.where(found.hypothesis & ~found.tested, 1.0, found.p_value)
    assert found.adjusted[found.tested].tolist() == adjust_down(found.tree, held)[found.tested].tolist()
    assert np.nanmin(found.p_value) == 1 / 200
    assert (found.n_drawn[0, found.tested] > 0).all()
    assert np.isnan(found.p_value[~found.hypothesis]).all()


def test_the_seed_decides_whatever_the_number_of_jobs():
    points = three_groups(45)
    one, two, other = (splits(points, rng=rng, n_jobs=jobs) for rng, jobs in ((0, None), (0, 2), (1, None)))
    assert np.array_equal(one.p_values, two.p_values, equal_nan=True)
    assert not np.array_equal(one.p_values, other.p_values, equal_nan=True)


def test_a_few_outliers_are_no_group_and_do_not_end_the_test():
    points = np.vstack([three_groups(), [[60.0, 60.0], [-50.0, 60.0]]])
    found = splits(points, linkage="average")
    assert not found.hypothesis[found.tree.root]
    assert found.rejected.sum() == 2


def test_the_rows_of_a_frame_are_matched_by_name():
    pd = pytest.importorskip("pandas")
    points = three_groups(30)
    names = [f"i{i}" for i in range(30)]
    tree = dm.agglomerate(points, item_names=names).hierarchy
    frame = pd.DataFrame(points, index=names).iloc[::-1]
    assert np.array_equal(splits(frame, tree).p_value, splits(points, tree).p_value, equal_nan=True)
    with pytest.raises(ItemMismatchError):
        splits(frame.rename(index={"i3": "no"}), tree)


def test_max_depth_limits_the_splits_on_the_way_down():
    found = splits(three_groups(), max_depth=1)
    assert np.flatnonzero(found.tested).tolist() == [found.tree.root]


def test_table_and_words():
    found = splits(three_groups())
    assert set(found.columns()) >= {"node", "size", "p_value", "adjusted", "rejected", "decided_by"}
    assert len(found.to_frame()) == found.tested.sum()
    assert "3 parts in all" in found.verdict
    assert "normal data" in found.verdict
    assert "no valley" in found.verdict
    assert "ward linkage on euclidean" in found.methods
    assert "one group may be cut into several" in found.verdict
    assert "n is 199, more for small groups" in found.methods
    assert isinstance(found, Splits)
    assert "split" in found._repr_html_()


@pytest.mark.parametrize(
    ("reference", "null"),
    [
        ("normal", "normal data of the same mean and shrunken covariance"),
        ("permuted", "the data with each column permuted within the group"),
    ],
)
def test_it_claims_no_groups_where_no_error_is_held_for_them(reference, null):
    found = splits(three_groups(), reference=reference)
    assert not found.is_held
    assert f" shown to be not of {null}: " in found.verdict
    assert f"the chance that {null} are split is at most 0.05, over the whole tree; for groups of another shape no" in (
        found.error
    )
    assert f"over the tree for {null}, and for no other" in found.methods
    assert ("nor for long ones" in found.methods) == ("nor for long ones" in found.error) == (reference == "normal")
    assert repr(found).endswith(f"{found.rejected.sum()} rejected at 0.05, {reference} reference)")


def test_the_number_of_references_is_that_of_the_root_and_not_of_those_drawn():
    flat = splits(np.random.default_rng(1).normal(size=(40, 2)), n_references=99)
    assert flat.n_drawn.max() < 99
    assert "n is 99, more for small groups. Drawing ended once r was 10, and the p-value is then 10 / n" in flat.methods
    assert "n is 39, more" in splits(three_groups(), n_references=19, max_depth=1).methods
    assert "none of 1 tested splits is shown to be of two groups: 1 part in all. Each" in flat.verdict


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"linkage": "centroid"}, "linkage must be"),
        ({"metric": "cityblock"}, "metric must be"),
        ({"metric": "cosine"}, "metric must be euclidean"),
        ({"reference": "flat"}, "reference must be"),
        ({"n_references": 5}, "n_references must be a whole number from 19 on"),
        ({"alpha": 1}, "alpha must be"),
        ({"max_depth": 0}, "max_depth must be"),
    ],
)
def test_refuses_wrong_options(options, match):
    with pytest.raises(InvalidInputError, match=match):
        splits(three_groups(), **options)


def test_refuses_few_points():
    with pytest.raises(UndefinedMeasureError, match="at least 10 points, for two groups; got 9"):
        splits(three_groups(9))


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.normal(size=(n, 2))


def ball(rng, n):
    direction = rng.normal(size=(n, 3))
    return direction / np.linalg.norm(direction, axis=1)[:, None] * rng.random((n, 1)) ** (1 / 3)


ONE_GROUP = {
    "Gaussian": lambda rng, n: rng.normal(size=(n, 5)),
    "correlated Gaussian": lambda rng, n: rng.normal(size=(n, 5)) * 0.3**0.5 + rng.normal(size=(n, 1)) * 0.7**0.5,
    "long ellipse": lambda rng, n: rng.normal(size=(n, 2)) * [10, 1],
    "uniform box": lambda rng, n: rng.random((n, 2)),
    "uniform ball": ball,
    "ring": ring,
    "t(2)": lambda rng, n: rng.standard_t(2, size=(n, 2)),
    "skewed": lambda rng, n: rng.exponential(size=(n, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("kind", ONE_GROUP)
def test_a_group_of_any_shape_is_not_split(kind, linkage):
    """The family-wise error: any split that is named is wrong. 1,000 sets, up to two standard errors above 0.05."""
    named = 0
    for seed in range(1000):
        points = ONE_GROUP[kind](np.random.default_rng([1, seed]), 60)
        named += bool(splits(points, linkage=linkage, rng=seed).rejected.any())
    assert named / 1000 <= 0.05 + 2 * (0.05 * 0.95 / 1000) ** 0.5


@pytest.mark.parametrize("kind", ONE_GROUP)
def test_few_sets_of_one_group_are_split(kind):
    """The same in 20 sets: four or more are named with a probability of 1.6 percent, if the error is 0.05."""
    rng = np.random.default_rng(5)
    assert sum(splits(ONE_GROUP[kind](rng, 60), linkage="average").rejected.any() for _ in range(20)) < 4


def cells(seed, fold=1.0, dispersion=0.5):
    """Counts of 60 cells by 80 genes; half of the cells express a tenth of the genes so many times as much."""
    rng = np.random.default_rng(seed)
    rate = np.tile(rng.gamma(1.0, 2.0, 80), (60, 1))
    rate[:30, :8] *= fold
    rate *= rng.lognormal(0.0, 0.4, size=(60, 1)) * rng.gamma(1 / dispersion, dispersion, size=rate.shape)
    return rng.poisson(rate).astype(float)


def test_counts_of_one_kind_of_cell_are_one_group_and_of_two_are_two():
    assert not any(splits(cells(seed), reference="counts").rejected.any() for seed in range(5))
    found = splits(cells(0, fold=12.0), reference="counts", n_references=39, max_depth=1)
    assert np.flatnonzero(found.rejected).tolist() == [found.tree.root]
    assert found.references == ("unimodal", "negative_binomial", "uniform")
    assert "negative binomial counts" in found.methods


def test_drawn_counts_have_the_sums_the_means_and_the_dispersions_of_the_data():
    given = cells(1, dispersion=1.0)
    draw, depth = count_draws(given, 1.0), 1.0
    drawn = np.expm1(np.stack([draw(np.random.default_rng(i)) for i in range(800)]))  # shares of rows
    share = np.expm1(log_counts(given, depth))
    assert drawn.sum(axis=2) == pytest.approx(np.ones((800, 60)))
    assert drawn.mean(axis=(0, 1)) == pytest.approx(given.sum(axis=0) / given.sum(), rel=0.1)
    assert drawn.var(axis=1).mean(axis=0).sum() == pytest.approx(share.var(axis=0).sum(), rel=0.15)


def test_counts_without_dispersion_are_drawn_as_poisson():
    given = np.full((400, 3), 50.0)  # varies less than Poisson counts do
    drawn = np.expm1(count_draws(given, 150.0)(np.random.default_rng(0)))
    assert drawn.var(axis=0) == pytest.approx(50 * (1 - 1 / 3), rel=0.25)  # of a share of a fixed sum


@pytest.mark.parametrize(
    ("value", "match"), [(-1.0, "from 0 on; got -1.0 in row 2, column 1"), (0.5, "whole numbers from 0 on; got 0.5")]
)
def test_what_is_not_counts_is_refused(value, match):
    wrong = cells(0)
    wrong[2, 1] = value
    with pytest.raises(InvalidInputError, match=match):
        splits(wrong, reference="counts")


def test_a_row_without_counts_is_refused():
    empty = cells(0)
    empty[3] = 0.0
    with pytest.raises(InvalidInputError, match="row 3 has none"):
        splits(empty, reference="counts")


def test_counts_are_tested_on_a_given_tree_as_on_the_one_that_is_built():
    given = cells(0, fold=12.0)
    found = splits(given, reference="counts", n_references=39, max_depth=1)
    again = splits(given, found.tree, reference="counts", n_references=39, max_depth=1)
    assert np.array_equal(found.p_values, again.p_values, equal_nan=True)


def test_it_says_for_which_data_the_error_is_held():
    plain, cautious = (splits(three_groups(30), reference=kind, max_depth=1) for kind in ("normal", "cautious"))
    assert "for groups of another shape no error is held" in plain.error
    assert "and for no other" in plain.methods
    held = "the chance that any node is rejected whose items are one group is at most 0.05, over the whole tree"
    assert cautious.error.startswith(f"{held}, as measured for normal")
    assert cautious.error.endswith("thin bars of even density")
    valley = splits(three_groups(30), reference="unimodal", max_depth=1)
    assert valley.error == cautious.error
    assert "boxes of even density" in valley.null
    many = splits(np.random.default_rng(0).normal(size=(30, 4)))
    assert "3 leading principal axes" in many.error
    assert many.error in many.verdict


def bar(seed, n=60):
    """A thin bar of even density in three columns."""
    rng = np.random.default_rng([1, seed])
    return rng.uniform(0, 22.4, (n, 1)) * [1, 0, 0] + 0.6 * rng.normal(size=(n, 3))


def test_a_thin_bar_is_compared_with_even_boxes():
    """In these sets the other references find two groups: the valley is deeper than on a line, and is not normal."""
    for seed in (16, 54):
        found = splits(bar(seed), rng=seed, max_depth=1)
        others, boxes = found.p_values[:2, found.tree.root], found.p_values[2, found.tree.root]
        assert others.max() <= 0.05 < boxes
        assert found.decided_by[found.tree.root] == "uniform"
        assert not found.rejected.any()


def test_even_boxes_have_the_deviations_of_the_points():
    points = np.random.default_rng(0).normal(size=(50, 2)) * [5, 1]
    drawn = uniform_draws(points, 4000)(np.random.default_rng(1))
    assert drawn.shape == (4000, 2)
    assert drawn.std(axis=0) == pytest.approx(points.std(axis=0), rel=0.03)
    assert (np.ptp(drawn, axis=0) <= points.std(axis=0) * 12**0.5).all()


def test_points_that_are_not_split_have_no_valley():
    assert valley(Split(np.random.default_rng(0).normal(size=(20, 2)), np.zeros(20, dtype=np.int64))) == 0.0


def test_permuted_columns_are_a_reference():
    found = splits(three_groups(), reference="permuted", max_depth=1)
    assert found.references == ("permuted",)
    assert "each column was permuted" in found.methods


def test_cosine_is_tested_on_directions():
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(size=(30, 4)) * 0.2 + c for c in ([1, 0, 0, 0], [0, 1, 1, 0])])
    lengths = rng.uniform(0.5, 2.0, size=(60, 1))
    one, two = (splits(x, linkage="average", metric="cosine") for x in (points, points * lengths))
    assert one.rejected.sum() == 1
    assert one.p_value[one.tested].tolist() == two.p_value[two.tested].tolist()


def test_a_group_of_many_points_is_compared_by_a_part_of_them():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(1200, 3)) + np.repeat([[0, 0, 0], [9, 0, 0]], 600, axis=0)
    found = splits(points, n_references=39)
    assert np.flatnonzero(found.rejected).tolist() == [found.tree.root]
