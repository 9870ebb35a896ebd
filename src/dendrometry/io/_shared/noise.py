"""Items in no cluster, which HDBSCAN, DBSCAN and OPTICS label -1: they are said, and the caller decides about them."""

from __future__ import annotations

from collections.abc import Iterable

from dendrometry._display import plural
from dendrometry.contingency import Noise
from dendrometry.errors import Message, Remedy

NOISE = "-1"


def has_noise(labels: Iterable[str], choice: Noise | None) -> bool:
    """Whether -1 among labels is noise: the others are whole numbers, and 0 is one unless ``choice`` says so."""
    distinct = set(labels)
    others = distinct - {NOISE}
    return NOISE in distinct and all(map(str.isdecimal, others)) and (choice is not None or "0" in others or not others)


def tell_noise(n_noise: int, n_items: int, choice: Noise | None) -> list[Message]:
    """Return that noise is taken as a cluster, unless the caller said what to do about it."""
    if not n_noise or choice is not None:
        return []
    says = f"{n_noise:,} of {plural(n_items, 'item')} with the label -1, as noise has; taken as a cluster"
    return [
        (
            says,
            Remedy("noise", "singletons", "makes each a cluster of its own"),
            Remedy("noise", "drop", "leaves them out"),
            Remedy("noise", "label", "says that they are one"),
        )
    ]
