"""The figures of speed that the README and docs/speed.md print, as one table: docs/results/speed.csv.

``python benchmarks/speed.py`` measures everything, for which the machine should be idle; ``python benchmarks/speed.py
building reading`` these groups, ``building.ward`` one task of a group, and ``building.ward.12000`` one size. A row
takes the place of the one of the same task, size, columns, data and processor; all others stay, and so does what
``python benchmarks/speed.py --add FILE.csv`` adds from another machine. ``python docs/_make/speed.py`` then fills the
pages.

A row is one call in a fresh process, after a call on a small input; of less than a second, the best of two more calls
that each follow one on the same input. Core seconds are those of all threads. Data are ``even`` or ``hard`` (see
``cluster.py``), ``real`` (GloVe, fetched on request), or the shape of trees.
"""

import csv
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from os import cpu_count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import cluster
import dendrometry as dm
import divisive
import levels
import measures
import report
import text
import trees
from approximate import mixture
from dendrometry.generate import random_tree
from shapes import SHAPES, dendrograms
from timing import Figure, fresh

TABLE = Path(__file__).parents[1] / "docs" / "results" / "speed.csv"
COLUMNS = (
    *("group", "task", "size", "columns", "data", "ours_core_s", "ours_wall_s", "rival", "rival_core_s", "ratio"),
    *("memory_mb", "processor"),
)
KEY = ("group", "task", "size", "columns", "data", "processor")
SOON = 1.0  # seconds: a call that takes less is measured again
MILLION = 1_000_000


class Task(NamedTuple):
    """One row: what is called with ``prepare(*args)``, and what with the same by another package."""

    group: str
    task: str
    size: int
    columns: int | str
    data: str
    prepare: Callable[..., Any]
    args: tuple[Any, ...]
    ours: Callable[[Any], Any]
    warm: Callable[[], None]
    rival: str = ""
    theirs: Callable[[Any], Any] | tuple[Callable[[Any], Any], ...] = ()  # of several ways, the fastest counts


def build_approximately(X):
    return dm.cluster.cluster_approximate(X)


def mix(n, d):
    return mixture(n, d)


def warm_approximate():
    dm.cluster.cluster_approximate(mixture(20_000), n_exact=2_000)


def building() -> Iterator[Task]:
    """Trees of points, beside fastcluster."""
    rivals = {name: cluster.ROUNDS[name][1] for name in ("ward", "single", "complete", "average")}
    points = [
        ("even", 12_000, 32, cluster.noise, (12_000, 32)),
        ("hard", 12_000, 32, cluster.hard, (12_000, 32)),
        ("hard", 12_000, 256, cluster.hard, (12_000, 256)),
        ("real", 12_000, 100, cluster.words, (12_000, 100)),
    ]
    for (name, rival), (data, n, d, make, args) in product(rivals.items(), points):
        yield Task(
            *("building", name, n, d, data, make, args, getattr(cluster, name), cluster.warm_ours),
            *("fastcluster", rival),
        )
    for data, n, d, make, args in (
        ("even", 100_000, 64, mix, (100_000, 64)),
        ("hard", 100_000, 64, cluster.hard, (100_000, 64)),
        ("real", 100_000, 100, cluster.words, (100_000, 100)),
        ("even", MILLION, 64, mix, (MILLION, 64)),
    ):
        yield Task("building", "cluster_approximate", n, d, data, make, args, build_approximately, warm_approximate)
    for data, n, make in (
        ("even", 200_000, cluster.noise),
        ("hard", 200_000, cluster.hard),
        ("even", MILLION, cluster.noise),
    ):
        yield Task("building", "ward", n, 32, data, make, (n, 32), cluster.ward, cluster.warm_ours)


def warm_bisect():
    divisive.bisect_20(divisive.documents(1500))
    divisive.bisect_20(divisive.dense(3000))
    divisive.scikit_learn_20(divisive.dense(3000))


def dividing() -> Iterator[Task]:
    """Bisecting k-means to 20 clusters, beside scikit-learn."""
    for data, d, make, args in (
        ("even", 100, divisive.dense, (18_821,)),
        ("hard", 100, cluster.hard, (18_821, 100)),
        ("real", 100, cluster.words, (18_821, 100)),
        ("documents", 50_000, divisive.documents, (18_821,)),
    ):
        yield Task(
            *("dividing", "bisect", 18_821, d, data, make, args, divisive.bisect_20, warm_bisect),
            *("scikit-learn", divisive.scikit_learn_20),
        )


def linkages(n):
    pair = dendrograms("random", n)
    return pair, [dm.to_linkage(tree) for tree in pair]


def fowlkes_mallows(given):
    return dm.stages(*given[0]).fowlkes_mallows


def fowlkes_mallows_by_cutting(given):
    return levels.fowlkes_mallows_by_cutting(given[1], len(given[1][0]) + 1)


def agreement(given):
    return dm.hierarchy_agreement(*given[0])


def agreement_by_matrices(given):
    return measures.full_matrix_agreement(given[1], len(given[1][0]) + 1)


def warm_linkages():
    given = linkages(200)
    for call in (fowlkes_mallows, fowlkes_mallows_by_cutting, agreement, agreement_by_matrices):
        call(given)


def comparing() -> Iterator[Task]:
    """Two trees by every number of clusters and by one measure."""
    loop = ("SciPy and scikit-learn in a loop", fowlkes_mallows_by_cutting)
    yield Task(
        *("comparing", "stages, Fowlkes-Mallows at every k", 2_000, "", "random", linkages, (2_000,)),
        *(fowlkes_mallows, warm_linkages, *loop),
    )
    yield Task(
        *("comparing", "hierarchy_agreement", 5_000, "", "random", linkages, (5_000,), agreement, warm_linkages),
        *("NumPy on SciPy's n x n matrices", agreement_by_matrices),
    )
    for (name, call), shape in product(levels.WALKS.items(), SHAPES):
        yield Task("comparing", name, MILLION, "", shape, dendrograms, (shape, MILLION), call, levels.warm)
    for name, call in levels.WALKS.items():
        yield Task("comparing", name, 10 * MILLION, "", "random", levels.merged, (10 * MILLION,), call, levels.warm)
    for shape in SHAPES:
        yield Task(
            *("comparing", "partial_order_f", MILLION, "", shape, measures.occupied, (shape, MILLION)),
            *(measures.partial_order, measures.warm_trees),
        )
    blame = (measures.blame, measures.warm_trees)
    yield Task("comparing", "item_disagreement", MILLION, "", "random", dendrograms, ("random", MILLION), *blame)
    for shape in ("merges", "caterpillar"):
        make = (levels.labelled, (shape, MILLION))
        known = ("comparing", "label_profile, 100 classes, four measures", MILLION, "", shape, *make)
        yield Task(*known, levels.label_profile, levels.warm_labels)
        known = ("comparing", "dendrogram_purity, 100 classes", MILLION, "", shape, *make)
        yield Task(*known, levels.purity, levels.warm_labels)
    partitions = ("comparing", "23 measures of partitions into 1,000 clusters", 10 * MILLION, "")
    for data, make in (("unrelated", measures.unrelated), ("a tenth differs", measures.noisy)):
        yield Task(
            *(*partitions, data, make, (10 * MILLION, 1_000), measures.every_measure, measures.warm_partitions),
            *("scikit-learn, three of them", measures.three_of_scikit_learn),
        )


def overlap(given):
    return dm.Overlap.of(*given)


def named_pair(n):
    """Return two trees whose items are named, in another order."""
    names = [f"item {i}" for i in range(n)]
    other = [names[i] for i in np.random.default_rng(2).permutation(n)]
    return tuple(dm.from_linkage(SHAPES["random"](n, seed), own) for seed, own in ((1, names), (2, other)))


def warm_overlap():
    overlap(named_pair(20_000))


def warm_case(case):
    trees.measured(trees.trees(case._replace(n=2_000)))


def measuring() -> Iterator[Task]:
    """Measures of two trees, each by itself."""
    for case in trees.CASES:
        shapes = " and ".join(dict.fromkeys(case.shapes))
        yield Task(
            *("measuring", case.measure, case.n, "", shapes, trees.trees, (case,), trees.measured),
            partial(warm_case, case),
        )


def write_page(given):
    with tempfile.TemporaryDirectory() as folder:
        report.write((*given, Path(folder) / "page.html"))


def warm_report(shape):
    write_page(report.pair(shape, 5_000))


def reporting() -> Iterator[Task]:
    """Report of two trees, the comparison included."""
    for shape in SHAPES:
        make = (report.pair, (shape, 200_000), write_page, partial(warm_report, shape))
        yield Task("reporting", "report", 200_000, "", shape, *make)


def newick(shape, n):
    return dm.to_newick(random_tree(n, shape=shape, rng=0))


def read_linkage(rows):
    return dm.from_linkage(rows)


def read_by_dendropy(made):
    import dendropy

    return dendropy.Tree.get(data=made, schema="newick")


def warm_newick():
    made = newick("merges", 500)
    dm.from_newick(made)
    read_by_dendropy(made)


def reading() -> Iterator[Task]:
    """Trees from text."""
    small = ("reading", "from_newick", 10_000, "", "merges", newick, ("merges", 10_000), dm.from_newick, warm_newick)
    yield Task(*small, "DendroPy", read_by_dendropy)
    for shape in ("merges", "caterpillar"):
        yield Task("reading", "from_newick", MILLION, "", shape, newick, (shape, MILLION), dm.from_newick, warm_newick)
    rows = (SHAPES["random"], (MILLION,), read_linkage, warm_newick)
    yield Task("reading", "from_linkage", MILLION, "", "random", *rows)
    yield Task("reading", "Overlap.of", MILLION, "", "random", named_pair, (MILLION,), overlap, warm_overlap)


def vectorize(made):
    return dm.text.vectorize_documents(made)


def vectorize_by_scikit_learn(made):
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(stop_words="english").fit_transform(made)


def warm_text():
    text.warm()
    text.all_pairs(text.vectors(200))


def stories() -> Iterator[Task]:
    """Documents: near-duplicates and first stories."""
    near = ("texts", "near_duplicates, cosine 0.9")
    yield Task(*near, 10_000, "", "even", text.vectors, (10_000,), text.at_nine, warm_text, "SciPy", text.all_pairs)
    yield Task(*near, 100_000, "", "even", text.vectors, (100_000,), text.at_nine, warm_text)
    made = ("texts", "vectorize_documents", 100_000, "", "even", text.texts, (100_000,), vectorize, warm_text)
    yield Task(*made, "scikit-learn", vectorize_by_scikit_learn)
    yield Task("texts", "first_stories", 40_000, "", "reports", text.reports, (40_000,), text.told, warm_text)
    for n in (100_000, MILLION):
        what = "first_stories, exact_above=0.8"
        yield Task("texts", what, n, "", "reports", text.reports, (n,), text.told_with_bounds, warm_text)


GROUPS: dict[str, Callable[[], Iterator[Task]]] = {
    "building": building,
    "dividing": dividing,
    "comparing": comparing,
    "measuring": measuring,
    "reporting": reporting,
    "reading": reading,
    "texts": stories,
}


def processor() -> str:
    """Return the name of the processor and the number of its cores."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        said = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        name = said[0] if said else f"{platform.machine()}"
    return f"{' '.join(name.split())}, {cpu_count()} cores"


def rehearse(task: Task, call: Callable[[Any], Any]) -> None:
    """Call what is to be measured, so that it is compiled and loaded."""
    call(task.prepare(*task.args))


def least(task: Task, call: Callable[[Any], Any]) -> Figure:
    """Return the figure of one call, or of the faster of two more if it took less than a second."""
    figure = fresh(task.prepare, call, *task.args, warm=task.warm)
    if (figure.core_seconds or 0.0) > SOON:
        return figure
    ready = partial(rehearse, task, call)
    again = [fresh(task.prepare, call, *task.args, warm=ready) for _ in range(2)]
    return min(again, key=lambda each: each.core_seconds or 0.0)


def measured(task: Task, on: str) -> dict[str, str]:
    """Return a task as a row of the table."""
    ours = least(task, task.ours)
    row = dict.fromkeys(COLUMNS, "")
    row |= {"group": task.group, "task": task.task, "size": str(task.size), "columns": str(task.columns)}
    row |= {"data": task.data, "rival": task.rival, "processor": on, "memory_mb": f"{ours.peak_mb:.0f}"}
    row |= {"ours_core_s": f"{ours.core_seconds:.3g}", "ours_wall_s": f"{ours.seconds:.3g}"}
    ways = task.theirs if isinstance(task.theirs, tuple) else (task.theirs,)
    if ways:
        theirs = min((least(task, way) for way in ways), key=lambda each: each.core_seconds or 0.0)
        row |= {
            "rival_core_s": f"{theirs.core_seconds:.3g}",
            "ratio": f"{theirs.core_seconds / ours.core_seconds:.3g}",
        }
    return row


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table, none if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


def renew(rows: list[dict[str, str]]) -> None:
    """Put rows into the table, in place of those of the same key, in the order of the groups."""
    kept = {tuple(row[name] for name in KEY): row for row in read_table(TABLE)}
    kept |= {tuple(row[name] for name in KEY): row for row in rows}
    order = {name: i for i, name in enumerate(GROUPS)}

    def place(row: dict[str, str]) -> tuple[Any, ...]:
        return order.get(row["group"], len(order)), row["task"], int(row["size"]), row["processor"], row["data"]

    with TABLE.open("w", newline="", encoding="utf-8") as table:
        writer = csv.DictWriter(table, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(kept.values(), key=place))


def main(words: list[str]) -> None:
    if words and words[0] == "--add":
        renew([row for name in words[1:] for row in read_table(Path(name))])
        return
    on = processor()
    wanted = words or list(GROUPS)
    for name, tasks in GROUPS.items():
        for task in tasks():
            if {name, f"{name}.{task.task}", f"{name}.{task.task}.{task.size}"} & set(wanted):
                row = measured(task, on)
                renew([row])
                print(*(row[column] for column in COLUMNS[:-1]), sep=", ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
