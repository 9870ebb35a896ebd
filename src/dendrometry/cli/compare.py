"""``dendrometry compare A B``: how alike two trees are, by every measure that applies."""

import os
import sys
from typing import Annotated

import typer

from dendrometry.cli.table import print_table
from dendrometry.cli.trees import ENDINGS, StandardInputFormat, trees_at
from dendrometry.compare.compare import compare as compare_trees
from dendrometry.compare.comparison import Comparison
from dendrometry.io.whole import check_place
from dendrometry.report.progress import working

__all__ = ["compare"]


def compare(
    a: Annotated[
        str, typer.Argument(metavar="A", help=f"The first tree, the reference: a file ({ENDINGS}, or these with .gz).")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The second tree, in a file of any of these kinds.")],
    json: Annotated[
        bool,
        typer.Option("--json", help="Print a summary as JSON: the measures and the ten items of most disagreement."),
    ] = False,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this measure; may be given several times. See 'measures'."),
    ] = None,
    intersect: Annotated[
        bool, typer.Option("--intersect", help="Compare the common items if the trees hold different ones.")
    ] = False,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write a report: one HTML page of curves, trees and tables."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No signs of progress.")] = False,
    format: StandardInputFormat = None,
) -> None:
    """Compare two trees by every measure that applies.

    Example: dendrometry compare truth.csv found.nwk --report report.html
    """
    progress = report is not None and not quiet and sys.stderr.isatty()
    if report is not None:
        check_place(report, force=force)
    with working("comparing", progress):
        trees = trees_at([a, b], format)
        result = compare_trees(*trees, measures=measure or None, on_mismatch="intersect" if intersect else "error")
    if report is not None:
        result.report(report, names=(_name(a), _name(b)), force=force, progress=progress)
    if json:
        print(result.to_json())
    else:
        _print(result)


def _name(path: str) -> str:
    """Return what a report calls the tree in a file."""
    return "standard input" if path == "-" else os.path.basename(path)


def _print(result: Comparison) -> None:
    """Print the table of measures, what each says, and what it stands on."""
    applies = [line for line in result.lines if line.score is not None]
    if applies:
        print_table(Comparison.HEAD, [line.cells() for line in applies])
        print()
    for line in result.lines:
        print(f"{line.name}: {line.sentence}")
    print()
    for fact in result.facts():
        print(fact)
