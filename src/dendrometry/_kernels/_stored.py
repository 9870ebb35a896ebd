"""Machine code of kernels on disk: what comes with the package, and what programs of this user compiled.

A file holds the code of one kernel for one signature. Its name is a hash of all that the code depends on: the text of
the kernel and of those that it calls, the types, the processor, and the versions of Python and numba. So a file fits or
is not found, and is never out of date. The files are pickles: they are read only from the package and from a folder
that no other user can write to.
"""

import errno
import functools
import hashlib
import os
import pickle
import platform
import re
import stat
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
from llvmlite import binding
from numba.core import caching, codegen, compiler, config, serialize
from numba.core.runtime.nrt import rtsys

from dendrometry import _interrupt
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

_DIGEST = hashlib.sha256().digest_size
_PAUSE = 0.02  # seconds between two looks at a lock,
_LONGEST_WAIT = 10_000  # and how many looks: a process that holds it may have been stopped

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
    portable, own = portable_processor(), _user_folder()
    packaged = [Place(PACKAGED, portable)] if portable and os.access(PACKAGED, os.R_OK | os.X_OK) else []
    return [*packaged, *([Place(own, _this_processor())] if own else [])]


def write_to_the_package() -> None:
    """Look for code in the package alone, and write new code there."""
    global _is_building
    _is_building = True
    _places.cache_clear()


def _user_folder() -> Path | None:
    """Return the folder for the code that this user's programs compile; None if the user has no home."""
    named = _CONFIG.CACHE_DIR or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named) / "dendrometry"
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "dendrometry" / "cache"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return (home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache") / "dendrometry"


def _read(path: Path) -> bytes:
    """Return the contents of a file; outside the package, neither it nor its folder may be open to other users.

    What is checked is what is read: both are opened first, so that nobody can exchange them in between.
    """
    if path.parent == PACKAGED or sys.platform == "win32":
        return path.read_bytes()
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _refuse_what_others_can_write(os.fstat(folder), path.parent)
        with open(os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb") as file:
            status = os.fstat(file.fileno())
            _refuse_what_others_can_write(status, path)
            if not stat.S_ISREG(status.st_mode):
                raise PermissionError(f"{path} is not a file")
            return file.read()
    finally:
        os.close(folder)


def _refuse_what_others_can_write(status: os.stat_result, path: Path) -> None:
    """Raise an error unless something belongs to this user, or to root, and nobody else can write to it."""
    if sys.platform != "win32" and (
        status.st_uid not in (os.getuid(), 0) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        raise PermissionError(f"{path} can be written to by other users")


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
    fingerprint : list of str
        What its code depends on.
    """

    def __init__(self, function: Callable[..., Any], fingerprint: list[str]) -> None:
        self._name = function.__name__.strip("<>")
        self._kernel = (
            fingerprint,
            [_text_hash(file) for file in _BUILTINS],
            (numba.__version__, binding.llvm_version_info),
            (sys.implementation.cache_tag, getattr(sys, "abiflags", "")),
            system(binding.get_process_triple()),
            (_CONFIG.BOUNDSCHECK, int(_CONFIG.OPT), bool(_CONFIG.USING_SVML)),
        )

    def path(self, place: Place, sig: Any) -> Path:
        """Return the file for the code of a signature in a place."""
        key = hashlib.sha256(repr((self._kernel, place.processor, [*map(_spell, sig)])).encode()).hexdigest()
        return place.folder / f"{self._name}-{key[:32]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types, or None if there is none that can be used."""
        found = self._load(sig, target_context, _places())
        last = _places()[-1:]
        if found is None and last and _lock(self.path(last[0], sig)):  # another process may have written it meanwhile
            found = self._load(sig, target_context, last)
        return found

    def _load(self, sig: Any, target_context: Any, places: list[Place]) -> Any:
        for place in places:
            try:
                data = _read(self.path(place, sig))
                if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
                    raise ValueError("a damaged file")
                rtsys.initialize(target_context)  # enough to run code, and faster than all that compiling needs
                found = _REBUILD(target_context, *pickle.loads(data[_DIGEST:]))
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
        if not _places():
            return
        path = self.path(_places()[-1], sig)
        try:
            _make_folder(path.parent)
            payload = _DUMP(data._reduce())
            _write(path, hashlib.sha256(payload).digest() + payload)
        except Exception as error:
            _warn_of_slow_start(error)
        finally:
            _unlock(path)

    @property
    def cache_path(self) -> str:
        """The folder for new code."""
        return str(_places()[-1].folder) if _places() else ""

    def flush(self) -> None:
        """Do nothing: a file fits or is not found."""

    enable = disable = flush


def _spell(kind: Any) -> str:
    """Return a type as text; tuples with the names of their fields, which numba leaves out."""
    made = getattr(kind, "instance_class", tuple)
    parts: Any = kind if isinstance(kind, numba.types.BaseTuple) else None
    if parts is None:
        return str(kind)
    return f"{made.__module__}.{made.__qualname__}{getattr(made, '_fields', ())}({', '.join(map(_spell, parts))})"


def system(triple: str) -> str:
    """Return the name of a system without its version, which says nothing about the code."""
    return re.sub(r"(darwin|macosx?)[\d.]+", r"\1", triple)


def _make_folder(folder: Path) -> None:
    """Make the folder for code: that of a user is closed to others, that of the package is open to all readers."""
    folder.mkdir(mode=0o755 if folder == PACKAGED else 0o700, parents=True, exist_ok=True)
    _refuse_what_others_can_write(folder.stat(), folder)


def _write(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, for this user alone or, in the package, for all readers."""
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        if path.parent == PACKAGED:
            os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


_locks = threading.local()  # the files whose code this thread compiles


def _lock(path: Path) -> bool:
    """Wait until no other process compiles the code of a file; return whether this could be found out."""
    if sys.platform == "win32":
        return False
    try:
        _make_folder(path.parent)
        file = _lock_file(path.parent)
    except OSError:  # a folder that is read only: two may compile at once
        return False
    for _ in range(_LONGEST_WAIT):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _byte(path))
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):  # a system without locks
                return False
        else:
            _locks.held = {*getattr(_locks, "held", ()), path}
            return True
        time.sleep(_PAUSE)
        _interrupt.raise_deferred()
        _interrupt.raise_if_stopped()  # on other threads
    return False


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
