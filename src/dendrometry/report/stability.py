"""The report of a `Stability`: whether a tree is real, how many clusters it has, which ones, and how it was made."""

from typing import Any

import numpy as np

from dendrometry._display import plural
from dendrometry._version import __version__
from dendrometry.cut.cut import Cut
from dendrometry.errors import DendrometryError
from dendrometry.plot.co_membership import co_membership
from dendrometry.plot.dendrogram import dendrogram
from dendrometry.plot.stability_curve import stability_curve
from dendrometry.report.drawing import drawing, members_of, value_table
from dendrometry.report.markup import Html, description_list, join_html, label, tag
from dendrometry.report.page import Page, Section
from dendrometry.resampling.item_stability import item_stability
from dendrometry.resampling.stability import Stability
from dendrometry.resampling.stable_clusters import STABLE, cut_most_stable
from dendrometry.resampling.words import agreement_sentence, clusters_sentence

_TOP = 40  # branches of the tree that are drawn
_MOST_ITEMS = 1_000  # of the heat map
_ROWS = 30
_SUPPORT = {"bp": "bootstrap probability", "jaccard": "mean best Jaccard index", "au": "approximately unbiased"}


def stability_page(found: Stability) -> Page:
    """Return the report on the stability of a tree as a page."""
    lead = tag(
        "p",
        tag("b", plural(found.hierarchy.n_items, "item")),
        ", clustered again in ",
        tag("b", plural(found.n_replicates, "replicate")),
        class_="pair",
    )
    chosen = cut_most_stable(found)
    sections = (
        Section("real", "Is it real, and how many clusters?", _levels(found)),
        Section("clusters", "Which clusters", _clusters(found, chosen)),
        Section("items", "Which items are unsure", _items(found, chosen)),
        Section("made", "How it was made", _made(found)),
    )
    return Page("How stable is the tree?", lead, sections)


def _levels(found: Stability) -> Html:
    """Return the agreement at every number of clusters, in words, as a curve and as a table."""
    agreement = found.agreement
    if agreement is None:
        return tag(
            "p", "The replicates have no heights, or share too few items, to be cut and compared.", class_="reason"
        )
    columns = agreement.columns()
    heads = {"n_clusters": "clusters", "standard_error": "standard error", "p_value": "p"}
    heads |= {"mean": "agreement", "low": "2.5 %", "high": "97.5 %", "reference": "without clusters"}
    rows = [[_cell(x) for x in row] for row in zip(*columns.values(), strict=True)]
    caveat = (
        "No procedure proves a number of clusters: stability says what the method finds again when the data are drawn"
        " again, also where a cloud without gaps is cut in the same place each time."
    )
    return join_html(
        (
            tag("p", agreement_sentence(agreement), class_="verdict"),
            drawing(lambda: stability_curve(agreement), "The agreement of replicates at each number of clusters."),
            tag("p", caveat, class_="note"),
            value_table([heads.get(name, name) for name in columns], rows, "The agreement at each number of clusters"),
        )
    )


def _clusters(found: Stability, chosen: Cut | None) -> Html:
    """Return the tree with its support, and a table: the clusters of the most stable number, then the largest."""
    tree = found.hierarchy
    by = "jaccard" if found.support.au is None else "au"  # large clusters seldom come back to the last item
    names = [name for name in _SUPPORT if getattr(found.support, name) is not None]
    nodes = found.nodes()
    taken = np.isin(nodes, [] if chosen is None else chosen.nodes)
    listed = nodes[np.lexsort((-tree.sizes[nodes], ~taken))][:_ROWS]
    heads = ["items", *(_SUPPORT[name] for name in names), "stable", "members"]
    rows = [
        [
            f"{tree.sizes[v]:,}",
            *(_with_error(found, name, v) for name in names),
            "yes" if found.support.jaccard[v] >= STABLE else "",
            members_of(tree, v),
        ]
        for v in listed.tolist()
    ]
    labels = None
    if chosen is not None:
        labels = [f"cluster {cluster + 1:,}" for cluster in chosen.labels.tolist()]
        number = {v: f"{i:,}" for i, v in enumerate(chosen.nodes.tolist(), 1)}
        heads.insert(1, f"which of the {chosen.n_clusters:,}")
        for row, v in zip(rows, listed.tolist(), strict=True):
            row.insert(1, number.get(v, ""))
    drawn = f"The numbers at the branches are the {_SUPPORT[by]} in percent, below 50 in red;"
    drawn += " where there is no room, a larger dot stands for more."
    if nodes.size > _ROWS:
        drawn += f" Of {nodes.size:,} clusters, the largest are listed, {_ROWS} in all."
    support = getattr(found.support, by)
    return join_html(
        (
            tag("p", clusters_sentence(found), class_="verdict"),
            drawing(
                lambda: dendrogram(tree, labels=labels, support=support, top=_TOP), f"The top of the tree. {drawn}"
            ),
            tag("p", drawn, class_="note"),
            value_table(heads, rows, "The support of clusters"),
        )
    )


def _items(found: Stability, chosen: Cut | None) -> Html:
    """Return the unstable items, and the heat map of co-membership."""
    k = 2 if chosen is None else chosen.n_clusters
    try:
        items = item_stability(found, k)
    except DendrometryError as error:
        return tag("p", f"{error}.", class_="reason")
    unsure = items.unstable()
    number = {name: i for i, name in enumerate(items.items)}
    rows = [
        [label(name), f"{items.own[number[name]]:.2f}", f"{items.other[number[name]]:.2f}"] for name in unsure[:_ROWS]
    ]
    verdict = "" if chosen is not None else "No number of clusters stands out. "
    verdict += f"With {k:,} clusters, {plural(len(unsure), 'item')} of {len(items.items):,} "
    verdict += f"{'is' if len(unsure) == 1 else 'are'} with less than half of the cluster again, or more with another."
    parts = [tag("p", verdict, class_="verdict")]
    if len(items.items) <= _MOST_ITEMS:
        alt = "How often two items are in one cluster, in the order of the tree."
        parts.append(drawing(lambda: co_membership(found, k), alt))
    if rows:
        parts.append(
            value_table(["item", "share of its own cluster", "share of the nearest other"], rows, "Unsure items")
        )
    return join_html(parts)


def _made(found: Stability) -> Html:
    """Return the section on what the results are based on."""
    scales = "" if len(found.scales) == 1 else f" at each of {len(found.scales)} scales"
    rows = [("Replicates", f"{found.n_replicates:,}{scales}" + ("" if found.is_complete else "; stopped early"))]
    if found.agreement is not None:
        rows.append(("Pairs compared", f"{len(found.agreement.values):,}, each replicate with the next"))
        rows.append(("Reference sets", f"{len(found.agreement.reference):,}, {found.agreement.drawn}"))
        if found.agreement.valley is not None:
            rows.append(("Valley of density", f"p = {found.agreement.valley:.2g} at the first split of the tree"))
        if found.agreement.methods:
            rows.append(("For a methods section", found.agreement.methods))
    rows += [
        ("Agreement", "adjusted Rand index of the cuts, on the items that both replicates hold"),
        ("Stable", f"mean best Jaccard index of at least {STABLE} (Hennig 2007)"),
        ("Unsure items", "item consensus (Monti et al. 2003)"),
        ("Made by", f"dendrometry {__version__}"),
    ]
    return description_list(rows, class_="facts")


def _with_error(found: Stability, name: str, v: int) -> str:
    """Return one kind of support of a node, with its standard error."""
    return f"{getattr(found.support, name)[v]:.2f} ± {getattr(found.support, f'{name}_error')[v]:.2f}"


def _cell(value: Any) -> str:
    """Return a number as the text of a cell."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
