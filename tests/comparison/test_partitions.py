import json

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.measures.flat import is_flat

A, B = ["x", "x", "x", "y", "y", "z"], [1, 1, 2, 2, 2, 3]
NAMES = ["ape", "bat", "cat", "dog", "elk", "fox"]


def test_every_line_is_the_measure_itself():
    result = dm.comparison.compare_partitions(A, B, measures=dm.measures.PARTITION_MEASURES, max_clusters=4)
    assert [line.name for line in result.lines] == list(dm.measures.PARTITION_MEASURES)
    for line in result.lines:
        measure = dm.MEASURES[line.name]
        assert line.value == measure.of_table(result.partition.table, 4)
        assert line.measure is measure


def test_adjusted_values_of_pairs_are_adjusted_rand():
    result = dm.comparison.compare_partitions(A, B)
    for name in ("rand", "adjusted_rand", "fowlkes_mallows"):
        assert result[name].adjusted == pytest.approx(dm.adjusted_rand(A, B), abs=1e-12)


def test_adjusted_information_agrees_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    result = dm.comparison.compare_partitions(A, B)
    wanted = metrics.adjusted_mutual_info_score(A, B, average_method="max")
    assert result["normalized_mutual_information"].adjusted == pytest.approx(wanted, abs=1e-12)


def test_the_same_partition_scores_one_and_needs_no_move():
    for labels in (A, ["x"] * 6, NAMES, ["x"]):
        result = dm.comparison.compare_partitions(labels, labels)
        assert result["adjusted_rand"].value == 1.0
        assert result["adjusted_rand"].sentence.endswith("as for the same partition.")
        assert result.partition.n_differing == 0
        assert result.partition.n_kept == len(set(labels))


def test_hierarchies_meet_by_name():
    a = dm.from_labels(A, item_names=NAMES)
    b = dm.from_labels(B[::-1], item_names=NAMES[::-1])
    result = dm.compare(a, b)
    assert result["adjusted_rand"].value == dm.adjusted_rand(A, B)
    assert result.items == tuple(NAMES)
    assert result.partition.table.label_a.tolist() == ["x", "y", "z"]
    assert result.partition.table.label_b.tolist() == ["1", "2", "3"]


def test_common_items_alone_are_compared_where_asked():
    a = dm.from_labels(A, item_names=NAMES)
    b = dm.from_labels(B, item_names=[*NAMES[:5], "owl"])
    with pytest.raises(dm.errors.ItemMismatchError, match="owl"):
        dm.compare(a, b)
    result = dm.compare(a, b, on_mismatch="intersect")
    assert result.left_out == (1, 1)
    assert result["rand"].value == dm.rand(A[:5], B[:5])
    assert result.facts()[-1] == "left out: 1 of the first clustering, 1 of the second clustering"


def test_nodes_without_names_of_their_own_are_numbers():
    star = dm.from_newick("(ape,bat,cat);")
    result = dm.compare(star, dm.from_labels([0, 0, 1], item_names=["ape", "bat", "cat"]))
    assert result.partition.table.label_a.tolist() == [0, 1, 2]


def test_flat_is_what_has_no_levels():
    assert is_flat(dm.from_labels([0, 0, 1]))
    assert is_flat(dm.from_labels(["x"]))
    assert is_flat(dm.from_parents([-1], [0, 0], item_names=["a", "b"]))
    assert not is_flat(dm.from_newick("((a,b),c);"))
    assert not is_flat(dm.from_newick("(a:1,b:1);"))
    assert not is_flat(dm.from_parents([1, -1], [0, 1], item_names=["a", "b"]))


def test_items_are_named_by_position_or_as_told():
    assert dm.comparison.compare_partitions(A, B).items == ("0", "1", "2", "3", "4", "5")
    assert dm.comparison.compare_partitions(A, B, item_names=NAMES).items == tuple(NAMES)
    noisy = dm.Contingency.of([0, -1, 1], [0, 0, 1], noise="drop")
    result = dm.comparison.compare_partitions(noisy, item_names=["p", "q", "r"])
    assert result.items == ("p", "r")
    assert result.left_out == (1, 1)


def test_counts_made_elsewhere_have_no_items():
    table = dm.Contingency.from_triples([("x", 1, 10**9), ("x", 2, 5), ("y", 2, 10**9)])
    result = dm.comparison.compare_partitions(table)
    assert result.items == ()
    assert result.partition.n_differing == 5
    with pytest.raises(dm.errors.InvalidInputError, match="no items to be named"):
        dm.comparison.compare_partitions(table, item_names=["a"])


def test_differing_items_are_the_fewest_moves():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 200), rng.integers(0, 6, 200)
    result = dm.comparison.compare_partitions(a, b)
    assert result.partition.n_differing == round(200 * (1 - dm.measures.classification_accuracy(a, b)))


def test_it_prints_and_becomes_tables_and_json():
    result = dm.comparison.compare_partitions(A, B, measures=["adjusted_rand", "mutual_information"])
    assert str(result).splitlines()[3].split()[:2] == ["adjusted_rand", "0.318182"]
    assert "in both; 1 of the first clustering split" in str(result)
    assert list(result.to_frame().index) == ["adjusted_rand", "mutual_information"]
    content = json.loads(result.to_json())
    assert content["measures"][0]["value"] == result["adjusted_rand"].value
    assert content["clusters"] == [3, 3]
    assert content["items_that_differ"] == 1
    assert result._repr_html_().count("<tr") == 3
    with pytest.raises(KeyError, match="one of this comparison: 'adjusted_rand' or 'mutual_information'"):
        result["rand"]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((A, B), {"measures": ["classic_f"]}, "measures must be among 'rand', "),
        ((A, B), {"measures": "rand"}, "sequence of names"),
        (
            (A, B),
            {"measures": ["bounded_variation_similarity"]},
            "a bound on the number of clusters, max_cl",
        ),
        ((A, B), {"max_clusters": 2}, "max_clusters must be at least the number of clusters of either partition, 3"),
        ((A, B), {"item_names": ["a"]}, "one item name for each of 6 items; got 1"),
        ((A, B), {"item_names": ["a"] * 6}, "names must be distinct"),
        ((A,), {}, "single partition"),
        ((dm.from_labels(A), dm.from_labels(B)), {}, "compare\\(\\) takes hierarchies"),
        ((A, B), {"names": ("one",)}, "names must be"),
    ],
)
def test_refusals_say_what_must_hold(arguments, options, message):
    with pytest.raises(dm.errors.InvalidInputError, match=message):
        dm.comparison.compare_partitions(*arguments, **options)
