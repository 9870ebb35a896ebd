"""The file of replicates is a file like any other: checked before it is unpacked, and refused in our words."""

import hashlib
import io
import zipfile

import numpy as np
import pytest

from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.io._shared.npy import array_bytes, array_of_bytes
from dendrometry.resampling import stability
from dendrometry.resampling.replicates.checkpoint import Checkpoint
from tests.work import peak_bytes

POINTS = np.random.default_rng(0).normal(size=(6, 3))
OPTIONS = {"n_references": 2, "rng": 1, "n_jobs": 1}
REFUSED = "must be a file of replicates, or not exist; got"


@pytest.fixture
def kept(tmp_path):
    """A file of six replicates."""
    file = tmp_path / "replicates.zip"
    stability(POINTS, n_replicates=6, file=file, **OPTIONS)
    return file


def tables_of(file):
    """The tables of a file by name."""
    with zipfile.ZipFile(file) as archive:
        return {name[:-4]: array_of_bytes(archive.read(name)).copy() for name in archive.namelist()}


def forge(file, tables):
    """Write tables as a file whose checksum is right."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in tables.items():
            archive.writestr(f"{name}.npy", table if isinstance(table, bytes) else array_bytes(table))
        archive.comment = bytes(32)
    data = stream.getvalue()[:-32]
    file.write_bytes(data + hashlib.sha256(data).digest())


def test_a_file_comes_back(kept):
    again = tables_of(kept)
    forge(kept, again)
    assert stability(POINTS, n_replicates=6, file=kept, **OPTIONS).n_replicates == 6


def test_a_damaged_file_is_refused_and_stays(kept):
    whole = kept.read_bytes()
    rng = np.random.default_rng(3)
    broken = [whole[:n] for n in rng.integers(0, len(whole), 30).tolist()] + [b"", whole + b"\0", whole * 2]
    for at, value in zip(rng.integers(0, len(whole), 200).tolist(), rng.integers(1, 256, 200).tolist(), strict=True):
        broken.append(whole[:at] + bytes([whole[at] ^ value]) + whole[at + 1 :])
    for data in broken:
        kept.write_bytes(data)
        with pytest.raises(FormatError, match=REFUSED):
            stability(POINTS, n_replicates=6, file=kept, **OPTIONS)
        assert kept.read_bytes() == data


def with_value(name, at, value):
    """Change one value of a table."""

    def change(tables):
        tables[name][0, at] = value

    return change


def with_table(name, table):
    """Change a table."""

    def change(tables):
        tables[name] = table

    return change


CHANGES = {
    **{f"count {value}": with_value("row", 0, value) for value in (np.nan, np.inf, 0, -1, 1e18, 3.5, 3)},
    **{f"length {value}": with_value("parent", 1, value) for value in (np.nan, -np.inf, 0, -1, 1e300, 0.5)},
    **{f"row {value}": with_value("row", 8, value) for value in (np.nan, np.inf, -1, 6, 0.5, 1e18)},
    **{f"parent {value}": with_value("parent", 8, value) for value in (np.nan, np.inf, -1, -2, 99, 0.5, 0)},
    **{f"node {value}": with_value("node", 8, value) for value in (np.nan, np.inf, -1, 99, 0.5)},
    **{f"height {value}": with_value("height", 8, value) for value in (np.nan, np.inf)},
    "curve of nan": with_value("references", 0, np.nan),
    "no row": with_table("row", np.zeros((0, 0))),
    "a row of nothing": with_table("node", np.zeros((1, 0))),
    "two rows": with_table("parent", np.zeros((2, 5))),
    "no replicate in one": with_table("height", np.zeros((1, 1))),
    "whole numbers": with_table("row", np.zeros((1, 1), dtype=np.int64)),
    "half numbers": with_table("row", np.zeros((1, 1), dtype=np.float16)),
    "other levels": with_table("references", np.zeros((2, 1))),
    "text": with_table("row", b"no table"),
    "a part less": lambda tables: tables.pop("node"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_forged_tables_are_refused(kept, change):
    tables = tables_of(kept)
    change(tables)
    forge(kept, tables)
    with pytest.raises(FormatError, match=REFUSED):
        stability(POINTS, n_replicates=6, file=kept, **OPTIONS)


def test_a_bomb_is_refused_before_it_is_unpacked(kept):
    tables = tables_of(kept)
    tables["row"] = np.zeros((1, 2**24))
    forge(kept, tables)

    def refused(error, words, mark):
        with pytest.raises(error, match=words):
            Checkpoint(kept, mark, 6, 5)

    mark = tables["fingerprint"].tobytes()
    assert peak_bytes(lambda: refused(InvalidInputError, "must hold replicates of the same data", b"x" * 32)) < 2**22
    assert peak_bytes(lambda: refused(FormatError, "more than [0-9,]* bytes, unpacked", mark)) < 2**22
    tables["fingerprint"] = np.zeros((1, 2**24), dtype=np.uint8)
    forge(kept, tables)
    assert peak_bytes(lambda: refused(FormatError, "more than 1,000 bytes, unpacked", mark)) < 2**22
