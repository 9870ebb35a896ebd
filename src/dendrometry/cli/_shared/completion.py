"""Shell completion of partly typed names."""

from collections.abc import Callable, Iterable


def completer(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the function that completes the beginning of one of the names."""
    listed = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in listed if name.startswith(incomplete)]

    return complete
