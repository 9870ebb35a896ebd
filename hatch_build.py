"""The hook of the build: a wheel that holds compiled kernels says which Python and system can load them."""

import platform
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_COMPILED = Path("src", "dendrometry", "_kernels", "compiled")  # by make compiled; a wheel without them is for all


class CompiledKernels(BuildHookInterface[Any]):
    """Tags the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Set the tag if there are compiled kernels."""
        if version != "editable" and any((Path(self.root) / _COMPILED).glob("*-*")):
            python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
            build_data["pure_python"] = False
            build_data["tag"] = f"{python}-{python}{getattr(sys, 'abiflags', '')}-{_system()}"


def _system() -> str:
    """Return the tag of this system: the oldest that numba runs on."""
    machine = platform.machine().lower()
    return {"darwin": f"macosx_11_0_{machine}", "win32": f"win_{machine}"}.get(
        sys.platform, f"manylinux_2_28_{machine}"
    )
