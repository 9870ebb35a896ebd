"""Words: what the stability of a tree says, in sentences."""

from __future__ import annotations

from dendrometry._display import plural
from dendrometry.resampling.agreement import Agreement
from dendrometry.resampling.stability import Stability
from dendrometry.resampling.stable_clusters import cut_stable

__all__ = ["agreement_sentence", "clusters_sentence"]


def agreement_sentence(agreement: Agreement) -> str:
    """Return whether there is structure, and the number of clusters that is most stable."""
    choice, sets = agreement.choose(), plural(len(agreement.reference), "reference set")
    if choice.n_clusters == 1:
        return (
            "Replicates agree no better than those of data without clusters, at any number of clusters"
            f" (p = {choice.p_value:.2g} from {sets}): stability gives no evidence of clusters."
        )
    at = int((agreement.n_clusters == choice.n_clusters).argmax())
    number = f"{choice.n_clusters:,} clusters are most stable: replicates agree by {agreement.mean[at]:.2f}"
    mean, p = agreement.reference_mean, choice.p_value
    if mean is not None and p is not None:
        number += f", those of data without clusters by {mean[at]:.2f} (p = {p:.2g} from {sets})"
    others = " and ".join(f"{k:,}" for k in choice.as_good[-2:])
    others = ", ".join([*(f"{k:,}" for k in choice.as_good[:-2]), others])
    return f"{number}." + (f" As good: {others}." if choice.as_good else "")


def clusters_sentence(found: Stability) -> str:
    """Return how many clusters are stable, and how many items these hold."""
    sizes = [len(cluster) for cluster in cut_stable(found).clusters]
    stable = [size for size in sizes if size > 1]
    return (
        f"{plural(len(stable), 'disjoint cluster')} with a mean best Jaccard index of at least 0.75"
        f" {'holds' if len(stable) == 1 else 'hold'} {sum(stable):,} of {plural(found.hierarchy.n_items, 'item')}."
    )
