"""What one person has on the server: files that were put there, and jobs with what they wrote, all in one folder."""

import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files as package_files
from pathlib import Path

from dendrometry._display import printable
from dendrometry.app.jobs import Job
from dendrometry.app.names import free_name, harmless
from dendrometry.errors import InvalidInputError

EXAMPLES = Path(str(package_files("dendrometry.app").joinpath("examples")))
MOST_FILES = 5000
_MOST_LISTED = 500  # of the folder that is shown
_SPACES = 4  # files of a person may take as many times the limit of one file


@dataclass
class Workspace:
    """The files and jobs of one person.

    Attributes
    ----------
    token : str
        The secret in the address.
    folder : Path
        Where files and jobs are kept, until the server ends.
    shared : Path or None
        A folder of the machine that is listed and read, with nothing above it.
    most_bytes : int
        The largest file that is taken.
    jobs : dict of Job
        The jobs by number.
    """

    token: str
    folder: Path
    shared: Path | None
    most_bytes: int
    jobs: dict[int, Job] = field(default_factory=dict)
    _last: int = 0

    @classmethod
    def new(cls, root: Path, shared: Path | None, most_bytes: int) -> "Workspace":
        """Return an empty workspace with a secret of its own."""
        folder = root / secrets.token_hex(8)
        (folder / "uploads").mkdir(parents=True, mode=0o700)
        return cls(secrets.token_urlsafe(24), folder, shared, most_bytes)

    def uploads(self) -> list[str]:
        """Return the names of the files that were put here, the latest last."""
        found = sorted((self.folder / "uploads").iterdir(), key=lambda path: (path.stat().st_mtime_ns, path.name))
        return [path.name for path in found if not path.name.startswith(".")]

    def place_for(self, name: str) -> Path:
        """Return the place of a new file, under a harmless name that no other file has."""
        folder = self.folder / "uploads"
        taken = {path.name for path in folder.iterdir()}
        if len(taken) >= MOST_FILES:
            raise InvalidInputError(f"there must be at most {MOST_FILES:,} files; remove some")
        return folder / free_name(harmless(name), taken)

    def room(self) -> int:
        """Return the bytes that a new file may have."""
        used = sum(path.stat().st_size for path in (self.folder / "uploads").iterdir())
        return max(0, min(self.most_bytes, _SPACES * self.most_bytes - used))

    def listed(self) -> list[str]:
        """Return the files of the shared folder, relative to it; hidden ones and links that lead out are left out."""
        if self.shared is None:
            return []
        found: list[str] = []
        for folder, folders, names in os.walk(self.shared):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = Path(folder, name)
                if not name.startswith(".") and self._is_inside(path):
                    found.append(path.relative_to(self.shared).as_posix())
            if len(found) >= _MOST_LISTED:
                break
        return found[:_MOST_LISTED]

    def _is_inside(self, path: Path) -> bool:
        """Whether a path is a file of the shared folder, after all links."""
        assert self.shared is not None
        real = path.resolve()
        return real.is_file() and real.is_relative_to(self.shared.resolve())

    def path_of(self, reference: str) -> Path:
        """Return the file that "uploads/…", "examples/…" or "folder/…" stands for, and refuse all others."""
        kind, _, name = reference.partition("/")
        path: Path | None = None
        if name and "\0" not in name:
            if kind in ("uploads", "examples") and name == os.path.basename(name) and name not in (".", ".."):
                path = (self.folder / "uploads" if kind == "uploads" else EXAMPLES) / name
            elif kind == "folder" and self.shared is not None:
                path = self.shared / name
                hidden = any(step.startswith(".") for step in Path(name).parts)
                path = path if not hidden and not Path(name).is_absolute() and self._is_inside(path) else None
        if path is None or not path.is_file() or (kind == "uploads" and path.is_symlink()):
            raise InvalidInputError(f"there must be a file of this name; got '{printable(reference)}'")
        return path

    def keep_sent(self, name: str, text: str) -> Path:
        """Keep a text that was sent for one job, in a folder of its own, and return its file."""
        data = text.encode("utf-8", "backslashreplace")
        if len(data) > self.most_bytes:
            raise InvalidInputError(f"a file must have at most {self.most_bytes:,} bytes; got {len(data):,}")
        path = self.folder / "sent" / secrets.token_hex(8) / harmless(name)
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        return path

    def remove(self, name: str) -> None:
        """Remove a file that was put here."""
        self.path_of(f"uploads/{name}").unlink()

    def folder_of_job(self, references: Sequence[str | Path]) -> tuple[int, Path, list[str]]:
        """Return the number and the folder of a new job, which holds the files, and their names in it."""
        paths = [one if isinstance(one, Path) else self.path_of(one) for one in references]
        self._last += 1
        folder = self.folder / "jobs" / str(self._last)
        folder.mkdir(parents=True)
        taken: set[str] = set()
        names: dict[Path, str] = {}
        for path in paths:
            if path not in names:
                names[path] = free_name(harmless(path.name), taken)
                _bring(path, folder / names[path])
        return self._last, folder, [names[path] for path in paths]

    def forget(self, number: int) -> None:
        """Remove a job that has ended, with what it wrote."""
        job = self.jobs.pop(number)
        shutil.rmtree(job.folder, ignore_errors=True)


def _bring(source: Path, target: Path) -> None:
    """Put a file where a command finds it, without a copy where that can be."""
    try:
        target.symlink_to(source)
    except OSError:
        shutil.copyfile(source, target)
