"""``dendrometry plot KIND TREES --out FILE``: a picture of one tree, or of two and how they differ."""

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._check.choices import one_of
from dendrometry._display import plural
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, Options, add_reading_options, trees_at
from dendrometry.cli._shared.options import argument, option
from dendrometry.cli._shared.output import PICTURES, Force, picture, require_new, write_result
from dendrometry.cli.compare import names_of_files
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable

_OF_ONE = ("dendrogram", "icicle")
_OF_TWO = ("tanglegram", "matches", "item_disagreement", "stage_curves", "split_merge_flow")


@add_reading_options
def plot(
    how: Options,
    kind: Annotated[
        str,
        argument(
            "KIND",
            f"Of one tree: {', '.join(_OF_ONE)}; of two: {', '.join(_OF_TWO)} (of flat clusterings).",
            among=(*_OF_ONE, *_OF_TWO),
        ),
    ],
    trees: Annotated[list[str], argument("TREE", f"One or two trees, each {A_TREE}.")],
    out: Annotated[str, option("FILE", "Write the picture to this file (.png, .svg, .pdf).")],
    top: Annotated[int | None, option("N", "Draw only the top of one tree, down to this many clusters.", min=1)] = None,
    force: Force = False,
) -> None:
    """Draw one tree, or two trees and how they differ.

    A tanglegram shows both trees face to face; matches the clusters of the first and their best matches in the second;
    item_disagreement the items that moved most; stage_curves how alike the trees are at every number of clusters.

    \b
    Examples:
      dendrometry plot dendrogram tree.nwk --top 30 --out tree.png
      dendrometry plot tanglegram truth.csv found.nwk --out both.svg
    """
    one_of(kind, "KIND", (*_OF_ONE, *_OF_TWO))
    wanted = 1 if kind in _OF_ONE else 2
    if len(trees) != wanted:
        raise InvalidInputError(f"{kind} takes {plural(wanted, 'tree')}; got {len(trees)}")
    if top is not None and wanted == 2:
        raise InvalidInputError(f"--top is for {' and '.join(_OF_ONE)}; got {kind}")
    require_new(out, force, endings=PICTURES)
    with spinner("drawing", on_terminal()):
        draw = _drawing(kind, trees, top, how)
        drawn = picture(draw, os.path.splitext(out)[1][1:].lower())
    write_result(out, dict.fromkeys(PICTURES, lambda: drawn), force=force)


def _drawing(kind: str, paths: list[str], top: int | None, options: Options) -> "Callable[[], Any]":
    """Return the function that draws the trees in some files."""
    from dendrometry import plot as plots
    from dendrometry.comparison.compare import compare

    draw = getattr(plots, kind)
    trees = trees_at(paths, options)
    if kind in _OF_ONE:
        return partial(draw, trees[0], top=top)
    return partial(draw, compare(trees[0], trees[1], names=names_of_files(*paths), n_permutations=0))
