"""A job: the commands of a task, from waiting to its files."""

import asyncio
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dendrometry.app.plans import Command, Plan
from dendrometry.app.python_lines import Source
from dendrometry.app.tasks import TASKS, make_plan
from dendrometry.app.workers import EndedError, Request, Workers
from dendrometry.errors import InvalidInputError

MOST_WAITING = 20  # jobs of a person
_CHANGED = 1  # the exit code of `dendrometry diff` if something changed
_MOST_TOLD = 20_000  # characters of what commands print that are shown


@dataclass
class Job:
    """One job.

    Attributes
    ----------
    number : int
        Its number, from 1 on.
    task : str
        The task.
    sources : list of str
        The names of its files.
    folder : Path
        Where it works.
    plan : Plan
        What it does.
    state : str
        "waiting", "running", "done", "failed" or "cancelled".
    progress : tuple
        What is being done, how many steps are, and how many there are, None if that is not known.
    message : str
        Why it failed.
    told : list of str
        What its commands printed: how files were read, what was assumed, warnings.
    """

    number: int
    task: str
    sources: list[str]
    folder: Path
    plan: Plan
    state: str = "waiting"
    progress: tuple[str, int, int | None] = ("", 0, None)
    message: str = ""
    told: list[str] = field(default_factory=list)
    begun: float | None = None
    seconds: float | None = None
    running: asyncio.Task[None] | None = None

    @classmethod
    def of(cls, number: int, folder: Path, task: str, sources: Sequence[Source], options: dict[str, Any]) -> "Job":
        """Return a job that has not begun; raise an error if it cannot be."""
        return cls(number, task, [source.name for source in sources], folder, make_plan(task, sources, options))

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state not in ("waiting", "running")

    async def run(self, workers: Workers) -> None:
        """Run the commands, one after the other, and keep what they write."""
        try:
            for command in self.plan.commands:
                await self._run_one(command, workers)
                if self.is_over:
                    return
            self.state = "done"
        except asyncio.CancelledError:
            self.state, self.message = "cancelled", "cancelled"
        except EndedError:
            self.state, self.message = "failed", "the process ended in the middle of its work: perhaps memory is full"
        finally:
            if self.begun is not None:
                self.seconds = time.monotonic() - self.begun

    async def _run_one(self, command: Command, workers: Workers) -> None:
        """Run one command, and fail if it does."""
        request = Request(str(self.folder), list(command.arguments))
        outcome = await workers.ask(request, self._report, self._begin)
        said = [line for line in outcome.complaints.splitlines() if not line.startswith("wrote ")]
        if outcome.code not in (0, _CHANGED if command.arguments[0] == "diff" else 0):
            self.state = "failed"
            self.message = (said[-1] if said else "the command failed").removeprefix("dendrometry: ")
            return
        self.told += [line.removeprefix("dendrometry: ")[:_MOST_TOLD] for line in said]
        if command.printed_to:
            (self.folder / command.printed_to).write_text(outcome.printed, encoding="utf-8")
        elif outcome.printed.strip():
            self.told.append(outcome.printed.strip()[:_MOST_TOLD])

    def _begin(self) -> None:
        self.state = "running"
        self.begun = self.begun or time.monotonic()

    def _report(self, title: str, done: int, total: int | None) -> None:
        self.progress = (title, done, total)

    def path_of(self, name: str) -> Path:
        """Return a file that the job wrote; refuse all others."""
        path = self.folder / name
        if self.state != "done" or name not in self.plan.files.values() or not path.is_file():
            raise InvalidInputError("the job must have written this file")
        return path

    def command_lines(self) -> list[str]:
        """Return its commands as a shell takes them."""
        return [
            shlex.join(["dendrometry", *command.arguments])
            + (f" > {shlex.quote(command.printed_to)}" if command.printed_to else "")
            for command in self.plan.commands
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all that the page shows of it."""
        title, done, total = self.progress
        seconds = time.monotonic() - self.begun if self.state == "running" and self.begun else self.seconds
        return {
            "number": self.number,
            "task": self.task,
            "title": TASKS[self.task].title,
            "sources": self.sources,
            "state": self.state,
            "progress": {"title": title, "done": done, "total": total},
            "message": self.message,
            "told": self.told,
            "seconds": None if seconds is None else round(seconds, 1),
            "files": dict(self.plan.files) if self.state == "done" else {},
            "commands": self.command_lines(),
            "python": self.plan.python,
        }
