"""The verdict: how alike two trees or partitions are, in one or two sentences."""

from collections.abc import Sequence
from math import inf
from typing import Literal, NamedTuple

from dendrometry._display import percent, plural
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.containment import Containment
from dendrometry.comparison.line import Line
from dendrometry.comparison.permutation_test import ALPHA, is_out_of_reach, p_clause, p_sentence

_DEGREES = (
    (0.9, "almost the same", "nearly all of {}"),
    (0.6, "much alike", "most of {}"),
    (0.3, "partly alike", "part of {}"),
    (0.1, "a little alike", "a little more of {} than chance"),
    (-inf, "hardly alike", "hardly more of {} than chance"),
)
_OPPOSED = -0.1  # below this the two disagree more than unrelated trees do
_WEAK = 0.3  # below this the verdict adds that the likeness is significant all the same
_WHAT = {"trees": "trees", "partitions": "clusterings"}


class Found(NamedTuple):
    """The number of clusters of the first tree or partition that also occur in the second, and their total number."""

    n_found: int
    n_clusters: int


def share_text(n_items: int, left_out: tuple[int, int], called: tuple[str, str]) -> str:
    """Return the shares of items that were compared, as the beginning of a verdict; "" if no item was left out."""
    if not any(left_out):
        return ""
    of_each = [
        f"{n_items:,} of {plural(n_items + rest, 'item')} ({percent(n_items / (n_items + rest))}) of {name}"
        for rest, name in zip(left_out, called, strict=True)
    ]
    return f"on {' and '.join(of_each)}, "


def chief_line(lines: Sequence[Line]) -> Line | None:
    """Return the line on which the verdict is based: if possible, that of a measure adjusted for chance."""
    measured = [line for line in lines if line.score is not None]
    adjusted = [line for line in measured if line.adjusted is not None]
    chief = [line for line in adjusted if line.measure.headline]
    return next(iter(chief or adjusted or measured), None)


def verdict(
    lines: Sequence[Line],
    *,
    of: Literal["trees", "partitions"],
    names: tuple[str, str] | None,
    n_items: int,
    same: bool,
    found: Found | None,
    tests: Chance,
    containment: Containment | None = None,
    finer: int | None = None,
    opening: str = "",
) -> str:
    """Return how alike two trees or partitions are: first in words, then as a number with its scale and p-value.

    ``same`` states that they are known to be identical, whatever the measures. Trees that resolve the items unequally
    are judged by how much of the coarser one is in the other. ``finer`` is the partition, 0 or 1, of which each cluster
    lies inside one of the other. ``opening`` is what the first sentence begins with.
    """
    groups_nothing = same and found is not None and found.n_clusters == n_items
    what = "" if groups_nothing else f" {_WHAT[of]}"  # trees and clusterings that group nothing look the same
    both = opening + (f"the two{what}" if names is None else f"{names[0]} and {names[1]}")
    shared = _shared(found, of, names) if found is not None and found.n_clusters else ""
    line = chief_line(lines)
    if n_items == 1:
        return _text(f"{opening or 'there is a single item, so '}there is nothing to tell the {_WHAT[of]} apart")
    if same:
        return _text(f"{both} are the same{': neither groups any items' if groups_nothing else ''}")
    if line is None:
        return _text(f"{opening}none of the measures asked for applies to these {_WHAT[of]}")
    if line.value == line.measure.identical:
        return _text(f"{both} are the same by {line.name}", shared)
    if line.adjusted is None:
        return _text(
            f"{both} score {line.value:.3g} by {line.name}{_scale(line)}, which is not adjusted for chance", shared
        )
    fairer = ""
    if line.measure.headline:
        fairer = _refines(finer, names) if containment is None else _fairer(containment, names)
    if fairer:
        return _text(opening + fairer, f"in both directions, the {_WHAT[of]} are {_way(line, tests)}")
    return _text(f"{both} are {degree_text(line, tests)}", shared)


def _text(*sentences: str) -> str:
    """Return sentences with a capital and a full stop each; a name that is not a plain word keeps its first letter."""
    written = []
    for sentence in filter(None, sentences):
        word = sentence.partition(" ")[0].rstrip(",")
        plain = len(word) > 1 and word.isalpha() and word.islower()
        written.append(f"{sentence[0].upper() if plain else sentence[0]}{sentence[1:]}.")
    return " ".join(written)


def degree_text(line: Line, tests: Chance) -> str:
    """Return in words how alike an adjusted value says the two are, and whether that is more than by chance.

    The degree and its significance are told apart: two large trees may be hardly alike, and yet more than by chance.
    """
    adjusted = line.adjusted or 0.0
    p = tests.p_value.get(line.name)
    if adjusted < _OPPOSED:
        return f"less alike than by chance: −{-adjusted:.2f} where 0 is chance and 1 identical{_tested(line, tests)}"
    degree = next(words for least, words, _ in _DEGREES if adjusted >= least)
    aside = ""
    if p is not None and is_out_of_reach(p, tests.n):
        aside = ", but with too few permutations to call it significant"
    elif p is not None and p > ALPHA:
        aside = f",{'' if adjusted < _WEAK else ' but'} not significantly more than by chance"
    elif p is not None and adjusted < _WEAK:
        aside = ", but significantly more than by chance"
    return f"{degree}{aside}: {_way(line, tests)}"


def _fairer(containment: Containment, names: tuple[str, str] | None) -> str:
    """Return how much of a coarser tree is in a finer one; "" if neither is much finer, or if that is not known."""
    called = names or ("the first tree", "the second tree")
    if containment.is_same:
        return f"{called[0]} and {called[1]} have the same clusters, but differ in which items share a node"
    if 0 in containment.n_clusters:
        star = called[containment.n_clusters.index(0)]
        return f"{star} groups nothing: its only clusters are single items and all items"
    if containment.contained is not None:
        return _contained(containment, called[containment.contained], called[1 - containment.contained])
    coarser, likeness = containment.coarser, containment.likeness
    if coarser is not None and likeness is not None and likeness >= _OPPOSED:
        return _recovered(containment.triples[coarser] or 0.0, likeness, called[coarser], called[1 - coarser])
    return ""


def _refines(finer: int | None, names: tuple[str, str] | None) -> str:
    """Return that each cluster of a partition lies inside one of the other; "" if that is not so."""
    if finer is None:
        return ""
    called = names or ("the first clustering", "the second clustering")
    return f"{called[finer]} refines {called[1 - finer]}: each of its clusters lies inside one there"


def _contained(containment: Containment, small: str, large: str) -> str:
    """Return that one tree holds all clusters of the other, and more."""
    few, many = sorted(containment.n_clusters)
    all_few = {1: "the only cluster", 2: "both clusters"}.get(few, f"all {few:,} clusters")
    return f"{all_few} of {small} {'is' if few == 1 else 'are'} also in {large}, which has {many - few:,} more"


def _recovered(share: float, likeness: float, coarse: str, fine: str) -> str:
    """Return how much of a coarser tree a finer one recovers, by the triples that the coarser one resolves."""
    words = next(words for least, _, words in _DEGREES if likeness >= least).format(coarse)
    way = f"{percent(max(likeness, 0.0))} of the way from chance to all"
    return f"{fine} recovers {words}: {percent(share)} of its triples of items, {way}"


def _way(line: Line, tests: Chance) -> str:
    """Return an adjusted value on its scale, with its measure and p-value."""
    adjusted = line.adjusted or 0.0
    shown = percent(adjusted if adjusted < _OPPOSED else max(adjusted, 0.0))
    return f"{shown} of the way from chance to identical{_tested(line, tests)}"


def _tested(line: Line, tests: Chance) -> str:
    """Return the measure of a value and its p-value, in brackets."""
    p = tests.p_value.get(line.name)
    if p is None:
        return f" ({line.name})"
    drawn = f" for {tests.n_drawn:,} items drawn at random" if tests.n_drawn else ""
    return f" ({line.name}, {(p_sentence if is_out_of_reach(p, tests.n) else p_clause)(p, tests.n)}{drawn})"


def _scale(line: Line) -> str:
    """Return the range of a measure and its direction, in brackets."""
    direction = "" if line.measure.better == "neither" else f", {line.measure.better} = more alike"
    return f" ({line.measure.span}{direction})"


def _shared(found: Found, of: Literal["trees", "partitions"], names: tuple[str, str] | None) -> str:
    """Return, as text, how many clusters occur in both."""
    first, second = (f"the first {_WHAT[of][:-1]}", "the second") if names is None else names
    if found.n_clusters == 1:
        return f"the only cluster of {first} {'also occurs' if found.n_found else 'does not occur'} in {second}"
    if found.n_found == 0:
        return f"none of the {found.n_clusters:,} clusters of {first} occurs in {second}"
    if found.n_found == found.n_clusters:
        return f"each of the {found.n_clusters:,} clusters of {first} also occurs in {second}"
    verb = "occurs" if found.n_found == 1 else "occur"
    return f"of the {found.n_clusters:,} clusters of {first}, {found.n_found:,} also {verb} in {second}"
