"""The same store on a real server, which the tests start and stop themselves."""

from __future__ import annotations

import signal

import pytest
from sqlalchemy import create_engine

from hotloop.app.events import Searched
from hotloop.app.run.kept import watch
from hotloop.errors import StoreError
from hotloop.model.finding import Gain
from hotloop.model.outcome import CompileFailed
from hotloop.store import Calibration, RunState, Store, migrate


@pytest.fixture
def url(postgres):
    return postgres.database()


@pytest.fixture
def server(url):
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    yield engine
    engine.dispose()


@pytest.mark.parametrize("start", [None, "0001"])
def test_all_records_on_a_server(url, server, make_trial, make_winner, start):
    if start:
        with server.begin() as connection:
            migrate.upgrade(connection, None, start)
    with Store.open(url) as store:
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
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="does not answer as expected"):
        Store.open("postgresql://nobody:secret@127.0.0.1:1/none")


def test_two_writers_at_once_create_and_fill_a_server(url, spawn):
    children = [spawn(url, f'{{"who": "{name}"}}', 50) for name in "ab"]
    for child in children:
        child.communicate("")
        assert child.returncode == 0
    with Store.open(url) as store:
        assert [len(store.trials(run=run.id)) for run in store.runs()] == [50, 50]


def test_a_run_goes_on_when_the_server_restarts(postgres, url, make_trial):
    with Store.open(url) as store:
        run = store.resume_or_begin("tune", "{}", "t")
        run.trial(make_trial(0))
        postgres.restart()
        for index in (1, 2):
            run.record(f"key {index}", "{}", make_trial(index))
        assert len(store.trials(run=run.id)) == 3
        run.finish()
    assert postgres.password not in str(store.location)


def test_a_server_that_comes_back_late_is_waited_for(postgres, url, make_trial):
    with Store.open(url) as store:
        run = store.begin_run("tune", "{}", "t")
        run.trial(make_trial(0))
        postgres.stop()
        postgres.start_later(2.0)
        run.trial(make_trial(1))
        assert len(store.trials(run=run.id)) == 2


def test_a_server_that_is_stopped_is_told_in_one_sentence(postgres, url, make_trial, monkeypatch):
    with Store.open(url) as store:
        run = store.begin_run("tune", "{}", "t")
        with postgres.stopped(), monkeypatch.context() as impatient:
            impatient.setattr("hotloop.store.server.ANSWER_S", 1.0)
            with pytest.raises(StoreError, match="gives no answer within 1 s: it may be stopped or overloaded") as told:
                run.trial(make_trial(0))
            assert postgres.password not in str(told.value)
        run.trial(make_trial(1))  # and it is used again when it goes on
        assert make_trial(1).config in [trial.config for trial in store.trials(run=run.id)]


def test_a_server_that_stays_away_is_not_called_silent(postgres, url, make_trial, monkeypatch):
    with Store.open(url) as store:
        run = store.begin_run("tune", "{}", "t")
        monkeypatch.setattr("hotloop.store.server.ANSWER_S", 1.0)
        monkeypatch.setattr("hotloop.store.server.AWAY_S", 2.0)
        postgres.stop()
        try:
            with pytest.raises(StoreError, match="(?i)connection refused"):
                run.trial(make_trial(0))
        finally:
            postgres.start()


def test_a_stopped_server_does_not_hold_who_begins(postgres, url, monkeypatch):
    with postgres.stopped(), monkeypatch.context() as impatient:
        impatient.setattr("hotloop.store.server.ANSWER_S", 1.0)
        with pytest.raises(StoreError, match="no answer within 1 s"):
            Store.open(url)


def test_a_user_who_may_only_read(postgres, url, make_trial, make_winner):
    with Store.open(url) as store:
        run = store.begin_run("tune", "{}", "t")
        run.trial(make_trial(0))
        run.finish()
        store.add_winner(make_winner(2.0))
    reader = postgres.reader(url)
    with Store.open(reader, read_only=True) as store:
        assert len(store.trials()) == len(store.runs()) == len(store.all_best()) == 1
        with pytest.raises(StoreError, match="was opened read-only"):
            store.add_trial(make_trial(1))
    with Store.open(reader) as store, pytest.raises(StoreError, match="does not let this user do that") as told:
        store.add_trial(make_trial(1))
    assert "reads" not in str(told.value)  # the password


def test_a_user_who_is_not_let_in_is_told_of_user_and_password(postgres, url):
    wrong = url.replace(postgres.password, "mistyped")
    with pytest.raises(StoreError, match="does not let this user in .*correct the user or the password") as told:
        Store.open(wrong)
    assert "mistyped" not in str(told.value)


def test_a_run_is_followed_through_the_server_by_who_may_only_read(postgres, url):
    with Store.open(url) as there:
        run = there.begin_run("tune", "{}", "gemm 512")
        acts = [
            lambda: run.record("record head", '{"title": "gemm 512"}'),
            lambda: run.record("glance a", '{"data": {"ratio": 0.5, "outcome": {"conditions": {"place": "n0:gpu0"}}}}'),
            lambda: run.finish(RunState.FINISHED),
        ]
        with Store.open(postgres.reader(url), read_only=True) as here:
            told = list(watch.events(here, run.id, lambda _: acts.pop(0)(), lambda: 0.0))
    assert [type(one).__name__ for one in told] == ["Notice", "Searched"]
    assert told[1] == Searched(1, 0, 0.5)


def test_a_wrong_password_is_told_at_once_and_not_shown(postgres, url):
    with pytest.raises(StoreError, match="password authentication failed") as told:
        Store.open(url.replace(postgres.password, "guessed-wrongly"))
    assert "guessed-wrongly" not in str(told.value)
    assert "***" in str(told.value)


def test_a_writer_killed_on_a_server_leaves_what_it_said_was_kept(url, spawn):
    child = spawn(url, "{}", 400)
    said = [child.stdout.readline().split()[0] for _ in range(30)]
    child.send_signal(signal.SIGKILL)
    child.wait()
    with Store.open(url) as store:
        run = store.resume_or_begin("tune", "{}", "writer")
        assert (run.id, run.resumed) == (said[0], True)
        kept = [trial.config["index"] for trial in store.trials(run=run.id)]
        assert kept == list(range(len(kept)))
        assert len(kept) >= int(said[-1]) + 1
