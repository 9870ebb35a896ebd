"""Cells of tables that a spreadsheet would take for formulas: an apostrophe is put before them, and taken off again."""

import re

# What begins a formula in some spreadsheet (OWASP, CSV injection); the wide forms do where people write with them.
_START = r"[=+\-@\t\r\n\x00＝＋－＠]"
GUARDED = f"^'('*{_START})"  # for the engines, which replace it by its group
_FORMULA = re.compile(f"'*+{_START}")
_NUMBER = re.compile(r"[+-]?\d++(\.\d*+)?([eE][+-]?\d++)?", re.ASCII)


def guard_formula(value: str) -> str:
    """Return a value, with an apostrophe before it if a spreadsheet would take it for a formula.

    A plain number stays one. A value of apostrophes before a formula gets one more, so that `bare` returns it.
    """
    return "'" + value if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


def bare(value: str) -> str:
    """Return a value without the apostrophe that `guard_formula` puts before it."""
    return value[1:] if value.startswith("'") and _FORMULA.match(value) else value
