"""Write ``numbers.json``: what TreeDist prints for random trees without a root.

Needs R with TreeDist: ``python tests/measures/trees/peers/make.py``. TreeDist counts in bits. The numbers are those of
its repository at commit a8fc0b72, with TreeTools at f67793ba.
"""

import json
import random
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
NAMES = {
    "shared_phylogenetic_information": "SharedPhylogeneticInfo",
    "matching_split_information": "MatchingSplitInfo",
    "mutual_clustering_information": "MutualClusteringInfo",
    "clustering_information_distance": "ClusteringInfoDistance",
    "matching_cluster": "MatchingSplitDistance",
}
SCRIPT = """
library(TreeTools); library(TreeDist)
versions <- sapply(c("TreeDist", "TreeTools", "ape"), function(p) as.character(packageVersion(p)))
cat(R.version$version.string, paste(names(versions), versions), sep = "; "); cat("\\n")
texts <- readLines(file("stdin"))
for (i in seq(1, length(texts), 2)) {
  a <- ape::read.tree(text = texts[i]); b <- ape::read.tree(text = texts[i + 1])
  values <- sapply(list(FUNCTIONS), function(f) f(a, b))
  cat(sprintf("%.17g", values)); cat("\\n")
}
"""


def tree(n_leaves, share_kept, draw):
    """Return a random tree as text: its root has three branches or more, and each inner branch is kept at random."""
    clusters = [[f"t{i}"] for i in range(n_leaves)]
    while len(clusters) > 3:
        draw.shuffle(clusters)
        first, second = clusters.pop(), clusters.pop()
        both = first + second
        clusters.append(["(" + ",".join(both) + ")"] if draw.random() < share_kept else both)
    return "(" + ",".join(text for cluster in clusters for text in cluster) + ");"


def moved(text, n_leaves, n_moves, draw):
    """Return a tree in which some leaves have exchanged their places."""
    names = [f"t{i}" for i in range(n_leaves)]
    for _ in range(n_moves):
        i, j = draw.sample(range(n_leaves), 2)
        names[i], names[j] = names[j], names[i]
    for i in reversed(range(n_leaves)):
        text = text.replace(f"t{i}", f"\0{i};")
    for i, name in enumerate(names):
        text = text.replace(f"\0{i};", name)
    return text


def main():
    draw = random.Random(0)
    texts = []
    for n in (8, 13, 20, 32, 50):
        for share in (1.0, 0.7, 0.4):
            first = tree(n, share, draw)
            texts += [(first, tree(n, share, draw)), (first, moved(first, n, 2, draw))]
    ran = subprocess.run(
        ["Rscript", "-e", SCRIPT.replace("FUNCTIONS", ", ".join(NAMES.values()))],
        input="".join(f"{a}\n{b}\n" for a, b in texts),
        capture_output=True,
        text=True,
        check=True,
    )
    made_by, *rows = ran.stdout.strip().split("\n")
    cases = [
        {"first": a, "second": b, **dict(zip(NAMES, map(float, row.split()), strict=True))}
        for (a, b), row in zip(texts, rows, strict=True)
    ]
    (HERE / "numbers.json").write_text(json.dumps({"made_by": made_by, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
