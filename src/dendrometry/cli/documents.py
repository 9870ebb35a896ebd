"""``dendrometry documents DIR_OR_FILE --out TREE``: build a labelled tree of documents."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import TREE_FILES
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import Force, Quiet, announce, require_new
from dendrometry.cli._shared.texts import Dimensions, Json, Phrases, TermCount, TextOptions, Texts, add_text_options
from dendrometry.text.methods import TREE_METHODS

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy
    from dendrometry.label.labels import NodeLabels
    from dendrometry.resampling.fidelity import Fidelity
    from dendrometry.text.collection import Documents
    from dendrometry.text.tree import DocumentTree

_TOP = 10  # maximum number of clusters shown
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
    dimensions: Dimensions = None,
    min_documents: Annotated[
        int, option("N", "Leave out terms that occur in fewer documents; 2 or 3 is faster.", min=1)
    ] = 1,
    terms: TermCount = 5,
    phrases: Phrases = False,
    json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Build a labelled tree of documents from their texts.

    Texts become TF-IDF vectors, which are clustered into a tree; each node is labelled by words that distinguish it
    from its parent and siblings. bisect is fast and works well with thousands of documents; buckshot is faster;
    group_average compares all pairs, for up to some tens of thousands of documents. Prints the top of the tree, what
    was left out, and for buckshot how near the tree is to that of group_average; the file contains the whole tree, and
    a .json file its words.

    \b
    Examples:
      dendrometry documents news.csv --text body --title headline --out tree.json
      dendrometry documents folder --method group_average --min-documents 2 --clusters 20 --out tree.json
    """
    from dendrometry.io.files import write
    from dendrometry.label.label import label_nodes, label_tree
    from dendrometry.text.tree import cluster_documents
    from dendrometry.text.vectorize import read_documents

    _check(method, out, force)
    progress = not quiet and on_terminal()
    found = read_documents(
        texts,
        **text_options.arguments(),
        min_documents=min_documents,
        phrases=phrases,
        n_dimensions=dimensions,
        progress=progress,
    )
    built = cluster_documents(found, method=method, n_clusters=clusters, progress=progress)  # type: ignore[arg-type]
    with spinner("labelling", not quiet and on_terminal()):
        labels = label_nodes(built.hierarchy, found, n_terms=terms)
    tree = label_tree(built.hierarchy, labels, n_terms=terms)
    near = _judge(found, built, progress)
    if json:
        _print_json(found, built, labels, near)
    else:
        _print(found, built, labels, tree)
        if near is not None:
            print(near)
    if out is not None:  # last, so that the tree is printed even if the file format cannot represent it
        write(tree, out, force=force)
        announce(out)


def _check(method: str, out: str | None, force: bool) -> None:
    """Raise an error for an unknown method or a file that cannot be written, before the computation."""
    one_of(method, "--method", TREE_METHODS)
    require_new(out, force)


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
    from dendrometry.text.collection import skip_sentence

    print(_outline(tree))
    print()
    report = built.report
    named = sum(map(bool, labels.terms))
    print(
        f"{built.method}: {plural(tree.n_nodes, 'node')}, {tree.leaves.size:,} without children;"
        f" {plural(report.ties, 'tie')}, {plural(report.inversions, 'inversion')}"
    )
    print(f"{plural(len(labels), 'node')} labelled, {named:,} of them with words; {plural(len(found.terms), 'term')}")
    print(skip_sentence(found.n_items + len(found.skipped), found.skipped))


def _outline(tree: "Hierarchy") -> str:
    """Return the top of a tree, one line per node: its documents and words, or the title of a single document."""
    from dendrometry.cut.coarsen import coarsen

    top = coarsen(tree, min(_TOP, tree.leaves.size))
    width = len(f"{tree.n_items:,}")
    names = top.node_names or [""] * top.n_nodes
    lines = []
    for v in top.order.node.tolist():
        size, depth = int(top.sizes[v]), int(top.depths[v])
        unnamed = top.own_items(v)[0] if size == 1 else "(no words)" if depth else "all documents"
        lines.append(f"{size:>{width},}  {'   ' * depth}{printable(names[v] or unnamed, longest=1000)}")
    return "\n".join(lines)


def _print_json(found: "Documents", built: "DocumentTree", labels: "NodeLabels", near: "Fidelity | None") -> None:
    """Print what was built, its fidelity, the words of its nodes, and what was left out."""
    import json
    from dataclasses import asdict

    content = {
        "n_documents": found.n_items,
        "n_terms": len(found.terms),
        "method": built.method,
        "n_nodes": built.hierarchy.n_nodes,
        "n_leaves": built.hierarchy.leaves.size,
        "ties": built.report.ties,
        "inversions": built.report.inversions,
        "fidelity": None if near is None else asdict(near),
        "labels": json.loads(labels.to_json())["labels"],
        "skipped": [left_out._asdict() for left_out in found.skipped],
    }
    print(json.dumps(content, indent=2))
