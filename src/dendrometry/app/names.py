"""Names of files that come from outside, made harmless: one step of a path, no pattern, no option, not too long."""

import os
import unicodedata

_UNSAFE = frozenset("/\\:*?[]<>|\"'`$&;%#{}!~^")
_LONGEST = 120  # bytes; with what is added to it, less than any file system allows


def harmless(name: str) -> str:
    r"""Return the last step of a name, without characters that have a meaning in paths, patterns or shells.

    Examples
    --------
    >>> from dendrometry.app.names import harmless
    >>> harmless("../../etc/passwd"), harmless("--force.nwk"), harmless("a:2*.csv"), harmless("..")
    ('passwd', 'force.nwk', 'a_2_.csv', 'file')
    """
    last = unicodedata.normalize("NFC", name.replace("\\", "/").rsplit("/", 1)[-1])
    kept = "".join("_" if c in _UNSAFE or not c.isprintable() else c for c in last)
    stem, ending = os.path.splitext(kept.strip(" .-=+@"))
    ending = ending if len(ending.encode()) <= 12 else ""
    while len(stem.encode()) > _LONGEST:
        stem = stem[:-1]
    return f"{stem.strip() or 'file'}{ending}"


def free_name(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, with a number if it must have one, and take it.

    Examples
    --------
    >>> from dendrometry.app.names import free_name
    >>> free_name("tree.nwk", {"tree.nwk", "tree (2).nwk"})
    'tree (3).nwk'
    """
    stem, dot, ending = name.partition(".")
    lower = {one.casefold() for one in taken}
    found, number = name, 1
    while found.casefold() in lower:
        number += 1
        found = f"{stem} ({number}){dot}{ending}"
    taken.add(found)
    return found
