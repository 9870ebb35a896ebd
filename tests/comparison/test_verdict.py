"""The verdict: at most two sentences, the same from every way of asking, with the names that the trees were given."""

import json

import pytest

import dendrometry as dm
from dendrometry import MEASURES
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.line import Line
from dendrometry.comparison.verdict import verdict
from dendrometry.measures.score import Score

A, B = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);"), dm.from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")
FLAT = dm.from_labels(["x", "x", "y", "y"], item_names=["ape", "cat", "elk", "owl"])
OTHER = dm.from_labels(["p", "p", "p", "q"], item_names=["ape", "cat", "elk", "owl"])


def test_the_verdict_is_the_same_wherever_it_is_told():
    result = dm.compare(A, B, names=("traits", "genes"))
    assert result.verdict.startswith(
        "Traits and genes are a little alike, not significantly more than by chance: 25% of the way"
    )
    assert result.verdict.endswith(" Of the 2 clusters of traits, 1 also occurs in genes.")
    assert str(result).splitlines()[0] == result.verdict
    assert result.verdict.replace("'", "&#x27;") in result._repr_html_()
    assert json.loads(result.to_json())["verdict"] == result.verdict


def judged(adjusted, p, n=199):
    """The verdict on two trees of that adjusted value and p-value."""
    lines = [Line("hierarchy_agreement", Score(adjusted, 0.0, adjusted))]
    tests = Chance(n, {} if p is None else {"hierarchy_agreement": p}, {})
    return verdict(lines, of="trees", names=None, n_items=9, same=False, found=None, tests=tests)


def test_less_alike_than_by_chance_is_said():
    says = "The two trees are less alike than by chance: −0.50 where 0 is chance and 1 identical (hierarchy_agreement"
    assert judged(-0.5, None) == f"{says})."
    assert judged(-0.5, 0.99) == f"{says}, p = 0.99)."
    assert judged(-0.05, 0.6).startswith("The two trees are hardly alike")


@pytest.mark.parametrize(
    ("adjusted", "p", "says"),
    [
        (0.04, 0.009, "hardly alike, but significantly more than by chance: 4%"),
        (0.04, 0.4, "hardly alike, not significantly more than by chance: 4%"),
        (0.04, None, "hardly alike: 4%"),
        (0.2, 0.01, "a little alike, but significantly more than by chance: 20%"),
        (0.5, 0.3, "partly alike, but not significantly more than by chance: 50%"),
        (0.95, 0.01, "almost the same: 95%"),
    ],
)
def test_weak_and_significant_are_different_words(adjusted, p, says):
    assert judged(adjusted, p).startswith(f"The two trees are {says} of the way from chance to identical")


def test_the_least_p_value_is_told_as_a_bound():
    assert judged(0.95, 0.05, 19).endswith("(hierarchy_agreement, p ≤ 0.05).")
    assert judged(0.95, 0.1, 19).endswith("(hierarchy_agreement, p = 0.10).")
    assert "p = 0.08 from 199 permutations" in repr(dm.permutation_test(A, A, n_permutations=199, rng=0))
    large = dm.generate.random_tree(30, rng=0)
    assert repr(dm.permutation_test(large, large, n_permutations=9, rng=0)).endswith(
        "p ≤ 0.10, the minimum for 9 permutations)"
    )


def test_significance_out_of_reach_is_not_called_missing():
    few = judged(0.95, 0.1, 9)
    assert "almost the same, but with too few permutations to call it significant: 95%" in few
    assert few.endswith("(hierarchy_agreement, p ≤ 0.10, the minimum for 9 permutations).")
    assert "not significantly more than by chance" in judged(0.95, 0.2, 9)


def test_methods_say_what_was_permuted_how_often_and_whom_to_cite():
    result = dm.compare(A, B, n_permutations=29)
    assert json.loads(result.to_json())["methods"] == result.methods
    for words in (
        "permutation test: hierarchy_agreement (",
        MEASURES["hierarchy_agreement"].source.rstrip("."),
        "29 random relabellings of the items of one of them, which keeps the shapes of both",
        "(1 + r) / (1 + 29)",
        "Phipson and Smyth",
        "The same relabellings tested ",
        f"dendrometry {dm.__version__}",
    ):
        assert words in result.methods
    flat = dm.compare(FLAT, OTHER)
    assert "two partitions" in flat.methods
    assert "keeps the sizes of all clusters" in flat.methods
    assert "The same relabellings" not in flat.methods
    assert dm.compare(A, B, n_permutations=0).methods == ""
    assert "after each of 9 random" in dm.permutation_test(A, B, n_permutations=9).methods


@pytest.mark.parametrize(
    ("adjusted", "shown"), [(0.996, ">99%"), (0.994, "99%"), (0.004, "<1%"), (0.0, "0%"), (-0.05, "0%"), (0.5, "50%")]
)
def test_100_percent_is_reserved_for_identical_trees_and_0_for_chance(adjusted, shown):
    assert f": {shown} of the way" in judged(adjusted, None)
    line = Line("hierarchy_agreement", Score(adjusted, 0.0, adjusted))
    assert adjusted < 0.0 or shown in line.sentence or line.caveat


def test_a_verdict_is_at_most_two_sentences_with_the_answer_first():
    zoo = dm.datasets.zoo()
    traits = dm.agglomerate(zoo.traits, linkage="average", item_names=zoo.items).hierarchy
    assert dm.compare(zoo.taxonomy, traits, names=("classification", "traits")).verdict == (
        "Traits recovers most of classification: 75% of its triples of items, 63% of the way from chance to all."
        " In both directions, the trees are 39% of the way from chance to identical (hierarchy_agreement, p ≤ 0.005)."
    )
    pairs = [(A, B), (A, A), (FLAT, OTHER), (FLAT, FLAT), (zoo.taxonomy, traits), (traits, zoo.taxonomy)]
    for pair in pairs:
        sentences = dm.compare(*pair).verdict.split(". ")
        assert 1 <= len(sentences) <= 2
        assert all(sentence[0].isupper() for sentence in sentences)


def test_only_plain_words_get_a_capital():
    assert dm.compare(A, B, names=("a.nwk", "b.nwk")).verdict.startswith("a.nwk and b.nwk are ")
    assert dm.compare(A, B, names=("x", "y")).verdict.startswith("x and y are ")
    assert dm.compare(A, B, names=("my tree", "y")).verdict.startswith("My tree and y are ")


def test_a_value_without_chance_is_shown_with_its_scale():
    says = dm.compare(FLAT, OTHER, measures=["jaccard"]).verdict
    assert says.startswith("The two clusterings score 0.25 by jaccard (0 to 1, higher = more alike), which is not adj")


def test_the_p_value_of_the_verdict_is_that_of_the_permutation_test():
    result = dm.compare(A, B)
    p = dm.permutation_test(A, B, "hierarchy_agreement", 199, rng=0).p_value
    assert result.chance == (199, {"hierarchy_agreement": p}, {}, 0)
    assert f"(hierarchy_agreement, p = {p:.2f})." in str(result).splitlines()[0]
    assert " p " not in str(result).splitlines()[2]


def test_tables_hold_the_p_values_that_are_known():
    result = dm.compare(A, B)
    known = result.chance.p_value["hierarchy_agreement"]
    told = {entry["measure"]: entry["p_value"] for entry in json.loads(result.to_json())["measures"]}
    assert told.pop("hierarchy_agreement") == known
    assert set(told.values()) == {None}
    for tested in (result, result.test(), dm.compare(A, B, n_permutations=0)):
        column = tested.to_frame()["p_value"]
        assert column.dtype == float
        assert column.dropna().to_dict() == tested.chance.p_value


def test_every_measure_is_tested_if_permutations_are_asked_for():
    for pair in ((A, B), (FLAT, OTHER)):
        result = dm.compare(*pair, n_permutations=49)
        assert result.chance.n == 49
        tested = {line.name for line in result.lines if line.score is not None}
        assert set(result.chance.p_value) | set(result.chance.reason) == tested
        head = next(line for line in str(result).splitlines() if line.startswith("measure "))
        assert head.split()[4:6] == ["adjusted", "p"]
        frame = result.to_frame()
        assert frame["p_value"].dropna().to_dict() == result.chance.p_value
        assert ", p = " in result.verdict
    assert "p = " not in dm.compare(A, B, n_permutations=0).verdict
    with pytest.raises(dm.errors.InvalidInputError, match="n_permutations must be"):
        dm.compare(A, B, n_permutations=-1)


def test_measures_that_say_nothing_stand_below_with_the_reason():
    result = dm.compare(dm.from_labels([0, 0, 1, 1]), dm.from_newick("((0,1),(2,3));"), names=("mine", "yours"))
    above, below = str(result).split("not informative here:")
    assert "  classic_f, partial_order_f: 0 for any labelling of the items" in below.splitlines()
    assert "  overall_distance, overall_similarity: mine must have heights for stages; it has none" in below
    assert "classic_f" not in above
    assert "overall_distance" not in above
    shown = result._repr_html_()
    assert shown.index("hierarchy_agreement") < shown.index("0 for any labelling of the items.")


def test_sentences_name_the_trees():
    result = dm.compare(A, B, names=("traits", "genes"))
    says = result.to_frame()["sentence"]["hierarchical_f"]
    assert says.startswith("How well the clusters of traits are found again in genes: ")
    assert "the clusters of traits are found again in genes" in result._repr_html_()
    assert result["hierarchical_f"].sentence.startswith(
        "How well the clusters of the first tree are found again in the"
    )


def test_trees_without_names_are_the_first_and_the_second():
    assert dm.compare(A, B).verdict.startswith("The two trees are a little alike")
    assert "Of the 2 clusters of the first tree, 1 also occurs in the second." in dm.compare(A, B).verdict
    assert dm.compare(A, B).names is None
    assert json.loads(dm.compare(A, B).to_json())["names"] is None


def test_facts_use_the_names():
    facts = dm.compare(A, B, names=("traits", "genes")).facts()
    assert "merges tied in height, taken together: 0 in traits, 0 in genes" in facts
    assert "classes of hierarchical_f: all nodes of traits" in facts
    flat = dm.compare(FLAT, OTHER, names=("mine", "yours")).facts()
    assert flat[1] == "0 clusters in both; 1 of mine split, 1 of yours merged"


def test_hostile_names_are_text():
    result = dm.compare(A, B, names=("<script>\x1b[31m", "b"))
    assert "\x1b" not in str(result) + result._repr_html_()
    assert "<script>" not in result._repr_html_()


def test_flat_clusterings_are_compared_as_such():
    result = dm.compare(FLAT, OTHER)
    assert set(result) <= set(dm.measures.PARTITION_MEASURES)
    assert result.partition.table.n_items == 4
    assert result.verdict.startswith("The two clusterings are ")
    labels = dm.comparison.compare_partitions(["x", "x", "y", "y"], ["p", "p", "p", "q"])
    assert [line.score for line in labels.lines] == [line.score for line in result.lines]
    assert labels.verdict == result.verdict
    assert labels.facts() == result.facts()


@pytest.mark.parametrize("pair", [(FLAT, OTHER), (FLAT, A)], ids=["flat", "one flat"])
def test_measures_of_trees_are_there_for_flat_clusterings_when_asked_for(pair):
    result = dm.compare(*pair, measures=["hierarchy_agreement"])
    assert result.partition is None
    assert result["hierarchy_agreement"].value == dm.hierarchy_agreement(*pair)


def test_what_trees_have_is_there_for_partitions_too():
    result = dm.compare(FLAT, OTHER)
    labels = dm.comparison.compare_partitions(["x", "x", "y", "y"], ["p", "p", "p", "q"], item_names=FLAT.items)
    for found in (result, labels):
        assert found.stages is None
        assert found.ties == (None, None)
        assert found.matches.f.tolist() == dm.best_matches(FLAT, OTHER).f.tolist()
        assert found.item_disagreement.values.tolist() == dm.item_disagreement(FLAT, OTHER).values.tolist()


def test_measures_of_partitions_need_flat_trees():
    with pytest.raises(dm.errors.InvalidInputError, match="the second tree must be flat"):
        dm.compare(FLAT, A, measures=["rand"])


def test_both_kinds_of_measures_at_once_are_refused():
    with pytest.raises(dm.errors.InvalidInputError, match="one kind at a time; got classic_f of trees, and rand of"):
        dm.compare(FLAT, OTHER, measures=["rand", "classic_f"])


@pytest.mark.parametrize("names", ["ab", ("a",), ("a", 2), ("a", "b", "c")])
def test_names_that_are_not_two_texts_are_refused(names):
    with pytest.raises(dm.errors.InvalidInputError, match="names must be"):
        dm.compare(A, B, names=names)


def test_another_name_measures_nothing_again():
    result = dm.compare(A, B)
    twin = result.rename(("traits", "genes"))
    assert twin.lines is result.lines
    assert twin.statistics is result.statistics
    assert (twin.names, result.names) == (("traits", "genes"), None)


def test_a_single_item_has_nothing_to_tell_apart():
    one = dm.from_labels(["x"])
    assert dm.compare(one, one).verdict == "There is a single item, so there is nothing to tell the clusterings apart."


def test_the_share_of_items_begins_the_first_sentence():
    a, b = dm.from_newick("((a,b),c);"), dm.from_newick("((a,x),(y,z));")
    assert dm.compare(a, b, names=("a", "b"), on_mismatch="intersect_any").verdict == (
        "On 1 of 3 items (33%) of a and 1 of 4 items (25%) of b, there is nothing to tell the trees apart."
    )
    small, large = dm.from_newick("((a,b),c,d,f);"), dm.from_newick("(((a,b),c),d,e);")
    said = dm.compare(small, large, names=("average", "ward"), on_mismatch="intersect").verdict
    assert said.startswith(
        "On 4 of 5 items (80%) of average and 4 of 5 items (80%) of ward, the only cluster of average is also in ward,"
        " which has 1 more. In both directions, "
    )


def test_two_that_group_nothing_are_the_same_be_they_trees_or_clusterings():
    star, singles = dm.from_newick("(a,b,c);"), dm.from_labels({"a": 1, "b": 2, "c": 3})
    for one in (star, singles):
        assert dm.compare(star, one).verdict == "The two are the same: neither groups any items."
        assert (
            dm.compare(star, one, names=("x.nwk", "y")).verdict == "x.nwk and y are the same: neither groups any items."
        )


def test_the_same_partition_is_the_same_whatever_is_measured():
    result = dm.compare(FLAT, FLAT, measures=["mutual_information"])
    assert result.verdict == "The two clusterings are the same."


def test_where_nothing_applies_the_verdict_says_so():
    bare = dm.from_newick("((a,b),c);")
    assert "None of the measures asked for applies" in dm.compare(bare, bare, measures=["overall_distance"]).verdict
