from __future__ import annotations

import re
import subprocess
import sys

import pytest
from sqlalchemy import create_engine, inspect
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from hotloop.errors import StoreError
from hotloop.model.finding import Gain
from hotloop.store import Calibration, Store, migrate, schema

ROW = Calibration(
    technique="t", rule="r", target="x", predicted=Gain(1, 2), measured=1.0, verdict="SAME", created="now"
)
ORDER = ["0001", "0002", "0003"]


@pytest.fixture
def at_version(path):
    """Build a store file of an older schema by running the shipped revisions up to it."""

    def build(version: str):
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            migrate.upgrade(connection, None, version)
        engine.dispose()
        return path

    return build


def structure(path) -> dict[str, object]:
    engine = create_engine(f"sqlite:///{path}")
    seen = inspect(engine)
    described = {
        table: (
            [{**column, "type": str(column["type"])} for column in seen.get_columns(table)],
            seen.get_pk_constraint(table),
            seen.get_foreign_keys(table),
            seen.get_unique_constraints(table),
            sorted(seen.get_indexes(table), key=lambda index: index["name"]),
        )
        for table in seen.get_table_names()
    }
    engine.dispose()
    return described


def execute(path, statement: str) -> list[tuple[object, ...]]:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        result = connection.exec_driver_sql(statement)
        rows = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return rows


def test_revisions_are_one_chain_that_ends_at_head():
    chain = [script.revision for script in migrate.scripts().walk_revisions()][::-1]
    assert chain == ORDER == sorted(chain)
    assert chain[-1] == schema.HEAD


def test_a_created_store_equals_a_migrated_one(at_version, tmp_path):
    migrated = structure(at_version(schema.HEAD))
    Store.open(tmp_path / "fresh.sqlite").close()
    assert structure(tmp_path / "fresh.sqlite") == migrated
    assert set(migrated) == set(schema.metadata.tables)
    assert execute(tmp_path / "fresh.sqlite", "SELECT version_num FROM hotloop_schema") == [(schema.HEAD,)]


def test_an_older_store_is_upgraded_and_keeps_its_rows(at_version, make_trial):
    path = at_version("0001")
    assert "calibration" not in structure(path)
    insert = re.sub(r"\s+", " ", str(schema.trials.insert().compile(dialect=create_engine("sqlite://").dialect)))
    assert insert.startswith("INSERT INTO trials")
    execute(
        path,
        "INSERT INTO trials (identity, family, problem, sizes, implementation, config, fingerprint, device,"
        " device_fingerprint, outcome_kind, outcome, purpose, created) VALUES ('i', 'gemm', 'p', '{\"m\": 1}', 'tile', '{}',"
        " 'f', 'd', 'df', 'LaunchFailed', '{\"is\": \"LaunchFailed\", \"reason\": \"old\"}', 'search', 'then')",
    )
    with Store.open(path) as store:
        assert store.trials()[0].outcome.reason == "old"
        store.add_trial(make_trial())
        store.add_calibration(ROW)
        assert store.calibration() == (ROW,)
        assert len(store.trials()) == 2
    assert execute(path, "SELECT version_num FROM hotloop_schema") == [(schema.HEAD,)]


def test_an_upgrade_that_fails_leaves_the_old_store(at_version):
    path = at_version("0001")
    execute(path, "CREATE TABLE calibration (mine INTEGER)")
    before = structure(path)
    with pytest.raises(StoreError, match="already exists"):
        Store.open(path)
    assert structure(path) == before
    assert execute(path, "SELECT version_num FROM hotloop_schema") == [("0001",)]


def test_an_older_store_is_not_upgraded_to_read_only(at_version):
    path = at_version("0001")
    with pytest.raises(StoreError, match="schema 0001, older than schema"):
        Store.open(path, read_only=True)
    assert "calibration" not in structure(path)


def test_a_newer_store_is_refused_with_both_versions_and_left_alone(path, store):
    store.close()
    execute(path, "UPDATE hotloop_schema SET version_num = '0907'")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreError, match=rf"schema 0907, newer than schema {schema.HEAD} of this hotloop \d"):
            Store.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_the_schema_is_valid_for_postgresql():
    dialect = postgresql.dialect()
    for table in schema.metadata.sorted_tables:
        text = str(CreateTable(table).compile(dialect=dialect))
        assert ("BIGSERIAL" in text) == ("number" in table.c)
        assert [str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes] or table.name in (
            "hotloop_schema",
            "journal",
        )


def test_heavy_libraries_are_loaded_only_when_needed(path):
    script = (
        "import sys; from hotloop.store import Store\n"
        "heavy = {'sqlalchemy', 'alembic', 'cattrs', 'platformdirs'} & set(sys.modules); assert not heavy, heavy\n"
        f"Store.open({str(path)!r}).close()\n"
        "assert 'sqlalchemy' in sys.modules and 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
