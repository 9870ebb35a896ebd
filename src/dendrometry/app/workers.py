"""Processes that run commands, and are ended when a job is cancelled: nothing that a job does outlives it."""

import asyncio
import contextlib
import io
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

from dendrometry._progress import reported_to

Run = Callable[[list[str]], int]  # runs a command with its arguments and returns the exit code
Report = Callable[[str, int, int | None], None]
_SPAN = 0.1  # seconds between two reports of progress
_MOST_PRINTED = 64 * 2**20  # characters that a command prints and that are kept
_MOST_KEPT = 2**30  # bytes that a process may have held and still take another job


class Outcome(NamedTuple):
    """How a command or an inspection ended: its exit code, and what it printed; or what was found."""

    code: int
    printed: str = ""
    complaints: str = ""
    found: Any = None


class EndedError(Exception):
    """A process has ended in the middle of its work."""


class Request(NamedTuple):
    """What a process is asked for: to run a command in a folder, or to call a function with arguments."""

    folder: str
    arguments: list[str]
    function: Callable[..., Any] | None = None
    given: tuple[Any, ...] = ()


def work(connection: Connection, run: Run, folder: str, limit: int | None) -> None:
    """Answer requests until nobody asks any more: the body of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its processes
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    sys.stdin = None  # nothing can be typed
    limited = False
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        outcome = _answer(connection, run, request)
        if not limited and limit is not None:  # after the first request, which loads what all need
            _limit_memory(limit)
            limited = True
        connection.send(("done", outcome, _peak() < _MOST_KEPT))


def _answer(connection: Connection, run: Run, request: Request) -> Outcome:
    """Do what is asked for, with progress reported on the way."""
    last = 0.0

    def report(title: str, done: int, total: int | None) -> None:
        nonlocal last
        now = time.monotonic()
        if done == 0 or done == total or now - last > _SPAN:
            last = now
            connection.send(("progress", title, done, total))

    os.chdir(request.folder)
    if request.function is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Outcome(0, found=request.function(*request.given))
    printed, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints), reported_to(report):
        try:
            code = run(list(request.arguments))
        except MemoryError:
            return Outcome(2, "", "dendrometry: there is not enough memory")
    return Outcome(code, printed.getvalue()[:_MOST_PRINTED], complaints.getvalue()[:_MOST_PRINTED])


def _end_with_parent(folder: str) -> None:
    """End this process when the server has ended, however it did, and remove what it left."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _limit_memory(limit: int) -> None:
    """Let this process take no more than so many bytes beyond what it has, where the system can limit it."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as sizes:
            size = int(sizes.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = size + limit
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))
    except (ImportError, OSError, ValueError):
        pass


def _peak() -> int:
    """Return the most bytes that this process has held; 0 where that is not known."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _Worker:
    """One process."""

    def __init__(self, run: Run, folder: str, limit: int | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, run, folder, limit), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, request: Request, report: Report) -> tuple[Outcome, bool]:
        """Return how a request ended, and whether the process may be asked again."""
        try:
            self._ours.send(request)
            while True:
                kind, *rest = self._ours.recv()
                if kind == "done":
                    return rest[0], rest[1]
                report(*rest)
        except (EOFError, OSError):
            raise EndedError from None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self._ours.close()


class Workers:
    """Some processes, each started when it is needed or before, and replaced when it was ended.

    Requests are answered in the order in which they come. ``warm`` is what a new process does first, so that what it
    loads is there when somebody asks.
    """

    def __init__(self, run: Run, folder: Path, number: int, limit: int | None, warm: Sequence[Request] = ()) -> None:
        self._start: Callable[[], _Worker] = lambda: _Worker(run, str(folder), limit)
        self._warm = warm
        self._threads = ThreadPoolExecutor(max_workers=2 * number + 2)
        self._free = asyncio.Semaphore(number)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._closed = False

    async def prepare(self) -> None:
        """Start a process before it is needed."""
        async with self._free:
            worker = await self._new()
            self._idle.append(worker)

    async def ask(
        self, request: Request, report: Report = lambda *_: None, begun: Callable[[], None] = lambda: None
    ) -> Outcome:
        """Return how a request ends; if this is cancelled, so is the work. ``begun`` is called when it begins."""
        async with self._free:
            begun()
            outcome: Outcome
            worker = self._idle.pop() if self._idle else await self._new()
            fit = False
            try:
                outcome, fit = await self._in_thread(worker.ask, request, report)
            finally:
                if fit and not self._closed:
                    self._idle.append(worker)
                else:
                    self._end(worker)
        return outcome

    async def _new(self) -> _Worker:
        """Return a new process that has done what each does first."""
        worker = self._start()
        self._all.add(worker)
        try:
            for request in self._warm:
                await self._in_thread(worker.ask, request, lambda *_: None)
        except BaseException:
            self._end(worker)
            raise
        return worker

    async def _in_thread(self, function: Callable[..., Any], *given: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *given)

    def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        worker.end()

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for worker in list(self._all):
            self._end(worker)
        self._threads.shutdown(wait=False, cancel_futures=True)
