"""Machine code of kernels on disk: what comes with the package, and what programs of this user compiled.

A file holds the code of one kernel for one signature. Its name is a hash of all that the code depends on: the text of
the kernel and of those that it calls, the types, the processor, and the versions of Python and numba. So a file fits or
is not found, and is never out of date. The files are pickles: they are read only from the package and from a folder
that no other user can write to.
"""

import functools
import hashlib
import os
import pickle
import platform
import stat
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
from llvmlite import binding
from numba.core import caching, codegen, compiler, config, serialize
from numba.core.runtime.nrt import rtsys

from dendrometry.errors import SlowStartWarning

if sys.platform != "win32":
    import fcntl

PACKAGED = Path(__file__).parent / "compiled"
# What x86 processors since 2013 (Intel) and 2015 (AMD) have.
_X86_64_V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3".split()

_BUILTINS = [str(Path(__file__).with_name(f"{name}.py")) for name in ("_builtins", "_compiler", "_fused")]
_CONFIG: Any = config
_REBUILD: Any = compiler.CompileResult._rebuild
_DUMP: Any = serialize.dumps

_is_building = False  # the code of the package


class Place(NamedTuple):
    """A folder with code, and the processor that the code is for."""

    folder: Path
    processor: tuple[str, str]  # its name and its features, as LLVM writes them


def portable_processor() -> tuple[str, str] | None:
    """Return the processor that code of the package is for on this system, if this one can run it."""
    machine = platform.machine().lower()
    if machine in ("aarch64", "arm64"):
        return ("apple-m1" if sys.platform == "darwin" else "generic"), ""
    features = binding.get_host_cpu_features() if machine in ("x86_64", "amd64") else {}
    return ("x86-64-v3", "") if all(features.get(name) for name in _X86_64_V3) else None


def _this_processor() -> tuple[str, str]:
    name, features = _CONFIG.CPU_NAME, _CONFIG.CPU_FEATURES
    if features is None:
        features = codegen.get_host_cpu_features()  # type: ignore[no-untyped-call]
    return name or binding.get_host_cpu_name(), features


@functools.cache
def _places() -> list[Place]:
    """Return where code is looked for, in order; new code is written to the last place."""
    if _is_building:
        return [Place(PACKAGED, _this_processor())]
    portable = portable_processor()
    packaged = [Place(PACKAGED, portable)] if portable and PACKAGED.is_dir() else []
    return [*packaged, Place(_user_folder(), _this_processor())]


def write_to_the_package() -> None:
    """Look for code in the package alone, and write new code there."""
    global _is_building
    _is_building = True
    _places.cache_clear()


def _user_folder() -> Path:
    """Return the folder for the code that this user's programs compile."""
    named = _CONFIG.CACHE_DIR or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named) / "dendrometry"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "dendrometry" / "cache"
    home = Path.home()
    return (home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache") / "dendrometry"


def _refuse_folder_of_others(folder: Path) -> None:
    """Raise an error unless a folder belongs to this user, or to root, and nobody else can write to it."""
    if sys.platform == "win32":  # a user's own folders are closed to others
        return
    status = folder.lstat()
    if status.st_uid not in (os.getuid(), 0) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"{folder} can be written to by other users")


@functools.cache
def _text_hash(file: str) -> bytes:
    """Return a hash of a file's text."""
    return hashlib.sha256(Path(file).read_bytes()).digest()


class Stored(caching._Cache):
    """The code of a kernel on disk; failures only cost time.

    Parameters
    ----------
    function : callable
        The kernel.
    files, constants : lists of str
        The files with its text and with that of all kernels that it calls, and the constants that these read.
    """

    def __init__(self, function: Callable[..., Any], files: list[str], constants: list[str]) -> None:
        code = function.__code__
        self._name = function.__name__
        self._kernel = (
            function.__module__,
            function.__qualname__,
            code.co_firstlineno,
            code.co_code,
            [_text_hash(file) for file in (*files, *_BUILTINS)],
            constants,
            numba.__version__,
            sys.implementation.cache_tag,
            getattr(sys, "abiflags", ""),
            binding.get_process_triple(),
            _CONFIG.BOUNDSCHECK,
        )

    def path(self, place: Place, sig: Any) -> Path:
        """Return the file for the code of a signature in a place."""
        key = hashlib.sha256(repr((self._kernel, place.processor, str(sig))).encode()).hexdigest()
        return place.folder / f"{self._name}-{key[:32]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types, or None if there is none that can be used."""
        found = self._load(sig, target_context, _places())
        if found is None and _lock(self.path(_places()[-1], sig)):  # another process may have written it meanwhile
            found = self._load(sig, target_context, _places()[-1:])
        return found

    def _load(self, sig: Any, target_context: Any, places: list[Place]) -> Any:
        for place in places:
            try:
                data = self.path(place, sig).read_bytes()
                if place.folder != PACKAGED:
                    _refuse_folder_of_others(place.folder)
                rtsys.initialize(target_context)  # enough to run code, and faster than all that compiling needs
                found = _REBUILD(target_context, *pickle.loads(data))
                if tuple(found.signature.args) != tuple(sig):
                    raise ValueError("code for other types")
                return found
            except (FileNotFoundError, NotADirectoryError):
                continue
            except Exception as error:
                _warn_of_slow_start(error)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for some types, if possible."""
        path = self.path(_places()[-1], sig)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _refuse_folder_of_others(path.parent)
            _write(path, _DUMP(data._reduce()))
        except Exception as error:
            _warn_of_slow_start(error)
        finally:
            _unlock(path)

    @property
    def cache_path(self) -> str:
        """The folder for new code."""
        return str(_places()[-1].folder)

    def flush(self) -> None:
        """Do nothing: a file fits or is not found."""

    enable = disable = flush


def _write(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


_locks = threading.local()  # the files whose code this thread compiles


def _lock(path: Path) -> bool:
    """Wait until no other process compiles the code of a file; return whether this could be found out."""
    if sys.platform == "win32":
        return False
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fcntl.lockf(_lock_file(path.parent), fcntl.LOCK_EX, 1, _byte(path))
    except OSError:  # a folder that is read only, or a system without locks: two may compile at once
        return False
    _locks.held = {*getattr(_locks, "held", ()), path}
    return True


def _unlock(path: Path) -> None:
    """Let other processes compile the code of a file."""
    if path in getattr(_locks, "held", ()):
        fcntl.lockf(_lock_file(path.parent), fcntl.LOCK_UN, 1, _byte(path))
        _locks.held.remove(path)


def release_locks() -> None:
    """Let other processes compile what this thread has given up."""
    for path in list(getattr(_locks, "held", ())):
        _unlock(path)


def _byte(path: Path) -> int:
    """Return the byte of the lock file that stands for a file."""
    return int(path.name[-8:], 16)


@functools.cache
def _lock_file(folder: Path) -> int:
    """Return a file of which each byte stands for code that is being compiled."""
    return os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


_warned = threading.Lock()  # once and for all


def _warn_of_slow_start(error: Exception) -> None:
    """Say once that compiled code is not kept, and why."""
    if _warned.acquire(blocking=False):
        warnings.warn(
            "the folder for compiled code must be there, intact, and writable by this user alone, or kernels are"
            f" compiled again; got {type(error).__name__}: {error} (NUMBA_CACHE_DIR names another folder)",
            SlowStartWarning,
            stacklevel=2,
        )
