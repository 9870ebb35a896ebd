"""Which clusters of one tree recur in another, more closely than random sets of items would."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import real_number
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.overlap import overlap_of_same_items
from dendrometry.significance.hypergeometric import holm, log_tails
from dendrometry.tree_pair.matches import Matches, match_clusters
from dendrometry.tree_pair.pair import Pair

ALPHA = 0.05  # adjusted p-values up to this are called significant
MOST_TAILS = 200_000_000  # about a minute
_AT_ONCE = 2**20  # tails that are held in memory


@dataclass(frozen=True, eq=False, repr=False)
class Recurrence(Frozen, Tabular):
    """For every cluster of a first tree, whether it recurs in a second: its best match, and how likely by chance.

    Attributes
    ----------
    matches : Matches
        The tested clusters with their best matches: all but single items and the set of all items.
    n_items : int
        The number of items.
    log_p_value : (n_clusters,) array of float
        The natural logarithm of the p-value of each cluster, which may be below the least float.
    log_adjusted : (n_clusters,) array of float
        That of the p-value adjusted for the number of clusters, by Holm.
    """

    matches: Matches
    n_items: int
    log_p_value: FloatArray
    log_adjusted: FloatArray

    @property
    def p_value(self) -> FloatArray:
        """A bound on the chance that as many random items have as good a match; 0 if below the least float."""
        return np.exp(self.log_p_value)

    @property
    def adjusted(self) -> FloatArray:
        """The p-values adjusted for the number of clusters, which hold the family-wise error."""
        return np.exp(self.log_adjusted)

    def recurs(self, alpha: float = ALPHA) -> BoolArray:
        """Return which clusters recur at a level: the chance that any of them is named wrongly is at most alpha."""
        level = real_number(alpha, "alpha", above=0.0, below=1.0)
        held: BoolArray = self.log_adjusted <= np.log(level)
        return held

    @property
    def methods(self) -> str:
        """How the p-values were obtained, as sentences for the methods section of a paper."""
        return (
            f"For each of {plural(len(self), 'cluster')} of the first tree, its best match in the second, by the"
            " F-score of their items, was compared with chance: the p-value is the sum, over all clusters of the second"
            " tree, of the hypergeometric probability that as many items, drawn at random from all, overlap with it so"
            " much that F is at least as large. It bounds the probability that random items have as good a match. The"
            " p-values were adjusted by the method of Holm (1979), which holds the family-wise error over all clusters"
            f" of the first tree. Computed with dendrometry {__version__}."
        )

    @property
    def verdict(self) -> str:
        """What was found, what it was compared with, at which level, and what it does not show, as a paragraph."""
        n = int(self.recurs().sum())
        recur = "recurs" if n == 1 else "recur"
        return (
            f"At the level {ALPHA:g}, {n:,} of {plural(len(self), 'cluster')} {recur} more closely than as many random"
            f" items would: the chance that any is named wrongly is at most {ALPHA:g}, over all clusters. A part of a"
            " cluster that recurs is no random sample, and may be named for that alone. A cluster that is not named may"
            " recur, too: one of two or three items rarely can be shown to."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return the clusters as columns: each with its match, the p-value and the adjusted one."""
        names = ("node", "match", "size", "match_size", "common", "f", "jaccard")
        content: dict[str, list[Any]] = dict(zip(("cluster", "best_match"), self.matches.names(), strict=True))
        content |= {name: getattr(self.matches, name).tolist() for name in names}
        return content | {"p_value": self.p_value.tolist(), "adjusted": self.adjusted.tolist()}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each cluster: its match, the p-value and the adjusted one."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        first = np.argsort(self.log_adjusted, kind="stable")[:MOST_ROWS]
        few = rows_of(self.matches, first)
        columns: dict[str, list[Any]] = dict(zip(("cluster", "best match"), few.names(), strict=True))
        columns |= {"items": few.size.tolist(), "items of the match": few.match_size.tolist(), "F": few.f.tolist()}
        columns |= {"adjusted p": self.adjusted[first].tolist()}
        return preview(repr(self), columns, len(self))

    def __len__(self) -> int:
        return len(self.matches)

    def __repr__(self) -> str:
        exact = int((self.matches.f == 1.0).sum())
        return (
            f"Recurrence({len(self):,} clusters, {exact:,} found exactly,"
            f" {int(self.recurs().sum()):,} recur more closely than by chance at {ALPHA:g})"
        )


def recurrence(a: HierarchyLike, b: HierarchyLike) -> Recurrence:
    """Test, for every cluster of ``a``, whether it recurs in ``b`` more closely than random items would.

    The null hypothesis of a cluster C is that its items are a random sample of all items, as far as ``b`` knows. The
    statistic is F of its best match, ``max over D of 2 |C and D| / (|C| + |D|)``. The p-value is the sum, over the
    clusters D of ``b``, of the hypergeometric probability that F of D and as many random items is at least as large: a
    bound on the probability that any is, and exactly that if the match is C itself. Holm's adjustment [1]_ holds the
    family-wise error over all clusters of ``a``, whichever of them recur.

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.

    Returns
    -------
    Recurrence
        One row for each cluster of ``a`` except single items and the set of all.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    UndefinedMeasureError
        If the trees are so deep, with clusters of so many different sizes, that more than 200,000,000 tails are needed:
        chains of 30,000 items that differ much.

    Notes
    -----
    What is rejected is that a cluster is random with respect to the whole of ``b``. A part of a cluster that recurs is
    not random either: it lies within the match of that cluster. Where a cluster and its parent have the same match,
    only the parent may be what recurs. A test of each cluster within its parent would say more, but 2 of 3 items can be
    chosen in 3 ways, so that such a cluster is never significant there, nor is any cluster of a chain.

    No relabellings are drawn: the same trees give the same p-values, however small they are. The matches take as long
    as in `best_matches`; then, for each different size, size of the match and overlap, one tail is computed for each
    different size of the clusters of ``b`` that can have as large an F.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
       (1979), 65-70.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.significance import recurrence
    >>> a = from_newick("((ape,bat,cow,dog,elk),(fox,gnu,hen,ibis,jay));")
    >>> b = from_newick("(((ape,bat),(cow,dog,elk)),((fox,gnu,hen),(ibis,jay)));")
    >>> found = recurrence(a, b)
    >>> found
    Recurrence(2 clusters, 2 found exactly, 2 recur more closely than by chance at 0.05)
    >>> found.p_value.round(5).tolist(), found.adjusted.round(5).tolist()
    ([0.00794, 0.00794], [0.01587, 0.01587])
    """
    a, b = as_hierarchies(a, b)
    overlap = overlap_of_same_items(a, b)
    pair = Pair.of(overlap)
    return recurrence_of(pair, replace(match_clusters(pair), overlap=overlap))


def recurrence_of(pair: Pair, matches: Matches) -> Recurrence:
    """Return the tests of the clusters of the first tree of a pair, given their matches."""
    tested = rows_of(matches, np.flatnonzero((matches.size > 1) & (matches.size < pair.n_items)))
    kinds, kind = _distinct(np.stack([tested.size, tested.match_size, tested.common]))
    log_p = _log_chances(kinds, pair.b.size, pair.n_items)[kind]
    return Recurrence(tested, pair.n_items, read_only(log_p), read_only(holm(log_p, len(tested))))


def _distinct(columns: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct columns in ascending order, and which of them each column is."""
    order = np.lexsort(columns[::-1])  # np.unique, which compares bytes, takes ten times as long
    ordered = columns[:, order]
    is_first = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0))[: order.size]
    which = np.empty(order.size, dtype=np.int64)
    which[order] = np.cumsum(is_first) - 1
    return ordered[:, is_first], which


def _log_chances(kinds: IntArray, clusters: IntArray, n: int) -> FloatArray:
    """Return a bound on the log chance that random items have as good a match, given the sizes of all clusters.

    The rows of ``kinds`` are the size, the size of the match and the number of items of both, of each kind of match.
    """
    sizes, times = np.unique(clusters, return_counts=True)
    size, match, common = kinds
    log_times = np.log(times)
    at = np.searchsorted(sizes, match)
    log_p: FloatArray = np.minimum(log_tails(common, size, match, n) + log_times[at], 0.0)
    # F of a random set and a cluster can be as large only if the cluster is neither too small nor too large.
    either = size + match - common
    low = np.searchsorted(sizes, -(-common * size // either))
    high = np.searchsorted(sizes, size * either // common, side="right")
    left = np.flatnonzero(log_p < 0.0)
    upto = np.cumsum((high - low)[left])
    if upto.size and upto[-1] > MOST_TAILS:
        raise UndefinedMeasureError(
            f"the p-values of the clusters must take at most {MOST_TAILS:,} tails; these deep trees have clusters of so"
            f" many different sizes that they would take {upto[-1]:,}"
        )
    part = (upto - 1) // _AT_ONCE
    for rows in np.split(left, np.flatnonzero(np.diff(part)) + 1) if left.size else ():
        length = (high - low)[rows]
        start = np.cumsum(length) - length
        row = np.repeat(rows, length)
        which = np.arange(row.size) - np.repeat(start, length) + low[row]
        least = -(-common[row] * (size[row] + sizes[which]) // (size[row] + match[row]))  # rounded up
        log = log_tails(least, size[row], sizes[which], n) + log_times[which]
        log_p[rows] = np.minimum(np.logaddexp.reduceat(log, start), 0.0)
    return log_p


def rows_of(matches: Matches, row: IntArray) -> Matches:
    """Return some rows of matches."""
    columns = [field.name for field in fields(Matches) if field.name != "overlap"]
    return replace(matches, **{name: getattr(matches, name)[row] for name in columns})
