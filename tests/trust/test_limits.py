"""Limits hold before memory is taken: compressed files, endless ones, and marks that ask for many nodes."""

import gzip
import io
import os
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest
from tests.work import n_calls, peak_bytes

from dendrometry import MEASURES, _memory, agglomerate, compare, from_json, from_labels, from_newick, read
from dendrometry._display import printable, printable_repr
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError, ItemMismatchError, UnknownNameError
from dendrometry.io.formats.delimited import from_delimited

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20


def zeros(n_megabytes, character=b"\0"):
    """Return many equal bytes, compressed."""
    packer = zlib.compressobj(1, wbits=31)
    part = character * MEGABYTE
    return b"".join([*(packer.compress(part) for _ in range(n_megabytes)), packer.flush()])


def refusal(function, error, message=None):
    """Return a function without arguments that must end in an error of ours; it has done so once, and imported all."""

    def refused():
        with pytest.raises(error, match=message):
            function()

    refused()
    return refused


@pytest.mark.parametrize("name", ["x.csv.gz", "x.tsv.gz", "x.nwk.gz", "x.json.gz", "x.npy.gz", "x.parquet.gz"])
def test_a_bomb_of_zeros_ends_after_few_calls_and_in_little_memory(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(zeros(30))
    assert path.stat().st_size < 200_000
    refused = refusal(lambda: read(path), FormatError)
    assert n_calls(refused) < 5_000
    assert peak_bytes(refused) < 30 * MEGABYTE * 10


# Without compilation, so that the loops are counted as well. What can be read four times as far may take four times.
LINES = """
from dendrometry import from_json, from_newick
from dendrometry.errors import DendrometryError
from dendrometry.io.formats.delimited import from_delimited
from tests.work import n_lines

DOORS = {"newick": from_newick, "json": from_json, "csv": lambda text: from_delimited(text, ",")}
PARTS = ["\\0", "(", ")", "(a,", "(a:1,b)", "'", "''", "[", "[a]", ";", '{"children":[', '"', '"",', ",", "a,", "a\\n"]
PARTS += ["a/b\\n", "\\\\u0041", "1", "-", " ", "é"]
TREES = (
    lambda n: "(" * n + "a" + "".join(f",b{i})" for i in range(n)) + ";",
    lambda n: "(" + ",".join(f"'a {i}':1e-1" for i in range(n)) + ");",
    lambda n: '{"children":[' * n + '{"name":"a"}' + "]}" * n,
    lambda n: '{"children":[' + ",".join(f'{{"name":"a{i}"}}' for i in range(n)) + "]}",
    lambda n: "item,path\\n" + "".join(f"a{i},b/c{i % 9}\\n" for i in range(n)),
    *(lambda n, part=part: part * n for part in PARTS),
)

def read(door, text):
    try:
        door(text)
    except DendrometryError:
        pass

for name, door in DOORS.items():
    for tree in TREES:
        read(door, tree(4))
        few, many = (n_lines(lambda: read(door, tree(n))) for n in (500, 2000))
        print(name, few, many, repr(tree(1)))
"""


def test_texts_are_read_in_time_that_grows_with_their_length():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", LINES]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    lines = [line.split(maxsplit=3) for line in run.stdout.splitlines()]
    assert len(lines) == 3 * 27
    assert not [line for line in lines if int(line[2]) > 5 * int(line[1])]
    assert max(int(many) for _, _, many, _ in lines) > 100_000  # loops are counted


def test_the_default_cap_follows_the_memory_there_is(tmp_path, monkeypatch):
    path = tmp_path / "x.nwk.gz"
    path.write_bytes(gzip.compress(b" " * 200_000 + b"(a,b);"))
    monkeypatch.setattr(_memory, "available", lambda: 1_600_000)
    with pytest.raises(FormatError, match="must unpack to at most 100,000 bytes"):
        read(path)
    assert read(path, max_bytes=300_000).items == ("a", "b")


def test_files_without_end_are_not_read_to_the_end(monkeypatch):
    monkeypatch.setattr(_memory, "available", lambda: 10_000_000)
    with pytest.raises(InvalidInputError, match="/dev/zero must take at most half of the memory there is, 5,000,000"):
        read("/dev/zero", format="newick")


def test_long_words_are_refused_without_a_copy():
    long = "\x1b" * 16_000_000
    first, second = from_newick("(a,b);"), from_labels([0, 1], item_names=["a", "é " * 2_000_000])
    for refused in (
        refusal(lambda: agglomerate([[0.0], [1.0]], linkage=long), InvalidInputError, "linkage must be"),
        refusal(lambda: MEASURES[long], UnknownNameError, "must be"),
        refusal(lambda: compare(first, second), ItemMismatchError, "must hold the same items"),
    ):
        assert n_calls(refused) < 2_000
        assert peak_bytes(refused) < MEGABYTE


def test_a_limit_holds_for_files_that_are_not_compressed(tmp_path):
    with pytest.raises(InvalidInputError, match=r"/dev/zero must take at most 1,000,000 bytes; it holds more \("):
        read("/dev/zero", format="newick", max_bytes=10**6)
    (tmp_path / "a.nwk").write_text("(a,b);", encoding="utf-8")
    assert read(tmp_path / "a.nwk", max_bytes=6).items == ("a", "b")
    with pytest.raises(InvalidInputError, match="must take at most 5 bytes"):
        read(tmp_path / "a.nwk", max_bytes=5)


@pytest.mark.parametrize(
    ("door", "text"),
    [
        (from_newick, "(" * MEGABYTE),
        (from_newick, "(" + "a," * MEGABYTE),
        (from_json, '{"children":[' * 100_000),
        (from_json, '{"items":[' + '"",' * MEGABYTE),
        (lambda text: from_delimited(text, ","), "," * MEGABYTE),
        (lambda text: from_delimited(text, ","), "a\n" * MEGABYTE),
    ],
)
def test_marks_that_ask_for_more_than_there_is_are_counted_first(monkeypatch, door, text):
    monkeypatch.setattr(_memory, "available", lambda: 40_000_000)
    refused = refusal(lambda: door(text), InvalidInputError, r"needs .* of memory; 38.1 MiB are available")
    assert n_calls(refused) < 2_000
    assert peak_bytes(refused) < 2 * len(text)


UNDER_A_LIMIT = """
import resource, sys
from dendrometry import _memory, read
from dendrometry.errors import DendrometryError
from dendrometry import from_newick
from_newick("((a:1,b:1):1,c:2);")
resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))
assert _memory.available() < 4 * 10**9
for path in sys.argv[1:]:
    try:
        read(path)
    except DendrometryError as error:
        print(str(error)[-100:])
"""


def test_bombs_are_refused_under_a_limit_on_memory(tmp_path):
    paths = []
    for number, character in enumerate((b"\0", b"(", b",", b"\n", b'"')):
        bomb = zeros(300, character)
        for name in ("csv", "nwk", "json"):
            paths.append(str(tmp_path / f"{number}.{name}.gz"))
            (tmp_path / f"{number}.{name}.gz").write_bytes(bomb)
    run = subprocess.run([sys.executable, "-c", UNDER_A_LIMIT, *paths], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(paths)


def test_long_values_are_cut_before_they_are_escaped():
    long = "\0" * 16_000_000
    for value in (long, [long] * 1000):
        assert len(printable(value)) == 60
        assert n_calls(lambda: printable(value)) < 2_000  # noqa: B023
        assert peak_bytes(lambda: printable(value)) < MEGABYTE  # noqa: B023
    assert n_calls(refusal(lambda: from_delimited(long, ","), FormatError)) < 2_000


class Hostile:
    def __repr__(self):
        raise RuntimeError("no")


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_any_value_can_be_shown():
    huge = 10**5000
    deep = nested(10_000)
    for value in (huge, -huge, [huge], {"a": huge}, Hostile(), [Hostile()], deep, {1: deep}):
        assert 0 < len(printable(value)) <= 60
        assert 0 < len(printable_repr(value)) <= 60


def test_values_are_shown_as_before():
    assert printable("a\x1b[2J") == "a\\x1b[2J"
    assert printable([1, "b", (2.5,), {3: None}]) == "[1, 'b', (2.5,), {3: None}]"
    assert printable("x" * 61) == "x" * 59 + "…"
    assert printable(list(range(100))) == repr(list(range(100)))[:59] + "…"
    assert printable("\0" * 60) == "\\x00" * 14 + "\\x0…"
    assert printable_repr("it's") == '"it\'s"'


def test_enormous_integers_are_our_own_error():
    with pytest.raises(DendrometryError, match="got an integer of 16,610 bits"):
        read("x.nwk", max_bytes=-(10**5000))
    with pytest.raises(DendrometryError, match="got an integer of 16,610 bits"):
        from_newick("(a,b);").draw(max_lines=-(10**5000))


def test_closed_and_replaced_standard_streams_are_our_own_error(monkeypatch):
    from dendrometry import write

    tree = from_newick("(a,b);")
    for stream in (None, io.StringIO("(a,b);")):
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(InvalidInputError, match="standard input must be open, and give bytes"):
            read("-", format="newick")
    replaced = io.StringIO()
    monkeypatch.setattr(sys, "stdout", replaced)
    write(tree, "-", format="newick")
    assert replaced.getvalue() == "(a,b);\n"
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    for stream, form in ((None, "newick"), (closed, "newick"), (io.StringIO(), "parquet")):
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(InvalidInputError, match="standard output must be open, and take bytes"):
            write(from_newick("(a,b);"), "-", format=form)


def test_a_long_chain_is_drawn_in_little_memory():
    n = 20_000
    text = "(" * (n - 1) + "a" + "".join(f",b{i})" for i in range(n - 1)) + ";"
    tree = from_newick(text)
    tracemalloc.start()
    drawn = tree.draw(None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000_000
    lines = drawn.splitlines()
    assert len(lines) == tree.n_nodes
    assert max(map(len, lines)) < 700
    assert sum(line.endswith("b5") for line in lines) == 1
