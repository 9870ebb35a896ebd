"""``dendrometry measures``: a list of the measures and their properties."""

from typing import TYPE_CHECKING, Annotated

from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.measures.measure import Measure

_SHARED = ("measure", "symbol", "range", "more alike", "symmetric", "triangle")
_OF_TREES = (*_SHARED, "heights", "source")
_OF_PARTITIONS = (*_SHARED, "source")


def measures(
    name: Annotated[
        str | None, argument("NAME", "A name or an abbreviation from anywhere, such as cid, ARI or UPGMA.")
    ] = None,
    json: Annotated[bool, switch("--json", "Print the list as JSON.")] = False,
    bibtex: Annotated[bool, switch("--bibtex", "Print the sources as BibTeX entries instead.")] = False,
    out: Annotated[str | None, option("FILE", "Write it to a .csv, .tsv, .json, .md or .tex file.")] = None,
    force: Force = False,
) -> None:
    """List the measures, or find one by any of its names.

    Describes each measure: meaning, range, direction, symmetry, triangle inequality, source. With a name, says what it
    is called here; for a wrong name, the nearest.

    \b
    Examples:
      dendrometry measures
      dendrometry measures cid
      dendrometry measures --json
      dendrometry measures --bibtex > measures.bib
    """
    from dendrometry.measures.measure import bibtex_entries
    from dendrometry.measures.registry import MEASURES

    if name is not None:
        if json or bibtex or out is not None:
            raise InvalidInputError("NAME finds one measure; it cannot be combined with --json, --bibtex or --out")
        _print_found(name)
        return
    if bibtex:
        if json or out is not None:
            raise InvalidInputError("--bibtex prints entries; it cannot be combined with --json or --out")
        print("\n\n".join(dict.fromkeys((*(measure.bibtex for measure in MEASURES.values()), *bibtex_entries()))))
        return
    require_new(out, force, endings=TABLES)
    trees = [_of_trees(measure) for measure in MEASURES.values() if measure.of == "trees"]
    partitions = [_of_partitions(measure) for measure in MEASURES.values() if measure.of == "partitions"]
    entries = [{"of": what} | entry for what, some in (("trees", trees), ("partitions", partitions)) for entry in some]
    if out is not None:
        head = ("of", *_SHARED, "heights", "source", "meaning", "also called")
        rows = [[entry.get(name, "") for name in head] for entry in entries]
        write_result(out, table_encoders(head, rows, lambda: _json(entries)), force=force)
    elif json:
        print(_json(entries))
    else:
        print("Of two trees:\n")
        _print(_OF_TREES, trees)
        print("\nOf two flat clusterings:\n")
        _print(_OF_PARTITIONS, partitions)


def _print_found(word: str) -> None:
    """Print what a name stands for; of a measure also its formula, range, mean by chance and source."""
    from dendrometry.measures.find import find
    from dendrometry.measures.registry import MEASURES

    found = find(word)
    print(found)
    if found.name in MEASURES:
        measure = MEASURES[found.name]
        print(f"\n{measure.formula}\n")
        print(f"range: {measure.span}" + ("" if measure.better == "neither" else f", {measure.better} is more alike"))
        print(f"by chance: {measure.chance}")
        print(f"source: {measure.source}")


def _of_trees(measure: "Measure") -> dict[str, str]:
    """Return the properties of a measure of trees."""
    heights = "needed" if measure.needs_heights else "not used"
    return _shared(measure) | {"heights": heights} | _ending(measure)


def _of_partitions(measure: "Measure") -> dict[str, str]:
    """Return the properties of a measure of partitions."""
    return _shared(measure) | _ending(measure)


def _shared(measure: "Measure") -> dict[str, str]:
    """Return the first columns, which all measures share."""
    first = (measure.name, measure.symbol, measure.span, measure.better)
    return dict(zip(_SHARED, (*first, _yes(measure.symmetric), _yes(measure.triangle)), strict=True))


def _ending(measure: "Measure") -> dict[str, str]:
    """Return the last columns, which all measures share."""
    also = {"also called": ", ".join(measure.aliases)} if measure.aliases else {}
    return {"source": measure.source, "meaning": measure.describe()} | also


def _yes(claim: bool) -> str:
    """Return a truth value as text."""
    return "yes" if claim else "no"


def _print(head: tuple[str, ...], entries: list[dict[str, str]]) -> None:
    """Print a table, then the meaning of each measure."""
    print_table(head, [[entry[name] for name in head] for entry in entries])
    print()
    for entry in entries:
        print(f"{entry['measure']}: {entry['meaning']}{_also(entry)}")


def _also(entry: dict[str, str]) -> str:
    """Return the other names of a measure, in brackets."""
    return f" (also called {entry['also called']})" if "also called" in entry else ""


def _json(entries: list[dict[str, str]]) -> str:
    """Return the list as JSON text."""
    import json

    return json.dumps(entries, indent=2)
