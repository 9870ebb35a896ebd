"""The measures by name; each loads with its own file when it is first asked for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dendrometry._display import shown
from dendrometry._lazy import homes
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.measures.measure import Measure

__all__ = ["MEASURES", "PARTITION_MEASURES", "TREE_MEASURES", "measure_named", "measures_named"]

_HOME = {name: module for name, (module, _) in homes(str(Path(__file__).with_name("__init__.py"))).items()}

TREE_MEASURES = tuple(name for name, module in _HOME.items() if ".trees." in module)
PARTITION_MEASURES = tuple(name for name, module in _HOME.items() if ".partitions." in module)


class _Measures(Mapping[str, "Measure"]):
    """The record of every measure: those of trees first, then those of partitions, as the package lists them."""

    def __getitem__(self, name: str) -> "Measure":
        if name not in self:
            raise KeyError(name)
        found: Measure = import_module(_HOME[name]).MEASURE
        return found

    def __contains__(self, name: object) -> bool:
        return name in TREE_MEASURES or name in PARTITION_MEASURES

    def __iter__(self) -> Iterator[str]:
        return iter((*TREE_MEASURES, *PARTITION_MEASURES))

    def __len__(self) -> int:
        return len(TREE_MEASURES) + len(PARTITION_MEASURES)

    def __repr__(self) -> str:
        return f"<{len(self)} measures: {', '.join(self)}>"


MEASURES: Mapping[str, "Measure"] = _Measures()


def measure_named(name: object, of: Literal["trees", "partitions"] | None = None) -> "Measure":
    """Return the measure of that name, of trees, of partitions or of either; or refuse, with the names there are."""
    known = {"trees": TREE_MEASURES, "partitions": PARTITION_MEASURES, None: tuple(MEASURES)}[of]
    if isinstance(name, str) and name in known:
        return MEASURES[name]
    what = "measure" if of is None else f"measure of {of}"
    near = get_close_matches(name, known, 1) if isinstance(name, str) else []
    hint = f" (perhaps {near[0]})" if near else ""
    raise InvalidInputError(f"a {what} must be one of {', '.join(known)}; got {shown(repr(name))}{hint}")


def measures_named(names: Sequence[str] | None, of: Literal["trees", "partitions"]) -> list["Measure"]:
    """Return the measures of these names, each once; all of trees or of partitions where none are given."""
    if names is None:
        return [MEASURES[name] for name in (TREE_MEASURES if of == "trees" else PARTITION_MEASURES)]
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InvalidInputError(
            f"measures must be a sequence of names, such as ['classic_f']; got {shown(repr(names))}"
        )
    return list({name: measure_named(name, of) for name in names}.values())
