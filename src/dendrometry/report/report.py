"""Write a result as a report: one HTML page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from numpy.typing import ArrayLike

from dendrometry._display import printable
from dendrometry._files import PAGES, FilePath, check_place
from dendrometry._progress import spinner
from dendrometry.comparison.comparison import Comparison
from dendrometry.errors import InvalidInputError
from dendrometry.report.comparison import comparison_page
from dendrometry.report.page import Page, write_page
from dendrometry.report.trees import Support

if TYPE_CHECKING:
    from dendrometry.changes.result import Diff
    from dendrometry.comparison.pairwise_matrix import Matrix
    from dendrometry.partition.resolutions import Resolutions
    from dendrometry.plot._axes.palette import ItemLabels
    from dendrometry.resampling.stability import Stability
    from dendrometry.significance.splits import Splits
    from dendrometry.taxonomy.comparison import TaxonomyComparison
    from dendrometry.taxonomy.scores import PredictionScores

_MODULES = {  # of results other than comparisons
    "Matrix": "dendrometry.comparison.pairwise_matrix",
    "Diff": "dendrometry.changes.result",
    "Stability": "dendrometry.resampling.stability",
    "Resolutions": "dendrometry.partition.resolutions",
    "Splits": "dendrometry.significance.splits",
    "TaxonomyComparison": "dendrometry.taxonomy.comparison",
    "PredictionScores": "dendrometry.taxonomy.scores",
}


def report(
    result: Comparison | Matrix | Diff | Stability | Resolutions | Splits | TaxonomyComparison | PredictionScores,
    path: FilePath,
    *,
    names: tuple[str, str] | None = None,
    support: tuple[ArrayLike | None, ArrayLike | None] | None = None,
    labels: ItemLabels | None = None,
    force: bool = False,
    progress: bool = False,
) -> None:
    """Write a result as one HTML page: how alike the trees are, at which levels, where they differ, how it was made.

    The page is self-contained and loads nothing from a network.

    Parameters
    ----------
    result : Comparison, Matrix, Diff, Stability, Resolutions, Splits, TaxonomyComparison or PredictionScores
        The result of `compare`, `compare_partitions`, `compare_overlap`, `pairwise_matrix`, `diff`, `stability`,
        `partition.resolutions`, `significance.splits`, `taxonomy.compare_taxonomies` or `taxonomy.score_predictions`.
    path : str or path
        The file to write; it is written completely or not at all.
    names : pair of str, optional
        The names of the two trees or clusterings of a comparison; by default those of the result. A matrix and
        a difference already have the names of their trees; others need none.
    support : pair of (n_nodes,) array of float or None, optional
        For a comparison of trees: the support of the nodes of either tree, from 0 to 1, such as
        ``stability(X).support.bp``, or None. The page shows it with each cluster; nan stands for unknown.
    labels : sequence of labels in the order of the items, or mapping of items to labels, optional
        For resolutions: the annotation by which the flow of items is coloured.
    force : bool
        Whether to replace an existing file.
    progress : bool
        Whether to show progress on the terminal.

    Raises
    ------
    InvalidInputError
        If the result has another type, the file exists and ``force`` is not set, the file cannot be written, the
        names are not two strings, or the support is not that of the nodes of the trees.

    Notes
    -----
    Two trees are drawn with up to 250,000 items, or else with the pairs of nodes that share items, of up to 250,000
    nodes; of larger trees, the page shows the measures and curves. For flat clusterings with many clusters, the largest
    components are drawn and the others counted. For a matrix, up to 500 trees are drawn and listed. For a difference,
    the 60 largest changes that a filter leaves are drawn, and the 20,000 largest changes and up to 300,000 items are
    listed.

    The p-values of trees are those of `permutation_test` with ``rng=0``. The number of relabellings is that of the
    comparison, ``n_permutations``; by default it depends on the number of items, or of pairs of nodes with items if
    these are fewer: 199 up to 2,000, 99 up to 20,000, 19 up to 200,000, none above. The same numbers apply to flat
    clusterings.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry import compare, from_newick, report
    >>> a, b = from_newick("((ape,cat),(elk,owl));"), from_newick("((ape,cat),elk,owl);")
    >>> path = pathlib.Path(tempfile.mkdtemp(), "report.html")
    >>> report(compare(a, b), path, names=("by traits", "by descent"))
    >>> "by descent" in path.read_text(encoding="utf-8")
    True
    """
    if not isinstance(result, Comparison) and _kind(result) not in _MODULES:
        raise InvalidInputError(
            "a report is made of a Comparison, a Matrix, a Diff, a Stability, Resolutions, Splits, a"
            f" TaxonomyComparison or PredictionScores (compare makes one of two trees); got {type(result).__name__}"
        )
    if labels is not None and _kind(result) != "Resolutions":
        raise InvalidInputError(f"labels are for resolutions; got {printable(labels)}")
    check_place(path, force=force, endings=PAGES)  # before the computation, not after it
    page = _page(result, names, support, labels, progress)
    with spinner("writing the page", progress):
        write_page(page, path, force=force)


def _page(
    result: Comparison | Matrix | Diff | Stability | Resolutions | Splits | TaxonomyComparison | PredictionScores,
    names: tuple[str, str] | None,
    support: tuple[ArrayLike | None, ArrayLike | None] | None,
    labels: ItemLabels | None,
    progress: bool,
) -> Page:
    """Return the page for a result."""
    if not isinstance(result, Comparison):
        if names is not None:
            raise InvalidInputError(
                f"names are for a comparison; a {type(result).__name__} has its own; got {printable(names)}"
            )
        _refuse_support(support)
        return _page_without_names(result, labels)
    if names is not None:
        result = result.rename(names)
    if result.partition is None:
        return comparison_page(result, support=_support_of(result, support), progress=progress)
    _refuse_support(support)
    from dendrometry.report.partitions import partitions_page

    with spinner("counting what differs", progress):
        return partitions_page(result)


def _refuse_support(support: object) -> None:
    """Refuse support for anything but two trees."""
    if support is not None:
        raise InvalidInputError(f"support is for a comparison of two trees; got {printable(support)}")


def _support_of(result: Comparison, support: tuple[ArrayLike | None, ArrayLike | None] | None) -> Support:
    """Return the support of the nodes of both trees, checked."""
    given: object = support
    if given is None:
        return None, None
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InvalidInputError(f"support must be a pair, one of each tree or None; got {printable(given)}")
    from dendrometry.plot._axes.support_marks import support_column

    sides = (result.overlap.a, result.overlap.b)
    first, second = (support_column(column, side.parent.size) for column, side in zip(given, sides, strict=True))
    return first, second


def _kind(result: object) -> str:
    """Return which of the types a result has; "" if none. A module that was never loaded has no results."""
    for name, module in _MODULES.items():
        if module in sys.modules and isinstance(result, getattr(sys.modules[module], name)):
            return name
    return ""


def _page_without_names(
    result: Matrix | Diff | Stability | Resolutions | Splits | TaxonomyComparison | PredictionScores,
    labels: ItemLabels | None,
) -> Page:
    """Return the page for a result that is no comparison; what makes it is loaded only now, as it may need SciPy."""
    kind = _kind(result)
    if kind == "Matrix":
        from dendrometry.report.matrix import matrix_page

        return matrix_page(cast("Matrix", result))
    if kind == "Diff":
        from dendrometry.report.changes import changes_page

        return changes_page(cast("Diff", result))
    if kind == "Resolutions":
        from dendrometry.report.resolutions import resolutions_page

        return resolutions_page(cast("Resolutions", result), labels)
    if kind == "Splits":
        from dendrometry.report.splits import splits_page

        return splits_page(cast("Splits", result))
    if kind == "TaxonomyComparison":
        from dendrometry.report.taxonomies import taxonomies_page

        return taxonomies_page(cast("TaxonomyComparison", result))
    if kind == "PredictionScores":
        from dendrometry.report.predictions import predictions_page

        return predictions_page(cast("PredictionScores", result))
    from dendrometry.report.stability import stability_page

    return stability_page(cast("Stability", result))
