"""``dendrometry info FILE``: what a file is, how it would be read, and what could be wrong."""

from typing import Annotated, Any

from dendrometry.cli._shared.inputs import Options, add_reading_options, file_and_tree
from dendrometry.cli._shared.options import argument, switch
from dendrometry.cli._shared.words import in_words


@add_reading_options
def info(
    how: Options,
    file: Annotated[str, argument("FILE", "The file, whatever it is; file.nex:2 for its second tree.")],
    json: Annotated[bool, switch("--json", "Print everything as JSON.")] = False,
) -> int:
    """Say what a file is and how it would be read.

    Prints the format, how many items, levels and nodes are read, which columns are taken, what is assumed, what to
    check, and the command and the line of Python that read it. Options show what they would change. The exit code is 0
    if the file is read, 1 if it is refused, with the reason and the options that read it, and 2 if it cannot be opened.

    \b
    Examples:
      dendrometry info shop.csv
      dendrometry info shop.csv --levels department --levels category
      dendrometry info tree.rds --json
    """
    from dendrometry.io.info import info as info_of

    path, tree = file_and_tree(file)
    given: dict[str, Any] = {"tree": tree} if tree is not None else {}
    for name, value in how._asdict().items():
        if value != Options._field_defaults[name] and value not in (None, []):
            given["item" if name == "items" else name] = value
    found = info_of(path, **given)
    print(found.to_json(in_words) if json else found.tell(in_words))
    return int(not found.readable)
