"""Compile the kernels that come with the package: ``python -m dendrometry._kernels.build``.

Each signature in ``signatures.txt`` becomes a file in ``compiled/``, made for all processors of a kind: x86-64-v3, the
baseline of aarch64, or Apple's first. Only what is missing is made, on all cores.
"""

import multiprocessing
import os
from pathlib import Path

from dendrometry._kernels import _stored, signatures
from dendrometry._progress import track
from dendrometry._threads import n_cores


def build() -> None:
    """Compile what is missing, and remove what is no longer listed."""
    processor = _stored.portable_processor()
    if processor is None:
        print("code for other processors cannot be made on this one: kernels are compiled when they are used")
        return
    place = _stored.Place(_stored.PACKAGED, processor)
    paths = {line: _path(line, place) for line in signatures.listed()}
    missing = [line for line, path in paths.items() if not path.exists()]
    if missing:
        os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = processor
        context = multiprocessing.get_context("spawn")  # numba reads the environment when it is loaded
        with context.Pool(n_cores()) as pool:
            for _ in track(pool.imap_unordered(_compile, missing), "compiling", len(missing), True):
                pass
    for path in set(place.folder.glob("*")) - set(paths.values()):
        path.unlink()  # of kernels that only others call, or that have changed


def _path(line: str, place: _stored.Place) -> Path:
    """Return the file for the code of a line."""
    store: _stored.Stored = signatures.kernel_of(line).compiled.call._cache
    return store.path(place, signatures.types_of(line))


def _compile(line: str) -> None:
    """Make the code for a line."""
    _stored.write_to_the_package()
    try:
        signatures.kernel_of(line).compiled.compile_types(signatures.types_of(line))
    except Exception as error:
        raise SystemExit(f"{signatures.LISTED.name}: {line} cannot be compiled: {error}") from error


if __name__ == "__main__":
    build()
