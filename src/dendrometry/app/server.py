"""The server: where it listens, what it prints, and that nothing of it is left at the end."""

import ipaddress
import os
import shutil
import socket
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import NamedTuple

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.app.workers import Run
from dendrometry.errors import InvalidInputError

_SHARE = 2  # a job may take the memory that is free, divided by this


class Settings(NamedTuple):
    """How the server runs: see `dendrometry app --help`."""

    folder: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    password: str | None = None
    most_bytes: int = 256 * 2**20
    max_memory: int | None = None
    browser: bool = True
    api: bool = False


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(run: Run, settings: Settings) -> None:
    """Serve the page until the process is interrupted; ``run`` runs a command of the command line."""
    uvicorn = require("uvicorn", extra="app", for_="the page")
    require("starlette", extra="app", for_="the page")
    from dendrometry.app.site import Site

    shared = _shared(settings.folder)
    limit = settings.max_memory or _memory.available() // _SHARE
    listening = _listen(settings.host, settings.port)
    root = Path(tempfile.mkdtemp(prefix="dendrometry-app-"))
    try:
        names = (*settings.names, settings.host, socket.gethostname(), socket.getfqdn())
        site = Site(
            root,
            run,
            shared=shared,
            password=settings.password,
            names=names,
            most_bytes=settings.most_bytes,
            limit=limit,
        )
        _announce(site, settings, listening.getsockname()[1])
        config = uvicorn.Config(
            site.app,
            log_level="warning",
            access_log=False,  # addresses hold secrets
            ws="none",
            lifespan="on",
            server_header=False,
            limit_concurrency=200,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()
        shutil.rmtree(root, ignore_errors=True)


def _shared(folder: str | None) -> Path | None:
    """Return the folder that is listed."""
    if folder is None:
        return None
    if not os.path.isdir(folder):
        raise InvalidInputError(f"the shared folder must exist; got {printable(folder, longest=4096)}")
    return Path(folder)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(
            f"cannot listen on {printable(host)}, port {port}: {reason} (--port 0 takes a free one)"
        ) from None


def _announce(site: "object", settings: Settings, port: int) -> None:
    """Print where the page is, and open it."""
    from dendrometry.app.site import Site

    assert isinstance(site, Site)
    start = f"http://{f'[{settings.host}]' if ':' in settings.host else settings.host}:{port}"
    if settings.password is not None:
        print(f"The page: {start}/ (asks for the password)", flush=True)
        print(
            "Whoever reaches this address and knows the password can use this machine's processor and memory, and read"
            " what --folder names. What is sent is not encrypted: put a server with TLS before it beyond a network that"
            " you trust.",
            flush=True,
        )
        return
    workspace = site.new_workspace()
    address = f"{start}/{workspace.token}/"
    print(f"The page: {address}\nOnly this machine can reach it; whoever has this address can use it. Ctrl-C ends it.")
    if settings.api:
        print(f"For programs: {address}api/compare and others, described in {address}api/openapi.json")
    print(end="", flush=True)
    if settings.browser and not settings.api:
        threading.Thread(target=webbrowser.open, args=(start + site.one_time_path(workspace),), daemon=True).start()
