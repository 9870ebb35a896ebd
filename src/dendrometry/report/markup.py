"""HTML as text that knows it is HTML: whatever else is put into it is escaped."""

import html
from collections.abc import Iterable

from dendrometry.display import shown

__all__ = ["Html", "joined", "label", "tag"]

_EMPTY = frozenset({"input", "meta", "br"})
_LONGEST = 200


class Html(str):
    """Text that is HTML already, and is not escaped again."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str | None) -> Html:
    """Return an element; content that is not `Html` is escaped, and so are attributes.

    A trailing underscore is left off an attribute's name and others become hyphens: ``class_``, ``aria_label``; None
    leaves the attribute out.

    Examples
    --------
    >>> from dendrometry.report.markup import tag
    >>> tag("td", "a < b", tag("b", "!"), class_="number")
    '<td class="number">a &lt; b<b>!</b></td>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{given}>" if name in _EMPTY else f"<{name}{given}>{joined(content)}</{name}>")


def joined(parts: Iterable[str]) -> Html:
    """Return parts after each other, escaped where they are not HTML."""
    return Html("".join(part if isinstance(part, Html) else html.escape(part) for part in parts))


def label(name: str) -> Html:
    """Return a name of any kind as text that stays on its own: escapes shown, direction of writing kept inside."""
    return tag("bdi", shown(name, longest=_LONGEST))
