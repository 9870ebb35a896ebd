"""Options that are on or off."""

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError

__all__ = ["flag"]


def flag(value: object, what: str) -> bool:
    """Return whether an option is set; refuse what is neither true nor false, as an array of several values."""
    try:
        return bool(value)
    except Exception:  # whatever a foreign type raises
        raise InvalidInputError(f"{what} must be True or False; got {printable(value)}") from None
