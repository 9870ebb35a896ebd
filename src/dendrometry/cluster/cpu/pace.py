"""How far a build in rounds is, by the work that is left: nearly all of it is searching all clusters, many times."""

from dendrometry._progress import Advance

# Work, in searches of all pairs once there are sizes to weigh: measured on noise, where lists last as long as expected.
_FIRST, _LATER = 0.65, 2.15
_REST = 0.49 * _LATER  # after the first search, which leaves 0.7 of the clusters


class Pace:
    """Steps of a bar, as many as there are merges, that take equal times.

    A search of m clusters takes m^2, and lists decide about the same share of the merges each time, so that what is
    left after a search grows with the square of the clusters that are left.

    Parameters
    ----------
    n_items : int
        The number of items.
    advance : callable
        Takes the number of steps made.
    """

    def __init__(self, n_items: int, advance: Advance) -> None:
        self._n, self._advance, self._shown = n_items, advance, 0
        self._left, self._is_first = n_items, True

    def searched(self, share: float) -> None:
        """Say that a share of a search of all clusters is done."""
        done = _FIRST * share if self._is_first else share * self._relative
        self._show(self._work - done)

    def merged(self, count: int) -> None:
        """Say that clusters have merged."""
        if count:
            self._left -= count
            self._is_first = False
            self._show(self._work)

    def go_on(self, n_merged: int, is_first: bool) -> None:
        """Say what has been done before, and whether the first search is still to come."""
        self._left, self._is_first = self._n - n_merged, is_first
        if not is_first:
            self._show(self._work)

    def begin_anew(self) -> None:
        """Say that all has to be done again."""
        self._advance(-self._shown)
        self._shown, self._left, self._is_first = 0, self._n, True

    def finish(self) -> None:
        """Say that all is done."""
        self._advance(self._n - 1 - self._shown)
        self._shown = self._n - 1

    @property
    def _relative(self) -> float:
        return (self._left / self._n) ** 2

    @property
    def _work(self) -> float:
        return _FIRST + _REST if self._is_first else min(_LATER * self._relative, _REST)

    def _show(self, left: float) -> None:
        """Move the bar, never back, and not to its end."""
        total = _FIRST + _REST
        steps = min(int((self._n - 1) * (1.0 - left / total)), self._n - 2)
        if steps > self._shown:
            self._advance(steps - self._shown)
            self._shown = steps
