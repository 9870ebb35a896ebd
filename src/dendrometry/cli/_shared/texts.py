"""Documents given on the command line as a folder or a table, and the options for reading their texts."""

from typing import Annotated, Any, NamedTuple

from dendrometry._display import printable
from dendrometry.cli._shared.options import add_options, argument, option, switch
from dendrometry.errors import FormatError, InvalidInputError

Texts = Annotated[
    str,
    argument(
        "DIR_OR_FILE",
        "A folder in which every file is a document, or a .csv, .tsv or .parquet file with a row for each.",
    ),
]
TextColumn = Annotated[str, option("COLUMN", "The column of a table with the texts.", "--text")]
TitleColumn = Annotated[
    str | None, option("COLUMN", "The column with the titles; by default 'title', or else numbers.", "--title")
]
Encoding = Annotated[str, option("NAME", "The encoding of files and of .csv and .tsv tables.")]
Dimensions = Annotated[int | None, option("N", "Reduce the vectors to this many dimensions by truncated SVD.", min=1)]
Phrases = Annotated[bool, switch("--phrases", "Count pairs of successive words as terms, too.")]
TermCount = Annotated[int, option("N", "At most this many words per node.", min=1)]
Json = Annotated[bool, switch("--json", "Print everything as JSON.")]


class TextOptions(NamedTuple):
    """How texts are read: the options of every command that reads some, see `add_text_options`."""

    text: TextColumn = "text"
    title: TitleColumn = None
    encoding: Encoding = "utf-8"
    skip_bad_encoding: Annotated[
        bool,
        switch(
            "--skip-bad-encoding", "Leave out texts in another encoding and report them; by default they are an error."
        ),
    ] = False
    stop_words: Annotated[
        str, option("NAME", "Stop words: english, none, or a file of words in UTF-8.", "--stop-words")
    ] = "english"

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of functions that read documents."""
        return {
            "text": self.text,
            "title": self.title,
            "encoding": self.encoding,
            "on_bad_encoding": "skip" if self.skip_bad_encoding else "error",
            "stop_words": _stop_words(self.stop_words),
        }


add_text_options = add_options("text_options", TextOptions)


def _stop_words(name: str) -> str | list[str] | None:
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
