"""The table of properties: every cell holds on all pairs of partitions of up to 6 items, or has a counterexample."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dendrometry import Contingency, split_merge
from dendrometry.measures import bounded_variation_similarity, van_dongen
from dendrometry.measures.measure import Measure
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES
from tests.measures.partitions.exhaustive import BOUND, canonical, representatives, value_matrix, worst_detour
from tests.oracles.measures.partitions import split_merge as split_merge_oracle
from tests.oracles.measures.partitions.mutual_information import mutual_information
from tests.oracles.sets import partitions as oracle

SIZES = range(2, 7)
PAGE = Path(__file__).parents[3] / "docs" / "partition_properties.md"


def _variant(call: Callable[[Contingency], float], **claims) -> Measure:
    """A row of the table that is no measure of its own name."""
    split_merge = MEASURES["split_merge"]
    properties = replace(split_merge.properties, conditionally_normalised=False, **claims)
    return replace(split_merge, call=call, triangle=False, properties=properties)


ROWS = {
    **{name: MEASURES[name] for name in PARTITION_MEASURES},
    "split_merge, mean": _variant(
        lambda table: split_merge(table, combine="mean"),
        normalised=False,
        subcomponent_consistent=False,
        monotone="strictly",
    ),
    "split_merge, max_overlap": _variant(
        lambda table: split_merge(table, score="max_overlap"),
        normalised=False,
        subcomponent_consistent=True,
        monotone="weakly",
    ),
}

every_row = pytest.mark.parametrize("name", ROWS)


def valued(name: str) -> Callable[[Contingency], float]:
    """The measure of one table; the bound is BOUND where one is needed."""
    return lambda table: ROWS[name].of_table(table, BOUND)


def matrix(name: str, n: int) -> np.ndarray:
    """The value of every pair of partitions of n items."""
    return value_matrix(ROWS[name], n)


def is_normalised(values: np.ndarray) -> bool:
    return values.min() == 0.0 and values.max() == 1.0


def is_conditionally_normalised(values: np.ndarray) -> bool:
    """Against each first partition: 1 for itself alone, 0 for some, and from 3 items on something between."""
    same = np.eye(len(values), dtype=bool)
    between = ((values > 0.0) & (values < 1.0)).any(axis=1) | (len(values) == 2)
    ends = ((values == 1.0) == same).all() and (values == 0.0).any(axis=1).all()
    return bool(is_normalised(values) and ends and between.all())


@every_row
def test_normalised(name):
    if ROWS[name].needs_bound:
        found = [bounded_reaches_0(n, 2) for n in range(4, 7)]
        assert found == [True, False, False]
        assert not ROWS[name].properties.normalised
        return
    assert all(is_normalised(matrix(name, n)) for n in SIZES) is ROWS[name].properties.normalised


def bounded_reaches_0(n: int, k: int) -> bool:
    """Whether K with bound k is 0 for some pair of partitions of n items."""
    few = [labels for labels in oracle.partitions(n) if max(labels) < k]
    return any(bounded_variation_similarity(a, b, max_clusters=k) == 0.0 for a in few for b in few)


@pytest.mark.parametrize(("n", "least"), [(4, 0.0), (5, 0.049), (6, 0.041), (8, 0.0)])
def test_the_bounded_variation_reaches_0_only_if_the_items_are_a_multiple_of_the_square_of_the_bound(n, least):
    few = [labels for labels in oracle.partitions(n) if max(labels) < 2]
    firsts = [labels for labels in few if list(labels) == sorted(labels)]
    found = min(bounded_variation_similarity(a, b, max_clusters=2) for a in firsts for b in few)
    assert found == pytest.approx(least, abs=0.0005)
    assert (found == 0.0) == (n % 4 == 0)


@pytest.mark.parametrize("name", ["rand", "normalized_mutual_information", "variation_similarity"])
def test_of_two_items_these_are_conditionally_normalised_and_of_more_they_are_not(name):
    """Proposition 5.1 denies it for any number; by the paper NMI is 0/0 for one cluster twice, and 1 here."""
    assert [is_conditionally_normalised(matrix(name, n)) for n in SIZES] == [True, False, False, False, False]


@every_row
def test_conditionally_normalised(name):
    assert (
        all(is_conditionally_normalised(matrix(name, n)) for n in SIZES)
        is ROWS[name].properties.conditionally_normalised
    )


def test_no_partition_into_two_clusters_is_a_worst_one_for_every_truth_under_the_bounded_variation():
    """K with k = 2 and n = 4: against one cluster it never comes to 0, so it is not conditionally normalised."""
    few = [labels for labels in oracle.partitions(4) if max(labels) < 2]
    assert min(bounded_variation_similarity([0] * 4, b, max_clusters=2) for b in few) == pytest.approx(0.5)


@pytest.mark.parametrize("name", [name for name in ROWS if name not in PARTITION_MEASURES])
def test_variants_are_symmetric_and_no_metrics(name):
    """The measures themselves are judged by the laws."""
    assert ROWS[name].symmetric
    assert not ROWS[name].triangle
    for n in SIZES:
        assert np.array_equal(matrix(name, n), matrix(name, n).T)
        assert ((matrix(name, n) == 1.0) == np.eye(len(matrix(name, n)), dtype=bool)).all()
    assert worst_detour(1.0 - matrix(name, 6)) > 1e-12


@pytest.mark.parametrize(
    ("name", "over"),
    [("rand", lambda n: n * (n - 1) // 2), ("van_dongen", lambda n: 2 * n), ("classification_accuracy", lambda n: n)],
)
def test_rational_metrics_obey_the_triangle_inequality_in_whole_numbers(name, over):
    for n in SIZES:
        scaled = (1.0 - matrix(name, n)) * over(n)
        whole = np.rint(scaled).astype(np.int64)
        assert np.abs(scaled - whole).max() < 1e-9
        assert worst_detour(whole) <= 0


@cache
def value_of(name: str, a: tuple[int, ...], b: tuple[int, ...]) -> float:
    return valued(name)(Contingency.of(a, b))


def by_components(name: str, a, b) -> list[tuple[int, float]]:
    """Size and value of each component."""
    pairs = [(oracle.restricted(a, x), oracle.restricted(b, x)) for x in oracle.join(a, b)]
    return [(len(x), value_of(name, canonical(x), canonical(y))) for x, y in pairs]


def is_decomposable(row):
    """Whether the values and sizes of the components determine the value."""
    return row.decompose is not None and not row.properties.content_weighted


@every_row
def test_decomposable_and_join_weighted(name):
    """A sum over components cannot tell pairs apart whose components have the same sizes and values."""
    seen: dict[tuple[tuple[int, float], ...], float] = {}
    one_value = weighted = True
    for n in SIZES:
        for a, b in representatives(n):
            value = value_of(name, canonical(a), canonical(b))
            parts = by_components(name, a, b)
            key = tuple(sorted((size, round(score, 9)) for size, score in parts))
            one_value &= abs(seen.setdefault(key, value) - value) < 1e-9
            weighted &= abs(math.fsum(size / n * score for size, score in parts) - value) < 1e-12
    assert one_value is is_decomposable(ROWS[name])
    assert weighted is ROWS[name].properties.join_weighted


def adds_up(name: str, over: str) -> bool:
    """Whether the similarity is the mean of those inside the clusters of a third partition, weighted by their sizes.

    ``over`` "refined": of the first, which the second refines (axiom A3 of Meilă 2007, convex additivity); "common":
    of any partition that both refine (her property 8, additivity of composition).
    """
    for n in range(2, 6):
        every = oracle.partitions(n)
        for a, b in representatives(n):
            wholes = [a] if over == "refined" else every
            for whole in wholes:
                if all(any(x <= y for y in oracle.clusters(whole)) for part in (a, b) for x in oracle.clusters(part)):
                    inside = [
                        (len(x), value_of(name, canonical(oracle.restricted(a, x)), canonical(oracle.restricted(b, x))))
                        for x in oracle.clusters(whole)
                    ]
                    mean = math.fsum(size / n * value for size, value in inside)
                    if abs(mean - value_of(name, canonical(a), canonical(b))) > 1e-12:
                        return False
    return True


@pytest.mark.further
@pytest.mark.parametrize("over", ["refined", "common"])
def test_join_weighted_similarities_obey_axiom_a3_and_property_8_of_meila(over):
    """As section 4.1 of Xiang et al. says. So does the variation of information, for which they were stated."""
    for name in ("van_dongen", "classification_accuracy", "bounded_variation_similarity", "split_merge"):
        assert adds_up(name, over), name
    assert adds_up("variation_of_information", over)
    for name in ("rand", "normalized_mutual_information", "variation_similarity", "adjusted_rand"):
        assert not adds_up(name, over), name


SUBCOMPONENT_SCORES = {
    "van_dongen": split_merge_oracle.max_overlap_score,
    "classification_accuracy": split_merge_oracle.max_overlap_score,
    "bounded_variation_similarity": lambda cluster, parts: 1 - oracle.entropy(parts) / math.log(BOUND),
    "split_merge": split_merge_oracle.entropy_score,
    "split_merge, mean": split_merge_oracle.entropy_score,
    "split_merge, max_overlap": split_merge_oracle.max_overlap_score,
}


@every_row
def test_subcomponent_consistent(name):
    if name not in SUBCOMPONENT_SCORES:
        assert ROWS[name].properties.subcomponent_consistent is None
        return
    holds = True
    for n in SIZES:
        whole = frozenset(range(n))
        for labels in oracle.partitions(n):
            score = float(SUBCOMPONENT_SCORES[name](whole, oracle.clusters(labels)))
            for pair in (([0] * n, labels), (labels, [0] * n)):
                holds &= abs(valued(name)(Contingency.of(*pair)) - score) < 1e-12
    assert holds is ROWS[name].properties.subcomponent_consistent


def part_sizes(n: int, most: int | None = None) -> list[tuple[int, ...]]:
    """The ways to write n as a sum, the largest part first."""
    if n == 0:
        return [()]
    return [(i, *rest) for i in range(min(n, most or n), 0, -1) for rest in part_sizes(n - i, i)]


def is_more_even(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """Whether x has more or more even parts than y: its largest parts never hold more together."""
    return x != y and all(sum(x[:i]) <= sum(y[:i]) for i in range(1, len(x) + 1))


@every_row
def test_monotone(name):
    """More parts, or more even ones, never raise the value of one cluster against its parts."""
    sign = -1 if ROWS[name].kind == "distance" else 1
    strictly = True
    for n in SIZES:
        value = {
            sizes: sign * valued(name)(Contingency.of([0] * n, np.repeat(np.arange(len(sizes)), sizes)))
            for sizes in part_sizes(n)
        }
        for x in value:
            for y in value:
                if is_more_even(x, y):
                    assert value[x] <= value[y] + 1e-12
                    strictly &= value[x] < value[y] - 1e-12
    assert ("strictly" if strictly else "weakly") == ROWS[name].properties.monotone


def labels_of(text: str) -> list[int]:
    """Labels from clusters of digits, as in 012|34."""
    where = {int(item): i for i, cluster in enumerate(text.split("|")) for item in cluster}
    return [where[item] for item in sorted(where)]


@pytest.mark.parametrize(
    ("name", "first", "second", "between"),
    [
        ("adjusted_rand", "01|2|3", "0|1|23", "01|23"),
        ("fowlkes_mallows", "01|2", "02|1", "012"),
        ("split_merge", "012|34", "013|24", "01234"),
        ("split_merge, mean", "01|2", "02|1", "012"),
        ("split_merge, max_overlap", "0134|2|5", "025|1|3|4", "012|3|4|5"),
    ],
)
def test_triangle_inequality_fails_here(name, first, second, between):
    a, b, c = map(labels_of, (first, second, between))
    direct, there, back = (1 - valued(name)(Contingency.of(*pair)) for pair in ((a, b), (a, c), (c, b)))
    assert direct > there + back + 0.009


def test_normalising_the_mutual_information_by_the_sum_gives_no_metric():
    def distance(a, b):
        total = oracle.entropy(oracle.clusters(a)) + oracle.entropy(oracle.clusters(b))
        return 1 - 2 * mutual_information(a, b) / total

    a, b, c = map(labels_of, ("01|23", "02|13", "0|1|2|3"))
    assert distance(a, b) == pytest.approx(1.0)
    assert distance(a, c) + distance(c, b) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("normalized_mutual_information", ("0123|4", "01|23|4"), ("0123|4", "012|3|4")),
        ("adjusted_rand", ("0123|4", "01|23|4"), ("0123|4", "012|3|4")),
        ("fowlkes_mallows", ("0123|45", "0|1|2|3|45"), ("01|23|45", "02|13|45")),
    ],
)
def test_no_weighted_sum_over_components_can_exist(name, one, other):
    """Two pairs whose components have the same sizes and values, and yet a different value as a whole."""
    pairs = [tuple(map(labels_of, pair)) for pair in (one, other)]
    parts = [by_components(name, *pair) for pair in pairs]
    assert [size for size, _ in parts[0]] == [size for size, _ in parts[1]]
    assert [score for _, score in parts[0]] == pytest.approx([score for _, score in parts[1]])
    values = [valued(name)(Contingency.of(*pair)) for pair in pairs]
    assert abs(values[0] - values[1]) > 0.02


@pytest.mark.parametrize(("name", "truth"), [("rand", "01|2"), ("variation_similarity", "01|2")])
def test_no_partition_is_a_worst_one_for_this_truth(name, truth):
    truth = labels_of(truth)
    assert min(valued(name)(Contingency.of(truth, b)) for b in oracle.partitions(len(truth))) > 0.0


@pytest.mark.parametrize(
    ("name", "truth"), [("normalized_mutual_information", [0, 0, 0]), ("fowlkes_mallows", [0, 1, 2])]
)
def test_nothing_lies_between_the_best_and_the_worst_for_this_truth(name, truth):
    assert {valued(name)(Contingency.of(truth, b)) for b in oracle.partitions(3)} == {0.0, 1.0}


# The conditions of Table 2 of the paper, on all pairs.


def singletons(groups) -> bool:
    return all(len(x) == 1 for x in groups)


@pytest.mark.further
@pytest.mark.parametrize("n", SIZES)
def test_lower_bounds_are_reached_exactly_under_the_conditions_of_the_paper(n):
    for a, b in representatives(n):
        table = Contingency.of(a, b)
        meet_alone = singletons(oracle.overlaps(a, b))
        extreme = 1 in (table.n_a, table.n_b)
        independent = oracle.independent(a, b)
        assert (ROWS["rand"].call(table) == 0.0) == (meet_alone and extreme)
        assert (ROWS["classification_accuracy"].call(table) == 1 / n) == (meet_alone and extreme)
        assert (ROWS["mutual_information"].call(table) == 0.0) == independent
        assert (ROWS["normalized_mutual_information"].call(table) == 0.0) == (independent and table.n_cells > 1)
        assert (ROWS["variation_similarity"].call(table) == 0.0) == (independent and meet_alone)
        shared = set(oracle.clusters(a)) & set(oracle.clusters(b))
        assert (ROWS["split_merge"].call(table) == 0.0) == (meet_alone and not shared)
        for k in range(max(table.n_a, table.n_b, 2), 5):
            uniform = oracle.entropy(oracle.overlaps(a, b)) == pytest.approx(2 * math.log(k), abs=1e-12)
            assert (bounded_variation_similarity(table, max_clusters=k) == 0.0) == (independent and uniform)


@pytest.mark.parametrize("n", SIZES)
def test_the_least_value_of_van_dongen_is_ceil_2_root_n_over_2n(n):
    least = math.ceil(2 * math.sqrt(n)) / (2 * n)
    values = matrix("van_dongen", n)
    assert values.min() == least
    every = oracle.partitions(n)
    for i, j in np.argwhere(values == least).tolist():
        assert singletons(oracle.overlaps(every[i], every[j]))


def least_van_dongen(n: int) -> float:
    """The least value over all pairs: the first of each kind of sizes, the second any partition."""
    firsts = [np.repeat(np.arange(len(sizes)), sizes) for sizes in part_sizes(n)]
    return min(van_dongen(a, b) for a in firsts for b in oracle.partitions(n))


@pytest.mark.further
@pytest.mark.parametrize("n", [*SIZES, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_the_papers_lower_bound_of_van_dongen_is_false_at_3_7_and_8_items(n):
    claimed = (math.isqrt(n) + math.isqrt(n - 1) + 1) / (2 * n)
    least = least_van_dongen(n)
    assert least == (math.isqrt(4 * n - 1) + 1) / (2 * n)
    assert (least > claimed) == (n in (3, 7, 8))


def test_a_grid_reaches_the_least_value_of_van_dongen_with_any_number_of_items():
    """No pair has less: a + b <= the sum of maxima, and n / a + n / b too; one of both is at least 2 root n."""
    false = set()
    for n in range(1, 65):
        root, total = math.isqrt(n - 1) + 1, math.isqrt(4 * n - 1) + 1
        rows, columns = np.divmod(np.arange(n), root)
        assert van_dongen(rows, columns) == pytest.approx(total / (2 * n), abs=1e-15)
        if total > math.isqrt(n) + root:
            false.add(n)
    assert false == {n for m in range(1, 8) for n in range(m * m + m + 1, (m + 1) ** 2)}


def test_the_papers_proof_errs_on_the_partition_into_singletons():
    """It claims 0 < S*(L, singletons) < 1 for every other L; the value is the share of singletons in L."""
    for n in SIZES:
        for labels in oracle.partitions(n):
            alone = sum(len(x) == 1 for x in oracle.clusters(labels))
            assert split_merge(labels, list(range(n))) == pytest.approx(alone / n)
    assert split_merge([0, 0, 1, 1], [0, 1, 2, 3]) == 0.0


def entropy_over_log(bound, cluster, parts):
    return 1 - oracle.entropy(parts) / math.log(bound)


def test_the_bounded_variation_is_a_mean_of_scores_over_log_k_not_over_log_k_squared():
    """The paper prints s = 1 - H / log k^2; with that, S' loses only half of what K loses."""
    for a, b in representatives(5):
        value = bounded_variation_similarity(a, b, max_clusters=BOUND)
        for bound, expected in ((BOUND, value), (BOUND**2, (1 + value) / 2)):
            mean = split_merge_oracle.split_merge(
                a, b, lambda x, parts, m=bound: 1 - oracle.entropy(parts) / math.log(m), "mean"
            )
            assert float(mean) == pytest.approx(expected, abs=1e-12)


# The page.


def page_table() -> dict[str, list[str]]:
    """The rows of the table of properties in the docs."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| measure |"))
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[cells[0].strip("`").replace("`", "")] = cells[2:]
    return rows


def test_the_page_says_what_the_registry_says():
    word = {True: "yes", False: "no", None: "–"}
    expected = {
        name: [
            word[row.properties.normalised],
            word[row.properties.conditionally_normalised],
            word[is_decomposable(row)],
            word[row.properties.join_weighted],
            word[row.properties.subcomponent_consistent],
            row.properties.monotone,
            word[row.symmetric],
            word[row.triangle],
        ]
        for name, row in ROWS.items()
    }
    assert page_table() == expected
