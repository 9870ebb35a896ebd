"""Terms with several parents, of which a tree can keep one."""

from __future__ import annotations

from collections import deque
from typing import get_args

from dendrometry._check.choices import one_of
from dendrometry._display import plural, printable, quote_first
from dendrometry.errors import FormatError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_some
from dendrometry.io._shared.options import ParentChoice
from dendrometry.io._shared.requirements import warn_lost
from dendrometry.io.parents import from_parents

Terms = dict[str, tuple[str, list[str]]]  # the name and the parents of each term by its identifier


def tree_of_terms(terms: Terms, parents: ParentChoice, what: str) -> Hierarchy:
    """Return the hierarchy of terms, each an item at its own node; ``what`` says what a term is called in messages."""
    one_of(parents, "parents", get_args(ParentChoice))
    known = {term: v for v, term in enumerate(terms)}
    above: list[list[int]] = []
    for term, (_, names) in terms.items():
        unknown = [name for name in names if name not in known]
        if unknown:
            raise FormatError(
                f"the parents of '{printable(term)}' must be {what}s of the file; got {quote_first(unknown)}"
            )
        above.append([known[name] for name in dict.fromkeys(names)])
    several = [term for term, names in zip(terms, above, strict=True) if len(names) > 1]
    if several and parents == "error":
        raise FormatError(
            f"each {what} must have one parent; {plural(len(several), what)} with several: {quote_first(several)}",
            Remedy("parents", "first", "takes the first"),
            Remedy("parents", "longest", "takes that with the longest way to a root"),
        )
    if several:
        n_lost = sum(len(names) - 1 for names in above if names)
        warn_lost(f"a tree has one parent for each node; {plural(n_lost, 'further parent')} left out")
    depth = _depths(above) if parents == "longest" else [0] * len(above)
    parent = [max(names, key=depth.__getitem__, default=-1) for names in above]  # of several, the first
    items = require_some(list(terms), what)
    return from_parents(parent, range(len(terms)), None, items, [name for name, _ in terms.values()])


def _depths(above: list[list[int]]) -> list[int]:
    """Return the number of steps of the longest way from each term to a root; terms on cycles are left at 0."""
    below: list[list[int]] = [[] for _ in above]
    for v, names in enumerate(above):
        for p in names:
            below[p].append(v)
    waiting, depth = [len(names) for names in above], [0] * len(above)
    ready = deque(v for v, n in enumerate(waiting) if n == 0)
    while ready:
        p = ready.popleft()
        for v in below[p]:
            depth[v] = max(depth[v], depth[p] + 1)
            waiting[v] -= 1
            if waiting[v] == 0:
                ready.append(v)
    return depth
