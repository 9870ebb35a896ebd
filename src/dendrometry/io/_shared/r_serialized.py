"""What R's saveRDS and save write, as plain values: nothing is evaluated, and nothing recurses.

The format is that of "R Internals", section "Serialization Formats", versions 2 and 3. A value that has parts waits on
a stack for them, so that nesting may have any depth. A length is compared with what is left of the data before anything
is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry.errors import FormatError

_VALUE_BYTES = 20  # of memory for each byte of the data, at most: a value without parts is four bytes there
_FREE = 100_000  # values that ranges may stand for besides one for each byte
_MAGIC = re.compile(rb"RD[XA][23]\n")
_SYMBOL, _PAIRS, _ENVIRONMENT, _CHARACTERS, _LIST, _S4 = 1, (2, 3, 5, 6, 17), 4, 9, (19, 20), 25
_LOGICAL, _INTEGER, _REAL, _COMPLEX, _STRINGS, _RAW = 10, 13, 14, 15, 16, 24
_BUILT_IN, _POINTER, _WEAK = (7, 8), 22, 23
_RANGE, _PACKAGES, _REFERENCE = 238, (247, 248, 249), 255
_NOTHING = (241, 242, 250, 251, 252, 253, 254)  # NULL, and environments and marks of R itself
_HAS_ATTRIBUTES, _HAS_TAG = 1 << 9, 1 << 10
_LATIN1 = 4
_NA_INTEGER = -(2**31)
_NA_REAL = 1954  # the lower half of the bits of R's NA


class RValue(NamedTuple):
    """A value of R: "numbers", "text", "list" or "other"; a missing one among numbers and text is None."""

    kind: str
    values: list[Any]
    attributes: dict[str, RValue]

    def texts(self, attribute: str) -> list[str]:
        """Return an attribute that is text, such as the names, "" for a missing one; [] if there is none."""
        held = self.attributes.get(attribute)
        return [value or "" for value in held.values] if held is not None and held.kind == "text" else []


NULL = RValue("other", [], {})
_Steps = Generator["_Steps", RValue, RValue]


def is_workspace(data: bytes) -> bool:
    """Whether unpacked data are those of ``save``, with a name for each object."""
    return _MAGIC.match(data) is not None


def unserialize(data: bytes) -> RValue:
    """Return the value in the unpacked data of ``saveRDS``, or the list of objects in those of ``save``.

    Raises
    ------
    FormatError
        If the data are not in R's format, end early, or hold what no tree needs, such as compiled code.
    """
    _memory.require_memory(_VALUE_BYTES * len(data), "an object of R", "Save the tree alone.")
    start = 5 if is_workspace(data) else 0
    form = data[start : start + 2]
    if form not in (b"X\n", b"B\n", b"A\n"):
        raise FormatError(f"the file must be one that saveRDS or save of R wrote; got {printable(data[:8])}")
    source = _Text(data, start + 2) if form == b"A\n" else _Binary(data, start + 2, ">" if form == b"X\n" else "<")
    version, *_ = source.integers(3).tolist()
    if version not in (2, 3):
        raise FormatError(f"the version of R's format must be 2 or 3; got {version}")
    if version == 3:
        source.characters(source.length())  # the encoding of text that has no mark of its own
    return _finish(_Reader(source, len(data) + _FREE).item())


def _finish(steps: _Steps) -> RValue:
    """Return the value of steps, of which each may wait for that of others."""
    stack, value = [steps], NULL
    started = False
    while stack:
        try:
            stack.append(stack[-1].send(value) if started else next(stack[-1]))
            started = False
        except StopIteration as done:
            stack.pop()
            value, started = done.value, True
    return value


class _Binary:
    """Numbers and characters of binary data."""

    def __init__(self, data: bytes, at: int, order: str) -> None:
        self._data, self._at, self._order = data, at, order

    def take(self, n_bytes: int) -> bytes:
        """Return the next bytes, of which there must be so many."""
        if n_bytes > len(self._data) - self._at:
            raise FormatError("the data of R must be complete; they end early")
        self._at += n_bytes
        return self._data[self._at - n_bytes : self._at]

    def require(self, n_items: int) -> None:
        """Refuse a list or vector of text with more parts than there is room for."""
        if 4 * n_items > len(self._data) - self._at:
            raise FormatError("the data of R must be complete; they end early")

    def number(self) -> int:
        return int.from_bytes(self.take(4), "big" if self._order == ">" else "little", signed=True)

    def integers(self, n: int) -> Any:
        return np.frombuffer(self.take(4 * n), dtype=f"{self._order}i4").astype(np.int64)

    def reals(self, n: int) -> Any:
        return np.frombuffer(self.take(8 * n), dtype=f"{self._order}f8").astype(np.float64)

    def characters(self, n: int) -> bytes:
        return self.take(n)

    def length(self) -> int:
        return _length(self)


_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"v": b"\v", b"b": b"\b", b"r": b"\r", b"f": b"\f", b"a": b"\a"}


class _Text:
    """Numbers and characters of data in ASCII: one on each line."""

    def __init__(self, data: bytes, at: int) -> None:
        self._lines = data[at:].split(b"\n")
        self._lines.reverse()

    def _line(self) -> bytes:
        if not self._lines:
            raise FormatError("the data of R must be complete; they end early")
        return self._lines.pop()

    def require(self, n_items: int) -> None:
        if n_items > len(self._lines):
            raise FormatError("the data of R must be complete; they end early")

    def number(self) -> int:
        return int(self.integers(1)[0])

    def integers(self, n: int) -> Any:
        self.require(n)
        values = [_NA_INTEGER if line == b"NA" else _parsed(int, line) for line in (self._line() for _ in range(n))]
        return np.array(values, dtype=np.int64)

    def reals(self, n: int) -> Any:
        self.require(n)
        values = [np.nan if line == b"NA" else _parsed(float, line) for line in (self._line() for _ in range(n))]
        return np.array(values, dtype=np.float64)

    def characters(self, n: int) -> bytes:
        return _ESCAPE.sub(_unescaped, self._line()) if n else self._line()

    def length(self) -> int:
        return _length(self)


def _unescaped(found: re.Match[bytes]) -> bytes:
    """Return the byte that an escape stands for."""
    return bytes([int(found[1], 8) & 255]) if found[1] else _ESCAPED.get(found[2], found[2])


def _parsed(kind: type, line: bytes) -> Any:
    """Return a number that a line of text holds."""
    try:
        value = kind(line)
    except ValueError:
        raise FormatError(f"the data of R must hold a number here; got {printable(line)}") from None
    if kind is int and not -(2**31) <= value < 2**31:
        raise FormatError(f"the whole numbers of R must have 32 bits; got {printable(line)}")
    return value


def _length(source: _Binary | _Text) -> int:
    """Return the length of a vector, which has two parts if it is long."""
    n = source.number()
    if n == -1:
        upper, lower = source.integers(2).tolist()
        n = (upper << 32) + (lower & 0xFFFFFFFF)
    if n < 0:
        raise FormatError(f"the length of a vector of R must be at least 0; got {n}")
    return n


class _Reader:
    """The steps that make values of a source; symbols and environments may be referred to later."""

    def __init__(self, source: _Binary | _Text, most_ranged: int) -> None:
        self._source = source
        self._most_ranged = most_ranged
        self._known: list[RValue] = []

    def item(self, flags: int | None = None) -> _Steps:
        """Return a value; ``flags`` are those before it, if they are already read."""
        source = self._source
        flags = source.number() if flags is None else flags
        kind = flags & 255
        if kind in _NOTHING:
            return NULL
        if kind == _REFERENCE:
            return self._referred((flags >> 8) or source.number())
        if kind == _CHARACTERS:
            return RValue("text", [self._text(flags)], {})
        if kind == _SYMBOL:
            self._known.append((yield self.item()))
            return self._known[-1]
        if kind in _PAIRS:
            return (yield self._pairs(flags))
        if kind == _RANGE:
            return (yield self._stored_otherwise())
        found = (yield self._list()) if kind in _LIST else self._vector(kind)
        if found is None:
            return (yield self._other(kind, flags))
        return (yield self._with_attributes(found)) if flags & _HAS_ATTRIBUTES else found

    def _referred(self, number: int) -> RValue:
        """Return a value that was there before."""
        if not 1 <= number <= len(self._known):
            raise FormatError(f"a reference of R must be to an earlier value; got {number}")
        return self._known[number - 1]

    def _text(self, flags: int) -> str | None:
        """Return a text, None for a missing one."""
        n = self._source.number()
        if n == -1:
            return None
        if n < 0:
            raise FormatError(f"the length of a text of R must be at least 0; got {n}")
        held = self._source.characters(n)
        try:
            return held.decode("latin-1" if (flags >> 12) & _LATIN1 else "utf-8")
        except UnicodeDecodeError:
            raise FormatError(f"the text of R must be UTF-8 or Latin-1; got {printable(held)}") from None

    def _vector(self, kind: int) -> RValue | None:
        """Return a vector of numbers or text without its attributes; None for another kind."""
        source = self._source
        if kind in (_LOGICAL, _INTEGER):
            return _numbers(source.integers(source.length()))
        if kind == _REAL:
            return _numbers(source.reals(source.length()))
        if kind == _COMPLEX:
            source.reals(2 * source.length())
            return NULL
        if kind == _RAW:
            source.characters(source.length())
            return NULL
        if kind == _STRINGS:
            n = source.length()
            source.require(n)
            texts = []
            for _ in range(n):
                flags = source.number()
                if flags & 255 != _CHARACTERS:
                    raise FormatError("a vector of text of R must hold text; got something else")
                texts.append(self._text(flags))
            return RValue("text", texts, {})
        return None

    def _list(self) -> _Steps:
        """Return the values of a list."""
        n = self._source.length()
        self._source.require(n)
        values = []
        for _ in range(n):
            values.append((yield self.item()))
        return RValue("list", values, {})

    def _pairs(self, flags: int) -> _Steps:
        """Return the values of a chain of pairs, as calls and attributes are written, with their names."""
        values: list[RValue] = []
        names: list[str] = []
        while flags & 255 in _PAIRS:
            if flags & _HAS_ATTRIBUTES:
                yield self.item()
            tag = (yield self.item()) if flags & _HAS_TAG else NULL
            names.append(tag.values[0] or "" if tag.kind == "text" else "")
            values.append((yield self.item()))
            flags = self._source.number()
        if flags & 255 != _NOTHING[-1]:
            values.append((yield self.item(flags)))
            names.append("")
        return RValue("list", values, {"names": RValue("text", names, {})})

    def _with_attributes(self, found: RValue) -> _Steps:
        """Return a value with the attributes that follow it."""
        held = yield self.item()
        return found._replace(attributes=dict(zip(held.texts("names"), held.values, strict=False)))

    def _stored_otherwise(self) -> _Steps:
        """Return a vector that R keeps in another form: a range, numbers that are text, or one that is wrapped."""
        info = yield self.item()
        state = yield self.item()
        attributes = yield self.item()
        name = str(info.values[0].values[0]) if info.values and info.values[0].kind == "text" else ""
        if name in ("compact_intseq", "compact_realseq") and len(state.values) == 3 and state.kind == "numbers":
            found = self._range(*state.values)
        elif name.startswith("wrap_") and state.values and isinstance(state.values[0], RValue):
            found = state.values[0]
        elif name == "deferred_string" and state.values and isinstance(state.values[0], RValue):
            texts = [None if value is None else number_text(value) for value in state.values[0].values]
            found = RValue("text", texts, {})
        else:
            raise FormatError(f"a vector of R must be of a form that saveRDS writes; got '{printable(name)}'")
        named = dict(zip(attributes.texts("names"), attributes.values, strict=False))
        return found._replace(attributes=named) if named else found

    def _range(self, n: Any, first: Any, step: Any) -> RValue:
        """Return the numbers of a range, which is short in the file."""
        if None in (n, first, step) or step not in (1, -1) or not 0 <= n <= self._most_ranged:
            raise FormatError(
                "ranges of R must be of step 1, and all together not much longer than the file; got others"
            )
        self._most_ranged -= int(n)
        return RValue("numbers", (first + step * np.arange(int(n))).tolist(), {})

    def _other(self, kind: int, flags: int) -> _Steps:
        """Return what holds no tree, such as an environment, after all of it is read."""
        source = self._source
        attributed = bool(flags & _HAS_ATTRIBUTES)
        if kind == _S4:
            return (yield self._with_attributes(NULL)) if attributed else NULL
        if kind in _BUILT_IN:
            source.characters(source.length())
            return NULL
        if kind not in (_ENVIRONMENT, *_PACKAGES, _POINTER, _WEAK):
            raise FormatError(
                f"the file must hold values of R alone; got compiled code or another part, of type {kind}"
                " (saveRDS(tree) saves the tree alone)"
            )
        if kind in (_ENVIRONMENT, *_PACKAGES):
            source.number()
        self._known.append(NULL)
        n_parts = {_ENVIRONMENT: 4, _POINTER: 2 + attributed, _WEAK: int(attributed)}
        for _ in range(n_parts[kind] if kind in n_parts else source.length()):
            yield self.item()
        return NULL


def _numbers(array: Any) -> RValue:
    """Return numbers, None for those that are missing."""
    if array.dtype.kind == "i":
        missing = array == _NA_INTEGER
    else:
        missing = np.isnan(array) & ((array.view(np.uint64) & np.uint64(0xFFFFFFFF)) == _NA_REAL)
    values = array.tolist()
    for i in np.flatnonzero(missing).tolist():
        values[i] = None
    return RValue("numbers", values, {})


def number_text(value: float) -> str:
    """Return a number as R prints it, with up to 15 digits."""
    return str(int(value)) if isinstance(value, int) or value.is_integer() else f"{value:.15g}"
