"""Table 1 and figures 1 and 2 of Spytkowski et al.: three F-scores of corrupted hierarchies."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.result import Printed, StudyResult, Table
from dendrometry._typing import FloatArray
from dendrometry.generate.corrupt import collapse_to_root, flatten
from dendrometry.generate.stick_breaking import STICK_SETS, reinsert, stick_breaking
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.trees.classic_f import classic_f
from dendrometry.measures.trees.hierarchical_f import hierarchical_f
from dendrometry.measures.trees.partial_order_f import partial_order_f

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES: dict[str, Callable[[Hierarchy, Hierarchy], float]] = {
    "classic": classic_f,
    "partial order": partial_order_f,
    "hierarchical": lambda truth, found: hierarchical_f(truth, found, classes="occupied"),
}
_PRINTED = {  # mean and deviation over 30 repetitions, all items in the root: classic, partial order, hierarchical
    "s00": ((0.6456, 0.1616), (0.8300, 0.0857), (0.8225, 0.0719)),
    "s01": ((0.5973, 0.2374), (0.7977, 0.1393), (0.7501, 0.0966)),
    "s02": ((0.5311, 0.2600), (0.7139, 0.1854), (0.6970, 0.1062)),
    "s03": ((0.3729, 0.1207), (0.6891, 0.0915), (0.7598, 0.0853)),
    "s04": ((0.1931, 0.1389), (0.5737, 0.1384), (0.5750, 0.1089)),
    "s05": ((0.1952, 0.0953), (0.4253, 0.1363), (0.5680, 0.0672)),
    "s06": ((0.2031, 0.0872), (0.4829, 0.1368), (0.6748, 0.1049)),
    "s07": ((0.0611, 0.0481), (0.2528, 0.0939), (0.4723, 0.0918)),
}
_REPETITIONS = 30
_SEEDS = 5  # the main run, and as many more as give the ranges over seeds
_FAR = 3.0  # in standard errors
_TITLE = "What do three F-scores say of hierarchies that lose items, their levels, or everything but one cluster?"


class _Size(NamedTuple):
    """The sample size: repetitions, items, and the step and total of the re-insertions."""

    repetitions: int
    n_items: int
    step: int
    most: int

    @property
    def steps(self) -> range:
        """The numbers of re-insertions at which scores are computed."""
        return range(0, self.most + 1, self.step)


class _Scores(NamedTuple):
    """The scores of one set: (repetitions, measures) in the root; (repetitions, steps, measures) with errors.

    ``depth`` is the mean depth of the items of each hierarchy, with 0 for the root.
    """

    root: FloatArray
    kept: FloatArray
    flat: FloatArray
    depth: FloatArray


class _Ends(NamedTuple):
    """The scores of one set over all seeds: (seeds, repetitions, measures) in the root, and lost by re-insertions.

    ``first`` and ``last`` are the losses by the first and by the last step of re-insertions.
    """

    root: FloatArray
    first: FloatArray
    last: FloatArray

    @property
    def ratios(self) -> FloatArray:
        """The mean first loss over the mean last loss: (seeds, measures)."""
        ratio: FloatArray = self.first.mean(axis=1) / self.last.mean(axis=1)
        return ratio


def f_scores(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Corrupt hierarchies in the three ways of Spytkowski et al. and compute three F-scores.

    From each of eight parameter sets, 30 hierarchies of 1,000 items are drawn by stick breaking. First, all items are
    moved to the root (their Table 1). Second, items are re-inserted at random and scores are computed every 100
    re-insertions (figure 1). Third, the same is done with the hierarchy removed, so that every cluster is a separate
    group (figure 2). Section 4.2 of the paper says that with all items in the root the classic and the partial-order
    score are correlated and fall as the items lie deeper, and that the hierarchical score does not follow: the study
    computes all three correlations, and those with the mean depth of the items. Section 4.1 says that the drop of the
    scores appears proportional to the number of re-insertions: the study divides the loss by the first 100 by the loss
    by the last 100, for five seeds. The paper states neither the number of items in a hierarchy nor where its curves
    end; here they end when the number of re-insertions equals the number of items.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` draws 3 hierarchies of 100 items from each set.

    Returns
    -------
    StudyResult
        Tables "root" (Table 1), "curves" (figures 1 and 2), "drops" (section 4.1) and "correlations" (section 4.2);
        figures "reinsertion" and "flattened".

    References
    ----------
    .. [1] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, section 4.

    Examples
    --------
    >>> from dendrometry._studies.f_scores import f_scores
    >>> result = f_scores(quick=True)
    >>> result
    StudyResult(f-scores: tables root, curves, drops, correlations; figures reinsertion, flattened)
    >>> result.to_frame().shape
    (24, 12)
    """
    random = random_generator(rng)
    size = _Size(3, 100, 50, 100) if quick else _Size(_REPETITIONS, 1000, 100, 1000)
    jobs = [(name, repetition) for name in STICK_SETS for repetition in range(size.repetitions)]
    rows = [_scored(name, size, random) for name, _ in track(jobs, "hierarchies made worse", len(jobs), progress)]
    scores = {
        name: _Scores(*(np.array(part) for part in zip(*rows[i * size.repetitions :][: size.repetitions], strict=True)))
        for i, name in enumerate(STICK_SETS)
    }
    ends = _ends(scores, size, random, progress)
    means = () if quick else tuple(_printed_means(scores))
    deviations = () if quick else tuple(_printed_deviations(ends))
    correlations = _correlations(scores)
    return StudyResult(
        "f-scores",
        _TITLE,
        {
            "root": _root_table(ends),
            "curves": _curve_table(scores, size),
            "drops": _drop_table(ends),
            "correlations": correlations,
        },
        (
            *_of_the_print(means, deviations),
            *_of_curves(scores, size),
            *_of_drops(ends, size),
            *_of_correlations(correlations),
        ),
        (*means, *deviations),
        {
            "reinsertion": partial(_figure, scores, size, "kept"),
            "flattened": partial(_figure, scores, size, "flat"),
        },
    )


def _scored(name: str, size: _Size, rng: np.random.Generator) -> _Scores:
    """Draw one hierarchy of a set, corrupt it, and score every stage."""
    drawn = now = stick_breaking(size.n_items, **STICK_SETS[name]._asdict(), rng=rng)
    kept, flat = [], []
    for errors in size.steps:
        now = reinsert(now, size.step, rng=rng) if errors else now
        kept.append(_values(drawn.hierarchy, now.hierarchy))
        flat.append(_values(drawn.hierarchy, flatten(now.hierarchy)))
    root = _values(drawn.hierarchy, collapse_to_root(drawn.hierarchy))
    depth = drawn.hierarchy.depths[drawn.hierarchy.item_node].mean()
    return _Scores(root, np.array(kept), np.array(flat), depth)


def _ends(scores: dict[str, _Scores], size: _Size, rng: np.random.Generator, progress: bool) -> dict[str, _Ends]:
    """Return the scores in the root and the losses at both ends of the curves, of the main run and of more seeds."""
    seeds = rng.spawn(_SEEDS - 1)
    jobs = [(name, seed) for name in scores for seed in seeds]
    more = [
        [np.array(part) for part in zip(*(_end(name, size, seed) for _ in range(size.repetitions)), strict=True)]
        for name, seed in track(jobs, "more seeds", len(jobs), progress)
    ]
    found = {}
    for i, (name, one) in enumerate(scores.items()):
        main = one.root, one.kept[:, 0] - one.kept[:, 1], one.kept[:, -2] - one.kept[:, -1]
        runs = [main, *more[i * len(seeds) :][: len(seeds)]]
        found[name] = _Ends(*(np.array(part) for part in zip(*runs, strict=True)))
    return found


def _end(name: str, size: _Size, rng: np.random.Generator) -> _Ends:
    """Draw one hierarchy of a set; score it in the root, and before and after the first and the last re-insertions."""
    drawn = stick_breaking(size.n_items, **STICK_SETS[name]._asdict(), rng=rng)
    first = reinsert(drawn, size.step, rng=rng)
    before = reinsert(first, size.most - 2 * size.step, rng=rng)
    last = reinsert(before, size.step, rng=rng)
    root = _values(drawn.hierarchy, collapse_to_root(drawn.hierarchy))
    start, after_first, before_last, end = (
        _values(drawn.hierarchy, one.hierarchy) for one in (drawn, first, before, last)
    )
    return _Ends(root, start - after_first, before_last - end)


def _values(truth: Hierarchy, found: Hierarchy) -> FloatArray:
    """Return the three scores."""
    return np.array([measure(truth, found) for measure in _MEASURES.values()])


def _printed_means(scores: dict[str, _Scores]) -> Iterator[Printed]:
    """Yield the means of the paper's Table 1 beside ours; the error is that of the difference of two means of 30."""
    for name, one in scores.items():
        for j, measure in enumerate(_MEASURES):
            mean, deviation = _PRINTED[name][j]
            ours = float(one.root[:, j].std(ddof=1))
            error = float(np.hypot(deviation / np.sqrt(_REPETITIONS), ours / np.sqrt(len(one.root))))
            yield Printed(f"{name} {measure}, all in the root", mean, float(one.root[:, j].mean()), error)


def _printed_deviations(ends: dict[str, _Ends]) -> Iterator[Printed]:
    """Yield the deviations of the paper's Table 1 beside ours; the error is that of the difference of two of 30 scores.

    A deviation s of n scores has the standard error s / 2 sqrt((kurtosis - (n - 3) / (n - 1)) / n); the kurtosis is
    that of the scores of all seeds.
    """
    n = _REPETITIONS
    for name, one in ends.items():
        for j, measure in enumerate(_MEASURES):
            ours, paper = float(one.root[0, :, j].std(ddof=1)), _PRINTED[name][j][1]
            apart = one.root[..., j].ravel() - one.root[..., j].mean()
            kurtosis = float((apart**4).mean() / (apart**2).mean() ** 2)
            relative = 0.5 * np.sqrt((kurtosis - (n - 3) / (n - 1)) / n)
            yield Printed(f"{name} {measure}, deviation", paper, ours, float(np.hypot(paper, ours) * relative))


def _root_table(ends: dict[str, _Ends]) -> Table:
    """Return Table 1 with our values, the paper's, and the range of ours over all seeds."""
    rows = []
    for name, one in ends.items():
        mean, deviation = one.root.mean(axis=1), one.root.std(axis=1, ddof=1)
        for j, measure in enumerate(_MEASURES):
            ranges = [bound for each in (mean, deviation) for bound in (each[:, j].min(), each[:, j].max())]
            rows.append(
                (name, measure, mean[0, j], deviation[0, j], *_PRINTED[name][j], one.root.shape[1], *ranges, len(mean))
            )
    ours = ("set", "measure", "mean", "deviation", "mean_in_paper", "deviation_in_paper", "repetitions")
    return Table.of_rows((*ours, "mean_low", "mean_high", "deviation_low", "deviation_high", "seeds"), rows)


def _curve_table(scores: dict[str, _Scores], size: _Size) -> Table:
    """Return figures 1 and 2 as a table: mean and deviation of each score at each number of re-insertions."""
    rows = [
        (name, hierarchy, errors, measure, values[:, i, j].mean(), values[:, i, j].std(ddof=1))
        for name, one in scores.items()
        for hierarchy, values in (("kept", one.kept), ("removed", one.flat))
        for i, errors in enumerate(size.steps)
        for j, measure in enumerate(_MEASURES)
    ]
    return Table.of_rows(("set", "hierarchy", "reinsertions", "measure", "mean", "deviation"), rows)


def _drop_table(ends: dict[str, _Ends]) -> Table:
    """Return the mean loss by the first and by the last step of re-insertions, and their ratio with its range."""
    rows = [
        (
            name,
            measure,
            one.first[0, :, j].mean(),
            one.last[0, :, j].mean(),
            one.ratios[0, j],
            one.ratios[:, j].min(),
            one.ratios[:, j].max(),
            len(one.ratios),
        )
        for name, one in ends.items()
        for j, measure in enumerate(_MEASURES)
    ]
    return Table.of_rows(("set", "measure", "first", "last", "ratio", "ratio_low", "ratio_high", "seeds"), rows)


def _correlations(scores: dict[str, _Scores]) -> Table:
    """Return the correlations of the scores in the root with each other, and with the mean depth of the items.

    They are taken over the means of the sets, printed and ours; over all hierarchies; and over all hierarchies as
    differences from the mean of their set.
    """
    printed = np.array([[mean for mean, _ in row] for row in _PRINTED.values()])
    values = np.array([np.column_stack([one.root, one.depth]) for one in scores.values()])
    means = values.mean(axis=1, keepdims=True)
    ours = [np.corrcoef(part.reshape(-1, values.shape[2]).T) for part in (means, values, values - means)]
    paper = np.corrcoef(printed.T)
    names = (*_MEASURES, "mean depth")
    rows = [
        (names[i], names[j], paper[i, j] if j < len(_MEASURES) else None, *(part[i, j] for part in ours))
        for i, j in combinations(range(len(names)), 2)
    ]
    return Table.of_rows(("first", "second", "sets_in_paper", "sets", "hierarchies", "within_sets"), rows)


def _of_correlations(table: Table) -> Iterator[str]:
    """Report which scores are correlated, and which falls with depth, beside what section 4.2 of the paper says."""
    rows: list[Any] = list(table.rows())
    between = "; ".join(
        f"{first} and {second} {paper:.3f} in the print, {sets:.3f} here, {within:.3f} within sets"
        for first, second, paper, sets, _, within in rows
        if paper is not None
    )
    yield f"Section 4.2, correlations of the scores in the root over the means of the sets: {between}."
    deep = "; ".join(
        f"{first} {sets:.3f}, {within:.3f} within sets" for first, _, paper, sets, _, within in rows if paper is None
    )
    yield f"  with the mean depth of the items: {deep}."
    means = np.array([[mean for mean, _ in row] for row in _PRINTED.values()])
    rises = ", ".join(
        f"{name} {count}" for name, count in zip(_MEASURES, (np.diff(means, axis=0) > 0).sum(axis=0), strict=True)
    )
    yield f"  from one set of the print to the next, of {len(means) - 1} steps these many go up: {rises}."


def _of_curves(scores: dict[str, _Scores], size: _Size) -> Iterator[str]:
    """Report whether the curves fall, and what removing the hierarchy costs, in sentences computed from the numbers."""
    for j, measure in enumerate(_MEASURES):
        falls = [bool((np.diff(one.kept[:, :, j].mean(axis=0)) < 0).all()) for one in scores.values()]
        ends = [float(one.kept[:, -1, j].mean()) for one in scores.values()]
        yield (
            f"{measure}: the mean falls with every {size.step:,} re-insertions in {sum(falls)} of {len(falls)} sets,"
            f" from 1 to {min(ends):.2f} ... {max(ends):.2f} after {size.most:,}."
        )
    for j, measure in enumerate(_MEASURES):
        lost = np.array([(one.kept[:, :, j] - one.flat[:, :, j]).mean(axis=0) for one in scores.values()])
        if not lost.any():
            yield f"{measure}: does not notice, anywhere, that the hierarchy is removed."
        else:
            yield (
                f"{measure}: removing the hierarchy costs {lost[:, 0].min():.2f} ... {lost[:, 0].max():.2f} without"
                f" re-insertions, and {lost[:, -1].min():.2f} ... {lost[:, -1].max():.2f} after {size.most:,}."
            )


def _of_drops(ends: dict[str, _Ends], size: _Size) -> Iterator[str]:
    """Report whether the drop is proportional to the re-insertions, as section 4.1 of the paper says."""
    yield (
        f"Section 4.1, the loss by the first {size.step:,} re-insertions over the loss by the last {size.step:,}"
        " (1 if the drop is proportional):"
    )
    for j, measure in enumerate(_MEASURES):
        ratios = np.array([one.ratios[:, j] for one in ends.values()])
        yield (
            f"  {measure}: {ratios[:, 0].min():.1f} ... {ratios[:, 0].max():.1f} over the sets,"
            f" {ratios.min():.1f} ... {ratios.max():.1f} over the sets and {ratios.shape[1]} seeds."
        )
    stays = (1 - 1 / size.n_items) ** (size.most - size.step)
    yield (
        f"  of the items drawn for the first time it is {1 / stays:.2f}, of the pairs of which neither was drawn before"
        f" {1 / stays**2:.2f}: re-insertions are draws with replacement."
    )


def _of_the_print(means: Sequence[Printed], deviations: Sequence[Printed]) -> Iterator[str]:
    """Report how the paper's Table 1 differs from ours, in standard errors of the difference and of the print."""
    of_print = np.array([deviation / np.sqrt(_REPETITIONS) for row in _PRINTED.values() for _, deviation in row])
    both = "standard errors of the difference to the print"
    if means:
        apart = np.array([number.errors_apart or 0.0 for number in means])
        distance = np.array([abs(number.here - number.paper) for number in means])
        yield from _of_errors(means, "means", apart, both)
        alone = "standard errors of the print alone (its deviation over the root of 30)"
        yield from _of_errors(means, "means", distance / of_print, alone)
    if deviations:
        apart = np.array([number.errors_apart or 0.0 for number in deviations])
        yield from _of_errors(deviations, "deviations", apart, both)


def _of_errors(printed: Sequence[Printed], what: str, errors: FloatArray, whose: str) -> Iterator[str]:
    """Report how many numbers lie within three standard errors, and which do not."""
    far = [number.what for number, much in zip(printed, errors.tolist(), strict=True) if much > _FAR]
    yield (
        f"Table 1: {len(printed) - len(far)} of {len(printed)} {what} lie within {_FAR:g} {whose}; the farthest is"
        f" {errors.max():.1f} away, the root mean square distance is {np.sqrt((errors**2).mean()):.2f}."
    )
    if far:
        yield f"  farther away: {', '.join(far)}"


def _figure(scores: dict[str, _Scores], size: _Size, which: str) -> "Figure":
    """Draw the three scores against the re-insertions, one panel for each set, in the paper's colours and markers."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import PALETTE

    figure = Figure(figsize=(11.0, 5.2), layout="constrained")
    panels = figure.subplots(2, 4, sharex=True).ravel()
    styles = ((PALETTE[5], "o"), (PALETTE[2], "s"), (PALETTE[0], "^"))
    for ax, (name, one) in zip(panels, scores.items(), strict=True):
        values = getattr(one, which)
        error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
        for j, (measure, (colour, mark)) in enumerate(zip(_MEASURES, styles, strict=True)):
            middle = values[:, :, j].mean(axis=0)
            ax.plot(size.steps, middle, color=colour, marker=mark, markersize=3.5, linewidth=1.2, label=measure)
            ax.fill_between(
                size.steps, middle - error[:, j], middle + error[:, j], color=colour, alpha=0.2, linewidth=0
            )
        ax.set_title(f"{name}: " + ", ".join(f"{value:g}" for value in STICK_SETS[name]), fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    panels[0].legend(frameon=False, fontsize=8)
    kept = "re-insertions" if which == "kept" else "re-insertions, hierarchy removed"
    figure.supxlabel(kept, fontsize=9)
    figure.supylabel("F-score, mean ± standard error", fontsize=9)
    return figure
