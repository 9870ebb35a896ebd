"""``dendrometry label TREE DIR_OR_FILE --out TREE``: words for the nodes of a tree of documents."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._display import plural
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, TREE_FILES, Options, add_reading_options, tree_at
from dendrometry.cli._shared.options import argument, option
from dendrometry.cli._shared.output import Force, Quiet, announce, require_new
from dendrometry.cli._shared.table import print_table
from dendrometry.cli._shared.texts import Dimensions, Json, Phrases, TermCount, TextOptions, Texts, add_text_options
from dendrometry.label.methods import METHODS

if TYPE_CHECKING:
    from dendrometry.label.labels import NodeLabels
    from dendrometry.text.collection import Documents


@add_reading_options
@add_text_options
def label(
    text_options: TextOptions,
    how: Options,
    tree: Annotated[str, argument("TREE", f"The tree of the documents: {A_TREE}.")],
    documents: Texts,
    method: Annotated[str, option("NAME", f"One of {', '.join(METHODS)}.", among=METHODS)] = "hierarchical",
    terms: TermCount = 5,
    min_size: Annotated[
        int | None,
        option("N", "Label nodes with at least this many documents; by default 2, or one in a thousand.", min=1),
    ] = None,
    min_documents: Annotated[
        int, option("N", "Leave out terms that occur in fewer documents, as when the tree was built.", min=1)
    ] = 1,
    dimensions: Dimensions = None,
    phrases: Phrases = False,
    json: Json = False,
    out: Annotated[
        str | None, option("FILE", f"Write the tree with the words as names of its nodes ({TREE_FILES}).")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find words for the nodes of a tree of documents.

    The items of the tree are the titles of the documents. Prints the words of every node from the root down, or writes
    the tree with the words as node names, which a .json file keeps in full. Use the same --min-documents, --dimensions,
    --phrases and --stop-words as when the tree was built, so that the same documents are left out.

    \b
    Examples:
      dendrometry label tree.json news.csv --text body --title headline
      dendrometry label tree.nwk folder --method mutual_information --terms 3 --out labelled.json
    """
    from dendrometry.io.files import write
    from dendrometry.label.label import label_nodes, label_tree
    from dendrometry.text.vectorize import read_documents

    one_of(method, "--method", METHODS)
    require_new(out, force)
    hierarchy = tree_at(tree, how)
    found = read_documents(
        documents,
        **text_options.arguments(),
        min_documents=min_documents,
        phrases=phrases,
        n_dimensions=dimensions,
        progress=not quiet and on_terminal(),
    )
    with spinner("labelling", not quiet and on_terminal()):
        labels = label_nodes(hierarchy, found, method=method, n_terms=terms, min_size=min_size)  # type: ignore[arg-type]
    if out is not None:
        write(label_tree(hierarchy, labels, n_terms=terms), out, force=force)
        announce(out)
    if json:
        _print_json(found, labels)
    else:
        _print(found, labels, with_words=out is None)


def _print(found: "Documents", labels: "NodeLabels", with_words: bool) -> None:
    """Print the words as a table if ``with_words``, and what they are based on."""
    from dendrometry.text.collection import skip_sentence

    if with_words:
        rows = zip(labels.node.tolist(), labels.size.tolist(), labels.terms, strict=True)
        print_table(
            ("node", "documents", labels.method), [(str(v), f"{n:,}", ", ".join(words)) for v, n, words in rows]
        )
        print()
    named = sum(map(bool, labels.terms))
    print(f"{plural(len(labels), 'node')} of {labels.n_nodes:,} labelled, {named:,} of them with words")
    print(skip_sentence(found.n_items + len(found.skipped), found.skipped))


def _print_json(found: "Documents", labels: "NodeLabels") -> None:
    """Print the words, and what was left out."""
    import json

    skipped = [left_out._asdict() for left_out in found.skipped]
    print(json.dumps({**json.loads(labels.to_json()), "skipped": skipped}, indent=2))
