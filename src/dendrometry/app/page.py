"""The page itself, and what it loads: its style and its scripts, which are files of this package."""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dendrometry._version import __version__
from dendrometry.report.markup import Html, tag

_SCRIPTS = ("app.js", "sources.js", "forms.js", "results.js", "server.js")


@cache
def _text(package: str, folder: str, name: str) -> str:
    """Return the text of a file of this package."""
    return files(package).joinpath(folder, name).read_text(encoding="utf-8")


def index(folder: str, most_bytes: int, *, alone: bool) -> Response:
    """Return the page; ``alone`` says whether only this machine can reach it."""
    place = (
        "On this machine only: nothing you drop here leaves it."
        if alone
        else "What you drop here is sent to the server of your group, and kept there until it ends."
    )
    facts = {"data-folder": folder, "data-most-bytes": str(most_bytes), "data-version": __version__}
    given = "".join(tag("i", **{name: value}) for name, value in facts.items())
    text = _text("dendrometry.app", "html", "app.html").replace("{{facts}}", given)
    return HTMLResponse(text.replace("{{place}}", place))


async def style(_: Request) -> Response:
    """Return the style: that of the reports, and what the page adds to it."""
    text = _text("dendrometry.report", "html", "page.css") + _text("dendrometry.app", "html", "app.css")
    return Response(text, media_type="text/css")


async def static(request: Request) -> Response:
    """Return a script, or the style."""
    name = request.path_params["name"]
    if name == "style.css":
        return await style(request)
    if name == "shell.js":
        return Response(_text("dendrometry.report", "js", name), media_type="text/javascript")
    if name in _SCRIPTS:
        return Response(_text("dendrometry.app", "js", name), media_type="text/javascript")
    return message("There is no such file.", 404)


def login(problem: str) -> Response:
    """Return the page that asks for the password."""
    field = tag("label", "Password ", tag("input", type="password", name_="password", autocomplete="current-password"))
    alert = tag("p", problem, role="alert", class_="problem") if problem else Html("")
    form = tag("form", field, tag("button", "Open", type="submit", class_="main"), method="post", action="/")
    answer = _plain("Dendrometry", alert, form, status=403 if problem else 200)
    answer.headers["Referrer-Policy"] = "same-origin"  # with "no-referrer", browsers send forms with the origin "null"
    return answer


def message(text: str, status: int) -> Response:
    """Return a page that says one thing."""
    return _plain("Dendrometry", tag("p", text), status=status)


def _plain(title: str, *parts: str, status: int) -> Response:
    """Return a page without scripts."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        Html('<link rel="stylesheet" href="/style.css">'),
    )
    body = tag("body", tag("main", tag("h1", title), *parts, class_="plain"))
    return HTMLResponse(f"<!DOCTYPE html>{tag('html', head, body, lang='en')}", status)
