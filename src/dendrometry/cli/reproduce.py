"""``dendrometry reproduce NAME``: the tables and figures of the source documents, and further studies."""

from typing import Annotated

import typer

from dendrometry.cli.names import STUDIES, completing
from dendrometry.cli.output import Force, told
from dendrometry.cli.progress import watched

__all__ = ["reproduce"]


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help=f"One of {', '.join(STUDIES)}; without it, they are listed.",
            autocompletion=completing(STUDIES),
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write tables (.csv), figures (.png) and the text (.txt) there.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A small version, in seconds.")] = False,
    labels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Study this clustering: a table of items and labels (worsening only)."),
    ] = None,
    force: Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Run a study: a table or figure of the source documents.

    Prints the main table, the numbers of the paper beside ours where it prints any, and what they say.

    \b
    Examples:
      dendrometry reproduce
      dendrometry reproduce worsening --out results
    """
    from dendrometry.io.files import read
    from dendrometry.study.registry import STUDIES as ENTRIES
    from dendrometry.study.registry import reproduce as reproduced
    from dendrometry.study.result import require_new

    if name is None:
        for study in ENTRIES.values():
            print(f"{study.name}: {study.says} ({study.source})")
        return
    if out is not None and not force:
        require_new(out, name)
    clustering = None if labels is None else read(labels).item_node
    result = reproduced(name, labels=clustering, quick=quick, progress=not quiet and watched())
    print(result)
    if out is not None:
        for path in result.save(out, force=force):
            told(str(path))
