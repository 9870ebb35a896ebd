"""``dendrometry app``: a local page for comparing trees, and the same as JSON endpoints."""

import os
import sys
from typing import Annotated

from dendrometry.cli._shared.memory import n_bytes
from dendrometry.cli._shared.options import option, switch
from dendrometry.errors import InvalidInputError

_PASSWORD = "DENDROMETRY_PASSWORD"
_SHORTEST = 8  # characters of a password


def app(
    folder: Annotated[
        str | None, option("FOLDER", "Also list the files of this folder, which can then be chosen; nothing above it.")
    ] = None,
    api: Annotated[
        bool, switch("--api", "For programs: print the address of the JSON endpoints, described in OpenAPI.")
    ] = False,
    port: Annotated[int, option("NUMBER", "Listen on this port; 0 takes a free one.", min=0)] = 0,
    host: Annotated[
        str,
        option(
            "ADDRESS",
            "Listen on this address. Others than 127.0.0.1 can be reached by other machines, and need a password: in"
            f" the variable {_PASSWORD}, or typed in.",
        ),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        option("NAME", "A name under which other machines reach this one; may be given several times."),
    ] = None,
    no_browser: Annotated[bool, switch("--no-browser", "Print the address, and open no browser.")] = False,
    max_upload: Annotated[str, option("SIZE", "Take no larger file.")] = "256MiB",
    max_memory: Annotated[
        str | None, option("SIZE", "Let a job take no more memory than this; by default half of what is free.")
    ] = None,
) -> None:
    """Open a page on which trees are compared by dropping files.

    The page does what the commands do, and names the command for each result. It runs on this machine, needs no
    network, and sends nothing anywhere. Files that are dropped are kept until the command ends.

    \b
    Examples:
      dendrometry app
      dendrometry app --folder trees
      dendrometry app --api
    """
    from dendrometry.app.server import Settings, is_loopback, serve

    open_to_others = not is_loopback(host)
    settings = Settings(
        folder=folder,
        host=host,
        port=port,
        names=tuple(name or ()),
        password=_password() if open_to_others else None,
        most_bytes=n_bytes(max_upload),
        max_memory=None if max_memory is None else n_bytes(max_memory),
        browser=not no_browser,
        api=api,
    )
    serve(run_command, settings)


def run_command(arguments: list[str]) -> int:
    """Run a command in this process, and return its exit code."""
    from dendrometry.cli import main

    sys.argv = ["dendrometry", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def _password() -> str:
    """Return the password that others must give."""
    given = os.environ.get(_PASSWORD)
    if given is None and sys.stdin is not None and sys.stdin.isatty():
        from getpass import getpass

        given = getpass("Password for others: ")
    if given is None or len(given) < _SHORTEST:
        raise InvalidInputError(
            f"--host beyond this machine needs a password of at least {_SHORTEST} characters, in the variable"
            f" {_PASSWORD}"
        )
    return given
