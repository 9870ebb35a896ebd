"""Precision, recall, F and semantic distance at each threshold, from sums over items."""

from __future__ import annotations

import numpy as np

from dendrometry._typing import FloatArray


def curves(at: FloatArray, own: FloatArray, n_items: int) -> dict[str, FloatArray]:
    """Return each score at each threshold, nan where it is undefined.

    ``at`` are the sums of `sets.totals` (..., thresholds, 12), ``own`` those of the truth (..., columns).
    """
    shared, n_found, precision, covered, recall, f, heavy, heavy_found, precision_w, covered_w, recall_w, same = (
        np.moveaxis(at, -1, 0)
    )
    n_true, heavy_true, with_truth, with_weight = np.moveaxis(own[..., None, :4], -1, 0)
    found = {
        "coverage": covered / n_items,
        "precision": _ratio(shared, n_found),
        "recall": _ratio(shared, n_true),
        "f": _ratio(2.0 * shared, n_found + n_true),
        "macro_precision": _ratio(precision, covered),
        "macro_recall": _ratio(recall, with_truth),
        "macro_f": _ratio(f, with_truth),
        "weighted_precision": _ratio(heavy, heavy_found),
        "weighted_recall": _ratio(heavy, heavy_true),
        "weighted_f": _ratio(2.0 * heavy, heavy_found + heavy_true),
        "remaining_uncertainty": np.maximum(heavy_true - heavy, 0.0) / n_items,
        "misinformation": np.maximum(heavy_found - heavy, 0.0) / n_items,
        "path_accuracy": same / n_items,
    }
    found["s"] = np.hypot(found["remaining_uncertainty"], found["misinformation"])
    found["f_of_means"] = _harmonic(found["macro_precision"], found["macro_recall"])
    found["weighted_macro_precision"] = _ratio(precision_w, covered_w)
    found["weighted_macro_recall"] = _ratio(recall_w, with_weight)
    found["weighted_f_of_means"] = _harmonic(found["weighted_macro_precision"], found["weighted_macro_recall"])
    return found


def best(found: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the best value over the thresholds of the F-scores and the semantic distance; nan if there is none."""
    return {
        "f_max": _greatest(found["f_of_means"]),
        "weighted_f_max": _greatest(found["weighted_f_of_means"]),
        "s_min": -_greatest(-found["s"]),
    }


def expected_curves(mean: FloatArray, at: FloatArray, own: FloatArray, n_items: int) -> dict[str, FloatArray]:
    """Return the exact means of scores over all assignments of predictions to items, at each threshold."""
    shared, precision, recall, heavy, _, _ = mean.T
    n_found, covered, heavy_found = at[:, 1], at[:, 3], at[:, 7]
    n_true, heavy_true, with_truth = own[0], own[1], own[2]
    return {
        "precision": _ratio(shared, n_found),
        "recall": _ratio(shared, n_true),
        "f": _ratio(2.0 * shared, n_found + n_true),
        "macro_precision": _ratio(precision, covered),
        "macro_recall": _ratio(recall, with_truth),
        "weighted_precision": _ratio(heavy, heavy_found),
        "weighted_recall": _ratio(heavy, heavy_true),
        "weighted_f": _ratio(2.0 * heavy, heavy_found + heavy_true),
        "remaining_uncertainty": np.maximum(heavy_true - heavy, 0.0) / n_items,
        "misinformation": np.maximum(heavy_found - heavy, 0.0) / n_items,
    }


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return part / whole, nan where the whole is 0."""
    part, whole = np.broadcast_arrays(part, whole)
    found: FloatArray = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return found


def _harmonic(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the harmonic mean, 0 where both are 0, nan where one is."""
    total = a + b
    found: FloatArray = np.divide(2.0 * a * b, total, out=total.copy(), where=total > 0)
    return found


def _greatest(values: FloatArray) -> FloatArray:
    """Return the greatest value over the thresholds that is defined."""
    top = np.where(np.isnan(values), -np.inf, values).max(axis=-1)
    return np.where(np.isfinite(top), top, np.nan)
