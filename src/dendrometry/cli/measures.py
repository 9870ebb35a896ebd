"""``dendrometry measures``: what can be measured, and what holds for each measure."""

from typing import TYPE_CHECKING, Annotated

import typer

from dendrometry.cli.output import TABLES, Force, require_new, table_encoders, write_result
from dendrometry.cli.table import print_table

if TYPE_CHECKING:
    from dendrometry.compare.registry import Measure

__all__ = ["measures"]

_HEAD = ("measure", "symbol", "range", "more alike", "symmetric", "triangle", "heights", "source")


def measures(
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write it to a .csv, .tsv or .json file.")] = None,
    force: Force = False,
) -> None:
    """List the measures of two trees.

    Says what each tells, and what holds for it: range, direction, symmetry, triangle inequality, source.

    \b
    Examples:
      dendrometry measures
      dendrometry measures --json
    """
    from dendrometry.compare.registry import MEASURES

    require_new(out, force, endings=TABLES)
    head = (*_HEAD, "says")
    rows = [(*_row(measure), measure.says) for measure in MEASURES.values()]
    if out is not None:
        write_result(out, table_encoders(head, rows, lambda: _json(head, rows)), force=force)
    elif json:
        print(_json(head, rows))
    else:
        print_table(_HEAD, [row[:-1] for row in rows])
        print()
        for name, *_, says in rows:
            print(f"{name}: {says}")


def _row(measure: "Measure") -> tuple[str, ...]:
    """Return one measure as text."""
    claims = ("yes" if claim else "no" for claim in (measure.symmetric, measure.triangle))
    heights = "needed" if measure.needs_heights else "not used"
    return (measure.name, measure.symbol, measure.span, measure.better, *claims, heights, measure.source)


def _json(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return the list as JSON text."""
    import json

    return json.dumps([dict(zip(head, row, strict=True)) for row in rows], indent=2)
