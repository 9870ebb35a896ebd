"""The animals of the zoo data, by traits and by descent: what `make demo` shows."""

from scipy.cluster.hierarchy import linkage

from dendrometry.compare.compare import compare
from dendrometry.datasets import zoo
from dendrometry.display import plural
from dendrometry.io.linkage import from_linkage
from dendrometry.overlap import Overlap

__all__ = ["main"]


def main() -> None:
    """Print the animals' taxonomy, a dendrogram of their traits, what both have in common, and how alike they are."""
    animals = zoo()
    taxonomy = animals.taxonomy.without_unary()
    dendrogram = from_linkage(linkage(animals.traits, "average"), animals.items)
    print(f"Taxonomy of the animals (phylum, class, order, family), ranks with a single member joined: {taxonomy}\n")
    print(taxonomy.draw(max_lines=None))
    print(f"\nAverage linkage of their 16 traits: {dendrogram}\n")
    print(dendrogram.draw(max_lines=None))
    overlap = Overlap.of(taxonomy, dendrogram)
    print(f"\nBoth trees hold the same {plural(overlap.n_items, 'animal')}, met by name: {overlap}")
    inner_a, inner_b = (int((tree.n_children > 0).sum()) for tree in (taxonomy, dendrogram))
    print(f"Above its leaves the taxonomy has {plural(inner_a, 'cluster')}, the dendrogram {inner_b}.")
    clusters_a, clusters_b = (
        {frozenset(tree.items[i] for i in tree.order.item[low:high]) for low, high in zip(*tree.order[4:], strict=True)}
        for tree in (taxonomy, dendrogram)
    )
    shared = sorted(
        (c for c in clusters_a & clusters_b if 1 < len(c) < overlap.n_items), key=lambda c: (-len(c), min(c))
    )
    print(f"{plural(len(shared), 'cluster')} of more than one animal, but not all, stand in both:")
    for cluster in shared:
        print(f"  {', '.join(sorted(cluster))}")
    print("\nHow alike the two trees are, by every measure that applies:\n")
    print(compare(taxonomy, dendrogram))


if __name__ == "__main__":
    main()
