"""Product categories of Google and Shopify."""

from __future__ import annotations

import re

from dendrometry._display import printable
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_some, require_text, text_lines
from dendrometry.io.formats.paths import PathTree

_UNNUMBERED = re.compile(
    r"\s*+# Google_Product_Taxonomy[^\n]*+\n\s*+(?!\d++ - )\S"
)  # as the file without numbers starts
_GOOGLE = re.compile(r"(\d++) - (\S.*+)")
_SHOPIFY = re.compile(r"(gid://\S++)\s++: (\S.*+)")


def from_product_taxonomy(text: str) -> Hierarchy:
    r"""Return the hierarchy of a product taxonomy of Google or Shopify, as they publish it in text files.

    Parameters
    ----------
    text : str
        Lines such as ``3237 - Animals > Live Animals`` (Google) or ``gid://shopify/TaxonomyCategory/ap-1 : Animals >
        Live Animals`` (Shopify); lines that start with ``#`` are comments. The file of Google without numbers has
        the paths alone.

    Returns
    -------
    Hierarchy
        Nodes are the categories, and the items are their numbers or identifiers, or else their paths, each at the node
        of its category.

    Raises
    ------
    FormatError
        If a line has another form; the message gives its number.

    Examples
    --------
    >>> from dendrometry.io import from_product_taxonomy
    >>> print(from_product_taxonomy("1 - Animals\n3 - Animals > Birds\n166 - Clothing").draw())
    •
    ├─ Animals: 1
    │  └─ Birds: 3
    └─ Clothing: 166
    """
    tree, items = PathTree(), []
    numbered = _UNNUMBERED.match(require_text(text)) is None
    for at, line in text_lines(text):
        item, path = _numbered(line, at) if numbered else (line, line)
        tree.place(item, path.split(" > "))
        items.append(item)
    return tree.hierarchy(require_some(items, "category"))


def _numbered(line: str, at: int) -> tuple[str, str]:
    """Return the number or identifier and the path of a category."""
    row = _GOOGLE.fullmatch(line) or _SHOPIFY.fullmatch(line)
    if row is None:
        rule = "a line of a product taxonomy must be a number or identifier and a path with ' > '"
        raise FormatError(f"line {at}: {rule}; got '{printable(line)}'")
    return row[1], row[2]
