"""Table 1 of Johnson et al. against the number of questions: triplets asked where they help most, or at random."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._kernels.generate import triplets as kernels
from dendrometry._progress import track
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.datasets.zoo import zoo
from dendrometry.generate.colours import random_colours, rgb_to_hsv, rgb_to_lab
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.trees.hierarchical_f import hierarchical_f
from dendrometry.measures.trees.hierarchy_agreement import hierarchy_agreement
from dendrometry.resampling.ask_triplets import ask_triplets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ITEMS, _TREES, _SEEDS = 60, 12, 5
_QUESTIONS = (0, 15, 30, 60, 120, 240)
_QUICK = (0, 10, 20)
_TITLE = "Does a tree come nearer to the truth with questions that are chosen than with as many at random?"


class _Known(NamedTuple):
    """Points, and the true hierarchy of their items in the same order."""

    points: FloatArray
    truth: Hierarchy


def _colours(n: int, rng: np.random.Generator) -> _Known:
    """Return random colours in HSV, with their average linkage in Lab."""
    rgb = random_colours(n, rng=rng)
    return _Known(rgb_to_hsv(rgb), agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy)


def _animals(n: int, rng: np.random.Generator) -> _Known:
    """Return the traits of some animals, each divided by its standard deviation, with their classification."""
    animals = zoo()
    some = np.sort(rng.choice(len(animals.items), n, replace=False))
    traits = animals.traits[some].astype(np.float64)
    spread = traits.std(axis=0)
    truth = animals.taxonomy.restrict([animals.items[i] for i in some.tolist()])
    return _Known(traits / np.where(spread > 0.0, spread, 1.0), truth)


def _diffused(n: int, rng: np.random.Generator) -> _Known:
    """Return points that diffused down a balanced tree, with much noise, and the tree."""
    truth = random_tree(n, shape="balanced", rng=rng)
    return _Known(diffused_points(truth, dimension=3, shrink=0.8, noise=1.0, rng=rng), truth)


_SETS: dict[str, Callable[[int, np.random.Generator], _Known]] = {
    "colours": _colours,
    "animals": _animals,
    "diffused": _diffused,
}


class _Run(NamedTuple):
    """HAI, CFM and resolved triplets for each number of questions, of one way to ask on one drawing of a set."""

    known_as: str
    seed: int
    asked: str
    agreement: FloatArray
    cluster_f: FloatArray
    resolved: IntArray


def questions(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Ask about triplets where the answer is expected to raise agreement most, beside as many random questions.

    On three sets, each drawn five times: colours in HSV whose truth is average linkage in Lab, traits of animals whose
    truth is their classification, and noisy points that diffused down a tree. A tree over 60 items is built by
    `dendrometry.cluster.bisect_constrained` from the answers to 0 to 240 questions, those of
    `dendrometry.resampling.ask_triplets` or random ones. The classification joins many animals at once: a question
    about three of these is asked, but has no answer.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` asks up to 20 questions about 12 items, each set drawn twice.

    Returns
    -------
    StudyResult
        Tables "questions" (means and ranges of HAI and CFM by set, number of questions and way to ask, with the number
        of drawings in which the chosen questions give the higher value) and "runs" (each drawing); figure "curves".

    Examples
    --------
    >>> from dendrometry._studies.questions import questions
    >>> questions(quick=True)
    StudyResult(questions: tables questions, runs; figures curves)
    """
    random = random_generator(rng)
    n, trees, counts, seeds = (12, 6, _QUICK, 2) if quick else (_ITEMS, _TREES, _QUESTIONS, _SEEDS)
    jobs = [(name, draw, seed) for name, draw in _SETS.items() for seed in range(seeds)]
    runs: list[_Run] = []
    for name, draw, seed in track(jobs, "drawings asked about", len(jobs), progress):
        known = draw(n, random)
        chosen = ask_triplets(known.points, known.truth, counts[-1], n_trees=trees, rng=random).questions
        at_random = np.array([random.choice(n, 3, replace=False) for _ in range(counts[-1])])
        ways = {"chosen": chosen, "random": at_random}
        runs += [_run(known, name, seed, way, rows, counts) for way, rows in ways.items()]
    table = _summary(runs, counts)
    return StudyResult(
        "questions",
        _TITLE,
        {"questions": table, "runs": _every_run(runs, counts)},
        tuple(_sentences(runs, counts)),
        (),
        {"curves": partial(_curves, runs, counts)},
    )


def _run(known: _Known, name: str, seed: int, way: str, rows: IntArray, counts: Sequence[int]) -> _Run:
    """Return the agreement of trees built with the answers to the first questions; all splits start alike."""
    truth = known.truth
    odd = kernels.odd_ones(truth.parent, truth.item_node[rows])
    agreement, cluster_f, resolved = [], [], []
    for count in counts:
        told = [
            [*(item for k, item in enumerate(row) if k != at), row[at]]
            for row, at in zip(rows[:count].tolist(), odd[:count].tolist(), strict=True)
            if at >= 0
        ]
        tree = bisect_constrained(known.points, told, item_names=truth.items, rng=seed).hierarchy
        agreement.append(hierarchy_agreement(truth, tree))
        cluster_f.append(hierarchical_f(truth, tree, classes="all"))
        resolved.append(len(told))
    return _Run(name, seed, way, np.array(agreement), np.array(cluster_f), np.array(resolved))


def _by_set(runs: Sequence[_Run]) -> Mapping[str, tuple[list[_Run], list[_Run]]]:
    """Return the runs with chosen and with random questions, in the same order of drawings, for each set."""
    return {
        name: (
            [run for run in runs if (run.known_as, run.asked) == (name, "chosen")],
            [run for run in runs if (run.known_as, run.asked) == (name, "random")],
        )
        for name in _SETS
    }


def _summary(runs: Sequence[_Run], counts: Sequence[int]) -> Table:
    """Return one row for each set and number of questions."""
    rows = []
    for name, (chosen, at_random) in _by_set(runs).items():
        for i, count in enumerate(counts):
            row: list[str | int | float] = [name, count]
            for field in ("agreement", "cluster_f"):
                first, second = (np.array([getattr(run, field)[i] for run in some]) for some in (chosen, at_random))
                for some in (first, second):
                    row += [float(some.mean()), float(some.min()), float(some.max())]
                row += [int((first > second).sum()), int((first < second).sum())]
            rows.append(row)
    columns = [
        f"{measure}_{what}"
        for measure in ("hai", "cfm")
        for what in (
            *(f"{way}{end}" for way in ("chosen", "random") for end in ("", "_least", "_greatest")),
            "chosen_higher",
            "random_higher",
        )
    ]
    return Table.of_rows(("set", "questions", *columns), rows)


def _every_run(runs: Sequence[_Run], counts: Sequence[int]) -> Table:
    """Return one row for each drawing, way to ask and number of questions."""
    rows = [
        (run.known_as, run.seed, run.asked, count, resolved, hai, cfm)
        for run in runs
        for count, resolved, hai, cfm in zip(
            counts, run.resolved.tolist(), run.agreement.tolist(), run.cluster_f.tolist(), strict=True
        )
    ]
    return Table.of_rows(("set", "drawing", "asked", "questions", "answered", "hai", "cfm"), rows)


def _sentences(runs: Sequence[_Run], counts: Sequence[int]) -> Iterator[str]:
    """Report where chosen questions give the higher agreement in all drawings, and where not."""
    for name, (chosen, at_random) in _by_set(runs).items():
        more = np.array([one.agreement - other.agreement for one, other in zip(chosen, at_random, strict=True)])
        parts = [
            f"{count:,}: {gain:+.3f}, higher in {higher}"
            for count, gain, higher in zip(counts[1:], more.mean(axis=0)[1:], (more > 0.0).sum(axis=0)[1:], strict=True)
        ]
        yield f"{name}, HAI of chosen less random questions, of {plural(len(more), 'drawing')}: {'; '.join(parts)}."
    losing = [
        f"{name} at {count:,}"
        for name, (chosen, at_random) in _by_set(runs).items()
        for i, count in enumerate(counts)
        if i and np.mean([run.agreement[i] for run in chosen]) <= np.mean([run.agreement[i] for run in at_random])
    ]
    yield f"The mean HAI of chosen questions is not higher for {', '.join(losing) or 'no set and number'}."


def _curves(runs: Sequence[_Run], counts: Sequence[int]) -> "Figure":
    """Draw HAI and CFM against the number of questions, a column for each set: means as lines, ranges as bands."""
    from matplotlib.figure import Figure

    from dendrometry.plot._axes.palette import PALETTE

    figure = Figure(figsize=(10.0, 5.6), layout="constrained")
    panels = figure.subplots(2, len(_SETS), sharex=True, sharey="row")
    for column, (name, ways) in enumerate(_by_set(runs).items()):
        for row, field in enumerate(("agreement", "cluster_f")):
            ax = panels[row, column]
            for colour, some in zip(PALETTE, ways, strict=False):
                value = np.array([getattr(run, field) for run in some])
                ax.fill_between(counts, value.min(axis=0), value.max(axis=0), color=colour, alpha=0.15, linewidth=0)
                ax.plot(counts, value.mean(axis=0), color=colour, marker="o", markersize=3, label=some[0].asked)
            ax.spines[["top", "right"]].set_visible(False)
            ax.set_ylabel(("HAI", "CFM")[row])
            ax.label_outer()
        panels[0, column].set_title(name, fontsize=10)
    panels[0, 0].legend(frameon=False, fontsize=8)
    figure.supxlabel("questions asked", fontsize=10)
    return figure
