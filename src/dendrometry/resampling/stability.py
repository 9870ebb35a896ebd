"""Stability: what becomes of the clusters of a tree when its data are drawn again, or disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import elements
from dendrometry._check.names import name_items
from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._check.points import finite_points, points_of, points_of_items, require_dense
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._files import FilePath
from dendrometry._flags import flag
from dendrometry._html import preview
from dendrometry._jobs import check_n_jobs, run_jobs
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.errors import InvalidInputError, Remedy, UndefinedMeasureError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.resampling.agreement import Agreement, agreement_values, mean_agreement
from dendrometry.resampling.node_support import NodeSupport, node_support
from dendrometry.resampling.replicates.builders import Builder, build_replicate, builder_of, description_of
from dendrometry.resampling.replicates.checkpoint import Checkpoint, fingerprint
from dendrometry.resampling.replicates.draws import Draw, Resampling, columns_at, draw_sample, resampling_of
from dendrometry.resampling.replicates.reference import (
    LEAST_REPLICATES,
    Reference,
    References,
    check_reference,
    draw_reference,
    replicates_of_reference,
    valley_p_value,
)
from dendrometry.resampling.replicates.replicate import Replicate, replicate_of_tree

_Stream = np.random.Generator


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Frozen, Tabular):
    """A tree, the support of its nodes by replicates, and the agreement of these at every number of clusters.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree.
    support : NodeSupport
        The support of each of its nodes.
    agreement : Agreement or None
        The agreement of the replicates with each other; None if they have no heights, or share too few items.
    replicates : tuple of Replicate
        The trees of the replicates, at all scales; `replicate_tree` returns one as a hierarchy.
    scales : tuple of float
        The scale of each replicate, in turn.
    is_complete : bool
        Whether all replicates and reference sets were done; False after an interrupt.
    """

    hierarchy: Hierarchy
    support: NodeSupport
    agreement: Agreement | None
    replicates: tuple[Replicate, ...]
    scales: tuple[float, ...] = (1.0,)
    is_complete: bool = True

    @property
    def n_replicates(self) -> int:
        """The number of replicates, at each scale."""
        return len(self.replicates) // len(self.scales)

    def replicate_tree(self, i: int) -> Hierarchy:
        """Return the tree of replicate i, over the items that it holds."""
        at = whole_number(i, "i", 0, len(self.replicates) - 1)
        row, parent, height, node = self.replicates[at]
        return Hierarchy(parent, height, node, tuple(self.hierarchy.items[r] for r in row.tolist()))

    def nodes(self) -> IntArray:
        """Return the nodes of the tree that can be stable or not: with more than one item, and not all, once each."""
        tree = self.hierarchy
        distinct = (tree.n_children != 1) | (tree.own_sizes > 0)
        return np.flatnonzero(distinct & (tree.sizes > 1) & (tree.sizes < tree.n_items))

    def columns(self) -> dict[str, list[Any]]:
        """Return the support of `nodes` as columns."""
        return self._columns(self.nodes())

    def _columns(self, at: IntArray) -> dict[str, list[Any]]:
        """Return the support of some nodes as columns."""
        columns: dict[str, Any] = {"node": at, "size": self.hierarchy.sizes[at]}
        if self.hierarchy.height is not None:
            columns["height"] = self.hierarchy.height[at]
        columns |= {name: column[at] for name, column in self.support._asdict().items() if column is not None}
        return {name: column.tolist() for name, column in columns.items()}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each node of more than one item, the root excepted."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("node")

    def _repr_html_(self) -> str:
        nodes = self.nodes()
        largest = nodes[np.argsort(-self.hierarchy.sizes[nodes], kind="stable")]
        return preview(repr(self), self._columns(largest))

    def __repr__(self) -> str:
        scales = f" at {len(self.scales)} scales" if len(self.scales) > 1 else ""
        ended = "" if self.is_complete else ", stopped early"
        at = self.nodes()
        mean = f"; mean Jaccard {np.mean(self.support.jaccard[at]):.3f}" if at.size else ""
        return (
            f"Stability({plural(self.hierarchy.n_items, 'item')}, {plural(self.n_replicates, 'replicate')}{scales}"
            f"{ended}; {plural(at.size, 'cluster')}{mean})"
        )


def stability(
    X: Any,
    *,
    linkage: Linkage = "ward",
    metric: str = "euclidean",
    build: Builder | None = None,
    tree: Hierarchy | None = None,
    resample: Draw = "bootstrap",
    n_replicates: int = 100,
    max_clusters: int = 10,
    reference: Reference = "cautious",
    n_references: int = 39,
    rng: RandomSource = 0,
    n_jobs: int | None = None,
    file: FilePath | None = None,
    progress: bool = False,
) -> Stability:
    """Return how stable the clusters of a tree are, if its data are drawn again and clustered in the same way.

    For every node: how often replicates have the same cluster, its bootstrap probability; how near they come to it, the
    mean best Jaccard index [1]_; and with several scales of resampled columns, the approximately unbiased probability
    [2]_. For every number of clusters: how well replicates agree with each other [3]_, beside what data without
    clusters give. Stable clusters need not be real, and real ones need not be stable under every way to draw.

    Parameters
    ----------
    X : (n, d) array of float, or sparse matrix
        The points, one row each; the index of a data frame names the items.
    linkage, metric : str
        As for `agglomerate`, which builds the trees.
    build : callable, optional
        In place of `agglomerate`, a function that takes points and returns their tree, or a result with a
        ``hierarchy``.
    tree : Hierarchy, optional
        The tree whose nodes are judged; by default the one that is built from X.
    resample : {"bootstrap", "subsample", "columns", "noise"} or Resampling
        How the data of replicates are drawn; `Resampling` has the options.
    n_replicates : int
        The number of replicates at each scale, at least 6; without reference sets at least 2.
    max_clusters : int
        The largest number of clusters at which replicates are compared, from 2 on; at most n - 1.
    reference : {"cautious", "normal", "permuted"}
        The data without clusters. "normal": of the same mean and covariance, which finds clusters along any line, but
        also the halves of a square. "cautious": the same, and the first split of the tree must also have a valley of
        density between its sides, as `significance.splits` tests it: the larger p-value counts, and data of any shape
        without such a valley have no clusters. "permuted": permuted columns, for columns that are not normal; groups
        along one column remain in its permutations.
    n_references : int
        The number of reference sets; the level 0.05 needs 19. 0 leaves the comparison out. Each has 3,000 / n
        replicates, at least 6 and at most ``n_replicates``: few points need many, to tell clusters from a cloud that is
        cut in the same place by chance.
    rng : numpy Generator, int or None
        The source of random numbers; the same seed gives the same result for any ``n_jobs``. The default seed, 0, gives
        the same result in every call; None does not.
    n_jobs : int or None
        The number of jobs at a time, through joblib, on threads unless `joblib.parallel_config` says otherwise; None
        is 1, unless that says otherwise, too.
    file : path, optional
        Where replicates are kept as they are done. If it exists, the work goes on from there; a larger
        ``n_replicates`` adds to it. Needs a seed in ``rng``.
    progress : bool
        Whether to show a progress bar with the time left on the terminal.

    Returns
    -------
    Stability
        The support of each node, the agreement at each number of clusters, and the replicates.

    Raises
    ------
    InvalidInputError
        If the points are not finite, an option is invalid, ``build`` does not return a tree of the points, or ``file``
        holds replicates of other data or options.
    FormatError
        If ``file`` is damaged.
    ItemMismatchError
        If the index of a data frame does not name the items of ``tree``.
    UndefinedMeasureError
        If there are fewer than three points.

    Notes
    -----
    Takes ``n_replicates`` builds for each scale, and 6 or more for each reference set; comparing them takes much less.
    On Ctrl-C the result is that of the replicates done so far, if there are at least two.

    References
    ----------
    .. [1] C. Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics & Data Analysis 52
       (2007), doi:10.1016/j.csda.2006.11.025.
    .. [2] R. Suzuki, H. Shimodaira, "Pvclust: an R package for assessing the uncertainty in hierarchical clustering",
       Bioinformatics 22 (2006), doi:10.1093/bioinformatics/btl117.
    .. [3] A. Ben-Hur, A. Elisseeff, I. Guyon, "A stability based method for discovering structure in clustered data",
       Pacific Symposium on Biocomputing 7 (2002), doi:10.1142/9789812799623_0002.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry import stability
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> found = stability(points, n_replicates=20)
    >>> found.agreement
    Agreement(2 to 10 clusters, 20 pairs of replicates, 39 reference sets; most stable 3, p = 0.025)
    """
    plan = resampling_of(resample)
    most = whole_number(max_clusters, "max_clusters", 2)
    kind, n_sets = check_reference(reference), count_held(n_references, "n_references", 0, 2_000)
    count = count_held(n_replicates, "n_replicates", LEAST_REPLICATES if n_sets else 2, 2_000)
    make = builder_of(build, partial(agglomerate, linkage=linkage, metric=metric))
    jobs, title = check_n_jobs(n_jobs), "replicates" if flag(progress, "progress") else ""
    points, own = _points_and_tree(X, tree, make)
    levels = levels_of(own, most)
    if n_sets:
        require_dense(points, "reference data", Remedy("n_references", 0, "leaves them out"))
    source = stream_of(rng, file)
    options = (plan, description_of(make), kind, most, source.bit_generator.state)
    mark = b"" if file is None else fingerprint(points, *options)
    n_tested = replicates_of_reference(own.n_items, count)
    done = Checkpoint(file, mark, own.n_items, levels.size, n_tested)
    reference_curve = partial(_reference_curve, partial(_replicate, make, plan), points, kind, (levels, n_tested))
    work = Work(partial(_replicate, make, plan, points), (plan.scales, count, n_sets), reference_curve)
    whole = carry_out(work, source, done, jobs, title)
    of_valley = source.spawn(1)[0]
    scales = (
        tuple(columns_at(s, points.shape[1]) / points.shape[1] for s in plan.scales) if len(plan.scales) > 1 else (1.0,)
    )
    how = ("average", "euclidean") if build is not None else (linkage, "cosine" if metric == "cosine" else "euclidean")
    valley = valley_p_value(points, own, how, n_sets, of_valley) if n_sets and kind == "cautious" else None
    references = References(done.references[:n_sets], n_tested, kind, valley)
    return assess(own, work.kept(done), scales, levels, references, whole)


def stability_of_trees(tree: Hierarchy, trees: Sequence[Hierarchy], *, max_clusters: int = 10) -> Stability:
    """Return how stable the clusters of a tree are in given replicates of it, such as trees of other draws or methods.

    Parameters
    ----------
    tree : Hierarchy
        The tree whose nodes are judged.
    trees : sequence of Hierarchy
        The replicates, at least two; each holds items of the tree, all or some.
    max_clusters : int
        The largest number of clusters at which the replicates are compared, if all of them have heights.

    Returns
    -------
    Stability
        As `stability`, without a reference.

    Raises
    ------
    InvalidInputError
        If there are fewer than two replicates, or one has an item that the tree lacks.
    UndefinedMeasureError
        If the tree has fewer than three items.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.resampling import stability_of_trees
    >>> texts = ["((ape,cat),(elk,owl));", "((ape,cat),elk,owl);", "((ape,elk),(cat,owl));"]
    >>> found = stability_of_trees(from_newick("((ape,cat),(elk,owl));"), [from_newick(text) for text in texts])
    >>> nodes = found.nodes()
    >>> found.support.bp[nodes].round(3).tolist(), found.support.jaccard[nodes].round(3).tolist()
    ([0.667, 0.333], [0.833, 0.667])
    """
    require_hierarchy(tree)
    given: object = trees
    if isinstance(given, str | Hierarchy) or not hasattr(given, "__iter__"):
        raise InvalidInputError(f"trees must be a sequence of hierarchies; got {printable(given)}")
    listed = elements(trees, "trees")
    if len(listed) < 2:
        raise InvalidInputError(f"there must be at least 2 trees; got {len(listed)}")
    most = whole_number(max_clusters, "max_clusters", 2)
    levels = levels_of(tree, most)
    replicates = tuple(replicate_of_tree(other, tree, f"tree {i}") for i, other in enumerate(listed))
    return assess(tree, replicates, (1.0,), levels, References(), True)


class Work(NamedTuple):
    """What is drawn, each from a stream of random numbers: replicates at some scales, and reference sets."""

    replicate: Callable[[tuple[_Stream, float]], Replicate]
    amount: tuple[tuple[float, ...], int, int]  # the scales, the replicates at each, and the reference sets
    reference: Callable[[_Stream], FloatArray] | None = None

    def kept(self, done: Checkpoint) -> tuple[Replicate, ...]:
        """Return the replicates done, of those that are wanted, as many at each scale."""
        scales, count, _ = self.amount
        return tuple(done.replicates[: min(len(done.replicates) // len(scales), count) * len(scales)])


def carry_out(work: Work, source: np.random.Generator, done: Checkpoint, jobs: int | None, title: str) -> bool:
    """Do what is not done yet, and return whether all is; after an interrupt at least two replicates are."""
    scales, count, n_sets = work.amount
    for_replicates, for_references = source.spawn(2)
    n_wanted, n_known = count * len(scales), len(done.replicates)
    drawn = list(zip(for_replicates.spawn(n_wanted)[n_known:], (list(scales) * count)[n_known:], strict=True))
    try:
        whole = run_jobs(work.replicate, drawn, jobs, done.add_replicate, title, n_wanted)
        if whole and n_sets and work.reference is not None:
            sets = for_references.spawn(n_sets)[len(done.references) :]
            whole = run_jobs(work.reference, sets, jobs, done.add_reference, title and "reference sets", n_sets)
    finally:
        done.write()
    if len(work.kept(done)) < 2 * len(scales):
        raise KeyboardInterrupt
    return whole


def levels_of(tree: Hierarchy, most: int) -> IntArray:
    """Return the numbers of clusters at which replicates are compared; refuse a tree without any."""
    if tree.n_items < 3:
        raise UndefinedMeasureError(f"there must be at least 3 items, for clusters of some of them; got {tree.n_items}")
    return np.arange(2, min(most, tree.n_items - 1) + 1)


def stream_of(rng: RandomSource, file: FilePath | None) -> np.random.Generator:
    """Return the random numbers of replicates, which must have a seed if they are kept in a file."""
    if file is not None and rng is None:
        raise InvalidInputError("rng must be a seed if replicates are kept in a file, to go on from it; got None")
    return random_generator(rng)


def _points_and_tree(X: Any, tree: Hierarchy | None, build: Builder) -> tuple[Any, Hierarchy]:
    """Return finite points in the order of the items of the tree, which is built from them if it is not given."""
    if tree is not None:
        require_hierarchy(tree)
        return points_of_items(X, tree.items), tree
    given = points_of(X)
    names = name_items(X, None, given.shape[0])
    points = finite_points(given)
    _, parent, height, node = build_replicate(build, points.copy(), np.arange(points.shape[0]))
    return points, Hierarchy(parent, height, node, names)


def _replicate(build: Builder, plan: Resampling, points: Any, job: tuple[_Stream, float]) -> Replicate:
    """Return the tree of one replicate."""
    sample = draw_sample(plan, points, job[1], job[0])
    return build_replicate(build, sample.points, sample.row)


def _reference_curve(
    replicate: Callable[[Any, tuple[_Stream, float]], Replicate],
    points: Any,
    kind: Reference,
    wanted: tuple[IntArray, int],
    stream: _Stream,
) -> FloatArray:
    """Return the mean agreement of the replicates of one reference set, at some levels, from so many of them."""
    levels, count = wanted
    drawn = draw_reference(points, kind, stream)
    return mean_agreement([replicate(drawn, (stream, 1.0)) for _ in range(count)], levels)


def assess(
    tree: Hierarchy,
    replicates: tuple[Replicate, ...],
    scales: tuple[float, ...],
    levels: IntArray,
    references: References,
    is_complete: bool,
) -> Stability:
    """Return the stability of a tree, given its replicates and those of reference sets."""
    support = node_support(tree, replicates, scales)
    base = int(np.argmin(np.abs(np.array(scales) - 1.0)))
    alike = replicates[base :: len(scales)]
    values = agreement_values(alike, levels)
    agreement = None
    if len(values):
        tested = mean_agreement(alike[: references.n_replicates], levels)
        curves = np.array(references.curves).reshape(len(references.curves), levels.size)
        agreement = Agreement(levels, values, curves, tested, references.kind, references.valley)
    return Stability(tree, support, agreement, replicates, scales, is_complete)
