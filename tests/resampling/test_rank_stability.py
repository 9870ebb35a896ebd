"""Rankings of methods: equal to their definition, with the laws of ranks, published numbers and edges."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import plot
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.resampling import rank_stability
from tests.oracles.resampling import rank_stability as oracle

DESIGN = {"data": ["iris", "iris", "wine", "wine"], "seed": [1, 2, 1, 2]}
SCORES = {"ward": [0.73, 0.72, 0.37, 0.36], "average": [0.76, 0.75, 0.29, 0.30]}


@st.composite
def tables(draw):
    """Scores with many ties, and one to three factors, of which conditions may repeat the levels."""
    n, k, f = draw(st.integers(2, 12)), draw(st.integers(2, 5)), draw(st.integers(1, 3))
    scores = draw(st.lists(st.lists(st.integers(-3, 3), min_size=k, max_size=k), min_size=n, max_size=n))
    levels = draw(st.lists(st.lists(st.integers(0, 2), min_size=f, max_size=f), min_size=n, max_size=n))
    return scores, levels


def found_for(scores, levels):
    factors = {str(at): [row[at] for row in levels] for at in range(len(levels[0]))}
    return rank_stability(np.array(scores, dtype=float), factors=factors)


@given(tables())
def test_everything_is_that_of_the_definition(table):
    scores, levels = table
    found = found_for(scores, levels)
    assert found.rank.tolist() == [oracle.ranks(row) for row in scores]
    assert found.wins == pytest.approx(oracle.wins(scores))
    assert found.change == pytest.approx(oracle.mean_change(scores)[0])
    for at, effect in enumerate(found.factors):
        mean, n_pairs = oracle.mean_change(scores, levels, at)
        assert (effect.factor, effect.n_pairs) == (str(at), n_pairs)
        assert effect.n_levels == len({row[at] for row in levels})
        assert effect.change == (None if mean is None else pytest.approx(mean, abs=1e-12))
    mean, n_pairs = oracle.mean_change(scores, levels)
    if n_pairs:
        assert (found.repeats.n_pairs, found.repeats.change) == (n_pairs, pytest.approx(mean, abs=1e-12))
    else:
        assert found.repeats is None
    w = oracle.concordance(scores)
    assert found.concordance == (None if w is None else pytest.approx(w))
    assert found.n_shared == sum(len(oracle.winners(row)) > 1 for row in scores)


@given(tables(), st.randoms(use_true_random=False))
def test_the_laws_of_rankings(table, random):
    scores, levels = table
    found = found_for(scores, levels)
    n, k = found.rank.shape
    assert found.wins.sum() == pytest.approx(n)
    assert found.rank.sum(axis=1).tolist() == [k * (k + 1) / 2] * n
    assert 0.0 <= found.change <= 1.0
    assert (found.change == 0.0) == (len({frozenset(oracle.winners(row)) for row in scores}) == 1)
    assert found.concordance is None or 0.0 <= found.concordance <= 1.0 + 1e-12
    # any increasing function of the scores gives the same ranks, and the negative ones with lower_is_better
    assert rank_stability(np.exp(np.array(scores) / 2)).rank.tolist() == found.rank.tolist()
    assert rank_stability(-np.array(scores), lower_is_better=True).rank.tolist() == found.rank.tolist()
    # conditions in another order change nothing, twice the same conditions not the shares
    order = random.sample(range(n), n)
    other = found_for([scores[i] for i in order], [levels[i] for i in order])
    assert other.change == pytest.approx(found.change)
    assert [one.change for one in other.factors] == pytest.approx([one.change for one in found.factors])
    twice = found_for(scores * 2, levels * 2)
    assert twice.wins == pytest.approx(2 * found.wins)
    assert twice.concordance == (None if found.concordance is None else pytest.approx(found.concordance))


# J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, table 6: the areas under
# the curves of four variants of C4.5 on 14 data sets. In print the last two have 0.975 on "voting" but ranks 2 and 3.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.9749],
    [0.957, 0.978, 0.946, 0.970],
]


def test_mean_ranks_are_those_of_demsars_table_6():
    found = rank_stability(DEMSAR)
    assert found.mean_rank.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    n, k = 14, 4
    friedman = 12 * n / (k * (k + 1)) * ((found.mean_rank**2).sum() - k * (k + 1) ** 2 / 4)
    assert friedman == pytest.approx(9.28, abs=0.005)  # the statistic of the paper, without the correction for ties
    assert found.n_shared == 1
    assert found.wins.tolist() == [2.25, 4.25, 1.25, 6.25]


def test_the_concordance_is_that_of_friedmans_statistic_in_scipy():
    stats = pytest.importorskip("scipy.stats")
    scores = np.random.default_rng(0).integers(0, 6, size=(20, 5))
    statistic = stats.friedmanchisquare(*scores.T).statistic
    assert rank_stability(scores).concordance == pytest.approx(statistic / (20 * 4))


def test_all_kinds_of_tables_give_the_same():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    whole = {**DESIGN, **SCORES}
    records = [dict(zip(whole, row, strict=True)) for row in zip(*whole.values(), strict=True)]
    expected = rank_stability(whole, factors=["data", "seed"])
    for table in (records, pd.DataFrame(whole), pl.DataFrame(whole)):
        found = rank_stability(table, factors=("data", "seed"))
        assert found.methods == ("ward", "average")
        assert found.levels == expected.levels == {"data": ("iris",) * 2 + ("wine",) * 2, "seed": ("1", "2") * 2}
        assert found.factors == expected.factors
        assert found.rank.tolist() == expected.rank.tolist()
    beside = rank_stability(np.column_stack([*SCORES.values()]), factors=DESIGN)
    assert beside.methods == ("0", "1")
    assert beside.factors == expected.factors
    assert rank_stability(pd.DataFrame(whole).drop(columns="seed"), factors="data").factors[0].change == 1.0


def test_the_words_say_who_wins_and_what_changes_it():
    found = rank_stability({**DESIGN, **SCORES}, factors=["data", "seed"])
    assert found.tell().splitlines()[1:] == [
        "data iris: average 100%",
        "data wine: ward 100%",
        "seed 1: ward 50%, average 50%",
        "seed 2: ward 50%, average 50%",
    ]
    assert found.wins_at("data") == {"iris": {"ward": 0.0, "average": 1.0}, "wine": {"ward": 1.0, "average": 0.0}}
    always = rank_stability({"a": [3, 4, 5], "b": [1, 2, 3]})
    assert always.verdict == "a wins in all 3 conditions."
    assert repr(always) == (
        "RankStability(2 methods, 3 conditions; a wins 100%, the winner changes in 0% of the pairs)"
    )
    tied = rank_stability({"a": [3, 4, 5], "b": [3, 2, 3]})
    assert tied.verdict == (
        "a wins most often, in 83% of 3 conditions, ahead of b (17%). The winner changes between two conditions in 33%"
        " of the pairs. 1 condition has several winners, each of which has a part of the win."
    )
    repeated = rank_stability({"a": [3, 1, 5, 5], "b": [2, 2, 3, 3]}, factors={"x": [1, 1, 2, 2]})
    assert "In repeats of the same condition it changes in 50% of the pairs." in repeated.verdict
    many = rank_stability(np.eye(7))
    assert many.verdict.startswith("0, 1, 2, 3, 4, 5 and 6 win most often, each in 14% of 7 conditions.")
    ahead = rank_stability(np.vstack([np.eye(7), np.eye(7)[:1]]))
    assert "ahead of 1 (12%), 2 (12%), 3 (12%), 4 (12%) and 2 others." in ahead.verdict
    levels = rank_stability(np.eye(12), factors={"x": range(12)})
    assert levels.tell().splitlines()[-1] == "x: 2 more levels"


def test_nothing_is_won_where_all_are_tied():
    found = rank_stability(np.ones((3, 2)))
    assert found.concordance is None
    assert found.change == 0.0
    assert found.n_shared == 3
    assert found.verdict == (
        "0 and 1 win most often, each in 50% of 3 conditions."
        " 3 conditions have several winners, each of which has a part of the win."
    )


def test_rounding_errors_are_ties_and_large_numbers_are_not():
    assert rank_stability([[0.1 + 0.2, 0.3], [1e308, -1e308]]).rank.tolist() == [[1.5, 1.5], [1.0, 2.0]]
    assert rank_stability([[0.3 + 1e-9, 0.3], [0.0, -1e-300]]).rank.tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_results_are_shown_and_cannot_be_changed():
    pytest.importorskip("pandas")
    found = rank_stability({**DESIGN, **SCORES}, factors=["data", "seed"])
    frame = found.to_frame().set_index("method")
    assert frame.loc["ward"].tolist() == [2.0, 0.5, 1.5, 1.0, 2.0, 0.36, 0.73]
    assert "<table" in found._repr_html_()
    assert found.to_markdown().startswith("| method | wins | share |")
    with pytest.raises(ValueError, match="read-only"):
        found.rank[0, 0] = 5.0
    assert pickle.loads(pickle.dumps(found)).verdict == found.verdict


@pytest.mark.parametrize(
    ("scores", "factors", "error", "message"),
    [
        ([[1, 2]], None, UndefinedMeasureError, "at least 2 conditions; got 1"),
        ([[1], [2]], None, UndefinedMeasureError, "at least 2 methods to rank; got 1"),
        ([[1, 2], [3, float("nan")]], None, InvalidInputError, "method '1' must be finite; got nan at position 1"),
        ({"a": [1, 2], "b": [1]}, None, InvalidInputError, "a score in every condition; got 1 to 2 scores"),
        ({"a": [1, 2], "b": ["x", "y"]}, None, InvalidInputError, r"'b' must be numbers; got text \(factors="),
        ([{"a": 1, "b": 2}, {"a": 1}], None, InvalidInputError, "the keys of the first, 'a', 'b'; record 1 has 'a'"),
        (3, None, InvalidInputError, "scores must have 2 dimensions"),
        ({"a": [1, 2], "b": [1, 2]}, ["c"], InvalidInputError, "must be columns of the scores, 'a', 'b'; got 'c'"),
        (
            {"a": [1, 2], "b": [1, 2]},
            {"c": [1]},
            InvalidInputError,
            "'c' must have a level for each of 2 conditions; got 1",
        ),
        ({"a": [1, 2], "b": [1, 2]}, {"c": [1, None]}, InvalidInputError, "the levels of factor 'c'"),
        ({"a": [1, 2], "b": [1, 2]}, 3, InvalidInputError, "factors must be a collection"),
    ],
)
def test_what_cannot_be_ranked_is_refused(scores, factors, error, message):
    with pytest.raises(error, match=message):
        rank_stability(scores, factors=factors)


def test_an_unknown_factor_is_refused():
    with pytest.raises(InvalidInputError, match="the factors are 'data'; got seed"):
        rank_stability(SCORES, factors={"data": DESIGN["data"]}).wins_at("seed")


def test_the_plot_has_a_bar_for_each_level_and_a_colour_for_each_winner():
    found = rank_stability({**DESIGN, **SCORES, "never": [0.0] * 4}, factors=["data", "seed"])
    ax = plot.rank_stability(found)
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "all 4 conditions",
        "data: winner changes in 100%",
        "iris",
        "wine",
        "seed: winner changes in 0%",
        "1",
        "2",
    ]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["ward", "average"]
    widths = [round(bar.get_width(), 6) for bar in ax.patches]
    assert widths == [0.5, 1.0, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5]
    many = plot.rank_stability(rank_stability(np.eye(9)))
    assert many.get_legend().get_texts()[-1].get_text() == "2 others"
    with pytest.raises(InvalidInputError, match=r"draws what rank_stability\(scores\) returns; got int"):
        plot.rank_stability(3)
