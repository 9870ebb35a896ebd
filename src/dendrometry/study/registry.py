"""The studies there are: one entry each, read by the tests, the docs and the command line; each loads when run."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dendrometry._check.choices import one_of
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy as np

    from dendrometry.study.result import StudyResult

__all__ = ["STUDIES", "Study", "reproduce"]


@dataclass(frozen=True)
class Study:
    """A study: its name, what it asks in one line, where the question comes from, and where its function is.

    Attributes
    ----------
    name : str
        The name on the command line.
    says : str
        What it asks or shows, in one line.
    source : str
        The document.
    module : str
        The module of `dendrometry.study.studies` that holds a function of the same name.
    takes_labels : bool
        Whether a clustering of the user's own can be studied.
    """

    name: str
    says: str
    source: str
    module: str
    takes_labels: bool = False

    @property
    def call(self) -> "Callable[..., StudyResult]":
        """The function of the study; its module is loaded when this is asked for."""
        module = import_module(f"dendrometry.study.studies.{self.module}")
        function: Callable[..., StudyResult] = getattr(module, self.module)
        return function


_ALL: tuple[Study, ...] = (
    Study(
        name="f-scores",
        says="what three F-scores say of hierarchies whose items are re-inserted, flattened, or moved to the root",
        source="Spytkowski et al. 2016, table 1, figures 1 and 2",
        module="f_scores",
    ),
    Study(
        name="colours",
        says="whether a clustering of colours comes nearer to the truth, the more of it is told",
        source="Johnson et al. 2013, table 1 and figure 1",
        module="colours",
    ),
    Study(
        name="worsening",
        says="how measures of two partitions fall as one is made worse, from the truth to a worst clustering",
        source="Xiang et al. 2012, figure 3",
        module="worsening",
        takes_labels=True,
    ),
    Study(
        name="stages",
        says="at which numbers of groups the trees of different linkages agree, and more than by chance",
        source="Morlini and Zani 2012, sections 2, 4 and 6",
        module="stages",
    ),
    Study(
        name="variables",
        says="which variables carry the groups, by trees of single variables, of subsets, and of all but one",
        source="Morlini and Zani 2012, section 5",
        module="variables",
    ),
    Study(
        name="consensus",
        says="how alike the trees of many linkages and metrics are, which are far from all, what the rest agree on",
        source="Morlini and Zani 2012, section 5",
        module="consensus",
    ),
    Study(
        name="measures",
        says="which measure notices which corruption, of hierarchies, dendrograms and partitions",
        source="this package",
        module="measures",
    ),
    Study(
        name="reuters",
        says="which way of clustering finds three classes of Reuters stories again, cut into three (fetches data)",
        source="Manning et al. 2008, exercise 17.8",
        module="reuters",
    ),
    Study(
        name="newsgroups",
        says="which way of building finds the hierarchy of 20 newsgroups again, and at what cost (fetches data)",
        source="Johnson et al. 2013, Spytkowski et al. 2016",
        module="newsgroups",
    ),
)

STUDIES = {study.name: study for study in _ALL}


def reproduce(
    name: str,
    *,
    labels: Any = None,
    quick: bool = False,
    rng: "np.random.Generator | int | None" = 0,
    progress: bool = False,
) -> "StudyResult":
    """Run a study: a table or figure of the source documents, or one that they left to others.

    Parameters
    ----------
    name : str
        The name of a study, see `dendrometry.study.STUDIES`.
    labels : (n_items,) array-like, optional
        A clustering of your own, for the studies that take one.
    quick : bool
        A small version, in seconds, that shows the way and proves nothing.
    rng : numpy Generator, int or None
        The source of randomness; the default always gives the same result.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    StudyResult
        Tables, what they say, and figures; prints as text, and `StudyResult.save` writes all of it.

    Raises
    ------
    InvalidInputError
        If there is no such study, or it takes no labels.

    Examples
    --------
    >>> from dendrometry.study import reproduce
    >>> result = reproduce("worsening", labels=["x", "x", "x", "y", "z"])
    >>> result
    StudyResult(worsening: tables claims, series; figures curves)
    >>> result.tables["series"].columns["operation"][::6]
    ('start', 'split', 'split', 'merge')
    """
    study = STUDIES[one_of(name, "the study", STUDIES)]
    if labels is None:
        return study.call(quick=quick, rng=rng, progress=progress)
    if not study.takes_labels:
        takers = ", ".join(entry.name for entry in _ALL if entry.takes_labels)
        raise InvalidInputError(f"labels are for the studies that take a clustering ({takers}); got study {name}")
    return study.call(labels, quick=quick, rng=rng, progress=progress)
