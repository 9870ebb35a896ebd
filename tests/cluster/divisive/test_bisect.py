"""Bisecting k-means is what its definition says, for dense and sparse rows alike."""

import threading

import numpy as np
import pytest
from scipy import sparse
from tests.oracles.cluster.divisive import best_bisection, divided, is_settled, two_means

from dendrometry import _memory as memory
from dendrometry import adjusted_rand, cut_count
from dendrometry._kernels.cluster import bisect as kernels
from dendrometry._kernels.cluster import rows as kernel_rows
from dendrometry._kernels.cluster.centred import About, Room, centre, fill_near, short_plane
from dendrometry.cluster import bisect
from dendrometry.cluster.divisive import splitting
from dendrometry.cluster.divisive.options import stop_rules
from dendrometry.cluster.divisive.points import ready_rows
from dendrometry.errors import InvalidInputError

NOTHING = About(np.empty(0), np.empty(0))
NO_ROOM = Room(np.empty(0), np.empty(0, dtype=np.int16))


def clusters_of(tree):
    """Each node's cluster, as row numbers, with its height."""
    below = {}
    for v in range(tree.n_nodes):
        low, high = tree.order.item_low[v], tree.order.item_high[v]
        below[frozenset(tree.order.item[low:high].tolist())] = tree.height[v]
    return below


def drawn(seed, n=8, d=2):
    return np.random.default_rng(seed).uniform(-5.0, 5.0, size=(n, d))


def assert_same_tree(tree, expected):
    found = clusters_of(tree)
    assert found.keys() == expected.keys()
    np.testing.assert_allclose([found[c] for c in expected], [float(h) for h in expected.values()], atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_with_many_trials_every_split_is_the_best_there_is(seed, form):
    X = drawn(seed, n=7)
    built = bisect(form(X), trials=40, rng=seed)
    assert_same_tree(built.hierarchy, divided(X.tolist(), best_bisection))
    assert built.report.leaves == 7
    assert built.report.unsettled == 0


@pytest.mark.parametrize("rules", [
    {"max_clusters": 4},
    {"max_clusters": 4, "choose": "size"},
    {"max_depth": 2},
    {"leaf_size": 3},
    {"leaf_scatter": 5.0},
    {"max_depth": 3, "leaf_size": 2, "max_clusters": 5, "choose": "size"},
    {"max_depth": 0},
    {"max_clusters": 1},
])  # fmt: skip
def test_the_rules_of_stopping_are_kept(rules):
    X = drawn(3)
    built = bisect(X, trials=40, rng=1, **rules)
    assert_same_tree(built.hierarchy, divided(X.tolist(), best_bisection, **rules))


@pytest.mark.parametrize("seed", range(4))
def test_no_item_is_nearer_to_the_other_mean(seed):
    X = drawn(seed, n=40, d=3)
    tree = bisect(X, trials=1, rng=seed).hierarchy
    for v in range(tree.n_nodes):
        if tree.n_children[v]:
            start = tree.children.start
            parts = [
                frozenset(tree.order.item[tree.order.item_low[c] : tree.order.item_high[c]].tolist())
                for c in tree.children.node[start[v] : start[v + 1]]
            ]
            assert is_settled(X.tolist(), *parts)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_a_tree_cut_short_is_the_full_tree_cut(form):
    X = form(drawn(7, n=60, d=4))
    full = bisect(X, rng=5).hierarchy
    for k in (1, 2, 7, 30):
        short = bisect(X, max_clusters=k, rng=5).hierarchy
        leaves = [set(short.own_items(v)) for v in np.flatnonzero(short.n_children == 0)]
        assert sorted(map(sorted, leaves)) == sorted(map(sorted, cut_count(full, k).clusters))


def test_heights_are_scatter_and_grow_towards_the_root():
    X = drawn(11, n=200, d=5)
    built = bisect(X, rng=0)
    tree = built.hierarchy
    assert (tree.height[tree.parent[:-1]] >= tree.height[:-1]).all()
    assert tree.height[tree.root] == pytest.approx(((X - X.mean(axis=0)) ** 2).sum(), rel=1e-12)
    assert built.report.inversions == 0


@pytest.mark.compiled
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("rules", [{}, {"max_clusters": 7}, {"max_clusters": 12, "choose": "size"}])
def test_the_number_of_threads_does_not_change_a_bit(form, rules, monkeypatch):
    rooms = "dendrometry.cluster.divisive"
    plain = bisect(form(drawn(2, n=120, d=6)), rng=4, **rules)
    for limit in ("bisect._WORTH_THREADS", "splitting._WORTH_AHEAD", "splitting._WORTH_ROOM"):
        monkeypatch.setattr(f"{rooms}.{limit}", 1)
    for cores in (1, 2, 5):
        for room in ("bisect", "splitting"):
            monkeypatch.setattr(f"{rooms}.{room}.n_cores", lambda cores=cores: cores)
        built = bisect(form(drawn(2, n=120, d=6)), rng=4, **rules)
        assert built.report == plain.report
        assert np.array_equal(built.hierarchy.parent, plain.hierarchy.parent)
        assert np.array_equal(built.hierarchy.height, plain.hierarchy.height)
        assert np.array_equal(built.hierarchy.item_node, plain.hierarchy.item_node)


def test_two_clusters_are_split_at_a_time(monkeypatch):
    both = threading.Barrier(2)
    sizes = []

    def split(cluster, _rng):
        sizes.append(cluster.items.size)
        if cluster.depth == 1:
            both.wait(timeout=900)
        side = np.arange(cluster.items.size) % 2 == 0
        return splitting.Parts(side, np.array([1.0, 1.0]) / (1 + cluster.depth), 0, 1, True)

    monkeypatch.setattr(splitting, "_WORTH_AHEAD", 1)
    monkeypatch.setattr(splitting, "n_cores", lambda: 2)
    stop = stop_rules("scatter", 4, None, 1, 0.0, 32)
    splits = splitting.divide(rows_of(drawn(0, n=32)), split, stop, 0, lambda _count: None)
    assert sizes == [32, 16, 16]
    assert np.bincount(splits.parent[1:]).tolist() == [2, 2, 2]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rows_may_be_written_over_those_of_clusters_above(form, monkeypatch):
    X = drawn(2, n=90, d=6)
    X[X < 0.0] = 0.0
    X[:30, 0] = 1.0
    own = bisect(form(X), rng=4).hierarchy
    monkeypatch.setattr("dendrometry.cluster.divisive.bisect._WORTH_THREADS", 1)
    monkeypatch.setattr("dendrometry.cluster.divisive.splitting._WORTH_ROOM", 1)
    assert bisect(form(X), rng=4).hierarchy == own


def test_the_same_seed_gives_the_same_tree_and_a_generator_goes_on():
    X = drawn(2, n=60, d=6)
    assert bisect(X, rng=4).hierarchy == bisect(X, rng=4).hierarchy
    generator = np.random.default_rng(4)
    first = bisect(X, trials=1, rng=generator).hierarchy
    assert first == bisect(X, trials=1, rng=4).hierarchy
    assert first != bisect(X, trials=1, rng=generator).hierarchy


@pytest.mark.compiled
def test_sparse_rows_give_the_tree_of_dense_ones():
    rng = np.random.default_rng(0)
    X = rng.random((80, 30)) * (rng.random((80, 30)) < 0.2)
    X[:, 0] += 0.1
    for metric in ("euclidean", "cosine"):
        dense, thin = (
            bisect(X, metric=metric, rng=1).hierarchy,
            bisect(sparse.csr_array(X), metric=metric, rng=1).hierarchy,
        )
        assert np.array_equal(dense.parent, thin.parent)
        np.testing.assert_allclose(dense.height, thin.height, atol=1e-13)


def test_cosine_is_the_tree_of_unit_rows():
    X = drawn(1, n=50, d=4)
    unit = X / np.linalg.norm(X, axis=1)[:, None]
    cosine, plain = bisect(X, metric="cosine", rng=1).hierarchy, bisect(unit, rng=1).hierarchy
    assert np.array_equal(cosine.parent, plain.parent)
    np.testing.assert_allclose(cosine.height, plain.height, atol=1e-13)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_equal_items_end_in_one_leaf_at_height_0(form):
    X = np.repeat([[0.1, 0.7], [0.3, 0.2], [1.1, 0.0]], [4, 3, 1], axis=0)
    built = bisect(form(X), rng=0)
    tree = built.hierarchy
    assert tree.n_nodes == 5
    assert (tree.height[tree.n_children == 0] == 0.0).all()
    assert (built.report.leaves, built.report.alike) == (3, 2)
    whole = bisect(form(X[:4]), rng=0).hierarchy
    assert (whole.n_nodes, whole.height.tolist()) == (1, [0.0])


def test_one_item_is_a_tree_of_one_leaf():
    built = bisect([[3.0, 4.0]], item_names=["ape"], rng=0)
    assert (built.hierarchy.n_nodes, built.hierarchy.items, built.hierarchy.height.tolist()) == (1, ("ape",), [0.0])
    assert repr(built).endswith("bisect on euclidean, 1 leaf, 0 ties)")


def test_sparse_zero_rows_are_items_like_others_under_euclidean():
    tree = bisect(sparse.csr_matrix([[0, 0], [0, 0], [3, 4]]), rng=0).hierarchy
    assert tree.n_nodes == 3
    assert tree.height[tree.root] == pytest.approx(50 / 3)


@pytest.mark.parametrize("exponent", [-500, 500])
def test_the_power_of_two_of_the_scale_does_not_change_the_tree(exponent):
    X = drawn(5, n=30)
    plain, scaled = bisect(X, rng=0).hierarchy, bisect(np.ldexp(X, exponent), rng=0).hierarchy
    assert np.array_equal(plain.parent, scaled.parent)
    assert np.array_equal(np.ldexp(plain.height, 2 * exponent), scaled.height)


def test_heights_out_of_range_are_refused():
    with pytest.raises(InvalidInputError, match=r"got an overflow \(scale the points down\)"):
        bisect(drawn(5) * 1e200, rng=0)
    with pytest.raises(InvalidInputError, match=r"got an underflow \(scale the points up\)"):
        bisect(drawn(5) * 1e-200, rng=0)


def test_points_far_from_the_origin_keep_their_tree():
    X = np.round(drawn(6, n=40) * 1024)
    near, far = bisect(X, rng=0).hierarchy, bisect(X + 2.0**40, rng=0).hierarchy
    assert clusters_of(near).keys() == clusters_of(far).keys()
    np.testing.assert_allclose(np.sort(near.height), np.sort(far.height), rtol=1e-9)


def test_clear_clusters_are_found():
    rng = np.random.default_rng(0)
    label = rng.integers(6, size=300)
    X = 10 * rng.normal(size=(6, 8))[label] + rng.normal(size=(300, 8))
    assert adjusted_rand(label, cut_count(bisect(X, max_clusters=6, rng=0).hierarchy, 6).labels) == 1.0


def test_the_input_stays_as_it_was():
    X = sparse.csr_matrix(np.abs(drawn(5)))
    before = X.copy()
    bisect(X, metric="cosine", rng=0)
    assert (X != before).nnz == 0


@pytest.mark.parametrize(("options", "message"), [
    ({"metric": "dot"}, "metric must be 'euclidean' or 'cosine'; got 'dot'"),
    ({"choose": "depth"}, "choose must be 'scatter' or 'size'; got 'depth'"),
    ({"max_clusters": 0}, "max_clusters must be a whole number from 1 on; got 0"),
    ({"max_clusters": 2.5}, r"max_clusters must be a whole number from 1 on; got 2\.5"),
    ({"max_depth": -1}, "max_depth must be a whole number from 0 on; got -1"),
    ({"leaf_size": 0}, "leaf_size must be a whole number from 1 on; got 0"),
    ({"leaf_scatter": -1.0}, r"leaf_scatter must be a finite number, at least 0; got -1\.0"),
    ({"leaf_scatter": np.nan}, "leaf_scatter must be a finite number, at least 0; got nan"),
    ({"trials": 0}, "trials must be a whole number from 1 on; got 0"),
    ({"trials": "5"}, "trials must be a whole number from 1 on; got '5'"),
    ({"rng": -1}, "rng must be a numpy Generator, a whole number from 0 on, or None; got -1"),
    ({"item_names": ["a"]}, "one item name for each of 8 items; got 1"),
])  # fmt: skip
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        bisect(drawn(0), **options)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_points_that_cannot_be_used_are_named(form):
    X = drawn(0)
    X[2, 1] = np.nan
    with pytest.raises(InvalidInputError, match="finite; got nan in row 2, column 1"):
        bisect(form(X))
    X[2] = 0.0
    with pytest.raises(InvalidInputError, match="item 2 is a zero vector"):
        bisect(form(X), metric="cosine")


def test_no_items_are_refused():
    with pytest.raises(InvalidInputError, match="at least one row"):
        bisect(np.zeros((0, 3)))


def test_what_does_not_fit_in_memory_is_refused_with_the_figure(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(InvalidInputError, match=r"bisecting k-means of 1,000 items needs \d+\.\d MiB .* Alternatives"):
        bisect(np.ones((1000, 100)))


def test_progress_goes_to_stderr(capsys):
    bisect(drawn(0, n=20), rng=0, progress=True)
    assert capsys.readouterr().out == ""


def rows_of(X):
    return ready_rows(X, "euclidean", "", "").rows


def draw_of(first, second, m):
    """The numbers that draw these two rows, if they differ."""
    return np.array([(first + 0.5) / m, (second + 0.5) / m, 0.0, 0.0])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rounds_with_kept_sums_and_bounds_end_where_plain_rounds_end(seed, form):
    X = np.random.default_rng(seed).normal(size=(300, 6)) + 3.0
    X[np.random.default_rng(seed).random(X.shape) < 0.3] = 0.0
    rows = rows_of(form(X))
    scaled = np.zeros(X.shape)
    for i in range(300):
        kernel_rows.fill_row(rows, i, scaled[i])
    first, second = 3 * seed, 100 + seed
    side, gain, rounds = kernels.two_means(rows, centre(rows, NOTHING, NO_ROOM), draw_of(first, second, 300), 100)
    expected = two_means(scaled, first, second)
    assert np.array_equal(side, expected)
    assert rounds > 3
    within = sum(((scaled[part] - scaled[part].mean(axis=0)) ** 2).sum() for part in (side, ~side))
    assert gain + within == pytest.approx(((scaled - scaled.mean(axis=0)) ** 2).sum(), rel=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize(("n", "d"), [(773, 6), (256, 19)])
def test_rounds_in_whole_numbers_end_where_plain_rounds_end(n, d):
    X = np.random.default_rng(n).normal(size=(n, d)) + 3.0
    X[7], X[8] = X[5], 1e-20 * X[6]
    rows = rows_of(X)
    centred = centre(rows, NOTHING, NO_ROOM)
    assert centred.short.shape == (n, d)
    expected = two_means(np.reshape(rows.value, (n, d)), 1, n - 1)
    side, _, rounds = kernels.two_means(rows, centred, draw_of(1, n - 1, n), 100)
    assert np.array_equal(side, expected)
    assert rounds > 3


@pytest.mark.compiled
@pytest.mark.parametrize(("n", "d"), [(4097, 1), (1366, 3), (41, 100), (5, 1000)])
def test_products_of_whole_numbers_are_off_by_no_more_than_is_said(n, d):
    random = np.random.default_rng(d)
    X = random.normal(size=(n, d)) * 2.0 ** random.integers(-60, 1, size=(n, 1))
    X[0, 0] = 3.0 * np.abs(X).max()  # the plane is along this row
    rows = rows_of(X)
    centred = centre(rows, About(np.zeros(d), np.square(rows.value.reshape(n, d)).sum(axis=1)), NO_ROOM)
    exact = rows.value.reshape(n, d).astype(np.longdouble)
    for normal in (random.normal(size=d), exact[0].astype(float), np.full(d, -1e-30)):
        plane = short_plane(centred, normal)
        near = np.empty(n)
        fill_near(centred, np.arange(n), plane, near)
        off = np.abs(near * centred.radius - exact @ normal.astype(np.longdouble)) / (plane.error * centred.radius)
        assert off.max() < 1.0
        assert plane.error < 0.04 * plane.length


@pytest.mark.parametrize("n_candidates", [0, 1, 8])
def test_the_second_row_is_drawn_by_its_squared_distance(n_candidates):
    rows = rows_of(np.array([[0.0], [0.0], [1.0], [2.0], [4.0]]))
    centred = centre(rows, NOTHING, NO_ROOM)
    rng = np.random.default_rng(0)
    found = [
        kernels._draw_second(rows, centred.radius, 0, rng.random(2 + 2 * n_candidates), np.empty(1))
        for _ in range(3000)
    ]
    share = np.bincount(found, minlength=5) / len(found)
    np.testing.assert_allclose(share, [0.0, 0.0, 1 / 21, 4 / 21, 16 / 21], atol=0.03)
    assert share[:2].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rows_whose_products_cancel_are_split_all_the_same(form):
    X = 2.0**40 + np.arange(12.0).reshape(12, 1) ** 2 * [1.0, 0.0, 2.0]
    X[:, 1] = 0.0
    tree = bisect(form(X), rng=0).hierarchy
    assert (tree.n_children == 0).sum() == 12
    assert (np.diff(X[list(map(int, tree.own_items(0))), 0]) == 0).all()


def test_the_rows_of_a_side_keep_their_columns_in_order():
    X = np.array([[0, 1, 0, 2, 0], [3, 0, 0, 0, 0], [0, 4, 0, 0, 0], [0, 0, 0, 5, 6]], dtype=float)
    rows = rows_of(sparse.csr_matrix(X))
    side = np.array([False, True, False, True])
    room = kernel_rows.Entries(np.empty_like(rows.column), np.empty_like(rows.value))
    left, left_held = kernel_rows.rows_of_side(rows, side, False, room)
    right, right_held = kernel_rows.rows_of_side(rows, side, True, room)
    assert (left.n_columns, left.column.tolist(), left.start.tolist()) == (2, [0, 1, 0], [0, 2, 3])
    assert (right.n_columns, right.column.tolist(), right.start.tolist()) == (3, [0, 1, 2], [0, 1, 3])
    assert (left_held.tolist(), right_held.tolist()) == ([1, 3], [0, 3, 4])
    np.testing.assert_array_equal(room.value * 8, [1, 2, 4, 3, 5, 6])
    for (own, _held), some in zip(kernel_rows.part_rows(rows, side), (left, right), strict=True):
        assert [column.tolist() for column in own[:3]] == [column.tolist() for column in some[:3]]


@pytest.mark.parametrize("n", range(1, 10))
def test_several_rows_at_a_time_are_added_up_like_one_after_the_other(n):
    X = np.random.default_rng(n).normal(size=(n, 5))
    rows, side = rows_of(X), np.arange(n) % 3 == 0
    value = rows.value.reshape(n, 5)
    mean, apart, total = np.empty(5), np.empty(n), np.zeros(5)
    assert kernel_rows.fill_mean(rows, side, True, mean) == side.sum()
    kernel_rows.fill_squared_from(rows, mean, apart)
    kernel_rows.add_rows(rows, np.arange(n), side, False, total)
    gap = (value - mean) ** 2
    assert mean.tolist() == (sum(value[side], np.zeros(5)) / side.sum()).tolist()
    assert apart.tolist() == [float(sum(row.tolist())) for row in gap]
    assert total.tolist() == sum((-row if s else row for row, s in zip(value, side, strict=True)), np.zeros(5)).tolist()
