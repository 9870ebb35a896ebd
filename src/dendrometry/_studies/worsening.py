"""Figure 3 of Xiang et al.: measures of a clustering that is worsened from the truth to a worst clustering."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.labels import encode_labels
from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._progress import track
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.generate.worsen import worsen
from dendrometry.measures.registry import MEASURES
from dendrometry.partition.series import score_series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MEASURES = (
    "rand",
    "van_dongen",
    "classification_accuracy",
    "normalized_mutual_information",
    "variation_similarity",
    "split_merge",
)
_FALLS_IN_PAPER = {"rand", "normalized_mutual_information", "variation_similarity", "split_merge"}
_ENDS_AT_ZERO_IN_PAPER = {"split_merge"}
_N_SPLITS = 33  # number of operations in figure 3 until every item is a singleton
_LONGEST = 12  # maximum number of mentions of one entity in a synthetic document
_TITLE = "Which measures fall at every step, from 1 for the truth to 0 for a worst clustering?"


class _Series(NamedTuple):
    """The values for one truth: ``value[i, j]`` is measure j after operation i."""

    operation: list[str]
    value: FloatArray


def worsening(
    labels: ArrayLike | None = None,
    *,
    quick: bool = False,
    rng: np.random.Generator | int | None = 0,
    progress: bool = False,
) -> StudyResult:
    """Worsen a clustering step by step to a worst one and report which measures decrease.

    Without labels, the truths are 100 synthetic documents (5 if ``quick``) that resemble coreference data, and the
    first of them is plotted: the paper shows one document of a corpus that is not freely available. With labels, they
    are the only truth.

    Parameters
    ----------
    labels : (n_items,) array-like, optional
        The label of each item in a user-supplied clustering.
    quick, rng, progress
        As for `reproduce`.

    Returns
    -------
    StudyResult
        Tables "claims" (for each measure, whether it decreases at every step and whether it ends at 0, in the paper and
        here) and "series" (all values for the first truth); figure "curves".

    References
    ----------
    .. [1] Q. Xiang et al., "A split-merge framework for comparing clusterings", ICML 2012, section 6.

    Examples
    --------
    >>> from dendrometry._studies.worsening import worsening
    >>> for note in worsening(["x", "x", "x", "y", "z"]).notes:
    ...     print(note)
    The clustering that was given is made worse by 2 splits and 1 merge.
    falls at every step, in all of 1: R, N, A, NMI, V, S_H
      N does not in the paper's document; here in 1 of 1
      A does not in the paper's document; here in 1 of 1
    ends at 0, in all of 1: S_H
    no measure ever rises.
    """
    source = random_generator(rng)
    if labels is not None:
        truth = encode_labels(labels, "true").code
        n_alone = int((np.bincount(truth) == 1).sum())
        n_steps = 1 + truth.size - (int(truth.max()) + 1) + (n_alone + 1) // 2
        series = [_scored(truth, source, n_steps, progress)]
    else:
        truths = [coreference_like(_N_SPLITS, source) for _ in range(5 if quick else 100)]
        parts = track(truths, "documents made worse", len(truths), progress)
        series = [_scored(truth, source, 0, False) for truth in parts]
    claims = _claims(series)
    first = series[0]
    found = _sentences(claims, len(series)) if len(first.operation) > 1 else ("A single item cannot be made worse.",)
    notes = (_what_was_studied(series, labels is not None), *found)
    return StudyResult(
        "worsening",
        _TITLE,
        {"claims": claims, "series": _tidy(first)},
        notes,
        figures={"curves": partial(_figure, series)},
    )


def coreference_like(n_splits: int, rng: np.random.Generator) -> IntArray:
    """Return labels that resemble the mentions in one document: many singletons and few long chains.

    The number s of mentions of an entity, 1 to 12, follows a power law with probability proportional to ``s**-2``.
    Entities are drawn until halving all of them down to single mentions takes exactly ``n_splits`` operations; the last
    one is shortened to fit.
    """
    possible = np.arange(1, _LONGEST + 1)
    share = 1.0 / possible**2
    sizes: list[int] = []
    left = n_splits
    while left:
        sizes.append(min(int(rng.choice(possible, p=share / share.sum())), left + 1))
        left -= sizes[-1] - 1
    labels: IntArray = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return labels


def _scored(truth: IntArray, rng: np.random.Generator, n_steps: int, progress: bool) -> _Series:
    """Return the values of all measures during the worsening of one truth."""
    operation: list[str] = []

    def partitions() -> Iterator[IntArray]:
        for step in track(worsen(truth, rng=rng), "operations", n_steps, progress):
            operation.append(step.operation)
            yield step.labels

    table = score_series(truth, partitions(), measures=_MEASURES)
    return _Series(operation, table["value"].reshape(-1, len(_MEASURES)))


def _claims(series: Sequence[_Series]) -> Table:
    """Return the paper's claim for each measure, and the share of the truths for which it holds."""
    falls = np.array([(np.diff(one.value, axis=0) < 0).all(axis=0) for one in series])
    last = np.array([one.value[-1] for one in series])
    return Table.of(
        measure=_MEASURES,
        symbol=[MEASURES[name].symbol for name in _MEASURES],
        falls_in_paper=[name in _FALLS_IN_PAPER for name in _MEASURES],
        falls_here=falls.mean(axis=0),
        ends_at_0_in_paper=[name in _ENDS_AT_ZERO_IN_PAPER for name in _MEASURES],
        ends_at_0_here=(last == 0.0).mean(axis=0),
        last_value=last.mean(axis=0),
        last_value_deviation=last.std(axis=0),
        largest_rise=np.max([np.diff(one.value, axis=0).max(axis=0, initial=0.0) for one in series], axis=0),
    )


def _tidy(one: _Series) -> Table:
    """Return the values for one truth, one row for each operation and measure."""
    n_steps = len(one.operation)
    return Table.of(
        step=np.repeat(np.arange(n_steps), len(_MEASURES)),
        operation=np.repeat(one.operation, len(_MEASURES)),
        measure=_MEASURES * n_steps,
        value=one.value.ravel(),
    )


def _what_was_studied(series: Sequence[_Series], given: bool) -> str:
    """Return a sentence that describes the truths."""
    first = series[0].operation
    splits, merges = (plural(first.count(kind), kind) for kind in ("split", "merge"))
    if given:
        return f"The clustering that was given is made worse by {splits} and {merges}."
    return (
        f"{plural(len(series), 'synthetic document')} (many singletons, few long chains), each with {splits} until"
        f" every mention is alone, as in the paper; the one drawn has {merges} after that."
    )


def _sentences(claims: Table, n_truths: int) -> Iterator[str]:
    """Report where the paper's claims and our results agree, and where they differ."""
    for what, paper, here in (
        ("falls at every step", "falls_in_paper", "falls_here"),
        ("ends at 0", "ends_at_0_in_paper", "ends_at_0_here"),
    ):
        columns = (claims.columns[name] for name in ("symbol", paper, here))
        rows: list[tuple[Any, ...]] = list(zip(*columns, strict=True))
        always = [symbol for symbol, _, share in rows if share == 1.0]
        yield f"{what}, in all of {n_truths:,}: {', '.join(always) or 'none'}"
        for symbol, says, share in rows:
            if says != (share == 1.0):
                yield (
                    f"  {symbol} {'does' if says else 'does not'} in the paper's document; here in"
                    f" {share * n_truths:.0f} of {n_truths:,}"
                )
    rises = [f"{symbol} by {rise:.2g}" for symbol, rise in _columns(claims, "symbol", "largest_rise") if rise > 0]
    yield f"rises at some step, at most: {', '.join(rises)}" if rises else "no measure ever rises."


def _columns(table: Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """Return selected columns of a table, row by row."""
    return zip(*(table.columns[name] for name in names), strict=True)


def _figure(series: Sequence[_Series]) -> "Figure":
    """Draw the curves of the first truth, and beside them the final values of all truths."""
    from matplotlib.figure import Figure

    from dendrometry.plot.worsening import worsening as draw_curves

    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2.0, 1.0))
    draw_curves(_tidy(series[0]).columns, operations=series[0].operation, ax=left)
    symbols = [MEASURES[name].symbol for name in _MEASURES]
    left.legend(left.lines[: len(symbols)], symbols, loc="lower left", frameon=False, fontsize=9)
    left.set(ylabel="value against the truth", ylim=(-0.02, 1.02))
    _draw_ends(right, np.array([one.value[-1] for one in series]))
    return figure


def _draw_ends(ax: "Axes", last: FloatArray) -> None:
    """Draw the value of every measure at the worst clustering, one dot for each truth."""
    from dendrometry.plot._axes.palette import PALETTE

    spread = np.linspace(-0.28, 0.28, len(last)) if len(last) > 1 else np.zeros(1)
    for j in range(len(_MEASURES)):
        ax.scatter(j + spread, last[:, j], s=6, color=PALETTE[j], linewidths=0, alpha=0.7)
        ax.hlines(last[:, j].mean(), j - 0.36, j + 0.36, color=PALETTE[j], linewidth=2.0)
    ax.set_xticks(range(len(_MEASURES)), [MEASURES[name].symbol for name in _MEASURES])
    ax.set(ylabel="value at the worst clustering", ylim=(-0.02, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
