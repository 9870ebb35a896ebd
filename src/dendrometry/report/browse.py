"""A page to browse a hierarchy of documents: the topics of its nodes, from the root down to the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.names import names_of
from dendrometry._display import plural, printable, quote_first
from dendrometry._files import PAGES, FilePath, check_place
from dendrometry._progress import spinner
from dendrometry._version import __version__
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.label.label import require_labels_of
from dendrometry.label.labels import LabelTable, NodeLabels
from dendrometry.label.methods import METHODS
from dendrometry.report.markup import Html, description_list, label, readable, tag
from dendrometry.report.packed import pack, pack_names, pack_texts
from dendrometry.report.page import Page, Section, fragment, write_page
from dendrometry.report.trees import Placed, placed, tree_columns

_MOST_CHARACTERS = 20_000_000  # of all texts on a page
_LONGEST_TEXT = 20_000  # of one text
_SEARCHED = {True: "in titles, labels and texts", False: "in titles and labels"}
_SCRIPTS = ("forest.js", "topics.js", "outline.js", "browse.js")


def browse(
    tree: HierarchyLike,
    path: FilePath,
    *,
    node_labels: NodeLabels | LabelTable | Iterable[NodeLabels] | None = None,
    titles: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
    name: str = "Documents",
    force: bool = False,
    progress: bool = False,
) -> None:
    """Write a page to browse a hierarchy of documents: one HTML file that loads nothing from a network.

    The page shows one node at a time: its path from the root, its words, its child nodes, largest first, and its
    documents. Titles and words can be searched, and texts if they are given. The address of a node is ``#node-``
    followed by its number.

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        The tree; its items are the documents. Node names (see `label_tree`) are shown.
    path : str or path
        The file to write.
    node_labels : NodeLabels, LabelTable or iterable of NodeLabels, optional
        The words of the nodes, by one or more methods; those of the hierarchical method are shown first.
    titles : mapping from str to str, optional
        The title of each item; by default its name. Titles of items that are not in the tree are ignored.
    texts : mapping from str to str, optional
        The text of each item. The page shows and searches their beginnings, up to 20,000,000 characters in all. Texts
        of items that are not in the tree are ignored.
    name : str
        The name of the collection of documents.
    force : bool
        Whether to replace an existing file.
    progress : bool
        Whether to show progress on standard error.

    Raises
    ------
    InvalidInputError
        If the labels belong to another tree or use the same method twice, if the file exists or cannot be written, or
        if an argument has the wrong type.
    ItemMismatchError
        If an item has no title or no text.

    Notes
    -----
    Time and file size are O(n_nodes + n_items): less than 1 MB for 20,000 documents without texts. A node without words
    or a name is called by its number of documents, and the root is called "All documents".

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dendrometry import browse, from_newick
    >>> from dendrometry.text import vectorize_documents
    >>> from dendrometry.label import label_nodes
    >>> texts = vectorize_documents({"a": "ship port", "b": "ship dock", "c": "grain wheat", "d": "grain corn"})
    >>> tree = from_newick("((a,b),(c,d));")
    >>> path = pathlib.Path(tempfile.mkdtemp(), "news.html")
    >>> browse(tree, path, node_labels=label_nodes(tree, texts), name="News")
    >>> path.read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    check_place(path, force=force, endings=PAGES)  # before the computation, not after it
    with spinner("ordering the tree", progress):
        tree = as_hierarchy(tree)
        page = browse_page(tree, node_labels=node_labels, titles=titles, texts=texts, name=name)
    with spinner("writing the page", progress):
        write_page(page, path, force=force)


def browse_page(
    tree: Hierarchy,
    *,
    node_labels: NodeLabels | LabelTable | Iterable[NodeLabels] | None,
    titles: Mapping[str, str] | None,
    texts: Mapping[str, str] | None = None,
    name: str,
) -> Page:
    """Return the page for a hierarchy of documents; see `browse`."""
    if not isinstance(name, str):
        raise InvalidInputError(f"name must be text, what to call the documents; got {printable(name)}")
    columns = _checked_labels(tree, node_labels)
    called = _titles(tree, titles)
    given = None if texts is None else _of_items(tree, texts, "text")
    longest = min(_LONGEST_TEXT, max(_MOST_CHARACTERS // tree.n_items, 100))
    rank = np.empty(tree.n_nodes)
    rank[np.lexsort((tree.order.low, -tree.sizes))] = np.arange(tree.n_nodes)
    place = placed(_renamed(tree, columns), rank)  # the largest children first
    data = tree_columns(place, None) | {
        "name": readable(name),
        "node": pack(place.node),
        "titles": pack_names(called[i] for i in place.units().tolist()),
        "texts": None if given is None else pack_texts((given[i] for i in place.units().tolist()), longest),
        **_words(place, columns),
    }
    size = f"{plural(tree.n_items, 'document')} in a tree of {plural(tree.n_nodes, 'node')}"
    lead = tag("p", tag("b", label(name)), f": {size}", class_="pair")
    sections = (
        Section("browse", "Browse", fragment("browse.html", where=Html(_SEARCHED[given is not None]))),
        Section("made", "How it was made", _made(tree, columns, None if given is None else longest)),
    )
    return Page("What are the documents about?", lead, sections, data, _SCRIPTS)


def _checked_labels(tree: Hierarchy, node_labels: Any) -> tuple[NodeLabels, ...]:
    """Return the labels by each method, those of the hierarchical method first; raise an error if they are invalid."""
    if node_labels is None:
        return ()
    if isinstance(node_labels, NodeLabels | LabelTable):
        columns = node_labels.columns if isinstance(node_labels, LabelTable) else (node_labels,)
    elif isinstance(node_labels, Iterable):
        columns = tuple(elements(node_labels, "labels"))
    else:
        raise InvalidInputError(
            f"labels must be of type NodeLabels or LabelTable, or several NodeLabels; got {printable(node_labels)}"
        )
    for column in columns:
        require_labels_of(tree, column)
    methods = [column.method for column in columns]
    if len(set(methods)) < len(methods):
        raise InvalidInputError(f"labels must be by different methods; got {', '.join(methods)}")
    return tuple(sorted(columns, key=lambda column: column.method != "hierarchical"))


def _titles(tree: Hierarchy, titles: Any) -> tuple[str, ...]:
    """Return the title of each item."""
    if titles is None:
        return tree.items
    given = _of_items(tree, titles, "title")
    return tuple(title.strip() or item for title, item in zip(given, tree.items, strict=True))


def _of_items(tree: Hierarchy, given: Any, what: str) -> tuple[str, ...]:
    """Return the title or the text of each item, from a mapping."""
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"{what}s must be a mapping from items to {what}s; got {printable(given)}")
    missing = [item for item in tree.items if item not in given]
    if missing:
        raise ItemMismatchError(
            f"every item must have a {what}; {plural(len(missing), 'item')} without one: {quote_first(missing)}"
        )
    return names_of([given[item] for item in tree.items], f"{what}s")


def _renamed(tree: Hierarchy, columns: tuple[NodeLabels, ...]) -> Hierarchy:
    """Return the tree without node names that repeat the words or the only document of the node."""
    if not tree.node_names:
        return tree
    names = list(tree.node_names)
    for column in columns:
        for v, words in zip(column.node.tolist(), column.terms, strict=True):
            if names[v] and any(names[v] == ", ".join(words[:n]) for n in range(1, len(words) + 1)):
                names[v] = ""
    for v in np.flatnonzero((tree.n_children == 0) & (tree.own_sizes == 1)).tolist():
        if names[v] in tree.own_items(v):
            names[v] = ""
    return replace(tree, node_names=tuple(names))


def _words(place: Placed, columns: tuple[NodeLabels, ...]) -> dict[str, Any]:
    """Return all distinct words and, for each method, the number and the indices of the words of each node."""
    number: dict[str, int] = {}
    methods = []
    for column in columns:
        of_node = dict(zip(column.node.tolist(), column.terms, strict=True))
        in_order = [of_node.get(v, ()) for v in place.node.tolist()]
        terms = [number.setdefault(term, len(number)) for words in in_order for term in words]
        methods.append(
            {
                "title": METHODS[column.method],
                "count": pack(np.array([len(words) for words in in_order], dtype=np.int64)),
                "term": pack(np.array(terms, dtype=np.int64)),
            }
        )
    return {"terms": pack_names(number), "methods": methods}


def _made(tree: Hierarchy, columns: tuple[NodeLabels, ...], longest: int | None) -> Html:
    """Return the section on how the page was made."""
    rows: list[tuple[str, str]] = [
        ("Documents", f"{tree.n_items:,}"),
        ("Nodes", f"{tree.n_nodes:,}, of which {tree.leaves.size:,} without nodes below"),
        ("Depth", f"at most {plural(int(tree.depths.max()), 'step')} below the root"),
        ("Heights", "none" if tree.height is None else f"{tree.height.min():.4g} to {tree.height.max():.4g}"),
    ]
    if tree.node_names:
        rows.append(("Names of nodes", plural(sum(map(bool, tree.node_names)), "node")))
    for column in columns:
        found = f"{plural(sum(map(bool, column.terms)), 'node')} with words, of {len(column):,} labelled"
        rows.append((f"Labels, {METHODS[column.method].lower()}", found))
    if longest is not None:
        rows.append(("Texts", f"up to {longest:,} characters of each are shown and searched"))
    rows.append(("Nodes without words", "called by their number of documents"))
    rows.append(("Made by", f"dendrometry {__version__}"))
    return description_list(rows, class_="facts")
