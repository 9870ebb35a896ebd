"""Documents given on the command line as a folder or a table, and the options for reading their texts."""

from typing import Annotated

import typer

from dendrometry._display import printable
from dendrometry.errors import FormatError, InvalidInputError

Texts = Annotated[
    str,
    typer.Argument(
        metavar="DIR_OR_FILE",
        help="A folder in which every file is a document, or a .csv, .tsv or .parquet file with a row for each.",
    ),
]
TextColumn = Annotated[str, typer.Option("--text", metavar="COLUMN", help="The column of a table with the texts.")]
TitleColumn = Annotated[
    str | None,
    typer.Option("--title", metavar="COLUMN", help="The column with the titles; by default 'title', or else numbers."),
]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="The encoding of files and of .csv and .tsv tables.")]
SkipBadEncoding = Annotated[
    bool,
    typer.Option(
        "--skip-bad-encoding", help="Leave out texts in another encoding and report them; by default they are an error."
    ),
]
StopWordsOption = Annotated[
    str,
    typer.Option("--stop-words", metavar="NAME", help="Stop words: english, none, or a file of words in UTF-8."),
]
Dimensions = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Reduce the vectors to this many dimensions by truncated SVD.")
]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress bar.")]


def stop_words_of(name: str) -> str | list[str] | None:
    """Return stop words in the form the package accepts: the name of a list, or the words in a file."""
    if name in ("english", "none"):
        return None if name == "none" else name
    try:
        with open(name, encoding="utf-8-sig") as file:
            return file.read().split()
    except OSError as error:
        raise InvalidInputError(
            f"--stop-words must be english, none, or a file of words; cannot read {printable(name)}: {error.strerror}"
        ) from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{printable(name)}: stop words must be in UTF-8; byte {error.start} is not") from None
