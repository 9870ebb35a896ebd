"""Broken input that keeps its structure: sparse matrices with wrong indices, Parquet files with odd columns."""

import numpy as np
import pytest
from scipy import sparse
from tests.trust.fuzz.cases import draws_of
from tests.trust.fuzz.laws import check_value

from dendrometry import agglomerate
from dendrometry.cluster import bisect, buckshot, principal_direction
from dendrometry.errors import DendrometryError
from dendrometry.io.tables.parquet import from_parquet
from dendrometry.text import near_duplicates, read_documents

DOORS = {
    "agglomerate": lambda X: agglomerate(X, linkage="average", metric="cosine").hierarchy,
    "group_average": lambda X: agglomerate(X, linkage="group_average", metric="dot").hierarchy,
    "bisect": lambda X: bisect(X, metric="cosine", rng=0).hierarchy,
    "buckshot": lambda X: buckshot(X, 2, rng=0).hierarchy,
    "principal_direction": lambda X: principal_direction(X, metric="cosine").hierarchy,
    "near_duplicates": near_duplicates,
}


def broken_matrix(rng):
    """Return a sparse matrix of a random kind, some of whose columns of numbers may be wrong."""
    n, d = rng.integers(1, 9, size=2)
    kind = rng.choice(["csr", "csc", "coo", "bsr", "dok", "lil"])
    X = sparse.random(n, d, density=0.6, random_state=rng, format="csr")
    X.data = rng.choice(
        [1.0, -1.0, 0.0, 0.5, 1e300, 1e-300, np.nan, np.inf], size=X.nnz, p=[0.4, 0.1, 0.1, 0.3] + [0.025] * 4
    )
    X = X.astype(
        rng.choice([np.float64, np.float32, np.int8])
        if np.isfinite(X.data).all() and X.nnz and abs(X.data).max() < 9
        else np.float64
    )
    if kind not in ("csr", "csc", "bsr"):
        return X.asformat(kind)
    X = X.asformat(kind)
    for _ in range(rng.integers(0, 3)):
        column = getattr(X, rng.choice(["indices", "indptr"]))
        if column.size:
            column[rng.integers(column.size)] = rng.choice([-1, 0, 1, d, n, 99, 2**31 - 1])
    if rng.random() < 0.1:
        X.data = X.data[: X.data.shape[0] // 2]
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
            for door in (lambda: from_parquet(bytes(data), 10**7).tree, lambda: read_documents(path)):  # noqa: B023
                try:
                    result = door()
                except DendrometryError:
                    seen["refused"] += 1
                else:
                    seen["result"] += 1
                    check_value(result, "parquet")
    print(seen)
    assert min(seen.values()) > draws / 20
