"""Files that commands write: the ending says what, an existing file needs ``--force``."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dendrometry.cli.table import table_text
from dendrometry.display import shown
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Force", "picture", "table_encoders", "told", "write_result"]

Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]


def write_result(path: str, encoders: Mapping[str, Callable[[], str | bytes]], *, force: bool) -> None:
    """Write what the encoder of the path's ending makes, whole or not at all, and say so."""
    from dendrometry.io.whole import check_place, write_whole

    ending = os.path.splitext(path)[1].lower()
    if ending not in encoders:
        raise InvalidInputError(f"--out must end in {', '.join(encoders)}; got {shown(path, longest=4096)}")
    check_place(path, force=force)
    content = encoders[ending]()
    write_whole(path, content.encode() if isinstance(content, str) else content, force=force)
    told(path)


def table_encoders(
    head: Sequence[str], rows: Sequence[Sequence[object]], json: Callable[[], str]
) -> dict[str, Callable[[], str | bytes]]:
    """Return how a table becomes a .csv, .tsv or .json file."""
    return {
        ".csv": lambda: table_text(head, rows, ","),
        ".tsv": lambda: table_text(head, rows, "\t"),
        ".json": lambda: json() + "\n",
    }


def picture(draw: "Callable[[], Axes]", kind: str) -> bytes:
    """Return a drawing as the bytes of an image, made without a screen."""
    import io

    import matplotlib as mpl

    mpl.use("Agg")
    figure: Any = draw().figure
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, dpi=150)
    return stream.getvalue()


def told(path: str) -> None:
    """Say on standard error what was written."""
    if sys.stderr is not None:
        print(f"wrote {shown(path, longest=4096)}", file=sys.stderr)
