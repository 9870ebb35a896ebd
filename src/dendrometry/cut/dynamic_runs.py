"""Runs of items in the order of drawing, split where low items are followed by high ones."""

from __future__ import annotations

from itertools import pairwise
from math import fsum

import numpy as np

from dendrometry._typing import FloatArray

Run = tuple[int, int]


def split_runs(height: FloatArray, runs: list[Run], min_size: int, *, again: bool) -> list[Run]:
    """Split runs of items, each from a position to before another, once or until none can be split."""
    found, waiting = [], list(runs)
    while waiting:
        parts = _split(height, waiting.pop(), min_size)
        if again and len(parts) > 1:
            waiting += parts
        else:
            found += parts
    return found


def _split(height: FloatArray, run: Run, min_size: int) -> list[Run]:
    """Split a run once, at the first of three levels that splits it.

    These are the mean height of its items, the middle of the mean and the greatest, and that of the mean and the least.
    """
    low, high = run
    own = height[low:high]
    mean = fsum(own) / own.size
    for level in (mean, (mean + own.max()) / 2, (mean + own.min()) / 2):
        starts = _starts(own, float(level), min_size)
        if starts:
            return list(pairwise([low, *(low + start for start in starts), high]))
    return [run]


def _starts(height: FloatArray, level: float, min_size: int) -> list[int]:
    """Return where parts of a run start, other than its first: at an item above a level after a low part.

    A low part is a stretch of more than ``min_size / 3`` items at or below the level, with an item above it earlier in
    the run; the first item of the run is not looked at.
    """
    above = height > level
    start = np.flatnonzero((height[:-1] < level) & above[1:]) + 1
    last_above = np.maximum.accumulate(np.where(above, np.arange(height.size), 0))[start - 1]
    start = start[(last_above > 0) & (start - 1 - last_above > min_size // 3)]
    kept = _without_low_parts(height, start.tolist(), min_size) if start.size > 1 else start.tolist()
    if kept and height.size - kept[-1] < min_size - 1:
        kept.pop()
    return kept


def _without_low_parts(height: FloatArray, start: list[int], min_size: int) -> list[int]:
    """Return the starts of parts, where those of small parts that lie lower than the part before them are left out."""
    bounds = [1, *start, height.size]  # the first item of the run is in no mean
    total = [fsum(height[low:high]) for low, high in pairwise(bounds)]
    kept, before, n_before = [], total[0], start[0] - 1
    for k, low in enumerate(start, 1):
        size = bounds[k + 1] - low
        if size < 2 * min_size and total[k] / size < before / n_before:
            before, n_before = before + total[k], n_before + size
        else:
            kept.append(low)
            before, n_before = total[k], size
    return kept
