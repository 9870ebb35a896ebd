"""One judgement for all measures: what they return beside what the definitions say."""

import numpy as np

import dendrometry as dm
from tests.oracles import agreement, contraction, cophenetic, f_scores, item_disagreement, stages
from tests.oracles.trees import plain

WITHOUT_HEIGHTS = [measure.name for measure in map(dm.MEASURES.get, dm.TREE_MEASURES) if not measure.needs_heights]


def or_none(function, *args, **options):
    """The value, or None where the measure is undefined."""
    try:
        return function(*args, **options)
    except dm.errors.UndefinedMeasureError:
        return None


def same(value, truth):
    """Whether a float is the correctly rounded truth, or both are undefined."""
    return (value is None and truth is None) or (value is not None and truth is not None and value == float(truth))


def near(value, truth, tolerance=1e-12):
    """Whether a float is within rounding errors of the truth, or both are undefined."""
    if value is None or truth is None:
        return value is None and truth is None
    return abs(value - float(truth)) <= tolerance * max(1.0, abs(float(truth)))


def assert_without_heights(a, b):
    """Compare the measures that need no heights with their oracles."""
    x, y, n = plain(a, a.items), plain(b, a.items), a.n_items
    assert same(dm.hierarchy_agreement(a, b), agreement.hierarchy_agreement(x, y))
    assert same(or_none(dm.classic_f, a, b), f_scores.classic_f(x, y))
    assert same(or_none(dm.partial_order_f, a, b), f_scores.partial_order_f(x, y))
    for classes in (None, "occupied", "all"):
        assert near(dm.hierarchical_f(a, b, classes=classes), f_scores.hierarchical_f(x, y, classes))
    parts = item_disagreement.item_discordance(contraction.size_moments(x), contraction.size_moments(y), n)
    assert dm.item_disagreement(a, b).sums.tolist() == parts


def assert_at_once(a, b):
    """Compare what `compare` says without heights with the oracles: quicker, for very many pairs."""
    x, y, n = plain(a, a.items), plain(b, a.items), a.n_items
    result = dm.compare(a, b, measures=WITHOUT_HEIGHTS)
    assert same(result["hierarchy_agreement"].value, agreement.hierarchy_agreement(x, y))
    assert same(result["classic_f"].value, f_scores.classic_f(x, y))
    assert same(result["partial_order_f"].value, f_scores.partial_order_f(x, y))
    assert near(result["hierarchical_f"].value, f_scores.hierarchical_f(x, y))
    parts = item_disagreement.item_discordance(contraction.size_moments(x), contraction.size_moments(y), n)
    assert result.item_disagreement.sums.tolist() == parts


def assert_with_heights(a, b):
    """Compare the measures that need heights with their oracles."""
    x, y, n = plain(a, a.items), plain(b, a.items), a.n_items
    if n > 1:
        assert near(or_none(dm.cophenetic_correlation, a, b), cophenetic.cophenetic_correlation(x, y), 1e-9)
    if n > 1 and not all(tree.without_unary().is_monotone for tree in (a, b)):
        assert or_none(dm.cophenetic_distance, a, b) is None
        assert or_none(dm.item_disagreement, a, b, clock="height") is None
    elif n > 1:
        assert near(dm.cophenetic_distance(a, b), cophenetic.cophenetic_distance(x, y))
        parts = item_disagreement.item_discordance(contraction.height_moments(x), contraction.height_moments(y), n)
        assert np.allclose(dm.item_disagreement(a, b, clock="height").sums, [float(part) for part in parts], atol=1e-9)
    if n > 2:
        for ties in ("order", "together"):
            series = dm.stages(a, b, ties=ties)
            counts = list(zip(series.p.tolist(), series.q.tolist(), series.t.tolist(), strict=True))
            assert counts == stages.counts(x, y, ties)
            truth = stages.overall_distance(x, y, ties)
            assert same(or_none(dm.overall_distance, a, b, ties=ties), truth)
            assert same(or_none(dm.overall_similarity, a, b, ties=ties), None if truth is None else 1 - truth)
