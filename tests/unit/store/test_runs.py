from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import update

from hotloop.errors import MachineError, StoreError, UnknownNameError, UsageError
from hotloop.store import RunKind, RunState, Store
from hotloop.store.owner import Owner
from hotloop.store.schema import runs

REQUEST = json.dumps({"family": "gemm", "shape": [64, 64]})


def disown(store: Store, run: str, **columns: object) -> None:
    with store._database.write() as connection:
        connection.execute(update(runs).where(runs.c.id == run).values(**columns))


def test_a_run_is_kept_with_all_that_was_said_about_it(store):
    handle = store.begin_run("optimize", REQUEST, "gemm 64", conditions='{"load": 0.5}')
    info = store.run(handle.id)
    assert info == handle.info
    assert (info.kind, info.title, info.request, info.conditions) == (
        RunKind.OPTIMIZE,
        "gemm 64",
        REQUEST,
        '{"load": 0.5}',
    )
    assert (info.state, info.finished, info.owner) == (RunState.RUNNING, None, Owner.current())
    assert info.started == "2030-01-01T00:00:01+00:00"


def test_a_closed_run_keeps_its_first_state(store):
    handle = store.begin_run("bench", REQUEST, "t")
    handle.finish(RunState.FAILED)
    handle.finish(RunState.FINISHED)
    assert store.run(handle.id).state is RunState.FAILED
    assert store.run(handle.id).finished == "2030-01-01T00:00:02+00:00"


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (KeyboardInterrupt, RunState.INTERRUPTED),
        (MachineError, RunState.INTERRUPTED),
        (ValueError, RunState.FAILED),
        (None, RunState.FINISHED),
    ],
)
def test_leaving_the_context_closes_the_run(store, error, state):
    handle = store.begin_run("tune", REQUEST, "t")
    if error is None:
        with handle:
            pass
    else:
        with pytest.raises(error), handle:
            raise error
    assert store.run(handle.id).state is state


def test_an_interrupted_run_of_the_same_request_is_resumed_whatever_the_order_of_its_keys(store):
    first = store.resume_or_begin("optimize", '{"a": 1, "b": 2}', "t")
    first.record("baseline", "1")
    first.finish(RunState.INTERRUPTED)
    again = store.resume_or_begin("optimize", '{"b": 2, "a": 1}', "other title")
    assert (again.id, again.resumed, again.recall("baseline")) == (first.id, True, "1")
    assert store.run(first.id).state is RunState.RUNNING
    assert store.run(first.id).finished is None


@pytest.mark.parametrize("state", [RunState.FINISHED, RunState.FAILED])
def test_a_closed_run_is_not_resumed(store, state):
    first = store.resume_or_begin("optimize", REQUEST, "t")
    first.finish(state)
    again = store.resume_or_begin("optimize", REQUEST, "t")
    assert not again.resumed
    assert again.id != first.id


def test_another_request_or_kind_is_another_run(store):
    first = store.resume_or_begin("optimize", REQUEST, "t")
    first.finish(RunState.INTERRUPTED)
    assert store.resume_or_begin("optimize", '{"family": "conv"}', "t").id != first.id
    assert store.resume_or_begin("tune", REQUEST, "t").id != first.id


def test_a_live_run_of_the_same_request_is_refused_by_process_number(store, path):
    first = store.resume_or_begin("optimize", REQUEST, "t")
    with Store.open(path) as other, pytest.raises(StoreError, match=rf"process {os.getpid()} .*{first.id[:8]}"):
        other.resume_or_begin("optimize", REQUEST, "t")
    assert len(store.runs()) == 1


def test_a_live_run_is_refused_even_when_an_older_one_is_free(store):
    older = store.begin_run("optimize", REQUEST, "t")
    older.finish(RunState.INTERRUPTED)
    store.begin_run("optimize", REQUEST, "t")
    with pytest.raises(StoreError, match="already working"):
        store.resume_or_begin("optimize", REQUEST, "t")


def test_of_two_that_resume_at_once_one_wins(store, path):
    store.begin_run("optimize", REQUEST, "t").finish(RunState.INTERRUPTED)

    def resume(_: int) -> bool:
        with Store.open(path) as other:
            try:
                return other.resume_or_begin("optimize", REQUEST, "t").resumed
            except StoreError:
                return False

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(resume, range(4))) == [False, False, False, True]
    assert len(store.runs()) == 1


@pytest.mark.parametrize("columns", [{"process_start": "1"}, {"boot": "another"}])
def test_a_run_left_by_a_dead_process_reads_as_interrupted_and_is_resumed(store, columns):
    first = store.resume_or_begin("optimize", REQUEST, "t")
    disown(store, first.id, **columns)  # the same number now belongs to another process, or the machine restarted
    assert store.run(first.id).state is RunState.INTERRUPTED
    assert store.resume_or_begin("optimize", REQUEST, "t").id == first.id
    assert store.run(first.id).owner == Owner.current()


def test_a_run_on_another_host_is_left_alone(store):
    first = store.resume_or_begin("optimize", REQUEST, "t")
    disown(store, first.id, host="elsewhere")
    again = store.resume_or_begin("optimize", REQUEST, "t")
    assert again.id != first.id
    assert store.run(first.id).state is RunState.RUNNING


def test_runs_are_listed_newest_first_and_found_by_prefix(store):
    ids = [store.begin_run(kind, REQUEST, kind).id for kind in ("tune", "check", "tune")]
    assert [run.id for run in store.runs()] == ids[::-1]
    assert [run.id for run in store.runs(limit=1)] == ids[2:]
    assert [run.id for run in store.runs("tune")] == [ids[2], ids[0]]
    assert store.run(ids[1][:13].upper()).id == ids[1]


def test_unknown_and_ambiguous_names_are_usage_errors(store):
    store.begin_run("tune", REQUEST, "t")
    newest = store.begin_run("tune", REQUEST, "t")
    with pytest.raises(UnknownNameError, match=newest.id[:8]):
        store.run("zzzz")
    with pytest.raises(UnknownNameError):
        store.run("%")
    with pytest.raises(UsageError, match="several runs"):
        store.run("")


def test_nonsense_is_refused_before_anything_is_written(store):
    with pytest.raises(ValueError, match="dance"):
        store.begin_run("dance", REQUEST, "t")
    with pytest.raises(ValueError, match="Expecting"):
        store.begin_run("tune", "not json", "t")
    assert store.runs() == ()


def test_a_title_may_carry_undecodable_bytes(store):
    handle = store.begin_run("tune", REQUEST, "kernel \udcff.py")
    assert store.run(handle.id).title == "kernel ?.py"


def test_journal_keeps_the_first_record_and_the_order(store):
    run = store.begin_run("optimize", REQUEST, "t")
    other = store.begin_run("optimize", REQUEST, "t")
    for key, data in (("z", "1"), ("a", "2"), ("z", "3")):
        run.record(key, data)
    assert run.recall("z") == "1"
    assert run.recall("missing") is None
    assert other.recall("z") is None
    entries = store.journal_entries(run.id)
    assert [(entry.key, entry.data) for entry in entries] == [("z", "1"), ("a", "2")]
    assert entries[0].created < entries[1].created


def test_a_handle_claims_its_trials(store, make_trial):
    run = store.begin_run("optimize", REQUEST, "t")
    run.trial(make_trial(run="somebody else"))
    assert store.trials(run=run.id) == (replace(make_trial(), run=run.id),)


def test_a_record_and_its_trial_are_kept_together_and_once(store, make_trial):
    run = store.begin_run("optimize", REQUEST, "t")
    for key in ("step 1", "step 1", "step 2"):
        run.record(key, "1", make_trial())
    assert [entry.key for entry in store.journal_entries(run.id)] == ["step 1", "step 2"]
    assert len(store.trials(run=run.id)) == 1
    again = store.begin_run("optimize", REQUEST, "t")
    assert again.recall("step 1") is None


def test_this_process_is_alive_and_strangers_are_judged():
    me = Owner.current()
    assert me.alive() is True
    assert replace(me, start="").alive() is True
    assert replace(me, pid=2**22 + 1, start="").alive() is False
    assert replace(me, pid=2**22 + 1).alive() is False
    assert replace(me, host="elsewhere").alive() is None


def test_what_holds_of_the_machine_is_known_from_its_latest_runs(store):
    handles = [store.begin_run("optimize", REQUEST, f"gemm {number}") for number in range(4)]
    for handle, data in zip(handles, ("1", "2", "3", "4"), strict=True):
        handle.record("ceilings of this", data)
    disown(store, handles[2].id, boot="before the machine was started")
    disown(store, handles[3].id, host="elsewhere")
    handles[0].record("ceilings of that", "5")
    assert store.lately("ceilings of this", "2030-01-01T00:00:00+00:00").data == "2"
    assert store.lately("ceilings of that", "2030-01-01T00:00:00+00:00").data == "5"
    assert store.lately("ceilings of this", "2030-01-02T00:00:00+00:00") is None
    assert store.lately("ceilings", "2030-01-01T00:00:00+00:00") is None


def test_what_may_be_late_is_recorded_with_what_follows_or_at_the_end(store, make_trial):
    run = store.begin_run("tune", REQUEST, "t")
    run.record("first of a", "1", late=True)
    run.record("first of a", "2", late=True)
    assert (run.recall("first of a"), store.journal_entries(run.id)) == ("1", ())
    run.record("glance a", "3", make_trial())
    run.record("left of a", "4", late=True)
    assert [entry.key for entry in store.journal_entries(run.id)] == ["first of a", "glance a"]
    run.record("first of a", "5")
    run.finish()
    told = [("first of a", "1"), ("glance a", "3"), ("left of a", "4")]
    assert [(entry.key, entry.data) for entry in store.journal_entries(run.id)] == told


def test_what_waited_is_kept_although_some_of_it_was_there(store, make_trial):
    run, other = (store.begin_run("tune", REQUEST, "t") for _ in range(2))
    run.record("first of b", "1", late=True)
    other._journals.record(run.id, {"first of b": "0"})
    run.record("glance b", "2", make_trial())
    assert [entry.data for entry in store.journal_entries(run.id)] == ["0", "2"]
    assert len(store.trials(run=run.id)) == 1
