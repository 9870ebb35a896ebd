"""Questions about three items: their value by definition, the best of all, and what is refused."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import from_newick, hierarchy_agreement
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import random_tree, satisfied_triplets
from dendrometry.resampling import expected_agreement, next_triplet, plausible_trees
from dendrometry.resampling.questions import agreement_matrix, answers_of, question_values
from tests.oracles.resampling import questions as oracle
from tests.oracles.sets.trees import plain
from tests.strategies import random_hierarchy


def binary_trees(items):
    """All rooted binary trees over some items, as nested pairs: the last item beside any part of a smaller tree."""
    if len(items) == 1:
        return [items[0]]

    def beside(tree, item):
        yield (tree, item)
        if isinstance(tree, tuple):
            left, right = tree
            yield from ((grown, right) for grown in beside(left, item))
            yield from ((left, grown) for grown in beside(right, item))

    return [grown for tree in binary_trees(items[:-1]) for grown in beside(tree, items[-1])]


def newick(tree):
    return f"({','.join(map(newick, tree))})" if isinstance(tree, tuple) else tree


def all_trees(names):
    return [from_newick(newick(tree) + ";") for tree in binary_trees(tuple(names))]


@st.composite
def some_trees(draw, most=5):
    """Trees of every kind over the same items, with whole weights, not all 0."""
    n, count = draw(st.integers(3, 6)), draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = draw(st.lists(st.integers(0, 4), min_size=count, max_size=count).filter(any))
    return [random_hierarchy(n, rng) for _ in range(count)], weights


@given(some_trees())
def test_the_value_of_a_question_is_that_of_the_definition(drawn):
    trees, weights = drawn
    rows = list(combinations(range(trees[0].n_items), 3))
    found = expected_agreement(trees, rows, weights=weights)
    as_sets = [plain(tree, trees[0].items) for tree in trees]
    wanted = [float(oracle.expected_agreement(as_sets, weights, row)) for row in rows]
    assert found == pytest.approx(wanted)


@given(some_trees())
def test_the_next_question_is_the_best_of_all(drawn):
    trees, weights = drawn
    question = next_triplet(trees, weights=weights)
    as_sets = [plain(tree, trees[0].items) for tree in trees]
    assert question.expected == pytest.approx(float(oracle.best_value(as_sets, weights)))
    assert question.expected == pytest.approx(expected_agreement(trees, [question.items], weights=weights)[0])
    assert sum(question.answers) == pytest.approx(1.0)
    share = sum(w for t, w in zip(as_sets, weights, strict=True) if oracle.odd_one(t, question.items) is None)
    assert question.answers[3] == pytest.approx(share / sum(weights))


@given(some_trees(most=8))
def test_no_answer_is_expected_to_lower_the_agreement_and_none_raises_it_above_one(drawn):
    trees, weights = drawn
    question = next_triplet(trees, weights=weights)
    assert question.rise >= -1e-12
    values = expected_agreement(trees, list(combinations(range(trees[0].n_items), 3)), weights=weights)
    assert (values >= question.agreement - 1e-12).all()
    assert (values <= 1.0 + 1e-12).all()


def values_by_name(trees, weights=None):
    """The value of all questions in the order of the names of their items."""
    place = {name: at for at, name in enumerate(trees[0].items)}
    rows = [[place[name] for name in row] for row in combinations(sorted(place), 3)]
    return expected_agreement(trees, rows, weights=weights)


@given(some_trees())
def test_a_tree_of_weight_two_counts_as_two_trees_and_the_order_of_trees_is_nothing(drawn):
    trees, weights = drawn
    value = values_by_name(trees, weights)
    repeated = [tree for tree, weight in zip(trees, weights, strict=True) for _ in range(weight)]
    assert values_by_name(repeated) == pytest.approx(value)
    assert values_by_name(trees, [weight * 1e-200 for weight in weights]) == pytest.approx(value)
    assert values_by_name(trees[::-1], weights[::-1]) == pytest.approx(value)


def test_items_are_matched_by_name():
    one, other = from_newick("((a,b),(c,d));"), from_newick("((d,c),(b,a));")
    assert one.items != other.items
    assert next_triplet([one, other]).rise == 0.0
    assert expected_agreement({"one": one, "other": other}, [[0, 1, 2]]).tolist() == [1.0]


def test_of_all_trees_of_four_items_every_question_is_worth_the_same():
    trees = all_trees("abcd")
    assert len(trees) == 15
    values = expected_agreement(trees, list(combinations(range(4), 3)))
    assert values == pytest.approx(np.full(4, values[0]))
    assert next_triplet(trees).answers == pytest.approx((1 / 3, 1 / 3, 1 / 3, 0.0))


def test_chosen_questions_single_out_one_of_all_trees_of_five_items_sooner_than_random_ones():
    trees = all_trees("abcde")
    assert len(trees) == 105
    rows = np.array(list(combinations(range(5), 3)))
    agreement, answers = agreement_matrix(trees), answers_of(trees, rows)
    rng = np.random.default_rng(0)
    needed = {"chosen": [], "random": []}
    for truth in range(105):
        for way, counts in needed.items():
            fits, order, asked = np.ones(105), rng.permutation(10), 0
            while fits.sum() > 1.0:
                values = question_values(agreement, fits / fits.sum(), answers)
                at = int(np.argmax(values)) if way == "chosen" else order[asked]
                fits *= answers[at] == answers[at, truth]
                asked += 1
            counts.append(asked)
            assert fits[truth] == 1.0
    assert max(needed["chosen"]) <= 7
    assert np.mean(needed["chosen"]) < np.mean(needed["random"]) - 1.0


def test_plausible_trees_differ_and_follow_what_is_known():
    rng = np.random.default_rng(0)
    points, truth = rng.normal(size=(20, 4)), random_tree(20, rng=rng)
    rows = np.array(list(combinations(range(20), 3)))
    known = np.concatenate([rows[:, order] for order in ([0, 1, 2], [0, 2, 1], [1, 2, 0])])
    known = known[satisfied_triplets(truth, known)]
    free = plausible_trees(points, [], n_trees=4)
    assert any(tree != free[0] for tree in free)
    bound = plausible_trees(points, known, n_trees=4, trust=100.0)
    assert np.mean([hierarchy_agreement(truth, tree) for tree in bound]) > 0.99
    assert next_triplet(bound).agreement > next_triplet(free).agreement


def test_the_same_seed_gives_the_same_trees_named_by_the_index():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 3)), index=list("abcdef"))
    one, other = (plausible_trees(frame, [[0, 1, 2]], n_trees=3, rng=5) for _ in range(2))
    assert one == other
    assert one[0].items == tuple("abcdef")


def test_one_tree_leaves_nothing_to_ask_and_a_star_answers_nothing():
    question = next_triplet([from_newick("((a,b),c);")])
    assert (question.items, question.agreement, question.expected, question.rise) == ((0, 1, 2), 1.0, 1.0, 0.0)
    assert next_triplet([from_newick("(a,b,c);")]).answers == (0.0, 0.0, 0.0, 1.0)


def test_what_is_known_is_not_asked_again():
    trees = [random_tree(4, rng=seed) for seed in range(4)]
    known = []
    while len(known) < 4:
        known.append(list(next_triplet(trees, triplets=known).items))
    assert sorted(known) == [list(row) for row in combinations(range(4), 3)]
    with pytest.raises(InvalidInputError, match="some three of 4 items must be left to ask about; all are known"):
        next_triplet(trees, triplets=known)


def test_few_candidates_are_drawn_by_the_seed():
    trees = [random_tree(30, rng=seed) for seed in range(4)]
    few, again = (next_triplet(trees, n_candidates=5, rng=1) for _ in range(2))
    assert few == again
    assert next_triplet(trees, n_candidates=10_000).expected >= few.expected
    assert next_triplet(trees, n_candidates=1).rise >= -1e-12


TREES = [from_newick("((a,b),c);"), from_newick("((a,c),b);")]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: next_triplet([]), "next_triplet needs at least one tree; got none"),
        (lambda: next_triplet(TREES[0]), "next_triplet takes several trees; got a single Hierarchy"),
        (lambda: next_triplet([from_newick("(a,b);")]), "a question needs three items; got 2"),
        (lambda: next_triplet(TREES, weights=[1.0]), "weights must be one for each of 2 trees; got 1"),
        (lambda: next_triplet(TREES, weights=[0, 0]), "weights must be finite, at least 0, and not all 0"),
        (lambda: next_triplet(TREES, weights=[1, -1]), "weights must be finite, at least 0, and not all 0"),
        (lambda: next_triplet(TREES, n_candidates=0), "n_candidates must be a whole number from 1 on; got 0"),
        (lambda: expected_agreement(TREES, [[0, 1, 1]]), "triplets must hold three different items"),
        (lambda: plausible_trees([[0.0], [1.0]], [], n_trees=0), "n_trees must be a whole number from 1 on; got 0"),
        (lambda: plausible_trees([[np.nan]], []), "points must be finite"),
    ],
)
def test_refuses_bad_input(call, message):
    with pytest.raises(InvalidInputError, match=message):
        call()


def test_refuses_trees_of_other_items_and_sparse_points():
    with pytest.raises(ItemMismatchError):
        next_triplet([TREES[0], from_newick("((a,d),b);")])
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(InvalidInputError, match=r"points must be dense for questions; got a sparse matrix"):
        plausible_trees(sparse.eye_array(3), [])
