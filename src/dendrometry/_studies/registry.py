"""Registry of studies, used by the tests, the docs and the command line; each study is imported when it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dendrometry._check.choices import one_of
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry._check.numbers import RandomSource
    from dendrometry._files import FilePath
    from dendrometry._studies.result import StudyResult


@dataclass(frozen=True)
class Study:
    """A study: its name, its question in one line, the source of the question, and the location of its function.

    Attributes
    ----------
    name : str
        The name on the command line.
    meaning : str
        The question or result, in one line.
    source : str
        The source document.
    module : str
        The module of this package that contains a function of the same name.
    takes_labels : bool
        Whether the study accepts a user-supplied clustering.
    takes_data : bool
        Whether the study can read files that the user has.
    needs_data : bool
        Whether it has no other data.
    """

    name: str
    meaning: str
    source: str
    module: str
    takes_labels: bool = False
    takes_data: bool = False
    needs_data: bool = False

    def result_name(self, data: object) -> str:
        """Return the name of the result, and so of its files, which is another with data in place of its own."""
        return self.name if data is None or self.needs_data else f"{self.name}-21578"

    @property
    def call(self) -> Callable[..., StudyResult]:
        """The function of the study; its module is imported on access."""
        module = import_module(f"dendrometry._studies.{self.module}")
        function: Callable[..., StudyResult] = getattr(module, self.module)
        return function


_ALL: tuple[Study, ...] = (
    Study(
        name="f-scores",
        meaning="what three F-scores say of hierarchies whose items are re-inserted, flattened, or moved to the root",
        source="Spytkowski et al. 2016, table 1, figures 1 and 2",
        module="f_scores",
    ),
    Study(
        name="colours",
        meaning="whether a clustering of colours comes nearer to the truth, the more triplets are given",
        source="Johnson et al. 2013, table 1 and figure 1",
        module="colours",
    ),
    Study(
        name="questions",
        meaning="whether triplets asked for where they help most bring a tree nearer to the truth than random ones",
        source="this package; Johnson et al. 2013 have random triplets",
        module="questions",
    ),
    Study(
        name="worsening",
        meaning="how measures of two partitions fall as one is made worse, from the truth to a worst clustering",
        source="Xiang et al. 2012, figure 3",
        module="worsening",
        takes_labels=True,
    ),
    Study(
        name="stages",
        meaning="at which numbers of clusters the trees of different linkages agree, and more than by chance",
        source="Morlini and Zani 2012, sections 2, 4 and 6",
        module="stages",
    ),
    Study(
        name="variables",
        meaning="which variables carry the groups, by trees of single variables, of subsets, and of all but one",
        source="Morlini and Zani 2012, section 5",
        module="variables",
    ),
    Study(
        name="consensus",
        meaning="how alike the trees of many linkages and metrics are, which stand out, what the rest agree on",
        source="Morlini and Zani 2012, section 5",
        module="consensus",
    ),
    Study(
        name="measures",
        meaning="which measure notices which corruption, of hierarchies, dendrograms and partitions",
        source="this package",
        module="measures",
    ),
    Study(
        name="reuters",
        meaning="which way of clustering finds three classes of Reuters stories again, cut into three (fetches data)",
        source="Manning et al. 2008, exercise 17.8",
        module="reuters",
        takes_data=True,
    ),
    Study(
        name="labels",
        meaning="which words four methods of labelling give to the clusters of Reuters stories (fetches data)",
        source="Manning et al. 2008, table 17.2",
        module="labels",
        takes_data=True,
    ),
    Study(
        name="wire",
        meaning="how often first stories of a wire are missed, or others taken for first (needs Reuters-21578)",
        source="Manning et al. 2008, section 17.5",
        module="wire",
        takes_data=True,
        needs_data=True,
    ),
    Study(
        name="newsgroups",
        meaning="which way of building finds the hierarchy of 20 newsgroups again, and at what cost (fetches data)",
        source="Johnson et al. 2013, Spytkowski et al. 2016",
        module="newsgroups",
    ),
    Study(
        name="document-trees",
        meaning="which tree of documents shows the topics of three collections, in few steps (fetches data)",
        source="this package",
        module="document_trees",
        takes_data=True,
    ),
    Study(
        name="linkages",
        meaning="which of eight linkages finds the classes of real tables, how alike are the trees (fetches data)",
        source="this package; ranks as in Demsar 2006",
        module="linkages",
    ),
)

STUDIES = {study.name: study for study in _ALL}


def reproduce(
    name: str,
    *,
    labels: Any = None,
    data: FilePath | None = None,
    quick: bool = False,
    rng: RandomSource = 0,
    progress: bool = False,
) -> StudyResult:
    """Run a study: a table or figure of the source documents, or a question that they left open.

    Parameters
    ----------
    name : str
        The name of a study; see `dendrometry._studies.STUDIES`.
    labels : (n_items,) array-like, optional
        A user-supplied clustering, for the studies that accept one.
    data : str or path, optional
        Files of the user, for the studies that read some: for "reuters" and "labels" a folder or archive of
        Reuters-21578, see `dendrometry.datasets.read_reuters`.
    quick : bool
        Run a small version that takes seconds. It demonstrates the procedure but supports no conclusions.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    progress : bool
        Whether to show a progress bar in the terminal.

    Returns
    -------
    StudyResult
        Tables, a summary and figures; it prints as text, and `StudyResult.save` writes all of it. With ``data`` its
        name, and so that of its files, ends with "-21578".

    Raises
    ------
    InvalidInputError
        If the study does not exist, or it does not accept labels or data.

    Examples
    --------
    >>> from dendrometry._studies import reproduce
    >>> result = reproduce("worsening", labels=["x", "x", "x", "y", "z"])
    >>> result
    StudyResult(worsening: tables claims, series; figures curves)
    >>> result.tables["series"].columns["operation"][::6]
    ('start', 'split', 'split', 'merge')
    """
    study = STUDIES[one_of(name, "the study", STUDIES)]
    options: dict[str, Any] = {"quick": quick, "rng": rng, "progress": progress}
    for what, value, takes in (("labels", labels, "takes_labels"), ("data", data, "takes_data")):
        if value is None:
            continue
        if not getattr(study, takes):
            takers = [entry.name for entry in _ALL if getattr(entry, takes)]
            studies = f"{'study' if len(takers) == 1 else 'studies'} {' and '.join(takers)}"
            raise InvalidInputError(f"{what} apply only to the {studies}; got study {name}")
        options[what] = value
    return replace(study.call(**options), name=study.result_name(data))
