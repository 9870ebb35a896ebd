"""Files of AnnData: columns of obs and dendrograms of uns, and nothing that is stored elsewhere."""

import gzip
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import h5py
import numpy as np
import pandas as pd
import pytest

import dendrometry as dm
from dendrometry.errors import AssumptionWarning, FormatError, InvalidInputError, MissingExtraError
from dendrometry.io import from_anndata

WILD = Path(__file__).parents[2] / "data" / "wild"


@pytest.fixture
def types(tmp_path):
    return Path(shutil.copy(WILD / "anndata_types.h5ad", tmp_path / "x.h5ad"))


def test_a_file_is_read_as_the_object():
    obs = pd.DataFrame(
        {"major": ["T", "T", "B"], "cell_type": ["CD4 T", "CD8 T", "B naive"]}, index=["AAAC-1", "AAAG-1", "AACT-1"]
    )
    levels = ["major", "cell_type"]
    assert dm.read(WILD / "anndata_types.h5ad", levels=levels) == from_anndata(SimpleNamespace(obs=obs), levels=levels)
    stored = {"linkage": [[0, 1, 0.2, 2], [2, 3, 0.9, 3]], "categories_ordered": ["NK", "T", "B"]}
    held = SimpleNamespace(uns={"d": stored | {"categories_idx_ordered": [2, 0, 1]}})
    assert dm.read(WILD / "scanpy_dendrogram.h5ad", tree="dendrogram_type") == from_anndata(held, dendrogram="d")


def test_a_dendrogram_over_numbers_is_taken_when_it_is_named():
    with pytest.raises(InvalidInputError, match="which another run gives to other clusters"):
        dm.read(WILD / "scanpy_dendrogram_numbers.h5ad")
    assert dm.read(WILD / "scanpy_dendrogram_numbers.h5ad", tree=1).items == ("0", "1", "2")


def test_a_compressed_file_is_read(tmp_path):
    (tmp_path / "x.h5ad.gz").write_bytes(gzip.compress((WILD / "anndata_types.h5ad").read_bytes()))
    assert dm.read(tmp_path / "x.h5ad.gz", levels=["major"]).n_items == 3


def test_old_and_missing_categories_are_read(tmp_path):
    path = tmp_path / "x.h5ad"
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs.attrs["_index"] = "cell"
        obs["cell"] = np.array([b"a", b"b", b"c"])
        obs["old"] = np.array([0, 1, -1], dtype=np.int8)
        obs["__categories/old"] = np.array([b"x", b"y"])
    with pytest.warns(AssumptionWarning, match="1 of 3 items without any level"):
        assert sorted(dm.read(path, levels=["old"]).node_names) == ["", "x", "y"]


def test_links_and_data_elsewhere_are_refused(types, tmp_path):
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["x"] = np.array([b"a", b"b", b"c"])
    with h5py.File(types, "a") as file:
        obs = file["obs"]
        obs["outside"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "/x")
        obs["soft"] = h5py.SoftLink("/obs/n_genes")
        obs.create_dataset("raw", shape=(3,), dtype="i4", external=[(str(tmp_path / "secret.h5"), 0, 12)])
        layout = h5py.VirtualLayout(shape=(3,), dtype="S1")
        layout[:] = h5py.VirtualSource(str(tmp_path / "secret.h5"), "x", shape=(3,))
        obs.create_virtual_dataset("virtual", layout)
    for name, says in (
        ("outside", "is a link"),
        ("soft", "is a link"),
        ("raw", "of its own"),
        ("virtual", "of its own"),
    ):
        with pytest.raises(FormatError, match=says):
            dm.read(types, levels=[name])


def test_a_column_that_declares_much_is_refused_before_it_is_made(types):
    with h5py.File(types, "a") as file:
        file["obs"].create_dataset("huge", shape=(10**12,), dtype="i8", chunks=(10**6,), compression="gzip")
        file["obs"].create_dataset("texts", shape=(10**10,), dtype=h5py.string_dtype(), chunks=(10**6,))
    for name in ("huge", "texts"):
        with pytest.raises(FormatError, match="must take less memory"):
            dm.read(types, levels=[name])


def test_one_long_text_that_is_read_often_is_refused(types):
    with h5py.File(types, "a") as file:
        texts = file["obs"].create_dataset("long", shape=(3,), dtype=h5py.string_dtype())
        texts[:] = ["x" * 500_000] * 3
    with pytest.raises(FormatError, match="must take less memory"):
        dm.read(types, levels=["long"], max_bytes=1_000_000)


@pytest.mark.parametrize("codes", [[0, 5, 1], [0, -2, 1]])
def test_codes_without_a_category_are_refused(types, codes):
    with h5py.File(types, "a") as file:
        file["obs/major/codes"][:] = codes
    with pytest.raises(FormatError, match="the codes of categories must be from -1 to 1"):
        dm.read(types, levels=["major"])


def test_what_is_no_file_of_anndata_is_refused(tmp_path):
    with h5py.File(tmp_path / "x.h5ad", "w") as file:
        file["X"] = np.zeros(3)
    with pytest.raises(FormatError, match=r"must have a group obs.*write_h5ad\(new\) writes one"):
        dm.read(tmp_path / "x.h5ad")
    with pytest.raises(InvalidInputError, match="No such file"):
        dm.read(tmp_path / "nowhere.h5ad")


def test_the_only_dendrogram_is_said():
    with pytest.warns(AssumptionWarning, match="the dendrogram 'dendrogram_type' of AnnData is taken"):
        dm.read(WILD / "scanpy_dendrogram.h5ad")


def test_the_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingExtraError, match=r"an .h5ad file needs h5py: pip install 'dendrometry\[tables\]'"):
        dm.read(WILD / "anndata_types.h5ad")
