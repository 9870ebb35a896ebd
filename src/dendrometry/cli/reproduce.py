"""``dendrometry reproduce NAME``: the tables and figures of the source documents, and further studies."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._progress import on_terminal
from dendrometry._studies.registry import STUDIES
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import Force, Quiet, announce
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry._typing import IntArray


def reproduce(
    name: Annotated[
        str | None, argument("NAME", f"One of {', '.join(STUDIES)}; without it, they are listed.", among=STUDIES)
    ] = None,
    out: Annotated[str | None, option("DIR", "Write tables (.csv), figures (.png) and the text (.txt) there.")] = None,
    quick: Annotated[bool, switch("--quick", "A small version, in seconds.")] = False,
    labels: Annotated[
        str | None, option("FILE", "Study this clustering: a table of items and labels (worsening only).")
    ] = None,
    data: Annotated[
        str | None,
        option("PATH", "A folder or archive of Reuters-21578, to study (reuters, labels and wire only)."),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Run a study: a table or figure of the source documents.

    Prints the main table, our numbers beside the paper's, and a summary.

    \b
    Examples:
      dendrometry reproduce
      dendrometry reproduce worsening --out results
    """
    from dendrometry._studies.registry import reproduce as run
    from dendrometry._studies.result import check_results_place

    if name is None:
        for study in STUDIES.values():
            print(f"{study.name}: {study.meaning} ({study.source}; {study.cost})")
        return
    if out is not None and not force:
        check_results_place(out, STUDIES[name].result_name(data) if name in STUDIES else name)
    clustering = None if labels is None else _clustering(labels)
    result = run(name, labels=clustering, data=data, quick=quick, progress=not quiet and on_terminal())
    print(result)
    if out is not None:
        for path in result.save(out, force=force):
            announce(str(path))


def _clustering(path: str) -> "IntArray":
    """Return the cluster of each item in a file; raise an error for a tree, where most items would be single."""
    from dendrometry.io.files import read
    from dendrometry.measures.flat import is_flat

    tree = read(path)
    if not is_flat(tree):
        raise InvalidInputError(
            f"--labels takes a flat clustering, one label for each item ('dendrometry cut' makes one); got {tree!r}"
        )
    return tree.item_node
