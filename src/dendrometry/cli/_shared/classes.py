"""The classes of items that a file of labels gives, at one level of it."""

from typing import TYPE_CHECKING

from dendrometry._display import printable
from dendrometry.errors import InvalidInputError

if TYPE_CHECKING:
    from dendrometry.hierarchy import Hierarchy


def nodes_at_level(known: "Hierarchy", level: int | None, path: str) -> dict[str, int]:
    """Return the node at a level, 1 for the top, that holds each item; items above that level are left out."""
    depth = known.depths.tolist()
    deepest = max(depth[v] for v in known.item_node.tolist())
    if level is None and deepest > 1:
        raise InvalidInputError(
            f"--level must say which level of {printable(path, longest=4096)} gives the classes; it has {deepest:,}"
        )
    wanted = level or 1
    if level is not None and level > deepest:
        raise InvalidInputError(
            f"--level must be a level of {printable(path, longest=4096)}, which has {deepest:,}; got {level}"
        )
    holder, parent = list(range(known.n_nodes)), known.parent.tolist()
    for v in range(known.root - 1, -1, -1):
        if depth[v] > wanted:
            holder[v] = holder[parent[v]]
    held = {item: holder[v] for item, v in zip(known.items, known.item_node.tolist(), strict=True)}
    return {item: v for item, v in held.items() if depth[v] >= wanted}
