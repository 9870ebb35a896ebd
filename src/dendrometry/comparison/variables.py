"""Variable selection: which variables of the points lead to similar trees, and which to trees like no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import elements
from dendrometry._check.names import names_of
from dendrometry._check.numbers import RandomSource, count_held, random_generator, whole_number
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import preview
from dendrometry._progress import track
from dendrometry._tabular import Tabular
from dendrometry._typing import BoolArray, FloatArray
from dendrometry._version import __version__
from dendrometry.cluster.linkages import Linkage
from dendrometry.cluster.ties import trees_over_ties
from dendrometry.comparison.pairwise_matrix import Matrix, pairwise_matrix
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.levels.stages import stages
from dendrometry.measures.trees.overall_similarity import overall_similarity

_ROUNDING = 1e-12  # values with a smaller difference count as equal
_LEVEL = 0.05  # of the selection, divided among the variables
_ALL = "all"


@dataclass(frozen=True, eq=False, repr=False)
class VariableScores(Frozen, Tabular):
    """Variables compared by the trees that they lead to.

    Where merges are tied, an arbitrary rule decides among them. Ties are therefore broken in several ways, and all
    similarities are means over these tie-breaks.

    Attributes
    ----------
    names : tuple of str
        The names of the variables.
    similarity, expected : (n_variables, n_variables) array of float
        The overall similarity S of the trees of two single variables, and its exact mean over all relabellings of the
        items; on the diagonal, 1 and 0.
    agreement_over_ties : (n_tie_breaks, n_variables) array of float
        The agreement of each variable for each tie-break; one row if no tree has ties.
    null : (n_permutations, n_variables) array of float
        The agreement of each variable after each relabelling of its items, for one of the tie-breaks.
    without : (n_variables,) array of float
        S of the tree of all variables and the tree of all but this one: low if the variable matters.
    subsets : Matrix or None
        S of all pairs of trees of subsets, and of the tree of all variables, "all"; None if there are no subsets.
    trees : dict of str to Hierarchy
        The tree of each single variable; like those below, with the lowest numbers first in ties.
    trees_without : dict of str to Hierarchy
        The tree of all variables but each.
    subset_trees : dict of str to Hierarchy
        The tree of each subset, and of all variables, "all".
    """

    names: tuple[str, ...]
    similarity: FloatArray
    expected: FloatArray
    agreement_over_ties: FloatArray
    null: FloatArray
    without: FloatArray
    subsets: Matrix | None
    trees: dict[str, Hierarchy]
    trees_without: dict[str, Hierarchy]
    subset_trees: dict[str, Hierarchy]

    @property
    def agreement(self) -> FloatArray:
        """The mean over all other variables of S adjusted for chance, (S - E) / (1 - E), and over the tie-breaks.

        It is 1 for the same tree, and about 0 for a variable without structure in common with the others.
        """
        mean: FloatArray = self.agreement_over_ties.mean(axis=0)
        return mean

    @property
    def p_value(self) -> FloatArray | None:
        """The share of relabellings of a variable's items that agree at least as much with the other variables.

        The observed order counts as one relabelling; None if no relabellings were requested.
        """
        if not len(self.null):
            return None
        ahead = (self.null >= self.agreement - _ROUNDING).sum(axis=0)
        share: FloatArray = (1 + ahead) / (1 + len(self.null))
        return share

    @property
    def methods(self) -> str:
        """How the p-values were obtained, for the methods section of a paper; "" without relabellings."""
        n = len(self.null)
        if not n:
            return ""
        ties = f" Where merges are tied, it is the mean over {self.n_tie_breaks} tie-breaks." * (self.n_tie_breaks > 1)
        n_names = len(self.names)
        level = f" Variables were selected at a level of {_LEVEL:.0%} divided by {n_names}, their number (Bonferroni)."
        chosen = "" if self.selected is None else level
        return (
            "A tree was built from each variable alone. The agreement of a variable is the mean, over all others, of"
            " the overall similarity of both trees adjusted for chance (Morlini and Zani, An Overall Index for"
            f" Comparing Hierarchical Clusterings, 2012).{ties} It was computed again after each of"
            f" {plural(n, 'random relabelling')} of the items of the variable's tree, which keeps its shape. The"
            f" p-value is (1 + r) / (1 + {n}), where r relabellings agreed at least as much with the other variables"
            f" (Phipson and Smyth, Permutation p-values should never be zero, 2010).{chosen} Computed with dendrometry"
            f" {__version__}."
        )

    @property
    def selected(self) -> BoolArray | None:
        """Whether each variable is selected: its p-value is at most 5%, divided by the number of variables.

        If no variable has anything in common with the others, any is selected with a probability of at most 5%. None if
        `n_relabellings_to_select` exceeds the number of relabellings: then no p-value can be so low.
        """
        if self.p_value is None or len(self.null) < self.n_relabellings_to_select:
            return None
        chosen: BoolArray = self.p_value <= _LEVEL / len(self.names) + _ROUNDING
        return chosen

    @property
    def n_relabellings_to_select(self) -> int:
        """The number of relabellings from which on variables can be selected."""
        return round(len(self.names) / _LEVEL) - 1

    @property
    def n_tie_breaks(self) -> int:
        """The number of tie-breaks over which the scores are means; 1 if no tree has ties."""
        return len(self.agreement_over_ties)

    @property
    def tie_effect(self) -> float:
        """The greatest difference that ties make to the agreement of a variable."""
        return float(np.ptp(self.agreement_over_ties, axis=0).max())

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row for each variable."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns.

        Mean S with the other variables, its expectation, the agreement with its range over the tie-breaks, the p-value
        if requested, S without the variable, and, with enough relabellings, whether the variable is selected.
        """
        n_others = len(self.names) - 1
        found = {
            "variable": list(self.names),
            "similarity": ((self.similarity.sum(axis=1) - 1.0) / n_others).tolist(),
            "by_chance": (self.expected.sum(axis=1) / n_others).tolist(),
            "agreement": self.agreement.tolist(),
            "agreement_low": self.agreement_over_ties.min(axis=0).tolist(),
            "agreement_high": self.agreement_over_ties.max(axis=0).tolist(),
        }
        if self.p_value is not None:
            found["p_value"] = self.p_value.tolist()
        found["similarity_without"] = self.without.tolist()
        if self.selected is not None:
            found["selected"] = self.selected.tolist()
        return found

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        best = int(np.argmax(self.agreement))
        ties = f", mean over {self.n_tie_breaks:,} tie-breaks" if self.n_tie_breaks > 1 else ""
        return (
            f"VariableScores({plural(len(self.names), 'variable')}, {plural(self.subset_trees[_ALL].n_items, 'item')},"
            f" best {printable(self.names[best])} {self.agreement[best]:.4g}{ties})"
        )


def score_variables(
    X: Any,
    *,
    variable_names: Iterable[str] | None = None,
    subsets: Mapping[str, Iterable[str]] | None = None,
    linkage: Linkage = "average",
    metric: str = "euclidean",
    standardize: bool = False,
    n_permutations: int = 0,
    n_tie_breaks: int = 10,
    rng: RandomSource = 0,
    progress: bool = False,
) -> VariableScores:
    """Compare the variables of points by the trees that they lead to, in the three ways of Morlini and Zani.

    First, the tree of each single variable is compared with those of all others by the overall similarity S:
    variables that reflect the same structure are similar, a noisy variable is no more similar to others than by
    chance. Second, the trees of subsets of the variables are compared. Third, the tree of all variables is compared
    with the trees that each omit one: the marginal contribution of each variable.

    Parameters
    ----------
    X : (n, d) array of float
        The points, with one column for each of at least two variables.
    variable_names : sequence of str, optional
        The names of the columns; by default "0", "1", and so on.
    subsets : mapping of str to sequences of str, optional
        The names of the variables of each subset; the name "all" is reserved for all variables.
    linkage, metric
        How the trees are built, as for `agglomerate`.
    standardize : bool
        Whether to scale every variable to mean 0 and standard deviation 1 first. Where several variables are used
        together, those on a large scale otherwise decide.
    n_permutations : int
        The number of relabellings of the items of each variable for the p-values; 0 for none. From 20 for each variable
        on, less 1, ``selected`` says which variables have more in common with the others than by chance.
    n_tie_breaks : int
        The number of ways in which ties are broken: lowest numbers first, and at random, as by ``tie_rng`` of
        `agglomerate`. Equal values of a variable often tie its merges.
    rng : numpy Generator, int or None
        The source of random numbers for the relabellings and the tie-breaks. The default seed, 0, gives the same result
        in every call; None does not.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    VariableScores
        The scores of all three ways, and the trees behind them.

    Raises
    ------
    InvalidInputError
        If there are fewer than two variables, a subset names an unknown one, or the points or options are invalid.
    UndefinedMeasureError
        If S is undefined, as for fewer than three items or a constant variable; the message names the variables.

    Notes
    -----
    d (d - 1) / 2 comparisons of trees, each O(n log n), for each tie-break, and d (d - 1) for each relabelling of all.
    A relabelling is compared for one tie-break, whereas the observed agreement is a mean over all: with ties, p-values
    are rather too large than too small.

    References
    ----------
    .. [1] I. Morlini, S. Zani, "An Overall Index for Comparing Hierarchical Clusterings", 2012, section 5,
       doi:10.1007/978-3-642-24466-7_4.

    Examples
    --------
    >>> import numpy as np
    >>> from dendrometry.comparison import score_variables
    >>> rng = np.random.default_rng(0)
    >>> group = np.repeat([0.0, 5.0, 10.0], 8)
    >>> X = np.column_stack([group + rng.normal(size=24), group + rng.normal(size=24), rng.normal(size=24)])
    >>> scores = score_variables(X, variable_names=["length", "width", "noise"])
    >>> scores.agreement.round(2).tolist()
    [0.18, 0.18, -0.05]
    >>> score_variables(X, n_permutations=59).selected.tolist()
    [True, True, False]
    >>> scores.trees["noise"]
    Hierarchy(24 items, 47 nodes, heights 0 to 1.94428)
    """
    values = _check_values(X, flag(standardize, "standardize"))
    names = _check_names(variable_names, values.shape[1])
    count_held(n_permutations, "n_permutations", 0, 8 * values.shape[1])
    whole_number(n_tie_breaks, "n_tie_breaks", 1)
    chosen = _check_subsets(subsets, names)
    source = random_generator(rng)

    def build(columns: list[int]) -> list[Hierarchy]:
        part = values[:, columns]
        return trees_over_ties(part, source, linkage=linkage, metric=metric, n_trees=n_tie_breaks)

    every = list(range(len(names)))
    single = {name: build([j]) for j, name in enumerate(names)}
    omitting = {name: build([i for i in every if i != j]) for j, name in enumerate(names)}
    groups = {**{name: build(columns) for name, columns in chosen.items()}, _ALL: build(every)}
    n_built = max(len(trees) for kind in (single, omitting, groups) for trees in kind.values())
    trees, trees_without, subset_trees = (_by_tie_break(kind, n_built) for kind in (single, omitting, groups))
    pairs = [_compare_all(named) for named in trees]
    similarity, expected = (np.array(part) for part in zip(*pairs, strict=True))
    agreement = np.array([_mean_adjusted(*pair) for pair in pairs])
    null = _relabel([list(named.values()) for named in trees], expected, n_permutations, source, progress)
    without = [
        [overall_similarity(named[_ALL], tree) for tree in omitted.values()]
        for named, omitted in zip(subset_trees, trees_without, strict=True)
    ]
    return VariableScores(
        names,
        similarity.mean(axis=0),
        expected.mean(axis=0),
        agreement,
        null,
        np.mean(without, axis=0),
        _compare_subsets(subset_trees) if chosen else None,
        trees[0],
        trees_without[0],
        subset_trees[0],
    )


def _check_values(X: Any, standardize: bool) -> FloatArray:
    """Return points of two or more variables, standardized on request."""
    given = points_of(X)
    if is_sparse(given):
        raise InvalidInputError("points must be a dense array to compare their variables; got a sparse matrix")
    values: FloatArray = finite_points(given)
    if values.shape[1] < 2:
        raise InvalidInputError(f"there must be at least 2 variables to compare; got {values.shape[1]}")
    if not standardize:
        return values
    values = np.ldexp(values, -np.frexp(np.abs(values).max(axis=0))[1])
    deviation = values.std(axis=0)
    if not deviation.all():
        raise InvalidInputError(f"a variable must vary to be standardized; column {int(np.argmin(deviation))} does not")
    scaled: FloatArray = (values - values.mean(axis=0)) / deviation
    return scaled


def _check_names(variable_names: Iterable[str] | None, n: int) -> tuple[str, ...]:
    """Return a distinct name for each variable."""
    names = tuple(map(str, range(n))) if variable_names is None else names_of(variable_names, "variable_names")
    if len(names) != n or len(set(names)) != n:
        raise InvalidInputError(
            f"there must be one name of its own for each of {n:,} variables; got {len(set(names)):,} different ones"
        )
    return names


def _check_subsets(subsets: Mapping[str, Iterable[str]] | None, names: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the columns of each subset, refusing unknown variables, empty subsets and the reserved name."""
    if subsets is None:
        return {}
    if not isinstance(subsets, Mapping):
        raise InvalidInputError(f"subsets must map names to variables; got {type(subsets).__name__}")
    at = {name: j for j, name in enumerate(names)}
    found = {}
    for name, wanted in subsets.items():
        listed = [wanted] if isinstance(wanted, str) else elements(wanted, "a subset")
        unknown = [variable for variable in listed if variable not in at]
        if name == _ALL or not listed or unknown or not isinstance(name, str):
            what = f"unknown '{printable(unknown[0])}'" if unknown else f"{plural(len(listed), 'variable')}"
            raise InvalidInputError(
                f"a subset must name variables and not be called 'all'; got {what} in '{printable(name)}'"
            )
        found[name] = [at[variable] for variable in dict.fromkeys(listed)]
    return found


def _by_tie_break(built: Mapping[str, Sequence[Hierarchy]], n_tie_breaks: int) -> list[dict[str, Hierarchy]]:
    """Return the trees of each tie-break; a tree without ties is the same in all."""
    return [{name: trees[r % len(trees)] for name, trees in built.items()} for r in range(n_tie_breaks)]


def _compare_subsets(subset_trees: Sequence[Mapping[str, Hierarchy]]) -> Matrix:
    """Return S of all pairs of trees of subsets, as means over the tie-breaks."""
    found = [pairwise_matrix(trees, "overall_similarity", adjusted=False) for trees in subset_trees]
    return replace(found[0], values=np.mean([one.values for one in found], axis=0))


def _compare_all(trees: Mapping[str, Hierarchy]) -> tuple[FloatArray, FloatArray]:
    """Return S of all pairs of trees, and its expectation."""
    n = len(trees)
    similarity, expected = np.eye(n), np.zeros((n, n))
    for (i, (one, first)), (j, (other, second)) in combinations(enumerate(trees.items()), 2):
        try:
            pair = stages(first, second)
        except DendrometryError as error:
            raise type(error)(f"variables '{printable(one)}' and '{printable(other)}': ", *error.args) from None
        similarity[i, j] = similarity[j, i] = pair.similarity
        expected[i, j] = expected[j, i] = 1.0 - pair.expected_distance
    return similarity, expected


def _mean_adjusted(similarity: FloatArray, expected: FloatArray) -> FloatArray:
    """Return the mean adjusted similarity of each variable with the others."""
    adjusted = _adjust(similarity, expected)
    np.fill_diagonal(adjusted, 0.0)
    mean: FloatArray = adjusted.sum(axis=1) / (len(adjusted) - 1)
    return mean


def _adjust(similarity: FloatArray, expected: FloatArray) -> FloatArray:
    """Return similarities adjusted for chance; 1 where chance leaves nothing to adjust."""
    left = 1.0 - expected
    return np.divide(similarity - expected, left, out=np.ones_like(left), where=left > 0.0)


def _relabel(
    trees: Sequence[Sequence[Hierarchy]],
    expected: FloatArray,
    n_permutations: int,
    rng: np.random.Generator,
    progress: bool,
) -> FloatArray:
    """Return the agreement of each variable with the others after each relabelling, for the tie-breaks in turn."""
    n_variables = len(trees[0])
    null = np.empty((n_permutations, n_variables))
    if not n_permutations:
        return null
    for j in track(range(n_variables), "variables relabelled", n_variables, progress):
        others = [i for i in range(n_variables) if i != j]
        for at in range(n_permutations):
            r = at % len(trees)
            tree = replace(trees[r][j], item_node=rng.permutation(trees[r][j].item_node))
            similarity = np.array([overall_similarity(tree, trees[r][i]) for i in others])
            null[at, j] = _adjust(similarity, expected[r, j, others]).mean()
    return null
