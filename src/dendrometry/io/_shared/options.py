"""What a caller may say about the content of a file, a table or a text; light, so that no format is loaded for it."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry.contingency import Noise as Noise
from dendrometry.errors import InvalidInputError

MissingChoice = Literal["refuse", "skip_rank", "own_node"]
RepeatsChoice = Literal["refuse", "split"]
MissingLengths = Literal["error", "zero", "no_heights"]
ParentChoice = Literal["error", "first", "longest"]


class TableChoice(NamedTuple):
    """What is said about the columns of a table, see `from_levels`; ``exact`` paths are taken letter by letter.

    With ``some_paths``, rows without a path are left out; otherwise their items belong to the root.
    """

    item: str | None = None
    path_column: str | None = None
    sep: str | None = None
    levels: Sequence[str] | None = None
    missing: MissingChoice = "refuse"
    repeats: RepeatsChoice = "refuse"
    noise: Noise | None = None
    exact: bool = False
    some_paths: bool = False


class LengthChoice(NamedTuple):
    """What is said about the lengths of branches: whether all digits are exact, and what a missing one means."""

    exact_heights: bool = False
    missing_lengths: MissingLengths = "error"


class ReadOptions(NamedTuple):
    """What the caller of `read` said about the content of a file; its name, for formats that are read in part."""

    max_bytes: int
    choice: TableChoice
    lengths: LengthChoice
    parents: ParentChoice = "error"
    tree: int | str | None = None
    file: str = ""


def checked_choice(choice: TableChoice) -> TableChoice:
    """Return a choice for a table whose options are known ones."""
    one_of(choice.missing, "missing", get_args(MissingChoice))
    one_of(choice.repeats, "repeats", get_args(RepeatsChoice))
    if choice.noise is not None:
        one_of(choice.noise, "noise", get_args(Noise))
    levels: object = (choice.levels,) if isinstance(choice.levels, str) else choice.levels
    if levels is None:
        return choice
    if not isinstance(levels, list | tuple) or not levels or not all(isinstance(name, str) for name in levels):
        raise InvalidInputError(f"levels must be a sequence of names of columns; got {printable(levels)}")
    return choice._replace(levels=tuple(levels))
