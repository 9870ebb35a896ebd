"""Names of documents: their titles, with a number added to repeated ones."""

from __future__ import annotations


class Names:
    """Generator of distinct names for titles, one after another."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}
        self._n_given = 0

    def of(self, title: str) -> str:
        """Return the title, with the least unused number from 2 if it is used; an empty title becomes its position.

        >>> names = Names()
        >>> [names.of(title) for title in ("oil", "oil", "oil (2)", "", "oil")]
        ['oil', 'oil (2)', 'oil (2) (2)', 'document 4', 'oil (3)']
        """
        self._n_given += 1
        wanted = title or f"document {self._n_given}"
        name = wanted
        while name in self._taken:
            number = self._next.get(wanted, 2)
            self._next[wanted] = number + 1
            name = f"{wanted} ({number})"
        self._taken.add(name)
        return name
