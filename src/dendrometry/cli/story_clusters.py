"""``dendrometry story-clusters FILE``: the new events of a wire, each reported by several documents."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from dendrometry._display import plural
from dendrometry._progress import on_terminal
from dendrometry.cli._shared.options import argument, option
from dendrometry.cli._shared.output import TABLES, Force, Quiet, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.cli._shared.texts import Json, TextOptions, add_text_options

if TYPE_CHECKING:
    from dendrometry.text.story_windows import StoryCluster
    from dendrometry.text.stream import StreamStory

_HEAD = ("document", "time", "novelty", "nearest", "first", "cluster", "skipped")


@add_text_options
def story_clusters(
    text_options: TextOptions,
    documents: Annotated[str, argument("FILE", "A .csv, .tsv or .parquet file with a row for each document.")],
    time: Annotated[str, option("COLUMN", "The column with the times: numbers, or dates, which are counted in days.")],
    window: Annotated[float, option("TIME", "The longest time from the first to the last document of a cluster.")],
    novelty: Annotated[float, typer.Option(help="The smallest novelty of a document in a cluster, from 0 to 1.")] = 0.8,
    cosine: Annotated[float, typer.Option(help="The smallest similarity of a link, from 0 to 1.")] = 0.4,
    min_size: Annotated[int, option("N", "The smallest number of documents in a cluster.")] = 3,
    memory: Annotated[
        float,
        option(
            "TIME", "How long a document is remembered, at least the window; by default forever.", show_default=False
        ),
    ] = float("inf"),
    half_life: Annotated[
        float,
        option(
            "TIME", "The time after which a similarity counts half; by default it does not decay.", show_default=False
        ),
    ] = float("inf"),
    json: Json = False,
    out: Annotated[
        str | None, option("FILE", "Write every document and its cluster (.csv, .tsv, .json, .md, .tex).")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Report the new events of a wire.

    A cluster holds documents that were sent within the window, resemble each other, and nothing before them. The rows
    must be in the order of their times; each is compared with earlier rows alone. Prints the clusters and what was left
    out; with --out the documents are written to the file.

    \b
    Examples:
      dendrometry story-clusters wire.csv --time sent --window 1
      dendrometry story-clusters wire.csv --time sent --window 1 --memory 30 --half-life 7 --out stories.csv
    """
    from dendrometry.text.stream import StoryStream

    require_new(out, force, endings=TABLES)
    reading = text_options.arguments()
    stream = StoryStream(
        window=window,
        novelty=novelty,
        cosine=cosine,
        min_size=min_size,
        memory=memory,
        half_life=half_life,
        stop_words=reading.pop("stop_words"),
    )
    stories = list(stream.read(documents, time=time, **reading, progress=not quiet and on_terminal()))
    clusters = [*(cluster for story in stories for cluster in story.closed), *stream.clusters_so_far()]
    if out is not None:
        write_result(
            out, table_encoders(_HEAD, _rows(stories, clusters), partial(_as_json, stories, clusters)), force=force
        )
    if json:
        print(_as_json(stories, clusters))
    else:
        _print(stories, clusters, table=out is None)


def _print(stories: "list[StreamStory]", clusters: "list[StoryCluster]", table: bool) -> None:
    """Print the clusters, as a table if ``table``, and what they are based on."""
    from dendrometry.text.collection import Skipped, skip_sentence

    if table and clusters:
        rows = [
            (
                one.items[0],
                str(len(one.items)),
                f"{one.end - one.start:.3g}",
                f"{one.novelty:.3f}",
                f"{one.similarity:.3f}",
            )
            for one in clusters
        ]
        print_table(("first story", "documents", "duration", "novelty", "similarity"), rows)
        print()
    n_inside = sum(len(cluster.items) for cluster in clusters)
    print(f"{plural(len(clusters), 'cluster')} with {n_inside:,} of {plural(len(stories), 'document')}")
    print(skip_sentence(len(stories), [Skipped(story.item, story.skipped) for story in stories if story.skipped]))


def _rows(stories: "list[StreamStory]", clusters: "list[StoryCluster]") -> list[tuple[str, ...]]:
    """Return the documents as rows of the table; clusters are numbered from 1."""
    cluster_of = {item: str(number) for number, one in enumerate(clusters, start=1) for item in one.items}
    return [
        (
            story.item,
            repr(story.time),
            "" if story.novelty is None else repr(story.novelty),
            story.nearest or "",
            "yes" if story.is_first else "no",
            cluster_of.get(story.item, ""),
            story.skipped or "",
        )
        for story in stories
    ]


def _as_json(stories: "list[StreamStory]", clusters: "list[StoryCluster]") -> str:
    """Return all clusters and documents as a JSON object."""
    import json

    documents = [{key: value for key, value in story._asdict().items() if key != "closed"} for story in stories]
    return json.dumps({"clusters": [cluster._asdict() for cluster in clusters], "documents": documents}, indent=2)
