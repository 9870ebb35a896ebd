"""The tree of a stability with its support, as other programs read it."""

from __future__ import annotations

from dendrometry._display import support_text
from dendrometry.hierarchy import Hierarchy
from dendrometry.resampling.stability import Stability
from dendrometry.resampling.stable_clusters import Support, support_by


def support_tree(result: Stability, *, by: Support = "bp") -> Hierarchy:
    """Return the tree with the support of its nodes as their names, in whole percent.

    Written as Newick or Nexus, it shows the support in programs for phylogenies, which read it from there.

    Parameters
    ----------
    result : Stability
        The result of `stability`.
    by : {"bp", "jaccard", "au"}
        The support: the bootstrap probability, the mean best Jaccard index, or the approximately unbiased probability.

    Returns
    -------
    Hierarchy
        The tree; single items and the set of all items have no support.

    Raises
    ------
    InvalidInputError
        As for `cut_stable`.

    Examples
    --------
    >>> from dendrometry import from_newick, to_newick
    >>> from dendrometry.resampling import stability_of_trees, support_tree
    >>> texts = ["((ape,cat),(elk,owl));", "((ape,cat),elk,owl);", "((ape,elk),(cat,owl));"]
    >>> result = stability_of_trees(from_newick(texts[0]), [from_newick(text) for text in texts])
    >>> to_newick(support_tree(result))
    '((ape,cat)67,(elk,owl)33);'
    """
    support = support_by(result, by)
    tree, names = result.hierarchy, [""] * result.hierarchy.n_nodes
    for v in result.nodes().tolist():
        names[v] = support_text(support[v])
    return Hierarchy(tree.parent, tree.height, tree.item_node, tree.items, tuple(names))
