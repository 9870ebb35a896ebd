"""Hooks of mkdocs: examples as a reader sees them, and nothing that is loaded from elsewhere."""

import logging
import re
from typing import Any

LOG = logging.getLogger("mkdocs.hooks.site")
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:https?:)?//[^>\s]+", re.IGNORECASE
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Show the blank lines of an example's output as such; doctest needs them marked."""
    return markdown.replace("\n<BLANKLINE>\n", "\n\n")


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Warn, which fails the strict build, of every script, style, picture or frame that is not in the site itself."""
    for found in LOADED.findall(output):
        LOG.warning("%s loads from elsewhere: %s", page.file.src_uri, found)
    return output
