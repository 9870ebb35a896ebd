"""What the values of linkages on many tables say: ranks, pairs that differ whatever is chosen, agreement, sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dendrometry._studies.inputs.ranks import Ranks, ranks_of
from dendrometry._studies.inputs.trees_of_table import AGREEMENT, EIGHT, OF_CUT, OF_TREE, PAIRS, RECOVERY
from dendrometry._studies.result import Table
from dendrometry._typing import BoolArray, FloatArray

SCALED = (False, True)
SCOPES = ("all", "measured")
KINDS = {"all": RECOVERY, "tree": OF_TREE, "cut": OF_CUT}
_N_RESAMPLES = 1000  # of the tables, for the interval of a mean
_WORTH, _LEAST_ERROR = 0.05, 0.005  # of a difference that is shown as an extreme
_T = 2.262  # of the t distribution with 9 degrees of freedom: ten halves


class Condition(NamedTuple):
    """What is chosen before linkages are ranked: the tables, whether columns are scaled, the draw, the measure."""

    scope: str
    scaled: bool
    draw: int
    measure: str


_DECIDES = {"scope": "which tables", "scaled": "the scaling", "draw": "the draw", "measure": "the measure"}


@dataclass(frozen=True)
class Findings:
    """The values of all tables, and the standard errors of the first draw.

    Recovery is by table, draw, scaling, linkage and measure, its errors are without draws; agreement is by table,
    scaling, pair and measure.
    """

    names: tuple[str, ...]
    measured: BoolArray
    n_tied: tuple[int, ...]
    recovery: FloatArray
    recovery_error: FloatArray
    agreement: FloatArray
    agreement_error: FloatArray

    @classmethod
    def of_entries(cls, entries: Sequence[Mapping[str, Any]]) -> Findings:
        """Return the findings of what a run keeps of each table."""
        arrays = (
            np.array([entry[name] for entry in entries], dtype=np.float64)
            for name in ("recovery", "recovery_error", "agreement", "agreement_error")
        )
        return cls(
            tuple(entry["name"] for entry in entries),
            np.array([entry["kind"] == "measured" for entry in entries]),
            tuple(entry["n_tied"] for entry in entries),
            *(array.round(4) + 0.0 for array in arrays),  # no negative zero
        )

    @cached_property
    def ranks(self) -> dict[Condition, Ranks]:
        """The ranks of the linkages under every condition."""
        n_draws = self.recovery.shape[1]
        found = {}
        for condition in map(Condition._make, product(SCOPES, SCALED, range(n_draws), RECOVERY)):
            tables = self.measured if condition.scope == "measured" else np.ones(len(self.names), dtype=bool)
            if tables.any():
                found[condition] = ranks_of(self._values(condition)[tables])
        return found

    def _values(self, condition: Condition) -> FloatArray:
        """Return the values of a condition, by table and linkage."""
        j = RECOVERY.index(condition.measure)
        values: FloatArray = self.recovery[:, condition.draw, int(condition.scaled), :, j]
        return values

    def rank_table(self) -> Table:
        """Return the mean rank of each linkage under every condition, with the critical difference."""
        rows = [
            (
                *condition,
                linkage,
                float(ranks.mean[i]),
                ranks.critical,
                ranks.statistic,
                ranks.p_value,
                ranks.n_tables,
            )
            for condition, ranks in self.ranks.items()
            for i, linkage in enumerate(EIGHT)
        ]
        names = ("mean_rank", "critical_difference", "friedman", "p_value", "n_tables")
        return Table.of_rows((*Condition._fields, "linkage", *names), rows)

    @cached_property
    def outcomes(self) -> dict[tuple[str, str], dict[Condition, int]]:
        """For each pair of linkages, under every condition: 1 if the first is better, -1 the second, else 0."""
        found: dict[tuple[str, str], dict[Condition, int]] = {}
        for a, b in PAIRS:
            i, j = EIGHT.index(a), EIGHT.index(b)
            found[a, b] = {
                condition: int(np.sign(ranks.mean[j] - ranks.mean[i])) if ranks.differs[i, j] else 0
                for condition, ranks in self.ranks.items()
            }
        return found

    def among(self, pair: tuple[str, str], kind: str = "all") -> dict[Condition, int]:
        """Return the outcomes for a pair under the conditions with one kind of measure."""
        return {
            condition: found for condition, found in self.outcomes[pair].items() if condition.measure in KINDS[kind]
        }

    def verdict(self, pair: tuple[str, str], kind: str = "all") -> str:
        """Return which of two linkages is better under every condition, or that it is undecided."""
        outcome = set(self.among(pair, kind).values())
        return pair[0] if outcome == {1} else pair[1] if outcome == {-1} else "undecided"

    def decided_by(self, pair: tuple[str, str], kind: str = "all") -> list[str]:
        """Return the choices of which one alone can change the outcome for a pair."""
        found = []
        for place, text in enumerate(_DECIDES.values()):
            others: dict[tuple[object, ...], set[int]] = {}
            for condition, outcome in self.among(pair, kind).items():
                others.setdefault((*condition[:place], *condition[place + 1 :]), set()).add(outcome)
            if any(len(outcomes) > 1 for outcomes in others.values()):
                found.append(text)
        return found

    def pair_table(self) -> Table:
        """Return a row for each pair and kind of measures: conditions for each, what decides, extreme tables."""
        rows = []
        for kind, (a, b) in product(KINDS, PAIRS):
            found = list(self.among((a, b), kind).values())
            counts = [found.count(outcome) for outcome in (1, -1, 0)]
            decides = ", ".join(self.decided_by((a, b), kind)) or "nothing"
            extremes = (self._extreme(a, b, kind), self._extreme(b, a, kind))
            rows.append((kind, a, b, self.verdict((a, b), kind), *counts, decides, *extremes))
        counts_of = ("first_better", "second_better", "neither")
        names = ("measures", "first", "second", "better", *counts_of, "decided_by", "for_first", "for_second")
        return Table.of_rows(names, rows)

    def _extreme(self, a: str, b: str, kind: str) -> str:
        """Return the table where a linkage is ahead of another by most, in standard errors of the difference.

        Differences below 0.05 are of no use, however certain. The errors are those of two values that were independent.
        """
        i, j = EIGHT.index(a), EIGHT.index(b)
        chosen = [RECOVERY.index(measure) for measure in KINDS[kind]]
        values, errors = self.recovery[:, 0][..., chosen], self.recovery_error[..., chosen]
        gap = values[:, :, i] - values[:, :, j]
        apart = np.where(gap >= _WORTH, gap / np.maximum(np.hypot(errors[:, :, i], errors[:, :, j]), _LEAST_ERROR), 0.0)
        if not apart.any():
            return "none"
        at, scaled, place = np.unravel_index(int(apart.argmax()), apart.shape)
        ahead, behind = (values[at, scaled, k, place] for k in (i, j))
        return f"{self.names[at]}, {_scaling(bool(scaled))}, {KINDS[kind][place]}: {ahead:.2f} against {behind:.2f}"

    def agreement_table(self) -> Table:
        """Return the mean over tables of every measure of agreement for every pair, with an interval of 95 %."""
        rows = []
        for j, measure in enumerate(AGREEMENT):
            for scaled in SCALED:
                values = self.agreement[:, int(scaled), :, j].round(3)
                low, high = interval_of_mean(values)
                rows += [
                    (measure, scaled, a, b, float(mean), float(below), float(above))
                    for (a, b), mean, below, above in zip(PAIRS, values.mean(axis=0), low, high, strict=True)
                ]
        return Table.of_rows(("measure", "scaled", "first", "second", "mean", "low", "high"), rows)

    def mean_agreement(self, measure: str, scaled: bool) -> FloatArray:
        """Return the mean agreement of all linkages with each other over the tables, as a square."""
        values = self.agreement[:, int(scaled), :, AGREEMENT.index(measure)].round(3).mean(axis=0)
        square = np.ones((len(EIGHT), len(EIGHT)))
        for (a, b), value in zip(PAIRS, values, strict=True):
            i, j = EIGHT.index(a), EIGHT.index(b)
            square[i, j] = square[j, i] = value
        return square

    def sentences(self, n_candidates: int) -> tuple[str, ...]:
        """Return the findings in sentences."""
        return tuple(_sentences(self, n_candidates))


def interval_of_mean(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the interval of 95 % of the means of columns, by drawing the rows again with replacement."""
    rng = np.random.default_rng(0)
    n = len(values)
    means = np.array([values[rng.integers(n, size=n)].mean(axis=0) for _ in range(_N_RESAMPLES)])
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return low, high


def _sentences(found: Findings, n_candidates: int) -> Iterator[str]:
    """Summarise the tables, recovery, pairs, scaling and agreement."""
    n = len(found.names)
    yield (
        f"{n} distinct tables of {n_candidates} candidates, {int(found.measured.sum())} of them measured and the rest"
        f" simulated or made by rules; {sum(found.n_tied)} of {16 * n:,} cuts go through a tie."
    )
    yield from _of_recovery(found)
    yield from _of_pairs(found)
    yield from _of_measures(found)
    yield from _of_scaling(found)
    yield from _of_agreement(found)


def _of_recovery(found: Findings) -> Iterator[str]:
    """Say how well the classes are found, and by which linkage best."""
    for j, measure in enumerate(RECOVERY):
        for scaled in SCALED:
            mean = found.recovery[:, 0, int(scaled), :, j].mean(axis=0)
            ranks = found.ranks[Condition("all", scaled, 0, measure)]
            order = np.argsort(ranks.mean, kind="stable").tolist()
            level = [EIGHT[i] for i in order[1:] if not ranks.differs[order[0], i]]
            means = [f"{mean[i]:.2f} ({EIGHT[i]})" for i in (int(mean.argmin()), int(mean.argmax()))]
            ends = [f"{ranks.mean[i]:.2f} ({EIGHT[i]})" for i in (order[0], order[-1])]
            yield (
                f"{measure}, {_scaling(scaled)}: mean {' to '.join(means)}; mean ranks {' to '.join(ends)}, critical"
                f" difference {ranks.critical:.2f}; not told apart from the best: {', '.join(level) or 'none'}."
            )


def _of_pairs(found: Findings) -> Iterator[str]:
    """Say which linkages are better than others whatever is chosen, and what decides the other pairs."""
    for kind, about in (("all", "all six measures"), ("tree", "measures of trees"), ("cut", "measures of cuts")):
        better: dict[str, list[str]] = {}
        for a, b in PAIRS:
            verdict = found.verdict((a, b), kind)
            if verdict != "undecided":
                better.setdefault(verdict, []).append(b if verdict == a else a)
        listed = "; ".join(f"{name} than {', '.join(others)}" for name, others in better.items())
        n_conditions = len(found.among(PAIRS[0], kind))
        n_open = len(PAIRS) - sum(map(len, better.values()))
        yield (
            f"{about}: better under all {n_conditions} conditions: {listed or 'none'}; undecided: {n_open} of"
            f" {len(PAIRS)} pairs."
        )
        changes = ", ".join(
            f"{text} for {sum(text in found.decided_by(pair, kind) for pair in PAIRS)}" for text in _DECIDES.values()
        )
        yield f"  pairs for which one choice alone can change the outcome: {changes}."


def _of_measures(found: Findings) -> Iterator[str]:
    """Say what changes with the measure: the best linkage of a table, and the order of all."""
    for scaled in SCALED:
        values = found.recovery[:, 0, int(scaled)]
        best = [[set(np.flatnonzero(row == row.max()).tolist()) for row in table.T] for table in values]
        same = sum(bool(set.intersection(*sets)) for sets in best)
        counts = {measure: _wins(values[:, :, j]) for j, measure in enumerate(RECOVERY)}
        tops = ", ".join(f"{EIGHT[int(win.argmax())]} ({win.max():.0f}) by {name}" for name, win in counts.items())
        yield (
            f"{_scaling(scaled)}: on {same} of {len(found.names)} tables some linkage is best by all measures; most"
            f" often best, ties shared: {tops}."
        )
        clear = [_clear(found, scaled, j) for j in range(len(RECOVERY))]
        listed = ", ".join(f"{count} by {name}" for count, name in zip(clear, RECOVERY, strict=True))
        yield f"  tables where the intervals of the best and of the worst linkage do not overlap: {listed}."


def _wins(values: FloatArray) -> FloatArray:
    """Return on how many tables each linkage is best; a tie is shared."""
    best = values == values.max(axis=1, keepdims=True)
    wins: FloatArray = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return wins


def _clear(found: Findings, scaled: bool, j: int) -> int:
    """Return the number of tables where the intervals of the best and of the worst linkage do not overlap."""
    values, errors = found.recovery[:, 0, int(scaled), :, j], found.recovery_error[:, int(scaled), :, j]
    rows = np.arange(len(values))
    best, worst = values.argmax(axis=1), values.argmin(axis=1)
    low, high = values[rows, best] - _T * errors[rows, best], values[rows, worst] + _T * errors[rows, worst]
    return int((low > high).sum())


def _of_scaling(found: Findings) -> Iterator[str]:
    """Say whether scaled columns show the classes better."""
    for j, measure in enumerate(RECOVERY):
        gain = (found.recovery[:, :, 1, :, j] - found.recovery[:, :, 0, :, j]).mean(axis=2)
        low, high = interval_of_mean(gain)
        sure = "better" if (low > 0).all() else "worse" if (high < 0).all() else "undecided"
        yield (
            f"scaling, {measure}: {gain[:, 0].mean():+.3f} ({low[0]:+.3f} to {high[0]:+.3f}), up on"
            f" {int((gain[:, 0] > 0).sum())} and down on {int((gain[:, 0] < 0).sum())} tables: {sure}."
        )


def _of_agreement(found: Findings) -> Iterator[str]:
    """Say how far linkages agree with each other."""
    for measure in AGREEMENT:
        for scaled in SCALED:
            square = found.mean_agreement(measure, scaled)
            pairs = {(a, b): square[EIGHT.index(a), EIGHT.index(b)] for a, b in PAIRS}
            most, least = max(pairs, key=pairs.__getitem__), min(pairs, key=pairs.__getitem__)
            yield (
                f"agreement by {measure}, {_scaling(scaled)}: mean {np.mean(list(pairs.values())):.2f}; least"
                f" {pairs[least]:.2f} ({' and '.join(least)}), most {pairs[most]:.2f} ({' and '.join(most)})."
            )


def _scaling(scaled: bool) -> str:
    """Return the word for a scaling."""
    return "scaled" if scaled else "unscaled"
