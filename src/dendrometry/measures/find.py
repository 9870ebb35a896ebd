"""Find: the measure, or the call, that people mean by a name they know from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from dendrometry._display import printable
from dendrometry._html import note
from dendrometry.errors import InvalidInputError, UnknownNameError
from dendrometry.measures.registry import MEASURES, plain_word

_LONGEST = 60  # of a word that is compared with all names
_NEAR = 0.6  # the least resemblance of a word and a name that is offered in its place


@dataclass(frozen=True)
class Found:
    """The call that a word stands for.

    Attributes
    ----------
    name : str
        The name of the measure, or the call in full if it is none.
    call : str
        How it is called, as text.
    meaning : str
        What it is, in plain words.
    aliases : tuple of str
        The other names by which it is found.
    is_known : bool
        Whether the word is one of these names; otherwise this is the nearest.
    """

    name: str
    call: str
    meaning: str
    aliases: tuple[str, ...]
    is_known: bool

    def _repr_html_(self) -> str:
        return note(str(self), faint=False)

    def __str__(self) -> str:
        also = f" (also called {', '.join(self.aliases)})" if self.aliases else ""
        return f"{'' if self.is_known else 'the nearest name: '}{self.call}: {self.meaning}{also}"


# What is no measure of two trees or partitions, or is not quite one: other names, the call, what it is.
_OTHERS = (
    (("UPGMA",), 'agglomerate(X, linkage="average")', "a tree by the mean distance of all pairs between two clusters"),
    (("WPGMA", "McQuitty"), 'agglomerate(X, linkage="weighted")', "a tree by the mean distance of the two parts"),
    (("UPGMC",), 'agglomerate(X, linkage="centroid")', "a tree by the distance of the centroids"),
    (("WPGMC",), 'agglomerate(X, linkage="median")', "a tree by the distance of the midpoints"),
    (("GAAC",), 'agglomerate(X, linkage="group_average")', "a tree by the mean distance of all pairs of the union"),
    (("ward.D2",), 'agglomerate(X, linkage="ward")', "a tree by the growth of the sum of squares, Ward's"),
    (("nearest neighbour", "SLINK"), 'agglomerate(X, linkage="single")', "a tree by the nearest members"),
    (("farthest neighbour", "CLINK"), 'agglomerate(X, linkage="complete")', "a tree by the farthest members"),
    (
        ("connectivity", "contiguity constraint", "spatially constrained", "regionalization", "REDCAP", "CONISS"),
        "agglomerate(X, connectivity=...)",
        "a tree of adjacent clusters only, on a map, in an image or in time",
    ),
    (
        ("CH", "calinski_harabasz", "calinski_harabasz_score", "variance ratio criterion", "pseudo F"),
        "quality.score_cuts(tree, X).calinski_harabasz",
        "the index of Calinski and Harabasz of every cut of a tree",
    ),
    (
        ("DB", "davies_bouldin", "davies_bouldin_score"),
        "quality.score_cuts(tree, X).davies_bouldin",
        "the index of Davies and Bouldin of every cut of a tree",
    ),
    (
        ("silhouette", "silhouette_score", "ASW"),
        "quality.score_cuts(tree, X).simplified_silhouette",
        "the silhouette of every cut of a tree, by distances from the centres",
    ),
    (("gap", "clusGap"), "quality.gap_statistic(X, build)", "the gap statistic of every number of clusters"),
    (
        ("cophenet", "CPCC", "cophenetic correlation coefficient"),
        "quality.cophenetic_fit(tree, X)",
        "the correlation of the cophenetic distances of a tree with the distances of its data",
    ),
    (
        ("KF", "Kuhner-Felsenstein", "branch score", "BHV"),
        "measures.weighted_robinson_foulds(a, b)",
        "the nearest measure here: it adds differences of branch lengths, where the branch score adds their squares",
    ),
    (("entanglement",), "plot.entanglement(a, b)", "how far the lines of a tanglegram deviate from level"),
    (("MAST", "maximum agreement subtree"), "comparison.largest_common_subtree(a, b)", "the largest common subtree"),
    (
        ("hF", "hierarchical F1", "Kiritchenko"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f"]',
        "precision and recall of predicted terms and all above them, harmonic mean",
    ),
    (
        ("Fmax", "F-max of CAFA"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f_max"]',
        "the largest F of predicted terms with scores over all thresholds",
    ),
    (
        ("Smin", "semantic distance"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["s_min"]',
        "the least semantic distance of predicted terms with scores over all thresholds",
    ),
    (("edge F1",), 'taxonomy.compare_taxonomies(a, b)["edge_f"]', "the edges that two taxonomies share"),
    (("Wu-Palmer",), 'taxonomy.compare_taxonomies(a, b)["wu_palmer"]', "similarity of the places of concepts by depth"),
    (("CASet",), 'taxonomy.compare_taxonomies(a, b)["caset"]', "the distance of common ancestor sets"),
    (("DISC",), 'taxonomy.compare_taxonomies(a, b)["disc"]', "the distance of distinctly inherited sets"),
    (("cutree", "fcluster", "cut_tree"), "cut_count(tree, k)", "the clusters of a tree cut into k"),
)


def find(word: str) -> Found:
    """Return what a name from elsewhere is called here: a measure, a linkage, an index; for a wrong word the nearest.

    Parameters
    ----------
    word : str
        A name, an abbreviation or the function of another package, in any spelling: capitals, spaces, hyphens and
        underscores do not count.

    Returns
    -------
    Found
        The call as text, with its meaning and its other names. ``is_known`` is False if the word is none of its names,
        but near one.

    Raises
    ------
    InvalidInputError
        If the word is not text, or holds no letter and no digit.
    UnknownNameError
        If no name is near the word.

    Examples
    --------
    >>> from dendrometry.measures import find
    >>> find("ancestor f1").call
    'measures.partial_order_f(a, b)'
    >>> print(find("UPGMA"))
    agglomerate(X, linkage="average"): a tree by the mean distance of all pairs between two clusters (also called UPGMA)
    >>> find("adjusted randd").name
    'adjusted_rand'
    """
    names, wanted = _all_names(), _wanted(word)
    if wanted in names:
        return names[wanted]
    near = get_close_matches(wanted, names, 1, _NEAR)
    if not near:
        raise UnknownNameError(f"word must be near a name of a measure, a linkage or an index; got {printable(word)}")
    nearest = names[near[0]]
    return Found(nearest.name, nearest.call, nearest.meaning, nearest.aliases, is_known=False)


def _wanted(word: object) -> str:
    """Return the letters and digits of a word; refuse what has none."""
    wanted = plain_word(word[:_LONGEST]) if isinstance(word, str) else ""
    if not wanted:
        raise InvalidInputError(f"word must be text with a letter or a digit; got {printable(word)}")
    return wanted


def _all_names() -> dict[str, Found]:
    """Return what each name stands for, the names in lower case, letters and digits alone."""
    found = {}
    for others, call, meaning in _OTHERS:
        for name in others:
            found[plain_word(name)] = Found(call, call, meaning, others, is_known=True)
    for measure in MEASURES.values():
        call = f"measures.{measure.name}(a, b)"
        entry = Found(measure.name, call, measure.describe(), measure.aliases, is_known=True)
        for name in (measure.name, *measure.aliases):
            found[plain_word(name)] = entry
        for name in (measure.title, measure.symbol):
            if len(name) > 1:  # a letter is the symbol of several
                found.setdefault(plain_word(name), entry)
    return found
