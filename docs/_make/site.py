"""Hooks of mkdocs: pages and numbers that are made anew for each build, and nothing that is loaded from elsewhere.

The pages of the reference are made from the names of the package, those of the gallery by running its scripts. They
are not kept in the repository, but for the two first pages, which mark the place of what is made.
"""

import logging
import re
from typing import Any

import gallery
import reference
import registry
from mkdocs.structure.files import File

LOG = logging.getLogger("mkdocs.hooks.site")
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|embed|object)\b[^>]*?(?:https?:)?//[^>\s]+", re.IGNORECASE
)


def on_files(files: Any, *, config: Any) -> Any:
    """Add the pages of the gallery and of the reference, and list them on their first pages and in the navigation."""
    examples = [gallery.run(script) for script in gallery.scripts()]
    _add(files, config, "Gallery", gallery.cards(examples), gallery.files(examples))
    _add(files, config, "Reference", reference.content(reference.PACKAGE), reference.pages())
    return files


def _add(files: Any, config: Any, section: str, content: str, made: dict[str, Any]) -> None:
    """Add what was made for a section of the navigation: files, the content of its first page, and its other pages."""
    for path, data in made.items():
        files.append(File.generated(config, path, content=data))
    first = files.get_file_from_path(f"{section.lower()}/index.md")
    first.content_string = first.content_string.replace("<!-- made by docs/_make -->", content)
    pages = next(part[section] for part in config.nav if section in part)
    pages.extend(path for path in made if path.endswith(".md"))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Write the numbers of measures as they are now, and the blank lines of an output, which doctest needs marked."""
    return registry.filled(markdown).replace("\n<BLANKLINE>\n", "\n\n")


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Warn, which fails the strict build, of every script, style, picture or frame that is not in the site itself."""
    for found in LOADED.findall(output):
        LOG.warning("%s loads from elsewhere: %s", page.file.src_uri, found)
    return output
