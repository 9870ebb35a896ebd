"""Triplets drawn from a tree and held against one."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from tests.oracles import triplets as oracle
from tests.strategies import hierarchies
from tests.zoo import caterpillar

from dendrometry import from_labels, from_newick, from_parents
from dendrometry.errors import InvalidInputError, UndefinedMeasureError
from dendrometry.generate import random_tree, random_triplets, satisfied_triplets


def clusters(tree):
    order = tree.order
    return [set(order.item[order.item_low[v] : order.item_high[v]].tolist()) for v in range(tree.n_nodes)]


@given(hierarchies(max_items=6))
def test_satisfied_equals_the_oracle_for_all_triples(tree):
    rows = list(permutations(range(tree.n_items), 3))
    wanted = [oracle.odd_one(clusters(tree), *row) == row[2] for row in rows]
    assert satisfied_triplets(tree, rows).tolist() == wanted


def test_drawn_triplets_are_satisfied_and_all_triples_come_equally_often():
    tree = random_tree(6, rng=0)
    drawn = random_triplets(tree, 2000, rng=1)
    assert satisfied_triplets(tree, drawn).all()
    assert (drawn[:, 0] < drawn[:, 1]).all()
    counts = Counter(tuple(sorted(row)) for row in drawn.tolist())
    assert len(counts) == 20
    assert all(abs(count - 100) < 50 for count in counts.values())


def test_triples_that_join_at_once_are_not_drawn():
    tree = from_newick("((a,b),c,d,e);")
    assert {tuple(row) for row in random_triplets(tree, 50, rng=0).tolist()} == {(0, 1, 2), (0, 1, 3), (0, 1, 4)}


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_that_tells_few_triples_is_asked_for_those(seed):
    """One pair below a root of 200 items: of 1,313,400 triples 198 are told."""
    tree = from_newick(f"((a,b),{','.join(f'x{i}' for i in range(198))});")
    drawn = random_triplets(tree, 3, rng=seed)
    assert drawn[:, :2].tolist() == [[0, 1]] * 3
    assert satisfied_triplets(tree, drawn).all()


def test_a_tree_that_tells_few_triples_gives_them_all_equally_often():
    """Items at inner nodes, a unary node, and many leaves at the root: 2 + 6 x 7 triples of 165 are told."""
    tree = from_parents([1, 2, *[9] * 7, -1], [0, 0, 2, 2, *range(3, 10)])
    told = {row for row in permutations(range(11), 3) if row[0] < row[1] and satisfied_triplets(tree, [row])[0]}
    drawn = random_triplets(tree, 80 * len(told), rng=3)
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) == told
    assert len(told) == 44
    assert all(abs(count - 80) < 5 * 80**0.5 for count in counts.values())


def test_none_are_drawn_where_none_are_asked_for():
    assert random_triplets(caterpillar(4), 0).shape == (0, 3)
    assert satisfied_triplets(caterpillar(4), []).shape == (0,)


def test_the_same_seed_gives_the_same_triplets():
    tree = random_tree(100, rng=0)
    assert (random_triplets(tree, 300, rng=4) == random_triplets(tree, 300, rng=4)).all()


@pytest.mark.parametrize("labels", [[0], [0, 1], [0, 0, 0, 0], [0, 1, 2, 3]])
def test_refuses_trees_that_tell_nothing(labels):
    with pytest.raises(UndefinedMeasureError, match="must have three items of which two join first"):
        random_triplets(from_labels(labels), 1, rng=0)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1]], r"triplets must be rows of 3 items; got shape \(1, 2\)"),
        ([[0, 1, 2], [0, 1, 4]], r"triplets must hold items from 0 to 3; got \[0, 1, 4\] in row 1"),
        ([[0, 1, -1]], r"triplets must hold items from 0 to 3; got \[0, 1, -1\] in row 0"),
        ([[0, 1, 1]], r"triplets must hold three different items; got \[0, 1, 1\] in row 0"),
        ([[0, 1, 2.5]], "triplets must hold whole numbers; got 2.5"),
        ([["a", "b", "c"]], "triplets must be an array of numbers; got text"),
        (np.array([[0, 1, np.nan]]), "triplets must hold whole numbers; got nan"),
    ],
)
def test_refuses_what_is_no_triplet(rows, message):
    with pytest.raises(InvalidInputError, match=message):
        satisfied_triplets(caterpillar(4), rows)
