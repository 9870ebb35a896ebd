"""Compare two taxonomies, matched by their concepts: edges, ancestors, similarities of places, sets and triples."""

from __future__ import annotations

import numpy as np

from dendrometry._check.names import pair_of_names
from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._display import quote_first
from dendrometry._flags import flag
from dendrometry._progress import track
from dendrometry._typing import FloatArray
from dendrometry.dag import Dag
from dendrometry.errors import ItemMismatchError, Message, Remedy
from dendrometry.io.dags import DagLike
from dendrometry.overlap import MatchNames
from dendrometry.taxonomy.comparison import Profile, TaxonomyComparison
from dendrometry.taxonomy.concept_changes import Sides, list_changes
from dendrometry.taxonomy.concepts import as_concepts
from dendrometry.taxonomy.lineage import Lineages
from dendrometry.taxonomy.matching import By, ConceptMatches, Embeddings, Pairs, match_concepts
from dendrometry.taxonomy.pair_scores import DISTANCES, SCORES, MatchedPair

_AFFORDED = ((2_000, 199), (20_000, 99), (200_000, 19))  # most concepts, relabellings
_ROUNDING = 1e-12  # scores that differ by less count as equal
_NAMES = ("the first taxonomy", "the second taxonomy")


def compare_taxonomies(
    a: DagLike,
    b: DagLike,
    *,
    by: By = "terms",
    match_names: MatchNames = "exact",
    pairs: Pairs | None = None,
    embeddings: Embeddings | None = None,
    threshold: float | None = None,
    names: tuple[str, str] | None = None,
    n_permutations: int | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> TaxonomyComparison:
    r"""Compare two taxonomies, trees or graphs, whose concepts are matched by what they are called.

    With T edges in both, P in the first taxonomy and Q in the second, edge precision is T / Q, recall T / P, and F
    2 T / (P + Q); ancestor scores are the same for pairs of a concept and one above it. Edges and pairs with a concept
    that is not matched count as wrong. The other scores are about matched concepts only:

    ========= ===========================================================================================
    wu_palmer similarity of what lies right above each concept in both, 2 d(s) / (l + m + 2 d(s)) for the
              best s above both: at depth d(s), by l and m edges; inside the first taxonomy
    lin       the same with 2 I(s) / (I(p) + I(q)), where I is minus the logarithm of the share of the
              concepts at or below one
    caset     mean Jaccard distance of the sets of concepts at or above both of two concepts
    disc      mean Jaccard distance of the sets of concepts at or above the first of two, but not the other
    triples   share of triples of concepts of which the same lie above which in both, or if none does, the
              same two have the most concepts above both
    ========= ===========================================================================================

    Parameters
    ----------
    a, b : Dag, Hierarchy, or anything that `as_dag` takes
        The two taxonomies, such as a true and a predicted one, or an old and a new version.
    by, match_names, pairs, embeddings, threshold
        How concepts are matched, as for `match_concepts`.
    names : pair of str, optional
        What the taxonomies are called in results.
    n_permutations : int, optional
        The number of random relabellings of the matched concepts; by default 199 up to 2,000 matched concepts, 99 up to
        20,000, 19 up to 200,000, none above. Without any, only edges and ancestors have an expectation.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    TaxonomyComparison
        All scores are from 0 to 1; higher is more alike, but for the distances ``caset`` and ``disc``. Edge and
        ancestor F, ``caset``, ``disc`` and ``triples`` are symmetric; precision and recall change places; the
        similarities of places are not symmetric.

    Raises
    ------
    ItemMismatchError
        If no concept is matched.
    InvalidInputError
        If the pairs of a concept and one above it do not fit in memory, or an option is invalid.

    Notes
    -----
    By chance means that the names of the matched concepts of the second taxonomy are exchanged at random. Of n matched
    concepts with P pairs among them in the first taxonomy and Q in the second, P Q / (n (n - 1)) are then in both, on
    average, which is exact.

    What lies right above a concept are the nearest matched concepts by ways through others, without those above
    another of them: to insert a concept, or to leave one out, moves nothing. If a concept has several, each is compared
    with the most similar one of the other side, and the two means are averaged. ``caset``, ``disc`` and ``triples``
    count up to 20,000 pairs and triples exactly (200 and 50 concepts), and otherwise take 20,000 at random, with their
    standard error. With more than 20,000 matched concepts, expectations and p-values of the similarities of places are
    those of 20,000 random ones.

    Triples are those of MP3 where each concept is a node of its own. There, a node may have several labels and a label
    several nodes, and triples at one node have a shape of their own.

    For two trees over the same concepts, ancestor F is `partial_order_f` with concepts as items.

    References
    ----------
    .. [1] Z. Wu, M. Palmer, "Verb semantics and lexical selection", ACL 1994, doi:10.3115/981732.981751.
    .. [2] D. Lin, "An information-theoretic definition of similarity", ICML 1998.
    .. [3] Z. DiNardo, K. Tomlinson, A. Ritz, L. Oesper, "Distance measures for tumor evolutionary trees",
       Bioinformatics 36 (2020) 2090-2097, doi:10.1093/bioinformatics/btz869.
    .. [4] S. Ciccolella, G. Bernardini, L. Denti, P. Bonizzoni, M. Previtali, G. Della Vedova, "Triplet-based
       similarity score for fully multilabeled trees with poly-occurring labels", Bioinformatics 37 (2021) 178-184,
       doi:10.1093/bioinformatics/btaa676.

    Examples
    --------
    >>> from dendrometry import Dag
    >>> from dendrometry.taxonomy import compare_taxonomies
    >>> old = Dag.from_edges([("cat", "mammal"), ("bat", "mammal"), ("owl", "bird"), ("mammal", "animal"),
    ...                       ("bird", "animal")])
    >>> new = Dag.from_edges([("cat", "mammal"), ("bat", "bird"), ("owl", "bird"), ("mammal", "animal"),
    ...                       ("bird", "animal"), ("fly", "animal")])
    >>> found = compare_taxonomies(old, new, names=("old", "new"))
    >>> found["edge_precision"], found["edge_recall"]
    (0.6666666666666666, 0.8)
    >>> for change in found.changes:
    ...     print(change.tell())
    bat: moved: from mammal to bird
    fly: invented, below animal
    """
    dags = as_concepts(a, what="the first taxonomy"), as_concepts(b, what="the second taxonomy")
    called = pair_of_names(names) or _NAMES
    matches = match_concepts(
        *dags, by=by, match_names=match_names, pairs=pairs, embeddings=embeddings, threshold=threshold
    )
    _require_matches(dags, matches)
    generator = random_generator(rng)
    lines = Lineages(dags[0], called[0]), Lineages(dags[1], called[1])
    pair = MatchedPair(*lines, matches.in_a, matches.in_b, generator)
    n = _n_permutations(n_permutations, pair.n)
    title = "relabellings" if flag(progress, "progress") else ""
    found = pair.values()
    null = _relabelled(pair, n, generator, title)
    expected, p_value = pair.expected(), np.full(len(SCORES), np.nan)
    if null.size:
        expected = np.where(np.isnan(expected), null.mean(axis=0), expected)
        p_value = _p_values(pair.values(np.arange(pair.n)).value, null)
    below = lines[0].n_below - 1, lines[1].n_below - 1
    changes = list_changes(Sides(dags, pair.places, below), matches)
    profile = _profile(dags, matches)
    return TaxonomyComparison(*dags, called, matches, found.value, found.error, expected, p_value, n, changes, profile)


def _require_matches(dags: tuple[Dag, Dag], matches: ConceptMatches) -> None:
    """Refuse taxonomies without a common concept; the message shows some of either and what may help."""
    if matches.in_a.size:
        return
    some = [quote_first(dag.terms, 3) for dag in dags]
    message: Message = (f"the taxonomies must share at least one concept; got none of {some[0]} and {some[1]}",)
    tries = {"by": "names", "match_names": "loose"}
    for argument, value in tries.items():
        how = {"by": "terms", "match_names": "exact"} | {argument: value}
        if match_concepts(*dags, **how).in_a.size:  # type: ignore[arg-type]  # both are known values
            message += (Remedy(argument, value, "matches some"),)
    raise ItemMismatchError(*message)


def _n_permutations(given: int | None, n_matched: int) -> int:
    """Return the number of relabellings: the given one, or what the number of concepts affords; 0 for one concept."""
    if given is not None:
        return whole_number(given, "n_permutations", 0, 1_000_000, also="None") if n_matched > 1 else 0
    return next((count for most, count in _AFFORDED if n_matched <= most), 0) if n_matched > 1 else 0


def _relabelled(pair: MatchedPair, n: int, rng: np.random.Generator, title: str) -> FloatArray:
    """Return the scores for random relabellings, one row each."""
    every = (pair.values(rng.permutation(pair.n)).value for _ in range(n))
    return np.array(list(track(every, title, n, bool(title)))).reshape(n, len(SCORES))


def _p_values(value: FloatArray, null: FloatArray) -> FloatArray:
    """Return the share of relabellings at least as much alike as observed, the observed one among them."""
    sign = np.array([-1.0 if score in DISTANCES else 1.0 for score in SCORES])
    n_alike = ((null - value) * sign >= -_ROUNDING).sum(axis=0)
    p: FloatArray = np.where(np.isnan(value), np.nan, (1.0 + n_alike) / (1.0 + null.shape[0]))
    return p


def _profile(dags: tuple[Dag, Dag], matches: ConceptMatches) -> Profile:
    """Return the number of concepts at each depth."""
    depth = dags[0].depths, dags[1].depths
    n = 1 + max(int(depth[0].max()), int(depth[1].max()))
    same = depth[0][matches.in_a]
    same = same[same == depth[1][matches.in_b]]
    widths = (np.bincount(column, minlength=n) for column in (*depth, same))
    return Profile(np.arange(n), *widths)
