"""A question about three items: how much its answer is expected to raise agreement, and which is the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from dendrometry._check.arrays import float_column, read_only
from dendrometry._check.names import names_within, positions_of
from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural
from dendrometry._html import field_table
from dendrometry._kernels.generate import triplets as kernels
from dendrometry._progress import track
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.comparison.pairwise_matrix import named_trees, pairwise_matrix
from dendrometry.errors import InvalidInputError
from dendrometry.generate.triplets import triplet_rows
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike


@dataclass(frozen=True)
class TripletQuestion:
    """A question: which of three items joins the other two last.

    Attributes
    ----------
    items : tuple of three int
        The positions of the items, in ascending order.
    answers : tuple of four float
        The share of the trees, by weight, in which the first, second and third item is the odd one, and in which all
        three join at once.
    agreement : float
        The mean hierarchy agreement of two trees, both drawn by weight, before the answer.
    expected : float
        That of two trees that agree with the answer, the mean over the answers by their shares.
    """

    items: tuple[int, int, int]
    answers: tuple[float, float, float, float]
    agreement: float
    expected: float

    @property
    def rise(self) -> float:
        """How much the agreement is expected to rise: at least 0, but for rounding."""
        return self.expected - self.agreement

    def _repr_html_(self) -> str:
        return field_table(self)


def expected_agreement(
    trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike], questions: Any, *, weights: Any = None
) -> FloatArray:
    """Return how well two trees that fit the answer to a question agree, the mean over all answers.

    With weights w that add up to 1, the answer a has the probability p(a), the weight of the trees that give it. The
    value is ``sum over a of p(a) * A(a)``, where A(a) is the mean hierarchy agreement of two trees, both drawn by
    weight among those that give the answer a. One of the two stands for the truth, the other for the tree that will be
    built. The answers are: the first, the second or the third item is the odd one, or all three join at once.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies
        Trees that are thought possible, over the same items; see `plausible_trees`.
    questions : (n_questions, 3) array of int
        Rows of three different items, by position in the first tree.
    weights : (n_trees,) array of float, optional
        How probable each tree is, in any unit; by default all are equally so.

    Returns
    -------
    (n_questions,) array of float
        At least the mean agreement of any two of the trees, at most 1; higher is better to ask.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If a question does not consist of three different items, or the weights are negative or all 0.

    Notes
    -----
    No question lowers the value, since 1 minus the agreement is a distance of negative type (a sum of absolute
    differences), of which the mean over pairs is concave in the weights. With few trees the value is too high for a
    forecast, since the two may be the same one; it orders questions. O(trees²) for each, after O(trees² n log n).

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.resampling import expected_agreement
    >>> trees = [from_newick(text) for text in ("((a,b),(c,d));", "((a,b),(d,c));", "((a,c),(b,d));")]
    >>> expected_agreement(trees, [[0, 1, 2], [0, 1, 3]]).tolist()
    [1.0, 1.0]
    """
    listed = named_trees(trees, "expected_agreement")[1]
    rows = triplet_rows(questions, listed[0].n_items)
    weight = _weights(weights, len(listed))
    return read_only(question_values(agreement_matrix(listed), weight, answers_of(listed, rows)))


def next_triplet(
    trees: Mapping[str, HierarchyLike] | Sequence[HierarchyLike],
    *,
    weights: Any = None,
    triplets: Any = (),
    n_candidates: int = 2000,
    rng: RandomSource = 0,
) -> TripletQuestion:
    """Return the question about three items whose answer is expected to raise the agreement with the truth most.

    The truth is taken for one of the trees, each with its weight; see `expected_agreement`.

    Parameters
    ----------
    trees : mapping of names to hierarchies, or sequence of hierarchies
        Trees that are thought possible, over the same items, at least three; see `plausible_trees`.
    weights : (n_trees,) array of float, optional
        How probable each tree is, in any unit; by default all are equally so.
    triplets : (n_triplets, 3) array of int
        Triplets that are known already. Their items are not asked about again.
    n_candidates : int
        The number of questions that are compared, drawn at random; all, if there are no more.
    rng : numpy Generator, int or None
        The source of random numbers, for the candidates. The default seed, 0, gives the same result in every call; None
        does not.

    Returns
    -------
    TripletQuestion
        The best of the candidates, the first of equal ones. Its ``rise`` is 0 if the trees all give the same answers.

    Raises
    ------
    ItemMismatchError
        If the trees hold different items.
    InvalidInputError
        If there are fewer than three items, all sets of three are known, or an option is out of range.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.resampling import next_triplet
    >>> next_triplet([from_newick("((ape,cat),owl);"), from_newick("((ape,owl),cat);")]).answers
    (0.0, 0.5, 0.5, 0.0)
    """
    listed = named_trees(trees, "next_triplet")[1]
    n = require_three(listed[0].n_items)
    weight = _weights(weights, len(listed))
    compared = count_held(n_candidates, "n_candidates", 1, 100 * len(listed))
    taken = sets_of_items(triplet_rows(triplets, n))
    if len(taken) == comb(n, 3):
        raise InvalidInputError(f"some three of {n} items must be left to ask about; all are known")
    rows = open_questions(n, compared, taken, random_generator(rng))
    agreement, answers = agreement_matrix(listed), answers_of(listed, rows)
    value = question_values(agreement, weight, answers)
    best = int(np.argmax(value))
    x, y, z = rows[best].tolist()
    odd = [float(weight[answers[best] == answer].sum()) for answer in (0, 1, 2, -1)]
    now = float(weight @ agreement @ weight)
    return TripletQuestion((x, y, z), (odd[0], odd[1], odd[2], odd[3]), now, float(value[best]))


def plausible_trees(
    X: Any,
    triplets: Any,
    *,
    n_trees: int = 16,
    trust: float = 1.0,
    propagate: bool = True,
    rng: RandomSource = 0,
    progress: bool = False,
) -> list[Hierarchy]:
    """Build trees that points and triplets leave possible, each from columns and triplets drawn with replacement.

    Where the trees differ, points and triplets do not decide: there a further triplet helps.

    Parameters
    ----------
    X : (n, d) array of float or int
        The points, one row each. The index of a data frame names the items.
    triplets : (n_triplets, 3) array of int
        Rows x, y, z of positions: x and y are closer to each other than to z.
    n_trees : int
        The number of trees.
    trust, propagate
        As for `bisect_constrained`, which builds the trees.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    list of Hierarchy
        Binary trees down to single items.

    Raises
    ------
    InvalidInputError
        If points are sparse or not finite, a triplet does not consist of three different items, or an option is out of
        range.

    Examples
    --------
    >>> from dendrometry.resampling import next_triplet, plausible_trees
    >>> points = [[0.0, 0.0], [1.0, 5.0], [5.0, 1.0], [6.0, 6.0]]
    >>> trees = plausible_trees(points, [[0, 1, 2]])
    >>> question = next_triplet(trees, triplets=[[0, 1, 2]])
    >>> question.items, round(question.agreement, 3), round(question.expected, 3)
    ((0, 1, 3), 0.883, 1.0)
    """
    points = dense_points(X)
    rows = triplet_rows(triplets, points.shape[0])
    count, random = whole_number(n_trees, "n_trees", 1), random_generator(rng)
    names = names_within(X)
    trees = []
    for _ in track(range(count), "plausible trees", count, progress):
        column = random.integers(points.shape[1], size=points.shape[1])
        told = rows[random.integers(len(rows), size=len(rows))] if len(rows) else rows
        built = bisect_constrained(
            points[:, column], told, trust=trust, propagate=propagate, item_names=names, rng=random
        )
        trees.append(built.hierarchy)
    return trees


def dense_points(X: Any) -> Any:
    """Return points that are dense and finite."""
    points = points_of(X)
    if is_sparse(points):
        raise InvalidInputError("points must be dense for questions; got a sparse matrix (use toarray())")
    return finite_points(points)


def require_three(n: int) -> int:
    """Return the number of items, if there are three to ask about."""
    if n < 3:
        raise InvalidInputError(f"a question needs three items; got {n}")
    return n


def _weights(weights: Any, count: int) -> FloatArray:
    """Return the weights of trees, which add up to 1."""
    if weights is None:
        return np.full(count, 1.0 / count)
    weight = float_column(weights, "weights")
    if weight.size != count:
        raise InvalidInputError(f"weights must be one for each of {plural(count, 'tree')}; got {weight.size}")
    if not np.isfinite(weight).all() or (weight < 0.0).any() or not weight.any():
        raise InvalidInputError("weights must be finite, at least 0, and not all 0")
    weight = weight / weight.max()
    share: FloatArray = weight / weight.sum()
    return share


def sets_of_items(rows: IntArray) -> set[tuple[int, ...]]:
    """Return the sets of items of triplets, each as an ascending tuple."""
    return set(map(tuple, np.sort(rows, axis=1).tolist()))


def open_questions(n: int, count: int, taken: set[tuple[int, ...]], rng: np.random.Generator) -> IntArray:
    """Return sets of three items, ascending, that are not taken: all if there are few, else random ones.

    At least one must be left.
    """
    found: list[tuple[int, ...]] = []
    while not found:
        if comb(n, 3) <= count:
            drawn = list(combinations(range(n), 3))
        else:
            rows = np.sort(rng.integers(n, size=(count, 3)), axis=1)
            distinct = (rows[:, 0] < rows[:, 1]) & (rows[:, 1] < rows[:, 2])
            drawn = list(dict.fromkeys(map(tuple, rows[distinct].tolist())))
        found = [row for row in drawn if row not in taken]
    return np.array(found)


def agreement_matrix(trees: Sequence[Hierarchy]) -> FloatArray:
    """Return the hierarchy agreement of all pairs of trees."""
    return pairwise_matrix(trees, "hierarchy_agreement", adjusted=False, n_jobs=1).values


def answers_of(trees: Sequence[Hierarchy], rows: IntArray) -> IntArray:
    """Return what each tree answers to each question: 0, 1 or 2 for the odd one, -1 for none. (questions, trees)."""
    items = trees[0].items
    found = np.empty((len(rows), len(trees)), dtype=np.int64)
    for j, tree in enumerate(trees):
        at = tree.item_node
        if tree.items != items:
            at = at[positions_of(items, tree.items, "the trees")]
        found[:, j] = kernels.odd_ones(tree.parent, at[rows])
    return found


def question_values(agreement: FloatArray, weight: FloatArray, answers: IntArray) -> FloatArray:
    """Return the expected agreement after each question."""
    total = np.zeros(len(answers))
    for answer in (-1, 0, 1, 2):
        share = weight * (answers == answer)
        probability = share.sum(axis=1)
        within = np.einsum("qt,qt->q", share @ agreement, share)
        total += within / np.where(probability > 0.0, probability, 1.0)
    return total
