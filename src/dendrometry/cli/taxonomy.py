"""``dendrometry taxonomy OLD NEW``: two taxonomies compared, concept by concept."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from dendrometry._check.choices import one_of
from dendrometry._files import PAGES
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import MatchNamesOption
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import Force, announce, require_new, write_result
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.taxonomy.comparison import TaxonomyComparison

_TABLES = (".csv", ".json")
_FILE = "SKOS or OWL (.skos, .ttl, .rdf, .owl), OBO (.obo), a .csv with columns child and parent, or a tree in any file"


def taxonomy(
    old: Annotated[str, argument("OLD", f"The old, or the true, taxonomy: {_FILE}.")],
    new: Annotated[str, argument("NEW", "The new one, in a file of any of these kinds.")],
    by: Annotated[
        str, option("WHAT", "Match concepts by their identifiers (terms) or names.", among=("terms", "names"))
    ] = "terms",
    match_names: MatchNamesOption = "exact",
    pairs: Annotated[
        str | None,
        option(
            "FILE", "A .csv file with what concepts of the old taxonomy are called in the new one, a pair in each row."
        ),
    ] = None,
    permutations: Annotated[
        int | None, option("NUMBER", "The number of random relabellings; by default as many as take seconds.", min=0)
    ] = None,
    json: Annotated[bool, switch("--json", "Print the scores, the changes and the depths as JSON.")] = False,
    out: Annotated[str | None, option("FILE", "Write the changes (.csv), or everything (.json).")] = None,
    report: Annotated[
        str | None, option("FILE", "Also write a page: scores, changes, and a drawing if they are small.")
    ] = None,
    force: Force = False,
    lines: Annotated[int, option("NUMBER", "Print at most this many changes, 0 for none.", min=0)] = 20,
) -> int:
    """Compare two taxonomies, concept by concept.

    They may be trees, or graphs in which concepts have several parents. Prints edge and ancestor precision, recall and
    F, similarities of places, distances of ancestor sets and triples, each beside chance, and what was moved, renamed,
    missing and invented.

    \b
    Examples:
      dendrometry taxonomy old.skos new.skos
      dendrometry taxonomy go_2023.obo go_2024.obo --report changes.html
      dendrometry taxonomy truth.csv made.csv --by names --match-names loose --out changes.csv
    """
    require_new(out, force, endings=_TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    one_of(by, "--by", ("terms", "names"))
    one_of(match_names, "--match-names", ("exact", "loose"))
    with spinner("comparing", on_terminal()):
        from dendrometry.taxonomy.compare import compare_taxonomies

        found = compare_taxonomies(
            old,
            new,
            by=by,  # type: ignore[arg-type]  # checked above
            match_names=match_names,  # type: ignore[arg-type]  # checked above
            pairs=None if pairs is None else _pairs_at(pairs),
            names=_names(old, new),
            n_permutations=permutations,
        )
    if report is not None:
        from dendrometry.report.report import report as write_report

        write_report(found, report, force=force, progress=on_terminal())
        announce(report)
    if out is not None:
        encoders: dict[str, Callable[[], str | bytes]] = {
            ".csv": lambda: _changes_csv(found),
            ".json": lambda: found.to_json() + "\n",
        }
        write_result(out, encoders, force=force)
    if json:
        print(found.to_json())
    elif out is None:
        _print(found, lines)
    return 0


def _names(old: str, new: str) -> tuple[str, str]:
    """Return what the taxonomies are called: their files without folder and ending, if these differ."""
    import os

    names = [os.path.splitext(os.path.basename(path).removesuffix(".gz"))[0] for path in (old, new)]
    return (names[0], names[1]) if names[0] and names[1] and names[0] != names[1] else ("old", "new")


def _pairs_at(path: str) -> list[tuple[str, str]]:
    """Return the rows of a table of two columns; a first row with the words old and new is its header."""
    import csv
    import io

    from dendrometry.io.codecs import text_of
    from dendrometry.io.files import unpacked_contents

    rows = [row for row in csv.reader(io.StringIO(text_of(unpacked_contents(path, None)))) if row]
    for at, row in enumerate(rows):
        if len(row) != 2:
            raise InvalidInputError(f"{path}: each row must hold a pair of names; row {at + 1} has {len(row)} cells")
    start = int(bool(rows) and [cell.strip().lower() for cell in rows[0]] == ["old", "new"])
    return [(first, second) for first, second in rows[start:]]


def _changes_csv(found: "TaxonomyComparison") -> str:
    """Return the changes as CSV, one row each; several concepts above one are separated by "; "."""
    from dendrometry.cli._shared.table import table_text
    from dendrometry.taxonomy.concept_changes import ConceptChange

    rows = [
        [change.concept, change.what, "; ".join(change.before), "; ".join(change.after), change.renamed, change.n_below]
        for change in found.changes
    ]
    return table_text(ConceptChange._fields, rows, ",")


def _print(found: "TaxonomyComparison", lines: int) -> None:
    """Print the verdict, the scores, and at most as many changes as asked for."""
    from dendrometry.cli._shared.table import print_table

    verdict, *changes = found.tell(lines).splitlines()
    print(verdict, "", sep="\n")
    columns = found.columns()
    columns["p_value"] = [found.p_text(p) or None for p in columns["p_value"]]
    if not found.error.any():
        del columns["standard_error"]
    heads = [name.replace("_", " ") for name in columns]
    print_table(heads, [list(map(_cell, row)) for row in zip(*columns.values(), strict=True)])
    if changes:
        print("", *changes, sep="\n")
    if found.is_tested:
        print(f"\nFor a methods section: {found.methods}")


def _cell(value: "str | float | None") -> str:
    """Return a cell as text."""
    return "–" if value is None else value if isinstance(value, str) else f"{value:.3g}"
