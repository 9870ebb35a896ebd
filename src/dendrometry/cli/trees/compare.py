"""``dendrometry compare A B``: how alike two trees or flat clusterings are, by every measure that applies."""

import os
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dendrometry.cli.names import MEASURES, PARTITION_MEASURES
from dendrometry.cli.terminal.completion import completing
from dendrometry.cli.terminal.output import PAGES, TABLES, Force, require_new, table_encoders, told, write_result
from dendrometry.cli.terminal.progress import watched, working
from dendrometry.cli.terminal.table import print_table
from dendrometry.cli.trees.reading import A_TREE, StandardInputFormat, trees_at

if TYPE_CHECKING:
    from dendrometry.comparison.comparison import Comparison
    from dendrometry.comparison.partition_comparison import PartitionComparison
    from dendrometry.hierarchy import Hierarchy

__all__ = ["compare", "print_comparison"]


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help=f"The first tree, the reference: {A_TREE}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second tree, in a file of any of these kinds.")],
    json: Annotated[
        bool,
        typer.Option("--json", help="Print a summary as JSON: the measures and what they stand on."),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the measures to a .csv or .tsv file, or the summary to a .json file."),
    ] = None,
    force: Force = False,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this measure; may be given several times. 'dendrometry measures' lists them.",
            autocompletion=completing((*MEASURES, *PARTITION_MEASURES)),
        ),
    ] = None,
    intersect: Annotated[
        bool, typer.Option("--intersect", help="Compare the common items if the trees hold different ones.")
    ] = False,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write a report: one HTML page of figures and tables."),
    ] = None,
    format: StandardInputFormat = None,
) -> None:
    """Compare two trees by every measure that applies.

    The trees meet by the names of their items. A verdict in one sentence comes first. Each measure stands beside
    what it would be by chance, and 'adjusted' says where between chance (0) and identical trees (1) it lies. Two
    flat clusterings (items with a label each, no levels) are compared as such: adjusted Rand and the like, unless
    --measure names one of trees.

    \b
    Examples:
      dendrometry compare truth.csv found.nwk
      dendrometry compare truth.csv found.nwk --report report.html
      dendrometry compare truth.csv found.nwk --measure hierarchy_agreement --json
      dendrometry compare labels.csv clusters.csv --measure adjusted_rand
      dendrometry compare truth.csv - --format newick < found.nwk
    """
    require_new(out, force, endings=TABLES)
    require_new(report, force, endings=PAGES, option="--report")
    with working("comparing"):
        first, second = trees_at([a, b], format)
        result = _compared(first, second, measure or None, intersect)
        summary = result.to_json() if json or out is not None else ""
        facts = result.facts()
        says = _verdict(result) if measure is None else ""
    if report is not None:
        from dendrometry.pages.report import report as write_report

        write_report(result, report, names=(_name(a), _name(b)), force=force, progress=watched())
        told(report)
    if out is not None:
        records = result.records()
        rows = [list(record.values()) for record in records]
        write_result(out, table_encoders(list(records[0]), rows, lambda: summary), force=force)
    if json:
        print(summary)
    elif out is None:
        if says:
            print(f"Verdict: {says}\n")
        print_comparison(result, facts)


def _compared(
    first: "Hierarchy", second: "Hierarchy", measures: list[str] | None, intersect: bool
) -> "Comparison | PartitionComparison":
    """Return the comparison of two trees, or of two flat clusterings where no measure of trees is asked for."""
    from dendrometry.comparison.compare import compare as compare_trees
    from dendrometry.comparison.partitions import compare_partitions, is_flat

    _require_one_kind(measures or [])
    on_mismatch: Literal["error", "intersect"] = "intersect" if intersect else "error"
    flat = is_flat(first) and is_flat(second) if measures is None else set(measures) <= set(PARTITION_MEASURES)
    if flat:
        return compare_partitions(first, second, measures=measures, on_mismatch=on_mismatch)
    return compare_trees(first, second, measures=measures, on_mismatch=on_mismatch)


def _require_one_kind(names: list[str]) -> None:
    """Refuse names of no measure, and measures of trees beside measures of flat clusterings."""
    from difflib import get_close_matches

    from dendrometry._display import shown
    from dendrometry.errors import InvalidInputError

    known = (*MEASURES, *PARTITION_MEASURES)
    for name in names:
        if name not in known:
            near = "".join(f" (perhaps {match})" for match in get_close_matches(name, known, 1))
            raise InvalidInputError(
                f"the measure must be one of those that 'dendrometry measures' lists; got '{shown(name)}'{near}"
            )
    of_trees, of_partitions = ([name for name in names if name in kind] for kind in (MEASURES, PARTITION_MEASURES))
    if of_trees and of_partitions:
        raise InvalidInputError(
            f"measures of trees and of flat clusterings must be asked for one at a time; got {', '.join(of_trees)}"
            f" of trees, and {', '.join(of_partitions)}"
        )


def _verdict(result: "Comparison | PartitionComparison") -> str:
    """Return how alike the two are, in one sentence; a report also tests that against chance."""
    from dendrometry.comparison.chance import UNTESTED
    from dendrometry.comparison.partition_comparison import PartitionComparison
    from dendrometry.comparison.verdict import partition_verdict, verdict

    if isinstance(result, PartitionComparison):
        return partition_verdict(result, UNTESTED)
    return verdict(result, UNTESTED)


def _name(path: str) -> str:
    """Return what a report calls the tree in a file."""
    return "standard input" if path == "-" else os.path.basename(path)


def print_comparison(result: "Comparison | PartitionComparison", facts: list[str]) -> None:
    """Print the table of measures, what each says, and what it stands on."""
    applies = [line for line in result.lines if line.score is not None]
    if applies:
        print_table(result.HEAD, [line.cells() for line in applies])
        print()
    for line in result.lines:
        print(f"{line.name}: {line.sentence}")
    print()
    for fact in facts:
        print(fact)
