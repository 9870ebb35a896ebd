"""Two taxonomies compared: scores beside chance, what is missing, invented and moved, and their profiles."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import real_number, whole_number
from dendrometry._display import percent, plural, printable
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry._version import __version__
from dendrometry.dag import Dag
from dendrometry.measures.score import adjust
from dendrometry.taxonomy.concept_changes import KINDS, ConceptChange
from dendrometry.taxonomy.matching import ConceptMatches
from dendrometry.taxonomy.pair_scores import DISTANCES, MOST_SAMPLED, SCORES

_ALPHA = 0.05


class Profile(NamedTuple):
    """The widths of two taxonomies.

    Attributes
    ----------
    depth : (n_levels,) array of int
        The depths, 0 at the top; a concept with several ways up has the length of the longest one.
    n_a, n_b : (n_levels,) array of int
        The number of concepts at each depth of either taxonomy.
    n_both : (n_levels,) array of int
        The number of matched concepts at this depth in both.
    """

    depth: IntArray
    n_a: IntArray
    n_b: IntArray
    n_both: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class TaxonomyComparison(Frozen, Tabular):
    """Two taxonomies compared concept by concept.

    Attributes
    ----------
    a, b : Dag
        The two taxonomies.
    names : pair of str
        What they are called.
    matches : ConceptMatches
        Which concepts are the same.
    value : (11,) array of float
        The scores in the order of ``scores``; nan for those that are not defined.
    error : (11,) array of float
        The standard errors of scores that were estimated from a sample of pairs or triples; 0 for the others.
    by_chance : (11,) array of float
        The mean over all relabellings for edges and ancestors, which is exact, and over the random ones for the others;
        nan if there are none.
    p_value : (11,) array of float
        The share of relabellings that make the taxonomies at least as much alike, with the observed one; nan without.
    n_permutations : int
        The number of random relabellings of the matched concepts.
    changes : tuple of ConceptChange
        What is moved, renamed, missing and invented.
    profile : Profile
        The number of concepts at each depth.
    """

    a: Dag
    b: Dag
    names: tuple[str, str]
    matches: ConceptMatches
    value: FloatArray
    error: FloatArray
    by_chance: FloatArray
    p_value: FloatArray
    n_permutations: int
    changes: tuple[ConceptChange, ...]
    profile: Profile

    @property
    def scores(self) -> tuple[str, ...]:
        """The names of the scores."""
        return SCORES

    def __getitem__(self, score: str) -> float | None:
        """Return a score by its name; None if it is not defined."""
        value = float(self.value[SCORES.index(one_of(score, "score", SCORES))])
        return None if np.isnan(value) else value

    @cached_property
    def adjusted(self) -> list[float | None]:
        """The scores rescaled to 1 for taxonomies that agree and 0 for chance; None where that is not defined."""
        best = [0.0 if score in DISTANCES else 1.0 for score in SCORES]
        rows = zip(self.value.tolist(), self.by_chance.tolist(), best, strict=True)
        return [None if np.isnan(x) or np.isnan(y) else adjust(x, y, z) for x, y, z in rows]

    @property
    def is_tested(self) -> bool:
        """Whether there are p-values."""
        return self.n_permutations > 0 and self.matches.in_a.size > 1

    @property
    def n_by_kind(self) -> dict[str, int]:
        """The number of changes of each kind."""
        count = Counter(change.what for change in self.changes)
        return {kind: count[kind] for kind in KINDS if count[kind]}

    @property
    def verdict(self) -> str:
        """How much the taxonomies agree on what lies above what, in one or two sentences."""
        a, b = (printable(name) for name in self.names)
        precision, recall, f = (self.value[SCORES.index(f"ancestor_{part}")] for part in ("precision", "recall", "f"))
        if np.isnan(f):
            return f"Neither {a} nor {b} has a concept above another."
        shares = [
            f"{b} has {percent(float(recall))} of the ancestor pairs of {a}" if not np.isnan(recall) else "",
            f"{percent(float(precision))} of its own are in {a}" if not np.isnan(precision) else "",
        ]
        chance = float(self.by_chance[SCORES.index("ancestor_f")])
        beside = "" if np.isnan(chance) else f", {chance:.3g} by chance"
        p = float(self.p_value[SCORES.index("ancestor_f")])
        text = self.p_text(p)
        tested = f", p {text if text[0] == '≤' else f'= {text}'}" if text else ""
        sentence = f"{'; '.join(filter(None, shares))} (F {f:.3g}{beside}{tested})."
        if p > _ALPHA >= 1.0 / (1 + self.n_permutations):  # fewer relabellings cannot tell
            sentence += " Taxonomies of these shapes may have as many by chance."
        return f"{sentence} {self._changes_text()}"

    @property
    def methods(self) -> str:
        """How the scores were obtained, as sentences for the methods section of a paper."""
        sampled = f" and estimated from {MOST_SAMPLED:,} random pairs or triples" if self.error.any() else ""
        tested = (
            f" P-values are (1 + r) / (1 + {self.n_permutations}), where r of {self.n_permutations} random relabellings"
            " of the matched concepts made the taxonomies at least as much alike (Phipson and Smyth 2010); the"
            " expectations of edge and ancestor scores are exact, those of the others means over these relabellings."
            if self.is_tested
            else " The expectations of edge and ancestor scores over all relabellings of matched concepts are exact."
        )
        return (
            f"Concepts of the two taxonomies were matched: {self.matches.sentence()}. Precision, recall and F count"
            " edges, and pairs of a concept and one above it. Wu-Palmer and Lin similarities (Wu and Palmer 1994; Lin"
            " 1998, with the information content of the number of concepts below) compare what lies right above each"
            " matched concept in both, inside the first taxonomy. CASet and DISC are the distances of DiNardo et al."
            f" (2020) on the matched concepts, and triples after Ciccolella et al. (2021){sampled}.{tested} Computed"
            f" with dendrometry {__version__}."
        )

    def tell(self, max_lines: int | None = None) -> str:
        """Return the verdict, then the changes, one line each (None: all)."""
        most = len(self.changes) if max_lines is None else whole_number(max_lines, "max_lines", 0, also="None")
        lines = [self.verdict, *(change.tell() for change in self.changes[:most])]
        if len(self.changes) > most:
            lines.append(f"… {plural(len(self.changes) - most, 'more change')}")
        return "\n".join(lines)

    def columns(self) -> dict[str, list[Any]]:
        """Return the scores as columns, one row each; None where something is not defined."""
        floats = {"value": self.value, "by_chance": self.by_chance, "p_value": self.p_value, "error": self.error}
        plain = {name: [None if np.isnan(x) else x for x in column.tolist()] for name, column in floats.items()}
        return {
            "score": list(SCORES),
            "value": plain["value"],
            "by_chance": plain["by_chance"],
            "adjusted": self.adjusted,
            "p_value": plain["p_value"],
            "standard_error": plain["error"],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each score; undefined values are nan."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).set_index("score").astype(float)

    def changes_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each change; its columns are the fields of `ConceptChange`."""
        pd = require("pandas", extra="tables", for_="changes_frame()")
        return pd.DataFrame([*self.changes], columns=list(ConceptChange._fields))

    def profile_frame(self) -> Any:
        """Return a pandas DataFrame with the number of concepts at each depth."""
        pd = require("pandas", extra="tables", for_="profile_frame()")
        return pd.DataFrame(self.profile._asdict()).set_index("depth")

    def to_json(self) -> str:
        """Return the verdict, the scores, the matches and the changes as JSON."""
        columns = self.columns()
        rows = zip(*columns.values(), strict=True)
        content = {
            "verdict": self.verdict,
            "names": self.names,
            "n_concepts": [self.a.n_terms, self.b.n_terms],
            "n_matched": self.matches.n_by,
            "n_permutations": self.n_permutations,
            "scores": [dict(zip(columns, row, strict=True)) for row in rows],
            "methods": self.methods,
            "profile": {name: column.tolist() for name, column in self.profile._asdict().items()},
            "changes": [change._asdict() for change in self.changes],
        }
        return json.dumps(content, indent=2, ensure_ascii=False)

    def _changes_text(self) -> str:
        """Return the numbers of changes of each kind as a sentence."""
        parts = [f"{count:,} {kind}" for kind, count in self.n_by_kind.items()]
        return f"Concepts: {self.matches.in_a.size:,} in both, {', '.join(parts) or 'nothing changed'}."

    def p_text(self, p: float | None) -> str:
        """Return a p-value as text; the least that this number of relabellings can give is a bound, and none is ""."""
        given: object = p
        if given is None or (isinstance(given, float) and math.isnan(given)):
            return ""
        p = real_number(given, "p", least=0.0, most=1.0)
        return f"{'≤ ' if p * (1 + self.n_permutations) < 1.5 else ''}{p:.2g}"

    def _repr_html_(self) -> str:
        return preview(self.verdict, self.columns())

    def __repr__(self) -> str:
        f, edge = (self.value[SCORES.index(name)] for name in ("ancestor_f", "edge_f"))
        scores = ", ".join(f"{name} {x:.4g}" for name, x in (("ancestor F", f), ("edge F", edge)) if not np.isnan(x))
        sizes = f"{plural(self.a.n_terms, 'concept')} and {self.b.n_terms:,}, {self.matches.in_a.size:,} matched"
        return f"TaxonomyComparison({sizes}; {scores}; {plural(len(self.changes), 'change')})"
