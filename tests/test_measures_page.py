"""The pages say of every measure what the registries say, and what the registries say of chance and range is so."""

import math
import re
import runpy
from itertools import permutations
from pathlib import Path
from statistics import mean

import pytest

import dendrometry as dm
from tests.measures.partitions.exhaustive import representatives

DOCS = Path(__file__).parents[1] / "docs"
EVERY = dm.MEASURES


@pytest.fixture(scope="module")
def maker():
    return runpy.run_path(str(DOCS / "_make" / "registry.py"))


@pytest.mark.parametrize("page", [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_pages_hold_what_the_registries_say(page, maker):
    text = page.read_text(encoding="utf-8")
    assert text == maker["filled"](text), "run: python docs/_make/registry.py"
    assert not re.search(r"^<!-- registry: \w+ -->.", text, re.MULTILINE), "a comment at the start ends a paragraph"


def test_every_measure_has_its_place_once(maker):
    pages = ((DOCS / name).read_text(encoding="utf-8") for name in ("measures.md", "glossary.md", "unrooted.md"))
    places = [place[2] for page in pages for place in maker["PLACE"].finditer(page)]
    assert sorted(places) == sorted([*EVERY, *maker["TABLES"]])


def test_the_readme_and_the_page_of_measures_hold_computed_numbers(maker):
    for page in (DOCS.parent / "README.md", DOCS / "measures.md"):
        facts = [place[2] for place in maker["WORDS"].finditer(page.read_text(encoding="utf-8"))]
        assert {"n_measures", "n_exact"} <= set(facts), page


@pytest.mark.parametrize("page", [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_no_page_counts_the_measures_by_hand(page, maker):
    text = maker["WORDS"].sub("", page.read_text(encoding="utf-8"))
    totals = "|".join({maker["FACTS"][name]() for name in ("n_measures", "n_tree_measures", "n_partition_measures")})
    assert not re.search(rf"\b({totals}|all but one|all but (two|three)) measures\b", text)


def test_the_glossary_knows_the_measures_that_there_are():
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    absent = " ".join(line for line in page.splitlines() if "not in this package" in line.lower())
    names = {word.lower().replace("-", "_") for word in re.findall(r"\*\*([^*]+)\*\*", absent)}
    assert not names & {*EVERY}
    assert "robinson_foulds" in page


@pytest.mark.parametrize("name", EVERY)
def test_a_formula_for_chance_is_called_exact_and_no_other(name):
    assert EVERY[name].expects == ("exact" in EVERY[name].chance) != ("no formula" in EVERY[name].chance)


@pytest.mark.parametrize("n", [60, 1_000])
def test_the_range_of_hierarchy_agreement_by_chance_is_as_written(n):
    assert "about 0.6 to 0.75 for binary trees" in EVERY["hierarchy_agreement"].chance
    shapes = ("uniform", "merges", "caterpillar", "balanced")
    a, b = ([dm.generate.random_tree(n, shape=shape, rng=seed) for shape in shapes] for seed in (0, 1))
    means = [dm.compare(x, y, measures=["hierarchy_agreement"]).lines[0].expected for x in a for y in b]
    assert 0.6 <= min(means)
    assert max(means) <= 0.75


def test_the_weaknesses_of_every_measure_are_told_once():
    page = (DOCS / "choosing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \|", page.partition("## Weaknesses\n")[2].partition("\n## ")[0], re.MULTILINE)
    told = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(told) == sorted(EVERY)


def test_no_name_is_both_a_measure_of_trees_and_of_partitions():
    assert len(EVERY) == len({*dm.measures.TREE_MEASURES, *dm.measures.PARTITION_MEASURES})


@pytest.mark.parametrize("name", EVERY)
def test_every_measure_has_a_formula_that_begins_with_its_symbol(name):
    measure = EVERY[name]
    assert measure.formula.startswith(f"{measure.symbol} = ")
    assert measure.meaning
    assert measure.chance
    assert measure.source


PAIRS = [((0, 0, 0, 1, 1), (0, 0, 1, 1, 2)), ((0, 1, 1, 1, 1), (0, 0, 1, 2, 2)), ((0, 0, 1, 1, 2), (0, 1, 2, 2, 2))]


def related(labels):
    return sum(labels.count(x) * (labels.count(x) - 1) // 2 for x in set(labels))


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize(
    ("name", "by_chance"),
    [
        ("rand", lambda p, q, n: 1 - (p + q) / n + 2 * p * q / n**2),
        ("adjusted_rand", lambda p, q, n: 0),
        ("fowlkes_mallows", lambda p, q, n: math.sqrt(p * q) / n),
    ],
)
def test_the_mean_of_partition_measures_by_chance_is_as_written(name, by_chance, a, b):
    values = [EVERY[name].call(a, list(order)) for order in permutations(b)]
    assert mean(values) == pytest.approx(by_chance(related(a), related(b), 10), abs=1e-12)


def test_the_mean_of_variation_of_information_by_chance_is_as_written():
    for a, b in PAIRS:
        orders = [list(order) for order in permutations(b)]
        information = mean(dm.mutual_information(a, order) for order in orders)
        entropies = dm.mutual_information(a, a) + dm.mutual_information(b, b)
        by_chance = mean(dm.variation_of_information(a, order) for order in orders)
        assert by_chance == pytest.approx(entropies - 2 * information, abs=1e-12)


@pytest.mark.parametrize("n", range(2, 6))
def test_ranges_that_depend_on_the_number_of_items_are_reached(n):
    ends = {
        "⌈2√n⌉/2n to 1": (math.ceil(2 * math.sqrt(n)) / (2 * n), 1),
        "1/n to 1": (1 / n, 1),
        "2/(n + 1) to 1": (2 / (n + 1), 1),
        "-(n - 2)/2 to 1": (-(n - 2) / 2, 1),
        "0 to log n": (0, math.log(n)),
    }
    measures = [m for m in map(dm.MEASURES.get, dm.measures.PARTITION_MEASURES) if m.span in ends]
    assert {measure.span for measure in measures} == set(ends)
    for measure in measures:
        values = [measure.call(a, b) for a, b in representatives(n)]
        assert (min(values), max(values)) == pytest.approx(ends[measure.span])
