"""The signatures of kernels in ``signatures.txt``, for which code comes with the package: read and written as text."""

import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba

LISTED = Path(__file__).parent / "signatures.txt"
types: Any = numba.types
_ROOT = __name__.partition(".")[0] + "."
_ARRAY = re.compile(r"(\w+)\[(\d)([CFA])(r?)\]")  # int64[2Cr]: an array of two dimensions in C order, read only


def listed() -> list[str]:
    """Return the lines of the list: the kernel's module and name, and the types of its arguments."""
    return LISTED.read_text(encoding="utf-8").splitlines()


def spell(function: Callable[..., Any], signature: tuple[Any, ...]) -> str:
    """Return the line of the list for a kernel and the types of its arguments."""
    return f"{function.__module__.removeprefix(_ROOT)}.{function.__name__}({_spell_all(signature)})"


def kernel_of(line: str) -> Any:
    """Return the kernel of a line."""
    module, _, name = line.partition("(")[0].rpartition(".")
    return getattr(importlib.import_module(_ROOT + module), name)


def types_of(line: str) -> tuple[Any, ...]:
    """Return the types of a line."""
    words = iter(re.findall(r"[\w.]+(?:\[\w+\])?|[()]", line.partition("(")[2]))
    return tuple(_read_until_closed(words))


def _spell_all(kinds: Any) -> str:
    return ", ".join(map(_spell_one, kinds))


def _spell_one(kind: Any) -> str:
    if isinstance(kind, types.Array):
        return f"{kind.dtype}[{kind.ndim}{kind.layout}{'' if kind.mutable else 'r'}]"
    if isinstance(kind, types.BaseTuple):
        made = getattr(kind, "instance_class", tuple)
        name = "" if made is tuple else f"{made.__module__.removeprefix(_ROOT)}.{made.__name__}"
        return f"{name}({_spell_all(kind)})"
    return str(kind)


def _read_until_closed(words: Iterator[str]) -> list[Any]:
    """Read types until the bracket that closes them."""
    kinds: list[Any] = []
    name = ""
    for word in words:
        if word == "(":
            kinds.append(_tuple(name, _read_until_closed(words)))
            name = ""
        elif word == ")":
            break
        elif "." in word:
            name = word
        else:
            kinds.append(_one(word))
    return kinds


def _one(word: str) -> Any:
    found = _ARRAY.fullmatch(word)
    if found is None:
        return _scalar(word)
    dtype, ndim, layout, readonly = found.groups()
    return types.Array(_scalar(dtype), int(ndim), layout, readonly=bool(readonly))


def _scalar(word: str) -> Any:
    return types.boolean if word == "bool" else getattr(types, word)


def _tuple(name: str, kinds: list[Any]) -> Any:
    module, _, made = name.rpartition(".")
    return types.BaseTuple.from_types(kinds, getattr(importlib.import_module(_ROOT + module), made) if name else None)
