"""``dendrometry cut TREE -k 5``: a flat clustering of a tree."""

from typing import Annotated

import typer

from dendrometry.cli.trees import StandardInputFormat, tree_at
from dendrometry.cut.count import cut_at_most, cut_count
from dendrometry.cut.cut import Cut
from dendrometry.cut.height import cut_gap, cut_height
from dendrometry.display import shown
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.files import write
from dendrometry.io.labels import from_labels

__all__ = ["cut"]


def cut(
    tree: Annotated[str, typer.Argument(help="The tree, with heights: a file as for dendrometry.read.")],
    k: Annotated[int | None, typer.Option("-k", help="Exactly so many clusters.")] = None,
    at_most: Annotated[int | None, typer.Option(help="The finest cut at a height with at most so many.")] = None,
    height: Annotated[float | None, typer.Option(help="Keep every merge at most this high.")] = None,
    gap: Annotated[bool, typer.Option("--gap", help="Cut at the largest gap between heights.")] = False,
    out: Annotated[str | None, typer.Option(help="Write items and clusters to this .csv or .tsv file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    format: StandardInputFormat = None,
) -> None:
    """Cut a tree into clusters.

    Prints every item and its cluster, a tab between them, in the order of the items in the file.
    Example: dendrometry cut tree.nwk -k 5
    """
    found = _cut(tree_at(tree, format), k, at_most, height, gap)
    if out is not None:
        write(from_labels([f"cluster {label}" for label in found.labels.tolist()], items=found.items), out, force=force)
        return
    for name, label in zip(found.items, found.labels.tolist(), strict=True):
        print(f"{shown(name)}\t{label}")


def _cut(tree: Hierarchy, k: int | None, at_most: int | None, height: float | None, gap: bool) -> Cut:
    """Return the cut by the one rule that was given."""
    if (k is not None) + (at_most is not None) + (height is not None) + gap != 1:
        raise InvalidInputError("a cut needs exactly one of -k, --at-most, --height and --gap")
    if k is not None:
        return cut_count(tree, k)
    if at_most is not None:
        return cut_at_most(tree, at_most)
    return cut_gap(tree) if height is None else cut_height(tree, height)
