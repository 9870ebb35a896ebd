"""``dendrometry compare A B``: how alike two trees or flat clusterings are, by every measure that applies."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, cast

from dendrometry._check.choices import one_of
from dendrometry._files import PAGES, unicode_name
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import A_TREE, MatchNamesOption, Options, add_reading_options, trees_at
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, announce, require_new, table_encoders, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError
from dendrometry.measures.registry import PARTITION_MEASURES, TREE_MEASURES, measure_meant

if TYPE_CHECKING:
    from dendrometry.comparison.comparison import Comparison
    from dendrometry.overlap import MatchNames, OnMismatch, Overlap

_MEASURES = (*TREE_MEASURES, *PARTITION_MEASURES)


@add_reading_options
def compare(
    how: Options,
    a: Annotated[str, argument("A", f"The first tree, the reference: {A_TREE}.")],
    b: Annotated[str, argument("B", "The second tree, in a file of any of these kinds.")],
    json: Annotated[
        bool, switch("--json", "Print a summary as JSON: the measures and what they are based on.")
    ] = False,
    out: Annotated[
        str | None, option("FILE", "Write the measures (.csv, .tsv, .md, .tex), or the summary (.json).")
    ] = None,
    force: Force = False,
    measure: Annotated[
        list[str] | None,
        option(
            "NAME", "Only this measure; may be given several times. 'dendrometry measures' lists them.", among=_MEASURES
        ),
    ] = None,
    intersect: Annotated[
        bool,
        switch(
            "--intersect", "Compare the common items if the trees do not contain the same items: at least half of each."
        ),
    ] = False,
    intersect_any: Annotated[bool, switch("--intersect-any", "As --intersect, however few items are common.")] = False,
    match_names: MatchNamesOption = "exact",
    permutations: Annotated[
        int | None,
        option(
            "NUMBER",
            "Number of random relabellings for each test, of every measure; 0 for no p-value. By default only"
            " the verdict's measure is tested.",
            min=0,
        ),
    ] = None,
    report: Annotated[str | None, option("FILE", "Also write a report: one HTML page of figures and tables.")] = None,
    engine: Annotated[
        str | None,
        option(
            "NAME",
            "Count tables that are too large for memory in a database: duckdb, spark, or sc://… for Spark Connect."
            " A and B have a path or label for each item, and may be folders or patterns of files.",
            among=("duckdb", "spark"),
        ),
    ] = None,
) -> None:
    """Compare two trees by every measure that applies.

    Items are matched by name. A verdict comes first, then each measure beside its value by chance;
    'adjusted' is 0 for chance and 1 for identical trees. Two flat clusterings (one label per item, no levels) are
    compared by measures of partitions, such as adjusted Rand, unless --measure names a measure of trees.

    \b
    Examples:
      dendrometry compare truth.csv found.nwk
      dendrometry compare truth.csv found.nwk --report report.html
      dendrometry compare truth.csv found.nwk --measure hierarchy_agreement --json
      dendrometry compare truth.csv found.nwk --permutations 999
      dendrometry compare labels.csv clusters.csv --measure adjusted_rand
      dendrometry compare shop_2023.csv shop_2024.csv --path-column category --sep ' > '
      dendrometry compare truth.csv - --format newick < found.nwk
      dendrometry compare 'old/*.parquet' 'new/*.parquet' --engine duckdb
    """
    require_new(out, force, endings=TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    for name in measure or ():
        one_of(name, "--measure", _MEASURES, meant=measure_meant)
    one_of(match_names, "--match-names", ("exact", "loose"))
    on_mismatch: OnMismatch = "intersect_any" if intersect_any else "intersect" if intersect else "error"
    counted = None if engine is None else _count(a, b, engine, how, on_mismatch, match_names)
    with spinner("comparing", on_terminal()):
        from dendrometry.comparison.compare import compare_overlap

        overlap = _overlap(a, b, how, on_mismatch, match_names) if counted is None else counted
        result = compare_overlap(
            overlap, names=names_of_files(a, b), measures=measure or None, n_permutations=permutations
        )
        summary = result.to_json() if json or out is not None else ""
        facts, verdict = result.facts(), result.verdict
    if report is not None:
        from dendrometry.report.report import report as write_report

        write_report(result, report, force=force, progress=on_terminal())
        announce(report)
    if out is not None:
        records = result.table.records()
        rows = [list(record.values()) for record in records]
        write_result(out, table_encoders(list(records[0]), rows, lambda: summary), force=force)
        if any(result.left_out):
            print(verdict, file=sys.stderr)
    if json:
        print(summary)
    elif out is None:
        print(f"Verdict: {verdict}\n")
        print_comparison(result, facts)
        if permutations:
            print(f"\nFor a methods section: {result.methods}")


def _overlap(a: str, b: str, how: Options, on_mismatch: "OnMismatch", match_names: str) -> "Overlap":
    """Return the overlap of the trees in two files."""
    from dendrometry.overlap import Overlap

    first, second = trees_at([a, b], how)
    return Overlap.of(
        first,
        second,
        names=names_of_files(a, b),
        on_mismatch=on_mismatch,
        match_names=cast("MatchNames", match_names),
    )


def _count(a: str, b: str, engine: str, how: Options, on_mismatch: "OnMismatch", match_names: str) -> "Overlap":
    """Return the overlap of two tables, counted by an engine."""
    from dendrometry.engine.item_table import ItemTable
    from dendrometry.engine.overlap_from_tables import overlap_from_tables

    if how._replace(path_column=None, sep=None) != Options() or match_names != "exact":
        raise InvalidInputError(
            "with --engine, only --path-column and --sep say how tables are read; got another option"
        )
    first, second = (ItemTable(source=path, node=how.path_column, sep=how.sep) for path in (a, b))
    names = names_of_files(a, b)
    return overlap_from_tables(
        first, second, engine=engine, on_mismatch=on_mismatch, names=names, progress=on_terminal()
    )


def names_of_files(a: str, b: str) -> tuple[str, str] | None:
    """Return the names of the trees in two files, without folders if that distinguishes them; None if the same."""
    if a == b:
        return None
    first, second = ("standard input" if path == "-" else os.path.basename(path) for path in (a, b))
    names = (a, b) if first == second else (first, second)
    return unicode_name(names[0]), unicode_name(names[1])


def print_comparison(result: "Comparison", facts: list[str]) -> None:
    """Print the table of measures, the meaning of each, what they are based on, and those that are not informative."""
    if result.partition is None:
        print(*result.tell_containment(), "", sep="\n")
    rows = result.table.rows()
    if rows:
        print_table(result.table.head, rows)
        print()
    for line in result.lines:
        if not line.caveat:
            print(f"{line.name}: {line.tell(*result.display_names)}")
    print()
    for fact in facts:
        print(fact)
    uninformative = result.table.uninformative()
    if uninformative:
        print("\nNot informative here:")
        for reason in uninformative:
            print(f"  {reason}")
