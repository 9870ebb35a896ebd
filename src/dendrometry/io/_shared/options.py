"""What a caller may say about the content of a file, a table or a text; light, so that no format is loaded for it."""

from typing import Literal, NamedTuple

MissingLengths = Literal["error", "zero", "no_heights"]
ParentChoice = Literal["error", "first", "longest"]


class TableChoice(NamedTuple):
    """What is said about the columns of a table: those of items and of paths, and the separator of paths."""

    item: str | None = None
    path_column: str | None = None
    sep: str | None = None


class LengthChoice(NamedTuple):
    """What is said about the lengths of branches: whether all digits are exact, and what a missing one means."""

    exact_heights: bool = False
    missing_lengths: MissingLengths = "error"


class ReadOptions(NamedTuple):
    """What the caller of `read` said about the content of a file."""

    max_bytes: int
    choice: TableChoice
    lengths: LengthChoice
    parents: ParentChoice = "error"
    tree: int | str | None = None
