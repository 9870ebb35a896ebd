"""Who is refused, and that nothing above the folder is read."""

import asyncio
import json
import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dendrometry.app.guard import PAGE_POLICY
from dendrometry.app.site import Site
from dendrometry.cli.app import run_command
from tests.app.conftest import A, serving


def test_the_page_is_given_with_its_policy(server):
    status, headers, body = server.ask()
    assert status == 200
    assert b"<title>Dendrometry</title>" in body
    assert headers["Content-Security-Policy"] == PAGE_POLICY
    assert "unsafe" not in PAGE_POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["", "state", "api/openapi.json", "static/app.js", "jobs/1/files/report.html"])
@pytest.mark.parametrize("token", ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "at", "%00", "é"])
def test_a_request_without_the_secret_is_refused(server, token, path):
    whole = f"{server.start}/{token.replace('é', '%C3%A9')}/{path}".replace("//", "/").replace("http:/", "http://")
    status, _, body = server.ask(whole=whole)
    assert status in (400, 403, 404)
    assert b"uploads" not in body


def test_the_front_says_where_the_address_is(server):
    status, _, body = server.ask(whole=f"{server.start}/")
    assert status == 403
    assert b"printed" in body


@pytest.mark.parametrize(
    "host", ["evil.test", "127.0.0.1.evil.test", "", "localhost.evil.test:80", "evil.test:127.0.0.1"]
)
def test_a_foreign_name_is_refused(server, host):
    assert server.ask("state", Host=host)[0] in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "[::1]:80", "127.0.0.1"])
def test_own_names_are_not(server, host):
    assert server.ask("state", Host=host)[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "http://127.0.0.1", "file://", "http://localhost:1"])
@pytest.mark.parametrize(
    ("path", "method"), [("state", "GET"), ("jobs", "POST"), ("inspect", "POST"), ("files", "PUT")]
)
def test_another_origin_is_refused(server, origin, path, method):
    data = None if method == "GET" else b"{}"
    assert server.ask(path, data, method=method, Origin=origin)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_another_page_makes_is_refused(server, site):
    assert server.ask("state", Sec_Fetch_Site=site)[0] == 403
    assert server.ask("", Sec_Fetch_Site=site, Sec_Fetch_Dest="iframe")[0] == 403
    assert server.ask("", Sec_Fetch_Site=site, Sec_Fetch_Dest="document")[0] == 200  # a link that somebody follows


STEPS = [
    "../x",
    "%2e%2e/x",
    "..%2fx",
    "%2E./x",
    "..\\x",
    "%5c..%5cx",
    "./state",
    "state//x",
    "x%00",
    "jobs/1/files/../x",
]


@pytest.mark.parametrize("path", STEPS)
def test_paths_that_lead_elsewhere_are_refused(server, path):
    status, _, _ = server.ask(path)
    assert status in (400, 403, 404)


REFERENCES = [
    "folder/../secret.nwk",
    "folder/out.nwk",
    "folder/.hidden.nwk",
    "folder/below/../../secret.nwk",
    "folder//etc/passwd",
    "folder/",
    "folder/below",
    "uploads/../../x",
    "uploads/..",
    "uploads/.",
    "examples/../site.py",
    "examples/__init__.py",
    "/etc/passwd",
    "etc/passwd",
    "",
    "file:///etc/passwd",
    "http://evil.test/a.nwk",
]


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("path", ["inspect", "jobs"])
def test_a_file_that_is_not_listed_is_refused(server, reference, path):
    files = [{"file": reference}, {"file": "folder/a.nwk"}]
    status, _, body = server.ask(path, {"task": "compare", "files": files})
    assert status == 422
    assert "there must be a file of this name" in json.loads(body)["error"]


def test_the_folder_is_listed_and_nothing_above_it(server):
    assert server.json("state")["folder"] == ["a.nwk", "below/b.nwk"]


WRONG = [
    (b"", "must be JSON"),
    (b"[" * 100_000, "must be JSON"),
    (b"[1]", "must be a JSON object"),
    ({}, "needs 'task', 'files'"),
    ({"task": "rm", "files": [{"file": "folder/a.nwk"}]}, "task must be one of"),
    ({"task": ["compare"], "files": []}, "task must be text"),
    ({"task": "compare", "files": []}, "files must hold 1 to"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk"}]}, "compare takes 2 files"),
    ({"task": "compare", "files": [{"file": 1}] * 2}, "file must be text"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk", "x": 1}] * 2}, "takes 'file', 'reading'"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk"}] * 2, "options": {"out": "/x"}}, "options takes"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk"}] * 2, "options": {"n_permutations": 10**9}}, "at most"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk"}] * 2, "options": {"n_permutations": True}}, "whole number"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk", "reading": {"max_bytes": 1}}] * 2}, "reading takes"),
    ({"task": "compare", "files": [{"file": "folder/a.nwk", "reading": {"levels": "x"}}] * 2}, "levels must be a list"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_a_wrong_request_is_refused_in_words(server, given, message):
    status, _, body = server.ask("jobs", given)
    assert status == 422
    assert message in json.loads(body)["error"]


def test_a_request_that_is_too_large_is_refused(server):
    status, _, body = server.ask("inspect", b" " * (2**20 + 1))
    assert status == 422
    assert b"at most 1,048,576 bytes" in body


def test_beyond_this_machine_a_password_is_asked_for():
    env = {key: value for key, value in os.environ.items() if key != "DENDROMETRY_PASSWORD"}
    for given in ({}, {"DENDROMETRY_PASSWORD": "short"}):
        command = [sys.executable, "-m", "dendrometry", "app", "--host", "0.0.0.0", "--no-browser"]
        found = subprocess.run(command, env=env | given, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert found.returncode == 2
        assert "needs a password of at least 8 characters" in found.stderr


def test_who_knows_the_password_has_an_address_and_files_of_their_own():
    with serving("--host", "0.0.0.0", "--name", "trees.test", DENDROMETRY_PASSWORD="correct horse") as server:
        start = server.start.replace("0.0.0.0", "127.0.0.1")
        status, _, body = server.ask(whole=f"{start}/")
        assert status == 200
        assert b'type="password"' in body
        status, headers, body = server.ask(whole=f"{start}/", data=b"password=wrong")
        assert (status, headers["Location"]) == (403, None)
        assert b"This is not the password" in body
        assert server.ask(whole=f"{start}/", data=b"password=correct+horse", Origin="http://evil.test")[0] == 403
        addresses = []
        for _ in range(2):
            status, headers, _ = server.ask(whole=f"{start}/", data=b"password=correct+horse", Host="trees.test")
            assert status == 303
            addresses.append(start + headers["Location"])
        assert addresses[0] != addresses[1]
        status, _, _ = server.ask(whole=f"{addresses[0]}files?name=mine.nwk", data=A.encode(), method="PUT")
        assert status == 200
        uploads = [json.loads(server.ask(whole=f"{address}state")[2])["uploads"] for address in addresses]
        assert uploads == [["mine.nwk"], []]
        asked = {"task": "compare", "files": [{"file": "uploads/mine.nwk"}] * 2}
        assert server.ask(whole=f"{addresses[1]}inspect", data=asked)[0] == 422


def test_nothing_is_left_when_the_server_ends(tmp_path):
    with serving(TMPDIR=str(tmp_path)) as server:
        server.put("mine.nwk", A)
        (root,) = tmp_path.glob("dendrometry-app-*")
        assert stat.S_IMODE(root.stat().st_mode) == 0o700
        assert server.end() == 130
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_when_the_server_is_killed(tmp_path):
    with serving(TMPDIR=str(tmp_path)) as server:
        server.put("mine.nwk", A)
        server.json("inspect", {"task": "compare", "files": [{"file": "uploads/mine.nwk"}]})  # so a process runs
        server.process.kill()
        server.process.communicate()
    while list(tmp_path.iterdir()):
        time.sleep(0.1)


def test_the_address_that_a_browser_is_given_leads_there_once(tmp_path):
    site = Site(tmp_path, run_command)
    here = site.new_workspace()
    path = site.one_time_path(here)
    sent = []

    async def ask():
        async def send(message):
            sent.append(message)

        async def receive():
            return {"type": "http.request", "body": b""}

        headers = [(b"host", b"127.0.0.1")]
        scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "headers": headers}
        await site.app({**scope, "query_string": b"", "root_path": ""}, receive, send)

    for _ in range(2):
        with ThreadPoolExecutor() as pool:  # a browser of other tests has an event loop in this thread
            pool.submit(lambda: asyncio.run(ask())).result()
    starts = [message for message in sent if message["type"] == "http.response.start"]
    assert [start["status"] for start in starts] == [303, 403]
    assert (b"location", f"/{here.token}/".encode()) in starts[0]["headers"]


def test_a_result_is_shown_as_from_nowhere(server):
    number = server.json(
        "jobs", {"task": "compare", "files": [{"file": "folder/a.nwk"}, {"file": "folder/below/b.nwk"}]}
    )
    job = server.wait(number["number"])
    assert job["state"] == "done", job["message"]
    path = f"jobs/{job['number']}/files/"
    status, headers, _ = server.ask(path + "report.html")
    assert status == 200
    assert "sandbox allow-scripts" in headers["Content-Security-Policy"]
    assert "allow-same-origin" not in headers["Content-Security-Policy"]
    status, headers, _ = server.ask(path + "measures.csv")
    assert headers["Content-Disposition"].startswith("attachment")
    for name in ("a.nwk", "b.nwk", "..", "x", "report.html%00"):
        assert server.ask(path + name)[0] in (400, 403, 404, 422)
