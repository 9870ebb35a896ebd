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
    seconds : int or None
        About how long a full run computes, in seconds of one core; None if that was not measured.
    fetches : str
        What it downloads on first use from an index of packages; empty if it has all data.
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
    seconds: int | None
    fetches: str = ""
    takes_labels: bool = False
    takes_data: bool = False
    needs_data: bool = False

    def result_name(self, data: object) -> str:
        """Return the name of the result, and so of its files, which is another with data in place of its own."""
        return self.name if data is None or self.needs_data else f"{self.name}-21578"

    @property
    def cost(self) -> str:
        """The time of a full run and what it downloads, as text."""
        if self.seconds is None:
            time = "time not measured"
        else:
            time = f"{self.seconds} s" if self.seconds < 100 else f"{round(self.seconds / 60)} min"
        return f"{time}, downloads {self.fetches}" if self.fetches else time

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
        seconds=40,
    ),
    Study(
        name="colours",
        meaning="whether a clustering of colours comes nearer to the truth, the more triplets are given",
        source="Johnson et al. 2013, table 1 and figure 1",
        module="colours",
        seconds=255,
    ),
    Study(
        name="questions",
        meaning="whether triplets asked for where they help most bring a tree nearer to the truth than random ones",
        source="this package; Johnson et al. 2013 have random triplets",
        module="questions",
        seconds=111,
    ),
    Study(
        name="worsening",
        meaning="how measures of two partitions fall as one is made worse, from the truth to a worst clustering",
        source="Xiang et al. 2012, figure 3",
        module="worsening",
        seconds=4,
        takes_labels=True,
    ),
    Study(
        name="stages",
        meaning="at which numbers of clusters the trees of different linkages agree, and more than by chance",
        source="Morlini and Zani 2012, sections 2, 4 and 6",
        module="stages",
        seconds=17,
    ),
    Study(
        name="variables",
        meaning="which variables carry the groups, by trees of single variables, of subsets, and of all but one",
        source="Morlini and Zani 2012, section 5",
        module="variables",
        seconds=210,
    ),
    Study(
        name="consensus",
        meaning="how alike the trees of many linkages and metrics are, which stand out, what the rest agree on",
        source="Morlini and Zani 2012, section 5",
        module="consensus",
        seconds=9,
    ),
    Study(
        name="measures",
        meaning="which measure notices which corruption, of hierarchies, dendrograms and partitions",
        source="this package",
        module="measures",
        seconds=60,
    ),
    Study(
        name="reuters",
        meaning="which way of clustering finds three classes of Reuters stories again, cut into three",
        source="Manning et al. 2008, exercise 17.8",
        module="reuters",
        seconds=30,
        fetches="38 MB from PyPI",
        takes_data=True,
    ),
    Study(
        name="labels",
        meaning="which words four methods of labelling give to the clusters of Reuters stories",
        source="Manning et al. 2008, table 17.2",
        module="labels",
        seconds=5,
        fetches="38 MB from PyPI",
        takes_data=True,
    ),
    Study(
        name="wire",
        meaning="how often first stories of a wire are missed, or others taken for first (needs Reuters-21578)",
        source="Manning et al. 2008, section 17.5",
        module="wire",
        seconds=300,
        takes_data=True,
        needs_data=True,
    ),
    Study(
        name="newsgroups",
        meaning="which way of building finds the hierarchy of 20 newsgroups again, and at what cost",
        source="Johnson et al. 2013, Spytkowski et al. 2016",
        module="newsgroups",
        seconds=180,
        fetches="38 MB from PyPI",
    ),
    Study(
        name="document-trees",
        meaning="which tree of documents shows the topics of three collections, in few steps",
        source="this package",
        module="document_trees",
        seconds=None,
        fetches="38 MB from PyPI",
        takes_data=True,
    ),
    Study(
        name="linkages",
        meaning="which of eight linkages finds the classes of 90 published tables, and how alike the trees are",
        source="this package; ranks as in Demsar 2006",
        module="linkages",
        seconds=400,
        fetches="77 MB from PyPI",
    ),
    Study(
        name="sensitivity",
        meaning="which measure notices what in real trees, and which measures rank ways of clustering alike",
        source="this package",
        module="sensitivity",
        seconds=55,
        fetches="15 MB from PyPI, 128 MB from npm",
    ),
    Study(
        name="languages",
        meaning="how alike 1,521 languages are by descent, by grammar and by place, and which moved most",
        source="this package; Glottolog 5.2, Grambank 1.0",
        module="languages",
        seconds=25,
        fetches="9 MB from PyPI",
    ),
    Study(
        name="diagnoses",
        meaning="how alike ICD-9, ICD-10, CCS and CCSR are on 6,894 diagnoses, at which level, and which moved most",
        source="this package; general equivalence mappings",
        module="diagnoses",
        seconds=15,
        fetches="6 MB from PyPI",
    ),
    Study(
        name="animals",
        meaning="how alike the classification and the traits of 101 animals are, at which rank, and which moved most",
        source="this package; Forsyth 1990",
        module="animals",
        seconds=20,
    ),
    Study(
        name="words",
        meaning="how alike WordNet and GloVe vectors are on 8,893 nouns, and which fields are clusters in both",
        source="this package; WordNet 3.1, GloVe",
        module="words",
        seconds=80,
        fetches="128 MB from npm",
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
