"""Files of R: what saveRDS and save write, in all their forms, and what no file may do."""

import bz2
import gzip
import lzma
import struct
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.errors import AssumptionWarning, DendrometryError, FormatError
from dendrometry.io._shared.r_serialized import unserialize

WILD = Path(__file__).parents[2] / "data" / "wild"
HCLUST = gzip.decompress((WILD / "r_hclust.rds").read_bytes())
TREE = dm.read(WILD / "r_hclust.rds")


def word(*numbers):
    return struct.pack(f">{len(numbers)}i", *numbers)


HEAD = b"X\n" + word(2, 0x40202, 0x20300)


def text(value):
    return word(0x40009, len(value)) + value


def symbol(name):
    return word(1) + text(name)


def vector(*values, kind=13):
    return word(kind, len(values)) + (word(*values) if kind == 13 else struct.pack(f">{len(values)}d", *values))


def attributes(**held):
    pairs = b"".join(word(0x402) + symbol(name.encode()) + value for name, value in held.items())
    return pairs + word(254)


def dendrogram(depth):
    """A comb of nested lists."""
    leaf = word(13 | 1 << 9, 1, 1) + attributes(label=word(16, 1) + text(b"%d"), height=vector(0.0, kind=14))
    parts, ends = [], []
    for level in range(depth, 0, -1):
        parts.append(word(19 | 1 << 9, 2) + leaf.replace(text(b"%d"), text(b"%07d" % level)))
        ends.append(attributes(height=vector(float(level), kind=14)))
    bottom = leaf.replace(text(b"%d"), text(b"%07d" % 0))
    ends[0] = attributes(**{"height": vector(float(depth), kind=14), "class": word(16, 1) + text(b"dendrogram")})
    return HEAD + b"".join(parts) + bottom + b"".join(reversed(ends))


@pytest.mark.parametrize(
    "packed",
    [HCLUST, gzip.compress(HCLUST), bz2.compress(HCLUST), lzma.compress(HCLUST)],
    ids=["plain", "gzip", "bzip2", "xz"],
)
def test_every_compression_of_r_is_read(tmp_path, packed):
    (tmp_path / "x.rds").write_bytes(packed)
    assert dm.read(tmp_path / "x.rds") == TREE


def test_an_hclust_equals_its_dendrogram_and_its_workspace():
    assert TREE == dm.read(WILD / "r_dendrogram.rds") == dm.read(WILD / "r_one.RData")
    np.testing.assert_allclose(sorted(set(TREE.height.tolist())), [0, 1, 7.5])


def test_all_trees_of_a_file_come_by_name():
    assert list(dm.read_many(WILD / "r_two.RData")) == ["t1", "t2"]
    assert dm.read_many(WILD / "r_multiphylo.rds")["first"] == dm.read(WILD / "r_phylo.rds")


@pytest.mark.further
def test_a_dendrogram_may_have_any_depth(tmp_path):
    (tmp_path / "x.rds").write_bytes(dendrogram(50_000))
    tree = dm.read(tmp_path / "x.rds")
    assert tree.n_items == 50_001
    assert tree.depths.max() == 50_000


@pytest.mark.parametrize("end", range(0, len(HCLUST), 7))
def test_a_file_that_ends_early_is_refused(end):
    with pytest.raises(FormatError):
        unserialize(HCLUST[:end])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (HEAD + word(13, 2**31 - 1), "they end early"),
        (HEAD + word(19, 2**30), "they end early"),
        (HEAD + word(16, 2**30), "they end early"),
        (HEAD + word(13, -1, 2**30, 0), "they end early"),
        (HEAD + word(13, -7), "must be at least 0"),
        (HEAD + word(0x1FF), "a reference of R must be to an earlier value"),
        (HEAD + word(21, 1), "compiled code"),
        (HEAD + word(9 | 0x40000, -2), "must be at least 0"),
        (HEAD + word(0x40009, 2) + b"\xff\xfe", "must be UTF-8 or Latin-1"),
        (b"X\n" + word(7, 0, 0), "must be 2 or 3; got 7"),
        (b"A\n2\nx\n3\n", "must hold a number here"),
        (b"A\n2\n3\n3\n13\n99999999\n1\n", "they end early"),
    ],
)
def test_a_broken_file_is_refused_before_memory_is_taken(data, says):
    tracemalloc.start()
    with pytest.raises(FormatError, match=says):
        unserialize(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def ranged(n):
    """A range of n numbers, as R keeps 1:n."""
    info = word(0x402) + symbol(b"compact_intseq") + word(0x2) + symbol(b"base") + word(254)
    return word(238) + info.replace(word(0x402), word(0x2)) + vector(n, 1.0, 1.0, kind=14) + word(254)


def test_ranges_are_short_all_together():
    assert unserialize(HEAD + ranged(5.0)).values == [1, 2, 3, 4, 5]
    with pytest.raises(FormatError, match="not much longer than the file"):
        unserialize(HEAD + ranged(1e9))
    with pytest.raises(FormatError, match="not much longer than the file"):
        unserialize(HEAD + word(19, 3) + ranged(60_000.0) * 3)


@pytest.mark.parametrize("packer", [bz2.compress, lzma.compress, gzip.compress])
def test_a_bomb_is_refused(tmp_path, packer):
    (tmp_path / "x.rds").write_bytes(packer(bytes(50_000_000)))
    with pytest.raises(FormatError, match="must unpack to at most 1,000,000 bytes"):
        dm.read(tmp_path / "x.rds", max_bytes=1_000_000)


def test_changed_bytes_end_in_a_tree_or_in_our_error(tmp_path):
    rng = np.random.default_rng(0)
    for name in ("r_hclust.rds", "r_dendrogram.rds", "r_phylo.rds", "r_data_frame.rds", "r_two.RData"):
        whole = np.frombuffer(gzip.decompress((WILD / name).read_bytes()), dtype=np.uint8)
        for _ in range(150):
            changed = whole.copy()
            changed[rng.integers(0, changed.size, 3)] = rng.integers(0, 256, 3)
            (tmp_path / name).write_bytes(changed.tobytes())
            with suppress(DendrometryError, AssumptionWarning):
                dm.read(tmp_path / name)
