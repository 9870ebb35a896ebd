"""HTML as a type of its own: any other text inserted into it is escaped."""

import html
import unicodedata
from collections.abc import Iterable

from dendrometry._display import printable

_EMPTY = frozenset({"input", "img", "meta", "br"})
LONGEST = 200  # maximum number of characters of a name
_JOINERS = frozenset("\u200c\u200d")  # they join the letters of some scripts, and the parts of an emoji


class Html(str):
    """Text that is already HTML and is not escaped again."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str | None) -> Html:
    """Return an element; attributes, and content that is not `Html`, are escaped.

    In the name of an attribute, a trailing underscore is removed and other underscores become hyphens: ``class_``,
    ``aria_label``. An attribute whose value is None is omitted.

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
    return Html(f"<{name}{given}>" if name in _EMPTY else f"<{name}{given}>{join_html(content)}</{name}>")


def join_html(parts: Iterable[str]) -> Html:
    """Return the concatenation of the parts; those that are not `Html` are escaped."""
    return Html("".join(part if isinstance(part, Html) else html.escape(part) for part in parts))


def description_list(rows: Iterable[tuple[str, str]], *, class_: str) -> Html:
    """Return terms and their descriptions as a description list."""
    return tag("dl", *(tag("div", tag("dt", term), tag("dd", meaning)) for term, meaning in rows), class_=class_)


def label(name: str) -> Html:
    """Return a name as isolated text: control characters escaped, its writing direction without effect elsewhere."""
    return tag("bdi", readable(name))


def readable(name: str, longest: int = LONGEST) -> str:
    r"""Return a name as one line of text for a page, cut after ``longest`` characters.

    Characters are escaped as on a terminal (see `printable`), except spaces of any width and joiners, which many
    scripts need.

    Examples
    --------
    >>> from dendrometry.report.markup import readable
    >>> print(ascii(readable("line\n and\xa0space")))
    'line\\n and\xa0space'
    """
    if len(name) <= longest and name.isprintable():
        return name
    kept = "".join(c if _stays(c) else printable(c) for c in name[: longest + 1])
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def _stays(c: str) -> bool:
    """Return whether a character is shown unchanged."""
    return c.isprintable() or c in _JOINERS or unicodedata.category(c) == "Zs"
