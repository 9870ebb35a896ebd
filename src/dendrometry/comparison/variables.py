"""Variable selection: which variables of the points lead to similar trees, and which to trees like no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._check.choices import elements
from dendrometry._check.names import names_of
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._check.points import finite_points, is_sparse, points_of
from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._kernels._jit import FloatArray
from dendrometry._progress import track
from dendrometry.cluster.bottom_up import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.comparison.pairwise_matrix import Matrix, pairwise_matrix
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.levels.stages import stages
from dendrometry.measures.trees.stages.overall_similarity import overall_similarity

__all__ = ["VariableScores", "score_variables"]

_ROUNDING = 1e-12  # values with a smaller difference count as equal
_ALL = "all"


@dataclass(frozen=True, eq=False, repr=False)
class VariableScores(Frozen):
    """Variables compared by the trees that they lead to.

    Attributes
    ----------
    names : tuple of str
        The names of the variables.
    similarity, expected : (n_variables, n_variables) array of float
        The overall similarity S of the trees of two single variables, and its exact mean over all relabellings of the
        items; on the diagonal, 1 and 0.
    agreement : (n_variables,) array of float
        The mean over all other variables of S adjusted for chance, (S - E) / (1 - E): 1 for the same tree, about 0 for
        a variable without structure in common with the others.
    p_value : (n_variables,) array of float, or None
        The share of relabellings of a variable's items that agree at least as much with the other variables, where the
        observed order counts as one; None if no relabellings were requested.
    without : (n_variables,) array of float
        S of the tree of all variables and the tree of all but this one: low if the variable matters.
    subsets : Matrix or None
        S of all pairs of trees of subsets, and of the tree of all variables, "all"; None if there are no subsets.
    trees : dict of str to Hierarchy
        The tree of each single variable.
    trees_without : dict of str to Hierarchy
        The tree of all variables but each.
    subset_trees : dict of str to Hierarchy
        The tree of each subset, and of all variables, "all".
    """

    names: tuple[str, ...]
    similarity: FloatArray
    expected: FloatArray
    agreement: FloatArray
    p_value: FloatArray | None
    without: FloatArray
    subsets: Matrix | None
    trees: dict[str, Hierarchy]
    trees_without: dict[str, Hierarchy]
    subset_trees: dict[str, Hierarchy]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row for each variable."""
        pd = require("pandas", extra="tables", for_="to_frame()")

        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns: mean S with the other variables, by chance, adjusted, p-value, S without it."""
        n_others = len(self.names) - 1
        found = {
            "variable": list(self.names),
            "similarity": ((self.similarity.sum(axis=1) - 1.0) / n_others).tolist(),
            "by_chance": (self.expected.sum(axis=1) / n_others).tolist(),
            "agreement": self.agreement.tolist(),
        }
        if self.p_value is not None:
            found["p_value"] = self.p_value.tolist()
        return {**found, "similarity_without": self.without.tolist()}

    def __repr__(self) -> str:
        best = int(np.argmax(self.agreement))
        return (
            f"VariableScores({plural(len(self.names), 'variable')}, {plural(self.subset_trees[_ALL].n_items, 'item')},"
            f" best {printable(self.names[best])} {self.agreement[best]:.4g})"
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
        The number of relabellings of the items of each variable for the p-values; 0 for none.
    rng : numpy.random.Generator, int or None
        The source of random numbers for the relabellings.
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
    d (d - 1) / 2 comparisons of trees, each O(n log n), and d (d - 1) more for each relabelling.

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
    >>> scores.trees["noise"]
    Hierarchy(24 items, 47 nodes, heights 0 to 1.94428)
    """
    values = _check_values(X, flag(standardize, "standardize"))
    names = _check_names(variable_names, values.shape[1])
    whole_number(n_permutations, "n_permutations", 0)
    chosen = _check_subsets(subsets, names)
    source = random_generator(rng)

    def tree_of(columns: list[int]) -> Hierarchy:
        return agglomerate(values[:, columns], linkage=linkage, metric=metric).hierarchy

    every = list(range(len(names)))
    trees = {name: tree_of([j]) for j, name in enumerate(names)}
    master = tree_of(every)
    trees_without = {name: tree_of([i for i in every if i != j]) for j, name in enumerate(names)}
    subset_trees = {**{name: tree_of(columns) for name, columns in chosen.items()}, _ALL: master}
    similarity, expected = _compare_all(trees)
    agreement = _mean_adjusted(similarity, expected)
    p_value = None
    if n_permutations:
        p_value = _p_values(list(trees.values()), expected, agreement, n_permutations, source, progress)
    without = np.array([overall_similarity(master, tree) for tree in trees_without.values()])
    matrix = pairwise_matrix(subset_trees, "overall_similarity", adjusted=False) if chosen else None
    for column in (similarity, expected, agreement, without):
        read_only(column)
    scores = similarity, expected, agreement, p_value, without
    return VariableScores(names, *scores, matrix, trees, trees_without, subset_trees)


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


def _compare_all(trees: Mapping[str, Hierarchy]) -> tuple[FloatArray, FloatArray]:
    """Return S of all pairs of trees, and its expectation."""
    n = len(trees)
    similarity, expected = np.eye(n), np.zeros((n, n))
    for (i, (one, first)), (j, (other, second)) in combinations(enumerate(trees.items()), 2):
        try:
            pair = stages(first, second)
        except DendrometryError as error:
            raise type(error)(f"variables '{printable(one)}' and '{printable(other)}': {error}") from None
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


def _p_values(
    trees: list[Hierarchy],
    expected: FloatArray,
    agreement: FloatArray,
    n_permutations: int,
    rng: np.random.Generator,
    progress: bool,
) -> FloatArray:
    """Return the share of relabellings of each variable that agree at least as much with the others."""
    ahead = np.ones(len(trees))
    for j in track(range(len(trees)), "variables relabelled", len(trees), progress):
        others = [i for i in range(len(trees)) if i != j]
        for _ in range(n_permutations):
            tree = replace(trees[j], item_node=rng.permutation(trees[j].item_node))
            similarity = np.array([overall_similarity(tree, trees[i]) for i in others])
            ahead[j] += _adjust(similarity, expected[j, others]).mean() >= agreement[j] - _ROUNDING
    share: FloatArray = read_only(ahead / (1 + n_permutations))
    return share
