"""Many hierarchies: one measure between all of them, and which are far from all others."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.names import elements
from dendrometry._check.numbers import real_number, thread_count
from dendrometry._display import printable
from dendrometry._kernels._jit import FloatArray
from dendrometry._progress import track
from dendrometry._threads import run_in_threads
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.measures.registry import MEASURES, measure_named
from dendrometry.walk.pair import Pair
from dendrometry.walk.readings import Readings

__all__ = ["Matrix", "distances", "far_from_all", "pairwise_matrix", "median_distances", "named_trees"]


@dataclass(frozen=True, eq=False, repr=False)
class Matrix(Frozen):
    """A measure between all trees of a collection.

    Attributes
    ----------
    names : tuple of str
        The name of each tree.
    values : (n_trees, n_trees) array of float
        Row i, column j: the measure with tree i first and tree j second.
    measure : str
        The name of the measure.
    """

    names: tuple[str, ...]
    values: FloatArray
    measure: str

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with the names on both sides."""
        import pandas as pd

        return pd.DataFrame(self.values, index=list(self.names), columns=list(self.names))

    def report(self, path: str | os.PathLike[str], *, force: bool = False, progress: bool = False) -> None:
        """Write the matrix as one HTML page: how alike the trees are, which are near each other, which stand apart.

        The page holds all it needs and asks nothing of any network. Up to 500 trees are drawn and listed.

        Parameters
        ----------
        path : str or path
            Where to write; the file appears whole or not at all.
        force : bool
            Whether to replace a file that exists.
        progress : bool
            Whether to show on the terminal what is being done.

        Raises
        ------
        InvalidInputError
            If the file exists and ``force`` is not set, or cannot be written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> from dendrometry import from_newick, pairwise_matrix
        >>> trees = {"x": from_newick("((a,b),(c,d));"), "y": from_newick("((a,c),(b,d));")}
        >>> path = pathlib.Path(tempfile.mkdtemp(), "trees.html")
        >>> pairwise_matrix(trees, "hierarchy_agreement").report(path)
        >>> "hierarchy_agreement" in path.read_text(encoding="utf-8")
        True
        """
        # against the order of the rooms, as for Comparison: a result offers its own report, which stands on all of them
        from dendrometry.pages.matrix import write_matrix

        write_matrix(self, path, force=force, progress=progress)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype)

    def _repr_html_(self) -> str:
        from dendrometry.notebook import matrix_html

        return matrix_html(self)

    def __repr__(self) -> str:
        return f"Matrix({len(self.names)} trees, {self.measure})"


def pairwise_matrix(
    trees: Mapping[str, Hierarchy] | Sequence[Hierarchy],
    measure: str = "overall_distance",
    *,
    n_threads: int | None = None,
    progress: bool = False,
) -> Matrix:
    """Return one measure between all pairs of several hierarchies.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies
        At least one tree; those of a sequence are named "0", "1", and so on. All hold the same items.
    measure : str
        The name of a measure, see `dendrometry.measures.MEASURES`.
    n_threads : int, optional
        The number of threads; by default one for each processor. It does not change the result.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    Matrix
        The names and a square array; symmetric if the measure is.

    Raises
    ------
    ItemMismatchError
        If two trees hold different items.
    InvalidInputError
        If there is no tree, something is no tree, or there is no such measure.
    UndefinedMeasureError
        Where the measure is undefined for some pair.

    Examples
    --------
    >>> from dendrometry import from_newick, pairwise_matrix
    >>> shapes = {"x": "((a,b),(c,d));", "y": "(((a,b),c),d);", "z": "((a,c),(b,d));"}
    >>> trees = {name: from_newick(text) for name, text in shapes.items()}
    >>> pairwise_matrix(trees, "hierarchy_agreement").to_frame()
           x       y       z
    x  1.000  0.8750  0.7500
    y  0.875  1.0000  0.8125
    z  0.750  0.8125  1.0000
    """
    entry = measure_named(measure, "trees")
    names, listed = named_trees(trees, "matrix")
    n = len(listed)
    jobs = [(i, j) for i in range(n) for j in range(n) if i <= j or not entry.symmetric]

    def scored(job: tuple[int, int]) -> float:
        first, second = (listed[i] for i in job)
        try:
            return entry.score(Readings(Pair.of_trees(first, second))).value
        except DendrometryError as error:
            which = "' and '".join(dict.fromkeys(printable(names[i]) for i in job))
            raise type(error)(f"comparing '{which}': {error}") from None

    found = run_in_threads(scored, jobs, thread_count(n_threads))
    title = f"{measure} of {n} trees"
    values = np.empty((n, n))
    for (i, j), value in zip(jobs, track(found, title, len(jobs), progress), strict=True):
        values[i, j] = value
        if entry.symmetric:
            values[j, i] = value
    return Matrix(names, read_only(values), measure)


def far_from_all(matrix: Matrix, *, fence: float = 1.5) -> list[str]:
    """Return the names of the trees that are far from all others: candidates to leave out before a consensus.

    For each tree take its median distance to the others; far are those above the third quartile of these medians
    plus ``fence`` times their interquartile range (Tukey's rule).

    Parameters
    ----------
    matrix : Matrix
        As made by `pairwise_matrix`; similarities are turned into distances, asymmetric measures averaged both ways.
    fence : float
        How many interquartile ranges beyond the third quartile is far; 0 or more.

    Returns
    -------
    list of str
        Names, the farthest first; empty if none stands out or there are fewer than four trees.

    Raises
    ------
    InvalidInputError
        If this is no Matrix, or ``fence`` is negative, infinite or not a number.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, section 5,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> from dendrometry.comparison import far_from_all
    >>> from dendrometry import from_newick, pairwise_matrix
    >>> alike = [from_newick("((((a,b),c),d),((e,f),(g,h)));")] * 4
    >>> other = from_newick("((a,h),(b,g),(c,f),(d,e));")
    >>> far_from_all(pairwise_matrix([*alike, other], "hierarchy_agreement"))
    ['4']
    """
    if not isinstance(matrix, Matrix):
        raise InvalidInputError(f"far_from_all takes a Matrix, as made by matrix(); got {type(matrix).__name__}")
    real_number(fence, "fence", least=0.0)
    n = len(matrix.names)
    if n < 4:
        return []
    middle = median_distances(matrix)
    low, high = np.quantile(middle, [0.25, 0.75])
    far = np.flatnonzero(middle > high + fence * (high - low))
    return [matrix.names[i] for i in far[np.argsort(-middle[far], kind="stable")].tolist()]


def distances(matrix: Matrix) -> FloatArray:
    """Return the values as distances: similarities taken from that of identical trees, both ways averaged."""
    apart = MEASURES[matrix.measure].apart(matrix.values)
    apart = np.maximum((apart + apart.T) / 2.0, 0.0)
    np.fill_diagonal(apart, 0.0)
    return apart


def median_distances(matrix: Matrix) -> FloatArray:
    """Return the median distance of each tree to the others, of which there must be some."""
    n = len(matrix.names)
    middle: FloatArray = np.median(distances(matrix)[~np.eye(n, dtype=bool)].reshape(n, n - 1), axis=1)
    return middle


def named_trees(
    trees: Mapping[str, Hierarchy] | Sequence[Hierarchy], taker: str
) -> tuple[tuple[str, ...], list[Hierarchy]]:
    """Return the names and the trees of a collection; errors tell which function takes them."""
    if isinstance(trees, Hierarchy):
        raise InvalidInputError(f"{taker} takes several trees; got a single Hierarchy")
    if not isinstance(trees, Iterable):
        raise InvalidInputError(f"{taker} takes a mapping or a sequence of trees; got {type(trees).__name__}")
    listed = list(trees.values()) if isinstance(trees, Mapping) else elements(trees, "the trees")
    names = tuple(trees) if isinstance(trees, Mapping) else tuple(map(str, range(len(listed))))
    if not listed:
        raise InvalidInputError(f"{taker} needs at least one tree; got none")
    for name, tree in zip(names, listed, strict=True):
        if not isinstance(name, str):
            raise InvalidInputError(f"the names of the trees must be strings; got {printable(name)}")
        require_hierarchy(tree, f"tree '{printable(name)}'")
    return names, listed
