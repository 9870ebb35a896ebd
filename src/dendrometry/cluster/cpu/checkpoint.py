"""What a long build has done so far, in a file from which it goes on after a stop."""

import hashlib
import os
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dendrometry._display import printable
from dendrometry._files import FilePath, check_place, part_beside
from dendrometry.errors import Argument, InvalidInputError

_SECONDS = 60.0  # between two writings at least
_FORMAT = 1  # of the state: files of another are refused


class Checkpoint:
    """A file with the state of a build: written whole, now and then, read if it is there, removed when all is done.

    Parameters
    ----------
    path : str or PathLike
        The file.
    settings : str
        What the state depends on besides the data.
    data : sequence of arrays
        The data: a file of other data or settings is refused.

    Attributes
    ----------
    found : dict
        The arrays that the file held, or nothing.
    """

    def __init__(self, path: FilePath, settings: str, *data: Any) -> None:
        self._name, self._written = (
            check_place(path, endings=(".npz",), force=True, called=Argument("resume")),
            time.monotonic(),
        )
        digest = hashlib.sha256(f"{_FORMAT} {settings} {[array.shape for array in data]}".encode())
        for array in data:
            digest.update(np.ascontiguousarray(array).data)
        self._key = digest.hexdigest()
        self.found = self._read() if os.path.exists(self._name) else {}

    def _read(self) -> dict[str, Any]:
        try:
            with open(self._name, "rb") as stream, np.load(stream, allow_pickle=False) as file:
                found = dict(file)
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            found = {}
        if str(found.pop("key", "")) != self._key:
            raise InvalidInputError(
                Argument("resume"),
                " must be a new file, or that of a build of the same points by the same linkage and metric; got"
                f" {printable(self._name, longest=4096)}, which is neither",
            )
        return found

    @property
    def is_due(self) -> bool:
        """Whether the last writing is long ago."""
        return time.monotonic() - self._written >= _SECONDS

    def write(self, state: Mapping[str, Any]) -> None:
        """Write the state in place of an earlier one: whole, or not at all."""
        part = part_beside(Path(self._name))
        try:
            with open(part, "xb") as file:
                np.savez(file, key=np.array(self._key), **state)
            os.replace(part, self._name)
        except OSError as error:
            raise InvalidInputError(
                f"cannot write {printable(self._name, longest=4096)}: {error.strerror or error}"
            ) from None
        finally:
            part.unlink(missing_ok=True)
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove the file, if there is one."""
        Path(self._name).unlink(missing_ok=True)
