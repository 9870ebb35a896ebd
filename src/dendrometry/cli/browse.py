"""``dendrometry browse TREE --out page.html``: a page to browse a tree of documents."""

import os
from typing import Annotated

from dendrometry._files import PAGES
from dendrometry._progress import on_terminal
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, tree_at
from dendrometry.cli._shared.options import argument, option
from dendrometry.cli._shared.output import Force, Quiet, announce, require_new
from dendrometry.cli._shared.texts import Encoding, TextColumn, TitleColumn


@add_reading_options
def browse(
    how: Options,
    tree: Annotated[str, argument("TREE", f"The tree of the documents: {A_TREE}.")],
    out: Annotated[str, option("FILE", "Write the page to this file (.html).")],
    texts: Annotated[
        str | None,
        option(
            "DIR_OR_FILE",
            "The documents, as for 'dendrometry documents': the page shows and searches their texts, too.",
        ),
    ] = None,
    text: TextColumn = "text",
    title: TitleColumn = None,
    encoding: Encoding = "utf-8",
    name: Annotated[str | None, option("TEXT", "The title of the page; by default the name of the file.")] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Write a page to browse a tree of documents.

    Writes one HTML file that loads nothing from a network. In it, open and close nodes, read their names, and search
    titles and names, and texts if --texts gives them. The items of the tree are the titles; 'dendrometry label --out'
    names the nodes.

    \b
    Examples:
      dendrometry browse labelled.json --out page.html
      dendrometry browse labelled.json --texts news.csv --text body --title headline --out page.html
    """
    from dendrometry.report.browse import browse as write_page

    require_new(out, force, endings=PAGES)
    called = name or ("Documents" if tree == "-" else os.path.basename(tree))
    hierarchy = tree_at(tree, how)
    given = None if texts is None else _texts(texts, text, title, encoding)
    write_page(hierarchy, out, texts=given, name=called, force=force, progress=not quiet and on_terminal())
    announce(out)


def _texts(path: str, text: str, title: str | None, encoding: str) -> dict[str, str]:
    """Return the text of each document of a folder or a table, by the name it has in a tree."""
    from dendrometry.text.names import Names
    from dendrometry.text.sources import TableColumns, in_file

    names = Names()
    return {names.of(raw.title): raw.text or "" for raw in in_file(path, TableColumns(text, title), encoding, "skip")}
