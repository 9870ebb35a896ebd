"""About how long a slow measure takes, for a warning before it is computed."""

from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.measures.measure import Measure
from dendrometry.tree_pair.statistics import STEPS_PER_SECOND

MOST_SECONDS = 600  # of a computation that repeats a measure, unless slow ones are allowed
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def duration_text(steps: int) -> str:
    """Return about how long a number of steps takes, as text.

    Examples
    --------
    >>> from dendrometry.measures.duration import duration_text
    >>> duration_text(10**6), duration_text(10**9), duration_text(10**11), duration_text(10**13)
    ('about 1 second', 'about 40 seconds', 'about 67 minutes', 'about 5 days')
    """
    seconds = steps / STEPS_PER_SECOND
    unit, size = next(((name, size) for name, size in _UNITS if seconds >= 2 * size), ("second", 1))
    count = max(round(seconds / size), 1)
    return f"about {count:,} {unit}{'s'[: count != 1]}"


def refuse_slow(measure: Measure, steps: int, times: str, *, allow_slow: bool) -> None:
    """Refuse to repeat a measure if that would take very long, unless that is allowed.

    ``times`` says how often it is repeated, as in "for 999 relabellings".
    """
    if steps > MOST_SECONDS * STEPS_PER_SECOND and not allow_slow:
        raise InvalidInputError(
            f"{measure.name} {times} must take at most {MOST_SECONDS // 60} minutes of a core; {measure.slow} would"
            f" take {duration_text(steps)}, {steps:,} steps",
            Remedy("allow_slow", True, "computes it all the same"),
        )
