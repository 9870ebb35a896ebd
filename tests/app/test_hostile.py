"""Hostile names and files: nothing runs, nothing is read that was not given, and the server goes on."""

import base64
import gzip
import io
import json
import pickle
import random
import zipfile

import pytest
from playwright.sync_api import expect

from dendrometry.app.cards import Given
from dendrometry.app.inspection import inspect
from dendrometry.app.names import harmless
from tests.app.conftest import A, B
from tests.app.test_page import opened

PARTS = [
    *(
        "../",
        "..\\",
        "/etc/passwd",
        "C:\\",
        "\0",
        "\n",
        "\r",
        "\t",
        "\x1b[31m",
        "--force",
        "-",
        "*",
        "?",
        "[a-z]",
        ":2",
    ),
    *("=cmd|' /C calc'!A0", "$(touch x)", "`touch x`", ";touch x", "&& touch x", "| touch x", "'", '"', "{{facts}}"),
    *(
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "${alert(1)}",
        "%2e%2e%2f",
        "%00",
        "\u202e",
        "\u2028",
    ),
    *("\ud800", "é", "𝕏" * 40, "long" * 100, ".", "..", " ", "CON", "aux", "~", "#", "a.nwk.exe"),
]
_random = random.Random(0)
NAMES = [*PARTS, *("".join(_random.sample(PARTS, 3)) + ".nwk" for _ in range(160))]


def bomb():
    held = io.BytesIO()
    with gzip.GzipFile(fileobj=held, mode="wb") as file:
        file.write(b"(" * 3 * 10**7)
    return held.getvalue()


def workbook():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("../../x", "x")
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
    return held.getvalue()


LABELS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "=1+1",
    "</script>",
    "{{data}}",
    "javascript:alert(1)",
]
FILES = {
    "labels.nwk": f"(({','.join(repr(label) for label in LABELS)}),plain);",
    "labels.csv": 'item,<script>alert(1)</script>\n<img src=x onerror=alert(1)>,"<b onclick=alert(1)>"\nplain,x\n',
    "script.html": "<script>alert(1)</script>",
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "pickle.npy": pickle.dumps([1]),
    "bomb.nwk.gz": bomb(),
    "book.xlsx": workbook(),
    "deep.nwk": "(" * 300_000 + "a" + ")" * 300_000 + ";",
    "deep.json": "[" * 300_000,
    "nul.csv": "item,x\0y\na,1\n",
    "r.rds": gzip.compress(b"X\n\0\0\0\3" + b"\xff" * 100),
    "binary.nwk": bytes(range(256)) * 100,
    "header.npy": b"\x93NUMPY\x01\x00v\x00{'descr': __import__('os').system('touch x'), }" + b" " * 60,
    "empty.nwk": b"",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_becomes_one_harmless_step(name):
    kept = harmless(name)
    assert kept == harmless(kept)
    assert kept not in ("", ".", "..")
    assert not set("/\\:*?[]<>|\"'`$&;%\0\n\r\x1b\u202e") & set(kept)
    assert kept[0] not in ".-= "
    assert len(kept.encode()) <= 140


def test_files_of_hostile_names_are_kept_under_harmless_ones(server):
    before = set(server.json("state")["folder"])
    for name in NAMES:
        kept = server.put(name.encode("utf-8", "surrogatepass").decode("utf-8", "replace"), A)
        assert kept["file"] == f"uploads/{kept['name']}"
        server.json("files/remove", {"name": kept["name"]})
    assert set(server.json("state")["folder"]) == before


OTHERS = {  # in place of taxonomies and labels
    "many.owl": '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><l>&b;</l>',
    "out.owl": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "net.jsonld": '{"@context": "http://evil.test/context"}',
    "cycle.csv": "child,parent\na,b\nb,a\n",
    "tags.csv": "item,term\n<script>alert(1)</script>,<img src=x onerror=alert(1)>\n",
    "scores.csv": "item,term,score\na,b,nan\nb,c,1e999\n",
    "ragged.csv": "item,term\na\nb,c,d\n",
}


@pytest.mark.parametrize("name", [*(one for one in FILES if one not in ("deep.nwk", "bomb.nwk.gz")), *OTHERS])
def test_a_hostile_file_in_place_of_a_taxonomy_or_of_labels_is_read_or_refused(tmp_path, name):
    data = {**FILES, **OTHERS}[name]
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    (tmp_path / "good.csv").write_text("child,parent\na,b\nc,b\n")
    (tmp_path / "labels.csv").write_text("item,term\nx,a\n")
    for kind, names in (
        ("taxonomies", (name, "good.csv")),
        ("predictions", (name, "labels.csv", "labels.csv")),
        ("predictions", ("good.csv", "labels.csv", name)),
    ):
        found = inspect(kind, [Given(str(tmp_path / one), one, {}, i) for i, one in enumerate(names)], {})
        card = found["files"][names.index(name)]
        assert card["readable"] != bool(card["problem"])
        assert str(tmp_path) not in card["problem"]


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_a_tree_or_a_refusal(server, name):
    data = FILES[name]
    kept = server.put(name, data)["file"]
    found = server.json("inspect", {"task": "compare", "files": [{"file": kept}, {"file": "folder/a.nwk"}]})
    assert found["files"][0]["readable"] or found["files"][0]["problem"]
    status, _, body = server.ask("api/compare", {"a": {"file": kept}, "b": {"file": "folder/a.nwk"}})
    assert status == 422
    assert json.loads(body)["error"]
    assert server.json("state")["folder"] == ["a.nwk", "below/b.nwk"]  # and it goes on


def test_hostile_labels_are_text_on_the_page_and_in_the_report(browser, server):
    text = FILES["labels.nwk"]
    data = base64.b64encode(text.encode()).decode()
    with opened(browser, server) as page:
        for slot, name in enumerate(("<img src=x onerror=alert(1)>.nwk", "b.nwk")):
            transfer = page.evaluate_handle(
                "([n, data]) => { const d = new DataTransfer(); d.items.add(new File([atob(data)], n)); return d; }",
                [name, data],
            )
            page.locator(".slots > .slot").nth(slot).dispatch_event("drop", {"dataTransfer": transfer})
            expect(page.locator(".called")).to_have_count(slot + 1)
        expect(page.locator(".match")).to_contain_text("All 7 items match by name.")
        page.locator("button.main").click()
        expect(page.frame_locator("iframe.report").locator("#items tbody")).to_contain_text("<script>alert(1)</script>")
        assert page.locator("img[src=x]").count() == 0


def test_texts_in_place_of_trees_do_no_harm(server):
    for text in (B, "\0" * 1000, "x" * 10**6, "[[" * 10**5):
        kept = server.put("mixed.csv", text)["file"]
        for task in ("cluster", "documents", "diff"):
            files = [{"file": kept}] * (2 if task == "diff" else 1)
            assert "files" in server.json("inspect", {"task": task, "files": files})
