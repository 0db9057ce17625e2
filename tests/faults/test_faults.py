"""A part of the fault table, small enough for every run of the tests; `benchmarks/faults.py` is the whole of it."""

import signal
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for left-over processes in /proc")

IN_A_RUN = (
    "segfault in build",
    "child, then segfault in build",
    "out of memory in execute",
    "garbage in execute",
    "temporary files in execute",
    "daemon, then segfault in time",
    "device lost in time",
    "killed once in execute",
)
AT_THE_ENGINE = (
    ("killed", "execute", "Crashed"),
    ("killed once", "build", "fine"),
    ("defect", "build", "Crashed"),
    ("huge allocation", "time", "LaunchFailed"),
    ("much output", "execute", "fine"),
    ("child", "time", "fine"),
    ("daemon", "execute", "fine"),
    ("zombies", "execute", "fine"),
    ("hang up", "time", "Crashed"),
    ("spin", "execute", "TimedOut"),
    ("tool, then hang", "build", "TimedOut"),
    ("segfault", "binary", "no binary"),
)


@pytest.fixture
def lab(tmp_path):
    import lab as labs

    made = labs.Lab(tmp_path)
    yield made
    made.end()


def test_candidates_that_misbehave_are_recorded_and_the_run_ends_where_it_should(lab):
    import scenarios

    for trick, expected, found in scenarios.candidates(lab, IN_A_RUN, limit_s=20):
        assert set(found) == {expected}, trick


def test_whatever_a_candidate_does_the_next_one_is_served_and_nothing_is_left(lab):
    import scenarios

    with scenarios.engine(lab) as made:
        made.select("", "null")
        for fault, stage, expected in AT_THE_ENGINE:
            assert scenarios.strike(made, fault, stage) == expected, (fault, stage)


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_device_that_kills_its_worker_is_no_device(lab, seed):
    import scenarios

    scenarios.choosing(lab, seed)


def test_a_killed_run_resumes(lab):
    import scenarios

    scenarios.signalled(signal.SIGKILL, strikes=2, latest_s=2.5)(lab, 7)


def test_a_run_killed_beside_its_commits_resumes(lab):
    import scenarios

    scenarios.dies_at_commits(lab, 1, lives=2)


def test_a_worker_that_somebody_kills_is_no_failure_of_a_candidate(lab):
    import scenarios

    scenarios.worker_is_killed(lab, 3)


def test_a_store_that_cannot_grow_stops_the_run_which_resumes(lab):
    import scenarios

    scenarios.file_limit(lab, 1)


def test_clocks_may_jump(lab):
    import scenarios

    scenarios.clock_jumps(lab, 1)


def test_temporary_files_may_vanish(lab):
    import scenarios

    scenarios.arena_is_gone(lab, 1)


def test_what_the_worker_of_a_killed_run_started_is_ended_by_the_next_run(lab):
    import scenarios

    scenarios.orphaned_tool(lab, 0)


def test_power_may_fail_at_any_write(lab):
    import scenarios

    scenarios.power_cut(lab, 1, cuts=6, resumes=1)


def test_power_may_fail_while_a_store_is_made(lab):
    import scenarios

    scenarios.power_cut_at_birth(lab, 1)


# --- the laboratory itself ---------------------------------------------------------------------------------------------


def test_the_laboratory_notices_what_is_left(lab):
    import subprocess

    import lab as labs

    left = subprocess.Popen(["sleep", "60"], env=lab.environment())
    try:
        assert labs.until(lambda: lab.left() == [f"process {left.pid}"], 5)
        (lab.temporary / "file").touch()
        assert "tmp/file" in lab.left()
        lab.end()
    finally:
        left.kill()
        left.wait()
    assert left.returncode == -signal.SIGKILL


def test_shared_memory_of_a_living_process_is_none_that_was_left(lab):
    import subprocess

    import lab as labs

    code = "import multiprocessing; lock = multiprocessing.get_context('spawn').Lock(); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stranger:
        stranger.stdout.readline()
        assert any("/dev/shm/sem." in path for path in labs.mapped(labs.foreign_files()) - lab._before)
        assert lab.left() == []
        stranger.stdin.write(b"\n")


def test_the_laboratory_notices_a_lost_trial_and_a_gap(lab):
    import sqlite3

    import lab as labs

    from hotloop.store import Store

    with Store.open(lab.store) as store:
        run = store.begin_run("tune", "{}", "t")
        for number in range(3):
            run.record(f"record step {number}", "{}")
        run.finish()
    assert labs.kept(lab.store, finished=True) == ()
    with sqlite3.connect(lab.store) as connection:
        connection.execute("DELETE FROM journal WHERE position = 0")
    connection.close()
    with pytest.raises(labs.Failed, match="a gap"):
        labs.kept(lab.store, finished=True)
