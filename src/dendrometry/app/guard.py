"""Who is answered: only those with the secret of an address, from this page, under a name that this server has."""

import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dendrometry.app.workspace import Workspace

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A report is shown as from nowhere: its scripts run, but reach neither this server nor any other.
REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads allow-modals"
)
_HEADERS = {  # of all answers that do not have their own
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_OPEN = ("/", "/open", "/style.css")  # first steps of paths that need no secret


def _leads_elsewhere(path: bytes) -> bool:
    """Whether a path has steps that lead out of it, or could be taken for such."""
    steps = path.replace(b"\\", b"/").split(b"/")
    return b"\0" in path or b".." in steps or b"." in steps or b"" in steps[1:-1]


class Guard:
    """Refuses requests before anything else sees them, and takes the secret out of the path of the others.

    Parameters
    ----------
    app : ASGI application
        What answers; it finds the workspace in ``scope["state"]["workspace"]``.
    workspaces : dict of Workspace
        The workspaces by secret.
    names : iterable of str
        The names under which this server may be asked, beside addresses of numbers and "localhost".
    """

    def __init__(self, app: ASGIApp, workspaces: Mapping[str, Workspace], names: Iterable[str]) -> None:
        self._app = app
        self._workspaces = workspaces
        self._names = frozenset(name.lower() for name in (*names, "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing here speaks by web sockets

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope) or self._enter(scope)
        app = self._app if refusal is None else refusal
        await app(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """Return why a request is refused whatever it asks for, None if it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(host):
            return PlainTextResponse("This server is not asked under this name (Host).", 421)
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return PlainTextResponse("Requests from other pages are refused (Origin).", 403)
        site, opens = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-dest") == "document"
        if site not in ("none", "same-origin") and not (opens and scope["method"] == "GET"):
            return PlainTextResponse("Requests from other pages are refused (Sec-Fetch-Site).", 403)
        if any(map(_leads_elsewhere, (scope["path"].encode("utf-8", "surrogateescape"), scope.get("raw_path") or b""))):
            return PlainTextResponse("This path is refused.", 400)
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a request names this server: a foreign name that leads here may be a trick of another page."""
        name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._names
        return True

    def _enter(self, scope: Scope) -> ASGIApp | None:
        """Find the workspace that a path has the secret of; return a refusal if there is none."""
        path = scope["path"]
        first = f"/{path.split('/')[1]}" if path.startswith("/") else "/"
        state: dict[str, Any] = scope.setdefault("state", {})
        state["workspace"] = None
        if first in _OPEN:
            return None
        for token, workspace in self._workspaces.items():
            if hmac.compare_digest(token.encode(), first[1:].encode("utf-8", "surrogateescape")):
                state["workspace"] = workspace
                scope["path"] = "/at" + path[len(first) :]
                scope["raw_path"] = scope["path"].encode("utf-8", "surrogateescape")
                return None
        return PlainTextResponse(
            "This address is not, or no longer, that of a page of dendrometry. Its address was printed where"
            " 'dendrometry app' was started; each start has a new one.",
            403,
        )
