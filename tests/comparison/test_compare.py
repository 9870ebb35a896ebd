"""compare(): every measure in one result, shown as text, HTML, a frame and JSON."""

import json

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.tree_pair import statistics as module
from tests.strategies import random_linkage
from tests.zoo import ZOO

DEFAULT = [name for name in dm.measures.TREE_MEASURES if dm.MEASURES[name].default]
EVIL = "</script><img src=x onerror=alert(1)>[bold]\x1b[31m"


def two(n=12):
    rng = np.random.default_rng(3)
    return [dm.from_linkage(random_linkage(n, rng)) for _ in range(2)]


def test_every_measure_is_there_with_the_value_of_its_function():
    a, b = two()
    result = dm.compare(a, b)
    assert [line.name for line in result.lines] == DEFAULT
    for line in result.lines:
        if line.value is None:
            with pytest.raises(dm.errors.UndefinedMeasureError, match=line.reason):
                line.measure.call(a, b)
        else:
            assert line.value == line.measure.call(a, b)
    assert result.stages.distance == result["overall_distance"].value
    assert result.item_disagreement.values.sum() == pytest.approx(1 - result["hierarchy_agreement"].value)
    assert len(result.matches) == a.n_nodes


def test_errors_call_the_trees_by_their_names():
    a, b = dm.from_newick("((a,b),c);"), dm.from_newick("((a,b),d);")
    with pytest.raises(dm.errors.ItemMismatchError, match="1 item of genes not in traits: 'c'; 1 item of traits not"):
        dm.compare(a, b, names=("genes", "traits"))
    with pytest.raises(dm.errors.ItemMismatchError, match="compares the 1 common item only"):
        dm.compare(dm.from_newick("(a,c);"), dm.from_newick("(a,d);"))


def test_adjusted_values_are_one_for_identical_trees():
    a, _ = two()
    for line in dm.compare(a, a).lines:
        if line.adjusted is not None:
            assert line.adjusted == pytest.approx(1.0, abs=1e-12)
            assert "identical trees" in line.sentence


@pytest.mark.parametrize("name", ZOO)
def test_the_zoo_is_compared_without_failing(name):
    tree = ZOO[name]
    result = dm.compare(tree, tree)
    assert str(result)
    assert result._repr_html_()
    assert json.loads(result.to_json())["n_items"] == tree.n_items
    assert all(line.sentence.endswith(".") for line in result.lines)


def test_where_chance_is_always_best_nothing_is_adjusted():
    star = dm.from_labels(["a", "b", "c", "d"])
    line = dm.compare(star, star, measures=["hierarchy_agreement"])["hierarchy_agreement"]
    assert (line.value, line.expected, line.adjusted) == (1.0, 1.0, None)


@pytest.mark.parametrize("n", [2, 5, 17, 58])
def test_what_no_relabelling_can_change_is_exactly_as_by_chance(n):
    one, apart = dm.from_labels([0] * n), dm.from_labels(range(n))
    star = dm.from_parents([n] * n + [-1], height=[0.0] * n + [0.3])
    low = dm.from_parents([n] * n + [-1], height=[0.0] * n + [0.1])
    line = dm.compare(one, apart, measures=["hierarchy_agreement"])["hierarchy_agreement"]
    assert (line.value, line.adjusted) == (line.expected, 0.0)
    line = dm.compare(star, low)["cophenetic_distance"]
    assert (line.value, line.adjusted) == (line.expected, 0.0)


def test_chosen_measures_only():
    a, b = two()
    assert [line.name for line in dm.compare(a, b, measures=["classic_f", "classic_f"]).lines] == ["classic_f"]
    assert list(dm.compare(a, b)) == DEFAULT
    with pytest.raises(dm.errors.InvalidInputError, match="measures must be among"):
        dm.compare(a, b, measures=["best"])
    with pytest.raises(KeyError, match=r"measure must be one of this comparison: .*; got 'best'"):
        dm.compare(a, b)["best"]
    with pytest.raises(dm.errors.UnknownNameError, match=r"did you mean 'classic_f'\? .*got 'clasic_f'") as refusal:
        dm.compare(a, b)["clasic_f"]
    assert str(refusal.value).startswith("did you mean")
    with pytest.raises(dm.errors.InvalidInputError, match=r"did you mean 'classic_f'\? .*got 'clasic_f'"):
        dm.compare(a, b, measures=["clasic_f"])


def test_left_out_items_ties_and_inversions_are_told():
    a = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 0.866, 3]], ["x", "y", "z"])
    b = dm.from_linkage([[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]], ["x", "y", "z", "w"])
    with pytest.raises(dm.errors.ItemMismatchError, match="must hold the same items"):
        dm.compare(a, b)
    result = dm.compare(a, b, on_mismatch="intersect")
    assert (result.n_items, result.left_out, result.inversions) == (3, (0, 1), (1, 0))
    assert dm.compare(b, b).ties == (2, 2)
    assert dm.compare(a, a).ties == (2, 2)  # an inverted merge is formed with the one below it
    text = str(result)
    assert text.startswith(
        "On 3 of 3 items (100%) of the first tree and 3 of 4 items (75%) of the second tree, the two"
    )
    assert json.loads(result.to_json())["verdict"] == text.splitlines()[0]
    assert result.to_json().startswith('{\n  "verdict": "On 3 of 3 items')
    assert "On 3 of 3 items (100%) of the first tree" in result._repr_html_()
    assert "left out: 0 of the first tree, 1 of the second tree" in text
    assert "inversions: 1 in the first tree, 0 in the second tree" in text


def test_loose_matches_of_names_are_told():
    a, b = dm.from_newick("((big_ape,cat),owl);"), dm.from_newick("(('Big ape',owl),cat);")
    result = dm.compare(a, b, match_names="loose")
    assert "1 item matched by names that differ in case, underscores or spaces" in result.facts()
    assert json.loads(result.to_json())["matched_loosely"] == 1


def test_labels_are_text_everywhere():
    items = [EVIL, "b", "c"]
    a, b = dm.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], items), dm.from_linkage([[1, 2, 1, 2], [0, 3, 2, 3]], items)
    result = dm.compare(a, b)
    page = result._repr_html_()
    assert "<img" not in page
    assert "&lt;img src=x" in page
    assert "\x1b" not in str(result) + page + result.to_json()
    assert json.loads(result.to_json())["most_disagreement"][0]["item"] in items


def test_a_frame_has_a_row_for_each_measure():
    frame = dm.compare(*two()).to_frame()
    assert list(frame.index) == DEFAULT
    assert frame.loc["cophenetic_correlation", "lower"] == -1


def test_no_reason_repeats_the_name_of_its_measure():
    bare, flat = dm.from_newick("((a,b),c);"), dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]])
    for tree in (bare, flat):
        lines = [line for line in dm.compare(tree, tree).lines if line.value is None]
        assert len(lines) > 2
        assert all(line.name not in line.reason for line in lines)


def test_trees_without_heights_have_no_ties_or_inversions():
    bare = dm.from_newick("((a,b),c);")
    tied = dm.from_linkage([[0, 1, 1, 2], [2, 3, 1, 3]], ["a", "b", "c"])
    result = dm.compare(bare, tied)
    assert (result.ties, result.inversions) == ((None, 2), (None, 0))
    assert "taken together: no heights in the first tree, 2 in the second tree" in str(result)
    assert "neither tree has heights" in str(dm.compare(bare, bare))


def test_only_what_is_asked_for_is_computed_and_told(monkeypatch):
    a, b = two()
    for name in ("follow", "match_clusters", "steps_to_match"):
        monkeypatch.setattr(module, name, None)
    result = dm.compare(a, b, measures=["classic_f", "cophenetic_correlation"])
    assert "hierarchical_f" not in str(result)
    assert "disagreement" not in str(result)
    assert json.loads(result.to_json())["clusters"] is None
    monkeypatch.undo()
    assert (len(result.matches), result.stages.n_items, len(result.item_disagreement.items)) == (a.n_nodes, 12, 12)


def test_no_measures_are_an_empty_frame():
    result = dm.compare(*two(), measures=[])
    assert result.to_frame().empty
    assert str(result)


def test_a_billion_counted_items_have_an_overall_distance():
    counts = [(0, 0, 600_000_000), (0, 1, 10), (1, 1, 400_000_000)]
    heights = {"height_a": [0, 0, 1], "height_b": [0, 0, 2]}
    result = dm.comparison.compare_overlap(dm.Overlap.from_triples([2, 2, -1], [2, 2, -1], counts, **heights))
    together = [m * (m - 1) // 2 for m in (600_000_010, 400_000_000, 600_000_000, 400_000_010, 10)]
    # both trees have all items of a leaf together from the first stage on
    in_a, in_b, in_both = sum(together[:2]), sum(together[2:4]), together[1] + together[2] + together[4]
    assert result["overall_distance"].value == (in_a + in_b - 2 * in_both) / (in_a + in_b)
    assert result["overall_similarity"].value == 2 * in_both / (in_a + in_b)
    assert 0 < result["overall_distance"].adjusted < 1
    assert result.stages is None


def test_results_are_read_only():
    result = dm.compare(*two())
    columns = [
        result.matches.size,
        result.matches.node,
        result.item_disagreement.sums,
        result.stages.p,
        result.stages.n_clusters,
    ]
    for column in [*columns, dm.levels.stages_of_partitions([[0, 1, 1]], [[0, 0, 1]]).triples[0]]:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_trees_too_deep_to_match_say_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 10)
    result = dm.compare(*two())
    assert result.matches is None
    reason = "matching the clusters of the first tree would take about 1 second; hierarchical_f() does it all the same"
    assert result["hierarchical_f"].reason == reason
    assert json.loads(result.to_json())["clusters"] is None


def test_a_value_that_no_relabelling_changes_is_told_as_such():
    pairs = dm.compare(dm.from_labels([0, 0, 1, 1]), dm.from_newick("((0,1),(2,3));"))["classic_f"]
    assert (pairs.value, pairs.expected, pairs.adjusted) == (0.0, 0.0, 0.0)
    assert pairs.sentence.endswith(": 0, as for any labelling of the items.")


def test_large_tables_in_files_are_counted(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("item,path\ncat,m/pets\nfox,m\nowl,b\njay,b\n", encoding="utf-8")
    b.write_text("item,path\njay,b\nowl,b/night\nfox,m\ncat,m/pets\n", encoding="utf-8")
    expected = dm.compare(a, b)
    monkeypatch.setattr("dendrometry.engine.table_size._LARGE", 1)
    with pytest.warns(
        dm.errors.AssumptionWarning, match=r"were counted by DuckDB.*\(read\(\) of each reads all rows\)"
    ):
        found = dm.compare(str(a), b)
    assert found.lines == expected.lines
    assert (found.items, expected.items) == ((), ("cat", "fox", "owl", "jay"))
    assert dm.compare(a, b, match_names="loose").items == expected.items


def test_means_without_a_formula_are_named_below_the_table():
    a, b = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1]
    result = dm.comparison.compare_partitions(a, b, measures=["rand", "jaccard", "b_cubed"], n_permutations=0)
    told = "no formula for chance, comparison.expected_by_chance() estimates it: jaccard, b_cubed"
    assert told in str(result).split("\n")
    assert told in result._repr_html_()
    assert "no formula" not in str(dm.comparison.compare_partitions(a, b, measures=["rand"], n_permutations=0))
