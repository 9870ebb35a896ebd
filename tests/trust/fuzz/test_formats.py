"""Mutated files of every format that `read` knows: a tree or our own error, within steps and memory, no other file.

The mutations hold addresses of a server and of a file beside the one that is read: none is fetched, none is opened.
"""

import faulthandler
import gzip
import re
import sys
import sysconfig
import tempfile
import warnings
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.trust.fuzz.cases import draws_of
from tests.trust.fuzz.samples import DAG_TEXTS, FILES, NAMES, TEXTS, put
from tests.trust.fuzz.test_files import FOREVER, changed_bytes, mutated, outcome
from tests.work import PACKAGE, calls_limited

from dendrometry import read
from dendrometry._kernels import _stored
from dendrometry.errors import AssumptionWarning
from dendrometry.io import read_dag
from dendrometry.io._shared.format_names import tells_format
from dendrometry.io.codecs import _PUBLISHED, FORMATS, decoder_of, format_of

MOST_CALLS = 400_000  # of all functions, those of other packages included, in one case
MOST_BYTES = 2**18  # of a mutated file
FORBIDDEN = re.compile(
    r"socket\.(?!__new__)|urllib|http\.|ftplib|smtplib|subprocess|os\.(system|exec|spawn|posix_spawn|fork)"
)
PYTHON = tuple({*map(str, map(Path, (sys.prefix, sys.base_prefix, PACKAGE, *sysconfig.get_paths().values())))})
SYSTEM = ("/proc/", "/sys/fs/cgroup/")  # how much memory there is

_watched = None  # what may be opened, and what was done that may not


def _audit(event, arguments):
    if _watched is None:
        return
    allowed, done = _watched
    if FORBIDDEN.match(event):
        done.append((event, arguments))
    elif event == "open" and not isinstance(arguments[0], int) and not str(arguments[0]).startswith(allowed):
        done.append((event, arguments))


sys.addaudithook(_audit)


@contextmanager
def watched(folder):
    """Fail if a connection is opened, a program is started, or a file is opened outside a folder."""
    global _watched
    done = []
    stored = [str(place.folder) for place in _stored._places()]  # code of loops that are compiled meanwhile
    _watched = ((str(folder), tempfile.gettempdir() + "/tmp", *PYTHON, *SYSTEM, *stored), done)
    try:
        yield
    finally:
        _watched = None
    assert done == []


def test_the_watch_sees_connections_and_files(tmp_path):
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    (tmp_path / "own").mkdir()
    with pytest.raises(AssertionError, match="secret"), watched(tmp_path / "own"):
        (tmp_path / "secret").read_text(encoding="utf-8")
    import socket

    with pytest.raises(AssertionError, match="connect"), watched(tmp_path / "own"), socket.socket() as one:
        one.connect_ex(("127.0.0.1", 9))


def test_there_is_a_sample_of_every_format():
    decoders = {
        decoder_of(name, data, format_of(name, None)[0] if tells_format(name) else None)
        for name, data in FILES.items()
        if not name.endswith((".gz", ".dmp"))
    }
    assert {published.decode for published in _PUBLISHED} <= decoders
    assert {format_.decode for format_ in FORMATS.values()} <= decoders


def grown(text, rng):
    """Repeat a piece of a text many times."""
    i, j = sorted(rng.integers(0, len(text) + 1, 2).tolist())
    piece = text[i : min(j, i + 40)]
    return text[:i] + piece * int(rng.integers(2, 2 + 3_000 // max(len(piece), 1))) + text[j:]


def mutations(name, whole, text_of_name, parts, rng):
    """Yield mutated files of a format, of a text if it is one, without end."""
    while True:
        if text_of_name is None:
            packed = name.endswith(".gz") and rng.random() < 0.5  # broken inside, under checksums that are right
            yield gzip.compress(changed_bytes(gzip.decompress(whole), rng)) if packed else changed_bytes(whole, rng)
            continue
        text = grown(text_of_name, rng) if rng.random() < 0.1 else mutated(text_of_name, parts, rng)
        data = text.encode("utf-8", "surrogatepass")
        yield changed_bytes(data, rng) if rng.random() < 0.2 else data


def parts_of(text, secret):
    """The tokens of a sample, and addresses and references that a careless reader would follow."""
    tokens = sorted(set(re.findall(r"\w+|\W", text or "")))
    addresses = [f"file://{secret}", str(secret), "http://127.0.0.1:9/x", "https://evil.test/x"]
    told = ['"{}"', "<{}>", '"@context": "{}",', '[["{}"]]', '"@import": "{}"', '<!ENTITY x SYSTEM "{}">&x;']
    told += ['<xi:include href="{}"/>', 'rdf:resource="{}"', "@import <{}> .", "import: {}\n", "!include {}\n"]
    return tokens + [form.format(address) for address in addresses for form in told]


@draws_of("every format", 1 / len(NAMES))
@pytest.mark.parametrize("name", NAMES)
def test_a_mutated_file_of_every_format(limits, tmp_path, caplog, name, draws, seed):
    folder = tmp_path / "own"
    folder.mkdir()
    path, whole = put(name, folder)
    _read_mutated(
        path, whole, TEXTS.get(name), partial(read, tree=2 if name.startswith("several") else None), draws, seed
    )
    assert caplog.records == []


@draws_of("terms with several parents", 1 / len(DAG_TEXTS))
@pytest.mark.parametrize("name", DAG_TEXTS)
def test_a_mutated_file_of_terms_with_several_parents(limits, tmp_path, caplog, name, draws, seed):
    folder = tmp_path / "own"
    folder.mkdir()
    text = DAG_TEXTS[name]
    (folder / name).write_text(text, encoding="utf-8")
    door = partial(read_dag, relations=("is_a", "part_of"))
    _read_mutated(folder / name, text.encode(), text, door, draws, seed)
    assert caplog.records == []


def _read_mutated(path, whole, text, door, draws, seed):
    """Read mutations of a file: each is a tree, terms or our own error, and nothing else is opened or asked."""
    secret = path.parents[1] / "secret"
    secret.write_text("hidden", encoding="utf-8")
    assert _outcome(door, path) == "tree"
    rng = np.random.default_rng(seed)
    seen = {"tree": 0, "refused": 0}
    try:
        for _, data in zip(range(draws), mutations(path.name, whole, text, parts_of(text, secret), rng), strict=False):
            path.write_bytes(data[:MOST_BYTES])
            faulthandler.dump_traceback_later(FOREVER, exit=True)
            with watched(path.parent), calls_limited(MOST_CALLS, ""):
                seen[_outcome(door, path)] += 1
    finally:
        faulthandler.cancel_dump_traceback_later()
    print(path.name, seen)
    assert seen["refused"] > 0


def _outcome(door, path):
    """How a file is read; our own warnings are no outcome, those of others are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        return outcome(door, path)
