"""The verdict: how alike, in one sentence."""

from math import inf

from dendrometry._display import plural
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.comparison import Comparison, Line
from dendrometry.comparison.partition_comparison import PartitionComparison, PartitionLine

__all__ = [
    "chief_line",
    "chief_partition_line",
    "clusters_found",
    "judged",
    "p_text",
    "partition_verdict",
    "verdict",
    "way_text",
]

_DEGREES = (
    (0.9, "almost the same"),
    (0.6, "much alike"),
    (0.3, "partly alike"),
    (0.1, "a little alike"),
    (-inf, "hardly more alike than by chance"),
)
_DOUBT = 0.05


def chief_line(comparison: Comparison) -> Line | None:
    """Return the measure that speaks for the others: the first that is adjusted for chance, else the first measured."""
    measured = [line for line in comparison.lines if line.score is not None]
    adjusted = [line for line in measured if line.adjusted is not None]
    return next(iter(adjusted or measured), None)


def chief_partition_line(result: PartitionComparison) -> PartitionLine | None:
    """Return the measure that speaks for the others: `adjusted_rand`, else the first that is adjusted for chance."""
    adjusted = [line for line in result.lines if line.adjusted is not None]
    chief = [line for line in adjusted if line.name == "adjusted_rand"]
    return next(iter(chief or adjusted or result.lines), None)


def clusters_found(comparison: Comparison) -> tuple[int, int] | None:
    """Return how many clusters of the first tree the second has, and how many there are: those of more than one item.

    The cluster of all items, which every tree has, does not count.
    """
    matches = comparison.matches
    if matches is None:
        return None
    counts = (matches.size > 1) & (matches.size < comparison.n_items)
    return int((counts & (matches.f == 1.0)).sum()), int(counts.sum())


def way_text(adjusted: float) -> str:
    """Return an adjusted value in percent, never the 100 % of identical trees for trees that are not."""
    if 0.995 <= adjusted < 1.0:
        return ">99%"
    return f"{round(adjusted, 2) + 0.0:.0%}".replace("-", "−")


def p_text(p: float) -> str:
    """Return a p-value as text, with as many digits as it has."""
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def verdict(comparison: Comparison, tests: Chance) -> str:
    """Return how alike the trees are, in one sentence.

    Examples
    --------
    >>> from dendrometry import compare, from_newick
    >>> from dendrometry.comparison.chance import against_chance
    >>> from dendrometry.comparison.verdict import verdict
    >>> a, b = from_newick("((ape,cat),(elk,(fox,owl)));"), from_newick("((ape,cat,elk),(fox,owl));")
    >>> result = compare(a, b)
    >>> verdict(result, against_chance(result)).split(":")[0]
    'The two trees are a little alike, but no more than chance may make them'
    """
    if comparison.n_items == 1:
        return "There is a single item, so there is nothing to tell the trees apart."
    line = chief_line(comparison)
    if line is None:
        return "None of the measures asked for applies to these trees."
    found = clusters_found(comparison)
    of_found = f"; {_in_both(*found)}" if found and found[1] else ""
    if line.value == line.measure.identical:
        return f"The two trees are the same by {line.name}{of_found}."
    if line.adjusted is None:
        return (
            f"By {line.name} the two trees score {line.value:.3g}, which has no chance level to be judged by{of_found}."
        )
    return f"The two trees are {judged(line, tests)}{of_found}."


def partition_verdict(result: PartitionComparison, tests: Chance) -> str:
    """Return how alike two flat clusterings are, in one sentence.

    Examples
    --------
    >>> from dendrometry.comparison import compare_partitions
    >>> from dendrometry.comparison.chance import against_relabelling
    >>> from dendrometry.comparison.verdict import partition_verdict
    >>> result = compare_partitions([0, 0, 1, 1, 2], [0, 0, 1, 1, 1])
    >>> partition_verdict(result, against_relabelling(result)).split(";")[1]
    ' 1 of 3 clusters stands in both.'
    """
    if result.n_items == 1:
        return "There is a single item, so there is nothing to tell the clusterings apart."
    of_kept = _in_both(result.n_kept, result.table.n_a)
    if result.table.is_identical:
        return f"The two clusterings are the same: {of_kept}."
    line = chief_partition_line(result)
    if line is None or line.adjusted is None:
        scored = "" if line is None else f" score {line.value:.3g} by {line.name}, which has no chance level here;"
        return f"The two clusterings{scored or ':'} {of_kept}."
    return f"The two clusterings are {judged(line, tests)}; {of_kept}."


def _in_both(count: int, of: int) -> str:
    """Return how many clusters stand in both."""
    return f"{count:,} of {plural(of, 'cluster')} {'stands' if count == 1 or of == 1 else 'stand'} in both"


def judged(line: Line | PartitionLine, tests: Chance) -> str:
    """Return in words how alike an adjusted value says that two things are."""
    adjusted = line.adjusted or 0.0
    degree = next(words for least, words in _DEGREES if adjusted >= least)
    p = tests.p_value.get(line.name)
    doubt = ", but no more than chance may make them" if p is not None and p > _DOUBT and adjusted >= 0.1 else ""
    sure = "" if p is None else f" (p = {p_text(p)})"
    return f"{degree}{doubt}: {way_text(max(adjusted, 0.0))} of the way from chance to identical by {line.name}{sure}"
