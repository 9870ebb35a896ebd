"""``dendrometry browse TREE --out page.html``: a page to browse a tree of documents."""

import os
from typing import Annotated

import typer

from dendrometry._progress import on_terminal
from dendrometry.cli.documents.texts import Quiet
from dendrometry.cli.terminal.output import PAGES, Force, announce, require_new
from dendrometry.cli.trees.reading import A_TREE, Options, TreeFormat, tree_at

__all__ = ["browse"]


def browse(
    tree: Annotated[str, typer.Argument(metavar="TREE", help=f"The tree of the documents: {A_TREE}.")],
    out: Annotated[str, typer.Option(metavar="FILE", help="Write the page to this file (.html).")],
    name: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The title of the page; by default the name of the file.")
    ] = None,
    force: Force = False,
    format: TreeFormat = None,
    quiet: Quiet = False,
) -> None:
    """Write a page to browse a tree of documents.

    Writes one HTML file that loads nothing from a network. In it, open and close nodes, read their names, and search
    titles and names. The items of the tree are the titles; 'dendrometry label --out' names the nodes.

    \b
    Examples:
      dendrometry browse labelled.json --out page.html
    """
    from dendrometry.pages.browse import browse as write_page

    require_new(out, force, endings=PAGES)
    called = name or ("Documents" if tree == "-" else os.path.basename(tree))
    write_page(tree_at(tree, Options(format)), out, name=called, force=force, progress=not quiet and on_terminal())
    announce(out)
