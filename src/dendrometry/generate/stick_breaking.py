"""Tree-structured stick breaking: random hierarchies with items at any node, and re-insertion of items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.numbers import RandomSource, count_held, random_generator, real_number, whole_number
from dendrometry._display import plain_signature, plural
from dendrometry._html import note
from dendrometry._kernels import tree as walks
from dendrometry._memory import require_memory
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.parents import from_parents

_BYTES = 120  # for one broken stick, at the peak


@plain_signature
class StickSet(NamedTuple):
    """Parameters of `stick_breaking`."""

    alpha: float
    decay: float
    gamma: float


STICK_SETS = {
    "s00": StickSet(1.0, 0.5, 0.2),
    "s01": StickSet(1.0, 1.0, 0.2),
    "s02": StickSet(1.0, 1.0, 1.0),
    "s03": StickSet(5.0, 0.5, 0.2),
    "s04": StickSet(5.0, 1.0, 0.2),
    "s05": StickSet(5.0, 0.5, 1.0),
    "s06": StickSet(25.0, 0.5, 0.2),
    "s07": StickSet(25.0, 0.5, 1.0),
}
"""The eight sets of parameters of Spytkowski et al. 2016, section 4."""


@dataclass(frozen=True, eq=False, repr=False)
class StickBreaking(Frozen):
    """A hierarchy drawn by `stick_breaking`, with its broken sticks.

    Attributes
    ----------
    hierarchy : Hierarchy
        The items at the nodes where they stopped; nodes with no item at or below them are left out.
    parameters : StickSet
        The parameters alpha, decay and gamma.
    parent : (n_places,) array of int
        The parent of each place (node of the process, with or without items), -1 at the root, which is the first.
        Siblings are in the order in which their sticks were broken.
    stop : (n_places,) array of float
        The share nu of the items reaching a place that stops there.
    share : (n_places,) array of float
        The share psi, of the items that pass its elder siblings, that a place takes; 1 at the root.
    item_place : (n_items,) array of int
        The place of each item.
    """

    hierarchy: Hierarchy
    parameters: StickSet
    parent: IntArray
    stop: FloatArray
    share: FloatArray
    item_place: IntArray

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        given = ", ".join(f"{name} {value:g}" for name, value in self.parameters._asdict().items())
        return f"StickBreaking({self.hierarchy!r}, {given}, {plural(self.parent.size, 'stick')})"


def stick_breaking(n_items: int, *, alpha: float, decay: float, gamma: float, rng: RandomSource = 0) -> StickBreaking:
    """Draw a hierarchy with items at any node by tree-structured stick breaking.

    Every item starts at the root. Of the items that reach a node at depth d, a share nu ~ Beta(1, alpha * decay^d)
    stops there; the rest goes on to children, of which the first takes a share psi ~ Beta(1, gamma), the second such a
    share of the remainder, and so on without end. Sticks are broken only where items pass.

    Parameters
    ----------
    n_items : int
        The number of items.
    alpha : float above 0
        The tendency to pass on below the root: large values give deep trees.
    decay : float above 0, at most 1
        The factor by which alpha shrinks from level to level. Above 1 an item might never stop.
    gamma : float above 0
        The spread over children: large values give many children.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    StickBreaking
        ``hierarchy`` without heights, with items "0", "1", and so on, and the broken sticks, which `reinsert` uses.

    Raises
    ------
    InvalidInputError
        If a parameter is out of range, or the expected number of sticks does not fit in memory.

    Notes
    -----
    The mean share of items at depth d is 1 / (1 + a_d) times the product over e < d of a_e / (1 + a_e), with
    a_d = alpha * decay^d. Items are exchangeable, so numbers of items are drawn for all nodes of a level together
    (binomial draws, one round for each child) and items are assigned at the end: O(n + sticks) time.

    References
    ----------
    .. [1] R. P. Adams, Z. Ghahramani, M. I. Jordan, "Tree-structured stick breaking for hierarchical data", NIPS 2010.
    .. [2] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, section 4.

    Examples
    --------
    >>> from dendrometry.generate import STICK_SETS, stick_breaking
    >>> drawn = stick_breaking(8, alpha=1, decay=0.5, gamma=0.2, rng=1)
    >>> print(drawn.hierarchy.draw())
    •: 0, 3
    ├─ 2, 6
    └─ 1, 4, 5, 7
    >>> stick_breaking(1000, **STICK_SETS["s03"]._asdict(), rng=0).hierarchy.n_items
    1000
    """
    count = whole_number(n_items, "n_items", 1)
    parameters = StickSet(
        real_number(alpha, "alpha", above=0.0),
        real_number(decay, "decay", above=0.0, most=1.0),
        real_number(gamma, "gamma", above=0.0),
    )
    _require_memory(count, parameters)
    random = random_generator(rng)
    sticks = _Sticks(parameters, random)
    place = random.permutation(_drop_items(sticks, count, random))
    return _result(sticks, place, None)


def reinsert(drawn: StickBreaking, n_moves: int, *, rng: RandomSource = 0) -> StickBreaking:
    """Remove random items and insert them again by the same sticks.

    ``n_moves`` times an item is drawn uniformly, with replacement, and passes from the root to a node by the sticks
    that are already broken; where there are none, new ones are broken.

    Parameters
    ----------
    drawn : StickBreaking
        A hierarchy from `stick_breaking` or from an earlier re-insertion; it is not changed.
    n_moves : int
        The number of re-insertions.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    StickBreaking
        A hierarchy of the same items, some of them at other nodes.

    Raises
    ------
    InvalidInputError
        If ``drawn`` is not a StickBreaking or ``n_moves`` is not a whole number from 0 on.

    Notes
    -----
    Only the last insertion of an item that is drawn several times matters, so each is inserted once. O(n + sticks).

    References
    ----------
    .. [1] M. Spytkowski, L. P. Olech, H. Kwasnicka, "Hierarchy of Groups Evaluation Using Different F-score
       Variants", ACIIDS 2016, section 4.1.

    Examples
    --------
    >>> from dendrometry import classic_f
    >>> from dendrometry.generate import reinsert, stick_breaking
    >>> drawn = stick_breaking(1000, alpha=5, decay=0.5, gamma=0.2, rng=0)
    >>> worse = reinsert(drawn, 100, rng=1)
    >>> 0.5 < classic_f(drawn.hierarchy, worse.hierarchy) < 1
    True
    """
    if not isinstance(drawn, StickBreaking):
        raise InvalidInputError(f"drawn must be a StickBreaking; got {type(drawn).__name__}")
    times = count_held(n_moves, "n_moves", 0, 32)
    random = random_generator(rng)
    chosen = np.unique(random.integers(drawn.item_place.size, size=times))
    sticks = _Sticks(drawn.parameters, random, drawn)
    place = drawn.item_place.copy()
    place[random.permutation(chosen)] = _drop_items(sticks, chosen.size, random)
    return _result(sticks, place, drawn.hierarchy.items)


class _Sticks:
    """The places of a growing process: columns with spare capacity, and siblings linked in order."""

    def __init__(self, parameters: StickSet, rng: np.random.Generator, drawn: StickBreaking | None = None) -> None:
        """Start with the root alone, or with the places of an earlier draw."""
        self.parameters, self._rng, self.size = parameters, rng, 0
        self.parent, self.depth, self.first, self.next = (np.empty(0, dtype=np.int64) for _ in range(4))
        self.stop, self.share = np.empty(0), np.empty(0)
        if drawn is None:
            self._make_room(1)
            self.parent[0], self.depth[0], self.share[0] = -1, 0, 1.0
            self.stop[0] = _draw_shares(np.array([parameters.alpha]), rng)[0]
            self.size = 1
        else:
            self._make_room(drawn.parent.size)
            self._take_over(drawn)

    def _take_over(self, drawn: StickBreaking) -> None:
        """Copy the places of an earlier draw and link siblings."""
        size = self.size = drawn.parent.size
        self.parent[:size], self.stop[:size], self.share[:size] = drawn.parent, drawn.stop, drawn.share
        self.depth[:size] = walks.depths(_children_first(drawn.parent))[::-1]
        by_parent = np.argsort(drawn.parent, kind="stable")[1:]
        above = drawn.parent[by_parent]
        starts = np.append(True, above[1:] != above[:-1])[: above.size]
        self.first[above[starts]] = by_parent[starts]
        follows = np.flatnonzero(~starts)
        self.next[by_parent[follows - 1]] = by_parent[follows]

    def _make_room(self, count: int) -> None:
        """Extend the columns for ``count`` more places."""
        wanted = self.size + count
        if wanted <= self.parent.size:
            return
        more = max(wanted, 2 * self.parent.size) - self.parent.size
        self.parent, self.depth, self.first, self.next = (
            np.append(column, np.full(more, -1)) for column in (self.parent, self.depth, self.first, self.next)
        )
        self.stop, self.share = (np.append(column, np.zeros(more)) for column in (self.stop, self.share))

    def break_below(self, above: IntArray, elder: IntArray) -> IntArray:
        """Break one more stick below each of these places, after an elder sibling or (-1) as the first."""
        self._make_room(above.size)
        new = np.arange(self.size, self.size + above.size)
        self.size += above.size
        self.parent[new], self.depth[new] = above, self.depth[above] + 1
        self.share[new] = _draw_shares(np.full(above.size, self.parameters.gamma), self._rng)
        beta: FloatArray = self.parameters.alpha * np.power(self.parameters.decay, self.depth[new], dtype=np.float64)
        self.stop[new] = _draw_shares(beta, self._rng)
        eldest = elder < 0
        self.first[above[eldest]] = new[eldest]
        self.next[elder[~eldest]] = new[~eldest]
        return new


def _draw_shares(beta: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return draws from Beta(1, beta), by the inverse of its distribution; 1 where beta has shrunk to 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share: FloatArray = -np.expm1(np.log1p(-rng.random(beta.size)) / beta)
    share[beta == 0.0] = 1.0
    return share


def _drop_items(sticks: _Sticks, count: int, rng: np.random.Generator) -> IntArray:
    """Insert items at the root; return their final places in ascending order. One round for each level."""
    place, falling = np.zeros(min(count, 1), dtype=np.int64), np.array([count])[: min(count, 1)]
    stopped: list[tuple[IntArray, IntArray]] = []
    while place.size:
        stays = rng.binomial(falling, sticks.stop[place])
        stopped.append((place, stays))
        goes_on = falling > stays
        place, falling = _spread(sticks, place[goes_on], (falling - stays)[goes_on], rng)
    places, counts = (np.concatenate([part[i] for part in stopped]) if stopped else place for i in (0, 1))
    return np.repeat(places, counts)


def _spread(sticks: _Sticks, above: IntArray, rest: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Distribute the items that leave each place among its children; return the children and their numbers of items.

    One round for each child: the next stick of every place that still has items, broken if necessary.
    """
    child, elder = sticks.first[above], np.full(above.size, -1)
    reached: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    numbers: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    while above.size:
        unbroken = child < 0
        child[unbroken] = sticks.break_below(above[unbroken], elder[unbroken])
        takes = rng.binomial(rest, sticks.share[child])
        some, left = takes > 0, takes < rest
        reached.append(child[some])
        numbers.append(takes[some])
        above, rest, elder = above[left], (rest - takes)[left], child[left]
        child = sticks.next[elder]
    return np.concatenate(reached), np.concatenate(numbers)


def _require_memory(n: int, parameters: StickSet) -> None:
    """Refuse parameters whose sticks may exceed memory, assuming that every item takes a path of its own.

    An item passes alpha levels on average without decay, and at most one more once alpha has shrunk to 1.
    """
    levels = parameters.alpha
    if parameters.decay < 1.0:
        levels = min(levels, 1.0 + max(0.0, math.log(parameters.alpha) / -math.log(parameters.decay)))
    needed = n * (1.0 + levels * (1.0 + parameters.gamma)) * _BYTES
    require_memory(
        int(min(needed, 1e30)), f"stick breaking of {plural(n, 'item')}", "Choose smaller alpha, decay or gamma."
    )


def _children_first(parent: IntArray) -> IntArray:
    """Return the parents of places numbered from the last to the first."""
    above: IntArray = np.where(parent >= 0, parent.size - 1 - parent, -1)[::-1]
    return above


def _result(sticks: _Sticks, place: IntArray, items: tuple[str, ...] | None) -> StickBreaking:
    """Return the tree of the places that hold items, and the sticks."""
    parent = sticks.parent[: sticks.size].copy()
    stop, share = (column[: sticks.size].copy() for column in (sticks.stop, sticks.share))
    tree = from_parents(_children_first(parent), parent.size - 1 - place, None, items)
    return StickBreaking(tree, sticks.parameters, *map(read_only, (parent, stop, share, place)))
