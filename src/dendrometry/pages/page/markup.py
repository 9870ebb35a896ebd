"""HTML as text that knows it is HTML: whatever else is put into it is escaped."""

import html
import unicodedata
from collections.abc import Iterable

from dendrometry._display import printable

__all__ = ["Html", "described", "join_html", "label", "readable", "tag"]

_EMPTY = frozenset({"input", "meta", "br"})
_LONGEST = 200  # characters of a name
_JOINERS = frozenset("\u200c\u200d")  # between the letters of some scripts, and between the parts of an emoji


class Html(str):
    """Text that is HTML already, and is not escaped again."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str | None) -> Html:
    """Return an element; content that is not `Html` is escaped, and so are attributes.

    A trailing underscore is left off an attribute's name and others become hyphens: ``class_``, ``aria_label``; None
    leaves the attribute out.

    Examples
    --------
    >>> from dendrometry.pages.page.markup import tag
    >>> tag("td", "a < b", tag("b", "!"), class_="number")
    '<td class="number">a &lt; b<b>!</b></td>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{given}>" if name in _EMPTY else f"<{name}{given}>{join_html(content)}</{name}>")


def join_html(parts: Iterable[str]) -> Html:
    """Return parts after each other, escaped where they are not HTML."""
    return Html("".join(part if isinstance(part, Html) else html.escape(part) for part in parts))


def described(rows: Iterable[tuple[str, str]], *, class_: str) -> Html:
    """Return terms with what is said of each, as a list of descriptions."""
    return tag("dl", *(tag("div", tag("dt", term), tag("dd", says)) for term, says in rows), class_=class_)


def label(name: str) -> Html:
    """Return a name of any kind as text that stays on its own: escapes shown, direction of writing kept inside."""
    return tag("bdi", readable(name))


def readable(name: str) -> str:
    r"""Return a name as one line of text for a page, cut if it is long.

    It is as on a terminal (see `printable`), but spaces of any width and joiners stay, which many scripts need.

    Examples
    --------
    >>> from dendrometry.pages.page.markup import readable
    >>> print(ascii(readable("line\n and\xa0space")))
    'line\\n and\xa0space'
    """
    if len(name) <= _LONGEST and name.isprintable():
        return name
    kept = "".join(c if _stays(c) else printable(c) for c in name[: _LONGEST + 1])
    return kept if len(kept) <= _LONGEST else kept[: _LONGEST - 1] + "…"


def _stays(c: str) -> bool:
    """Return whether a character is shown as it is."""
    return c.isprintable() or c in _JOINERS or unicodedata.category(c) == "Zs"
