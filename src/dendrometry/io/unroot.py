"""A tree without its root."""

from __future__ import annotations

from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.unrooted import UnrootedTree


def unroot(tree: HierarchyLike | UnrootedTree) -> UnrootedTree:
    """Return a tree without its root: each branch splits the items in two, and neither side is the inner one.

    The measures whose record has ``unrooted`` set take two unrooted trees, and then compare splits where they compare
    the clusters of rooted trees: `robinson_foulds`, `normalized_robinson_foulds`, `cluster_recall`,
    `cluster_precision`, `weighted_robinson_foulds`, `branch_score`, `matching_cluster`,
    `mutual_clustering_information`, `clustering_information_distance`, `shared_phylogenetic_information`,
    `matching_split_information`, `path_difference` and `quartet_agreement`. So do `compare`, `pairwise_matrix`,
    `permutation_test` and `expected_by_chance`, by these measures. All other functions refuse an unrooted tree, since
    they ask which items are joined first or at what height, which nobody can tell without a root.

    Parameters
    ----------
    tree : Hierarchy or UnrootedTree, or anything that `as_hierarchy` takes
        A tree; where its root is makes no difference.

    Returns
    -------
    UnrootedTree
        The view; its ``tree`` is the rooted one.

    See Also
    --------
    dendrometry.comparison.compare_unrooted : All of these measures, also of trees that share a part of their items.

    Notes
    -----
    A root with two branches is no node of the unrooted tree: its branches are one, as long as both together. Items at
    an inner node are leaves whose branches have no length.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.io import unroot
    >>> from dendrometry.measures import robinson_foulds
    >>> a, b = from_newick("(((ape,cat),elk),owl);"), from_newick("((ape,cat),(elk,owl));")
    >>> robinson_foulds(a, b), robinson_foulds(unroot(a), unroot(b))
    (2.0, 0.0)
    >>> unroot(a)
    UnrootedTree(4 items, 1 split)
    """
    return tree if isinstance(tree, UnrootedTree) else UnrootedTree(as_hierarchy(tree))
