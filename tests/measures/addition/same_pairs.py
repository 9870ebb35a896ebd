"""Same pairs: a measure of trees that exists for a test alone."""

from dendrometry.io.coerce import HierarchyLike, as_hierarchies
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.tree_pair.pair import Pair
from dendrometry.tree_pair.statistics import PairStatistics


def same_pairs(a: HierarchyLike, b: HierarchyLike) -> float:
    """Share of ticks at which both trees have the same pairs together."""
    a, b = as_hierarchies(a, b)
    return score(PairStatistics(Pair.of_trees(a, b))).value


def score(statistics: PairStatistics) -> Score:
    """Return the Hierarchy Agreement Index under another name."""
    walk, n = statistics.by_size, statistics.pair.n_items
    value = (n**3 - 2 * int(walk.discordance)) / n**3
    expected = value if walk.frame.is_fixed else 1.0 - 2 * walk.frame.expected_discordance / n**3
    return Score(value, expected, adjust(value, expected, 1.0))


def variant(statistics: PairStatistics, names: tuple[str, str]) -> dict[str, str]:
    """Return a choice of the measure."""
    return {"pairs": f"{statistics.pair.n_items} items of {names[1]}"}


MEASURE = Measure(
    call=same_pairs,
    of="trees",
    symbol="SP",
    title="Same pairs",
    score=score,
    triangle=True,
    variant=variant,
    locates_clusters=True,
    locates_items=True,
    meaning="a dummy of a measure",
    formula="SP = 1",
    chance="0, exact",
    source="nowhere",
    bibtex="johnson2013",
)
