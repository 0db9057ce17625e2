"""Whole runs on the fake device: what they find, what they keep a record of, and how they survive being stopped."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing, contextmanager
from importlib import util
from pathlib import Path

import pytest

from hotloop.model.outcome import Measured
from hotloop.store import Store

KERNEL = Path(__file__).with_name("null_kernel.py")
LIMIT_S = 600


def load_kernel():
    spec = util.spec_from_file_location("null_kernel_of_tests", KERNEL)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NULL = load_kernel()


def command(verb, store, *more):
    return [sys.executable, "-m", "hotloop", verb, str(KERNEL), "--store", str(store), "--quiet", "--json", *more]


def optimize(store, *more):
    return command("optimize", store, "--budget", "600", *more)  # no limit: whole runs end by themselves, busy or not


def run(arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT_S, check=False)


@contextmanager
def started(arguments):
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def count(store, table):
    """Return the rows of a table as another program sees them; the store may not exist yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5)) as connection:
            return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def wait_for(store, trials, process):
    deadline_s = time.monotonic() + LIMIT_S
    while count(store, "trials") < trials:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def worker_of(process):
    """Return the worker of a command: child of the run, which is a child of the guardian that was started."""
    pid = process.pid
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


def killed(process):
    """Kill a command and wait for the end of the run, which its guardian's death ends a moment later."""
    (run_id,) = map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
    process.kill()
    process.communicate()
    deadline_s = time.monotonic() + LIMIT_S
    while _living(run_id):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def _living(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def trials(store):
    with Store.open(store, read_only=True) as opened:
        return opened.trials()


def runs(store):
    with Store.open(store, read_only=True) as opened:
        return opened.runs()


def remembered(store):
    """Return the best known and what predictions were worth."""
    with Store.open(store, read_only=True) as opened:
        return opened.all_best(), opened.calibration()


def winner(page):
    return next(step for step in page["steps"] if step["winner"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the page and the store of a run that nobody disturbed."""
    store = tmp_path_factory.mktemp("whole") / "store.sqlite"
    ended = run(optimize(store))
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return json.loads(ended.stdout), store


def test_the_loop_finds_the_best_configuration(whole):
    page, _ = whole
    assert page["state"] == "finished"
    assert dict(winner(page)["config"]) == {name: str(value) for name, value in NULL.BEST.items()}
    start, end = (NULL.call_ns(config) for config in (NULL.START, NULL.BEST))
    assert page["headline"]["speedup"]["value"] == pytest.approx(start / end, rel=0.01)
    assert page["headline"]["winner_ns"] == pytest.approx(end, rel=0.01)


def test_the_loop_keeps_reverts_and_refuses_with_reasons(whole):
    page, _ = whole
    decisions = Counter(step["decision"] for step in page["steps"])
    assert decisions["baseline"] == 1
    assert decisions["keep"] >= 4
    assert decisions["revert"] >= 1
    reasons = {
        step["change"].rpartition("→ ")[2]: step["reason"] for step in page["steps"] if step["decision"] == "refuse"
    }
    assert "crashed in execute (signal 11)" in reasons["unsafe"]
    assert "wrong result" in reasons["cheat"]
    assert "does not compile at line 3" in reasons["typo"]
    assert "out of resources" in reasons["greedy"]
    assert "canary after y overwritten" in reasons["spill"]
    assert all(step["reason"] and step["why"] for step in page["steps"])


def test_what_is_kept_was_faster_and_what_is_reverted_was_not(whole):
    page, _ = whole
    compared = [step for step in page["steps"] if step["measured"]]
    assert {step["verdict"] for step in compared if step["decision"] == "keep"} == {"FASTER"}
    assert "FASTER" not in {step["verdict"] for step in compared if step["decision"] == "revert"}
    assert all(step["predicted"] for step in compared)


def test_failures_of_the_search_are_counted_by_kind(whole):
    page, _ = whole
    failures = dict(page["search"]["failures"])
    assert set(failures) >= {"CompileFailed", "Crashed", "LaunchFailed", "WrongResult"}
    assert page["search"]["evaluated"] > sum(failures.values())


def test_the_store_knows_the_run_its_winner_and_what_predictions_were_worth(whole):
    _, path = whole
    with Store.open(path, read_only=True) as store:
        (info,) = store.runs()
        (best,) = store.all_best()
        assert info.state == "finished"
        assert best.winner.config == NULL.BEST
        assert best.winner.run == info.id
        assert {row.technique for row in store.calibration()} >= {"depth", "trick"}


def test_a_run_in_another_mode_is_another_run_whose_winner_is_not_the_best_known(whole, tmp_path):
    """Times of hot calls would beat any rotated ones for ever."""
    store = tmp_path / "store.sqlite"
    with started(optimize(store)) as process:
        wait_for(store, 1, process)
        killed(process)
    (stopped,) = runs(store)
    before = remembered(store)
    ended = run(optimize(store, "--mode", "hot"))
    assert ended.returncode == 0, ended.stderr
    page = json.loads(ended.stdout)
    assert dict(page["conditions"])["mode"] == "hot"
    assert winner(page)["config"] == winner(whole[0])["config"]
    states = {info.id: info.state for info in runs(store)}
    assert states.pop(stopped.id) == "interrupted"
    (hot,) = states
    assert states[hot] == "finished"
    assert remembered(store) == before
    with Store.open(store, read_only=True) as opened:
        own = opened.trials(run=hot)
        assert {t.outcome.conditions.mode for t in own if isinstance(t.outcome, Measured)} == {"hot"}


def test_every_attempt_is_one_trial(whole):
    _, path = whole
    assert_no_attempt_twice(path)


def assert_no_attempt_twice(path):
    with Store.open(path, read_only=True) as store:
        for info in store.runs():
            keys = [entry.key for entry in store.journal_entries(info.id)]
            assert len(keys) == len(set(keys))
            attempts = [key for key in keys if key.split()[0] in ("baseline", "step", "confirm", "overall", "glance")]
            assert len(attempts) == len(store.trials(run=info.id))


def test_tune_finds_the_best_configuration_by_search_alone_also_with_a_short_budget(tmp_path):
    """What the end of a run keeps back is told by what its parts took, and never all of a budget."""
    began_s = time.monotonic()
    ended = run(command("tune", tmp_path / "store.sqlite", "--budget", "600"))
    took_s = time.monotonic() - began_s
    assert ended.returncode == 0, ended.stderr
    (page,) = json.loads(ended.stdout)
    assert dict(winner(page)["config"]) == {name: str(value) for name, value in NULL.BEST.items()}
    assert {step["technique"] for step in page["steps"][1:]} == {"search"}
    assert page["stop_reason"].startswith("a search of ")

    short_s = str(max(24.0, 3.5 * took_s))  # short for a machine as busy as this one is now
    ended = run(command("tune", tmp_path / "other.sqlite", "--budget", short_s))
    assert ended.returncode == 0, ended.stderr
    (page,) = json.loads(ended.stdout)
    assert page["stop_reason"].startswith("a search of ")


@pytest.mark.parametrize("verb", ["optimize", "tune"])
def test_a_budget_that_was_too_short_says_so(tmp_path, verb):
    ended = run(command(verb, tmp_path / "store.sqlite", "--budget", "0.001"))
    assert ended.returncode == 0, ended.stderr
    page = json.loads(ended.stdout)
    page = page if verb == "optimize" else page[0]
    assert page["stop_reason"].startswith("the budget of 0.001 s ")


# --- stopped runs ----------------------------------------------------------------------------------------------------


def test_ctrl_c_gives_a_report_and_the_same_command_goes_on(tmp_path, whole):
    store = tmp_path / "store.sqlite"
    with started(optimize(store)) as process:
        wait_for(store, 6, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130, err
    page = json.loads(out)
    assert page["state"] == "interrupted"
    assert page["steps"]
    assert "Traceback" not in err
    first = trials(store)
    assert [info.state for info in runs(store)] == ["interrupted"]
    ended = run(optimize(store))
    assert ended.returncode == 0, ended.stderr
    assert trials(store)[: len(first)] == first
    assert_same_end(json.loads(ended.stdout), whole[0])
    assert [info.state for info in runs(store)] == ["finished"]
    assert_no_attempt_twice(store)


def test_a_killed_run_goes_on_without_repeating_anything(tmp_path, whole):
    store = tmp_path / "store.sqlite"
    for more in (2, 20):  # killed among the techniques, and again in the search
        with started(optimize(store)) as process:
            wait_for(store, count(store, "trials") + more, process)
            killed(process)
        assert [info.state for info in runs(store)] == ["interrupted"]
    first = trials(store)
    assert len(first) >= 22
    ended = run(optimize(store))
    assert ended.returncode == 0, ended.stderr
    assert trials(store)[: len(first)] == first
    assert_no_attempt_twice(store)
    assert_same_end(json.loads(ended.stdout), whole[0])
    assert [info.state for info in runs(store)] == ["finished"]


def assert_same_end(page, other):
    """Two runs of the same request, however often they were stopped, take the same steps and end at the same place."""

    def essence(page):
        menu = [s for s in page["steps"] if s["technique"] != "search"]
        return [(s["technique"], s["change"], s["decision"], s["config"]) for s in (*menu, winner(page))]

    assert essence(page) == essence(other)
    assert page["state"] == other["state"] == "finished"


def test_two_runs_share_a_store(tmp_path):
    store = tmp_path / "store.sqlite"
    small = ("--budget", "600", "--no-peers")
    with (
        started(command("tune", store, *small, "--shape", "n=64")) as one,
        started(command("tune", store, *small, "--shape", "n=128")) as two,
    ):
        ended = [process.communicate(timeout=LIMIT_S) for process in (one, two)]
    assert [one.returncode, two.returncode] == [0, 0], ended
    with Store.open(store, read_only=True) as opened:
        assert {info.state for info in opened.runs()} == {"finished"}
        assert {known.winner.problem for known in opened.all_best()} == {"fake[n=64]", "fake[n=128]"}
    assert_no_attempt_twice(store)


def test_the_same_request_twice_at_once_is_refused_and_a_killed_one_can_be_reported_and_begun_anew(tmp_path):
    store = tmp_path / "store.sqlite"
    with started(optimize(store)) as process:
        wait_for(store, 2, process)  # the second trial begins after the first step was recorded
        os.kill(worker_of(process), signal.SIGSTOP)  # so that the first one is still at it
        second = run(optimize(store))
        killed(process)
    assert second.returncode == 3
    assert "is already working on this optimize request" in second.stderr
    assert second.stderr.count("\n") == 1
    page = json.loads(run([sys.executable, "-m", "hotloop", "report", "--store", str(store), "--json"]).stdout)
    assert page["state"] == "interrupted"
    assert page["steps"]
    with started(optimize(store, "--fresh")) as process:
        wait_for(store, count(store, "trials") + 1, process)
        killed(process)
    assert [info.state for info in runs(store)] == ["interrupted", "interrupted"]
