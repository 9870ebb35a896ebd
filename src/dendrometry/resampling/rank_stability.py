"""Rankings of methods: how often each wins, how often the winner changes, and what changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, float_column, real_array
from dendrometry._check.choices import elements
from dendrometry._check.frames import columns_of, is_frame
from dendrometry._check.names import item_names_of, names_of
from dendrometry._display import percent, plain_signature, plural, printable, quote_first
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import fact_list, preview
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.errors import InvalidInputError, Remedy, UndefinedMeasureError
from dendrometry.resampling.winners import changes_within, combine_codes, ranks_of

_MOST_LEVELS = 10  # levels of a factor that are told
_MOST_NAMED = 4  # methods behind the best that the verdict names


@plain_signature
class FactorEffect(NamedTuple):
    """How often the winner changes between two conditions that differ in one factor alone.

    Attributes
    ----------
    factor : str
        The name of the factor.
    n_levels : int
        The number of its levels.
    change : float or None
        The mean change of the winner over these pairs of conditions, as for `RankStability`; None if there are none.
    n_pairs : int
        The number of these pairs.
    """

    factor: str
    n_levels: int
    change: float | None
    n_pairs: int


@dataclass(frozen=True, eq=False, repr=False)
class RankStability(Frozen, Tabular):
    """The ranks of methods under several conditions.

    Attributes
    ----------
    methods : tuple of str
        The names of the methods.
    levels : dict of str to tuple of str
        For each factor, its level in each condition.
    scores : (n_conditions, n_methods) array of float
        The scores.
    rank : (n_conditions, n_methods) array of float
        The rank of each method in each condition, 1 for the best; tied methods share the mean of their ranks.
    change : float
        How often the winner changes between two conditions: the mean over all pairs of conditions of 1 - J, where J is
        the Jaccard index of the two sets of winners. Without tied winners this is the share of pairs with different
        winners. From 0 (always the same) to 1.
    factors : tuple of FactorEffect
        The same for each factor, over the pairs that differ in this factor alone.
    repeats : FactorEffect or None
        The same over the pairs that differ in no factor, called "repeats"; None if there are no factors or no such
        pairs.
    """

    methods: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    scores: FloatArray
    rank: FloatArray
    change: float
    factors: tuple[FactorEffect, ...]
    repeats: FactorEffect | None

    @property
    def is_winner(self) -> BoolArray:
        """Whether each method is best, alone or tied, in each condition; of shape (n_conditions, n_methods)."""
        best: BoolArray = self.rank == self.rank.min(axis=1, keepdims=True)
        return best

    @property
    def wins(self) -> FloatArray:
        """The number of conditions in which each method is best; of a win that k methods share, each has 1 / k."""
        share: FloatArray = (self.is_winner / self.is_winner.sum(axis=1, keepdims=True)).sum(axis=0)
        return share

    @property
    def n_shared(self) -> int:
        """The number of conditions in which several methods are best."""
        return int((self.is_winner.sum(axis=1) > 1).sum())

    @property
    def mean_rank(self) -> FloatArray:
        """The mean rank of each method over the conditions."""
        mean: FloatArray = self.rank.mean(axis=0)
        return mean

    @property
    def concordance(self) -> float | None:
        """Kendall's W, corrected for ties: from 0 to 1, if all conditions rank the methods alike.

        None if all methods are tied in every condition.
        """
        n, k = self.rank.shape
        deviation = self.rank.sum(axis=0) - n * (k + 1) / 2
        most = n * ((self.rank - (k + 1) / 2) ** 2).sum()
        return None if most == 0.0 else float((deviation**2).sum() / most)

    def wins_at(self, factor: str) -> dict[str, dict[str, float]]:
        """Return for each level of a factor the share of its conditions in which each method wins.

        Raises
        ------
        InvalidInputError
            If there is no such factor.
        """
        asked: object = factor
        if not isinstance(asked, str) or asked not in self.levels:
            raise InvalidInputError(f"the factors are {quote_first(list(self.levels))}; got {printable(factor)}")
        names, code = _encode(self.levels[factor])
        win = np.zeros((len(names), len(self.methods)))
        np.add.at(win, code, self.is_winner / self.is_winner.sum(axis=1, keepdims=True))
        share = (win / np.bincount(code)[:, None]).tolist()
        return {name: dict(zip(self.methods, row, strict=True)) for name, row in zip(names, share, strict=True)}

    @property
    def verdict(self) -> str:
        """The answer in a few sentences: who wins, how often that changes, and with what."""
        parts = [_who_wins(self)]
        if self.change > 0.0:
            parts.append(f"The winner changes between two conditions in {percent(self.change)} of the pairs.")
        known = [one for one in self.factors if one.change is not None]
        if self.change > 0.0 and known:
            known.sort(key=lambda one: -(one.change or 0.0))
            effects = _and([f"{percent(one.change or 0.0)} ({printable(one.factor)})" for one in known])
            parts.append(f"With one factor changed and the others kept, it changes in {effects} of the pairs.")
        if self.repeats is not None and self.repeats.change:
            parts.append(f"In repeats of the same condition it changes in {percent(self.repeats.change)} of the pairs.")
        if self.n_shared:
            what = "has" if self.n_shared == 1 else "have"
            parts.append(
                f"{plural(self.n_shared, 'condition')} {what} several winners, each of which has a part of the win."
            )
        return " ".join(parts)

    def tell(self) -> str:
        """Return the verdict, and below it a line for each level of each factor with its winners."""
        lines = [self.verdict]
        for factor in self.levels:
            found = self.wins_at(factor)
            for level, share in list(found.items())[:_MOST_LEVELS]:
                lines.append(f"{printable(factor)} {printable(level)}: {_shares(share)}")
            if len(found) > _MOST_LEVELS:
                lines.append(f"{printable(factor)}: {plural(len(found) - _MOST_LEVELS, 'more level')}")
        return "\n".join(lines)

    def columns(self) -> dict[str, list[Any]]:
        """Return one row for each method: its wins and their share, its ranks, and its scores."""
        n = len(self.rank)
        found: dict[str, list[Any]] = {"method": list(self.methods), "wins": self.wins.tolist()}
        found["share"] = (self.wins / n).tolist()
        found["mean_rank"] = self.mean_rank.tolist()
        found["best_rank"], found["worst_rank"] = self.rank.min(axis=0).tolist(), self.rank.max(axis=0).tolist()
        found["lowest_score"], found["highest_score"] = (
            self.scores.min(axis=0).tolist(),
            self.scores.max(axis=0).tolist(),
        )
        return found

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each method."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns()) + fact_list(self.tell().splitlines())

    def __repr__(self) -> str:
        n, k = self.rank.shape
        best = int(np.argmax(self.wins))
        return (
            f"RankStability({plural(k, 'method')}, {plural(n, 'condition')}; {printable(self.methods[best])} wins"
            f" {percent(self.wins[best] / n)}, the winner changes in {percent(self.change)} of the pairs)"
        )


def rank_stability(
    scores: Any,
    *,
    factors: Iterable[str] | Mapping[str, Iterable[Any]] | None = None,
    lower_is_better: bool = False,
) -> RankStability:
    r"""Return how often each of several methods wins, how often the winner changes, and which factor changes it.

    A table of results has a best method; another data set, another random start, another way to prepare the data may
    have another. Given the scores of all methods under many conditions, this function ranks the methods in each
    condition and counts how often two conditions have different winners: over all pairs, and for each factor over the
    pairs that differ in this factor alone.

    Parameters
    ----------
    scores : table, records, or (n_conditions, n_methods) array of float
        The score of each method (a column) under each condition (a row): a data frame, a mapping of names to columns, a
        list of mappings with the same keys, or an array, whose methods are called "0", "1", and so on.
    factors : names of columns, or mapping of names to columns, optional
        What the conditions differ in: the columns of ``scores`` that hold no scores, or further columns with one level
        for each condition.
    lower_is_better : bool
        Whether the best method has the lowest score, as for distances and errors.

    Returns
    -------
    RankStability
        Ranks, wins and changes; ``verdict`` says them in words, ``tell()`` for each level of each factor.

    Raises
    ------
    InvalidInputError
        If a score is missing or not finite, a column holds other things than numbers, or names or lengths do not fit.
    UndefinedMeasureError
        If there are fewer than two methods or conditions.

    Notes
    -----
    Scores that differ by at most 1e-12 of the larger one are tied. All conditions count alike: the shares describe the
    conditions that were tried, and are no probabilities for others. O(n m log m + n s + s² m) for n conditions, m
    methods and s different sets of winners, of which there are at most m if none are tied.

    References
    ----------
    .. [1] M. G. Kendall, B. Babington Smith, "The problem of m rankings", Annals of Mathematical Statistics 10, 1939,
       275-287, doi:10.1214/aoms/1177732186: the concordance W.
    .. [2] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7, 2006, 1-30: mean ranks of methods.

    Examples
    --------
    >>> from dendrometry.resampling import rank_stability
    >>> table = {
    ...     "data": ["iris", "iris", "wine", "wine"],
    ...     "seed": [1, 2, 1, 2],
    ...     "ward": [0.73, 0.72, 0.37, 0.36],
    ...     "average": [0.76, 0.75, 0.29, 0.30],
    ... }
    >>> found = rank_stability(table, factors=["data", "seed"])
    >>> found
    RankStability(2 methods, 4 conditions; ward wins 50%, the winner changes in 67% of the pairs)
    >>> print(found.verdict.replace(". ", ".\n"))
    ward and average win most often, each in 50% of 4 conditions.
    The winner changes between two conditions in 67% of the pairs.
    With one factor changed and the others kept, it changes in 100% (data) and 0% (seed) of the pairs.
    """
    columns = _columns(scores)
    levels = _levels(factors, columns)
    if not isinstance(factors, Mapping):
        columns = {name: column for name, column in columns.items() if name not in levels}
    value = _values(columns)
    n = len(value)
    for name, column in levels.items():
        if len(column) != n:
            what = f"factor '{printable(name)}' must have a level for each of {plural(n, 'condition')}"
            raise InvalidInputError(f"{what}; got {len(column):,}")
    rank = ranks_of(-value if flag(lower_is_better, "lower_is_better") else value)
    is_winner = rank == rank.min(axis=1, keepdims=True)
    codes = {name: _encode(column)[1] for name, column in levels.items()}
    same = changes_within(is_winner, combine_codes(list(codes.values()), n))
    effects = []
    for name in codes:
        others = combine_codes([code for other, code in codes.items() if other != name], n)
        found = changes_within(is_winner, others).without(same)
        effects.append(FactorEffect(name, int(codes[name].max()) + 1, found.mean, found.n_pairs))
    everywhere = changes_within(is_winner, np.zeros(n, dtype=np.int64))
    repeats = FactorEffect("repeats", 1, same.mean, same.n_pairs) if codes and same.n_pairs else None
    return RankStability(tuple(columns), levels, value, rank, everywhere.mean or 0.0, tuple(effects), repeats)


def _columns(scores: Any) -> dict[str, Any]:
    """Return the columns of a table, of records or of an array, by name."""
    if isinstance(scores, Mapping) or is_frame(scores):
        return columns_of(scores)
    if isinstance(scores, list | tuple) and scores and all(isinstance(row, Mapping) for row in scores):
        for at, row in enumerate(scores):
            if set(row) != set(scores[0]):
                raise InvalidInputError(
                    f"all records must have the keys of the first, {quote_first(list(scores[0]))}; record {at} has"
                    f" {quote_first(list(row))}"
                )
        return columns_of({name: [row[name] for row in scores] for name in scores[0]})
    array = real_array(scores, "scores", 2)
    return {str(j): array[:, j] for j in range(array.shape[1])}


def _levels(factors: Any, columns: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the level of each condition as text, by the names of the factors."""
    if factors is None:
        return {}
    if isinstance(factors, Mapping):
        names = names_of(list(factors), "the names of factors")
        held = factors
    else:
        names = names_of([factors] if isinstance(factors, str) else elements(factors, "factors"), "factors")
        missing = [name for name in names if name not in columns]
        if missing:
            raise InvalidInputError(
                f"factors must be columns of the scores, {quote_first(list(columns))}; got {quote_first(missing)}"
            )
        held = columns
    return {name: item_names_of(held[name], f"the levels of factor '{printable(name)}'") for name in names}


def _encode(levels: tuple[str, ...]) -> tuple[list[str], IntArray]:
    """Return the levels in the order of their first conditions, and the number of that of each condition."""
    number = {name: at for at, name in enumerate(dict.fromkeys(levels))}
    return list(number), np.array([number[name] for name in levels])


def _values(columns: Mapping[str, Any]) -> FloatArray:
    """Return the scores as an array, refusing what is no finite number, by method and condition."""
    if len(columns) < 2:
        raise UndefinedMeasureError(f"there must be at least 2 methods to rank; got {len(columns)}")
    found = []
    for name, column in columns.items():
        what = f"the scores of method '{printable(name)}'"
        if isinstance(column, list) and any(isinstance(value, str) for value in column):
            remedy = Remedy("factors", ..., "names the columns that hold no scores")
            raise InvalidInputError(f"{what} must be numbers; got text", remedy)
        found.append(float_column(column, what))
    lengths = sorted({len(column) for column in found})
    if len(lengths) > 1:
        raise InvalidInputError(
            f"every method must have a score in every condition; got {lengths[0]:,} to {lengths[-1]:,} scores"
        )
    if lengths[0] < 2:
        raise UndefinedMeasureError(f"there must be at least 2 conditions; got {lengths[0]}")
    return np.column_stack(found)


def _who_wins(result: RankStability) -> str:
    """Return which methods win most often, and which others win at all."""
    n, wins = len(result.rank), result.wins
    order = np.argsort(-wins, kind="stable").tolist()
    top = [j for j in order if wins[j] >= wins[order[0]] - 1e-9]
    names = [printable(result.methods[j]) for j in top]
    if len(top) > 1:
        return f"{_and(names)} win most often, each in {percent(wins[top[0]] / n)} of {plural(n, 'condition')}."
    if result.is_winner[:, top[0]].all() and not result.n_shared:
        return f"{names[0]} wins in all {plural(n, 'condition')}."
    rest = [f"{printable(result.methods[j])} ({percent(wins[j] / n)})" for j in order if 0.0 < wins[j] and j not in top]
    if len(rest) > _MOST_NAMED:
        rest = [*rest[:_MOST_NAMED], plural(len(rest) - _MOST_NAMED, "other")]
    share = f"in {percent(wins[top[0]] / n)} of {plural(n, 'condition')}"
    return f"{names[0]} wins most often, {share}, ahead of {_and(rest)}."


def _shares(share: Mapping[str, float]) -> str:
    """Return the methods that win with their shares, the most frequent first."""
    order = sorted(share, key=lambda name: -share[name])
    return ", ".join(f"{printable(name)} {percent(share[name])}" for name in order if share[name] > 0.0)


def _and(names: list[str]) -> str:
    """Return names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
