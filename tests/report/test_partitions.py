"""The page of two flat clusterings as text: edge cases, numbers that agree with the package, files, refusals."""

import re
from importlib import import_module

import pytest

import dendrometry as dm
from dendrometry.report.partitions import partitions_page
from tests.report.test_browse import unpacked

pytestmark = pytest.mark.usefixtures("few_relabellings")


@pytest.fixture
def pair():
    return dm.comparison.compare_partitions(["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0], [0]),
        ([0, 0, 0], [0, 0, 0]),
        ([0, 1, 2], [0, 1, 2]),
        ([0, 0, 0], [0, 1, 2]),
        ([0, 1, 1], [0, 0, 1]),
        (["", "x"], ["x", "x"]),
        ([True, False, True], [b"p", b"q", b"q"]),
    ],
)
def test_every_edge_case_has_a_page(a, b):
    page = partitions_page(dm.comparison.compare_partitions(a, b)).html()
    assert page.count("<section") == 3
    assert "nan" not in re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)


def test_the_same_clusterings_are_called_the_same():
    result = dm.comparison.compare_partitions([0, 0, 1], [5, 5, 7])
    assert result.verdict == "The two clusterings are the same."


def test_the_verdict_goes_by_adjusted_rand_and_doubts(pair):
    assert pair.verdict.startswith(
        "The two clusterings are partly alike, but not significantly more than by chance: 32% of the way"
    )


def test_a_verdict_without_chance_level_says_so():
    result = dm.comparison.compare_partitions([0, 0, 1], [0, 1, 1], measures=["classification_accuracy"])
    assert result.verdict == (
        "The two clusterings score 0.667 by classification_accuracy (1/n to 1, higher = more alike), which is not"
        " adjusted for chance. None of the 2 clusters of the first clustering occurs in the second."
    )


def test_measures_of_pairs_and_of_information_have_p_values(pair):
    tests = pair.test().chance
    assert tests.n == 19
    assert set(tests.reason) == {"van_dongen", "classification_accuracy", "matched_kappa", "split_merge"}
    assert set(tests.p_value) | set(tests.reason) == {line.name for line in pair.lines}
    assert tests.p_value["rand"] == tests.p_value["adjusted_rand"] >= 0.05


def test_costs_of_components_add_up_to_what_is_missing(pair):
    columns = partitions_page(pair).data["overlaps"]
    assert [(cost["name"], cost["title"]) for cost in columns["costs"]] == [
        ("split_merge", "Split-merge"),
        ("rand", "Rand"),
        ("van_dongen", "van Dongen"),
        ("classification_accuracy", "Accuracy"),
        ("matched_kappa", "Kappa"),
        ("variation_of_information", "Variation of information"),
        ("variation_similarity", "Variation similarity"),
    ]
    for cost in columns["costs"]:
        measure = dm.MEASURES[cost["name"]]
        value = pair[measure.name].value
        missing = value if measure.kind == "distance" else 1 - value
        assert unpacked(cost["cost"]).sum() == pytest.approx(missing, abs=1e-6)


def test_the_file_is_whole_and_replaced_only_by_force(pair, tmp_path):
    path = tmp_path / "report.html"
    dm.report(pair, path)
    written = path.read_bytes()
    with pytest.raises(dm.errors.InvalidInputError, match=r"exists \(force=True"):
        dm.report(pair, path)
    dm.report(pair, path, force=True, progress=True)
    assert path.read_bytes() == written
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_refuses_names_that_are_not_two_texts(pair, tmp_path):
    with pytest.raises(dm.errors.InvalidInputError, match="names must be strings; got 2"):
        dm.report(pair, tmp_path / "report.html", names=("one", 2))


def test_too_many_overlaps_leave_the_flow_out(pair, monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.partitions"), "_MOST_CELLS", 2)
    page = partitions_page(pair)
    assert page.data["overlaps"] is None
    assert not page.plotly
    assert "plot.split_merge_flow" in page.html()


def test_too_many_items_leave_their_names_out(pair, monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.partitions"), "_MOST_NAMED", 5)
    page = partitions_page(pair)
    assert page.data["overlaps"]["items"] is None
    assert "Items are listed where there are at most 5." in page.html()


def test_huge_counts_have_no_p_values():
    table = dm.Contingency.from_triples([("x", 1, 10**12), ("x", 2, 5), ("y", 2, 10**12)])
    text = partitions_page(dm.comparison.compare_partitions(table)).html()
    assert "No p-values: there are too many items" in text
    assert "2,000,000,000,005" in text
