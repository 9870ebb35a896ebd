"""The network is used where a user says so: the page on security names all of these places."""

import re
import socket
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.engine import ItemTable, overlap_from_tables
from dendrometry.errors import DendrometryError

SOURCE = Path(dm.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "security.md"
ADDRESSES = ["http://127.0.0.1:9/a.parquet", "https://evil.test/a.csv", "s3://evil/a.parquet", "file:///etc/a.csv"]

# Every module that can reach the network, by what it imports or says, and the words of the page about it.
REACHING = {
    "app/server.py": "`dendrometry app`",
    "datasets/download.py": "`datasets.fetch()`",
    "engine/on_duckdb.py": "`postgres:`",
    "engine/item_table.py": "`postgres:`",
    "engine/on_spark.py": '`engine="spark"`',
    "engine/cells_on_spark.py": '`engine="spark"`',
}
SIGNS = re.compile(
    r"import (socket|ssl|urllib\.request|http\.client|ftplib|smtplib)|from (socket|urllib\.request|http)"
    r"|urlopen|\brequests\.|\bhttpx\b|[\"']postgres|[\"']pip[\"']|getOrCreate|pyspark\.sql\.connect|\.remote\("
    r"|mapInArrow"
)


@pytest.fixture
def closed(monkeypatch):
    """No connection can be opened."""

    def refuse(*arguments, **_):
        raise AssertionError(f"a connection was opened: {arguments}")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_the_name_of_a_file(closed, address):
    with pytest.raises(DendrometryError, match=r"cannot read|no such file"):
        dm.read(address)
    with pytest.raises(DendrometryError, match="no such file"):
        overlap_from_tables(address, address)
    with pytest.raises(DendrometryError, match="no such database"):
        overlap_from_tables(*[ItemTable(source="t", database=address)] * 2)


def test_the_page_names_all_that_reaches_the_network():
    found = {
        str(path.relative_to(SOURCE).as_posix())
        for path in SOURCE.rglob("*.py")
        if SIGNS.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(REACHING)
    (said,) = re.findall(r"- \*\*The network is used.*?(?=\n- \*\*|\n\n)", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert all(words in " ".join(said.split()) for words in REACHING.values())
