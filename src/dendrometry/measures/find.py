"""Find: the measure, or the call, that people mean by a name they know from elsewhere."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module

from dendrometry._display import printable
from dendrometry._html import note
from dendrometry._lazy import functions
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.errors import InvalidInputError, Remedy, UnknownNameError
from dendrometry.measures.other_names import OTHER_NAMES, OtherName
from dendrometry.measures.registry import MEASURES, plain_word

_LONGEST = 60  # of a word that is compared with all names
_NEAR = 0.88  # the least resemblance of a word and a name that is offered in its place
_MOST = 5  # other calls that are named
_COMMON = frozenset(  # words that do not tell names apart, without plurals
    "a algorithm and between by coefficient criterion distance for from in index linkage measure method metric of or"
    " score similarity statistic the to tree two value with".split()
)


@dataclass(frozen=True, repr=False)
class Found:
    """The call that a word stands for.

    Attributes
    ----------
    name : str
        The name of the measure, linkage or function; of anything else the call.
    call : str
        How it is called, as text.
    meaning : str
        What it is, in plain words.
    aliases : tuple of str
        The other names by which it is found.
    others : tuple of Found
        What else the word may stand for, at most 5.
    is_known : bool
        Whether the word is one of its names; otherwise this is the nearest.
    is_here : bool
        Whether the package has what the word stands for; otherwise this is the nearest that it has.
    """

    name: str
    call: str
    meaning: str
    aliases: tuple[str, ...] = ()
    others: tuple[Found, ...] = ()
    is_known: bool = True
    is_here: bool = True

    def _repr_html_(self) -> str:
        return "".join(note(line, faint=False) for line in repr(self).splitlines())

    def __repr__(self) -> str:
        near = "" if self.is_known or not self.is_here else "the nearest name: "
        return "\n".join((near + self._line(), *(f"or {other._line()}" for other in self.others)))

    def _line(self) -> str:
        """Return the call, what it is, and its other names."""
        beside = f" ({'also called' if self.is_here else 'for'} {', '.join(self.aliases)})" if self.aliases else ""
        line = f"{self.call}: {self.meaning}{beside}"
        return line if self.is_here else f"not in this package; the nearest: {line}"


_Entry = tuple[Callable[[str], Found], str] | tuple[Callable[[OtherName], Found], OtherName]


def find(word: str) -> Found:
    """Return what a name from elsewhere is called here: a measure, a linkage, an index, a function; or the nearest.

    Parameters
    ----------
    word : str
        A name, an abbreviation or the function of another package, in any spelling: capitals, spaces, hyphens and
        underscores do not count.

    Returns
    -------
    Found
        The call as text, with its meaning and its other names. ``is_known`` is False if the word is none of its names,
        but near one: it has the same words, or is spelt alike. ``is_here`` is False for what this package does not
        have. ``others`` are the calls that the word may also stand for.

    Raises
    ------
    InvalidInputError
        If the word is not text, or holds no letter and no digit.
    UnknownNameError
        If no name is near the word.

    Examples
    --------
    >>> from dendrometry.measures import find
    >>> find("ancestor f1").call
    'measures.partial_order_f(a, b)'
    >>> find("UPGMC")
    agglomerate(X, linkage="centroid"): a tree by the distance of the centroids (also called UPGMC)
    >>> find("adjusted randd").name
    'adjusted_rand'
    """
    wanted, entries = _wanted(word), list(_entries())
    exact = _exactly(word, wanted, entries)
    near = exact or _by_words(word, entries) or _by_spelling(word, entries) or _in_words(word, entries)
    if not near:
        raise UnknownNameError(
            f"word must be near a name of a measure, a linkage, an index or a function; got {printable(word)}",
            Remedy("", ..., "lists the measures", function="MEASURES.keys"),
        )
    found = (make(of) for make, of in list(dict.fromkeys(near))[: _MOST + 1])  # type: ignore[arg-type]  # each with its own
    first, *rest = (replace(each, is_known=bool(exact)) for each in found)
    return replace(first, others=tuple(rest))


def meant_by(word: str) -> str:
    """Return the name, or the call, of what people call exactly by a word; "" if there is none in the package."""
    found = (make(of) for make, of in _exactly(word, plain_word(word), _entries()))  # type: ignore[arg-type]  # as above
    here = next((each for each in found if each.is_here), None)
    if here is None:
        return ""
    return here.name if here.name in here.call.partition("(")[0] else here.call  # a linkage is no name of its own


def _exactly(word: str, wanted: str, entries: Iterable[tuple[str, _Entry]]) -> list[_Entry]:
    """Return what has a name of the same letters as a word, first what is also spelt as it."""
    return [entry for name, entry in sorted(entries, key=lambda each: each[0] != word) if plain_word(name) == wanted]


def _wanted(word: object) -> str:
    """Return the letters and digits of a word; refuse what has none."""
    wanted = plain_word(word[:_LONGEST]) if isinstance(word, str) else ""
    if not wanted:
        raise InvalidInputError(f"word must be text with a letter or a digit; got {printable(word)}")
    return wanted


def _entries() -> Iterator[tuple[str, _Entry]]:
    """Yield every name with what it stands for: own names before those of others, titles, symbols and sources last."""
    for name in MEASURES:
        yield name, (_measure, name)
    for name in LINKAGES:
        yield from ((name, (_linkage, name)), (f"{name} linkage", (_linkage, name)))
    yield from _aliases()
    for path in functions():
        yield path.rpartition(".")[2], (_function, path)
    for name, measure in MEASURES.items():
        yield measure.title, (_measure, name)
        yield measure.source, (_measure, name)
        if len(measure.symbol) > 1:  # a letter is the symbol of several
            yield measure.symbol, (_measure, name)


def _aliases() -> Iterator[tuple[str, _Entry]]:
    """Yield the names of others: those of measures, of linkages, and of anything else."""
    for name, measure in MEASURES.items():
        yield from ((alias, (_measure, name)) for alias in measure.aliases)
    for name, rule in LINKAGES.items():
        yield from ((alias, (_linkage, name)) for alias in rule.aliases)
    for row in OTHER_NAMES:
        yield from ((name, (_other, row)) for name in row.names)


def _by_words(word: str, entries: list[tuple[str, _Entry]]) -> list[_Entry]:
    """Return what has all words asked for in one of its names, those with the fewest other words first."""
    asked = _words(word)
    found = [(len(_words(name)), entry) for name, entry in entries if asked and asked <= _words(name)]
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def _in_words(word: str, entries: list[tuple[str, _Entry]]) -> list[_Entry]:
    """Return what has a name of two words or more that are all asked for, those with the most first."""
    asked = _words(word)
    found = [(-len(_words(name)), entry) for name, entry in entries if 1 < len(_words(name)) and _words(name) < asked]
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def _by_spelling(word: str, entries: list[tuple[str, _Entry]]) -> list[_Entry]:
    """Return what has the name that is spelt most like a word, unless the word tells nothing apart."""
    names = {plain_word(name): entry for name, entry in reversed(entries)}
    return [names[name] for name in get_close_matches(plain_word(word), names, 1, _NEAR) if _words(word)]


def _words(name: str) -> frozenset[str]:
    """Return the words of a name that tell it apart, in lower case and without the s of a plural and single letters."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name[:_LONGEST].replace("'", ""))
    words = (plain_word(each) for each in re.findall(r"[^\W_]+", apart))
    return frozenset(each[:-1] if len(each) > 3 and each[-1] == "s" else each for each in words if each[1:]) - _COMMON


def _measure(name: str) -> Found:
    measure = MEASURES[name]
    return Found(name, f"measures.{name}(a, b)", measure.describe(), measure.aliases)


def _linkage(name: str) -> Found:
    rule = LINKAGES[name]
    return Found(
        name, f'agglomerate(X, linkage="{name}")', f"a tree by {rule.summary.partition(' (')[0]}", rule.aliases
    )


def _other(row: OtherName) -> Found:
    return Found(row.call, row.call, row.meaning, row.names, is_here=row.is_here)


def _function(path: str) -> Found:
    """Return a public function with its parameters that have no default, and the first line of its docstring."""
    room, _, name = path.rpartition(".")
    function = getattr(import_module(f"dendrometry.{room}".rstrip(".")), name)
    given = [each.name for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    line = (inspect.getdoc(function) or "").partition("\n")[0].removeprefix("Return ").rstrip(".").replace("`", "")
    return Found(name, f"{path}({', '.join(given)})", line[:1].lower() + line[1:])
