"""Whether the two sides of a split are two groups: a test for every node of a tree, with the error held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, random_generator, real_number, whole_number
from dendrometry._check.points import finite_points, points_of, points_of_items, require_dense, whole_counts
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._jobs import check_n_jobs
from dendrometry._kernels.significance import splits as kernels
from dendrometry._kernels.tree import accumulate_down
from dendrometry._progress import bar
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.errors import UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.significance.clustering import Clustering
from dendrometry.significance.monte_carlo import ENOUGH, compare_split
from dendrometry.significance.references import HELD, NULLS, REFERENCES, WORDS, SplitReference, log_counts
from dendrometry.significance.separation import AXES, LEAST, Split
from dendrometry.significance.top_down import reject_down

SplitLinkage = Literal["ward", "average", "complete", "single"]
SplitMetric = Literal["euclidean", "cosine"]


@dataclass(frozen=True, eq=False, repr=False)
class Splits(Frozen, Tabular):
    """The splits of a tree that were tested from the root down, each with a p-value.

    Attributes
    ----------
    tree : Hierarchy
        The tree.
    p_value : (n_nodes,) array of float
        The p-value of each split, the largest over the references; nan where none was tested. Once one of them gives
        more than alpha, the others are left out: then it is a lower bound.
    adjusted : (n_nodes,) array of float
        The adjusted p-value, which holds the family-wise error over the tree; nan where none was tested. Above alpha it
        is an upper bound, since nothing is tested below a split that is not rejected.
    hypothesis : (n_nodes,) array of bool
        The nodes whose split has a hypothesis: two children, both with enough items to be a group.
    alpha : float
        The level.
    reference : str
        The reference, as for `splits`.
    references : tuple of str
        The references that were used.
    p_values : (n_references, n_nodes) array of float
        The p-value of each split by each of ``references``.
    statistic : (n_references, n_nodes) array of float
        How far apart the sides are, by the statistic of each of ``references``.
    n_drawn : (n_references, n_nodes) array of int
        The number of reference sets that were drawn.
    linkage, metric : str
        How reference sets were clustered.
    n_columns : int
        The number of columns of the points.
    n_references : int
        The number of reference sets that were asked for, for each split.
    """

    tree: Hierarchy
    p_value: FloatArray
    adjusted: FloatArray
    hypothesis: BoolArray
    alpha: float
    reference: str
    references: tuple[str, ...]
    p_values: FloatArray
    statistic: FloatArray
    n_drawn: IntArray
    linkage: str
    metric: str
    n_columns: int = 0
    n_references: int = 199

    @property
    def tested(self) -> BoolArray:
        """Which nodes were tested."""
        tested: BoolArray = ~np.isnan(self.p_value)
        return tested

    @property
    def rejected(self) -> BoolArray:
        """Which nodes split into two groups, at the level."""
        held: BoolArray = self.adjusted <= self.alpha
        return held

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The reference with the largest p-value, for each node; "" where none was tested."""
        worst = np.where(np.isnan(self.p_values), -1.0, self.p_values).argmax(axis=0)
        return tuple(
            self.references[w] if done else "" for w, done in zip(worst.tolist(), self.tested.tolist(), strict=True)
        )

    @property
    def is_held(self) -> bool:
        """Whether the error is held for groups of any shape that was measured, not of the reference sets alone."""
        return "unimodal" in self.references

    @property
    def claim(self) -> str:
        """What is shown of a split that is rejected: only that no such data are split so, if no error is held."""
        return "of two groups" if self.is_held else f"not of {self.null}"

    @property
    def null(self) -> str:
        """The data without groups that are rejected, in words."""
        *most, last = (NULLS[name] for name in self.references)
        return f"{', '.join(most)}, and {last}" if most else last

    @property
    def methods(self) -> str:
        """How the p-values were obtained, as sentences for the methods section of a paper."""
        n, tested = self.n_at_least, plural(int(self.tested.sum()), "split")
        how = [WORDS[name].format(linkage=self.linkage, metric=self.metric) for name in self.references]
        largest = " The largest p-value counts." if len(how) > 1 else ""
        return (
            f"Whether the two sides of a split are one group was tested for {tested} of the tree, from the root down."
            f" {' '.join(how)}{largest} The p-value is (1 + r) / (1 + n), where the sides of r of n sets are as far"
            f" apart; n is {n:,}, more for small groups. Drawing ended once r was {ENOUGH}, and the p-value is then"
            f" {ENOUGH} / n, with the n drawn until then (Besag and Clifford, 1991). A split of"
            f" fewer than {LEAST} items on a side, or than the square root of the size of its group, was not tested."
            " The p-values were adjusted by the inheritance procedure (Goeman and Finos, 2012), which holds the"
            f" family-wise error over the tree{self._held_for}. Computed with dendrometry {__version__}."
        )

    @property
    def n_at_least(self) -> int:
        """The number of reference sets of the largest groups, unless drawing ended before."""
        return references_for(self.n_references, self.alpha, 1.0)

    @property
    def _held_for(self) -> str:
        """For which data the error is held."""
        return HELD.get(self.reference, f" for {self.null}, and for no other{self._rounder}")

    @property
    def _rounder(self) -> str:
        """Which normal data are not held, either."""
        return ", nor for long ones, which shrinking makes rounder" if self.reference == "normal" else ""

    @property
    def error(self) -> str:
        """Which error is held, and for which data, as a clause."""
        chance = f"is at most {self.alpha:g}, over the whole tree"
        if self.is_held:
            return (
                f"the chance that any node is rejected whose items are one group {chance}{self._held_for}{self._axes}"
            )
        other = f"for groups of another shape no error is held{self._rounder}"
        return f"the chance that {self.null} are split {chance}; {other}"

    @property
    def _axes(self) -> str:
        """Where the error is not known, in more columns than axes in which density is seen."""
        if self.n_columns <= AXES:
            return ""
        return (
            f"; density is seen in the {AXES} leading principal axes, and for groups that are one in other axes only,"
            " such as a closed curve that these cut, the error is not known"
        )

    @property
    def verdict(self) -> str:
        """What was found, under which reference, at which level, and what it does not show, as a paragraph."""
        n_real, n_tested = int(self.rejected.sum()), int(self.tested.sum())
        if not n_tested:
            return "No split has enough items on both sides to be tested. That the items are one group is not shown."
        are = "is" if n_real < 2 else "are"
        cut = ", and one group may be cut into several of them" if n_real > 1 else ""
        sides = (
            " Nothing is said of groups that differ without a valley of density between them: a small group on the"
            " slope of a large one, or two of the same place and another spread."
            if self.is_held
            else f" What is rejected is {self.null} and nothing else: data of another shape may be called two groups."
        )
        return (
            f"At the level {self.alpha:g}, {n_real or 'none'} of {n_tested:,} tested splits {are} shown to be"
            f" {self.claim}: {plural(n_real + 1, 'part')} in all{cut}. Each was compared with {self.null}. What is"
            f" held: {self.error}. A split that is named need not run between the groups: a part may be one of two"
            " that a group was cut into. A split that is not named may still be of two groups, too near each other or"
            f" of too few items to be told apart.{sides} That an item lies on one side does not prove that it belongs"
            " there."
        )

    def columns(self) -> dict[str, list[Any]]:
        """Return the tested splits as columns."""
        return self._columns(np.flatnonzero(self.tested))

    def _columns(self, at: IntArray) -> dict[str, list[Any]]:
        """Return some nodes as columns."""
        decided = self.decided_by
        columns: dict[str, list[Any]] = {"node": at.tolist(), "size": self.tree.sizes[at].tolist()}
        columns |= {name: getattr(self, name)[at].tolist() for name in ("p_value", "adjusted", "rejected")}
        columns["decided_by"] = [decided[v] for v in at.tolist()]
        for i, name in enumerate(self.references):
            columns[f"p_{name}"] = self.p_values[i, at].tolist()
        return columns

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each tested split."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns())

    def _repr_html_(self) -> str:
        tested = np.flatnonzero(self.tested)
        return preview(repr(self), self._columns(tested[np.argsort(-self.tree.sizes[tested], kind="stable")]))

    def __repr__(self) -> str:
        named = f"{int(self.rejected.sum()):,} {'of two groups' if self.is_held else 'rejected'} at {self.alpha:g}"
        return f"Splits({plural(int(self.tested.sum()), 'split')} tested, {named}, {self.reference} reference)"


def splits(
    X: Any,
    tree: HierarchyLike | None = None,
    *,
    linkage: SplitLinkage = "ward",
    metric: SplitMetric = "euclidean",
    reference: SplitReference = "cautious",
    n_references: int = 199,
    alpha: float = 0.05,
    max_depth: int | None = None,
    rng: RandomSource = 0,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Splits:
    """Test, for every split of a tree, whether its two sides are one group.

    From the root down, each split is compared with those of reference sets that are one group, clustered in the same
    way. A split is tested only if all above it are of two groups, and the family-wise error is held over the tree by
    `adjust_down` [1]_: the chance that any node is rejected whose items are one group is to be at most alpha. What is
    rejected is that the items of a node are one group, not that the split runs between the groups.

    Parameters
    ----------
    X : (n, d) array of float
        The points, one row each, or counts; the index of a data frame names the items.
    tree : Hierarchy, or anything that `as_hierarchy` takes, optional
        The tree whose splits are tested; by default the one that is built from X.
    linkage : {"ward", "average", "complete", "single"}
        How reference sets are clustered: as the tree was built.
    metric : {"euclidean", "cosine"}
        As for `agglomerate`.
    reference : {"cautious", "unimodal", "normal", "permuted", "counts"}
        The sets that are one group. "unimodal": of any shape, without a valley of density between the sides. "normal":
        normal points of the mean and the shrunken covariance of the group, as in SigClust [2]_ [3]_. "permuted": each
        column permuted within the group, which fits if columns do not depend on each other. "cautious" takes the
        largest p-value of "unimodal" and "normal", and is made, as "unimodal", for groups of any shape. "counts" is for
        whole numbers, such as cells by genes, and takes the largest p-value of "unimodal" and negative binomial counts;
        the points are log(1 + counts), each row scaled to the median sum.
    n_references : int
        The number of reference sets of a split, at least 19; more are drawn for small nodes, which have a small share
        of the level. Drawing ends when ten are as far apart as the data [4]_.
    alpha : float
        The level, above 0 and below 1.
    max_depth : int, optional
        The largest number of splits that are tested on the way from the root to any leaf.
    rng : numpy Generator, int or None
        The source of random numbers; the same seed gives the same result for any ``n_jobs``.
    n_jobs : int or None
        The number of jobs at a time, as for `stability`.
    progress : bool
        Whether to show a count of the tested splits on the terminal.

    Returns
    -------
    Splits
        The p-value of each split, as it is and adjusted.

    Raises
    ------
    InvalidInputError
        If the points are not finite or are sparse, or an option is invalid; for "counts", if they are not whole
        numbers from 0 on, or a row has none.
    ItemMismatchError
        If the index of a data frame does not name the items of ``tree``.
    UndefinedMeasureError
        If there are fewer than ten points.

    Notes
    -----
    A side of fewer than 5 items, or than the square root of the size of its group, is no group but outliers: such a
    split has no hypothesis (nan), its share of the level is handed down, and the larger side remains the group. So
    single and average linkage, which part outliers first, are tested at the first split with two sides. Nothing is
    tested within the outliers, nor at nodes with other than two children. Reference sets are treated in the same way.

    A linkage may cut one of several groups before it parts them, as Ward's cuts a long group beside a small one. Both
    splits are then rejected, and there are more parts than groups.

    For "unimodal" the statistic is the log of the lower of the two peaks of density over the pass between them. In what
    has no valley it is largest in one dimension, where there is only one way from peak to peak, and where the density
    is flat; so it is compared with the deepest valley of as many random points on a line. This holds for a ring and a
    long ellipse as for a ball, and whatever the linkage (``benchmarks/splits_error.py``), but not for a thin bar of
    even density, which chance cuts more deeply than a line. So it is also compared with boxes of even density, of at
    most 300 points, with the standard deviations of the group, and the larger p-value counts. Density is estimated from
    as many neighbours as a side must have items, on the three leading principal axes.

    For the others the statistic is minus the log of the share of the variance within the sides, times the share of the
    group that they hold, and reference sets are clustered. Of more than 300 items of a group, 300 random ones are
    compared; where the tree was not built in the way named, the smaller statistic of the split and of their own tree
    counts. Negative binomial counts [5]_ have independent columns: genes that vary together within one kind of cell are
    not among them, which is why "counts" asks for a valley of density as well.

    References
    ----------
    .. [1] J. J. Goeman and L. Finos, "The inheritance procedure: multiple testing of tree-structured hypotheses",
       Statistical Applications in Genetics and Molecular Biology 11 (2012), doi:10.1515/1544-6115.1554.
    .. [2] Y. Liu, D. N. Hayes, A. Nobel and J. S. Marron, "Statistical significance of clustering for high-dimension,
       low-sample size data", Journal of the American Statistical Association 103 (2008),
       doi:10.1198/016214508000000454.
    .. [3] P. K. Kimes, Y. Liu, D. N. Hayes and J. S. Marron, "Statistical significance for hierarchical clustering",
       Biometrics 73 (2017), doi:10.1111/biom.12647.
    .. [4] J. Besag and P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991),
       doi:10.1093/biomet/78.2.301.
    .. [5] I. N. Grabski, K. Street and R. A. Irizarry, "Significance analysis for clustering with single-cell
       RNA-sequencing data", Nature Methods 20 (2023), doi:10.1038/s41592-023-01933-9; there, with a latent covariance.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.significance import splits
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> found = splits(points)
    >>> found
    Splits(5 splits tested, 2 of two groups at 0.05, cautious reference)
    >>> np.flatnonzero(found.rejected).tolist(), found.tree.sizes[found.rejected].tolist()
    ([117, 118], [40, 60])
    """
    how = Clustering(
        one_of(linkage, "linkage", get_args(SplitLinkage)), one_of(metric, "metric", get_args(SplitMetric))
    )
    kind = one_of(reference, "reference", get_args(SplitReference))
    n_sets, level = whole_number(n_references, "n_references", 19), real_number(alpha, "alpha", above=0.0, below=1.0)
    deepest = None if max_depth is None else whole_number(max_depth, "max_depth", 1, also="None")
    seed, jobs = int(random_generator(rng).integers(2**62)), check_n_jobs(n_jobs)
    given, order = _given(X, tree)
    counts = whole_counts(given) if kind == "counts" else None
    depth = float(np.median(given.sum(axis=1))) if counts is not None else 1.0
    values = given if counts is None else log_counts(counts, depth)
    own = _built(X, values, how) if order is None else order
    points = how.embed(values)
    if own.n_items < 2 * LEAST:
        raise UndefinedMeasureError(f"there must be at least {2 * LEAST} points, for two groups; got {own.n_items}")
    names = REFERENCES[kind]
    tested, group = _hypotheses(own, deepest)
    p_values, statistic = np.full((2, len(names), own.n_nodes), np.nan)
    n_drawn = np.zeros((len(names), own.n_nodes), dtype=np.int64)

    with bar("splits", None, progress) as advance:

        def test(nodes: IntArray) -> FloatArray:
            for v in nodes.tolist():
                rows = _items(own, int(group[v]))
                split = Split(points[rows], _sides(own, v, int(group[v])), None if counts is None else counts[rows])
                most = references_for(n_sets, level, split.side.size / own.n_items)
                for i, name in enumerate(names):
                    found = compare_split(split, how, (name, depth), most, (seed, v, i), jobs)
                    statistic[i, v], p_values[i, v], n_drawn[i, v] = found
                    if p_values[i, v] > level:
                        break
                advance(1)
            worst: FloatArray = np.nanmax(p_values[:, nodes], axis=0)
            return worst

        found = reject_down(own, test, hypotheses=tested, alpha=level)
    return Splits(
        own,
        found.p_value,
        found.adjusted,
        tested,
        level,
        kind,
        names,
        p_values,
        statistic,
        n_drawn,
        *how,
        given.shape[1],
        n_sets,
    )


def references_for(n_references: int, alpha: float, share: float) -> int:
    """Return the number of reference sets of a node with a share of the level, so that one may be as far apart."""
    return max(n_references, int(np.ceil(2.0 / (alpha * share))) - 1)


def _given(X: Any, tree: HierarchyLike | None) -> tuple[FloatArray, Hierarchy | None]:
    """Return finite points, in the order of the items of the tree if there is one, and the tree."""
    if tree is not None:
        own = as_hierarchy(tree)
        points = points_of_items(X, own.items)
        require_dense(points, "tests of splits")
        return points, own
    given = points_of(X)
    require_dense(given, "tests of splits")
    return finite_points(given), None


def _built(X: Any, points: FloatArray, how: Clustering) -> Hierarchy:
    """Return the tree of points, whose items have the names of the rows of X."""
    names = name_items(X, None, len(points))
    return agglomerate(points, linkage=how.linkage, metric=how.metric, item_names=names).hierarchy


def _hypotheses(tree: Hierarchy, deepest: int | None) -> tuple[BoolArray, IntArray]:
    """Return which nodes have a hypothesis, and the node of the group whose first proper split each of them is."""
    least = np.maximum(LEAST, np.ceil(np.sqrt(np.arange(tree.n_items + 1))).astype(np.int64))
    found, group = kernels.hypotheses(tree.parent.copy(), tree.own_sizes.copy(), tree.sizes.copy(), least)
    if deepest is not None:
        found &= accumulate_down(tree.parent, found.astype(np.int64)) <= deepest
    return found, group


def _items(tree: Hierarchy, v: int) -> IntArray:
    """Return the items below a node."""
    order = tree.order
    return order.item[order.item_low[v] : order.item_high[v]]


def _sides(tree: Hierarchy, v: int, group: int) -> IntArray:
    """Return the side of each item of a group in the split of a node of it."""
    order, first = tree.order, tree.children.start[v]
    side = np.zeros(tree.sizes[group], dtype=np.int64)
    for i, child in enumerate(tree.children.node[first : first + 2].tolist()):
        low = order.item_low[child] - order.item_low[group]
        side[low : low + tree.sizes[child]] = i + 1
    return side
