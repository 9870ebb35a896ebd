"""Names of documents: their titles, told apart by a number where they repeat."""

__all__ = ["Names"]


class Names:
    """Gives out a name for one title after another; no name twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}
        self._n_given = 0

    def of(self, title: str) -> str:
        """Return the title if it is free, else with the least number from 2 that is; an empty one becomes its place.

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
