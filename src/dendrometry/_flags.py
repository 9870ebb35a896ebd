"""Options that are on or off."""

from numbers import Integral

from dendrometry._display import printable_repr
from dendrometry.errors import Argument, InvalidInputError


def flag(value: object, what: str) -> bool:
    """Return whether an option is set: True or False of Python or NumPy, or the whole numbers 1 and 0."""
    is_numpy = type(value).__name__ in ("bool", "bool_")  # by name: commands start faster without NumPy
    if (isinstance(value, Integral) or is_numpy) and value in (0, 1):
        return bool(value)
    raise InvalidInputError(Argument(what), f" must be True or False; got {printable_repr(value)}")
