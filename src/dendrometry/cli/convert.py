"""``dendrometry convert IN OUT``: convert a tree from one format to another."""

from typing import Annotated, cast

from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, TREE_FILES, Options, add_reading_options, tree_at
from dendrometry.cli._shared.options import argument, option
from dendrometry.cli._shared.output import Force, announce, require_new
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.format_names import ENDINGS, FormatName


@add_reading_options
def convert(
    how: Options,
    source: Annotated[str, argument("IN", f"The tree: {A_TREE}.")],
    target: Annotated[str, argument("OUT", f"The file to write ({TREE_FILES}, or these with .gz), or -.")],
    force: Force = False,
    to: Annotated[
        str | None, option("NAME", "The format to write to standard output (OUT is -).", among=ENDINGS)
    ] = None,
) -> None:
    """Convert a tree from one format to another.

    The formats follow from the endings of the file names. What the new format has no place for is named in a
    warning: heights in tables, names of items in .npy.

    \b
    Examples:
      dendrometry convert tree.nwk tree.json
      dendrometry convert linkage.npy - --to newick
    """
    from dendrometry.io.files import write

    if to is not None and target != "-":
        raise InvalidInputError(
            "--to is the format of standard output and needs OUT to be -; that of a file follows from its name"
        )
    if to is None and target == "-":
        raise InvalidInputError(f"standard output, given as -, needs a format: --to {', '.join(ENDINGS)}")
    if target != "-":
        require_new(target, force, option="OUT")
    with spinner("converting", on_terminal()):
        tree = tree_at(source, how)
        write(tree, target, format=cast("FormatName | None", to), force=force)
    if target != "-":
        announce(target)
