"""How alike hierarchies are: what the shared parts of the studies compute, against the public functions."""

import numpy as np
import pytest

from dendrometry import Hierarchy, adjusted_mutual_information, compare, cut_count, item_disagreement, permutation_test
from dendrometry._studies import alike
from dendrometry.generate import random_tree


def view(name, n, seed, levels=None):
    tree = random_tree(n, shape="merges", rng=seed)
    return alike.View(name, tree, levels or {})


@pytest.fixture(scope="module")
def found():
    labels = np.arange(40) // 10
    first = view("first", 40, 0, {"quarter": labels, "half": labels // 2})
    return alike.agree(
        [(first, view("second", 40, 1)), (view("third", 40, 2), first)], 4, 19, np.random.default_rng(0), False
    )


def test_values_expectations_and_p_values_are_those_of_the_public_functions(found):
    one = found[0]
    table = alike.measures_table(found).to_frame().query("first == 'first'").set_index("measure")
    public = compare(one.first.tree, one.second.tree, measures=list(alike.MEASURES_USED), n_permutations=0)
    for name in alike.MEASURES_USED:
        assert table.value[name] == public[name].value
        assert table.by_chance[name] == pytest.approx(public[name].expected)
        assert table.adjusted[name] == pytest.approx(public[name].adjusted)
        rng = np.random.default_rng(0)
        for _ in range(4):  # the halves are drawn before
            rng.permutation(40)
        assert table.p_value[name] == permutation_test(one.first.tree, one.second.tree, name, 19, rng).p_value


def test_a_level_meets_the_cut_into_as_many_groups(found):
    one = found[0]
    cut = cut_count(one.second.tree, 4).labels
    assert one.at("quarter").value == adjusted_mutual_information(one.first.levels["quarter"], cut)
    table = alike.levels_table(found).to_frame()
    assert table.groups_of_second.tolist()[:2] == [4, 2]
    assert table.level.tolist()[2:] == ["2 groups", "4 groups", "8 groups"]


def test_halves_are_restricted_or_built_again_and_shared_by_all_pairs():
    built = []

    def rebuilt(some):
        built.append(some.tolist())
        return tree.restrict([tree.items[i] for i in some.tolist()]).without_unary()

    tree = random_tree(12, shape="merges", rng=3)
    views = [alike.View("built", tree, {}, rebuilt), alike.View("restricted", tree, {})]
    (one,) = alike.agree([tuple(views)], 3, 1, np.random.default_rng(1), False)
    assert [len(half) for half in built] == [6, 6, 6]
    np.testing.assert_allclose(one.halves, 1.0)
    assert one.measured("triplet_agreement").interval == (1.0, 1.0)


def test_an_interval_is_some_deviations_over_halves_on_both_sides_by_the_table_of_t():
    halves = np.array([0.1, 0.2, 0.4])
    low, high = alike.Estimate(0.5, halves).interval
    assert high - 0.5 == pytest.approx(4.3027 * halves.std(ddof=1), rel=1e-4)  # two degrees of freedom
    assert 0.5 - low == pytest.approx(high - 0.5)
    thirty = np.arange(alike.FULL[0]) / 29
    _, high = alike.Estimate(0.0, thirty).interval
    assert high == pytest.approx(2.0452 * thirty.std(ddof=1), rel=1e-4)
    difference = alike.Estimate(0.5, halves) - alike.Estimate(0.1, halves)
    assert difference.interval == pytest.approx((0.4, 0.4))


@pytest.mark.parametrize(
    ("values", "state"),
    [((0.3, 0.5), "holds"), ((-0.3, -0.5), "fails"), ((0.3, -0.5), "undecided"), ((0.3, 0.05), "undecided")],
)
def test_a_claim_that_a_setting_or_an_error_decides_is_undecided(values, state):
    margins = {f"way {i}": alike.Estimate(value, np.tile([0.0, 0.1], 15)) for i, value in enumerate(values)}
    claim = alike.Claim("one is nearer", margins)
    assert claim.state == state
    row = alike.claims_table([claim]).to_frame().iloc[0]
    assert row.supports_margin == max(values)
    assert row.weakens_margin == min(values)
    assert margins[row.weakens].value == min(values)
    assert next(alike.claim_notes([claim])).startswith(f"{state}: one is nearer [most {max(values):+.3f}")


def test_disagreement_is_0_for_equal_trees_and_about_1_for_shuffled_ones():
    tree = random_tree(60, shape="merges", rng=5)
    rng = np.random.default_rng(0)
    shuffled = Hierarchy(tree.parent, tree.height, rng.permutation(tree.item_node), tree.items)
    same, other = alike.View("same", tree, {}), alike.View("other", shuffled, {})
    np.testing.assert_array_equal(alike.disagreement(same, same, rng), 0.0)
    assert alike.disagreement(same, other, rng).mean() == pytest.approx(1.0, abs=0.1)
    order = np.argsort(item_disagreement(tree, shuffled).sums)
    assert alike.disagreement(same, other, rng)[order[-1]] > 1.0


def test_tables_of_items_and_groups_give_the_mean_and_the_range_over_settings():
    moved = {"one": np.array([0.0, 1.0, 0.5]), "other": np.array([0.2, 0.6, 0.5])}
    items = alike.moved_table(moved, ["a", "b", "c"], ["x", "y", "y"], 2).to_frame()
    assert items.values.tolist() == [["b", "y", 0.8, 0.6, 1.0, 2], ["c", "y", 0.5, 0.5, 0.5, 2]]
    (row,) = alike.groups_table(moved, ["x", "y", "y"], 2).rows()
    assert row == ("y", 2, *map(pytest.approx, (0.65, 0.55, 0.75)), 2)
