"""The file formats by name, with the endings of their files; light, so that the command line's help can read it."""

from typing import Literal

FormatName = Literal["newick", "nexus", "json", "csv", "tsv", "parquet", "npy"]

ENDINGS: dict[FormatName, tuple[str, ...]] = {
    "newick": (".nwk", ".newick", ".tree", ".tre", ".treefile", ".nhx"),
    "nexus": (".nex", ".nexus"),
    "json": (".json",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "parquet": (".parquet",),
    "npy": (".npy",),
}


def tells_format(name: str) -> bool:
    """Whether the ending of a file name, before a further .gz, is that of a format."""
    known = tuple(ending for endings in ENDINGS.values() for ending in endings)
    return name.lower().removesuffix(".gz").endswith(known)
