"""The page: sections of HTML, data, style and scripts in one file that loads nothing from a network."""

import base64
import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from dendrometry._extras import require
from dendrometry._files import FilePath, write_whole
from dendrometry.report.markup import Html, join_html, tag
from dendrometry.report.packed import json_text


class Section(NamedTuple):
    """A section of a page: its anchor, its heading, and its content."""

    anchor: str
    heading: str
    body: Html


@dataclass(frozen=True)
class Page:
    """One report.

    Attributes
    ----------
    title : str
        The heading of the page, and its title in the browser.
    lead : Html
        The content before the sections.
    sections : tuple of Section
        The sections, in the order in which they are shown.
    data : dict
        The data of the scripts, as plain values (see `dendrometry.report.packed` for columns).
    scripts : tuple of str
        Files of this package, run in this order after ``shell.js``.
    plotly : bool
        Whether the scripts draw with plotly. It is large, so it is stored as text until ``Report.plotly`` is called.
    """

    title: str
    lead: Html
    sections: tuple[Section, ...]
    data: dict[str, Any] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    plotly: bool = False

    def html(self) -> str:
        """Return the page as text.

        The content security policy of the page allows no connection, and no scripts except those of this page, which
        are identified by their digests: even a label that was not escaped could not run code or open a connection.
        """
        scripts = [_file(name) for name in ("shell.js", *self.scripts)]
        kept = [_plotly()] if self.plotly else []
        policy = "; ".join(
            (
                "default-src 'none'",
                f"script-src {' '.join(map(_digest, scripts + kept))}",
                "style-src 'unsafe-inline'",
                "img-src data: blob:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        )
        links = join_html(tag("li", tag("a", part.heading, href=f"#{part.anchor}")) for part in self.sections)
        parts = {
            "policy": tag("meta", http_equiv="Content-Security-Policy", content=policy),
            "title": tag("title", self.title),
            "style": _file("page.css"),
            "heading": tag("h1", self.title),
            "lead": self.lead,
            "contents": links,
            "sections": join_html(_section(part) for part in self.sections),
            "data": json_text(self.data),
            "kept": "".join(f'<script type="text/plain" id="plotly">{script}</script>' for script in kept),
            "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
        }
        return fragment("page.html", **{name: Html(part) for name, part in parts.items()})


def write_page(page: Page, path: FilePath, *, force: bool) -> None:
    """Write a page to a file, completely or not at all; replace an existing file only if ``force``."""
    write_whole(path, page.html().encode("utf-8", "backslashreplace"), force=force)


def fragment(name: str, **parts: Html) -> Html:
    """Return a piece of HTML from a file of this package, such as a container that a script fills.

    Each ``{{word}}`` in the file is replaced by the part of that name.
    """
    head, *rest = _file(name).split("{{")
    return Html(head + "".join(f"{parts[piece.partition('}}')[0]]}{piece.partition('}}')[2]}" for piece in rest))


def _section(part: Section) -> Html:
    """Return one section with its heading."""
    heading = tag("h2", part.heading, id=f"{part.anchor}-heading")
    return tag("section", heading, part.body, id=part.anchor, aria_labelledby=f"{part.anchor}-heading")


def _file(name: str) -> str:
    """Return the text of a file of this package."""
    folder = "js" if name.endswith(".js") else "html"
    return files("dendrometry.report").joinpath(folder, name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    """Return the JavaScript of plotly, which its Python package includes."""
    script: str = require("plotly.offline", extra="report", for_="a report").get_plotlyjs()
    assert "</script" not in script
    return script


def _digest(script: str) -> str:
    """Return the digest by which a content security policy identifies a script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
