"""Ward, and average linkage on squared Euclid, cosine and dot: rounds of reciprocal nearest neighbours on centroids.

Under these linkages a new cluster is never nearer to a third one than both its parts were, so two clusters that are
each other's nearest remain so until they merge: all such pairs of a round can merge at once, in any order, and only
clusters whose nearest one has merged are searched again. Centroids, sizes and spreads give every distance, so memory is
O(n d), and short lists of near clusters usually make a search unnecessary. A cluster whose list does not decide may
wait while others merge, until too few do: then all are searched at once, for half the price of one by one.

Of tied pairs, those merge that the greedy algorithm merges, the lowest first, as far as the lists decide this; if few
pairs are left that they decide, the greedy algorithm merges the rest. With ties no cluster waits: pairs that are each
other's only nearest merge sooner or later in any case, and a cluster of a tied pair cannot merge unnoticed, so waiting
changes nothing without ties, but might otherwise.
"""

from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from dendrometry._kernels.cluster import vector_greedy as greedy_kernels
from dendrometry._kernels.cluster import ward as kernels
from dendrometry._kernels.cluster.all_pairs import Nearest
from dendrometry._kernels.cluster.merges import Merges
from dendrometry._kernels.cluster.neighbours import Clusters, Lists
from dendrometry._kernels.cluster.ward import Pairs
from dendrometry._progress import Advance
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.chain import Merged, merge_along_chains
from dendrometry.cluster.cpu.checkpoint import Checkpoint
from dendrometry.cluster.cpu.merges import MergeSequence, equal_merges, in_greedy_order, join_merges, renumber
from dendrometry.cluster.cpu.neighbours import (
    BY_SIZE,
    Begun,
    Form,
    KeptColumns,
    certain_pairs,
    decide,
    new_lists,
    search_all,
    search_exactly,
)
from dendrometry.cluster.cpu.pace import Pace
from dendrometry.cluster.cpu.vector_greedy import Start, merge_all
from dendrometry.cluster.linkages import LinkageRule

_Table = TypeVar("_Table", Clusters, Lists, Merges, Nearest)
_YIELD = 64  # the greedy algorithm takes over after a round that searches this many times more clusters than it merges
_FEW = 4096  # clusters merge in a matrix if none tie, and if lists decide little:
_SLOW = 0.75  # if more than this part of those that were searched last have to be searched again
_WAIT = 50  # clusters wait to be searched while lists decide the merges of more than one in this many


class MergedRound(NamedTuple):
    """The number of merges of a round, the clusters that are left, and those of them to be asked again."""

    n_merged: int
    active: Any
    changed: Any


class Engine(Protocol):
    """The array work of the rounds; its arrays are NumPy's, or those of another library on another device.

    The greedy algorithm also takes over after a round that merges less than one in ``chain`` clusters, as happens if
    they form a chain.
    """

    chain: int

    def ask(self, changed: Any, active: Any) -> None:
        """Find the nearest cluster of those that changed, among the active ones."""

    def merge(self, active: Any) -> MergedRound:
        """Merge the clusters that are each other's nearest."""

    def finish(self, active: Any, advance: Advance) -> None:
        """Merge the remaining clusters by the greedy algorithm."""


def merge_in_rounds(active: Any, engine: Engine, advance: Advance, changed: Any = None, rounds: int = 0) -> int:
    """Merge the active clusters until one is left, and return the number of rounds.

    Only the ``changed`` clusters, if they are given, are to be asked first, and some rounds are over.
    """
    changed = active if changed is None else changed
    while active.shape[0] > 1:
        engine.ask(changed, active)
        n_changed = changed.shape[0]
        n_merged, active, changed = engine.merge(active)
        advance(n_merged)
        if n_merged * _YIELD < min(n_changed, active.shape[0]) or n_merged * engine.chain < active.shape[0]:
            engine.finish(active, advance)
            break
        rounds += 1
    return rounds


def left_and_changed(active: Any, nearest: Any, tied: Any, root: Any, partner: Any) -> tuple[Any, Any]:
    """Return the active clusters that are left after a round, and those of them whose nearest one may be another.

    There is one slot for each item. ``root[s]`` is the slot of the cluster that slot s now belongs to, ``partner[c]``
    the slot that cluster c has just swallowed, or -1, ``nearest[c]`` its nearest cluster, ``tied`` whether another was
    exactly as near.
    """
    active = active[root[active] == active]
    other = nearest[active]
    moved = (partner[active] >= 0) | (root[other] != other) | (partner[other] >= 0) | tied[active]
    return active, active[moved]


def vector_reciprocal(
    start: Start, rule: LinkageRule, alpha: float, advance: Advance, checkpoint: Checkpoint | None = None
) -> MergeSequence:
    """Build the tree of clusters, numbered from 0; go on from a checkpoint if it holds something."""
    n, pace = start.size.size, Pace(start.size.size, advance)
    form, found = Form(BY_SIZE[rule.update], alpha), checkpoint.found if checkpoint else {}
    for waiting in (True, False) if found.get("waits", True) else (False,):
        engine = _Compiled(start, form, waiting, pace, checkpoint)
        active, changed = np.flatnonzero(engine.root == np.arange(n)), None
        if found:
            active, changed = engine.go_on(found)
            found = {}
        pace.go_on(engine.made.left.size, engine.rounds == 0)
        rounds = merge_in_rounds(active, engine, pace.merged, changed, engine.rounds)
        if engine.made.left.size == n - 1:
            break
        pace.begin_anew()  # all merges are made again, as no cluster could wait
    pace.finish()
    if checkpoint:
        checkpoint.remove()
    return in_greedy_order(n, engine.made, rounds)


class _Compiled:
    """The engine of NumPy arrays and compiled kernels.

    ``waiting`` says whether clusters that their lists do not decide may wait. It then stops at the first tie, unless
    the first search shows it: all is as if no cluster had ever waited.
    """

    chain = 1000

    def __init__(self, start: Start, form: Form, waiting: bool, pace: Pace, checkpoint: Checkpoint | None) -> None:
        n = start.size.size
        spread = start.own if form.by_size else start.own + form.alpha * start.scatter
        self.clusters = Clusters(start.centroid.copy(), start.size.copy(), spread / start.size, np.arange(n))
        self.lists = new_lists(n)
        self.root, self.partner = np.arange(n), np.full(n, -1)
        self.height = np.zeros(n)
        self.form, self.waits, self.waiting = form, waiting, waiting
        self.columns: KeptColumns | None = None
        self.made = self._merge_duplicates()
        self.rounds = 0
        self._pace, self._checkpoint = pace, checkpoint
        self._begun: Begun | None = None
        self._asked = np.arange(n), np.arange(n)
        self._n_searched = n  # at once, the last time
        self._few: Merged | None = None
        self._may_be_few = waiting

    def _keep(self, begun: Begun | None = None) -> None:
        """Write the state to the checkpoint, with a search that has begun, if it is due; no columns are kept now."""
        if self._checkpoint is None or not self._checkpoint.is_due:
            return
        tables: dict[str, Any] = {"clusters": self.clusters, "lists": self.lists, "made": self.made}
        if begun is not None:
            tables["nearest"] = begun.nearest
        state = {f"{name}_{field}": getattr(table, field) for name, table in tables.items() for field in table._fields}
        self._checkpoint.write(
            {
                **state,
                "turns": np.array(begun.turns if begun else (0, 0)),
                "waits": np.array(self.waits),
                "waiting": np.array(self.waiting),
                "rounds": np.array(self.rounds),
                "root": self.root,
                "height": self.height,
                "changed": self._asked[0],
                "active": self._asked[1],
            }
        )

    def go_on(self, found: dict[str, Any]) -> tuple[IntArray, IntArray]:
        """Take over the state of a checkpoint; return the active clusters and those to be asked."""

        def table(kind: type[_Table], name: str) -> _Table:
            return kind(*(found[f"{name}_{field}"] for field in kind._fields))

        self.clusters, self.lists = table(Clusters, "clusters"), table(Lists, "lists")
        self.made, self.root, self.height = table(Merges, "made"), found["root"], found["height"]
        self.waiting, self.rounds = bool(found["waiting"]), int(found["rounds"])
        if found["turns"][1]:
            done, n_turns = found["turns"].tolist()
            self._begun = Begun(table(Nearest, "nearest"), (done, n_turns))
        return found["active"], found["changed"]

    def ask(self, changed: IntArray, active: IntArray) -> None:
        """Find the nearest cluster of those that changed: from their lists, by products, or by differences."""
        lists, self._asked = self.lists, (changed, active)
        first = lists.nearest[active[0]] < 0
        decide(changed, self.partner, self.root, self.clusters, lists, self.form)
        self.partner[active] = -1
        if not self.waiting:
            if not self._merge_few(active):
                self._search(changed[~lists.sure[changed]], active)
        elif self._n_decided(active) * _WAIT < active.size:
            if active.size > _SLOW * self._n_searched and not first and self._merge_few(active):
                return
            self._search(active, active)
            self._n_searched = active.size
            tied = first and bool(lists.tied[active].any())
            self._may_be_few = self._may_be_few and not tied
            self.waiting = not tied and self._n_decided(active) * _WAIT >= active.size

    def _merge_few(self, active: IntArray) -> bool:
        """Merge all clusters in a matrix if they are few, and none tie; return whether they are merged."""
        if self._may_be_few and active.size <= _FEW:
            self._few = merge_along_chains(active, self.clusters, self.form)
            self._may_be_few = False
        return self._few is not None

    def _search(self, slots: IntArray, active: IntArray) -> None:
        """Search the nearest cluster of some clusters, by products, more precise ones, and differences as needed."""
        if slots.size == active.size:
            slots = self._search_all(active)
        elif slots.size and (self.columns is None or self.columns.n_packed > 2 * active.size):
            self.columns = None
            self._keep()
        if slots.size:
            self.columns = self.columns or KeptColumns(active, self.clusters, self.form)
            self.columns.search(slots, self.clusters, self.lists)
            doubtful = self._undecided(slots)
            if doubtful.size:
                search_exactly(doubtful, active, self.clusters, self.lists, self.form)

    def _search_all(self, active: IntArray) -> IntArray:
        """Search the nearest of all clusters, and return those for which it is not certain."""
        self.columns = None
        search_all(active, self.clusters, self.lists, self.form, begun=self._begun, after_turn=self._after_turn)
        self._begun = None
        return self._undecided(active)

    def _after_turn(self, begun: Begun) -> None:
        """Say how far a search of all clusters is, and keep what it has found."""
        self._pace.searched(begun.turns[0] / begun.turns[1])
        self._keep(begun)

    def _undecided(self, slots: IntArray) -> IntArray:
        """Decide the nearest of some clusters from their new lists, and return those for which this is not certain."""
        decide(slots, self.partner, self.root, self.clusters, self.lists, self.form)
        return slots[~self.lists.sure[slots]]

    def _n_decided(self, active: IntArray) -> int:
        """Return the number of pairs that are certainly each other's nearest."""
        return certain_pairs(active, self.lists.nearest, self.lists.sure).size

    def merge(self, active: IntArray) -> MergedRound:
        """Merge the clusters that are each other's nearest; of tied pairs, the lowest first."""
        self.rounds += 1
        clusters, lists, n = self.clusters, self.lists, self.root.size
        if self._few is not None:
            return self._merged_few(active, self._few)
        number = renumber(n, self.made)[1] if lists.tied[active].any() else np.arange(clusters.node.max() + 1)
        low, high = kernels.mutual_pairs(active, clusters, lists, self.form)
        if self.waiting and (lists.tied[low] | lists.tied[high]).any():
            return MergedRound(0, active, active[:0])
        first, second = number[clusters.node[low]], number[clusters.node[high]]
        order = np.lexsort((np.maximum(first, second), np.minimum(first, second), lists.distance[low]))
        low, high = low[order], high[order]
        merged, tied = kernels.merge_pairs(Pairs(low, high, self.height), clusters, lists, self.root, self.form)
        low, high = low[merged], high[merged]
        merges = Merges(clusters.node[low], clusters.node[high], lists.distance[low], tied[merged])
        clusters.node[low] = n + self.made.left.size + np.arange(low.size)
        self.made = join_merges([self.made, merges])
        self.height[low] = lists.distance[low]
        kernels.follow(self.root)
        self.partner[low] = high
        if self.columns is not None:
            self.columns.merge(low, high, clusters)
        active, changed = left_and_changed(active, lists.nearest, lists.tied, self.root, self.partner)
        if self.waiting:  # a list that does not decide never will, as distances only grow
            changed = changed[lists.sure[changed]]
        return MergedRound(int(low.size), active, changed)

    def _merged_few(self, active: IntArray, few: Merged) -> MergedRound:
        """Keep the merges of all clusters."""
        low, high, height = few
        node, first = self.clusters.node.copy(), self.root.size + self.made.left.size
        left, right = np.empty_like(low), np.empty_like(high)
        for at, (i, j) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            left[at], right[at], node[i] = node[i], node[j], first + at
        self.made = join_merges([self.made, Merges(left, right, height, np.zeros(low.size, dtype=bool))])
        return MergedRound(low.size, active[:1], active[:0])

    def finish(self, active: IntArray, advance: Advance) -> None:
        """Merge the remaining clusters by the greedy algorithm, with the node numbers that they would have there."""
        if self.waiting:
            return
        n, clusters = self.root.size, self.clusters
        made, number = renumber(n, self.made)
        active = active[np.argsort(number[clusters.node[active]], kind="stable")]
        own = clusters.spread[active] * clusters.size[active]
        node = number[clusters.node[active]]
        start = Start(clusters.centroid[active], clusters.size[active], np.zeros(active.size), own, node)
        form = greedy_kernels.WARD if self.form.by_size else greedy_kernels.AVERAGE
        self.made = join_merges([made, merge_all(start, form, self.form.alpha, n + made.left.size, advance)])

    def _merge_duplicates(self) -> Merges:
        """Merge equal points at height 0 before any search, lowest numbers first."""
        groups = equal_rows(self.clusters.centroid, self.clusters.spread)
        merges, last = equal_merges(groups, self.root.size)
        for group, node in zip(groups, last, strict=True):
            self.clusters.size[group[0]] = self.clusters.size[group].sum()
            self.clusters.node[group[0]] = node
            self.root[group] = group[0]
        return merges


def equal_rows(points: FloatArray, spread: FloatArray) -> list[IntArray]:
    """Return the groups of equal points at distance 0 of each other, each in ascending order."""
    direction = np.cos(np.arange(points.shape[1]) + 1.0)
    order = np.argsort((points * direction).sum(axis=1) + spread, kind="stable")
    same = (points[order[1:]] == points[order[:-1]]).all(axis=1) & (spread[order[1:]] == spread[order[:-1]])
    same &= spread[order[1:]] == 0.0
    bounds = np.flatnonzero(np.concatenate([[True], ~same, [True]]))
    return [np.sort(order[bounds[i] : bounds[i + 1]]) for i in np.flatnonzero(np.diff(bounds) > 1)]
