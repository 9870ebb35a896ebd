"""Agglomeration: a tree built from the bottom up, the combination similarity of its nodes, and a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._display import plural
from dendrometry._files import FilePath
from dendrometry._html import field_table, note
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.cpu.merges import MergeSequence, hierarchy_of
from dendrometry.cluster.linkages import LinkageRule
from dendrometry.hierarchy import Hierarchy

NEAR_EXACT = "; resampling.fidelity tells how near the exact tree"  # of a result that is not always exact


@dataclass(frozen=True)
class DeviceReport:
    """What a device other than the CPU did.

    Attributes
    ----------
    name : str
        The device: "cuda".
    search : str
        The precisions in which near clusters are searched, the lowest first, such as "float16, float64". Every decision
        is made in float64.
    scans : float
        The number of distances of clusters from all others that are computed, by searches, by greedy steps and for a
        matrix, as a multiple of the number of items squared.
    left_open : int
        The number of searches that a lower precision could not decide and a higher one repeated.
    peak_memory : int
        The largest number of bytes in use on the device.
    """

    name: str
    search: str
    scans: float
    left_open: int
    peak_memory: int


@dataclass(frozen=True)
class GraphReport:
    """The graph on which a tree was built, of neighbours or of what is adjacent.

    Attributes
    ----------
    n_edges : int
        The number of edges, each counted once.
    n_parts : int
        The number of connected parts.
    n_exact : int
        The number of clusters of which all pairs were considered: 1 if the graph was enough.
    epsilon : float
        Merged clusters were at most 1 + epsilon times as far apart as the nearest ones with an edge.
    """

    n_edges: int
    n_parts: int
    n_exact: int
    epsilon: float

    def _repr_html_(self) -> str:
        return field_table(self)


class BuildPlan(NamedTuple):
    """The fields of a `BuildReport` that are known before the merges."""

    linkage: str
    metric: str
    algorithm: str
    memory: int
    precision: str
    mass_lost: float = 0.0
    device: DeviceReport | None = None
    graph: GraphReport | None = None


class BuildRequest(NamedTuple):
    """The request; ``rule`` builds the tree, on some metrics an equivalent of ``linkage``; ``ranks`` decide ties.

    ``resume`` is the file to which a long build writes what it has done.
    """

    linkage: str
    rule: LinkageRule
    metric: str
    names: tuple[str, ...]
    precision: str
    progress: bool
    ranks: IntArray | None
    resume: FilePath | None = None


@dataclass(frozen=True)
class BuildReport:
    """How a tree was built.

    Attributes
    ----------
    n_items : int
        The number of items.
    n_start : int
        The number of clusters at the start: one for each item, or those given by ``start``.
    linkage, metric : str
        The linkage and the metric requested; the metric is "precomputed" if distances were passed.
    algorithm : str
        The name of the algorithm used, chosen by linkage, metric and size: ``kd_tree``,
        ``spanning_tree``, ``vector_reciprocal``, ``vector_greedy``, ``index_greedy``, ``matrix_reciprocal`` or
        ``matrix_greedy``; with connectivity ``connected_greedy`` or ``connected_spanning_tree``.
    ties : int
        The number of merges, in the order of the tree, at which another pair of the clusters present was exactly as
        near as the pair merged; distances are compared as computed, so rounding may part some that are equal.
    first_tie : int or None
        The node of the first of these merges, None without any. What is merged before it does not depend on how ties
        are broken: in another order of the items, on another device or with ``tie_rng``, the tree is the same so far.
    inversions : int
        The number of merges lower than one of their parts; 0 except with centroid, median, ``terms``, a graph or
        connectivity, and group_average above given clusters.
    rounds : int
        The number of passes of the algorithm: rounds of merges, or single merges.
    memory : int
        The estimated peak memory in bytes, in addition to the input.
    precision : str
        The type of the numbers compared, "float64" or "float32".
    mass_lost : float
        The share of the squared lengths, of all items and of the sums formed while there were more than 8,192
        clusters, that ``terms`` left out of the search, from 0 to 1; 0 if exact.
    device : DeviceReport or None
        What a device other than the CPU did; None if the CPU built the tree.
    graph : GraphReport or None
        The graph on which the tree was built; None if all pairs were considered.
    """

    n_items: int
    n_start: int
    linkage: str
    metric: str
    algorithm: str
    ties: int
    first_tie: int | None
    inversions: int
    rounds: int
    memory: int
    precision: str
    mass_lost: float = 0.0
    device: DeviceReport | None = None
    graph: GraphReport | None = None

    def _repr_html_(self) -> str:
        return field_table(self)


@dataclass(frozen=True, eq=False, repr=False)
class Agglomeration(Frozen):
    """A hierarchy built by `agglomerate` or `agglomerate_distances`, with its similarities and report.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree. Nodes are numbered as in SciPy's linkage: items first, then merges in order. Heights grow
        towards the root. With ``start``, the given clusters take the place of the items.
    similarity : (n_nodes,) array of float
        The combination similarity of every node: the similarity of the two clusters merged. It decreases towards the
        root. For a leaf it is the similarity of the item with itself, for a given cluster the mean over its items.
        Cosine and dot are similarities; with any other metric the similarity is the negative distance.
    report : BuildReport
        The algorithm, ties, inversions, rounds and memory.
    """

    hierarchy: Hierarchy
    similarity: FloatArray
    report: BuildReport

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        report = self.report
        notes = f"{plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
        notes += NEAR_EXACT * report.algorithm.startswith("graph_")
        return f"Agglomeration({self.hierarchy!r}, {report.linkage} on {report.metric} by {report.algorithm}, {notes})"


def as_agglomeration(
    merges: MergeSequence,
    items: tuple[str, ...],
    top: float,
    self_similarity: FloatArray,
    plan: BuildPlan,
    group: IntArray | None = None,
) -> Agglomeration:
    """Return the tree of the merges in the user's units, with its similarities and report.

    ``group`` is the given cluster of each item, by default one for each.
    """
    tree = hierarchy_of(merges, items, np.arange(len(items)) if group is None else group)
    assert tree.height is not None
    similarity = np.concatenate([self_similarity, top - merges.height]) + 0.0
    inner = tree.height[tree.parent[:-1]] < tree.height[:-1]
    summary = BuildReport(
        n_items=tree.n_items,
        n_start=merges.left.size + 1,
        ties=merges.n_ties,
        first_tie=None if merges.first_tie < 0 else merges.left.size + 1 + merges.first_tie,
        rounds=merges.rounds,
        inversions=int(np.unique(tree.parent[:-1][inner]).size),
        **plan._asdict(),
    )
    return Agglomeration(tree, read_only(similarity), summary)
