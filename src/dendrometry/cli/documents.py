"""``dendrometry documents DIR_OR_FILE --out TREE``: build a labelled tree of documents."""

from math import isqrt
from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import TREE_FILES, Options, tree_at
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import Force, Quiet, announce, require_new
from dendrometry.cli._shared.texts import Json, Phrases, TermCount, TextOptions, Texts, add_text_options
from dendrometry.text.methods import TREE_METHODS

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.label.labels import NodeLabels
    from dendrometry.resampling.fidelity import Fidelity
    from dendrometry.text.collection import Documents
    from dendrometry.text.tree import DocumentTree

_CHILDREN = 10  # of a node; fewer in a collection of less than a hundred documents
_SHOWN = 3  # nodes shown below each child of the root
_SAMPLE = 5_000  # documents of the exact trees that Buckshot's tree is compared with, which take seconds


@add_text_options
def documents(
    text_options: TextOptions,
    texts: Texts,
    out: Annotated[
        str | None, option("FILE", f"Write the tree, its nodes named by their words ({TREE_FILES}).")
    ] = None,
    method: Annotated[str, option("NAME", f"One of {', '.join(TREE_METHODS)}.", among=TREE_METHODS)] = "bisect",
    clusters: Annotated[
        int | None, option("N", "Stop at this many clusters; by default the leaves are single documents.", min=1)
    ] = None,
    children: Annotated[
        int | None,
        option("N", "At most this many children per node, by default 10; 2 keeps the binary tree.", min=2),
    ] = None,
    dimensions: Annotated[
        int | None,
        option("N", "Dimensions of the vectors by truncated SVD, by default 100; 0 keeps the terms.", min=0),
    ] = None,
    min_documents: Annotated[
        int, option("N", "Leave out terms that occur in fewer documents; 2 or 3 is faster.", min=1)
    ] = 1,
    terms: TermCount = 5,
    phrases: Phrases = False,
    names_from: Annotated[
        str | None,
        option("FILE", "The tree of an earlier run: nodes with mostly the same documents keep their names."),
    ] = None,
    json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Build a labelled tree of documents from their texts.

    Texts become TF-IDF vectors, reduced to 100 dimensions if there are more documents and terms, which are clustered
    into a tree; its nodes have up to ten children, and words that distinguish each from its parent and siblings. bisect
    is fast and works well with thousands of documents; buckshot is faster; group_average compares all pairs, for up to
    some tens of thousands of documents. Prints the top of the tree, what was left out, and for buckshot how near the
    tree is to that of group_average; the file contains the whole tree, and a .json file its words.

    \b
    Examples:
      dendrometry documents news.csv --text body --title headline --out tree.json
      dendrometry documents folder --method group_average --min-documents 2 --clusters 20 --out tree.json
      dendrometry documents news.csv --names-from monday.json --out tuesday.json
    """
    from dendrometry.changes.carry_names import carry_names
    from dendrometry.io.files import write
    from dendrometry.label.label import label_nodes, label_tree
    from dendrometry.text.tree import cluster_documents
    from dendrometry.text.vectorize import read_documents

    _check(method, out, force)
    progress = not quiet and on_terminal()
    before = None if names_from is None else tree_at(names_from, Options())
    found = read_documents(
        texts,
        **text_options.arguments(),
        min_documents=min_documents,
        phrases=phrases,
        n_dimensions="auto" if dimensions is None else dimensions or None,
        progress=progress,
    )
    built = cluster_documents(found, method=method, n_clusters=clusters, progress=progress)  # type: ignore[arg-type]
    tree = _folded(built.hierarchy, children)
    with spinner("labelling", progress):
        labels = label_nodes(tree, found, n_terms=terms, min_size=2)
        bare = labels.node[[not words for words in labels.terms]]
        bare = bare[bare != tree.root]
        if bare.size:
            tree = label_tree(
                tree, label_nodes(tree, found, method="centroid", n_terms=terms, nodes=bare), n_terms=terms
            )
    tree = label_tree(tree, labels, n_terms=terms)
    carried = None if before is None else carry_names(before, tree)
    tree = tree if carried is None else carried.hierarchy
    near = _judge(found, built, progress)
    if json:
        _print_json(found, built, labels, tree, near)
    else:
        _print(found, built, labels, tree)
        if carried is not None:
            print(f"names from {printable(names_from, longest=4096)}: {carried.tell().splitlines()[0]}")
        if near is not None:
            print(near)
    if out is not None:  # last, so that the tree is printed even if the file format cannot represent it
        write(tree, out, force=force)
        announce(out)


def _check(method: str, out: str | None, force: bool) -> None:
    """Raise an error for an unknown method or a file that cannot be written, before the computation."""
    one_of(method, "--method", TREE_METHODS)
    require_new(out, force)


def _folded(tree: "Hierarchy", children: int | None) -> "Hierarchy":
    """Return a tree to browse, with at most so many children per node."""
    from dendrometry.cut.fold import fold

    most = children or max(2, min(_CHILDREN, isqrt(tree.n_items)))
    return fold(tree, most)


def _judge(found: "Documents", built: "DocumentTree", progress: bool) -> "Fidelity | None":
    """Return the fidelity of a tree by Buckshot; None for few documents, and methods that approximate no other."""
    from dendrometry.cluster.divisive.buckshot import BuckshotReport

    if not isinstance(built.report, BuckshotReport):
        return None
    from dendrometry.resampling.fidelity import FEWEST, fidelity

    if found.n_items < FEWEST:
        return None
    return fidelity(built, found.vectors, sample=_SAMPLE, progress=progress)


def _print(found: "Documents", built: "DocumentTree", labels: "NodeLabels", tree: "Hierarchy") -> None:
    """Print the top of the tree, and what it is based on."""
    from dendrometry._check.points import is_sparse
    from dendrometry.text.collection import skip_sentence, stored_matrix

    print(_outline(tree))
    print()
    report = built.report
    bare = sum(not words and v != tree.root for v, words in zip(labels.node.tolist(), labels.terms, strict=True))
    vectors = stored_matrix(found, "vectors")
    kind = plural(len(found.terms), "term") + ("" if is_sparse(vectors) else f" in {vectors.shape[1]} dimensions")
    print(
        f"{built.method} on {kind}: {plural(tree.n_nodes, 'node')}, {tree.leaves.size:,} without children;"
        f" {plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
    )
    shared = f", {bare:,} of them by words that occur as often elsewhere" if bare else ""
    print(f"{plural(len(labels), 'node')} labelled{shared}")
    print(skip_sentence(found.n_items + len(found.skipped), found.skipped))


def _outline(tree: "Hierarchy") -> str:
    """Return the root, its children and the largest of theirs, one line each: documents and words."""
    width = len(f"{tree.n_items:,}")
    names = tree.node_names or ("",) * tree.n_nodes
    lines: list[str] = []

    def add(depth: int, count: str, text: str) -> None:
        lines.append(f"{count:>{width}}  {'   ' * depth}{text}")

    def add_node(v: int, depth: int) -> None:
        size = int(tree.sizes[v])
        unnamed = tree.own_items(v)[0] if size == 1 else "all documents" if v == tree.root else "(no words)"
        add(depth, f"{size:,}", printable(names[v] or unnamed, longest=1000))

    add_node(tree.root, 0)
    for child in _largest_children(tree, tree.root):
        add_node(child, 1)
        below = _largest_children(tree, child)
        for node in below[:_SHOWN]:
            add_node(node, 2)
        if below[_SHOWN:]:
            rest = int(tree.sizes[below[_SHOWN:]].sum())
            add(2, f"{rest:,}", f"in {plural(len(below) - _SHOWN, 'more node')}")
    return "\n".join(lines)


def _largest_children(tree: "Hierarchy", v: int) -> list[int]:
    """Return the children of a node, the largest first."""
    children = tree.children.node[tree.children.start[v] : tree.children.start[v + 1]].tolist()
    return sorted(children, key=lambda child: -int(tree.sizes[child]))


def _print_json(
    found: "Documents", built: "DocumentTree", labels: "NodeLabels", tree: "Hierarchy", near: "Fidelity | None"
) -> None:
    """Print what was built, its fidelity, the words of its nodes, and what was left out."""
    import json
    from dataclasses import asdict

    content = {
        "n_documents": found.n_items,
        "n_terms": len(found.terms),
        "method": built.method,
        "n_nodes": tree.n_nodes,
        "n_leaves": tree.leaves.size,
        "ties": built.report.ties,
        "inversions": built.report.inversions,
        "fidelity": None if near is None else asdict(near),
        "labels": json.loads(labels.to_json())["labels"],
        "skipped": [left_out._asdict() for left_out in found.skipped],
    }
    print(json.dumps(content, indent=2))
