"""A hook of mkdocs: a page that loads anything from elsewhere is a warning, which fails the strict build."""

import logging
import re
from typing import Any

LOG = logging.getLogger("mkdocs.hooks.offline")
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:https?:)?//[^>\s]+", re.IGNORECASE
)


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Warn of every script, style sheet, picture or frame that is not in the site itself."""
    for found in LOADED.findall(output):
        LOG.warning("%s loads from elsewhere: %s", page.file.src_uri, found)
    return output
