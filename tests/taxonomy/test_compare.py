"""Two taxonomies compared: every score as defined by sets, beside the mean over all relabellings."""

import json
import random
from itertools import permutations
from math import isclose, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dendrometry import MEASURES, Dag, from_newick, partial_order_f
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.taxonomy import compare_taxonomies, nearest_tree
from dendrometry.taxonomy.lineage import Lineages
from dendrometry.taxonomy.pair_scores import DISTANCES, MOST_SAMPLED, SCORES, MatchedPair
from tests.oracles.taxonomy import pairs as oracle
from tests.taxonomy.graphs import LETTERS, as_graph, graph_pairs, random_graph, random_tree

OLD = [("cat", "mammal"), ("bat", "mammal"), ("owl", "bird"), ("mammal", "animal"), ("bird", "animal")]
NEW = [("cat", "mammal"), ("bat", "bird"), ("owl", "bird"), ("mammal", "animal"), ("bird", "animal"), ("fly", "animal")]


def expected_scores(a, b):
    """The value of each score from sets; None if it is not defined."""
    n = len(set(a) & set(b))
    counted = [
        call(graph(a), graph(b))
        for graph in (oracle.edges, oracle.ancestor_pairs)
        for call in (oracle.precision, oracle.recall, oracle.f)
    ]
    places = [oracle.mean_place_similarity(measure, a, b) for measure in (oracle.wu_palmer, oracle.lin)]
    sets = [oracle.caset(a, b), oracle.disc(a, b)] if n > 1 else [None, None]
    return [*counted, *places, *sets, oracle.triples(a, b) if n > 2 else None]


def assert_same(found, expected):
    for name, x, y in zip(SCORES, found, expected, strict=True):
        undefined = x is None or isnan(x)
        assert undefined == (y is None), name
        assert undefined or isclose(x, float(y), rel_tol=1e-12, abs_tol=1e-12), (name, x, float(y))


@given(graph_pairs())
def test_every_score_equals_its_definition(pair):
    a, b = pair
    found = compare_taxonomies(as_graph(a), as_graph(b), n_permutations=0)
    assert_same(found.columns()["value"], expected_scores(a, b))
    assert not found.error.any()


@given(graph_pairs(), st.integers(0, 2**32))
def test_a_relabelling_scores_as_the_relabelled_taxonomy(pair, seed):
    a, b = pair
    shared = sorted(set(a) & set(b))
    order = np.random.default_rng(seed).permutation(len(shared))
    graphs = as_graph(a), as_graph(b)
    columns = [np.array([graph.number[name] for name in shared]) for graph in graphs]
    lines = [Lineages(graph, "it") for graph in graphs]
    matched = MatchedPair(*lines, *columns, np.random.default_rng(0))
    relabelled = oracle.relabelled(b, shared, tuple(shared[i] for i in order))
    assert_same(matched.values(order).value, expected_scores(a, relabelled))


@pytest.mark.parametrize("seed", range(12))
def test_the_chance_of_edges_and_ancestors_is_the_mean_over_all_relabellings(seed):
    rng = random.Random(seed)
    a, b = random_graph("abcdef", rng), random_graph("bcdefg", rng)
    shared = sorted(set(a) & set(b))
    every = [expected_scores(a, oracle.relabelled(b, shared, order))[:6] for order in permutations(shared)]
    found = compare_taxonomies(as_graph(a), as_graph(b), n_permutations=0)
    for i, value in enumerate(found.columns()["by_chance"][:6]):
        column = [row[i] for row in every]
        assert (value is None) == (column[0] is None)
        assert value is None or isclose(value, float(sum(column) / len(column)), abs_tol=1e-12)
    assert found.columns()["by_chance"][6:] == [None] * 5
    assert found.columns()["p_value"] == [None] * 11


@pytest.mark.further
def test_the_chance_of_the_other_scores_tends_to_the_mean_over_all_relabellings():
    rng = random.Random(3)
    a, b = random_graph("abcde", rng), random_graph("abcde", rng)
    every = np.array(
        [
            [*map(float, expected_scores(a, oracle.relabelled(b, list("abcde"), order)))]
            for order in permutations("abcde")
        ]
    )
    found = compare_taxonomies(as_graph(a), as_graph(b), n_permutations=2_000)
    spread = every.std(axis=0)[6:] / np.sqrt(2_000)
    assert (np.abs(found.by_chance[6:] - every.mean(axis=0)[6:]) <= 4 * spread + 1e-12).all()
    value = np.array(found.columns()["value"])
    sign = np.array([-1.0 if name in DISTANCES else 1.0 for name in SCORES])
    exact = ((every - value) * sign >= -1e-12).mean(axis=0)
    assert np.abs(found.p_value - exact).max() < 0.05


@given(graph_pairs())
def test_symmetric_scores_do_not_know_first_and_second(pair):
    one, other = (
        compare_taxonomies(as_graph(x), as_graph(y), n_permutations=0).columns()["value"] for x, y in (pair, pair[::-1])
    )
    for name in ("edge_f", "ancestor_f", "caset", "disc", "triples"):
        x, y = one[SCORES.index(name)], other[SCORES.index(name)]
        assert x == y or isclose(x, y, rel_tol=1e-12)
    for of in ("edge", "ancestor"):
        assert one[SCORES.index(f"{of}_precision")] == other[SCORES.index(f"{of}_recall")]


def test_similarities_of_places_do_know_first_and_second():
    chain = Dag.from_edges([("d", "c"), ("c", "b"), ("b", "a")])
    star = Dag.from_edges([("d", "a"), ("c", "a"), ("b", "a")])
    one, other = (compare_taxonomies(x, y, n_permutations=0) for x, y in ((chain, star), (star, chain)))
    assert one["wu_palmer"] != other["wu_palmer"]


@given(st.integers(0, 2**32), st.integers(1, 9))
def test_a_taxonomy_agrees_with_itself_in_any_order_of_its_terms(seed, n):
    rng = random.Random(seed)
    graph = random_graph(LETTERS[:n], rng)
    names = list(graph)
    rng.shuffle(names)
    found = compare_taxonomies(as_graph(graph), as_graph({name: graph[name] for name in names}), n_permutations=3)
    for name, value in zip(SCORES, found.columns()["value"], strict=True):
        assert value is None or value == (0.0 if name in DISTANCES else 1.0)
    assert found.changes == ()


@given(graph_pairs())
def test_scores_stay_in_their_range(pair):
    for value in compare_taxonomies(*map(as_graph, pair), n_permutations=0).columns()["value"]:
        assert value is None or (0.0 <= value <= 1.0 and str(value) != "-0.0")


@given(graph_pairs(trees=True, same=True))
def test_ancestor_f_of_two_trees_is_partial_order_f_with_concepts_as_items(pair):
    graphs = [as_graph(one) for one in pair]
    trees = [nearest_tree(graph).tree for graph in graphs]
    assert compare_taxonomies(*graphs, n_permutations=0)["ancestor_f"] == partial_order_f(*trees)
    found = compare_taxonomies(*graphs, n_permutations=0)
    assert found.columns()["by_chance"][SCORES.index("ancestor_f")] == pytest.approx(
        MEASURES["partial_order_f"].score(statistics_of(trees)).expected, abs=1e-12
    )


def statistics_of(trees):
    from dendrometry.tree_pair.pair import Pair
    from dendrometry.tree_pair.statistics import PairStatistics

    return PairStatistics(Pair.of_trees(*trees))


def test_partial_order_f_is_called_ancestor_f_too():
    assert "ancestor F" in MEASURES["partial_order_f"].aliases
    with pytest.raises(InvalidInputError, match="partial_order_f"):
        MEASURES["ancestor_f"]


def test_the_numbers_of_the_example():
    found = compare_taxonomies(Dag.from_edges(OLD), Dag.from_edges(NEW), names=("old", "new"))
    assert found["edge_precision"] == 4 / 6
    assert found["edge_recall"] == 4 / 5
    assert found["ancestor_precision"] == 7 / 9
    assert found["ancestor_recall"] == 7 / 8
    assert found.columns()["by_chance"][0] == pytest.approx(5 * 5 / (6 * 5) / 6)
    assert found.verdict == (
        "new has 88% of the ancestor pairs of old; 78% of its own are in old (F 0.824, 0.251 by chance, p ≤ 0.005)."
        " Concepts: 6 in both, 1 moved, 1 invented."
    )
    assert found.profile_frame().loc[1].tolist() == [2, 3, 2]


def test_says_what_may_be_chance_only_if_there_are_relabellings_enough():
    a, b = Dag.from_edges([("b", "a"), ("c", "b"), ("d", "c")]), Dag.from_edges([("c", "d"), ("a", "d"), ("b", "a")])
    said = "Taxonomies of these shapes may have as many by chance."
    assert said in compare_taxonomies(a, b, n_permutations=99).verdict
    assert said not in compare_taxonomies(a, b, n_permutations=9).verdict


def test_what_is_missing_invented_moved_and_renamed_is_listed():
    a = Dag.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("f", "c"), ("g", "c"), ("h", "b")])
    b = Dag.from_edges([("b", "a"), ("C", "a"), ("d", "b"), ("d", "C"), ("e", "C"), ("f", "x"), ("x", "C"), ("h", "b")])
    found = compare_taxonomies(a, b, match_names="loose", names=("old", "new"))
    assert [(change.concept, change.what, change.before, change.after) for change in found.changes] == [
        ("e", "moved", ("b",), ("C",)),
        ("d", "parents added", ("b",), ("b", "C")),
        ("c", "renamed", ("a",), ("a",)),
        ("g", "missing", ("c",), ()),
        ("x", "invented", (), ("C",)),
    ]
    assert found.n_by_kind == {"moved": 1, "parents added": 1, "renamed": 1, "missing": 1, "invented": 1}
    assert found.tell(1).splitlines()[1:] == ["e: moved: from b to C", "… 4 more changes"]


def test_what_is_inserted_between_moves_nothing():
    a, b = Dag.from_edges([("c", "a")]), Dag.from_edges([("c", "b"), ("b", "a")])
    found = compare_taxonomies(a, b)
    assert found.n_by_kind == {"invented": 1}
    assert (found["wu_palmer"], found["lin"], found["caset"], found["disc"]) == (1.0, 1.0, 0.0, 0.0)
    assert found["edge_f"] == 0.0


@pytest.mark.further
def test_large_taxonomies_are_sampled_with_a_standard_error():
    rng = random.Random(0)
    names = [f"n{i}" for i in range(400)]
    trees = [random_tree(names, rng), None]
    trees[1] = dict(trees[0]) | {name: {names[0]} for name in rng.sample(list(trees[0]), 40) if trees[0][name]}
    trees[1][names[0]] = trees[0][names[0]] = set()
    trees[0] = {name: above - {name} for name, above in trees[0].items()}
    trees[1] = {name: above - {name} for name, above in trees[1].items()}
    found = compare_taxonomies(*map(as_graph, trees), n_permutations=0)
    exact = [oracle.caset(*trees), oracle.disc(*trees)]
    for name, value in zip(("caset", "disc"), exact, strict=True):
        i = SCORES.index(name)
        assert 0 < found.error[i] < 0.5 / np.sqrt(MOST_SAMPLED)
        assert abs(found.value[i] - float(value)) < 5 * found.error[i]
    assert f"estimated from {MOST_SAMPLED:,} random pairs or triples" in found.methods


def test_the_same_call_gives_the_same_bits():
    rng = random.Random(5)
    graphs = as_graph(random_graph(LETTERS, rng)), as_graph(random_graph(LETTERS, rng))
    one, other = (compare_taxonomies(*graphs) for _ in range(2))
    assert one.columns() == other.columns()


def test_trees_are_taxonomies_too():
    a, b = from_newick("((cat,dog)mammal,(owl,hen)bird)animal;"), from_newick("((cat,dog,hen)mammal,owl)animal;")
    found = compare_taxonomies(a, b, n_permutations=0)
    assert found.matches.in_a.size == 6
    assert [change.concept for change in found.changes] == ["hen", "bird"]


def test_is_written_as_tables_and_json():
    found = compare_taxonomies(Dag.from_edges(OLD), Dag.from_edges(NEW), n_permutations=9)
    assert found.to_frame().loc["edge_recall", "value"] == 0.8
    assert found.to_markdown().splitlines()[2].startswith("| edge\\_precision | 0.6667 | 0.1389 |")
    assert found.changes_frame().what.tolist() == ["moved", "invented"]
    content = json.loads(found.to_json())
    assert content["scores"][2]["score"] == "edge_f"
    assert content["n_concepts"] == [6, 7]
    assert "edge_f" in found._repr_html_()
    assert repr(found) == "TaxonomyComparison(6 concepts and 7, 6 matched; ancestor F 0.8235, edge F 0.7273; 2 changes)"
    with pytest.raises(InvalidInputError, match=r"score must be .*; got 'f'"):
        found["f"]


def test_taxonomies_without_edges_have_undefined_scores():
    found = compare_taxonomies(Dag.from_edges([], terms=["a"]), Dag.from_edges([], terms=["a", "b"]))
    values = dict(zip(SCORES, found.columns()["value"], strict=True))
    assert values["edge_f"] is values["ancestor_f"] is values["caset"] is values["triples"] is None
    assert values["wu_palmer"] == 1.0
    assert found.verdict.startswith("Neither the first taxonomy nor the second taxonomy has a concept above another")
    assert "nan" not in found.to_json().lower()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "ids"}, InvalidInputError, "by must be"),
        ({"match_names": "same"}, InvalidInputError, "match_names must be"),
        ({"n_permutations": -1}, InvalidInputError, "n_permutations must be a whole number"),
        ({"threshold": 0.5}, InvalidInputError, "a threshold is for embeddings"),
        ({"names": ("a",)}, InvalidInputError, "names must be a pair"),
        ({"rng": "x"}, InvalidInputError, "rng must be"),
    ],
)
def test_refuses_invalid_options(options, error, message):
    with pytest.raises(error, match=message):
        compare_taxonomies(Dag.from_edges(OLD), Dag.from_edges(NEW), **options)


def test_refuses_taxonomies_without_a_common_concept_and_says_what_may_help():
    with pytest.raises(ItemMismatchError, match=r"share at least one concept; got none of .*match_names='loose'"):
        compare_taxonomies(Dag.from_edges([("a", "b")]), Dag.from_edges([("A", "B")]))


def test_refuses_a_graph_whose_ancestors_do_not_fit_in_memory():
    from dendrometry._memory import limited

    chain = Dag.from_edges([(str(i), str(i + 1)) for i in range(3_000)])
    with limited(2**20), pytest.raises(InvalidInputError, match="so few pairs of a concept and one above it"):
        compare_taxonomies(chain, chain)


@settings(max_examples=20)
@given(graph_pairs())
def test_adjusted_scores_are_0_as_by_chance_and_1_for_agreement(pair):
    found = compare_taxonomies(*map(as_graph, pair), n_permutations=5)
    for name, value, chance, adjusted in zip(SCORES, *list(found.columns().values())[1:4], strict=True):
        best = 0.0 if name in DISTANCES else 1.0
        if value is None or chance is None or chance == best:
            assert adjusted is None
        else:
            assert adjusted == pytest.approx((value - chance) / (best - chance), abs=1e-12)


def test_a_concept_of_the_same_name_is_renamed_by_its_identifier():
    sides = [Dag.from_edges([(term, "r")], names={term: "four", "r": "root"}) for term in ("T:4", "T:5")]
    found = compare_taxonomies(*sides, pairs={"T:4": "T:5"})
    assert [change.tell() for change in found.changes] == ["four: renamed to T:5"]
