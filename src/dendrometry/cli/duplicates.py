"""``dendrometry duplicates DIR_OR_FILE``: groups of documents that are nearly the same."""

from typing import TYPE_CHECKING, Annotated

from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal
from dendrometry.cli._shared.options import option
from dendrometry.cli._shared.output import TABLES, Force, Quiet, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.cli._shared.texts import Json, TextOptions, Texts, add_text_options

if TYPE_CHECKING:
    from dendrometry.text.collection import Documents
    from dendrometry.text.duplicates import NearDuplicates

_MOST_NAMES = 4
_HEAD = ("document", "group", "nearest", "cosine")


@add_text_options
def duplicates(
    text_options: TextOptions,
    documents: Texts,
    threshold: Annotated[float, option("COSINE", "The smallest cosine that links two documents, at most 1.")] = 0.9,
    json: Json = False,
    out: Annotated[
        str | None,
        option(
            "FILE",
            "Write the documents of all groups, with their nearest and its cosine (.csv, .tsv, .json, .md, .tex).",
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Find groups of documents that are nearly the same.

    Two documents belong to one group if a chain of documents links them in which each cosine is at least the threshold
    (single link). Prints the groups, largest first, and what was left out. The file of --out has a row for each
    document of a group: its group, the document it is linked to by the greatest cosine, and that cosine.

    \b
    Examples:
      dendrometry duplicates news.csv --text body --title headline --threshold 0.8
      dendrometry duplicates folder --out groups.csv
    """
    from dendrometry.text.duplicates import check_threshold, near_duplicates
    from dendrometry.text.vectorize import read_documents

    require_new(out, force, endings=TABLES)
    check_threshold(threshold)
    progress = not quiet and on_terminal()
    found = read_documents(
        documents,
        **text_options.arguments(),
        progress=progress,
    )
    result = near_duplicates(found, threshold=threshold, progress=progress)
    if out is not None:
        write_result(out, table_encoders(_HEAD, _rows(result), lambda: _json(found, result)), force=force)
    if json:
        print(_json(found, result))
    else:
        _print(found, result, table=out is None)


def _print(found: "Documents", result: "NearDuplicates", table: bool) -> None:
    """Print the groups, as a table if ``table``, and what they are based on."""
    from dendrometry.text.collection import skip_sentence

    groups = result.groups
    if table and groups:
        print_table(("documents", "group"), [(f"{len(group):,}", _names(group)) for group in groups])
        print()
    inside = sum(map(len, groups))
    print(f"{plural(len(groups), 'group')} with {inside:,} of {plural(found.n_items, 'document')}")
    print(f"linked by a cosine of at least {result.threshold:g}; {plural(result.n_compared, 'pair')} compared in full")
    print(skip_sentence(found.n_items + len(found.skipped), found.skipped))


def _names(group: list[str]) -> str:
    """Return the first names of a group, and the number of further ones."""
    more = f" and {len(group) - _MOST_NAMES:,} more" if len(group) > _MOST_NAMES else ""
    return ", ".join(map(printable, group[:_MOST_NAMES])) + more


def _rows(result: "NearDuplicates") -> list[list[object]]:
    """Return a row for each document of a group of two or more: its group, its nearest and their cosine."""
    nearest: dict[str, tuple[float, str]] = {}
    for pair, cosine in zip(result.links.tolist(), result.similarity.tolist(), strict=True):
        first, second = (result.items[i] for i in pair)
        for item, other in ((first, second), (second, first)):
            nearest[item] = max(nearest.get(item, (cosine, other)), (cosine, other), key=lambda found: found[0])
    groups = enumerate(result.groups, start=1)
    return [[item, number, nearest[item][1], nearest[item][0]] for number, group in groups for item in group]


def _json(found: "Documents", result: "NearDuplicates") -> str:
    """Return the groups, their links and what was left out as JSON text."""
    import json

    links = [
        {"first": result.items[a], "second": result.items[b], "similarity": similarity}
        for (a, b), similarity in zip(result.links.tolist(), result.similarity.tolist(), strict=True)
    ]
    content = {
        "n_documents": found.n_items,
        "threshold": result.threshold,
        "n_compared": result.n_compared,
        "groups": result.groups,
        "links": links,
        "skipped": [left_out._asdict() for left_out in found.skipped],
    }
    return json.dumps(content, indent=2)
