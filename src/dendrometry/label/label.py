"""Labels: the words of the nodes of a hierarchy of documents, by one method or by several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dendrometry._check.arrays import int_column
from dendrometry._check.choices import elements, one_of
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._display import plural, printable
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.label.differential import by_chi_square, by_mutual_information
from dendrometry.label.hierarchical import by_tests_down_the_tree
from dendrometry.label.internal import by_centroid, by_title
from dendrometry.label.labels import LabelTable, NodeLabels
from dendrometry.label.methods import METHODS, Method
from dendrometry.label.ordered import Ordered
from dendrometry.label.plan import LabelPlan, Words
from dendrometry.text.collection import Documents, stored_matrix

_WAYS: dict[Method, Callable[[Ordered, IntArray, LabelPlan], list[Words]]] = {
    "hierarchical": by_tests_down_the_tree,
    "mutual_information": by_mutual_information,
    "chi_square": by_chi_square,
    "centroid": by_centroid,
    "title": by_title,
}
_PARTS = 1000  # by default, nodes of fewer than one in this many documents are not labelled


def label_nodes(
    tree: Hierarchy,
    documents: Documents,
    *,
    method: Method = "hierarchical",
    n_terms: int = 5,
    min_size: int | None = None,
    nodes: Iterable[int] | None = None,
    rare_penalty: float = 1.0,
    alpha: float = 0.05,
) -> NodeLabels:
    """Return words for the nodes of a hierarchy of documents.

    The frequency of a term in a node is the number of its documents that contain the term. The methods are:

    - ``"mutual_information"`` and ``"chi_square"``: the terms that distinguish the node from the other documents, by
      the mutual information (in bits) or the chi-square statistic of "contains the term" and "is in the node", among
      terms that are more frequent inside than outside. The score is multiplied by ``share ** rare_penalty``, where
      ``share`` is the share of the documents of the node that contain the term: rare terms do not represent the node
      as a whole. The root has no words, since there is nothing outside it.
    - ``"centroid"``: the terms with the largest weights in the mean of the tf-idf vectors of the node.
    - ``"title"``: the title of the document nearest to the mean vector of the node; its score is the cosine.
    - ``"hierarchical"``: the terms that distinguish the node from its parent and siblings, and do not fit its children
      better, by tests down the tree after Popescul and Ungar [2]_. A term may be a word of a node if the chi-square
      test at the parent rejects that it is equally frequent in all children, and it is more frequent in the node
      than in the parent and in the collection. It is a word of the node if the test at the node does not reject that it
      is equally frequent in all children of the node; or if its mutual information with the node, among all documents,
      is not less than with any child in which it is more frequent. The score is the geometric mean of the mutual
      information among all documents and among those of the parent, with the penalty for rare terms. The root has no
      siblings; its words are the most frequent terms that are independent of its children and in at least half of the
      documents. The words of a node are not repeated below it.

    Phrases are terms like others if the documents have them (``vectorize_documents(..., phrases=True)``). A term is
    skipped if all its words occur in better terms already (or above the node, if hierarchical); of equal scores, that
    of a phrase is better.

    Parameters
    ----------
    tree : Hierarchy
        A tree whose items are the documents.
    documents : Documents
        The documents, matched by name.
    method : {"hierarchical", "mutual_information", "chi_square", "centroid", "title"}
        The method that chooses the words.
    n_terms : int
        The largest number of words for each node.
    min_size : int, optional
        The least number of documents of a labelled node; by default two, or one thousandth of all documents if that is
        more.
    nodes : iterable of int, optional
        The nodes to label, regardless of their size.
    rare_penalty : float
        The exponent of the penalty for rare terms, at least 0; 0 means no penalty.
    alpha : float
        The significance level of the tests of ``"hierarchical"``, between 0 and 1: with smaller levels, fewer terms are
        assigned to lower nodes.

    Returns
    -------
    NodeLabels
        The words of each node and their scores. The words of a node do not depend on which other nodes are labelled.

    Raises
    ------
    ItemMismatchError
        If the tree and the documents hold different items.
    InvalidInputError
        If an option is out of range, or the method needs terms and only embeddings are known.

    Notes
    -----
    Equal scores are ordered alphabetically. A node with the same documents as its only child has the same words.
    Time: the terms of the documents of each labelled node (and, for ``"hierarchical"``, of all nodes above) are counted
    once or twice, so O(terms of all documents * their mean depth + n_labelled * n_terms); memory O(terms of all
    documents), since the counts of only one node at a time are stored in full.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", Cambridge University Press,
       2008, sections 13.5 and 17.7.
    .. [2] A. Popescul, L. H. Ungar, "Automatic labeling of document clusters", University of Pennsylvania, 2000.
    .. [3] T. Dunning, "Accurate methods for the statistics of surprise and coincidence", Computational Linguistics 19,
       1993, 61-74: on ranking terms, many of them rare, by information rather than chi-square.

    Examples
    --------
    >>> from dendrometry.text import vectorize_documents
    >>> from dendrometry import from_newick
    >>> from dendrometry.label import label_nodes
    >>> texts = vectorize_documents({
    ...     "a": "ship port news", "b": "ship dock news", "c": "grain wheat news", "d": "grain corn news"
    ... })
    >>> tree = from_newick("((a,b),(c,d));")
    >>> print(label_nodes(tree, texts, n_terms=2))
    node  documents  hierarchical
       6          4  news
       2          2  ship
       5          2  grain
    >>> label_nodes(tree, texts, method="chi_square", n_terms=2)[2]
    ('ship', 'dock')
    """
    checked = _order_documents(tree, documents)
    plan = _plan(n_terms, rare_penalty, alpha)
    return _labels(checked, method, _choose_nodes(tree, min_size, nodes), plan)


def label_table(
    tree: Hierarchy,
    documents: Documents,
    nodes: Iterable[int],
    *,
    methods: Sequence[Method] = tuple(METHODS),
    n_terms: int = 10,
    rare_penalty: float = 1.0,
    alpha: float = 0.05,
) -> LabelTable:
    """Return the words of chosen nodes by several methods, side by side.

    Parameters
    ----------
    tree, documents, n_terms, rare_penalty, alpha
        As for `label_nodes`.
    nodes : iterable of int
        The nodes, one row each.
    methods : sequence of str
        The methods, one column each; by default all of `label_nodes`.

    Returns
    -------
    LabelTable
        A table that can be printed, or converted to a DataFrame or JSON.

    Raises
    ------
    ItemMismatchError, InvalidInputError
        As for `label_nodes`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", Cambridge University Press,
       2008, table 17.2.

    Examples
    --------
    >>> from dendrometry.text import vectorize_documents
    >>> from dendrometry import from_newick
    >>> from dendrometry.label import label_table
    >>> pages = {"On ships": "ship port", "Docks": "ship dock", "Grain": "grain wheat", "Corn": "grain corn"}
    >>> texts = vectorize_documents(pages)
    >>> tree = from_newick("(('On ships',Docks),(Grain,Corn));")
    >>> print(label_table(tree, texts, [2, 5], methods=["centroid", "mutual_information", "title"], n_terms=2))
    node  documents  centroid     mutual_information  title
    2     2          ship, dock   ship, dock          On ships
    5     2          grain, corn  grain, corn         Grain
    """
    checked = _order_documents(tree, documents)
    plan = _plan(n_terms, rare_penalty, alpha)
    chosen = _choose_nodes(tree, None, nodes)
    wanted = [] if isinstance(methods, str) else elements(methods, "methods")
    if not wanted:
        raise InvalidInputError(f"methods must be a sequence of at least one name; got {printable(methods)}")
    return LabelTable(tuple(_labels(checked, method, chosen, plan) for method in wanted))


def label_tree(tree: Hierarchy, node_labels: NodeLabels, *, n_terms: int = 3) -> Hierarchy:
    """Return a tree whose nodes are named by their labels.

    Drawings, JSON files and reports then show the labels. Nodes without words keep their names.

    Parameters
    ----------
    tree : Hierarchy
        The tree.
    node_labels : NodeLabels
        The labels of its nodes.
    n_terms : int
        The largest number of words in a name; they are separated by commas.

    Raises
    ------
    InvalidInputError
        If the labels were made for another tree.

    Examples
    --------
    >>> from dendrometry.text import vectorize_documents
    >>> from dendrometry import from_newick
    >>> from dendrometry.label import label_nodes, label_tree
    >>> texts = vectorize_documents({"a": "ship port", "b": "ship dock", "c": "grain wheat", "d": "grain corn"})
    >>> tree = from_newick("((a,b),(c,d));")
    >>> print(label_tree(tree, label_nodes(tree, texts, method="mutual_information"), n_terms=1).draw())
    •
    ├─ ship
    │  ├─ a
    │  └─ b
    └─ grain
       ├─ c
       └─ d
    """
    require_labels_of(tree, node_labels)
    most = whole_number(n_terms, "n_terms", 1)
    names = list(tree.node_names) or [""] * tree.n_nodes
    for v, words in zip(node_labels.node.tolist(), node_labels.terms, strict=True):
        names[v] = ", ".join(words[:most]) or names[v]
    return replace(tree, node_names=tuple(names))


def require_labels_of(tree: Hierarchy, node_labels: NodeLabels) -> None:
    """Refuse labels that were made for another tree."""
    require_hierarchy(tree)
    _check_type(node_labels, NodeLabels, "the labels")
    if node_labels.n_nodes != tree.n_nodes or not np.array_equal(tree.sizes[node_labels.node], node_labels.size):
        theirs = f"{plural(node_labels.n_nodes, 'node')} and {plural(node_labels.n_items, 'document')}"
        ours = f"{plural(tree.n_nodes, 'node')} and {plural(tree.n_items, 'item')}"
        raise InvalidInputError(f"the labels must be those of the tree; got labels of {theirs}, a tree of {ours}")


def _labels(documents: Ordered, method: Method, nodes: IntArray, plan: LabelPlan) -> NodeLabels:
    """Return the labels of nodes by one method."""
    one_of(method, "method", METHODS)
    if stored_matrix(documents.documents, "counts") is None and method != "title":
        raise InvalidInputError(
            f"the documents must have terms for method {method!r}; only embeddings are known",
            Remedy("", ..., "vectorize_documents(...).with_embeddings(...) keeps the terms"),
            Remedy("method", "title", "needs none"),
        )
    words = _WAYS[method](documents, nodes, plan)
    terms, scores = tuple(found.terms for found in words), tuple(found.scores for found in words)
    return NodeLabels(method, nodes, documents.size[nodes], terms, scores, documents.n, documents.tree.n_nodes)


def _order_documents(tree: Any, documents: Any) -> Ordered:
    """Return documents in the order of a tree, refusing arguments of other types."""
    require_hierarchy(tree)
    _check_type(documents, Documents, "the documents")
    return Ordered.of(tree, documents)


def _check_type(value: Any, kind: type, what: str) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        raise InvalidInputError(f"{what} must be of type {kind.__name__}; got {type(value).__name__}")


def _plan(n_terms: Any, rare_penalty: Any, alpha: Any) -> LabelPlan:
    """Return the options, refusing those out of range."""
    return LabelPlan(
        whole_number(n_terms, "n_terms", 1),
        real_number(rare_penalty, "rare_penalty", least=0.0),
        real_number(alpha, "alpha", above=0.0, below=1.0),
    )


def _choose_nodes(tree: Hierarchy, min_size: Any, nodes: Iterable[int] | None) -> IntArray:
    """Return the nodes to label: those given, or the large ones in pre-order."""
    if nodes is None:
        least = max(2, -(-tree.n_items // _PARTS)) if min_size is None else whole_number(min_size, "min_size", 1)
        in_order: IntArray = tree.order.node[tree.sizes[tree.order.node] >= least]
        return in_order
    if min_size is not None:
        raise InvalidInputError("only one of nodes and min_size may be given; got both")
    if isinstance(nodes, str | bytes) or not isinstance(nodes, Iterable):
        raise InvalidInputError(f"nodes must be a collection of node numbers; got {printable(nodes)}")
    chosen = int_column(elements(nodes, "nodes"), "nodes")
    if not chosen.size or chosen.min() < 0 or chosen.max() >= tree.n_nodes:
        wrong = "none" if not chosen.size else str(chosen.min() if chosen.min() < 0 else chosen.max())
        raise InvalidInputError(f"nodes must be one or more numbers from 0 to {tree.n_nodes - 1}; got {wrong}")
    return chosen
