"""Files that hold several trees, tables or objects: one is chosen by its name or its number from 1."""

from __future__ import annotations

from collections.abc import Sequence

from dendrometry._display import printable, quote_first
from dendrometry.errors import FormatError, InvalidInputError, Remedy


def choose(names: Sequence[str], tree: object, what: str = "tree") -> int:
    """Return the place of the one of several names that ``tree`` chooses; it may be None if there is only one."""
    if not names:
        raise FormatError(f"the file must hold a {what}; got none")
    if tree is None:
        if len(names) > 1:
            raise InvalidInputError(
                f"the file must hold one {what}; it holds {len(names):,} {what}s, {quote_first(names, 3)}",
                Remedy("tree", 1, "is the first"),
                Remedy("", ..., "returns all", "read_many"),
            )
        return 0
    if isinstance(tree, str) and tree in names:
        return list(names).index(tree)
    number = int(tree) if isinstance(tree, str) and tree.isascii() and tree.isdigit() and len(tree) < 10 else tree
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(names):
        return number - 1
    raise InvalidInputError(
        f"tree must be a number from 1 to {len(names):,} or one of {quote_first(names, 3)}; got {printable(tree)}"
    )
