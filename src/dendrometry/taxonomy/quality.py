"""Quality of one taxonomy without a truth: embeddings of its concepts beside the places of the concepts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import RandomSource, random_generator, real_number, whole_number
from dendrometry._display import percent, plural
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry._html import preview
from dendrometry._progress import track
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray
from dendrometry._version import __version__
from dendrometry.dag import Dag
from dendrometry.errors import UndefinedMeasureError
from dendrometry.io.dags import DagLike
from dendrometry.measures.score import adjust
from dendrometry.taxonomy.concept_changes import labels_of
from dendrometry.taxonomy.concepts import as_concepts
from dendrometry.taxonomy.duplicates import Duplicate, find_duplicates
from dendrometry.taxonomy.embedding import unit_rows
from dendrometry.taxonomy.quality_scores import QUALITIES, Shape, Surroundings, shape_of

_AFFORDED = ((2_000, 199), (20_000, 99), (200_000, 19))  # most concepts, permutations
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class TaxonomyQuality(Frozen, Tabular):
    """The quality of one taxonomy, beside that of the same taxonomy with its embeddings exchanged at random.

    Attributes
    ----------
    dag : Dag
        The taxonomy.
    value, by_chance, p_value : (3,) array of float
        The scores in the order of ``scores``, their means over the permutations, and the share of permutations that
        give at least as high a value, the observed one among them; nan for what is not defined.
    n_permutations : int
        The number of permutations of the embeddings.
    preference : (n_edges,) array of float
        For each edge, in the order of ``dag.parent``, the cosine of child and parent, minus the mean cosine of the
        child and the siblings of this parent; nan if it has none.
    coherence : (n_terms,) array of float
        The mean cosine of pairs of children of each concept; nan for fewer than two.
    shape : Shape
        How even the taxonomy is.
    duplicates : tuple of Duplicate
        Concepts that may be the same, the most similar first; at most 1,000.
    """

    dag: Dag
    value: FloatArray
    by_chance: FloatArray
    p_value: FloatArray
    n_permutations: int
    preference: FloatArray
    coherence: FloatArray
    shape: Shape
    duplicates: tuple[Duplicate, ...]

    @property
    def scores(self) -> tuple[str, ...]:
        """The names of the scores."""
        return QUALITIES

    def __getitem__(self, score: str) -> float | None:
        """Return a score by its name; None if it is not defined."""
        value = float(self.value[QUALITIES.index(one_of(score, "score", QUALITIES))])
        return None if np.isnan(value) else value

    @cached_property
    def adjusted(self) -> list[float | None]:
        """The scores rescaled to 1 for the best possible value and 0 for chance; None where that is not defined."""
        rows = zip(self.value.tolist(), self.by_chance.tolist(), strict=True)
        return [None if np.isnan(x) or np.isnan(y) else adjust(x, y, 1.0) for x, y in rows]

    @property
    def verdict(self) -> str:
        """The scores and the shape in two sentences."""
        share, chance, p = (float(x[0]) for x in (self.value, self.by_chance, self.p_value))
        parts = [f"{plural(self.dag.n_terms, 'concept')}, {self.shape.n_leaves:,} of them leaves"]
        if not np.isnan(share):
            beside = "" if np.isnan(chance) else f" ({percent(chance)} by chance, p {self._p_text(p)})"
            parts.append(f"{percent(share)} of edges prefer the parent to its siblings{beside}")
        doubles = f"{plural(len(self.duplicates), 'pair')} of concepts may be duplicates"
        return f"{'; '.join(parts)}. {doubles}."

    @property
    def methods(self) -> str:
        """How the scores were obtained, as sentences for the methods section of a paper."""
        return (
            "The quality of the taxonomy was measured without a reference by the cosine of given embeddings of its"
            " concepts: the share of edges whose child is more similar to its parent than, on average, to the siblings"
            " of this parent; the mean similarity of siblings; and the correlation of this similarity with that of Wu"
            " and Palmer, after the concept similarity correlation of Wullschleger et al. (2025). Expectations and"
            f" p-values are those of {plural(self.n_permutations, 'random permutation')} of the embeddings. Computed"
            f" with dendrometry {__version__}."
        )

    def worst(self, count: int = 10) -> list[tuple[str, str, float]]:
        """Return the edges whose child is least drawn to its parent: child, parent, and the difference of cosines."""
        most = whole_number(count, "count", 0)
        owner = np.repeat(np.arange(self.dag.n_terms), self.dag.n_parents)
        order = np.argsort(self.preference, kind="stable")[:most]
        good = [e for e in order.tolist() if not np.isnan(self.preference[e])]
        names = labels_of(self.dag)
        return [(names[owner[e]], names[self.dag.parent[e]], float(self.preference[e])) for e in good]

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns, one row each; None where something is not defined."""
        columns = {"value": self.value, "by_chance": self.by_chance, "p_value": self.p_value}
        plain = {name: [None if np.isnan(x) else x for x in column.tolist()] for name, column in columns.items()}
        return {
            "score": list(QUALITIES),
            "value": plain["value"],
            "by_chance": plain["by_chance"],
            "adjusted": list(self.adjusted),
            "p_value": plain["p_value"],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each score; undefined values are nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("score").astype(float)

    def _p_text(self, p: float) -> str:
        """Return a p-value; the least that this number of permutations can give is shown as a bound."""
        return f"{'≤' if p * (1 + self.n_permutations) < 1.5 else '='} {p:.2g}"

    def _repr_html_(self) -> str:
        return preview(self.verdict, self.columns())

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {x:.4g}" for name, x in zip(QUALITIES, self.value, strict=True) if not np.isnan(x))
        return f"TaxonomyQuality({plural(self.dag.n_terms, 'concept')}; {scores or 'no scores'})"


def taxonomy_quality(
    taxonomy: DagLike,
    embeddings: ArrayLike | dict[str, ArrayLike],
    *,
    duplicate: float = 0.95,
    n_permutations: int | None = None,
    rng: RandomSource = 0,
    progress: bool = False,
) -> TaxonomyQuality:
    """Return the quality of a taxonomy without a truth, from embeddings of its concepts, beside chance.

    ``parent_preference`` is the share of edges whose child is more similar to its parent than, on average, to the
    siblings of this parent; half an edge counts at a tie, none without siblings. ``sibling_coherence`` is the mean
    similarity of pairs of children of one concept. ``concept_similarity_correlation`` is the correlation (Pearson)
    between the similarity of embeddings and that of Wu and Palmer, over pairs of concepts. Similarity is the cosine.

    Parameters
    ----------
    taxonomy : Dag, Hierarchy, or anything that `as_dag` takes
        The taxonomy.
    embeddings : (n_terms, n_dimensions) array-like, or mapping from term to vector
        Vectors of all concepts, from a model of the user's choice; an array is in the order of ``terms``, data frames
        and mappings are matched by identifier or name.
    duplicate : float
        The least cosine of two concepts that may be duplicates.
    n_permutations : int, optional
        The number of permutations of the embeddings; by default 199 up to 2,000 concepts, 99 up to 20,000, 19 up to
        200,000, none above.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.
    progress : bool
        Whether to show a progress bar on the terminal.

    Returns
    -------
    TaxonomyQuality
        Scores, the first from 0 to 1, the others from -1 to 1, higher is better; each edge and each concept; shape and
        possible duplicates.

    Raises
    ------
    UndefinedMeasureError
        If the taxonomy has no edge.
    InvalidInputError
        If an embedding is missing, zero or not finite.

    Notes
    -----
    Siblings of a parent are the other children of its parents, without the child itself and without other parents of
    the child; of more than 16, as many are drawn. Of more than 20,000 pairs of concepts, as many are drawn for the
    correlation. Beyond 20,000 concepts, possible duplicates are looked for by their names alone.

    Some of the reference-free evaluations of 2025 and 2026 need a language model, and are not computed: whether a model
    infers the parent from the child [1]_, and its judgement of parts of the taxonomy [2]_ or of the coherence of
    siblings [3]_. The correlation is after the first of these; its paper chooses models of sentences for the
    similarity, here it is the user. The coherence of siblings is that of cosines.

    References
    ----------
    .. [1] P. Wullschleger, M. Zarharan, D. Daly, M. Pouly, J. Foster, "Reference-free evaluation of taxonomies", 2025,
       third version 2026, arXiv:2505.11470.
    .. [2] L. Zhang, Z. Gu, S. Zheng, T. Wang, T. Li, H. Feng, Y. Xiao, "LiTe: LLM-impelled efficient taxonomy
       evaluation", 2025, arXiv:2504.01369.
    .. [3] P. Kargupta, N. Zhang, Y. Zhang, R. Zhang, P. Mitra, J. Han, "TaxoAdapt: aligning LLM-based multidimensional
       taxonomy construction to evolving research corpora", ACL 2025, arXiv:2506.10737.

    Examples
    --------
    >>> from dendrometry import Dag
    >>> from dendrometry.taxonomy import taxonomy_quality
    >>> dag = Dag.from_edges([("cat", "mammal"), ("bat", "mammal"), ("owl", "bird"), ("hen", "bird"),
    ...                       ("mammal", "animal"), ("bird", "animal")])
    >>> vectors = {"cat": [3, 0, 1], "bat": [2, 1, 1], "owl": [0, 3, 1], "hen": [0, 2, 1], "mammal": [3, 0, 2],
    ...            "bird": [0, 3, 2], "animal": [1, 1, 3]}
    >>> found = taxonomy_quality(dag, vectors)
    >>> found["parent_preference"]
    1.0
    """
    dag = as_concepts(taxonomy, what="the taxonomy")
    if not dag.n_edges:
        raise UndefinedMeasureError("a taxonomy must have an edge; all concepts are without parents")
    rows, least = unit_rows(embeddings, dag, "embeddings"), real_number(duplicate, "duplicate", least=-1.0, most=1.0)
    generator = random_generator(rng)
    frame = Surroundings(dag, generator)
    n = next((count for most, count in _AFFORDED if dag.n_terms <= most), 0)
    n = n if n_permutations is None else whole_number(n_permutations, "n_permutations", 0, 1_000_000, also="None")
    value, preference, coherence = frame.scores(rows)
    title = "permutations" if flag(progress, "progress") else ""
    every = (frame.scores(rows[generator.permutation(dag.n_terms)])[0] for _ in range(n))
    null = np.array(list(track(every, title, n, bool(title)))).reshape(n, len(QUALITIES))
    by_chance, p_value = np.full(len(QUALITIES), np.nan), np.full(len(QUALITIES), np.nan)
    if n:
        by_chance = null.mean(axis=0)
        n_alike = (null - value >= -_ROUNDING).sum(axis=0)
        p_value = np.where(np.isnan(value), np.nan, (1.0 + n_alike) / (1.0 + n))
    doubles = find_duplicates(dag, rows, least)
    return TaxonomyQuality(dag, value, by_chance, p_value, n, preference, coherence, shape_of(dag), doubles)
