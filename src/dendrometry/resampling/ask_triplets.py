"""Asking about triplets: questions one after the other, each where the answer is expected to help most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.names import names_within, positions_of
from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._display import plural, printable_repr
from dendrometry._html import note
from dendrometry._kernels.generate import triplets as kernels
from dendrometry._progress import bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.errors import InvalidInputError
from dendrometry.generate.triplets import triplet_rows
from dendrometry.hierarchy import Hierarchy
from dendrometry.resampling.questions import (
    agreement_matrix,
    answers_of,
    dense_points,
    open_questions,
    plausible_trees,
    question_values,
    require_three,
    sets_of_items,
)

Answerer: TypeAlias = Hierarchy | Callable[[int, int, int], int | None]

_DOUBT = 0.05  # weight that a tree keeps when an answer contradicts it
_FEWEST, _GROWTH = 5, 10  # trees are built again after 5 answers, or after a tenth of all, whichever is more


@dataclass(frozen=True, eq=False, repr=False)
class TripletAnswers(Frozen):
    """The questions that `ask_triplets` asked, their answers, and the tree built with these.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree of all points with all answers, by `bisect_constrained`.
    questions : (n_questions, 3) array of int
        The positions of the items of each question, ascending, in the order of asking.
    triplets : (n_triplets, 3) array of int
        Rows x, y, z, "x and y are closer to each other than to z": those that were known, then the answers.
    """

    hierarchy: Hierarchy
    questions: IntArray
    triplets: IntArray

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False) + self.hierarchy._repr_html_()

    def __repr__(self) -> str:
        asked, known = plural(len(self.questions), "question"), plural(len(self.triplets), "triplet")
        return f"TripletAnswers({self.hierarchy!r}, {asked}, {known})"


def ask_triplets(
    X: Any,
    answer: Answerer,
    n_questions: int,
    *,
    triplets: Any = (),
    n_trees: int = 16,
    n_candidates: int = 2000,
    trust: float = 1.0,
    propagate: bool = True,
    rng: RandomSource = 0,
    progress: bool = False,
) -> TripletAnswers:
    """Ask about three items at a time, where the answer is expected to raise agreement most, and build a tree.

    Trees that fit points and answers are built by `plausible_trees`, and the best question is chosen as by
    `next_triplet`. An answer lowers the weight of the trees that contradict it, to a twentieth. After five answers, or
    a tenth of all so far if that is more, the trees are built again.

    Parameters
    ----------
    X : (n, d) array of float or int
        The points, one row each, at least three. The index of a data frame names the items.
    answer : Hierarchy, or a function of three positions of items
        Who answers: a tree over the items, or a function that returns the item that is farthest from the other two, or
        None if it does not know. Items of the tree are matched by name if the points have names, else by position.
    n_questions : int
        The number of questions. No set of three items is asked about twice, so there may be fewer.
    triplets : (n_triplets, 3) array of int
        Rows x, y, z that are known before: x and y are closer to each other than to z.
    n_trees : int
        The number of plausible trees.
    n_candidates : int
        The number of questions that are compared, drawn each time the trees are built again.
    trust, propagate
        As for `bisect_constrained`, for all trees.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    progress : bool
        Whether to draw a progress bar on stderr.

    Returns
    -------
    TripletAnswers
        ``hierarchy``, with all answers, ``questions`` and ``triplets``.

    Raises
    ------
    ItemMismatchError
        If the answering tree holds other items than the points.
    InvalidInputError
        If an answer is none of the three items, or points, triplets or an option are as `plausible_trees` refuses.

    Notes
    -----
    Trees are built about ``10 log(n_questions)`` times, ``n_trees`` each time. Each question takes
    O(n_candidates * n_trees²). The choice is greedy: it looks one question ahead. Choosing where members of a committee
    disagree is from [1]_, with committees from bootstrap samples from [2]_; the value of a question is that of
    `expected_agreement`.

    References
    ----------
    .. [1] H. S. Seung, M. Opper, H. Sompolinsky, "Query by committee", COLT 1992. doi:10.1145/130385.130417
    .. [2] N. Abe, H. Mamitsuka, "Query learning strategies using boosting and bagging", ICML 1998.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.resampling import ask_triplets
    >>> points = [[0.0, 0.0], [1.0, 5.0], [5.0, 1.0], [6.0, 6.0]]
    >>> def first_is_odd(x, y, z):
    ...     return x
    >>> ask_triplets(points, from_newick("((ape,bat),(cat,dog));"), 4).triplets.tolist()
    [[0, 1, 2], [0, 1, 3], [2, 3, 0], [2, 3, 1]]
    >>> ask_triplets(points, first_is_odd, 2).triplets.tolist()
    [[1, 2, 0], [1, 3, 0]]
    """
    points = dense_points(X)
    n = require_three(points.shape[0])
    known = triplet_rows(triplets, n)
    wanted = count_held(n_questions, "n_questions", 0, 500)
    count = whole_number(n_trees, "n_trees", 1)
    compared = count_held(n_candidates, "n_candidates", 1, 100 * count)
    respond = _answerer(answer, X, n)
    random = random_generator(rng)
    asked: list[list[int]] = []
    told = known.tolist()
    taken = sets_of_items(known)
    left = comb(n, 3) - len(taken)
    with bar("questions", min(wanted, left), progress) as advance:
        while len(asked) < min(wanted, left):
            trees = plausible_trees(points, told, n_trees=count, trust=trust, propagate=propagate, rng=random)
            rows = open_questions(n, compared, taken, random)
            state = _State(agreement_matrix(trees), np.full(count, 1.0 / count), rows, answers_of(trees, rows))
            for _ in range(max(_FEWEST, len(told) // _GROWTH)):
                if len(asked) == wanted or not state.rows.size:
                    break
                best = int(np.argmax(question_values(state.agreement, state.weight, state.answers)))
                question = state.rows[best].tolist()
                odd = respond(*question)
                if odd is not None:
                    told.append([*(item for item in question if item != odd), odd])
                asked.append(question)
                taken.add(tuple(question))
                state = state.after(best, odd)
                advance(1)
    final = bisect_constrained(
        points, told, trust=trust, propagate=propagate, item_names=names_within(X), rng=random
    ).hierarchy
    questions = np.array(asked, dtype=np.int64).reshape(-1, 3)
    return TripletAnswers(final, read_only(questions), read_only(np.array(told, dtype=np.int64).reshape(-1, 3)))


class _State(NamedTuple):
    """Trees as their agreement, weights and answers, one row for each question that is still open."""

    agreement: FloatArray
    weight: FloatArray
    rows: IntArray
    answers: IntArray

    def after(self, at: int, odd: int | None) -> _State:
        """Return the state after the answer to a question, which is asked no more."""
        weight = self.weight
        if odd is not None:
            fits = self.answers[at] == self.rows[at].tolist().index(odd)
            weight = weight * np.where(fits, 1.0, _DOUBT)
        return self._replace(
            weight=weight / weight.sum(),
            rows=np.delete(self.rows, at, axis=0),
            answers=np.delete(self.answers, at, axis=0),
        )


def _answerer(answer: Answerer, X: Any, n: int) -> Callable[[int, int, int], int | None]:
    """Return a function of three positions that answers by a tree, or the function given with its answers checked."""
    if isinstance(answer, Hierarchy):
        names = names_within(X)
        if names is None and answer.n_items != n:
            raise InvalidInputError(
                f"the answering tree must hold one item for each of {n:,} points; got {answer.n_items:,}"
            )
        order = (
            np.arange(n) if names is None else positions_of(names, answer.items, "the points and the answering tree")
        )
        node, parent = answer.item_node[order], answer.parent

        def by_tree(*items: int) -> int | None:
            odd = int(kernels.odd_ones(parent, node[np.array([items])])[0])
            return None if odd < 0 else items[odd]

        return by_tree
    if not callable(answer):
        raise InvalidInputError(
            f"answer must be a Hierarchy or a function of three items; got {printable_repr(answer)}"
        )

    def checked(*items: int) -> int | None:
        odd = answer(*items)
        if odd is None:
            return None
        if isinstance(odd, bool) or odd not in items:
            raise InvalidInputError(f"an answer must be one of the items {items}, or None; got {printable_repr(odd)}")
        return int(odd)

    return checked
