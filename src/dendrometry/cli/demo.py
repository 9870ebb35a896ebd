"""``dendrometry demo``: the animals of the zoo data, by traits and by descent."""

import os
from typing import TYPE_CHECKING, Annotated

from dendrometry._display import plural, printable
from dendrometry._progress import on_terminal, spinner
from dendrometry.cli._shared.options import option, switch
from dendrometry.cli._shared.output import picture
from dendrometry.cli.compare import print_comparison
from dendrometry.errors import InvalidInputError, Remedy

if TYPE_CHECKING:
    from dendrometry.comparison.comparison import Comparison
    from dendrometry.hierarchy import Hierarchy

_REPORT = "report.html"
_FIGURES = {
    "tanglegram.png": "both trees side by side, with a line between the two positions of each animal",
    "matches.png": "which groups of the classification are found from the traits",
    "item_disagreement.png": "the animals that the two trees place most differently",
}


def demo(
    out: Annotated[str, option("FOLDER", "Where to write the report and the figures.")] = "demo",
    force: Annotated[bool, switch("--force", "Overwrite the files of an earlier demo.")] = False,
) -> None:
    """Run a complete example on 101 animals.

    Clusters the animals by average linkage of their traits and compares the tree with the Linnaean classification.
    Prints a verdict and every measure, and writes a report and three figures. The first run takes longer, because the
    code is compiled.

    \b
    Examples:
      dendrometry demo
      dendrometry demo --out elsewhere --force
    """
    from dendrometry._files import write_whole
    from dendrometry.cluster.agglomerate import agglomerate
    from dendrometry.comparison.compare import compare
    from dendrometry.datasets.zoo import zoo
    from dendrometry.report.report import report

    _make_folder(out, force)
    animals = zoo()
    with spinner("comparing 101 animals", on_terminal()):
        ranked = _ranked(animals.taxonomy)
        found = agglomerate(animals.traits, linkage="average", item_names=animals.items).hierarchy
        result = compare(ranked, found, names=("classification", "traits"))
        facts, verdict = result.facts(), result.verdict
    print(f"The first tree: the {plural(ranked.n_items, 'animal')} of the zoo data in the Linnaean classification")
    print("(phylum, class, order, family; the height of a group is its rank).\n")
    print(f"  {_groups(animals.taxonomy)}")
    traits = animals.trait_names
    print(f"\nThe second tree: average linkage of their {len(traits)} traits ({', '.join(traits[:4])} and so on).\n")
    print(f"Verdict: {verdict}\n")
    print_comparison(result, facts)
    print()
    with spinner("drawing", on_terminal()):
        report(result, os.path.join(out, _REPORT), force=force)
        pictures = _drawn(result, ranked, found)
    for name, data in pictures.items():
        write_whole(os.path.join(out, name), data, force=force)
    folder = printable(out, longest=4096)
    print(f"Open {os.path.join(folder, _REPORT)} in a browser to see at which level and where the trees differ.")
    print("The same as pictures:")
    for name, about in _FIGURES.items():
        print(f"  {os.path.join(folder, name)}: {about}")


def _make_folder(folder: str, force: bool) -> None:
    """Create the folder for the files; raise an error if any of them exists, unless ``force``."""
    there = [path for path in (os.path.join(folder, name) for name in (_REPORT, *_FIGURES)) if os.path.lexists(path)]
    if there and not force:
        raise InvalidInputError(
            f"{printable(there[0], longest=4096)} exists",
            Remedy("force", True, "replaces it"),
            Remedy("out", ..., "writes elsewhere"),
        )
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(f"cannot make the folder {printable(folder, longest=4096)}: {error.strerror}") from None


def _ranked(taxonomy: "Hierarchy") -> "Hierarchy":
    """Return a taxonomy with ranks as heights, families lowest, without groups that equal a larger group."""
    from dendrometry.hierarchy import Hierarchy

    height = taxonomy.depths.max() - taxonomy.depths
    columns = (taxonomy.parent, height, taxonomy.item_node, taxonomy.items, taxonomy.node_names)
    return Hierarchy(*columns).without_unary()


def _groups(taxonomy: "Hierarchy") -> str:
    """Return the groups below the root, with their sizes, as text."""
    root = taxonomy.n_nodes - 1
    top = taxonomy.children.node[taxonomy.children.start[root] :]
    sizes = sorted(((int(taxonomy.sizes[v]), taxonomy.node_names[v]) for v in top.tolist()), reverse=True)
    return ", ".join(f"{name} {size}" for size, name in sizes)


def _drawn(result: "Comparison", taxonomy: "Hierarchy", found: "Hierarchy") -> dict[str, bytes]:
    """Return the figures as the bytes of PNG files."""
    from dendrometry import plot

    draws = (
        lambda: plot.tanglegram(taxonomy, found, names=("classification", "traits")),
        lambda: plot.matches(taxonomy, found),
        lambda: plot.item_disagreement(result),
    )
    return {name: picture(draw, "png") for name, draw in zip(_FIGURES, draws, strict=True)}
