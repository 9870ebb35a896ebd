"""``dendrometry first-stories DIR_OR_FILE``: which documents of a stream are new."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from dendrometry._display import plural
from dendrometry._progress import on_terminal
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import TABLES, Force, Quiet, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.cli._shared.texts import Json, TextOptions, Texts, add_text_options

if TYPE_CHECKING:
    from dendrometry.text.stories import Story

_HEAD = ("document", "novelty", "nearest", "first", "skipped", "exact")


@add_text_options
def first_stories(
    text_options: TextOptions,
    documents: Texts,
    threshold: Annotated[float, typer.Option(help="The smallest novelty of a first story, from 0 to 1.")] = 0.8,
    exact_above: Annotated[
        float | None,
        typer.Option(help="Novelties below this may be upper bounds, which is faster; at most the threshold."),
    ] = None,
    json: Json = False,
    out: Annotated[
        str | None, option("FILE", "Write every document and its novelty (.csv, .tsv, .json, .md, .tex).")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Report which documents of a stream are new.

    The novelty of a document is 1 minus its largest cosine with an earlier one. The stream follows the rows of a table
    or the names of the files. Prints the first stories and what was left out; with --out the stories are written to
    the file.

    \b
    Examples:
      dendrometry first-stories news.csv --text body --title headline --threshold 0.7
      dendrometry first-stories folder --out stories.csv
    """
    from dendrometry.text.stories import read_first_stories

    require_new(out, force, endings=TABLES)
    reports = read_first_stories(
        documents,
        threshold=threshold,
        exact_above=exact_above,
        **text_options.arguments(),
        progress=not quiet and on_terminal(),
    )
    stories = list(reports)
    if out is not None:
        write_result(
            out, table_encoders(_HEAD, [_row(story) for story in stories], partial(_as_json, stories)), force=force
        )
    if json:
        print(_as_json(stories))
    else:
        _print(stories, threshold, table=out is None)


def _print(stories: "list[Story]", threshold: float, table: bool) -> None:
    """Print the first stories, as a table if ``table``, and what they are based on."""
    from dendrometry.text.collection import Skipped, skip_sentence

    first = [story for story in stories if story.is_first]
    if table and first:
        rows = [(story.item, f"{story.novelty:.3f}", story.nearest or "-") for story in first]
        print_table(("first story", "novelty", "nearest before"), rows)
        print()
    print(f"{plural(len(first), 'document')} with a novelty of at least {threshold:g}")
    print(skip_sentence(len(stories), [Skipped(story.item, story.skipped) for story in stories if story.skipped]))


def _row(story: "Story") -> tuple[str, ...]:
    """Return a document as a row of the table."""
    novelty = "" if story.novelty is None else repr(story.novelty)
    exact = "yes" if story.is_exact else "no"
    return story.item, novelty, story.nearest or "", "yes" if story.is_first else "no", story.skipped or "", exact


def _as_json(stories: "list[Story]") -> str:
    """Return all documents as a JSON array."""
    import json

    return json.dumps([story._asdict() for story in stories], indent=2)
