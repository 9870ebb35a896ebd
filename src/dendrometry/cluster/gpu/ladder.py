"""Searches of growing precision: what one leaves open, the next one searches again; and a count of them."""

from collections.abc import Callable
from typing import Any

from dendrometry.cluster.gpu.plain import Columns, Plain, Rows, Wanted

_OPEN = 0.1  # where more than this share of searches stays open, the next ones start with the higher precision
_SAMPLE = 2048  # searches that show this before many are made
_FEW = 1 << 24  # distances: so few are computed in float64 at once, also where a lower precision left them open


class Ladder:
    """The precisions of a device's searches, and for each how often it was asked.

    Attributes
    ----------
    left_open : int
        The number of searches that a lower precision could not decide.
    distances : int
        The number of distances computed.
    same_bits : bool
        Whether all distances that decided were computed in the order of the CPU, so that they have its bits.
    """

    def __init__(self, searches: Plain) -> None:
        self.searches = searches
        self.lower = searches.ladder
        self.searched = dict.fromkeys((*self.lower, "float64"), 0)
        self.left_open = 0
        self.distances = 0
        self.same_bits = True

    def used(self) -> str:
        """Return the precisions used, the lowest first."""
        return ", ".join(search for search, n_searched in self.searched.items() if n_searched) or "none"

    def search(
        self,
        slots: Any,
        active: Any,
        group: Any,
        columns: Columns,
        wanted: Wanted,
        decide: Callable[[Any, Rows, bool], Any],
    ) -> None:
        """Search the near clusters of some slots among the active ones of other groups.

        ``decide`` takes slots, what was found for them, and whether that is exact, and returns the slots still open.
        """

        def run(search: str, searched: Any) -> Any:
            exact = search == "float64"
            how = self.searches.search_exactly if exact else self.searches.search
            rows = how(searched, active, group, columns, wanted._replace(search=search))
            still = decide(searched, rows, exact)
            n = searched.shape[0] * active.shape[0] if rows.n_compared is None else rows.n_compared
            self.count(search, searched.shape[0], n, 0 if exact else still.shape[0])
            return still

        many = slots.shape[0] >= 16 * _SAMPLE
        while many and self.lower and not self.searched[self.lower[0]]:
            run(self.lower[0], slots[:: slots.shape[0] // _SAMPLE] + 0)  # a copy, as kernels read without gaps
        for search in (*self.lower, "float64"):
            if slots.shape[0] == 0:
                break
            if search == "float64" or slots.shape[0] * active.shape[0] > _FEW:
                slots = run(search, slots)

    def count(self, search: str, n_searched: int, n_compared: int, n_open: int = 0) -> None:
        """Count searches; start with the next precision from now on if this one leaves too many open.

        The last of the lower precisions is kept, as float64 takes many times longer.
        """
        self.searched[search] += n_searched
        self.distances += n_compared
        self.left_open += n_open
        if search in self.lower[:-1] and n_searched > _SAMPLE // 2 and n_open > _OPEN * n_searched:
            self.lower = self.lower[self.lower.index(search) + 1 :]
