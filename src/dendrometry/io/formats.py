"""The file formats by name, with the endings of their files; light, so that the command line's help can read it."""

from typing import Literal

__all__ = ["ENDINGS", "FormatName"]

FormatName = Literal["newick", "json", "csv", "tsv", "parquet", "npy"]

ENDINGS: dict[FormatName, tuple[str, ...]] = {
    "newick": (".nwk", ".newick", ".tree", ".tre", ".treefile"),
    "json": (".json",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "parquet": (".parquet",),
    "npy": (".npy",),
}
