"""The measures by name; the file of each is loaded on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

from dendrometry._check.choices import one_of, some_of
from dendrometry._lazy import homes
from dendrometry.errors import UnknownNameError

if TYPE_CHECKING:
    from dendrometry.measures.measure import Measure

_HOME = {name: module for name, (module, _) in homes(str(Path(__file__).with_name("__init__.py"))).items()}

TREE_MEASURES = tuple(name for name, module in _HOME.items() if ".trees." in module)
PARTITION_MEASURES = tuple(name for name, module in _HOME.items() if ".partitions." in module)


class _Measures(Mapping[str, "Measure"]):
    """The records of all measures by name: those of trees first, then those of partitions."""

    def __getitem__(self, name: str) -> Measure:
        known = one_of(name, "measure", self, meant=measure_meant, error=UnknownNameError)
        found: Measure = import_module(_HOME[known]).MEASURE
        return found

    def __contains__(self, name: object) -> bool:
        return name in TREE_MEASURES or name in PARTITION_MEASURES

    def __iter__(self) -> Iterator[str]:
        return iter((*TREE_MEASURES, *PARTITION_MEASURES))

    def __len__(self) -> int:
        return len(TREE_MEASURES) + len(PARTITION_MEASURES)

    def __repr__(self) -> str:
        return f"<{len(self)} measures: {', '.join(self)}>"


MEASURES: Mapping[str, Measure] = _Measures()


def measure_meant(word: str) -> str:
    """Return the name of the measure that people also call by a word, such as "ARI"; "" if there is none."""
    return next((name for name in MEASURES if plain_word(word) in map(plain_word, MEASURES[name].aliases)), "")


def plain_word(word: str) -> str:
    """Return the letters and digits of a word, in lower case, without accents and in one of the ways to spell it."""
    plain = "".join(filter(str.isalnum, normalize("NFKD", word))).casefold()
    return plain.replace("isation", "ization").replace("ised", "ized").replace("neighbor", "neighbour")


def measure_named(name: object, of: Literal["trees", "partitions"] | None = None) -> Measure:
    """Return the measure of a name, of trees, of partitions or of either; the message of a refusal lists the names."""
    return MEASURES[one_of(name, "measure", _names(of), meant=measure_meant)]


def measures_named(names: Sequence[str] | None, of: Literal["trees", "partitions"]) -> list[Measure]:
    """Return the measures of these names, each once; by default those of trees or of partitions that are default."""
    known = _names(of)
    if names is None:
        return [MEASURES[name] for name in known if MEASURES[name].default]
    return [MEASURES[name] for name in dict.fromkeys(some_of(names, "measures", known, meant=measure_meant))]


def _names(of: Literal["trees", "partitions"] | None) -> tuple[str, ...]:
    """Return the names of the measures of trees, of partitions, or of both."""
    return {"trees": TREE_MEASURES, "partitions": PARTITION_MEASURES, None: tuple(MEASURES)}[of]
