"""The same tasks as JSON endpoints, and their description in OpenAPI."""

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dendrometry._version import __version__
from dendrometry.app.jobs import Job
from dendrometry.app.reading import READING
from dendrometry.app.schema import require
from dendrometry.app.tasks import TASKS, options_schema
from dendrometry.app.workspace import Workspace
from dendrometry.errors import InvalidInputError

PATH = "api/openapi.json"
API_TASKS: dict[str, tuple[str, ...]] = {  # with the names of their files
    "compare": ("a", "b"),
    "diff": ("old", "new"),
    "cluster": ("points",),
    "stability": ("points",),
}
_RESULTS = {
    "compare": "What `dendrometry compare --json` prints: the verdict, and each measure with its `value`, its"
    " `expected` value by chance, `adjusted` (0 as by chance, 1 for identical trees) and `p_value`. Report the adjusted"
    " value and the p-value, not the value alone.",
    "diff": "What `dendrometry diff --json` prints: each change, and the steps that make the new tree.",
    "cluster": "What `dendrometry cluster --json` prints: how the tree was built. The tree is among the files.",
    "stability": "What `dendrometry stability --json` prints: the support of each cluster, the agreement at each number"
    " of clusters, and its `p_value` against data without clusters.",
}
_LONGEST = 2**40  # the size of a request is limited before it is read

FILE: dict[str, Any] = {
    "type": "object",
    "description": "A file by its content, or the name of one: uploads/… for one put there by PUT files?name=…,"
    " folder/… for one of --folder, examples/… for an example.",
    "properties": {
        "name": {
            "type": "string",
            "maxLength": 300,
            "description": "Its ending tells the format.",
        },
        "content": {"type": "string", "maxLength": _LONGEST, "description": "What it holds, as text."},
        "file": {"type": "string", "maxLength": 4096, "description": "The name of a file that is there."},
        "reading": READING,
    },
}


def _request_schema(task: str) -> dict[str, Any]:
    """Return what a request must be."""
    names = API_TASKS[task]
    files = dict.fromkeys(names, FILE)
    return {"type": "object", "properties": {**files, "options": options_schema(task)}, "required": list(names)}


def sources_of(
    task: str, given: dict[str, Any], here: Workspace
) -> tuple[list[tuple[str | Path, dict[str, Any]]], dict[str, Any]]:
    """Return the files of a request, with how each is read, and its options; files given by content are kept."""
    require(given, _request_schema(task), "the request")
    found: list[tuple[str | Path, dict[str, Any]]] = []
    for name in API_TASKS[task]:
        one = given[name]
        if ("content" in one) == ("file" in one):
            raise InvalidInputError(f"{name} must have either content or file")
        file = one["file"] if "file" in one else here.keep_sent(one.get("name", f"{name}.nwk"), one["content"])
        found.append((file, one.get("reading", {})))
    return found, given.get("options", {})


def answer(job: Job) -> Response:
    """Return the result of a job that has ended."""
    if job.state != "done":
        return JSONResponse({"error": job.message, "commands": job.command_lines()}, 422)
    result = json.loads(job.path_of(job.plan.files["json"]).read_text(encoding="utf-8"))
    files = {kind: f"jobs/{job.number}/files/{name}" for kind, name in job.plan.files.items()}
    told = {"result": result, "notes": job.told, "files": files}
    return JSONResponse(told | {"commands": job.command_lines(), "python": job.plan.python})


def describe() -> dict[str, Any]:
    """Return the description of the endpoints."""
    text = {"type": "string"}
    error = {"type": "object", "properties": {"error": text, "commands": {"type": "array", "items": text}}}
    refusal = {
        "description": "The request was refused: what must hold, and what was given.",
        "content": {"application/json": {"schema": error}},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dendrometry",
            "version": __version__,
            "description": "How alike two trees are, by more than chance or not, and where they differ. Addresses are"
            " relative to the one that `dendrometry app --api` prints, which holds a secret.",
        },
        "servers": [{"url": ".."}],
        "paths": {f"/api/{task}": {"post": _operation(task, refusal)} for task in API_TASKS},
    }


def _operation(task: str, refusal: dict[str, Any]) -> dict[str, Any]:
    """Return the description of one endpoint."""
    text = {"type": "string"}
    result = {
        "type": "object",
        "properties": {
            "result": {"type": "object", "description": _RESULTS[task]},
            "notes": {"type": "array", "items": text, "description": "How files were read, and what was assumed."},
            "files": {"type": "object", "additionalProperties": text, "description": "What was written, by address."},
            "commands": {"type": "array", "items": text, "description": "The same on the command line."},
            "python": {**text, "description": "The same in Python."},
        },
    }
    return {
        "operationId": task,
        "summary": TASKS[task].title,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _request_schema(task)}}},
        "responses": {
            "200": {"description": "The result.", "content": {"application/json": {"schema": result}}},
            "422": refusal,
        },
    }


async def document(_: Request) -> Response:
    """Return the description as JSON."""
    return JSONResponse(describe())
