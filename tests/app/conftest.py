"""A server in a process of its own, as a user starts it, and requests to it."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

A, B = "(((ape:1,cat:1):1,elk:2):1,owl:3);", "((ape:1,cat:1):2,(elk:2,owl:2):1);"


# Tests that run in the background may have been told to ignore SIGINT, and what they start inherits it.
_HEED = """import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "dendrometry", *sys.argv[1:]])"""


class Server:
    """A server that runs, and its address."""

    def __init__(self, *arguments, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-c", _HEED, "app", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line)
            if line.startswith("The page: "):
                break
        found = re.search(r"http://\S+", "".join(self.lines))
        assert found, f"the server did not start: {self.lines}"
        self.address = found[0]
        self.start = re.match(r"http://[^/]+", self.address)[0]

    def ask(self, path="", data=None, *, method=None, whole="", **headers):
        """Ask for a path below the address, or for a whole address: the status, the headers and the body."""
        body = data if data is None or isinstance(data, bytes) else json.dumps(data).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(whole or self.address + path, body, named, method=method)
        try:
            with _opener.open(request) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def json(self, path, data=None):
        """Ask with JSON, and return the JSON of an answer that is not refused."""
        status, _, body = self.ask(path, data)
        assert status == 200, body
        return json.loads(body)

    def put(self, name, data, *, refused=False):
        """Put a file; return what it is called."""
        path = f"files?name={urllib.request.quote(name, safe='', errors='surrogateescape')}"
        status, _, body = self.ask(path, data if isinstance(data, bytes) else data.encode(), method="PUT")
        assert (status != 200) == refused, body
        return json.loads(body)

    def wait(self, number, states=("done", "failed", "cancelled")):
        """Ask until a job is in one of some states, and return it."""
        while True:
            (job,) = [job for job in self.json("state")["jobs"] if job["number"] == number]
            if job["state"] in states:
                return job

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()
        return self.process.returncode


class _Here(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_Here, urllib.request.ProxyHandler({}))


@contextmanager
def serving(*arguments, **environment):
    """A server, until the block ends."""
    server = Server(*arguments, **environment)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests of a process, with a folder."""
    folder = tmp_path_factory.mktemp("shared") / "trees"
    folder.mkdir()
    (folder.parent / "secret.nwk").write_text(A)
    (folder / "a.nwk").write_text(A)
    (folder / "below").mkdir()
    (folder / "below" / "b.nwk").write_text(B)
    (folder / ".hidden.nwk").write_text(B)
    (folder / "out.nwk").symlink_to(folder.parent / "secret.nwk")
    with serving("--folder", str(folder)) as started:
        yield started
