"""Files written by commands: the ending determines the format; ``--force`` replaces an existing file."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.table import table_text
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.format_names import ENDINGS, tells_format

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dendrometry.io._shared.account import Account

TABLES = (".csv", ".tsv", ".json", ".md", ".tex")
TREES = tuple(ending for endings in ENDINGS.values() for ending in endings)
PICTURES = (".png", ".svg", ".pdf")

Force = Annotated[bool, switch("--force", "Overwrite an existing file.")]
Quiet = Annotated[bool, switch("--quiet", "Show no progress bar.")]
ScoresAsJson = Annotated[bool, switch("--json", "Print the scores as JSON.")]
TableOrPicture = Annotated[
    str | None, option("FILE", "Write the table (.csv, .tsv, .json, .md, .tex), or draw it (.png, .svg, .pdf).")
]


def require_new(path: str | None, force: bool, *, endings: Sequence[str] | None = None, option: str = "--out") -> None:
    """Raise an error if a file exists or its ending is unknown, before the computation.

    By default, ``endings`` are those of the tree formats.
    """
    from dendrometry._files import check_place

    if path is None:
        return
    fits = tells_format(path) if endings is None else os.path.splitext(path)[1].lower() in endings
    if not fits:
        known = f"{', '.join(TREES)}, optionally with .gz" if endings is None else ", ".join(endings)
        raise InvalidInputError(f"{option} must end in {known}; got {printable(path, longest=4096)}")
    check_place(path, force=force)


def write_result(path: str, encoders: Mapping[str, Callable[[], str | bytes]], *, force: bool) -> None:
    """Write the output of the encoder for the path's ending, completely or not at all; call `require_new` first."""
    from dendrometry._files import write_whole

    content = encoders[os.path.splitext(path)[1].lower()]()
    write_whole(path, content.encode() if isinstance(content, str) else content, force=force)
    announce(path)


def table_encoders(
    head: Sequence[str], rows: Sequence[Sequence[object]], json: Callable[[], str]
) -> dict[str, Callable[[], str | bytes]]:
    """Return the encoders of a table for files: .csv, .tsv, .json, Markdown and LaTeX."""
    from dendrometry._tabular import latex_table, markdown_table

    encoders = (
        lambda: table_text(head, rows, ","),
        lambda: table_text(head, rows, "\t"),
        lambda: json() + "\n",
        lambda: markdown_table(head, rows) + "\n",
        lambda: latex_table(head, rows) + "\n",
    )
    return dict(zip(TABLES, encoders, strict=True))


def picture(draw: "Callable[[], Axes]", kind: str) -> bytes:
    """Return a figure as the bytes of an image, drawn without a display."""
    import io

    require("matplotlib", extra="plot", for_="a picture").use("Agg")
    figure: Any = draw().figure
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, dpi=150)
    return stream.getvalue()


def announce(path: str) -> None:
    """Report on standard error which file was written."""
    tell(f"wrote {printable(path, longest=4096)}")


def tell(line: str) -> None:
    """Report something on standard error, if there is one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr)


def announce_reading(path: str, account: "Account | None") -> None:
    """Report on standard error how a table was read: items, levels and rows dropped, in one line.

    Nothing is said of files of trees, of which all is read.
    """
    if account is not None and account.kind != "tree":
        tell(f"read {'standard input' if path == '-' else printable(path, longest=4096)}: {account.tell()}")
