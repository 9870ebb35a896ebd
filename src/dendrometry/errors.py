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

Every message says what must hold, then what was passed and where, and often how to correct it.
"""

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


class DendrometryError(ValueError):
    """Base class of all errors that this package raises."""


class InvalidInputError(DendrometryError):
    """An argument is invalid: its type, shape, values or an option."""


class UnknownNameError(InvalidInputError, KeyError):
    """An index is not among the names of a result or of a mapping."""

    __str__ = Exception.__str__  # a KeyError would show the message in quotes


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


class LostMeaningWarning(UserWarning):
    """A conversion left out something that the target format cannot hold."""


class SlowStartWarning(UserWarning):
    """Compiled code cannot be kept on disk, so that the first calls of every process stay slow."""
