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

# Formats that are only read, by the endings of their files.
READ_ENDINGS: dict[str, tuple[str, ...]] = {
    "r": (".rds", ".rdata", ".rda"),
    "xlsx": (".xlsx", ".xlsm"),
    "h5ad": (".h5ad",),
}


def read_only_format(name: str) -> str | None:
    """Return the format of a file that is only read, by its ending before a further .gz, or None."""
    stem = name.lower().removesuffix(".gz")
    return next((form for form, endings in READ_ENDINGS.items() if stem.endswith(endings)), None)


def tells_format(name: str) -> bool:
    """Whether the ending of a file name, before a further .gz, is that of a format."""
    known = tuple(ending for endings in ENDINGS.values() for ending in endings)
    return name.lower().removesuffix(".gz").endswith(known)
