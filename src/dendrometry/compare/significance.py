"""Whether two trees are more alike than by chance: a permutation test."""

from dataclasses import dataclass

import numpy as np

from dendrometry._kernels._jit import FloatArray
from dendrometry.columns import read_only
from dendrometry.compare.pair import Pair
from dendrometry.compare.readings import Readings
from dendrometry.compare.registry import measure_named
from dendrometry.compare.threads import checked_threads, ran_in_threads
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy

__all__ = ["Significance", "significance"]


@dataclass(frozen=True, eq=False, repr=False)
class Significance:
    """A measure beside its values for randomly relabelled items.

    Attributes
    ----------
    measure : str
        The name of the measure.
    value : float
        Its value for the trees as they are.
    p_value : float
        ``(1 + r) / (1 + n)``, where r of the n relabellings were at least as much alike; above 0, at most 1.
    null : (n_permutations,) array of float
        The value for each relabelling.
    """

    measure: str
    value: float
    p_value: float
    null: FloatArray

    @property
    def null_mean(self) -> float:
        """The mean over the relabellings, an estimate of the expectation by chance."""
        return float(self.null.mean())

    @property
    def null_deviation(self) -> float:
        """The standard deviation over the relabellings; 0 for a single one."""
        return float(self.null.std(ddof=1)) if self.null.size > 1 else 0.0

    def __repr__(self) -> str:
        return (
            f"Significance({self.measure} {self.value:.6g}, by chance {self.null_mean:.6g}"
            f" ± {self.null_deviation:.2g}, p = {self.p_value:.4g} from {self.null.size:,} permutations)"
        )


def significance(
    a: Hierarchy,
    b: Hierarchy,
    measure: str = "hierarchy_agreement",
    n_permutations: int = 999,
    rng: np.random.Generator | int | None = None,
    *,
    n_threads: int | None = None,
    progress: bool = False,
) -> Significance:
    """Return whether two hierarchies are more alike than their shapes alone would make them.

    The items of ``b`` are relabelled at random many times; the p-value is the share of relabellings that make the
    trees at least as much alike, the trees as they are counted in.

    Parameters
    ----------
    a, b : Hierarchy
        Two trees over the same items.
    measure : str
        The name of a measure, see `dendrometry.MEASURES`.
    n_permutations : int
        The number of relabellings, at least 1.
    rng : Generator, int or None
        The source of randomness; the same seed gives the same result.
    n_threads : int, optional
        The number of threads; by default one for each processor. It does not change the result.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    Significance
        The value, the p-value, and the mean and standard deviation over the relabellings.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If there is no such measure, or a number is below 1.
    UndefinedMeasureError
        Where the measure is undefined; relabelling never changes whether it is.

    Notes
    -----
    Each relabelling has its own random stream, spawned from ``rng``, and costs what the measure costs.

    Examples
    --------
    >>> from dendrometry import from_newick, significance
    >>> a = from_newick("((((ape,cat),elk),fox),(owl,(rat,(yak,bee))));")
    >>> significance(a, a, "hierarchy_agreement", 199, rng=0)
    Significance(hierarchy_agreement 1, by chance 0.738772 ± 0.05, p = 0.005 from 199 permutations)
    """
    if not isinstance(n_permutations, int | np.integer) or n_permutations < 1:
        raise InvalidInputError(f"n_permutations must be a whole number from 1; got {n_permutations!r}")
    entry = measure_named(measure)
    pair = Pair.of_trees(a, b)
    value = entry.score(Readings(pair)).value
    streams = np.random.default_rng(rng).spawn(int(n_permutations))
    null = np.array(
        ran_in_threads(
            lambda stream: entry.score(Readings(pair.shuffled(stream))).value,
            streams,
            checked_threads(n_threads),
            f"permutations of {measure}" if progress else "",
        )
    )
    as_alike = null >= value if entry.kind == "similarity" else null <= value
    return Significance(measure, value, (1 + int(as_alike.sum())) / (1 + null.size), read_only(null))
