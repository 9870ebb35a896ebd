"""Stick breaking: the distribution of items over levels and nodes, the same sticks for items that fall again."""

import numpy as np
import pytest
from scipy import stats
from tests.oracles.generate import stick_breaking as oracle

from dendrometry import classic_f, hierarchical_f, partial_order_f
from dendrometry.errors import InvalidInputError
from dendrometry.generate import STICK_SETS, collapse_to_root, reinsert, stick_breaking

# means over 200 draws of 1,000 items with everything moved to the root: classic, partial order, hierarchical
SIMULATED = {
    "s00": (0.669, 0.837, 0.839),
    "s01": (0.594, 0.799, 0.767),
    "s02": (0.497, 0.708, 0.685),
    "s03": (0.395, 0.691, 0.758),
    "s04": (0.218, 0.589, 0.546),
    "s05": (0.243, 0.500, 0.584),
    "s06": (0.229, 0.532, 0.698),
    "s07": (0.059, 0.231, 0.471),
}


def drawn_from(name, n, rng):
    return stick_breaking(n, **STICK_SETS[name]._asdict(), rng=rng)


def at_depths(drawn, levels):
    """The share of items at each of the first levels."""
    depths = drawn.hierarchy.depths[drawn.hierarchy.item_node]
    return np.bincount(depths, minlength=levels)[:levels] / depths.size


@pytest.mark.parametrize("name", STICK_SETS)
def test_the_mean_share_of_items_at_each_level_is_that_of_the_formula(name):
    rng = np.random.default_rng(5)
    found = np.array([at_depths(drawn_from(name, 100, rng), 6) for _ in range(100)])
    alpha, decay, _ = STICK_SETS[name]
    wanted = np.array([oracle.mean_share_at_depth(alpha, decay, d) for d in range(6)])
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    often = wanted > 0.01  # where items are rare, so few draws tell nothing of their error
    assert often.sum() >= 4
    assert (np.abs(found.mean(axis=0) - wanted)[often] < 4 * error[often]).all()


def shapes(alpha, decay, gamma, n_draws=60):
    """Means over draws of 200 items: of items in the root, depth of items, greatest depth, nodes, and children."""
    rows = []
    rng = np.random.default_rng(12)
    for _ in range(n_draws):
        tree = stick_breaking(200, alpha=alpha, decay=decay, gamma=gamma, rng=rng).hierarchy
        depth = tree.depths[tree.item_node]
        inner = tree.n_children[tree.n_children > 0]
        rows.append(((depth == 0).mean(), depth.mean(), depth.max(), tree.n_nodes, inner.mean() if inner.size else 0))
    return dict(zip(("in_root", "depth", "deepest", "nodes", "children"), np.mean(rows, axis=0).tolist(), strict=True))


@pytest.mark.further
def test_alpha_moves_items_away_from_the_root_and_deeper():
    few, some, many = (shapes(alpha, 0.5, 0.5) for alpha in (0.5, 2.0, 8.0))
    assert few["in_root"] > some["in_root"] > many["in_root"]
    assert few["depth"] < some["depth"] < many["depth"]


@pytest.mark.further
def test_decay_leaves_the_root_as_it_is_and_lets_items_go_deeper_below_it():
    low, middle, high = (shapes(2.0, decay, 0.5) for decay in (0.25, 0.5, 1.0))
    assert low["depth"] < middle["depth"] < high["depth"]
    assert low["deepest"] < middle["deepest"] < high["deepest"]
    in_root = [one["in_root"] for one in (low, middle, high)]
    assert max(in_root) - min(in_root) < 3 * 0.04  # Beta(1, 2) has deviation 0.24; two means of 60 draws differ by 0.04


@pytest.mark.further
def test_gamma_gives_nodes_more_children_and_leaves_depths_as_they_are():
    low, middle, high = (shapes(2.0, 0.5, gamma) for gamma in (0.1, 0.5, 2.0))
    assert low["children"] < middle["children"] < high["children"]
    assert low["nodes"] < middle["nodes"] < high["nodes"]
    assert abs(low["depth"] - high["depth"]) < 0.25  # the depth of an item does not depend on gamma


@pytest.mark.further
def test_the_four_cases_of_section_4_hold_as_far_as_decay_is_at_most_1():
    """Spytkowski et al. name them by alpha and lambda, our decay; lambda above 1 is refused: items might never stop."""
    shallow, few_deep, dense_below, deep = (
        shapes(alpha, decay, 0.5) for alpha, decay in ((0.5, 0.5), (0.5, 1.0), (10.0, 0.3), (10.0, 1.0))
    )
    assert deep["deepest"] > max(one["deepest"] for one in (shallow, few_deep, dense_below))
    assert 200 / deep["nodes"] < 200 / min(one["nodes"] for one in (shallow, few_deep, dense_below))  # sparse
    assert shallow["deepest"] < few_deep["deepest"]
    assert few_deep["in_root"] > 0.5 > dense_below["in_root"]  # items close to the top, and below it
    assert shallow["in_root"] > 0.5  # not "grouped closer to the leaves": the mean share of the root is 1 / (1 + alpha)
    assert dense_below["deepest"] < deep["deepest"] / 3
    assert dense_below["depth"] > few_deep["depth"]


@pytest.mark.parametrize("name", ["s02", "s05"])
def test_numbers_of_clusters_and_pairs_follow_those_of_items_that_fall_one_by_one(name):
    rng = np.random.default_rng(8)
    ours, theirs = [], []
    for seed in range(150):
        own = drawn_from(name, 40, rng).hierarchy.own_sizes
        ours.append((np.count_nonzero(own), (own**2).sum(), own[-1]))
        paths = oracle.fallen(40, *STICK_SETS[name], seed)
        counts = [paths.count(path) for path in set(paths)]
        theirs.append((len(counts), sum(c * c for c in counts), paths.count(())))
    for mine, judge in zip(np.transpose(ours), np.transpose(theirs), strict=True):
        assert stats.ks_2samp(mine, judge).pvalue > 0.001


def test_what_stops_at_the_root_and_what_the_first_child_takes_are_beta_draws():
    rng = np.random.default_rng(2)
    drawn = [stick_breaking(20, alpha=3.0, decay=0.5, gamma=0.7, rng=rng) for _ in range(300)]
    assert stats.kstest([d.stop[0] for d in drawn], stats.beta(1, 3.0).cdf).pvalue > 0.001
    below = [(d.share[1], d.stop[1]) for d in drawn if d.parent.size > 1]
    for values, beta in zip(np.transpose(below), (0.7, 1.5), strict=True):
        assert stats.kstest(values, stats.beta(1, beta).cdf).pvalue > 0.001


def test_given_its_sticks_every_place_holds_its_share_of_the_items():
    drawn = drawn_from("s05", 200_000, 3)
    reach, left = np.ones(drawn.parent.size), np.ones(drawn.parent.size)
    mass = np.zeros(drawn.parent.size)
    for v, p in enumerate(drawn.parent.tolist()):
        if p >= 0:
            reach[v] = reach[p] * (1 - drawn.stop[p]) * left[p] * drawn.share[v]
            left[p] *= 1 - drawn.share[v]
        mass[v] = reach[v] * drawn.stop[v]
    counts = np.bincount(drawn.item_place, minlength=mass.size)
    large = mass * 200_000 > 20
    z = (counts - 200_000 * mass)[large] / np.sqrt(200_000 * mass * (1 - mass))[large]
    assert large.sum() > 50
    assert np.abs(z).max() < 5
    assert 0.6 < z.std() < 1.4


def test_items_fall_again_by_the_same_sticks():
    drawn = drawn_from("s03", 50_000, 4)
    again = reinsert(drawn, 400_000, rng=5)
    n_places = drawn.parent.size
    for name in ("parent", "stop", "share"):
        assert (getattr(again, name)[:n_places] == getattr(drawn, name)).all()
    before, after = (np.bincount(d.item_place, minlength=again.parent.size) for d in (drawn, again))
    common = (before + after) > 50
    z = (after - before)[common] / np.sqrt(before + after)[common]
    assert np.abs(z).max() < 5
    moved = (drawn.item_place != again.item_place).mean()
    share = (before / 50_000) @ (before / 50_000)
    assert abs(moved - (1 - share)) < 0.02  # all but those that fall where they were


def test_the_number_of_items_that_fall_again_is_that_of_draws_with_replacement():
    drawn = drawn_from("s07", 1000, 0)
    own = np.bincount(drawn.item_place)
    elsewhere = 1 - (own**2).sum() / 1000**2
    moved = [(reinsert(drawn, 500, rng=s).item_place != drawn.item_place).sum() for s in range(12)]
    assert abs(np.mean(moved) - 1000 * (1 - (1 - 1 / 1000) ** 500) * elsewhere) < 15


def test_the_first_and_the_last_item_fall_alike_also_when_they_fall_again():
    """Places are drawn by their numbers; which item gets which is drawn after that."""
    rng = np.random.default_rng(6)
    drawn = [drawn_from("s03", 10, rng) for _ in range(200)]
    for trees in (drawn, [reinsert(one, 60, rng=rng) for one in drawn]):
        depths = np.array([one.hierarchy.depths[one.hierarchy.item_node] for one in trees])
        later = depths[:, -1] - depths[:, 0]
        assert abs(later.mean()) < 4 * later.std() / np.sqrt(later.size)


def test_nothing_moves_where_nothing_is_re_inserted():
    drawn = drawn_from("s04", 300, 1)
    assert reinsert(drawn, 0).hierarchy == drawn.hierarchy


def test_a_series_of_re_insertions_loses_agreement_step_by_step():
    drawn = now = drawn_from("s05", 1000, 2)
    rng = np.random.default_rng(0)
    values = [1.0]
    for _ in range(5):
        now = reinsert(now, 200, rng=rng)
        values.append(classic_f(drawn.hierarchy, now.hierarchy))
    assert (np.diff(values) < 0).all()


def test_the_same_seed_gives_the_same_bits():
    one, other = (drawn_from("s07", 500, 11) for _ in range(2))
    assert one.hierarchy == other.hierarchy
    assert (one.item_place == other.item_place).all()
    assert (one.stop == other.stop).all()
    assert reinsert(one, 50, rng=1).hierarchy == reinsert(other, 50, rng=1).hierarchy
    assert one.hierarchy != drawn_from("s07", 500, 12).hierarchy


def test_a_known_draw_stays_what_it_is():
    """Bit for bit, compiled or not: all numbers come from numpy, none from a kernel."""
    drawn = stick_breaking(12, alpha=5, decay=0.5, gamma=1, rng=2024)
    assert drawn.item_place.tolist() == [6, 1, 11, 29, 0, 13, 7, 1, 26, 1, 24, 26]


def test_the_same_seed_of_several_sets_shares_its_first_draws():
    first = [np.log1p(-drawn_from(name, 10, 7).stop[0]) * STICK_SETS[name].alpha for name in STICK_SETS]
    assert np.allclose(first, first[0])


def test_columns_are_read_only_and_the_first_draw_stays():
    drawn = drawn_from("s02", 50, 0)
    place = drawn.item_place.copy()
    reinsert(drawn, 100, rng=0)
    assert (drawn.item_place == place).all()
    assert not any(getattr(drawn, name).flags.writeable for name in ("parent", "stop", "share", "item_place"))


def test_every_place_comes_after_its_parent_and_shares_lie_between_0_and_1():
    drawn = drawn_from("s04", 2000, 3)
    assert drawn.parent[0] == -1
    assert (drawn.parent[1:] < np.arange(1, drawn.parent.size)).all()
    for share in (drawn.stop, drawn.share):
        assert ((share >= 0) & (share <= 1)).all()
    assert drawn.hierarchy.n_nodes == np.unique(np.concatenate([_ways(drawn.parent, drawn.item_place)])).size
    assert "alpha 5, decay 1, gamma 0.2" in repr(drawn)


def _ways(parent, places):
    """All places from the items up to the root."""
    seen = set()
    for v in np.unique(places).tolist():
        while v >= 0 and v not in seen:
            seen.add(v)
            v = int(parent[v])
    return sorted(seen)


@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_items_are_enough(n):
    drawn = stick_breaking(n, alpha=10.0, decay=0.9, gamma=2.0, rng=0)
    assert drawn.hierarchy.n_items == n
    assert reinsert(drawn, 5, rng=0).hierarchy.n_items == n


def test_extreme_parameters_give_trees():
    assert stick_breaking(50, alpha=1e-300, decay=1e-300, gamma=1e-300, rng=0).hierarchy.n_nodes == 1
    deep = stick_breaking(3, alpha=300.0, decay=1.0, gamma=1e-12, rng=0).hierarchy
    assert deep.depths.max() > 100
    wide = stick_breaking(100, alpha=1e6, decay=1e-9, gamma=1000.0, rng=0).hierarchy
    assert wide.n_children[-1] > 80


@pytest.mark.compiled
@pytest.mark.parametrize("name", STICK_SETS)
def test_moved_to_the_root_the_f_scores_are_those_simulated_before(name):
    rng = np.random.default_rng([0, int(name[1:])])
    values = []
    for _ in range(30):
        tree = drawn_from(name, 1000, rng).hierarchy
        root = collapse_to_root(tree)
        values.append((classic_f(tree, root), partial_order_f(tree, root), hierarchical_f(tree, root)))
    error = np.std(values, axis=0, ddof=1) * np.sqrt(1 / 30 + 1 / 200)
    assert (np.abs(np.mean(values, axis=0) - SIMULATED[name]) < 3 * error).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_items": 0}, "n_items must be a whole number from 1 on; got 0"),
        ({"n_items": 2.5}, "n_items must be a whole number from 1 on; got 2.5"),
        ({"n_items": True}, "n_items must be a whole number from 1 on; got True"),
        ({"alpha": 0}, "alpha must be a finite number, above 0; got 0"),
        ({"alpha": float("nan")}, "alpha must be a finite number, above 0; got nan"),
        ({"alpha": float("inf")}, "alpha must be a finite number, above 0; got inf"),
        ({"decay": 1.01}, "decay must be a number, above 0 and at most 1; got 1.01"),
        ({"gamma": "x"}, "gamma must be a finite number, above 0; got 'x'"),
        ({"rng": "x"}, "rng must be a numpy Generator, a whole number from 0 on, or None; got 'x'"),
        ({"alpha": 1e15}, r"stick breaking of 10 items needs .* GiB of memory; .* Choose smaller alpha"),
        ({"gamma": 1e15}, r"stick breaking of 10 items needs .* GiB of memory"),
    ],
)
def test_refuses_parameters_out_of_range(wrong, message):
    given = {"n_items": 10, "alpha": 1.0, "decay": 1.0, "gamma": 1.0, **wrong}
    with pytest.raises(InvalidInputError, match=message):
        stick_breaking(given.pop("n_items"), **given)


def test_refuses_to_re_insert_what_was_not_drawn():
    drawn = drawn_from("s00", 5, 0)
    with pytest.raises(InvalidInputError, match="drawn must be a StickBreaking; got Hierarchy"):
        reinsert(drawn.hierarchy, 3)
    with pytest.raises(InvalidInputError, match="n_moves must be a whole number from 0 on; got -1"):
        reinsert(drawn, -1)


@pytest.mark.slow
@pytest.mark.parametrize("name", STICK_SETS)
def test_a_million_items(name):
    drawn = drawn_from(name, 1_000_000, 0)
    assert drawn.hierarchy.n_items == 1_000_000
    assert reinsert(drawn, 1000, rng=0).hierarchy.n_items == 1_000_000
