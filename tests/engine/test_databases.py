"""Tables of databases, through DuckDB: in files of its own, of SQLite, and on a server of Postgres."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dendrometry.engine import ItemTable, overlap_from_tables
from dendrometry.engine.on_duckdb import DuckDB
from dendrometry.errors import InvalidInputError

duckdb = pytest.importorskip("duckdb")

# The same statements for all three. The names hold what ends a name or a statement if it is not quoted.
ROWS = """
CREATE TABLE animals (item varchar(9), path varchar(99), weight bigint);
INSERT INTO animals VALUES ('cat', 'mammals/pets', 2), ('fox', 'mammals', 1), ('owl', 'birds', 1);
CREATE TABLE "t""; --" ("i; --" integer, "n'; --" varchar(9));
INSERT INTO "t""; --" VALUES (1, 'x'), (2, 'y');
"""


def need(extension: str) -> None:
    """Skip a test if an extension of DuckDB is not there; it comes from a server of DuckDB."""
    try:
        duckdb.connect(config={"autoinstall_known_extensions": "false"}).execute(f"LOAD {extension}")
    except duckdb.Error:
        pytest.skip(f"duckdb.sql('INSTALL {extension}') has not been run for DuckDB {duckdb.__version__}")


@pytest.fixture(scope="module")
def in_duckdb(tmp_path_factory) -> str:
    """A file of DuckDB."""
    place = str(tmp_path_factory.mktemp("duckdb") / 'it\'s; a "shop".duckdb')
    with duckdb.connect(place) as database:
        database.execute(ROWS)
    return place


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory) -> str:
    """A file of SQLite."""
    need("sqlite")
    place = str(tmp_path_factory.mktemp("sqlite") / 'it\'s; a "shop".db')
    database = sqlite3.connect(place)
    database.executescript(ROWS)
    database.close()
    return f"sqlite:{place}"


@pytest.fixture(scope="module")
def in_postgres() -> Iterator[str]:
    """A server of Postgres, made for these tests, that only this machine reaches."""
    need("postgres")
    found = [shutil.which("initdb"), *map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    if not any(found):
        pytest.skip("Postgres is not installed")
    programs = Path(next(filter(None, found))).parent
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []  # the server refuses to run as root
    with tempfile.TemporaryDirectory() as folder:
        if user:
            shutil.chown(folder, "postgres")

        def run(program: str, *arguments: str) -> None:
            command = [*user, str(programs / program), *arguments]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        data = f"{folder}/data"
        run("initdb", "-D", data, "-A", "trust", "-U", "owner")
        run("pg_ctl", "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-k {folder} -c listen_addresses=''", "start")
        try:
            run("psql", "-q", "-h", folder, "-U", "owner", "-d", "postgres", "-c", ROWS)
            yield f"postgres:host={folder} user=owner dbname=postgres"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")


DATABASES = ["in_duckdb", *(pytest.param(name, marks=pytest.mark.slow) for name in ("in_sqlite", "in_postgres"))]


@pytest.fixture(params=DATABASES)
def database(request) -> str:
    """Each of the databases."""
    return request.getfixturevalue(request.param)


def test_counts_the_rows_of_a_table(database):
    animals = ItemTable(source="animals", database=database)
    overlap = overlap_from_tables(animals, animals)
    assert overlap.node_names[0] == ("birds", "pets", "mammals", "")
    assert sorted(overlap.count.tolist()) == [1, 1, 2]


def test_a_table_of_a_database_beside_a_file(database, tmp_path):
    (tmp_path / "b.csv").write_text("item,label\nfox,x\ncat,x\nowl,y\n", encoding="utf-8")
    animals = ItemTable(source="animals", database=database, weight="")
    assert overlap_from_tables(animals, tmp_path / "b.csv").count.tolist() == [1, 1, 1]


def test_columns_and_tables_of_any_name_are_only_names(database):
    table = ItemTable(source='t"; --', database=database, item="i; --", node="n'; --")
    assert overlap_from_tables(table, table).node_names[0] == ("x", "y", "")


def test_a_table_that_is_not_there(database):
    with pytest.raises(InvalidInputError, match=r"first table: cannot read the table 'no; ne' of .*: .*does not exist"):
        overlap_from_tables(*[ItemTable(source="no; ne", database=database)] * 2)


def test_a_dot_ends_a_schema_and_is_only_a_character_of_a_column(tmp_path):
    place = str(tmp_path / "some.duckdb")
    with duckdb.connect(place) as database:
        database.execute("""CREATE SCHEMA zoo; CREATE TABLE zoo.cats AS SELECT 'x' AS "a.""b", 'y' AS "c.d" """)
    table = ItemTable(source="zoo.cats", database=place, item='a."b', node="c.d")
    assert overlap_from_tables(table, table).node_names[0] == ("y", "")


REACHES = [
    "SELECT 'a' AS item, content AS path FROM read_text('{secret}')",
    "SELECT content AS item, 'x' AS path FROM read_blob('{secret}')",
    "SELECT 'a' AS item, * FROM read_csv('{secret}', header=false) AS t(path)",
    "SELECT 'a' AS item, * FROM '{secret}.csv' AS t(path)",
    "SELECT 'a' AS item, file AS path FROM glob('{folder}/*')",
    "SELECT 'a' AS item, CAST((SELECT content FROM read_text('{secret}')) AS INTEGER) AS path",
]


@pytest.mark.parametrize("select", REACHES)
def test_views_of_strangers_reach_no_other_file(tmp_path, select):
    secret = tmp_path / "secret"
    for name in (secret, tmp_path / "secret.csv"):
        name.write_text("hidden-content\n", encoding="utf-8")
    place = str(tmp_path / "strange.duckdb")
    with duckdb.connect(place) as database:
        database.execute(f"CREATE VIEW v AS {select.format(secret=secret, folder=tmp_path)}")
    (tmp_path / "own.csv").write_text("item,path\na,x\n", encoding="utf-8")
    table = ItemTable(source="v", database=place)
    for pair in ((table, table), (table, tmp_path / "own.csv"), (tmp_path / "own.csv", table)):
        with pytest.raises(InvalidInputError, match="Permission Error: Cannot access file") as caught:
            overlap_from_tables(*pair)
        assert "hidden-content" not in str(caught.value)


class Standing:
    """A connection that attaches a file of DuckDB in the place of SQLite or Postgres, and keeps what it was told.

    DuckDB's extensions for both come from its server; what is done around them is the same, and can be seen without.
    """

    def __init__(self, database, place):
        self._database, self._place, self.told = database, place, []

    def __getattr__(self, name):
        return getattr(self._database, name)

    def execute(self, statement):
        self.told.append(statement)
        if statement.startswith("ATTACH"):
            name = statement.partition(" AS ")[2].partition(" ")[0]
            statement = f"ATTACH '{self._place}' AS {name} (READ_ONLY)"
        return self._database.execute(statement)

    def sql(self, statement):
        self.told.append(statement)
        return self._database.sql(statement)


@pytest.fixture
def standing(tmp_path, monkeypatch):
    """Let a file of DuckDB stand for the databases that need an extension; return where it is, and what was told."""
    place = str(tmp_path / "strange.duckdb")
    plain, seen = DuckDB.__init__, []

    def begin(self, duckdb, database, progress):
        seen.append(Standing(database, place))
        plain(self, duckdb, seen[-1], progress)

    monkeypatch.setattr(DuckDB, "__init__", begin)
    return place, seen


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("select", REACHES)
def test_views_in_other_databases_reach_no_file(tmp_path, standing, kind, select):
    place, seen = standing
    secret = tmp_path / "secret"
    for name in (secret, tmp_path / "secret.csv"):
        name.write_text("hidden-content\n", encoding="utf-8")
    with duckdb.connect(place) as database:
        database.execute(f"CREATE VIEW v AS {select.format(secret=secret, folder=tmp_path)}")
    (tmp_path / "some.db").touch()
    address = {"sqlite": f"sqlite:{tmp_path}/some.db", "postgres": "postgres:host=127.0.0.1 password=secret"}[kind]
    table = ItemTable(source="v", database=address)
    with pytest.raises(InvalidInputError, match="Permission Error: Cannot access file") as caught:
        overlap_from_tables(table, table)
    assert "hidden-content" not in str(caught.value)
    (one,) = seen
    attached = [said for said in one.told if said.startswith("ATTACH")]
    assert len(attached) == 1
    assert attached[0].endswith(f"(READ_ONLY, TYPE {kind})")
    sealed = one.told.index("SET enable_external_access = false; SET lock_configuration = true")
    assert not [said for said in one.told[:sealed] if "SELECT" in said and "current_setting" not in said]
    allowed = next(said for said in one.told if said.startswith("SET allowed_paths"))
    assert (str(tmp_path / "some.db") in allowed) == (kind == "sqlite")
    assert "secret" not in allowed


def test_tables_in_other_databases_are_read_behind_the_seal(tmp_path, standing):
    place, _ = standing
    with duckdb.connect(place) as database:
        database.execute("CREATE TABLE t AS SELECT 'a' AS item, 'x' AS path")
    table = ItemTable(source="t", database="postgres:host=127.0.0.1")
    assert overlap_from_tables(table, table).node_names[0] == ("x", "")


def test_a_variable_of_this_process_is_no_table(tmp_path):
    place = str(tmp_path / "strange.duckdb")
    with duckdb.connect(place) as database:
        database.execute("CREATE TABLE own AS SELECT 1 AS item, 2 AS path; CREATE VIEW v AS SELECT item, path FROM own")
        database.execute("DROP TABLE own")
    own = {"item": [1], "path": [2]}
    assert own
    with pytest.raises(InvalidInputError, match="own does not exist"):
        overlap_from_tables(*[ItemTable(source="v", database=place)] * 2)


def test_a_view_over_the_tables_of_its_database_is_a_table(tmp_path):
    place = str(tmp_path / "some.duckdb")
    with duckdb.connect(place) as database:
        database.execute("CREATE TABLE t AS SELECT 'a' AS item, 'x' AS path; CREATE VIEW v AS SELECT * FROM t")
    table = ItemTable(source="v", database=place)
    assert overlap_from_tables(table, table).node_names[0] == ("x", "")


@pytest.mark.slow
def test_a_file_that_is_not_of_sqlite(tmp_path):
    need("sqlite")
    (tmp_path / "some.db").write_text("a text that is no database", encoding="utf-8")
    table = ItemTable(source="animals", database=f"sqlite:{tmp_path}/some.db")
    with pytest.raises(InvalidInputError, match=r"cannot read the table 'animals' of .*: .*file is not a database"):
        overlap_from_tables(table, table)


def test_errors_of_extensions_are_ours(in_duckdb, monkeypatch):
    class Broken:
        def execute(self, statement):
            pass

        def sql(self, statement):
            raise RuntimeError("file is not a database")  # as the extension for SQLite does

    monkeypatch.setattr(DuckDB, "_attach", lambda self, database: setattr(self, "_database", Broken()) or "database_0")
    table = ItemTable(source="animals", database=in_duckdb)
    with pytest.raises(InvalidInputError, match=r"cannot read the table 'animals' of .*: file is not a database"):
        overlap_from_tables(table, table)


@pytest.mark.parametrize(
    "address",
    [
        "host=127.0.0.1 port=1 dbname=x password=secret",
        "host=127.0.0.1 port=1 password = 'top \\' secret' dbname=x",
        "postgresql://me:secret@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?user=me&password=secret",
    ],
)
def test_a_server_that_cannot_be_reached(address):
    table = ItemTable(source="animals", database=f"postgres:{address}")
    with pytest.raises(InvalidInputError, match="first table: cannot read the postgres database") as caught:
        overlap_from_tables(table, table)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
