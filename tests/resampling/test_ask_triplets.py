"""Asking about triplets: which are asked, how answers are used, and what is refused."""

from itertools import combinations

import numpy as np
import pytest

from dendrometry import agglomerate, from_newick, hierarchy_agreement
from dendrometry.cluster import bisect_constrained
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.generate import (
    random_colours,
    random_tree,
    random_triplets,
    rgb_to_hsv,
    rgb_to_lab,
    satisfied_triplets,
)
from dendrometry.resampling import ask_triplets, next_triplet, plausible_trees

POINTS = np.random.default_rng(0).normal(size=(8, 3))
TRUTH = random_tree(8, rng=1)


def test_every_question_is_answered_by_the_tree_and_none_is_asked_twice():
    asked = ask_triplets(POINTS, TRUTH, 30, n_trees=4)
    assert asked.questions.shape == asked.triplets.shape == (30, 3)
    assert satisfied_triplets(TRUTH, asked.triplets).all()
    assert (np.sort(asked.triplets, axis=1) == asked.questions).all()
    assert len(set(map(tuple, asked.questions.tolist()))) == 30
    assert repr(asked).endswith("30 questions, 30 triplets)")


def test_it_ends_when_all_is_asked_and_the_tree_is_then_the_truth():
    asked = ask_triplets(POINTS, TRUTH, 1000, n_trees=3, trust=100.0)
    assert sorted(map(tuple, asked.questions.tolist())) == list(combinations(range(8), 3))
    assert hierarchy_agreement(TRUTH, asked.hierarchy) == 1.0


def test_the_first_question_is_that_of_the_public_functions():
    rng = np.random.default_rng(3)
    trees = plausible_trees(POINTS, [[0, 1, 2]], n_trees=5, rng=rng)
    first = next_triplet(trees, triplets=[[0, 1, 2]], rng=rng)
    asked = ask_triplets(POINTS, TRUTH, 1, triplets=[[0, 1, 2]], n_trees=5, rng=3)
    assert asked.questions.tolist() == [list(first.items)]
    assert asked.triplets[0].tolist() == [0, 1, 2]
    assert len(asked.triplets) == 2


def test_more_questions_begin_with_the_same_ones():
    few, many = (ask_triplets(POINTS, TRUTH, count, n_trees=4, rng=2).questions for count in (12, 25))
    assert (many[:12] == few).all()


def test_a_function_that_answers_like_the_tree_gives_the_same():
    def answer(*items):
        rows = [[*(i for i in items if i != odd), odd] for odd in items]
        return int(np.array(items)[satisfied_triplets(TRUTH, rows)][0])

    one, other = (ask_triplets(POINTS, who, 20, n_trees=4) for who in (TRUTH, answer))
    assert (one.triplets == other.triplets).all()
    assert one.hierarchy == other.hierarchy


def test_questions_without_an_answer_count_as_asked():
    nothing = ask_triplets(POINTS, lambda *_: None, 7, n_trees=3)
    star = ask_triplets(POINTS, from_newick("(a,b,c,d,e,f,g,h);"), 7, n_trees=3)
    for asked in (nothing, star):
        assert len(asked.questions) == 7
        assert asked.triplets.shape == (0, 3)


def test_items_of_the_answering_tree_are_matched_by_name_if_points_have_names():
    pd = pytest.importorskip("pandas")
    truth = from_newick("((((h,a),g),(b,f)),((c,e),d));")
    frame = pd.DataFrame(POINTS, index=list("abcdefgh"))
    asked = ask_triplets(frame, truth, 56, n_trees=3, trust=100.0)
    assert asked.hierarchy.items == tuple("abcdefgh")
    assert hierarchy_agreement(truth, asked.hierarchy) == 1.0


def test_without_questions_it_is_bisection_of_all_points():
    known = random_triplets(TRUTH, 10, rng=0)
    asked = ask_triplets(POINTS, TRUTH, 0, triplets=known, rng=4)
    assert asked.hierarchy == bisect_constrained(POINTS, known, rng=4).hierarchy
    assert asked.questions.shape == (0, 3)
    assert (asked.triplets == known).all()


@pytest.mark.compiled
def test_chosen_questions_bring_colours_nearer_to_the_truth_than_as_many_random_ones():
    """The mean over three drawings; the study has more, and the range."""
    more = []
    for seed in range(3):
        rgb = random_colours(40, rng=seed)
        truth, points = agglomerate(rgb_to_lab(rgb), linkage="average").hierarchy, rgb_to_hsv(rgb)
        chosen = ask_triplets(points, truth, 160, n_trees=8, rng=seed).triplets
        values = [
            hierarchy_agreement(truth, bisect_constrained(points, known, rng=0).hierarchy)
            for known in (chosen, random_triplets(truth, 160, rng=seed))
        ]
        more.append(values[0] - values[1])
    assert np.mean(more) > 0.01


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answer": lambda *_: 99}, r"an answer must be one of the items \(0, 1, 2\), or None; got 99"),
        ({"answer": lambda *_: True}, "an answer must be one of the items .*; got True"),
        ({"answer": "tree"}, "answer must be a Hierarchy or a function of three items; got 'tree'"),
        ({"answer": random_tree(4, rng=0)}, "the answering tree must hold one item for each of 3 points; got 4"),
        ({"X": [[0.0], [1.0]]}, "a question needs three items; got 2"),
        ({"n_questions": -1}, "n_questions must be a whole number from 0 on; got -1"),
        ({"n_trees": 0}, "n_trees must be a whole number from 1 on; got 0"),
        ({"n_candidates": 0}, "n_candidates must be a whole number from 1 on; got 0"),
        ({"trust": 0.0}, "trust must be a finite number, above 0; got 0"),
        ({"propagate": 2}, "propagate must be True or False; got 2"),
        ({"triplets": [[0, 1, 3]]}, "triplets must hold items from 0 to 2"),
    ],
)
def test_refuses_bad_input(options, message):
    given = {"X": [[0.0], [1.0], [5.0]], "answer": from_newick("((a,b),c);"), "n_questions": 1, **options}
    with pytest.raises(InvalidInputError, match=message):
        ask_triplets(**given)


def test_refuses_an_answering_tree_of_other_items():
    pd = pytest.importorskip("pandas")
    with pytest.raises(ItemMismatchError, match="the points and the answering tree must name the same items"):
        ask_triplets(pd.DataFrame(POINTS, index=list("abcdefgh")), TRUTH, 1)
