"""The words of the command that runs, for messages that it prints itself."""

from collections.abc import Callable

from dendrometry.errors import Part

_words: Callable[[Part], str] = str


def use_words(words: Callable[[Part], str]) -> None:
    """Set how parts of messages are expressed, once for a run of the program."""
    global _words
    _words = words


def in_words(part: Part) -> str:
    """Return a part of a message in the words of the command."""
    return _words(part)
