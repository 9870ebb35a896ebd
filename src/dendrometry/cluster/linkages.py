"""The table of linkages: one row for each, with all properties that the algorithms use.

To add a linkage with an existing formula, add its row to `LINKAGES` and its name to `Linkage`; a new formula is added
to ``dendrometry._kernels.cluster.lance_williams``. This module imports little, so that the help of the
command line can use it.

Examples
--------
>>> from dendrometry.cluster import LINKAGES
>>> for name, rule in LINKAGES.items():
...     print(f"{name}: {rule.summary}")
single: the distance of the nearest members
complete: the distance of the farthest members
average: the mean distance over all pairs of a member of one and a member of the other (UPGMA)
weighted: the mean of the distances of the two parts last merged, whatever their sizes (WPGMA)
ward: the growth of the sum of squared distances from the mean (minimum variance)
centroid: the distance of the centroids (UPGMC)
median: the distance of the midpoints of the parts last merged (WPGMC)
group_average: the mean distance over all pairs of the union, pairs within the parts included (GAAC)
group_average_with_self: the same mean, with every item and itself as one more pair, at distance 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dendrometry._check.choices import one_of
from dendrometry.errors import Argument, InvalidInputError

OWN_METRICS = ("euclidean", "sqeuclidean", "cosine", "dot")  # derived from squared distances; all others are SciPy's
BOOLEAN_METRICS = ("dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
TRUE_METRICS = ("euclidean", "sqeuclidean", "chebyshev", "cityblock", "minkowski")  # 0 for equal points alone
METRICS = (
    *OWN_METRICS,
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "correlation",
    "hamming",
    "jaccard",
    "jensenshannon",
    "mahalanobis",
    "minkowski",
    "seuclidean",
    *BOOLEAN_METRICS,
)

Linkage = Literal[
    "single",
    "complete",
    "average",
    "weighted",
    "ward",
    "centroid",
    "median",
    "group_average",
    "group_average_with_self",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkageRule:
    """The properties of a linkage, and the algorithms that can build its trees.

    Attributes
    ----------
    name : str
        The name of the linkage in `agglomerate`.
    summary : str
        The definition of the distance of two clusters, in one line.
    aliases : tuple of str
        Other names that people use for it.
    update : str
        The formula that updates a matrix of distances or the centroids: its name in ``lance_williams.UPDATES``.
    squared : bool
        Whether that formula applies to squared Euclidean distances.
    reducible : bool
        Whether a new cluster is never nearer to a third one than both its parts were: all pairs that are each other's
        nearest may then merge at once.
    monotone : bool
        Whether a merge is never lower than those below it.
    metrics : tuple of str
        The metrics on which it is defined.
    vector_metrics : tuple of str
        The metrics on which centroids, sizes and spreads give every distance, so that no matrix is needed.
    index_metrics : tuple of str
        The metrics on which an inverted index finds the nearest of sparse points.
    by_members : bool
        Whether the members of two clusters determine their distance, however each was formed.
    spanning_tree : bool
        Whether a minimum spanning tree of the items contains all merges.
    pair_share : float
        The height of a merge of two single items, as a share of their distance.
    equal_to : mapping of str to str
        For some metrics, an equivalent linkage that builds the tree.
    """

    name: str
    summary: str
    aliases: tuple[str, ...] = ()
    update: str
    squared: bool = False
    reducible: bool
    monotone: bool = True
    metrics: tuple[str, ...]
    vector_metrics: tuple[str, ...] = ()
    index_metrics: tuple[str, ...] = ()
    by_members: bool = True
    spanning_tree: bool = False
    pair_share: float = 1.0
    equal_to: Mapping[str, str] = field(default_factory=dict)


LINKAGES: Mapping[str, LinkageRule] = {
    rule.name: rule
    for rule in (
        LinkageRule(
            name="single",
            summary="the distance of the nearest members",
            aliases=("nearest neighbour", "SLINK", "single link"),
            update="single",
            metrics=METRICS,
            reducible=True,
            spanning_tree=True,
        ),
        LinkageRule(
            name="complete",
            summary="the distance of the farthest members",
            aliases=("farthest neighbour", "furthest neighbour", "CLINK", "complete link"),
            update="complete",
            metrics=METRICS,
            reducible=True,
        ),
        LinkageRule(
            name="average",
            summary="the mean distance over all pairs of a member of one and a member of the other (UPGMA)",
            aliases=("UPGMA", "average link", "between-groups average"),
            update="average",
            metrics=METRICS,
            reducible=True,
            vector_metrics=("sqeuclidean", "cosine", "dot"),
        ),
        LinkageRule(
            name="weighted",
            summary="the mean of the distances of the two parts last merged, whatever their sizes (WPGMA)",
            aliases=("WPGMA", "McQuitty"),
            update="weighted",
            metrics=METRICS,
            reducible=True,
            by_members=False,
        ),
        LinkageRule(
            name="ward",
            summary="the growth of the sum of squared distances from the mean (minimum variance)",
            aliases=("Ward's method", "ward.D2", "minimum variance"),
            update="ward",
            squared=True,
            reducible=True,
            metrics=("euclidean",),
            vector_metrics=("euclidean",),
        ),
        LinkageRule(
            name="centroid",
            summary="the distance of the centroids (UPGMC)",
            aliases=("UPGMC",),
            update="centroid",
            squared=True,
            reducible=False,
            monotone=False,
            metrics=("euclidean", "cosine", "dot"),
            vector_metrics=("euclidean",),
            equal_to={"cosine": "average", "dot": "average"},  # the similarity of centroids is the mean similarity
        ),
        LinkageRule(
            name="median",
            summary="the distance of the midpoints of the parts last merged (WPGMC)",
            aliases=("WPGMC",),
            update="median",
            squared=True,
            reducible=False,
            monotone=False,
            metrics=("euclidean",),
            vector_metrics=("euclidean",),
            by_members=False,
        ),
        LinkageRule(
            name="group_average",
            summary="the mean distance over all pairs of the union, pairs within the parts included (GAAC)",
            aliases=("GAAC", "group-average agglomerative clustering", "within-groups average"),
            update="group_average",
            metrics=METRICS,
            reducible=False,
            vector_metrics=("sqeuclidean", "cosine", "dot"),
            index_metrics=("cosine", "dot"),
        ),
        LinkageRule(
            name="group_average_with_self",
            summary="the same mean, with every item and itself as one more pair, at distance 0",
            update="group_average_with_self",
            reducible=False,
            metrics=tuple(metric for metric in METRICS if metric != "dot"),  # an item may be nearer to others
            pair_share=0.5,
        ),
    )
}


def rule_for(linkage: str, metric: str) -> LinkageRule:
    """Return the rule that builds the tree, refusing unknown names and metrics for which it is not defined."""
    rule = LINKAGES[one_of(linkage, "linkage", LINKAGES, meant=_meant)]
    one_of(metric, "metric", METRICS)
    if metric not in rule.metrics:
        raise InvalidInputError(
            Argument("metric"), f" must be {', '.join(rule.metrics)} for {linkage} linkage; got {metric}"
        )
    return LINKAGES[rule.equal_to.get(metric, linkage)]


def _meant(word: str) -> str:
    """Return the linkage that people also call by a word, such as "UPGMA", or ""."""
    return next((name for name, rule in LINKAGES.items() if word.casefold() in map(str.casefold, rule.aliases)), "")
