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
        list[str] | None,
        argument("NAME", "A name or an abbreviation from anywhere, such as cid, ARI, UPGMA or ancestor f1."),
    ] = None,
    json: Annotated[bool, switch("--json", "Print it as JSON.")] = False,
    bibtex: Annotated[bool, switch("--bibtex", "Print the sources of all as BibTeX entries instead.")] = False,
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
      dendrometry measures ancestor f1 --json
      dendrometry measures --json
      dendrometry measures --bibtex > measures.bib
    """
    from dendrometry.measures.measure import bibtex_entries
    from dendrometry.measures.registry import MEASURES

    if name:
        if bibtex or out is not None:
            raise InvalidInputError("NAME finds one measure; it cannot be combined with --bibtex or --out")
        _print_found(" ".join(name), as_json=json)
        return
    if bibtex:
        if json or out is not None:
            raise InvalidInputError("--bibtex prints entries; it cannot be combined with --json or --out")
        print("\n\n".join(dict.fromkeys((*(measure.bibtex for measure in MEASURES.values()), *bibtex_entries()))))
        return
    require_new(out, force, endings=TABLES)
    trees = [_record(measure) for measure in MEASURES.values() if measure.of == "trees"]
    partitions = [_record(measure) for measure in MEASURES.values() if measure.of == "partitions"]
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


def _print_found(word: str, *, as_json: bool) -> None:
    """Print what a name stands for; of a measure also its formula, range, mean by chance and source."""
    from dataclasses import asdict

    from dendrometry.measures.find import find
    from dendrometry.measures.registry import MEASURES

    found = find(word)
    measure = MEASURES[found.name] if found.name in MEASURES else None
    if as_json:
        record = {} if measure is None else _record(measure) | {"formula": measure.formula, "by chance": measure.chance}
        print(_json(asdict(found) | {"record": record}))
        return
    print(found)
    if measure is not None:
        print(f"\n{measure.formula}\n")
        print(f"range: {measure.span}" + ("" if measure.better == "neither" else f", {measure.better} is more alike"))
        print(f"by chance: {measure.chance}")
        print(f"source: {measure.source}")


def _record(measure: "Measure") -> dict[str, str]:
    """Return the properties of a measure, and its other names if it has some."""
    first = (
        measure.name,
        measure.symbol,
        measure.span,
        measure.better,
        _yes(measure.symmetric),
        _yes(measure.triangle),
    )
    heights = {"heights": "needed" if measure.needs_heights else "not used"} if measure.of == "trees" else {}
    also = {"also called": ", ".join(measure.aliases)} if measure.aliases else {}
    meaning = {"source": measure.source, "meaning": measure.describe()}
    return dict(zip(_SHARED, first, strict=True)) | heights | meaning | also


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


def _json(entries: object) -> str:
    """Return entries as JSON text."""
    import json

    return json.dumps(entries, indent=2)
