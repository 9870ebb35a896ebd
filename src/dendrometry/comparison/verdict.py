"""The verdict: how alike two trees or partitions are, in one sentence."""

from collections.abc import Sequence
from math import inf
from typing import Literal, NamedTuple

from dendrometry._display import plural
from dendrometry.comparison.chance import Chance
from dendrometry.comparison.containment import Containment
from dendrometry.comparison.line import Line
from dendrometry.comparison.permutation_test import p_sentence

_DEGREES = (
    (0.9, "almost the same"),
    (0.6, "much alike"),
    (0.3, "partly alike"),
    (0.1, "a little alike"),
    (-inf, "hardly alike"),
)
_OPPOSED = -0.1  # below this the two disagree more than unrelated trees do
_WEAK = 0.3  # below this the verdict adds that the likeness is significant all the same
_ALPHA = 0.05
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
        f"{n_items:,} of {plural(n_items + rest, 'item')} ({100 * n_items / (n_items + rest):.3g}%) of {name}"
        for rest, name in zip(left_out, called, strict=True)
    ]
    return f"On {' and '.join(of_each)}: "


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
) -> str:
    """Return how alike two trees or partitions are, in one sentence (see `Comparison.verdict`).

    ``same`` states that they are known to be identical, whatever the measures. Trees that resolve the items unequally
    are judged by how much of the coarser one is in the other. ``finer`` is the partition, 0 or 1, of which each cluster
    lies inside one of the other.
    """
    if n_items == 1:
        return f"There is a single item, so there is nothing to tell the {_WHAT[of]} apart."
    both = f"The two {_WHAT[of]}" if names is None else f"{names[0]} and {names[1]}"
    shared = f"; {_shared(found, of, names)}" if found is not None and found.n_clusters else ""
    if same:
        return f"{both} are the same{shared}."
    line = chief_line(lines)
    if line is None:
        return f"None of the measures asked for applies to these {_WHAT[of]}."
    if line.value == line.measure.identical:
        return f"{both} are the same by {line.name}{shared}."
    if line.adjusted is None:
        return f"{both} score {line.value:.3g} by {line.name}, which has no chance level to be judged by{shared}."
    fairer = ""
    if line.measure.headline:
        fairer = _refines(finer, names) if containment is None else _fairer(containment, names)
    if fairer:
        return f"{fairer}. {_symmetric(line, tests)}."
    return f"{both} are {degree_text(line, tests)}{shared}."


def degree_text(line: Line, tests: Chance) -> str:
    """Return in words how alike an adjusted value says the two are, and whether that is more than by chance.

    The degree and its significance are told apart: two large trees may be hardly alike, and yet more than by chance.
    """
    adjusted = line.adjusted or 0.0
    p = tests.p_value.get(line.name)
    if adjusted < _OPPOSED:
        tested = "" if p is None else f" ({p_sentence(p, tests.n)})"
        return f"less alike than by chance: adjusted value −{-adjusted:.2f} by {line.name}{tested}"
    degree = next(words for least, words in _DEGREES if adjusted >= least)
    way = f"{way_text(max(adjusted, 0.0))} of the way from chance to identical by {line.name}"
    if p is None:
        return f"{degree}: {way}"
    weak = adjusted < _WEAK
    if p > _ALPHA:
        aside = ", not significantly more than by chance" if weak else ", but not significantly so"
    else:
        aside = ", but significantly more than by chance" if weak else ""
    return f"{degree}{aside}: {way} ({p_sentence(p, tests.n)})"


def _fairer(containment: Containment, names: tuple[str, str] | None) -> str:
    """Return how much of a coarser tree is in a finer one; "" if neither is much finer, or if that is not known."""
    called = names or ("the first tree", "the second tree")
    if containment.is_same:
        sentence = f"{called[0]} and {called[1]} have the same clusters, but differ in which items share a node"
    elif 0 in containment.n_clusters:
        star = containment.n_clusters.index(0)
        sentence = f"{called[star]} has no clusters beside single items and the set of all, so it contradicts nothing"
    elif containment.contained is not None:
        sentence = _contained(containment, called[containment.contained], called[1 - containment.contained])
    elif containment.coarser is not None and containment.likeness is not None and containment.likeness >= _OPPOSED:
        sentence = _as_far_as(containment, containment.coarser, containment.likeness, called)
    else:
        return ""
    return sentence if names else sentence[0].upper() + sentence[1:]


def _refines(finer: int | None, names: tuple[str, str] | None) -> str:
    """Return that each cluster of a partition lies inside one of the other; "" if that is not so."""
    if finer is None:
        return ""
    called = names or ("the first clustering", "the second clustering")
    sentence = f"{called[finer]} refines {called[1 - finer]}: each of its clusters lies inside one there"
    return sentence if names else sentence[0].upper() + sentence[1:]


def _contained(containment: Containment, small: str, large: str) -> str:
    """Return that one tree holds all clusters of the other, and more."""
    few, many = sorted(containment.n_clusters)
    all_few = {1: "its only cluster occurs", 2: "both of its clusters occur"}.get(few, f"all {few:,} clusters occur")
    return f"{small} is contained in {large}: {all_few} there, beside {plural(many - few, 'other')}"


def _as_far_as(containment: Containment, coarser: int, likeness: float, called: tuple[str, str]) -> str:
    """Return how alike two trees are as far as the coarser one goes, by the triples that it resolves."""
    degree = next(words for least, words in _DEGREES if likeness >= least)
    measure = ("triplet_recall", "triplet_precision")[coarser]
    left_open = 1.0 - containment.n_resolved[coarser] / containment.n_resolved[1 - coarser]
    return (
        f"{called[0]} and {called[1]} are {degree} as far as {called[coarser]} goes, which leaves open"
        f" {way_text(left_open)} of what {called[1 - coarser]} resolves:"
        f" {way_text(max(likeness, 0.0))} of the way from chance to containment by {measure}"
    )


def _symmetric(line: Line, tests: Chance) -> str:
    """Return the adjusted value of a symmetric measure with its p-value, as a sentence beside a fairer one."""
    p = tests.p_value.get(line.name)
    tested = "" if p is None else f" ({p_sentence(p, tests.n)})"
    way = f"{way_text(line.adjusted or 0.0)} of the way from chance to identical"
    return f"Counting both ways, {way} by {line.name}{tested}"


def way_text(adjusted: float) -> str:
    """Return an adjusted value in percent; 100 % is reserved for identical trees."""
    if 0.995 <= adjusted < 1.0:
        return ">99%"
    return f"{round(adjusted, 2) + 0.0:.0%}".replace("-", "−")


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
    return f"{found.n_found:,} of the {found.n_clusters:,} clusters of {first} also {verb} in {second}"
