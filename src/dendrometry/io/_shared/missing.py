"""Ranks that are missing in a table or lineage: the words for them, and what is done about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dendrometry._display import plural, printable
from dendrometry.errors import InvalidInputError, Message, Remedy
from dendrometry.io._shared.options import MissingChoice

# The words that pandas reads as missing values, so that a file and a frame of it are read alike.
MISSING_WORDS = frozenset(
    "#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null".split("|")
)
_EMPTY_RANK = re.compile(r"(?:[A-Za-z]|sk|D_\d++)__")  # of a lineage, as g__ of a genus without a name


def is_missing_word(text: str) -> bool:
    """Whether a text stands for a missing value, or for a rank without a name."""
    return text in MISSING_WORDS or _EMPTY_RANK.fullmatch(text) is not None


def complete(steps: Sequence[str], ranks: Sequence[str], choice: MissingChoice, where: str) -> list[str]:
    """Return the steps of one item without those that are missing, which are "".

    Missing ones at the end say that the item belongs to the node above; among others they are refused, skipped, or
    nodes of their own, as are those at the end. ``ranks`` are the names of the steps, if they have any.
    """
    if choice == "own_node":
        return [step or f"(no {_rank(ranks, i) or 'name'})" for i, step in enumerate(steps)]
    given = [i for i, step in enumerate(steps) if step]
    end = given[-1] + 1 if given else 0
    if len(given) < end and choice == "refuse":
        gap = next(i for i in range(end) if not steps[i])
        upper = f"level '{printable(_rank(ranks, gap))}'" if _rank(ranks, gap) else "a rank"
        lower = printable(_rank(ranks, given[-1]) or steps[given[-1]])
        raise InvalidInputError(
            f"{where}: {upper} must be given if '{lower}' below it is given; it is missing",
            Remedy("missing", "skip_rank", "leaves the rank out"),
            Remedy("missing", "own_node", "makes a node for it"),
        )
    return [steps[i] for i in given]


def _rank(ranks: Sequence[str], i: int) -> str:
    """Return the name of a rank, or ""."""
    return ranks[i] if i < len(ranks) else ""


def tell_words(words: Counter[str], choice: MissingChoice) -> list[Message]:
    """Return which words were taken as missing."""
    if not words:
        return []
    listed = ", ".join(f"'{printable(word)}' in {plural(n, 'cell')}" for word, n in words.most_common())
    remedies = () if choice == "own_node" else (Remedy("missing", "own_node", "makes a node for each"),)
    return [(f"taken as missing: {listed}", *remedies)]


def tell_unplaced(n_items: int, n_all: int, choice: MissingChoice) -> list[Message]:
    """Return how many items have no level at all, and so belong to the root."""
    if not n_items or choice == "own_node":
        return []
    says = f"{n_items:,} of {plural(n_all, 'item')} without any level, as below merged cells; they belong to the root"
    return [(says, Remedy("missing", "own_node", "makes a node for them"))]
