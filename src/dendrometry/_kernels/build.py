"""Compile the kernels that come with the package: ``python -m dendrometry._kernels.build``.

Each signature in ``signatures.txt`` becomes a file in ``compiled/``, made for all processors of a kind: x86-64-v3, the
baseline of aarch64, or Apple's first. Only what is missing is made, on all cores.
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numba

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
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(n_cores(), context, initializer=_prepare, initargs=processor) as pool:
            for _ in track(pool.map(_compile, missing), "compiling", len(missing), True):
                pass
    lost = [line for line, path in paths.items() if not path.exists()]
    if lost:
        raise SystemExit(f"{place.folder} must be writable; {len(lost)} kernels are not there, such as {lost[0]}")
    for path in set(place.folder.glob("[!.]*")) - set(paths.values()):
        path.unlink(missing_ok=True)  # of kernels that only others call, or that have changed


def _prepare(name: str, features: str) -> None:
    """Let a process compile for a processor, whatever the environment says, and into the package."""
    config: Any = numba.core.config
    config.CPU_NAME, config.CPU_FEATURES, config.BOUNDSCHECK, config.OPT = name, features, None, type(config.OPT)(3)
    _stored.write_to_the_package()


def _path(line: str, place: _stored.Place) -> Path:
    """Return the file for the code of a line."""
    store: _stored.Stored = signatures.kernel_of(line).compiled.call._cache
    return store.path(place, signatures.types_of(line))


def _compile(line: str) -> None:
    """Make the code for a line."""
    try:
        signatures.kernel_of(line).compiled.compile_types(signatures.types_of(line))
    except Exception as error:
        raise RuntimeError(f"{signatures.LISTED.name}: {line} cannot be compiled: {error}") from None


if __name__ == "__main__":
    build()
