"""Consistency: how steadily each item is placed by many clusterings, and which resolution and which run to take."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import elements
from dendrometry._check.names import is_numbered
from dendrometry._check.numbers import real_number
from dendrometry._display import plain_signature, plural, printable, quote_first
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._kernels.partition import consistency as kernels
from dendrometry._progress import Advance, bar
from dendrometry._tabular import Tabular
from dendrometry._threads import n_cores, threads
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError, ItemMismatchError, Remedy
from dendrometry.measures.score import adjust
from dendrometry.partition.resolutions import levels_by_name

_N_JOBS = 16  # whose sums are added in order, so that the bits do not depend on the number of threads
_TURN = 2**30  # items of pairs between two steps of the bar: seconds
_SLACK = 1e-12  # differences this small are rounding


@plain_signature
class Group(NamedTuple):
    """The clusterings of one group, such as those of one resolution.

    ``mean`` is the mean consistency of the items, and ``expected`` its exact mean by chance: over all relabellings of
    the items of each clustering. ``adjusted`` is 1 for equal clusterings and 0 by chance; None if all clusterings are
    one cluster or single items, which are the same by any chance. ``doubtful`` is the share of the items below 0.5,
    and ``central`` the clustering that is most like the others of the group, ``similarity`` on average; the first of
    several, and one cluster or single items only where there is nothing else.
    """

    group: str
    n_clusterings: int
    fewest_clusters: int
    most_clusters: int
    mean: float
    expected: float
    adjusted: float | None
    doubtful: float
    central: str
    similarity: float


@dataclass(frozen=True, eq=False, repr=False)
class Consistency(Frozen, Tabular):
    """How steadily many clusterings place each item.

    Attributes
    ----------
    items : tuple of str
        The names of the items.
    values : (n_items,) array of float
        The consistency of each item: 1 if it always has the same companions; the mean over the groups.
    groups : tuple of Group
        The groups, in the order in which they first occur.
    by_group : (n_groups, n_items) array of float
        The consistency of each item in each group.
    """

    items: tuple[str, ...]
    values: FloatArray
    groups: tuple[Group, ...]
    by_group: FloatArray

    def doubtful(self, below: float = 0.5) -> list[str]:
        """Return the items whose consistency is below a limit, the least consistent first."""
        limit = real_number(below, "below", least=0.0)
        order = np.argsort(self.values, kind="stable")
        return [self.items[i] for i in order[self.values[order] < limit].tolist()]

    def write_obs(self, data: Any, *, key: str = "consistency") -> None:
        """Write the consistency of each item to a column of the ``obs`` of an AnnData, or of a data frame.

        Rows are matched by their names, in any order. A column of this name is replaced.

        Raises
        ------
        InvalidInputError
            If the object has no such table.
        ItemMismatchError
            If its index does not name the items, each once.
        """
        table = getattr(data, "obs", data)
        if not hasattr(table, "index") or not hasattr(table, "columns"):
            raise InvalidInputError(f"write_obs takes an AnnData or a data frame; got {type(data).__name__}")
        if not isinstance(key, str):
            raise InvalidInputError(f"key must be text; got {printable(key)}")
        table[key] = self.values[self._rows([str(name) for name in table.index])]

    def _rows(self, names: list[str]) -> IntArray:
        """Return the position of each name among the items, refusing names that are not those of the items."""
        place = {item: at for at, item in enumerate(self.items)}
        present = set(names)
        parts = {
            "it lacks": [item for item in self.items if item not in present],
            "these are no items:": [name for name in names if name not in place],
            "these are there more than once:": [name for name, times in Counter(names).items() if times > 1],
        }
        wrong = [f"{words} {quote_first(some)}" for words, some in parts.items() if some]
        if wrong:
            advice = Remedy("item_names", ..., "names the items", function="consistency")
            raise ItemMismatchError(
                f"the index must name each item of the clusterings once; {', '.join(wrong)}",
                *[advice] * is_numbered(self.items),
            )
        return np.array([place[name] for name in names])

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each group."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(list(self.groups), columns=list(Group._fields))

    def _repr_html_(self) -> str:
        rows = list(zip(*self.groups, strict=True))
        return preview(self.tell(), dict(zip(Group._fields, rows, strict=True)))

    def tell(self) -> str:
        """Return in words which group is most consistent beyond chance, its clustering, and which items to distrust.

        Groups of one cluster or of single items are not recommended, whatever their consistency.
        """
        doubtful, n = self.doubtful(), sum(group.n_clusterings for group in self.groups)
        worst = f" Distrust {plural(len(doubtful), 'item')}: {quote_first(doubtful)}." if doubtful else ""
        return f"{plural(len(self.items), 'item')} in {plural(n, 'clustering')}. {self._best_words()}{worst}"

    def _best_words(self) -> str:
        """Return in words which group is most consistent beyond chance, and its central clustering."""
        judged = [(group.adjusted, group) for group in self.groups if group.adjusted is not None]
        if not judged:
            return "All clusterings of a group are one cluster or single items, so that nothing can be judged."
        adjusted, best = max(judged, key=lambda each: each[0])
        if adjusted <= _SLACK:
            return f"No {'group' if len(self.groups) > 1 else 'pair of them'} is more consistent than by chance."
        which = f"Group {printable(best.group)} is most consistent" if len(self.groups) > 1 else "Mean consistency"
        return (
            f"{which}: {best.mean:.3f} ({adjusted:.3f} adjusted); its clustering"
            f" {printable(best.central)} is most like the others."
        )

    def __repr__(self) -> str:
        n = sum(group.n_clusterings for group in self.groups)
        words = f"{plural(len(self.items), 'item')}, {plural(n, 'clustering')}, {plural(len(self.groups), 'group')}"
        return f"Consistency({words}, mean {float(self.values.mean()):.3f})"


def consistency(
    levels: Any,
    *,
    groups: Sequence[str] | Mapping[str, str] | None = None,
    columns: Iterable[str] | None = None,
    item_names: Iterable[str] | None = None,
    progress: bool = False,
) -> Consistency:
    """Return how consistently many clusterings of the same items place each item.

    The consistency of an item is its element-centric similarity, on average over all pairs of clusterings of a group:
    ``m / max(s, t)`` for clusters of s and t items with m in common, both with the item. Groups are, for example, the
    resolutions of a method that was run with many seeds.

    Parameters
    ----------
    levels : sequence of (n_items,) array-like, mapping, data frame or AnnData
        The label of each item in each clustering, as in `resolutions`.
    groups : sequence or mapping, optional
        The group of each clustering, in the order of ``levels`` or by name, each with two clusterings or more; by
        default all are one group.
    columns : sequence of str, optional
        The clusterings of a mapping or the columns of a data frame to take; by default all.
    item_names : sequence of str, optional
        The names of the items; by default those of the index, or "0", "1", and so on.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    Consistency
        The value of each item, from 1 / n_items to 1, and a table of the groups.

    Raises
    ------
    InvalidInputError
        If labels are invalid, or a group has a single clustering.
    ItemMismatchError
        If clusterings differ in their number of items or in their index.

    Notes
    -----
    O(n_items) time for each pair of clusterings in a group, for any number of clusters, on all cores: the overlaps of
    k and l clusters are counted in a table if k l is at most the number of items, else one cluster at a time, which
    takes about three times as long. O(n_items) memory for each clustering, and for each of 16 threads' sums.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9 (2019) 8574, doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> from dendrometry.partition import consistency
    >>> runs = {"seed1": list("aaabbb"), "seed2": list("aaabbb"), "seed3": list("aabbbb")}
    >>> found = consistency(runs)
    >>> found.values.round(3).tolist()
    [0.778, 0.778, 0.5, 0.833, 0.833, 0.833]
    >>> print(found.tell())
    6 items in 3 clusterings. Mean consistency: 0.759 (0.467 adjusted); its clustering seed1 is most like the others.
    """
    named, items = levels_by_name(levels, columns, item_names)
    names, n_items = list(named), len(items)
    members = _members(names, groups)
    code = np.array([level.code for level in named.values()], dtype=np.int32)  # two rows fit in a cache
    n_clusters = np.array([level.label.size for level in named.values()])
    by_group = np.empty((len(members), n_items))
    rows = []
    n_pairs = sum(math.comb(len(chosen), 2) for chosen in members.values())
    with bar("comparing", n_pairs, progress) as advance:
        for g, (group, chosen) in enumerate(members.items()):
            by_group[g], similarity = _of_group(code[chosen], n_clusters[chosen], advance)
            expected = _expected(code[chosen], n_clusters[chosen])
            rows.append(_row(group, [names[i] for i in chosen], n_clusters[chosen], by_group[g], similarity, expected))
    return Consistency(items, read_only(by_group.mean(axis=0)), tuple(rows), read_only(by_group))


def _members(names: list[str], groups: Sequence[str] | Mapping[str, str] | None) -> dict[str, list[int]]:
    """Return the clusterings of each group, by number."""
    if groups is None:
        if len(names) < 2:
            raise InvalidInputError(f"there must be at least two clusterings; got {quote_first(names)} alone")
        of = ["all"] * len(names)
    elif isinstance(groups, Mapping):
        missing = [name for name in names if name not in groups]
        if missing:
            raise InvalidInputError(f"groups must have every clustering; these are missing: {quote_first(missing)}")
        of = [str(groups[name]) for name in names]
    else:
        of = [str(group) for group in elements(groups, "groups")]
        if len(of) != len(names):
            raise InvalidInputError(f"groups must be one for each clustering, {len(names):,}; got {len(of):,}")
    found: dict[str, list[int]] = {}
    for i, group in enumerate(of):
        found.setdefault(group, []).append(i)
    alone = [group for group, chosen in found.items() if len(chosen) < 2]
    if alone:
        raise InvalidInputError(f"each group must have two clusterings or more; these have one: {quote_first(alone)}")
    return found


def _of_group(code: NDArray[np.int32], n_clusters: IntArray, advance: Advance) -> tuple[FloatArray, FloatArray]:
    """Return the consistency of each item, and the mean similarity of each clustering to the others."""
    n, n_items = code.shape
    first = np.concatenate(([0], np.cumsum(n_clusters)))
    size = np.concatenate([np.bincount(row, minlength=k) for row, k in zip(code, n_clusters.tolist(), strict=True)])
    pairs = np.column_stack(np.triu_indices(n, 1))
    few = n_clusters[pairs].prod(axis=1) <= n_items
    n_turns = -(-len(pairs) * n_items // _TURN)
    jobs = [np.array_split(job, n_turns) for job in np.array_split(np.arange(len(pairs)), min(_N_JOBS, len(pairs)))]
    sums, mean = np.zeros((len(jobs), n_items)), np.empty(len(pairs))

    def work(part_of: tuple[int, int]) -> int:
        job, turn = part_of
        part = jobs[job][turn]
        for which, add in ((part[few[part]], kernels.add_pairs), (part[~few[part]], kernels.add_pairs_of_many)):
            if which.size:
                mean[which] = add(code, size, first, pairs[which], sums[job])
        return part.size

    with threads(n_cores()) as run:
        for turn in range(n_turns):  # the parts of a job one after the other
            for done in run(work, [(job, turn) for job in range(len(jobs))]):
                advance(done)
    similarity = np.zeros(n)
    np.add.at(similarity, pairs[:, 0], mean)
    np.add.at(similarity, pairs[:, 1], mean)
    return np.minimum(sums.sum(axis=0) / len(pairs), 1.0), np.minimum(similarity / (n - 1), 1.0)


def _expected(code: NDArray[np.int32], n_clusters: IntArray) -> float:
    """Return the mean consistency by chance, over all pairs of clusterings whose items are labelled anew.

    The overlap of clusters of s and t of n items has the mean square (s t / n) (1 + (s - 1) (t - 1) / (n - 1)), which
    is divided by n max(s, t): the sum of min(s, t) (1 + (s - 1) (t - 1) / (n - 1)) over all clusters, and n**2. Those
    of all pairs of clusterings are summed at once, by sorted sizes.
    """
    n, n_items = code.shape
    sizes = [np.bincount(row, minlength=k) for row, k in zip(code, n_clusters.tolist(), strict=True)]

    def over_pairs(size: IntArray) -> float:
        s = np.sort(size).astype(np.float64)
        above = np.arange(s.size - 1, -1, -1)
        beyond = np.append(np.cumsum((s - 1.0)[:0:-1])[::-1], 0.0)  # the sum of t - 1 over the later sizes
        own = s * (1.0 + (s - 1.0) ** 2 / max(n_items - 1, 1))
        return float((own + 2.0 * s * (above + (s - 1.0) * beyond / max(n_items - 1, 1))).sum())

    apart = over_pairs(np.concatenate(sizes)) - math.fsum(map(over_pairs, sizes))
    return float(apart / (n * (n - 1) * n_items**2))


def _row(
    group: str, names: list[str], n_clusters: IntArray, value: FloatArray, similarity: FloatArray, expected: float
) -> Group:
    """Return the row of a group; of nearly equal similarities the first counts."""
    trivial = (n_clusters == 1) | (n_clusters == value.size)
    among = np.where(trivial & ~trivial.all(), -1.0, similarity)
    central = int(np.argmax(among > among.max() - _SLACK))
    mean, fixed = float(value.mean()), bool(trivial.all())
    return Group(
        group,
        len(names),
        int(n_clusters.min()),
        int(n_clusters.max()),
        mean,
        mean if fixed else expected,
        None if fixed else adjust(mean, expected, 1.0),
        float((value < 0.5).mean()),
        names[central],
        float(similarity[central]),
    )
