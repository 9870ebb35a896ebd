"""``dendrometry compare A B``: how alike two trees or flat clusterings are, by every measure that applies."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, cast

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._display import plural
from dendrometry._files import PAGES, unicode_name
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.inputs import (
    A_TREE,
    MatchNamesOption,
    Options,
    PathsOption,
    add_reading_options,
    columns_of_paths,
    pair_of_trees,
)
from dendrometry.cli._shared.options import argument, option, switch
from dendrometry.cli._shared.output import TABLES, Force, announce, require_new, table_encoders, tell, write_result
from dendrometry.cli._shared.table import print_table
from dendrometry.errors import InvalidInputError
from dendrometry.measures.registry import PARTITION_MEASURES, TREE_MEASURES, measure_meant

if TYPE_CHECKING:
    from dendrometry.comparison.comparison import Comparison
    from dendrometry.comparison.unrooted import UnrootedComparison
    from dendrometry.overlap import MatchNames, OnMismatch, Overlap

_ENGINES = ("memory", "duckdb", "spark")
_MEASURES = (*TREE_MEASURES, *PARTITION_MEASURES)


@add_reading_options
def compare(
    how: Options,
    a: Annotated[str, argument("A", f"The first tree, the reference: {A_TREE}.")],
    b: Annotated[str | None, argument("B", "The second tree, in a file of any of these kinds.")] = None,
    paths: PathsOption = None,
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
    unrooted: Annotated[
        bool, switch("--unrooted", "Ignore the roots: compare the splits and quartets of phylogenies.")
    ] = False,
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
    nodes: Annotated[
        str | None,
        option(
            "FILE",
            "Also write every cluster of A with its best match in B, and the p-value that it recurs there"
            " (.csv, .tsv, .json, .md, .tex).",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        option(
            "NAME",
            "How tables are read: memory, row by row; or counted in a database: duckdb, spark, or sc://… for Spark"
            " Connect. A and B then have a path or label for each item, and may be folders or patterns of files. By"
            " default duckdb for two tables of which one has 16 MiB or more, if it takes them as memory does.",
            among=_ENGINES,
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
      dendrometry compare truth.csv found.nwk --nodes clusters.csv
      dendrometry compare species.nwk gene.nwk --unrooted --intersect
      dendrometry compare labels.csv clusters.csv --measure adjusted_rand
      dendrometry compare shop_2023.csv shop_2024.csv --path-column category --sep ' > '
      dendrometry compare shop.csv --paths old,new
      dendrometry compare truth.csv - --format newick < found.nwk
      dendrometry compare 'old/*.parquet' 'new/*.parquet' --engine duckdb
    """
    require_new(out, force, endings=TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    require_new(nodes, force, endings=TABLES, option="--nodes")
    for name in measure or ():
        one_of(name, "--measure", _MEASURES, meant=measure_meant)
    one_of(match_names, "--match-names", ("exact", "loose"))
    on_mismatch: OnMismatch = "intersect_any" if intersect_any else "intersect" if intersect else "error"
    names = names_of_trees(a, b, paths)
    if unrooted:
        _require_only_measures(report, nodes, engine)
        trees = pair_of_trees(a, b, paths, how)
        with spinner("comparing", on_terminal()):
            from dendrometry.comparison.unrooted import compare_unrooted

            without = compare_unrooted(
                *trees,
                names=names,
                measures=measure or None,
                on_mismatch=on_mismatch,
                match_names=cast("MatchNames", match_names),
                n_permutations=permutations or 0,
            )
        _write_measures(without, out, force=force)
        _print_unrooted(without, json=json, table=out is None)
        return
    counted = _counted(a, b, engine, how, on_mismatch, match_names)
    with spinner("comparing", on_terminal()):
        from dendrometry.comparison.compare import compare_overlap

        overlap = _overlap(a, b, paths, how, on_mismatch, match_names) if counted is None else counted
        result = compare_overlap(overlap, names=names, measures=measure or None, n_permutations=permutations)
        summary = result.to_json() if json else ""
        facts, verdict = result.facts(), result.verdict
    _write_report(result, report, force=force)
    _write_nodes(result, nodes, force=force)
    _write_measures(result, out, force=force)
    if out is not None and any(result.left_out):
        print(verdict, file=sys.stderr)
    if json:
        print(summary)
    elif out is None:
        print(f"Verdict: {verdict}\n")
        print_comparison(result, facts)
        if result.methods:
            print(f"\nFor a methods section: {result.methods}")


def _write_measures(result: "Comparison | UnrootedComparison", path: str | None, *, force: bool) -> None:
    """Write the measures, or the summary as JSON, if asked for."""
    if path is not None:
        records = result.table.records()
        rows = [list(record.values()) for record in records]
        write_result(path, table_encoders(list(records[0]), rows, result.to_json), force=force)


def _require_only_measures(*others: str | None) -> None:
    """Refuse options that --unrooted does not take."""
    if any(other is not None for other in others):
        raise InvalidInputError("--unrooted takes no --report, --nodes and --engine; got one of them")


def _print_unrooted(result: "UnrootedComparison", *, json: bool, table: bool) -> None:
    """Print the summary as JSON, or the table of measures, the meaning of each, and what they are based on."""
    if json:
        print(result.to_json())
    if json or not table:
        return
    print_table(result.table.head, result.table.rows())
    print()
    for line in result.table.informative:
        print(f"{line.name}: {line.tell(*result.names)}")
    print("", *result.facts(), sep="\n")
    if result.methods:
        print(f"\nFor a methods section: {result.methods}")


def _write_report(result: "Comparison", path: str | None, *, force: bool) -> None:
    """Write a page of figures and tables, if asked for."""
    if path is not None:
        from dendrometry.report.report import report as write_report

        write_report(result, path, force=force, progress=on_terminal())
        announce(path)


def _write_nodes(result: "Comparison", path: str | None, *, force: bool) -> None:
    """Write every cluster of the first tree with the p-value that it recurs in the second, if asked for."""
    if path is None:
        return
    from json import dumps

    from dendrometry.significance.recurrence import ALPHA

    found = result.recurrence
    if found is None:
        raise InvalidInputError("--nodes needs trees that are less deep: these would take too long")
    columns = found.columns()
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    content = {"n_items": found.n_items, "methods": found.methods, "clusters": records}
    rows = [list(record.values()) for record in records]
    write_result(path, table_encoders(list(columns), rows, lambda: dumps(content, indent=2)), force=force)
    recurring = f"{int(found.recurs().sum()):,} of {plural(len(found), 'cluster')} of {result.display_names[0]}"
    print(f"{recurring} recur more closely than by chance (family-wise error {ALPHA:g})", file=sys.stderr)


def _overlap(
    a: str, b: str | None, paths: str | None, how: Options, on_mismatch: "OnMismatch", match_names: str
) -> "Overlap":
    """Return the overlap of the trees in two files."""
    from dendrometry.overlap import Overlap

    first, second = pair_of_trees(a, b, paths, how)
    return Overlap.of(
        first,
        second,
        names=names_of_trees(a, b, paths),
        on_mismatch=on_mismatch,
        match_names=cast("MatchNames", match_names),
    )


def _counted(
    a: str, b: str | None, engine: str | None, how: Options, on_mismatch: "OnMismatch", match_names: str
) -> "Overlap | None":
    """Return the overlap of two tables that are counted by an engine; None for files to be read."""
    if engine is None:
        return None if b is None else _count_if_large(a, b, how, on_mismatch, match_names)
    if not engine.startswith("sc://"):
        one_of(engine, "--engine", _ENGINES)
    return None if engine == "memory" else _count(a, b, engine, how, on_mismatch, match_names)


def _count_if_large(a: str, b: str, how: Options, on_mismatch: "OnMismatch", match_names: str) -> "Overlap | None":
    """Return the overlap of two tables, counted by DuckDB, if they are large; say which way was taken."""
    from dendrometry.engine.table_size import size_of_large

    size = size_of_large(a, b)
    if not size:
        return None
    from dendrometry.engine.large import count_if_large
    from dendrometry.io._shared.options import TableChoice
    from dendrometry.io._shared.requirements import warn_assumed

    counted, reason = None, "another option needs them"
    if _suits_engine(how, match_names):
        choice = TableChoice(item=how.items, path_column=how.path_column, sep=how.sep)
        names = names_of_files(a, b)
        counted = count_if_large(a, b, choice, on_mismatch=on_mismatch, names=names, progress=on_terminal())
        reason = "DuckDB is missing, or would take the tables otherwise"
    if counted is None:
        tell(f"reading all rows of {size}: {reason}")
        return None
    tell(f"counted {size} by DuckDB, as --engine duckdb does; --engine memory reads all rows, and names items")
    warn_assumed(counted.notes)
    return counted.overlap


def _suits_engine(how: Options, match_names: str) -> bool:
    """Whether no option needs the rows of a table."""
    return how._replace(items=None, path_column=None, sep=None) == Options() and match_names == "exact"


def _count(a: str, b: str | None, engine: str, how: Options, on_mismatch: "OnMismatch", match_names: str) -> "Overlap":
    """Return the overlap of two tables, counted by an engine."""
    from dendrometry.engine.item_table import ItemTable
    from dendrometry.engine.overlap_from_tables import overlap_from_tables

    if not _suits_engine(how, match_names) or b is None:
        raise InvalidInputError(
            "with --engine, only --items, --path-column and --sep say how two tables are read; got another option"
        )
    first, second = (ItemTable(source=path, item=how.items, node=how.path_column, sep=how.sep) for path in (a, b))
    return overlap_from_tables(
        first,
        second,
        engine=engine,
        on_mismatch=on_mismatch,
        names=names_of_files(a, b),
        max_memory=_memory.limit(),
        progress=on_terminal(),
    )


def names_of_trees(a: str, b: str | None, paths: str | None) -> tuple[str, str] | None:
    """Return the names of two trees: of their files, or of their columns in one table."""
    return columns_of_paths(a, b, paths) or names_of_files(a, str(b))


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
