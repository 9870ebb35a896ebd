"""The study of F-scores: its tables are those of the public functions, and the paper's Table 1 comes out."""

import numpy as np
import pytest

from dendrometry import (
    STICK_SETS,
    classic_f,
    flatten,
    hierarchical_f,
    partial_order_f,
    reinsert,
    reproduce,
    stick_breaking,
    to_root,
)
from dendrometry.study.f_scores import f_scores

pytestmark = pytest.mark.compiled  # the examples run the quick study without compilation, too


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
        for found, rows in ((to_root(drawn.tree), root), (flatten(worse.tree), after)):
            rows.append([f(drawn.tree, found) for f in (classic_f, partial_order_f, hierarchical_f)])
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


@pytest.mark.slow
def test_the_printed_table_comes_out_within_three_standard_errors():
    result = reproduce("f-scores")
    assert len(result.printed) == 24
    assert max(number.errors_apart for number in result.printed) < 3.0
    assert np.mean([number.errors_apart for number in result.printed]) < 1.5
    frame = result.to_frame("curves")
    for _, curve in frame[frame.hierarchy == "kept"].groupby(["set", "measure"]):
        assert (np.diff(curve["mean"]) < 0).all()
