"""Help on the terminal: commands under headings, and no types or brackets of Python."""

import re
from typing import Any

from typer.core import TyperCommand, TyperGroup

_TYPE = re.compile(r" <[^>]*>$")
_BOUND = re.compile(r"\s*\[(required; )?(x|[0-9.]+<=?x)[<>=0-9.]*\]")
_REQUIRED = re.compile(r"\s*\[required\]")


class Command(TyperCommand):
    """A command whose help shows arguments and options by their names alone."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the pieces of the usage line, required arguments without braces."""
        return [re.sub(r"[{}]", "", piece) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options without types and bounds, which the sentences about them give."""
        records: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                kind, (name, text) = param.param_type_name, record
                text = _BOUND.sub("", _REQUIRED.sub("", text) if kind == "argument" else text)
                records[kind].append((_TYPE.sub("", name), text))
        for kind, rows in records.items():
            if rows:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(rows)


class Commands(TyperGroup):
    """All commands, each listed under its heading, in the order in which they were added."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of each heading with the first line of their help."""
        headings: dict[str, list[tuple[str, Any]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            headings.setdefault(command.rich_help_panel or "Commands", []).append((name, command))
        longest = max(len(name) for rows in headings.values() for name, _ in rows)
        for heading, rows in headings.items():
            with formatter.section(heading):
                room = formatter.width - 6 - longest
                formatter.write_dl([(name.ljust(longest), command.get_short_help_str(room)) for name, command in rows])
