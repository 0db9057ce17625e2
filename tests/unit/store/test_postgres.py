"""The same store on a server; give its URL in HOTLOOP_TEST_POSTGRES (a database of its own, its tables are dropped)."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import create_engine

from hotloop.errors import StoreError
from hotloop.model.finding import Gain
from hotloop.model.outcome import CompileFailed
from hotloop.store import Calibration, RunState, Store, migrate, schema

URL = os.environ.get("HOTLOOP_TEST_POSTGRES", "")
pytestmark = pytest.mark.skipif(not URL, reason="HOTLOOP_TEST_POSTGRES names no server")


@pytest.fixture
def server():
    engine = create_engine(URL)
    schema.metadata.drop_all(engine)
    yield engine
    schema.metadata.drop_all(engine)
    engine.dispose()


@pytest.mark.parametrize("start", [None, "0001"])
def test_all_records_on_a_server(server, make_trial, make_winner, start):
    if start:
        with server.begin() as connection:
            migrate.upgrade(connection, None, start)
    with Store.open(URL) as store:
        run = store.resume_or_begin("optimize", "{}", "t")
        with pytest.raises(StoreError, match="already working"):
            store.resume_or_begin("optimize", "{}", "t")
        for index in (0, 1, 1):
            run.trial(make_trial(index, outcome=CompileFailed("nul \x00 and \udcff")))
            run.record(f"key {index}", "{}")
        store.add_winner(make_winner(2.0, run=run.id))
        store.add_winner(make_winner(1.0, device_fingerprint="f2"))
        row = Calibration(technique="t", rule="r", target="x", predicted=Gain(1, 2), measured=None, verdict="REFUSED")
        store.add_calibration(row)
        run.finish(RunState.INTERRUPTED)
        assert store.resume_or_begin("optimize", "{}", "t").id == run.id
        assert len(store.trials(run=run.id)) == 2
        assert [entry.key for entry in store.journal_entries(run.id)] == ["key 0", "key 1"]
        assert store.best("gemm", "gemm[m=64 n=64]", "intel:cpu:avx2:2").winner.call_ns == 1.0
        assert store.best("gemm", "gemm[m=64 n=64]", "intel:cpu:avx2:2", fingerprint="f1").winner.call_ns == 2.0
        assert store.calibration()[0].measured is None
        assert "secret" not in store.location


def test_a_server_that_does_not_answer():
    with pytest.raises(StoreError, match="does not answer as expected"):
        Store.open("postgresql://nobody:secret@127.0.0.1:1/none")


def test_two_writers_at_once_create_and_fill_a_server(server, spawn):
    children = [spawn(URL, f'{{"who": "{name}"}}', 50) for name in "ab"]
    for child in children:
        child.communicate("")
        assert child.returncode == 0
    with Store.open(URL) as store:
        assert [len(store.trials(run=run.id)) for run in store.runs()] == [50, 50]
