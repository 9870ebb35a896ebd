"""Broken input that keeps its structure: sparse matrices with wrong indices, Parquet files with odd columns."""

import numpy as np
import pytest
from scipy import sparse
from tests.trust.fuzz.cases import draws_of
from tests.trust.fuzz.laws import check_value

from dendrometry import Contingency, HierarchicalClustering, agglomerate, read
from dendrometry.cluster import bisect, buckshot, principal_direction
from dendrometry.errors import DendrometryError
from dendrometry.text import near_duplicates, read_documents

DOORS = {
    "agglomerate": lambda X: agglomerate(X, linkage="average", metric="cosine").hierarchy,
    "group_average": lambda X: agglomerate(X, linkage="group_average", metric="dot").hierarchy,
    "bisect": lambda X: bisect(X, metric="cosine", rng=0).hierarchy,
    "buckshot": lambda X: buckshot(X, 2, rng=0).hierarchy,
    "principal_direction": lambda X: principal_direction(X, metric="cosine").hierarchy,
    "near_duplicates": near_duplicates,
    "estimator": lambda X: HierarchicalClustering(1, linkage="average", metric="cosine").fit(X).hierarchy_,
    "counts": Contingency.from_counts,
}


FORMS = ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"]
COLUMNS = ("data", "indices", "indptr", "row", "col", "offsets", "rows")


def random_matrix(rng):
    """Return a sound sparse matrix of a random kind and form, whose values may be infinite or not numbers."""
    X = sparse.random(*rng.integers(1, 9, size=2), density=0.6, random_state=rng, format="csr")
    X.data = rng.choice(
        [1.0, -1.0, 0.0, 0.5, 1e300, 1e-300, np.nan, np.inf], size=X.nnz, p=[0.4, 0.1, 0.1, 0.36] + [0.01] * 4
    )
    if X.nnz and np.isfinite(X.data).all() and abs(X.data).max() < 9:
        X = X.astype(rng.choice([np.float64, np.float32, np.int8]))
    kind = sparse.csr_matrix if rng.random() < 0.5 else sparse.csr_array
    return kind(X).asformat(rng.choice(FORMS))


def changed_column(column, rng):
    """Return one of the arrays of a sparse matrix with another value, length, order, type or dimension."""
    column = np.array(column)
    match rng.integers(9):
        case 0:
            return column[:-1]
        case 1:
            return np.append(column, column[-1:], axis=0)
        case 2:
            return column[::-1]
        case 3:
            return column.astype(rng.choice([object, complex, bool]) if column.dtype != object else object)
        case 4:
            return column.reshape(-1, 1)
        case 5 if column.dtype.kind in "iu":
            return column.astype(np.int64) + 2**33
        case _ if column.size and column.dtype != object:
            column.flat[rng.integers(column.size)] = rng.choice([-1, 0, 1, 8, 99, 127])
    return column


def broken_matrix(rng):
    """Return a sparse matrix of a random kind, some of whose arrays may be wrong."""
    X = random_matrix(rng)
    for _ in range(rng.integers(0, 3)):
        name = rng.choice([name for name in COLUMNS if hasattr(X, name)] or ["data"])
        if X.format == "dok" or (X.format == "lil" and rng.random() < 0.5):
            continue  # it has no arrays
        try:
            setattr(X, name, changed_column(getattr(X, name), rng))
        except (ValueError, TypeError, np.exceptions.ComplexWarning):  # SciPy looks at some of them itself
            continue
    if rng.random() < 0.1:
        X.has_canonical_format = True  # which may be a lie
    return X


@draws_of("sparse matrices", 1 / len(DOORS))
@pytest.mark.parametrize("door", DOORS)
def test_sparse_matrices(door, draws, seed):
    rng = np.random.default_rng(seed)
    seen = {"result": 0, "refused": 0}
    for _ in range(draws):
        X = broken_matrix(rng)
        try:
            result = DOORS[door](X)
        except DendrometryError:
            seen["refused"] += 1
        else:
            seen["result"] += 1
            check_value(result, door)
    print(seen)
    assert min(seen.values()) > draws / 20


NAMES = ["item", "path", "label", "title", "text", "", 'a"b', "ä", "item ", "x\ny", "Item"]
VALUES = {
    "VARCHAR": ["'a'", "'b/c'", "''", "NULL", "'//'", "chr(0)", "'é'", "repeat('z', 5000)", "'=1+1'"],
    "BIGINT": ["1", "-1", "NULL", "9223372036854775807"],
    "HUGEINT": ["170141183460469231731687303715884105727"],
    "DOUBLE": ["1.5", "'nan'::DOUBLE"],
    "BOOLEAN": ["true", "NULL"],
    "BLOB": ["'\\\\xff'::BLOB"],
    "DATE": ["DATE '2020-01-01'"],
    "INTEGER[]": ["[1, 2]"],
    "STRUCT(a INTEGER)": ["{'a': 1}"],
}


def odd_table(rng):
    """Return an SQL query for a few rows of columns with odd names, types and values."""
    if rng.random() < 0.5:
        names = np.array([["item", "path"], ["item", "label"], ["title", "text"]][rng.integers(3)])
        kinds, sound = ["VARCHAR", rng.choice(["VARCHAR", "VARCHAR", "BIGINT"])], 2
    else:
        names = rng.choice(NAMES, size=rng.integers(1, 4), replace=False)
        kinds, sound = rng.choice(list(VALUES), size=names.size, p=[0.6, 0.15] + [0.25 / 7] * 7), False
    rows = []
    for i in range(rng.integers(1, 6)):
        values = [f"'name {i}'" if sound and at == 0 else rng.choice(VALUES[kind]) for at, kind in enumerate(kinds)]
        rows.append("(" + ", ".join(f"({v})::{kind}" for v, kind in zip(values, kinds, strict=True)) + ")")
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    return f"SELECT * FROM (VALUES {', '.join(rows)}) AS t({columns})"


@pytest.mark.filterwarnings("ignore::dendrometry.errors.AssumptionWarning")
@draws_of("parquet tables")
def test_parquet_tables(tmp_path, draws, seed):
    import duckdb

    rng = np.random.default_rng(seed)
    seen = {"result": 0, "refused": 0}
    path = tmp_path / "odd.parquet"
    with duckdb.connect() as database:
        for _ in range(draws):
            codec = rng.choice(["snappy", "zstd", "gzip", "uncompressed"])
            try:
                database.execute(f"COPY ({odd_table(rng)}) TO '{path}' (FORMAT parquet, COMPRESSION {codec})")
            except duckdb.Error:
                continue  # a name that DuckDB itself does not take
            data = bytearray(path.read_bytes())
            for _ in range(rng.integers(0, 3) * (rng.random() < 0.5)):
                data[rng.integers(4, len(data))] = rng.integers(256)
            path.write_bytes(data)
            for door in (
                lambda: read(path, max_bytes=10**7),
                lambda: read_documents(path),
            ):
                try:
                    result = door()
                except DendrometryError:
                    seen["refused"] += 1
                else:
                    seen["result"] += 1
                    check_value(result, "parquet")
    print(seen)
    assert min(seen.values()) > draws / 20
