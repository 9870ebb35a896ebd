"""``dendrometry measures``: what can be measured, and what holds for each measure."""

from dendrometry.cli.table import print_table
from dendrometry.compare.registry import MEASURES, Measure

__all__ = ["measures"]

_HEAD = ("measure", "symbol", "range", "more alike", "symmetric", "triangle", "heights", "source")


def measures() -> None:
    """List the measures of two trees."""
    print_table(_HEAD, map(_row, MEASURES.values()))
    print()
    for measure in MEASURES.values():
        print(f"{measure.name}: {measure.says}")


def _row(measure: Measure) -> tuple[str, ...]:
    """Return one measure as text."""
    claims = ("yes" if claim else "no" for claim in (measure.symmetric, measure.triangle))
    heights = "needed" if measure.needs_heights else "not used"
    return (measure.name, measure.symbol, measure.span, measure.better, *claims, heights, measure.source)
