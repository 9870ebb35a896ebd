"""Write a result as a report: one HTML page."""

import os

from dendrometry._display import printable
from dendrometry._files import check_place
from dendrometry._progress import spinner
from dendrometry.comparison.comparison import Comparison
from dendrometry.comparison.pairwise_matrix import Matrix
from dendrometry.errors import InvalidInputError
from dendrometry.pages.comparison import comparison_page
from dendrometry.pages.matrix import matrix_page
from dendrometry.pages.page.page import Page, write_page
from dendrometry.pages.partitions import partitions_page

__all__ = ["report"]


def report(
    result: Comparison | Matrix,
    path: str | os.PathLike[str],
    *,
    names: tuple[str, str] | None = None,
    force: bool = False,
    progress: bool = False,
) -> None:
    """Write a result as one HTML page: how alike, at which level, where they differ, and how it was made.

    The page holds all it needs and asks nothing of any network.

    Parameters
    ----------
    result : Comparison or Matrix
        What `compare`, `compare_partitions`, `compare_overlap` or `pairwise_matrix` returned.
    path : str or path
        Where to write; the file appears whole or not at all.
    names : pair of str, optional
        What to call the two trees or clusterings of a comparison, if not by the names it has. A matrix has the names
        of its trees.
    force : bool
        Whether to replace a file that exists.
    progress : bool
        Whether to show on the terminal what is being done.

    Raises
    ------
    InvalidInputError
        If the result is of another type, the file exists and ``force`` is not set, it cannot be written, or the names
        are not two texts.

    Notes
    -----
    Two trees are drawn for up to 250,000 items; beyond, the measures and curves are there without the trees. Of flat
    clusterings with many clusters, the largest components are drawn, the others counted. Of a matrix, up to 500 trees
    are drawn and listed.

    The p-values of trees are those of `permutation_test` with ``rng=0``, and the number of relabellings depends on the
    number of items alone: 999 up to 300 items, 199 up to 2,000, 99 up to 20,000, 19 up to 200,000, none beyond. Flat
    clusterings are relabelled as often.

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
    if not isinstance(result, Comparison | Matrix):
        raise InvalidInputError(f"a report is made of a Comparison or a Matrix; got {type(result).__name__}")
    check_place(path, force=force)  # before the work, not after it
    page = _page(result, names, progress)
    with spinner("writing the page", progress):
        write_page(page, path, force=force)


def _page(result: Comparison | Matrix, names: tuple[str, str] | None, progress: bool) -> Page:
    """Return the page of a result."""
    if isinstance(result, Matrix):
        if names is not None:
            raise InvalidInputError(
                f"names are for a comparison; a matrix holds those of its trees; got {printable(names)}"
            )
        return matrix_page(result)
    if names is not None:
        result = result.named(names)
    if result.partition is None:
        return comparison_page(result, progress=progress)
    with spinner("counting what differs", progress):
        return partitions_page(result)
