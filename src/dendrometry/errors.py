"""The exceptions and warnings of dendrometry.

::

    ValueError
    └── DendrometryError
        ├── InvalidInputError        an argument is invalid: its type, shape, values or an option
        │   ├── UnknownNameError     an index is not among the names of a result or of a mapping (also a KeyError)
        │   └── InvalidTreeError     the argument is not a valid tree, or not one that the format can hold
        │       └── FormatError      a text or file breaks the rules of its format; the message says where
        ├── ItemMismatchError        trees or partitions that must share their items do not
        ├── MissingExtraError        an optional package is not installed; says which (also an ImportError)
        └── UndefinedMeasureError    the measure has no value for this input (0/0, a single item)
    UserWarning
    ├── AssumptionWarning            the input left something open; says what was assumed, and how to say it
    ├── LostMeaningWarning           a conversion left out something that the target format cannot hold
    └── SlowStartWarning             compiled code cannot be kept on disk, so first calls stay slow

Every message says what must hold, then what was passed and where, and often how to correct it. The ``args`` of an error
or of an `AssumptionWarning` are the parts of its message: text, and fields (`Argument`, `NthTree`, `Remedy`), for which
Python and the command line have different words.
"""

from collections.abc import Callable
from types import EllipsisType
from typing import Literal, NamedTuple, TypeGuard

__all__ = [
    "AssumptionWarning",
    "DendrometryError",
    "FormatError",
    "InvalidInputError",
    "InvalidTreeError",
    "ItemMismatchError",
    "LostMeaningWarning",
    "MissingExtraError",
    "SlowStartWarning",
    "UndefinedMeasureError",
    "UnknownNameError",
]


def __dir__() -> list[str]:
    return __all__


class Argument(NamedTuple):
    """A field of a message: an argument of the function that was called, perhaps with a value, or what a value is."""

    name: str
    value: str | int | EllipsisType = ...

    def __str__(self) -> str:
        return self.name if self.value is ... else f"{self.name}={self.value!r}"


class NthTree(NamedTuple):
    """A field of a message: one of two trees, by its place or by the name that the user gave it."""

    place: Literal["first", "second"]
    noun: str = " tree"  # "" where a tree was just spoken of

    def __str__(self) -> str:
        return f"the {self.place}{self.noun}"


class Remedy(NamedTuple):
    """A field of a message: what could be done, and its effect, such as "compares the common items only".

    It is an argument and its value (... for one that the user chooses) of the function that was called, or of another
    ``function``; without an argument, the call of that function; without either, ``effect`` says all.
    """

    argument: str
    value: str | int | EllipsisType
    effect: str
    function: str = ""

    def __str__(self) -> str:
        value = "" if self.value is ... else f"'{self.value}'" if isinstance(self.value, str) else self.value
        given = f"{self.argument}={value}" if self.argument else ""
        if self.function:
            given = f"{self.function}({'..., ' if given else ''}{given})"
        return f"{given} {self.effect}".lstrip()


Part = str | Argument | NthTree | Remedy
Message = tuple[Part, ...]


def phrase(parts: Message, words: Callable[[Part], str] = str) -> str:
    """Return a message, its remedies last and in brackets; ``words`` expresses a part, and "" omits a remedy.

    Examples
    --------
    >>> from dendrometry.errors import Argument, Remedy, phrase
    >>> phrase((Argument("sep"), " must be text; got 3", Remedy("sep", "/", "takes single steps")))
    "sep must be text; got 3 (sep='/' takes single steps)"
    """
    text = "".join(words(part) for part in parts if not isinstance(part, Remedy))
    remedies = "; ".join(filter(None, (words(part) for part in parts if isinstance(part, Remedy))))
    return f"{text} ({remedies})" if remedies else text


def advise_function(parts: Message, function: str, own: tuple[str, ...] = ()) -> Message:
    """Return a message whose remedies are arguments of another function, if the one called has only its ``own``."""
    return tuple(
        part._replace(function=function) if _is_argument(part) and part.argument not in own else part for part in parts
    )


def _is_argument(part: Part) -> TypeGuard[Remedy]:
    """Whether a part is a remedy by an argument of the function that was called."""
    return isinstance(part, Remedy) and bool(part.argument) and not part.function


class DendrometryError(ValueError):
    """Base class of all errors that this package raises."""

    def __str__(self) -> str:
        return phrase(self.args)


class InvalidInputError(DendrometryError):
    """An argument is invalid: its type, shape, values or an option."""


class UnknownNameError(InvalidInputError, KeyError):
    """An index is not among the names of a result or of a mapping."""


class InvalidTreeError(InvalidInputError):
    """An argument is not a valid tree, or not one that the format can hold."""


class FormatError(InvalidTreeError):
    """A text or file breaks the rules of its format."""


class ItemMismatchError(DendrometryError):
    """Two or more hierarchies or partitions that must share their items do not."""


class MissingExtraError(DendrometryError, ImportError):
    """A package that this function needs is not installed; the message names the extra that brings it."""


class UndefinedMeasureError(DendrometryError):
    """The measure has no value for this input."""


class AssumptionWarning(UserWarning):
    """The input left something open; the message says what was assumed, and which option says otherwise."""

    def __str__(self) -> str:
        return phrase(self.args)


class LostMeaningWarning(UserWarning):
    """A conversion left out something that the target format cannot hold."""


class SlowStartWarning(UserWarning):
    """Compiled code cannot be kept on disk, so that the first calls of every process stay slow."""
