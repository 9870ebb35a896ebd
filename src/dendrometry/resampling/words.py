"""Words: what the stability of a tree says, in sentences."""

from __future__ import annotations

from dendrometry._display import index_text, plural
from dendrometry.resampling.agreement import UNIMODAL, Agreement
from dendrometry.resampling.stability import Stability
from dendrometry.resampling.stable_clusters import STABLE, cut_most_stable, cut_stable


def agreement_sentence(agreement: Agreement) -> str:
    """Return whether there is structure, and the number of clusters that is most stable."""
    choice, sets = agreement.choose(), plural(len(agreement.reference), "reference set")
    if agreement.is_undecided():
        return (
            f"Replicates agree better than those of all {sets}, {agreement.drawn}, which are too few to tell at"
            f" the level 0.05 (p = {choice.p_value:.2g}): draw 19 or more."
        )
    if choice.n_clusters == 1 and not agreement.has_valley():
        return (
            f"The first split of the tree is no deeper a valley of density than chance makes in {UNIMODAL}"
            f" (p = {agreement.valley:.2g}), however well replicates agree: stability gives no evidence of clusters."
        )
    if choice.n_clusters == 1:
        return (
            f"Replicates agree no better than those of {agreement.drawn}, at any number of clusters"
            f" (p = {choice.p_value:.2g} from {sets}): stability gives no evidence of clusters."
        )
    at = int((agreement.n_clusters == choice.n_clusters).argmax())
    number = f"{choice.n_clusters:,} clusters are most stable: replicates agree by {index_text(agreement.mean[at])}"
    mean, p = agreement.reference_mean, choice.p_value
    if mean is not None and p is not None:
        number += f", those of {agreement.drawn} by {index_text(mean[at])} (p = {p:.2g} from {sets})"
    others = " and ".join(f"{k:,}" for k in choice.as_good[-2:])
    others = ", ".join([*(f"{k:,}" for k in choice.as_good[:-2]), others])
    as_good = f" As good: {others}." if choice.as_good else ""
    return f"{number}.{as_good}{_rejected_sentence(agreement)}"


def _rejected_sentence(agreement: Agreement) -> str:
    """Return what is rejected, and what is not; "" without reference sets."""
    if not len(agreement.reference):
        return ""
    if agreement.valley is None:
        return (
            f" What is rejected is {agreement.null} and nothing else: data of another shape may seem to have clusters."
        )
    return f" What is rejected is {agreement.null} (p = {agreement.valley:.2g} for the first split of the tree)."


def clusters_sentence(found: Stability) -> str:
    """Return how stable the clusters of the most stable number are, or how many clusters of any level are stable."""
    chosen = cut_most_stable(found)
    if chosen is None:
        return _disjoint_sentence(found)
    jaccard = found.support.jaccard[chosen.nodes]
    n, n_stable = chosen.n_clusters, int((jaccard >= STABLE).sum())
    every = "Both" if n == 2 else f"All {n:,}"
    which = every if n_stable == n else f"{n_stable:,} of the {n:,}"
    values = " to ".join(dict.fromkeys(index_text(value) for value in (jaccard.min(), jaccard.max())))
    return f"{which} clusters are stable: the mean best Jaccard indices are {values}, and {STABLE} or more is stable."


def _disjoint_sentence(found: Stability) -> str:
    """Return how many disjoint clusters are stable, and how many items these hold."""
    sizes = [len(cluster) for cluster in cut_stable(found).clusters]
    stable = [size for size in sizes if size > 1]
    sentence = (
        f"{plural(len(stable), 'disjoint cluster')} with a mean best Jaccard index of at least {STABLE}"
        f" {'holds' if len(stable) == 1 else 'hold'} {sum(stable):,} of {plural(found.hierarchy.n_items, 'item')}."
    )
    if found.agreement is None or found.agreement.choose().n_clusters > 1:
        return sentence
    return f"In data without clusters, some groups come back too, above all small ones. {sentence}"
