"""The study of F-scores: its tables are those of the public functions, and the paper's Table 1 comes out."""

from functools import partial

import numpy as np
import pytest

from dendrometry import classic_f, hierarchical_f, partial_order_f
from dendrometry._studies import f_scores as study
from dendrometry._studies import reproduce
from dendrometry._studies.f_scores import f_scores
from dendrometry._studies.result import Printed
from dendrometry.generate import STICK_SETS, collapse_to_root, flatten, reinsert, stick_breaking
from tests._studies.committed import assert_as_committed, committed


@pytest.fixture(scope="module")
def result():
    return f_scores(quick=True)


def test_the_scores_are_those_of_the_public_functions(result):
    """The first set is drawn first: three hierarchies, each re-inserted twice before the next."""
    rng = np.random.default_rng(0)
    root, after = [], []
    for _ in range(3):
        drawn = stick_breaking(100, **STICK_SETS["s00"]._asdict(), rng=rng)
        worse = reinsert(reinsert(drawn, 50, rng=rng), 50, rng=rng)
        for found, rows in ((collapse_to_root(drawn.hierarchy), root), (flatten(worse.hierarchy), after)):
            rows.append([f(drawn.hierarchy, found) for f in (classic_f, partial_order_f, hierarchical_f)])
    frame, curves = result.to_frame(), result.to_frame("curves")
    last = curves[(curves.set == "s00") & (curves.hierarchy == "removed") & (curves.reinsertions == 100)]
    assert frame["mean"][:3].tolist() == pytest.approx(np.mean(root, axis=0).tolist())
    assert frame["deviation"][:3].tolist() == pytest.approx(np.std(root, axis=0, ddof=1).tolist())
    assert last["mean"].tolist() == pytest.approx(np.mean(after, axis=0).tolist())


def test_every_curve_starts_at_1_with_the_hierarchy_kept_and_the_classic_one_does_not_see_it_removed(result):
    frame = result.to_frame("curves")
    start = frame[(frame.reinsertions == 0) & (frame.hierarchy == "kept")]
    assert len(start) == 24
    assert (start["mean"] == 1.0).all()
    classic = frame[frame.measure == "classic"].pivot_table(
        index=["set", "reinsertions"], columns="hierarchy", values="mean"
    )
    assert (classic.kept == classic.removed).all()
    assert "classic: does not notice, anywhere, that the hierarchy is removed." in result.notes


def test_the_figures_show_every_set(result):
    for name in ("reinsertion", "flattened"):
        titles = [ax.get_title() for ax in result.figure(name).axes]
        assert [title[:3] for title in titles] == list(STICK_SETS)


def test_the_same_seed_gives_the_same_result(result):
    assert str(f_scores(quick=True)) == str(result)


def test_the_committed_means_lie_within_three_standard_errors_of_the_print_alone():
    table = committed("f-scores", "root")
    assert len(table) == 24
    assert ((table["mean"] - table.mean_in_paper).abs() < 3 * table.deviation_in_paper / np.sqrt(30)).all()


@pytest.mark.parametrize("shown", ["quick", "committed"])
def test_the_correlations_are_those_of_the_means_beside_the_print(result, shown):
    read = result.to_frame if shown == "quick" else partial(committed, "f-scores")
    root, table = read("root"), read("correlations")
    scores = table[table.second != "mean depth"]
    measures = ["classic", "partial order", "hierarchical"]
    for column, source in (("sets", "mean"), ("sets_in_paper", "mean_in_paper")):
        means = root.pivot_table(index="set", columns="measure", values=source)[measures].to_numpy()
        expected = np.corrcoef(means.T)[np.triu_indices(3, 1)]
        assert scores[column].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    assert scores.sets_in_paper.round(3).tolist() == [0.943, 0.882, 0.915]
    assert table[table.second == "mean depth"].sets_in_paper.isna().all()


def test_the_depth_is_that_of_the_drawn_hierarchies():
    scores = study._scored("s00", study._Size(1, 50, 50, 50), np.random.default_rng(0))
    tree = stick_breaking(50, **STICK_SETS["s00"]._asdict(), rng=0).hierarchy
    assert scores.depth == np.mean([sum(1 for _ in climb(tree, v)) for v in tree.item_node.tolist()])


def climb(tree, v):
    """The nodes above a node."""
    while tree.parent[v] >= 0:
        v = tree.parent[v]
        yield v


def test_the_words_on_correlations_name_each_pair_and_the_steps_that_go_up(result):
    first, deep, rises = result.notes[-3:]
    assert first.count(" in the print, ") == 3
    assert "classic and hierarchical 0.882 in the print" in first
    assert deep.startswith("  with the mean depth of the items: classic -")
    assert rises.endswith("of 7 steps these many go up: classic 2, partial order 1, hierarchical 2.")


@pytest.mark.parametrize("shown", ["quick", "committed"])
def test_the_drops_are_the_first_and_the_last_step_of_the_curves(result, shown):
    """Section 4.1 says that the drop appears proportional to the number of re-insertions."""
    read = result.to_frame if shown == "quick" else partial(committed, "f-scores")
    curves, table = read("curves"), read("drops")
    kept = curves[curves.hierarchy == "kept"]
    for row in table.itertuples():
        mean = kept[(kept.set == row.set) & (kept.measure == row.measure)]["mean"].to_numpy()
        assert (row.first, row.last) == pytest.approx((mean[0] - mean[1], mean[-2] - mean[-1]), abs=2e-5)
        assert row.ratio == pytest.approx(row.first / row.last, rel=1e-4)
        assert row.ratio_low <= row.ratio <= row.ratio_high


def test_the_first_100_re_insertions_cost_much_more_than_the_last_100():
    """Proportional, they would cost as much."""
    table = committed("f-scores", "drops")
    assert len(table) == 24
    assert (table.seeds == 5).all()
    found = table.groupby("measure").agg({"ratio": ["min", "max"], "ratio_low": "min", "ratio_high": "max"}).round(1)
    assert found.loc["classic"].tolist() == [3.9, 5.6, 3.9, 5.9]
    assert found.loc["partial order"].tolist() == [3.0, 4.1, 2.9, 4.6]
    assert found.loc["hierarchical"].tolist() == [2.4, 3.0, 2.3, 3.1]


def test_the_ends_of_another_seed_are_those_of_its_own_curve():
    size = study._Size(1, 60, 20, 80)
    one = study._end("s03", size, np.random.default_rng(4))
    rng = np.random.default_rng(4)
    drawn = stick_breaking(60, **STICK_SETS["s03"]._asdict(), rng=rng)
    steps = [drawn]
    for moves in (20, 40, 20):
        steps.append(reinsert(steps[-1], moves, rng=rng))
    values = [classic_f(drawn.hierarchy, step.hierarchy) for step in steps]
    assert (one.first[0], one.last[0]) == pytest.approx((values[0] - values[1], values[2] - values[3]))
    assert one.root[0] == classic_f(drawn.hierarchy, collapse_to_root(drawn.hierarchy))


def test_the_error_of_a_deviation_is_that_of_normal_scores():
    """The standard error of the deviation of 30 normal numbers is s / sqrt(2 * 29), about; here of a difference."""
    scores = np.random.default_rng(0).normal(size=(500, 30, 3))
    ends = {name: study._Ends(scores * 0.1, scores, scores) for name in study._PRINTED}
    number = next(study._printed_deviations(ends))
    assert number.what == "s00 classic, deviation"
    assert number.paper == 0.1616
    assert number.here == pytest.approx(0.1 * scores[0, :, 0].std(ddof=1))
    simulated = scores[:, :, 0].std(axis=1, ddof=1).std() * np.hypot(number.paper, number.here)
    assert number.standard_error == pytest.approx(simulated, rel=0.1)


def test_means_far_from_the_print_are_named():
    """Classic F of s00 is printed as 0.6456 with deviation 0.1616 over 30, a standard error of 0.0295."""
    rows = [(name, mean) for name, row in study._PRINTED.items() for mean, _ in row]
    printed = [Printed(f"{name} {i % 3}", mean, mean, 0.05) for i, (name, mean) in enumerate(rows)]
    printed[0] = Printed("s00 0", 0.6456, 0.6456 + 0.1, 0.05)
    of_both, of_print, named = study._of_the_print(printed, ())
    assert of_both.startswith("Table 1: 24 of 24 means lie within 3 standard errors of the difference")
    assert "the farthest is 2.0 away" in of_both
    assert of_print.startswith("Table 1: 23 of 24 means lie within 3 standard errors of the print alone")
    assert "the farthest is 3.4 away" in of_print
    assert named == "  farther away: s00 0"
    (of_deviations,) = study._of_the_print((), printed)
    assert of_deviations.startswith("Table 1: 24 of 24 deviations lie within 3 standard errors of the difference")


@pytest.mark.slow
def test_the_printed_table_comes_out_within_three_standard_errors():
    result = reproduce("f-scores")
    assert len(result.printed) == 48
    assert max(number.errors_apart for number in result.printed) < 3.0
    assert np.mean([number.errors_apart for number in result.printed]) < 1.5
    assert [note[:24] for note in result.notes[:2]] == ["Table 1: 24 of 24 means "] * 2
    assert result.notes[2].startswith("Table 1: 24 of 24 deviations ")
    frame = result.to_frame("curves")
    assert_as_committed(result)
    for _, curve in frame[frame.hierarchy == "kept"].groupby(["set", "measure"]):
        assert (np.diff(curve["mean"]) < 0).all()
