from __future__ import annotations

import os
import signal
import time
from itertools import count

import pytest

from hotloop.errors import StoreError
from hotloop.store import RunState, Store

REQUEST = '{"who": "%s"}'


def acknowledged(child, at_least: int) -> list[int]:
    """Read acknowledgements until there are enough, kill the writer in the middle of its work, and read the rest."""
    seen = [int(child.stdout.readline()) for _ in range(at_least)]
    os.kill(child.pid, signal.SIGKILL)
    rest = child.stdout.read().split("\n")
    return seen + [int(line) for line in rest[:-1]]  # a last line without its end was not yet said


def test_two_writers_at_once_lose_nothing(path, spawn):
    children = [spawn(path, REQUEST % name, 200) for name in "ab"]  # both also create the store at once
    for child in children:
        output, _ = child.communicate("")
        assert child.returncode == 0
        assert len(output.splitlines()) == 201
    with Store.open(path) as store:
        runs = store.runs("tune")
        assert len(runs) == 2
        for run in runs:
            assert [trial.config["index"] for trial in store.trials(run=run.id)] == list(range(200))
            assert [entry.key for entry in store.journal_entries(run.id)] == [
                f"step {index}" for index in range(0, 200, 8)
            ]


def test_kill_loses_at_most_the_record_in_flight_and_the_run_resumes(path, spawn):
    run = ""
    for attempt, at_least in enumerate((1, 23, 57)):
        child = spawn(path, REQUEST % "a", 100_000)
        name, resumed = child.stdout.readline().split()
        assert resumed == str(int(attempt > 0))
        assert run in ("", name)
        run = name
        said = acknowledged(child, at_least)
        with Store.open(path) as store:  # the killed child is not reaped yet: a zombie owns nothing
            deadline = time.monotonic() + 10  # the kernel may still be finishing the killed process's last write
            while store.run(run).state is RunState.RUNNING and time.monotonic() < deadline:
                time.sleep(0.05)
            assert store.run(run).state is RunState.INTERRUPTED
            kept = {trial.config["index"] for trial in store.trials(run=run)}
            assert set(said) <= kept
            journal = {entry.key for entry in store.journal_entries(run)}
            assert {f"step {index}" for index in said if index % 8 == 0} <= journal


def test_a_run_of_a_live_process_is_refused_until_it_is_killed(path, spawn):
    child = spawn(path, REQUEST % "a", 1)
    run = child.stdout.readline().split()[0]
    assert child.stdout.readline() == "0\n"
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=f"process {child.pid} "):
            store.resume_or_begin("tune", REQUEST % "a", "t")
        child.kill()
        child.wait()
        handle = store.resume_or_begin("tune", REQUEST % "a", "t")
        assert (handle.id, handle.resumed, handle.recall("step 0")) == (run, True, "0")


def test_commits_are_synchronous(path):
    with Store.open(path) as store, store._database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_the_disk_is_waited_for_once_in_a_while_for_quick_looks_and_always_for_the_rest(store, make_trial):
    def switched(purpose: str, times: int) -> list[str]:
        for _ in range(times):
            index = next(indices)
            run.record(f"{purpose} {index}", "{}", make_trial(index, purpose=purpose))
        made, said[:] = [text.split()[-1] for text in said if "synchronous" in text], []
        return made

    indices = count()
    with store.resume_or_begin("tune", REQUEST % "a", "t") as run:
        run.record("first", "{}")
        said: list[str] = []
        store._database._direct.driver_connection.set_trace_callback(said.append)
        assert switched("search", 4) == ["NORMAL"]  # the clock of this store moves by a second for each record
        assert switched("search", 10) == ["FULL", "NORMAL"] * 2
        assert switched("step", 3) == ["FULL"]
        assert switched("search", 1) == ["NORMAL"]
    assert len(store.trials()) == 18
