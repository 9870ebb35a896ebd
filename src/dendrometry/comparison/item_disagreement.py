"""Which items two trees disagree about: the contribution of each item to a measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import whole_number
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._html import MOST_ROWS, preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.trees.cophenetic_distance import need_pairs
from dendrometry.measures.trees.overall_distance import overall_of_walk
from dendrometry.overlap import Overlap
from dendrometry.tree_pair.contraction import Contraction, contract, height_clock, rank_clock, size_clock
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.ranks import exact_sum, need_stages

Clock = Literal["size", "rank", "height"]


@dataclass(frozen=True, eq=False, repr=False)
class ItemDisagreement(Frozen, Tabular):
    """The contribution of each item to the disagreement of two trees.

    Attributes
    ----------
    items : tuple of str
        The items, in the order of the first tree.
    sums : (n_items,) array
        For each item the sum over the other items of |moment in a - moment in b|; whole numbers, or floats for
        the height clock.
    scale : int
        The divisor: ``total / scale`` is the measure.
    """

    items: tuple[str, ...]
    sums: IntArray | FloatArray
    scale: int

    def __post_init__(self) -> None:
        """Make the column read-only."""
        read_only(self.sums)

    @property
    def total(self) -> int | float:
        """The sum of all `sums`: exact for whole numbers, even above 2**63."""
        return exact_sum(self.sums) if self.sums.dtype.kind == "i" else float(self.sums.sum())

    @property
    def values(self) -> FloatArray:
        """The contribution of each item; the contributions add up to the measure."""
        return self.sums / self.scale

    def worst(self, most: int = 10) -> list[tuple[str, float]]:
        """Return the items with the largest contributions, largest first; ties in the order of the items."""
        order = np.argsort(-self.sums, kind="stable")[: whole_number(most, "most", 0)]
        return [(self.items[i], float(self.sums[i] / self.scale)) for i in order.tolist()]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each item, in the order of the first tree: its contribution."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame({"value": self.values}, index=pd.Index(list(self.items), name="item"))

    def _repr_html_(self) -> str:
        worst = self.worst(MOST_ROWS)
        columns: dict[str, list[Any]] = {"item": [name for name, _ in worst], "contribution": [x for _, x in worst]}
        return preview(repr(self), columns, len(self.items))

    def __repr__(self) -> str:
        worst = ", ".join(f"'{printable(name)}'" for name, value in self.worst(3) if value > 0)
        return f"ItemDisagreement({plural(len(self.items), 'item')}" + (f"; most: {worst})" if worst else "; none)")


def item_disagreement(a: HierarchyLike, b: HierarchyLike, *, clock: Clock = "size") -> ItemDisagreement:
    """Return each item's contribution to the disagreement of two hierarchies.

    The contribution of item i is ``sum over j |moment_a(i, j) - moment_b(i, j)|``, scaled so that all contributions add
    up to the measure of the clock: exactly for "size" and "rank", up to rounding for "height".

    Parameters
    ----------
    a, b : Hierarchy, or anything that `as_hierarchy` takes
        Two trees over the same items.
    clock : {"size", "rank", "height"}
        "size": the contributions add up to ``1 - hierarchy_agreement``; "rank": to `overall_distance` (ties merge
        together); "height": to `cophenetic_distance`.

    Returns
    -------
    ItemDisagreement
        One contribution for each item, at least 0; the items with the largest contributions are those to inspect.

    Raises
    ------
    ItemMismatchError
        If the trees contain different items.
    UndefinedMeasureError
        If the measure of the clock is undefined.

    Notes
    -----
    O(n log n) time, O(n) space: the traversal that counts pairs also yields the moment at which each pair is joined.

    Examples
    --------
    >>> from dendrometry import from_newick, hierarchy_agreement, item_disagreement
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")
    >>> parts = item_disagreement(a, b)
    >>> parts.worst(2)
    [('elk', 0.03125), ('owl', 0.03125)]
    >>> float(parts.values.sum()), 1 - hierarchy_agreement(a, b)
    (0.0625, 0.0625)
    """
    one_of(clock, "clock", _CLOCKS)
    a, b = as_hierarchies(a, b)
    overlap = Overlap.of(a, b)
    return _CLOCKS[clock](overlap, Pair.of(overlap))


def disagreement_by_size(overlap: Overlap, walk: Contraction) -> ItemDisagreement:
    """Return the contributions to 1 - hierarchy_agreement, from a traversal by the size clock."""
    return ItemDisagreement(overlap.items, walk.item_discordance()[overlap.item_row], walk.pair.n_items**3)


def _by_size(overlap: Overlap, pair: Pair) -> ItemDisagreement:
    """Return the contributions to 1 - hierarchy_agreement."""
    return disagreement_by_size(overlap, contract(pair, size_clock))


def _by_rank(overlap: Overlap, pair: Pair) -> ItemDisagreement:
    """Return the contributions to overall_distance; the factor 2 arises because each pair counts for both its items."""
    need_stages(pair)
    walk = contract(pair, rank_clock("together"))
    return ItemDisagreement(overlap.items, walk.item_discordance()[overlap.item_row], 2 * overall_of_walk(walk).total)


def _by_height(overlap: Overlap, pair: Pair) -> ItemDisagreement:
    """Return the contributions to cophenetic_distance."""
    need_pairs(pair)
    sums = contract(pair, height_clock).item_discordance()[overlap.item_row]
    if not np.isfinite(sums).all():
        raise UndefinedMeasureError("the heights differ by more than a float can hold; bring them to a smaller scale")
    return ItemDisagreement(overlap.items, sums, pair.n_items * (pair.n_items - 1))


_CLOCKS = {"size": _by_size, "rank": _by_rank, "height": _by_height}
