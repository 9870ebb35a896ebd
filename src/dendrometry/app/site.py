"""What the server answers: the page, the files of its reader, jobs, and the same as JSON endpoints."""

import asyncio
import hmac
import json
import mimetypes
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from dendrometry.app import openapi, page
from dendrometry.app.cards import Given
from dendrometry.app.guard import REPORT_POLICY, Guard
from dendrometry.app.inspection import inspect
from dendrometry.app.jobs import MOST_WAITING, Job
from dendrometry.app.python_lines import Source
from dendrometry.app.reading import READING
from dendrometry.app.schema import require
from dendrometry.app.tasks import TASKS, options_schema
from dendrometry.app.warm import compare_request, inspect_request
from dendrometry.app.workers import EndedError, Run, Workers
from dendrometry.app.workers import Request as Work
from dendrometry.app.workspace import Workspace
from dendrometry.errors import DendrometryError, InvalidInputError

_PATIENCE = 120.0  # seconds until a file that is looked at is given up
_MOST_JSON = 2**20  # bytes of a request that holds no files
_MOST_WORKSPACES = 100
_MOST_KEPT = 50  # jobs of a person; the oldest that have ended are forgotten
_PAUSE = 1.0  # seconds after a wrong password

_INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "maxLength": 4096},
        "reading": READING,
        "place": {"type": "integer", "minimum": 0, "maximum": 5000},
    },
    "required": ["file"],
}


def _asked(task: str) -> dict[str, Any]:
    """Return what a request for a job must be."""
    return {
        "type": "object",
        "properties": {
            "task": {"type": "string", "enum": list(TASKS)},
            "files": {"type": "array", "items": _INPUT, "minItems": 1, "maxItems": 5000},
            "options": options_schema(task),
        },
        "required": ["task", "files"],
    }


class Site:
    """All that is answered, with what it needs.

    Parameters
    ----------
    root : Path
        The folder of the server, which is removed when it ends.
    run : function
        Runs a command of the command line.
    shared : Path or None
        A folder that is listed and read.
    password : str or None
        What must be given to have a workspace; None for a single workspace, whose address is printed.
    names : tuple of str
        Names of this server.
    most_bytes : int
        The largest file that is taken.
    limit : int or None
        The bytes that a job may take.
    """

    def __init__(
        self,
        root: Path,
        run: Run,
        *,
        shared: Path | None = None,
        password: str | None = None,
        names: tuple[str, ...] = (),
        most_bytes: int = 256 * 2**20,
        limit: int | None = None,
    ) -> None:
        self._root, self._shared, self._password, self._most_bytes = root, shared, password, most_bytes
        self._workspaces: dict[str, Workspace] = {}
        self._codes: dict[str, str] = {}
        self._tries = asyncio.Lock()
        self._looking = Workers(run, root, 1, limit, [inspect_request(root)])
        self._computing = Workers(run, root, 2, limit, [compare_request(root)])
        refused: Mapping[Any, Any] = {DendrometryError: _refused, EndedError: _ended}
        inner = Starlette(routes=self._routes(), lifespan=self._lifespan, exception_handlers=refused)
        self.app = Guard(inner, self._workspaces, names)

    def new_workspace(self) -> Workspace:
        """Return a new workspace; the oldest is given up if there are too many."""
        while len(self._workspaces) >= _MOST_WORKSPACES:
            _cancel_all(self._workspaces.pop(next(iter(self._workspaces))))
        workspace = Workspace.new(self._root, self._shared, self._most_bytes)
        self._workspaces[workspace.token] = workspace
        return workspace

    def one_time_path(self, workspace: Workspace) -> str:
        """Return a path that leads to a workspace once: other users may see what a browser was started with."""
        code = secrets.token_urlsafe(16)
        self._codes[code] = workspace.token
        return f"/open/{code}"

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start the processes in the background, and end them with the server."""
        started = [asyncio.create_task(workers.prepare()) for workers in (self._looking, self._computing)]
        yield
        for task in started:
            task.cancel()
        for workspace in self._workspaces.values():
            _cancel_all(workspace)
        self._looking.close()
        self._computing.close()

    def _routes(self) -> list[Route]:
        """Return what is answered; the guard has replaced the secret of a path by "at"."""
        return [
            Route("/", self._front, methods=["GET", "POST"]),
            Route("/open/{code}", self._open),
            Route("/style.css", page.style),
            Route("/at", _with_slash),
            Route("/at/", self._page),
            Route("/at/static/{name}", page.static),
            Route("/at/state", self._state),
            Route("/at/files", self._put, methods=["PUT"]),
            Route("/at/files/remove", self._remove, methods=["POST"]),
            Route("/at/inspect", self._inspect, methods=["POST"]),
            Route("/at/jobs", self._begin, methods=["POST"]),
            Route("/at/jobs/{number:int}/cancel", self._cancel, methods=["POST"]),
            Route("/at/jobs/{number:int}/forget", self._forget, methods=["POST"]),
            Route("/at/jobs/{number:int}/files/{name}", self._file),
            Route("/at/api/openapi.json", openapi.document),
            Route("/at/api/{task}", self._api, methods=["POST"]),
        ]

    async def _front(self, request: Request) -> Response:
        """Answer who comes without a secret: ask for the password if there is one."""
        if self._password is None:
            return page.message("Open the address that was printed where 'dendrometry app' was started.", 403)
        if request.method == "GET":
            return page.login("")
        given = parse_qs((await _body(request)).decode("utf-8", "replace")).get("password", [""])[0]
        async with self._tries:  # one after the other, so that guessing takes long
            if not hmac.compare_digest(given.encode(), self._password.encode()):
                await asyncio.sleep(_PAUSE)
                return page.login("This is not the password.")
        return RedirectResponse(f"/{self.new_workspace().token}/", 303)

    async def _open(self, request: Request) -> Response:
        """Lead to a workspace, once."""
        token = self._codes.pop(request.path_params["code"], None)
        if token is None:
            return page.message("This address leads to the page once. Use the one that was printed.", 403)
        return RedirectResponse(f"/{token}/", 303)

    async def _page(self, request: Request) -> Response:
        return page.index(str(self._shared) if self._shared else "", self._most_bytes, alone=self._password is None)

    async def _state(self, request: Request) -> Response:
        """Return files and jobs."""
        here = _workspace(request)
        return JSONResponse(
            {
                "uploads": here.uploads(),
                "folder": here.listed(),
                "jobs": [job.to_dict() for job in here.jobs.values()],
            }
        )

    async def _put(self, request: Request) -> Response:
        """Keep a file, under a harmless name."""
        here = _workspace(request)
        path = here.place_for(request.query_params.get("name", "file"))
        beside, room, size = path.with_name(f".{path.name}"), here.room(), 0
        try:
            with open(beside, "wb") as file:
                async for piece in request.stream():
                    size += len(piece)
                    if size > room:
                        raise InvalidInputError(f"the file must have at most {room:,} bytes")
                    file.write(piece)
            os.replace(beside, path)
        except ClientDisconnect:
            return Response(status_code=400)
        finally:
            beside.unlink(missing_ok=True)
        return JSONResponse({"file": f"uploads/{path.name}", "name": path.name, "size": size})

    async def _remove(self, request: Request) -> Response:
        """Remove a file that was put here."""
        given = await _json(request)
        require(given, {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}, "request")
        _workspace(request).remove(given["name"])
        return JSONResponse({})

    async def _inspect(self, request: Request) -> Response:
        """Say what files are, and whether they match."""
        given = await _json(request)
        here, (task, sources, options) = _workspace(request), _checked(given)
        found = []
        for i, (reference, reading) in enumerate(sources):
            path, place = here.path_of(reference), given["files"][i].get("place", i)
            way = {name: value for name, value in reading.items() if value != ""}
            found.append(Given(str(path), path.name, way, place))
        work = Work(str(here.folder), [], inspect, (TASKS[task].inputs, found, options))
        try:
            outcome = await asyncio.wait_for(self._looking.ask(work), _PATIENCE)
        except TimeoutError:
            raise InvalidInputError(f"the file must be readable in {_PATIENCE:.0f} seconds") from None
        return JSONResponse(outcome.found)

    async def _begin(self, request: Request) -> Response:
        """Begin a job."""
        job = self._new_job(_workspace(request), *_checked(await _json(request)))
        return JSONResponse({"number": job.number})

    def _new_job(
        self, here: Workspace, task: str, sources: Sequence[tuple[str | Path, dict[str, Any]]], options: Any
    ) -> Job:
        """Return a new job, which runs as soon as a process is free."""
        if sum(not job.is_over for job in here.jobs.values()) >= MOST_WAITING:
            raise InvalidInputError(f"at most {MOST_WAITING} jobs may wait; cancel some, or let them end")
        number, folder, names = here.folder_of_job([reference for reference, _ in sources])
        read = [Source(name, reading) for name, (_, reading) in zip(names, sources, strict=True)]
        job = Job.of(number, folder, task, read, options)
        over = [old.number for old in here.jobs.values() if old.is_over]
        for old in over[: max(0, len(here.jobs) - _MOST_KEPT)]:
            here.forget(old)
        here.jobs[number] = job
        job.running = asyncio.create_task(job.run(self._computing))
        return job

    async def _cancel(self, request: Request) -> Response:
        """Cancel a job: its process is ended."""
        job = _job(request)
        if job.running is not None and not job.is_over:
            job.running.cancel()
            await asyncio.wait([job.running])
            if job.state in ("waiting", "running"):  # it was cancelled before it began
                job.state, job.message = "cancelled", "cancelled"
        return JSONResponse(job.to_dict())

    async def _forget(self, request: Request) -> Response:
        """Remove a job that has ended, with what it wrote."""
        job = _job(request)
        if not job.is_over:
            raise InvalidInputError("the job must have ended")
        _workspace(request).forget(job.number)
        return JSONResponse({})

    async def _file(self, request: Request) -> Response:
        """Return what a job wrote: pages to be shown, other files to be kept."""
        path = _job(request).path_of(request.path_params["name"])
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        shown = path.suffix in (".html", ".svg") and "save" not in request.query_params
        headers = {"Content-Security-Policy": REPORT_POLICY}
        if not shown:
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(path.name)}"
        return FileResponse(path, media_type=kind, headers=headers)

    async def _api(self, request: Request) -> Response:
        """Do a task and return its result; whoever hangs up cancels it."""
        task = request.path_params["task"]
        if task not in openapi.API_TASKS:
            return JSONResponse({"error": f"there is no endpoint of this name; see {openapi.PATH}"}, 404)
        here = _workspace(request)
        given = await _json(request, 4 * here.most_bytes)
        sources, options = openapi.sources_of(task, given, here)
        job = self._new_job(here, task, sources, options)
        assert job.running is not None
        while not job.running.done():
            await asyncio.wait([job.running], timeout=0.5)
            if await request.is_disconnected():
                job.running.cancel()
        for file, _ in sources:
            if isinstance(file, Path):
                shutil.rmtree(file.parent, ignore_errors=True)
        return openapi.answer(job)


def _workspace(request: Request) -> Workspace:
    """Return the workspace that the guard found."""
    here: Workspace = request.scope["state"]["workspace"]
    return here


def _job(request: Request) -> Job:
    """Return the job that a path names."""
    job = _workspace(request).jobs.get(request.path_params["number"])
    if job is None:
        raise InvalidInputError("there must be a job of this number")
    return job


async def _body(request: Request, most: int = _MOST_JSON) -> bytes:
    """Return what was sent, if it is not too much."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise InvalidInputError(f"a request must have at most {most:,} bytes")
        pieces.append(piece)
    return b"".join(pieces)


async def _json(request: Request, most: int = _MOST_JSON) -> dict[str, Any]:
    """Return an object that was sent as JSON."""
    body = await _body(request, most)
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidInputError("the request must be JSON") from None
    if not isinstance(given, dict):
        raise InvalidInputError("the request must be a JSON object")
    return given


def _checked(given: dict[str, Any]) -> tuple[str, list[tuple[str, dict[str, Any]]], dict[str, Any]]:
    """Return the task, the files with how each is read, and the options of a request."""
    task = given.get("task")
    require(given, _asked(task if isinstance(task, str) and task in TASKS else "compare"), "request")
    files = [(one["file"], one.get("reading", {})) for one in given["files"]]
    return str(task), files, given.get("options", {})


def _cancel_all(workspace: Workspace) -> None:
    """Cancel the jobs of a workspace."""
    for job in workspace.jobs.values():
        if job.running is not None:
            job.running.cancel()


async def _refused(_: Request, error: Exception) -> Response:
    """Return why a request is refused."""
    return JSONResponse({"error": str(error)}, 422)


async def _ended(_: Request, __: Exception) -> Response:
    """Tell that a process has ended."""
    return JSONResponse({"error": "the process ended in the middle of its work: perhaps memory is full"}, 422)


async def _with_slash(request: Request) -> Response:
    """Lead to the page, whose address ends in a slash."""
    return RedirectResponse(f"/{_workspace(request).token}/", 307)
