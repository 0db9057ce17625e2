"""Every fault that we can inject, the stage it strikes, and what must hold afterwards.

An injection gets a `Lab` and a seed, returns what was recorded, and raises `Failed` when the fault was not survived:
the run went on or the same command resumed, ended at the same winner, the store is sound, nothing is left behind.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

import faulty_kernel
import lab as labs
import powercut
from lab import BEST, FAULTY_KERNEL, Failed, chance, demand

SMALL_BEST = {name: str(value) for name, value in faulty_kernel.BEST.items()}
STORE_BYTES = 400_000
"""A limit that a run reaches half-way."""


@dataclass(frozen=True)
class Scenario:
    """One kind of injection."""

    fault: str
    stage: str
    inject: Callable[[labs.Lab, int], str]
    times: int
    """Injections in the full table."""
    needs: Callable[[], str] = lambda: ""
    """Why it cannot be injected here; empty when it can."""


SCENARIOS: list[Scenario] = []


def scenario(fault, stage, times=3, needs=lambda: ""):
    """Register an injection."""

    def register(inject):
        SCENARIOS.append(Scenario(fault, stage, inject, times, needs))
        return inject

    return register


# --- candidates that misbehave, in whole runs --------------------------------------------------------------------------


def candidates(lab, tricks, limit_s):
    """Run a kernel whose configurations carry these tricks; yields (trick, expected outcome, outcomes recorded)."""
    lab.kernel = FAULTY_KERNEL
    chosen = ",".join(trick.replace(",", ";") for trick in tricks)
    lab.finish(
        "--limit", str(limit_s), best=SMALL_BEST, HOTLOOP_FAULTY_WORKER="1", HOTLOOP_TRICKS=chosen, PYTHONHASHSEED="0"
    )
    trials = lab.check()
    for trick in tricks:
        found = [type(trial.outcome).__name__ for trial in trials if trial.config["TRICK"] == trick]
        yield trick, faulty_kernel.TRICKS[trick][2], found


# --- candidates that misbehave, asked of the engine directly -----------------------------------------------------------

STAGES = ("build", "binary", "execute", "time")
OUTCOMES = {
    "compile error": "CompileFailed",
    "segfault": "Crashed",
    "abort": "Crashed",
    "exit": "Crashed",
    "killed": "Crashed",
    "killed once": "fine",
    "stopped": "TimedOut",
    "hang": "TimedOut",
    "spin": "TimedOut",
    "out of memory": "LaunchFailed",
    "huge allocation": "LaunchFailed",
    "endless output": "TimedOut",
    "much output": "fine",
    "child": "fine",
    "daemon": "fine",
    "child, then segfault": "Crashed",
    "daemon, then segfault": "Crashed",
    "tool, then hang": "TimedOut",
    "zombies": "fine",
    "temporary files": "Crashed",
    "hang up": "Crashed",
    "garbage": "Crashed",
    "half an answer": "TimedOut",
    "defect": "Crashed",
    "device lost": "LaunchFailed",
}
"""What the engine must answer; a binary is only read for its machine code, there every failure is "no binary"."""


@contextlib.contextmanager
def engine(lab, limit_s=2.0, **more):
    """Give an engine whose worker is the faulty one; everything of it must be gone afterwards."""
    import tempfile
    from unittest import mock

    from hotloop.app.session import worker_environment
    from hotloop.engine import local

    path = os.pathsep.join([str(labs.HERE), *filter(None, sys.path)])
    with (
        mock.patch.object(local, "WORKER", "faulty_worker"),
        mock.patch.dict(os.environ, TMPDIR=str(lab.temporary)),
        mock.patch.object(tempfile, "tempdir", None),
    ):
        environment = {**worker_environment(), "PYTHONPATH": path, labs.MARK: lab.mark, **more}
        made = local.LocalEngine(environment, build_limit_s=limit_s, run_limit_s=limit_s)
        try:
            yield made
        finally:
            made.close()
    lab.nothing_left()


def program(plant="", stage=""):
    import json

    from hotloop.model.program import Array, Launch, Program

    recipe = {"compute": "copy", "call_ns": 1e6, "noise": 0.001, "plant": plant, "stage": stage}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,)),))


def ask(made, dataset, stage, asked):
    """Send one request and return the name of its outcome."""
    from hotloop.ports import TimeRequest

    if stage == "build":
        answer = made.build(asked)
    elif stage == "binary":
        return "fine" if made.binary(asked) else "no binary"
    elif stage == "execute":
        answer = made.execute(asked, dataset)
    else:
        answer = made.time(
            TimeRequest(programs=(program(), asked), datasets=(dataset,), rounds=1, target_sample_ns=1e6)
        )
    return {"Artifact": "fine", "Executed": "fine", "Timed": "fine"}.get(type(answer).__name__, type(answer).__name__)


def strike(made, fault, stage):
    """Plant one fault in a running engine, then ask for a healthy program in every way; returns the outcome."""
    import numpy as np

    from hotloop.model.kernel import Empty
    from hotloop.ports import BAND_BYTES, Executed

    x = np.arange(64, dtype=np.float32)
    dataset = made.dataset("set", {"x": x, "y": Empty((64,))}, ("y",))
    began_s = time.monotonic()
    outcome = ask(made, dataset, stage, program(fault, stage))
    took_s = time.monotonic() - began_s
    wanted = OUTCOMES[fault]
    if wanted != "fine":
        wanted = {("build", "LaunchFailed"): "CompileFailed"}.get((stage, wanted), wanted)
        wanted = "no binary" if stage == "binary" else wanted
    demand(outcome == wanted, f"{outcome} instead of {wanted} after {took_s:.1f} s")
    answer = made.execute(program(), dataset)
    demand(isinstance(answer, Executed), f"the next candidate is {answer}")
    y = answer.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32)
    demand(bool(np.array_equal(x, y)), "the next candidate's result is wrong")
    demand(ask(made, dataset, "time", program()) == "fine", "the next candidate cannot be timed")
    made.discard(dataset)
    return outcome


def matrix(folder, faults=tuple(OUTCOMES), stages=STAGES):
    """Strike every fault at every stage of one engine; yields (fault, stage, outcome or Failed, seconds)."""
    lab = labs.Lab(folder)
    with engine(lab) as made:
        made.select("", "null")
        for fault in faults:
            for stage in stages:
                began_s = time.monotonic()
                try:
                    found = strike(made, fault, stage)
                except Failed as reason:
                    found = reason
                yield fault, stage, found, time.monotonic() - began_s


@scenario("crash, hang or kill while a device is chosen", "select")
def choosing(lab, seed):
    from hotloop.errors import NoDeviceError

    fault = ("segfault", "hang", "killed", "daemon, then segfault")[seed % 4]
    from unittest import mock

    with mock.patch("hotloop.engine.local.START_LIMIT_S", 5.0), engine(lab, HOTLOOP_PLANT=f"select:{fault}") as made:
        try:
            made.select("", "null")
        except NoDeviceError as error:
            demand("see hotloop doctor" in str(error), str(error))
            return "NoDeviceError, one sentence"
    raise Failed("a device was chosen")


@scenario("crash while devices are listed", "devices")
def listing(lab, seed):
    with engine(lab, HOTLOOP_PLANT="devices:segfault") as made:
        demand(made.devices() == (), "a device was listed")
    return "the backend is skipped"


# --- the parent --------------------------------------------------------------------------------------------------------


def interrupted_chain(lab, kills, strike_once):
    """Start the same command again and again, each time struck down, then let it end."""
    earlier = ()
    for number in range(kills):
        strike_once(number)
        if lab.store.exists():
            labs.sound(lab.store)
            trials = labs.kept(lab.store, finished=False)
            demand(trials[: len(earlier)] == earlier, "a trial that was kept is gone")
            earlier = trials
    lab.finish()
    lab.check(earlier=earlier)
    return len(earlier)


def signalled(number, strikes=4, earliest_s=0.2, latest_s=3.5):
    """Return an injection that sends a signal to the parent at a random moment, several times in one run."""

    def inject(lab, seed):
        random = chance(seed)

        def once(_):
            with lab.started() as process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(random.uniform(earliest_s, latest_s))
                process.send_signal(number)
                labs.ended(process)

        interrupted_chain(lab, strikes, once)
        return "resumed, same winner"

    return inject


SCENARIOS += [
    Scenario("SIGKILL of the run, four times", "any moment", signalled(signal.SIGKILL), 12),
    Scenario("SIGTERM of the run, four times", "any moment", signalled(signal.SIGTERM), 3),
    Scenario("SIGHUP of the run, four times", "any moment", signalled(signal.SIGHUP), 2),
    Scenario("Ctrl-C, four times", "any moment", signalled(signal.SIGINT), 3),
]


@scenario("SIGKILL of the run beside one of its commits, eight times", "store", times=8)
def dies_at_commits(lab, seed, lives=8):
    random = chance(seed)

    def once(_):
        number = random.randint(1, 25) * random.choice((-1, 1))
        code, _, err = lab.run(HOTLOOP_DIE_AFTER=str(number))
        demand(code in (-signal.SIGKILL, 0), f"exit {code}: {err[-200:]}")

    interrupted_chain(lab, lives, once)
    return "resumed, same winner"


# --- the worker --------------------------------------------------------------------------------------------------------


@scenario("SIGKILL of the worker, again and again", "any moment", times=6)
def worker_is_killed(lab, seed):
    """Somebody else's doing: no candidate may be blamed for it."""
    random, killed = chance(seed), 0
    with lab.started() as process:
        while process.poll() is None and killed < 6:
            time.sleep(random.uniform(0.05, 0.6))
            worker = lab.worker(process)
            if worker is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
                # The request is over: killing the same one twice would be evidence against it. Some answers take no request.
                answers = lab.count("trials")
                labs.until(lambda: lab.count("trials") > answers or process.poll() is not None)  # noqa: B023
        out, err = labs.ended(process)
    demand(process.returncode == 0, f"exit {process.returncode}: {err[-300:]}")
    trials = lab.check()
    blamed = [t for t in trials if type(t.outcome).__name__ == "Crashed" and t.outcome.signal == signal.SIGKILL]
    demand(not blamed, f"{len(blamed)} candidates blamed")
    demand(winner(out) == BEST, f"the winner is {winner(out)}")
    return "nobody blamed, same winner"


@scenario("SIGSTOP of the worker", "any moment", times=3)
def worker_is_stopped(lab, seed):
    random = chance(seed)
    with lab.started("--limit", "2") as process:
        lab.wait_for_trials(1 + random.randrange(20), process)
        worker = lab.worker(process)
        if worker is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGSTOP)
        _, err = labs.ended(process)
    demand(process.returncode == 0, f"exit {process.returncode}: {err[-300:]}")
    trials = lab.check()
    late = sum(type(trial.outcome).__name__ == "TimedOut" for trial in trials)
    return "TimedOut" if late else "finished before"


def winner(out):
    import json

    page = json.loads(out)
    page = page[0] if isinstance(page, list) else page
    return dict(next(step for step in page["steps"] if step["winner"])["config"])


# --- the store ---------------------------------------------------------------------------------------------------------


def mountable():
    """Say why no small file system can be mounted."""
    if os.geteuid() != 0 or sys.platform != "linux":
        return "mounting needs root on Linux"
    tried = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "mounting is not permitted here"


@contextlib.contextmanager
def mounted(folder, size):
    """Mount a small file system of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=False)
    demand(done.returncode == 0, "mounting is not permitted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def one_sentence(code, err, words, codes=(3,)):
    """Demand an error of the machine: exit code 3, one line, no traceback."""
    lines = [line for line in err.strip().splitlines() if line.strip()]
    demand(code in codes, f"exit {code}: {err[-300:]}")
    demand(len(lines) == 1, f"{len(lines)} lines: {err[-300:]}")
    demand(any(word in lines[0] for word in words), lines[0])


@scenario("full disk", "store", needs=mountable)
def disk_is_full(lab, seed):
    with mounted(lab.folder / "small", f"{chance(seed).randint(300, 500)}k") as place:
        lab.store = place / "store.sqlite"
        code, _, err = lab.run()
        one_sentence(code, err, ("is full",))
        trials = labs.kept(lab.store, finished=False)
        subprocess.run(["mount", "-o", "remount,size=50m", str(place)], check=True)
        lab.finish()
        lab.check(earlier=trials)
    return "StoreError, resumed after freeing space"


@scenario("file too large for the system", "store")
def file_limit(lab, seed):
    code, _, err = lab.run(HOTLOOP_FILE_LIMIT=str(STORE_BYTES + 4096 * chance(seed).randrange(20)))
    one_sentence(code, err, ("I/O error", "is full"))
    trials = labs.kept(lab.store, finished=False)
    demand(len(trials) > 0, "nothing was recorded before")
    lab.finish()
    lab.check(earlier=trials)
    return "StoreError, resumed without the limit"


@scenario("store turns read-only", "store", needs=mountable)
def store_turns_read_only(lab, seed):
    with mounted(lab.folder / "small", "50m") as place:
        lab.store = place / "store.sqlite"
        with lab.started() as process:
            lab.wait_for_trials(1 + chance(seed).randrange(20), process)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        trials = labs.kept(lab.store, finished=False)
        remount = ["mount", "-o", "remount,{}", str(place)]
        subprocess.run([word.format("ro") for word in remount], check=True)
        code, _, err = lab.run()
        one_sentence(code, err, ("read-only", "cannot be reached"))
        subprocess.run([word.format("rw") for word in remount], check=True)
        lab.finish()
        lab.check(earlier=trials)
    return "StoreError, resumed when writable"


@scenario("two runs of different requests at once", "store")
def two_runs(lab, seed):
    small = ("--shape", "n=64"), ("--shape", "n=128")
    with lab.started(*small[0], verb="tune") as one, lab.started(*small[1], verb="tune") as two:
        ended = [labs.ended(process) for process in (one, two)]
    demand((one.returncode, two.returncode) == (0, 0), f"{ended}"[-300:])
    lab.check()
    return "both finished"


@scenario("the same request twice at once", "store")
def same_request(lab, seed):
    with lab.started() as process:
        lab.wait_for_trials(2 + chance(seed).randrange(3), process)
        worker = lab.worker(process)
        os.kill(worker, signal.SIGSTOP)  # so that the first one is still at it
        code, _, err = lab.run()
        os.kill(worker, signal.SIGCONT)
        out, first = labs.ended(process)
    one_sentence(code, err, ("is already working on this",))
    demand(process.returncode == 0, first[-300:])
    demand(winner(out) == BEST, f"the winner is {winner(out)}")
    lab.check()
    return "StoreError for the second, first unharmed"


@scenario("locked by another program for longer than we wait", "store", times=1)
def locked(lab, seed):
    with lab.started() as process:
        lab.wait_for_trials(2, process)
        with closing(sqlite3.connect(lab.store, isolation_level=None, timeout=30)) as blocker:
            blocker.execute("BEGIN IMMEDIATE")
            _, err = labs.ended(process)
            blocker.execute("ROLLBACK")
    one_sentence(process.returncode, err, ("was locked by another process for too long",))
    trials = labs.kept(lab.store, finished=False)
    lab.finish()
    lab.check(earlier=trials)
    return "StoreError, resumed"


@scenario("power cut between any two writes", "store", times=2)
def power_cut(lab, seed, cuts=None, resumes=4):
    """Every prefix of what a whole run wrote; `cuts` limits how many are tried, `resumes` how many runs go on."""
    from hotloop.store import Store

    random = chance(seed)
    Store.open(lab.store).close()
    log = powercut.record(lab.store, lab.finish)
    whole = lab.check()
    after = {}
    done = 0
    commits = log.commits if cuts is None else log.commits[:40]
    for number, frames in enumerate(commits):
        store = powercut.lay(lab.folder / "cut", log.base, log.cut(frames))
        after[frames] = powercut.rows(store)
        if cuts is None or number % (len(commits) // cuts) == 0:
            labs.sound(store)
            trials = labs.kept(store, finished=False)
            demand(whole[: len(trials)] == trials, "trials differ from what was written")
    before = powercut.rows(powercut.lay(lab.folder / "cut", log.base, log.cut(0)))
    for old, new in pairwise((before, *after.values())):
        demand(all(new[table] >= old[table] for table in old), "a commit lost rows")
        grown = {table: new[table] - old[table] for table in old}
        demand(max(grown.values()) <= 1, "a commit is more than one record")
        demand(sum(grown.values()) - grown["trials"] <= 1, "a commit is more than one record and its trial")
        demand(grown["trials"] <= grown["journal"], "a trial that no record tells of")
    chosen = range(log.frames - 1) if cuts is None else sorted(random.sample(range(commits[-1]), cuts))
    for frame in chosen:
        wanted = after.get(max((commit for commit in log.commits if commit <= frame), default=0), before)
        for name, wal in powercut.ends(log, frame, random):
            store = powercut.lay(lab.folder / "cut", log.base, wal)
            labs.sound(store)
            demand(powercut.rows(store) == wanted, f"{name} after frame {frame}: rows differ from the last commit")
            done += 1
    for frames in random.sample(commits, min(cuts or 8, len(commits))):
        part = powercut.Log(log.base, log.cut(frames))
        mixed = powercut.half_checkpointed(part, random, lab.folder / "cut")
        store = powercut.lay(lab.folder / "cut", mixed, part.wal)
        labs.sound(store)
        demand(powercut.rows(store) == after[frames], "a half-done checkpoint lost rows")
        done += 1
    for frame in random.sample(range(log.frames), resumes):
        lab.store = powercut.lay(lab.folder / f"resumed-{frame}", log.base, log.cut(frame))
        trials = labs.kept(lab.store, finished=False)
        lab.finish()
        lab.check(earlier=trials)
        done += 1
    shutil.rmtree(lab.folder / "cut")
    return f"{done} cuts: last commit kept, resumed"


@scenario("power cut while a store is made", "store", times=1)
def power_cut_at_birth(lab, seed):
    from hotloop.store import Store

    random, done = chance(seed), 0
    born = lab.folder / "born.sqlite"
    with Store.open(born):
        code = "import pathlib, sys; sys.stdout.buffer.write(pathlib.Path(sys.argv[1]).read_bytes())"
        read = [
            subprocess.run([sys.executable, "-c", code, f"{born}{end}"], capture_output=True).stdout
            for end in ("", "-wal")
        ]
    log = powercut.Log(*read)
    cuts = [("", b""), ("header only", b"")]
    cuts += [(name, wal) for frame in range(log.frames - 1) for name, wal in powercut.ends(log, frame, random)]
    for name, wal in cuts:
        store = powercut.lay(lab.folder / "cut", log.base if name else b"", wal)
        with Store.open(store) as opened:
            opened.begin_run("tune", "{}", "after the cut").finish()
        labs.sound(store)
        done += 1
    lab.nothing_left()
    return f"{done} cuts: a new or a whole store"


# --- the machine -------------------------------------------------------------------------------------------------------


@scenario("wall clock jumps by up to ten years, always", "clock")
def clock_jumps(lab, seed):
    with lab.started(HOTLOOP_CLOCK_JUMPS=str(seed)) as process:
        lab.wait_for_trials(3 + chance(seed).randrange(15), process)
        process.kill()
        process.communicate()
    trials = labs.kept(lab.store, finished=False)
    lab.finish(HOTLOOP_CLOCK_JUMPS=str(seed + 1))
    lab.check(earlier=trials)
    return "resumed, same winner"


@scenario("no room for temporary files", "arena", needs=mountable)
def arena_is_full(lab, seed):
    with mounted(lab.temporary, f"{(8, 64, 160)[seed % 3]}k"):
        code, _, err = lab.run()
        one_sentence(code, err, ("free space", "choose a smaller shape"), codes=(2, 3))
        lab.nothing_left()
    lab.finish()
    lab.check(finished=False)  # a shape that does not fit is the request's mistake: that run failed, a new one began
    return "one sentence; with room the command runs"


@scenario("temporary folder removed in the middle of a run", "arena")
def arena_is_gone(lab, seed):
    with lab.started() as process:
        lab.wait_for_trials(2 + chance(seed).randrange(15), process)
        for arena in lab.temporary.iterdir():
            shutil.rmtree(arena, ignore_errors=True)
        _, err = labs.ended(process)
    if process.returncode:
        one_sentence(process.returncode, err, ("temporary folder", "cannot write", "free"))
    trials = labs.kept(lab.store, finished=False)
    blamed = [t for t in trials if "No such file" in str(t.outcome)]
    demand(not blamed, "a candidate was blamed")
    if process.returncode:
        lab.finish()
    lab.check(earlier=trials)
    return "MachineError, resumed"


SHARED_MEMORY = """
mount -t tmpfs tmpfs /dev/shm || exit 9
"$@" >/dev/null & run=$!
sleep $DELAY
kill -9 $run; wait $run
echo "left by the killed one: $(ls -A /dev/shm | grep -c hotloop)"
"$@" >/dev/null || exit 8
echo "left in the end: $(ls -A /dev/shm | wc -l)"
"""


@scenario("SIGKILL of a run whose arena is in shared memory", "arena", needs=mountable)
def shared_memory(lab, seed):
    """Without TMPDIR arenas are made in /dev/shm; here in one of its own, in a private mount namespace."""
    environment = lab.environment(DELAY=str(chance(seed).uniform(1.5, 3.0)))
    del environment["TMPDIR"]
    command = ["unshare", "-m", "sh", "-c", SHARED_MEMORY, "sh", *lab.command()]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    demand(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-200:]}")
    demand("left in the end: 0" in done.stdout, done.stdout)
    lab.check()
    return "swept by the next run"


@scenario("no process can be started", "worker")
def no_process(lab, seed):
    code, _, err = lab.run(HOTLOOP_PROCESS_LIMIT="1")
    one_sentence(code, err, ("cannot start a worker process",))
    lab.nothing_left()
    lab.finish()
    lab.check()
    return "WorkerError, resumed"


@scenario("killed while it makes its temporary folder", "arena", times=1)
def half_made_arena(lab, seed):
    """The folder has no final name yet: it is swept when it is old, not while somebody may be making it."""
    old, new = lab.temporary / "hotloop-new-old", lab.temporary / "hotloop-new-now"
    for folder in (old, new):
        folder.mkdir()
    os.utime(old, (time.time() - 3600,) * 2)
    lab.finish()
    demand(not old.exists() and new.exists(), "swept the wrong one")
    new.rmdir()
    lab.check()
    return "swept by the next run"


@scenario("run killed while its worker's tool runs on", "worker", times=2)
def orphaned_tool(lab, seed):
    """A killed run cannot clean up: the next one ends what the first one's worker had started."""
    lab.kernel = FAULTY_KERNEL
    trick = ("tool, then hang in build", "daemon in time")[seed % 2]
    told = {"HOTLOOP_FAULTY_WORKER": "1", "HOTLOOP_TRICKS": trick.replace(",", ";")}
    with lab.started("--limit", "30", **told) as process:
        started = labs.until(lambda: len(labs.marked(lab.mark)) >= 3 or process.poll() is not None)
        demand(started, "the tool was never started")
        worker = lab.worker(process)
        process.kill()
        process.communicate()
    demand(labs.until(lambda: worker not in labs.marked(lab.mark), 5.0), "the worker outlived the run")
    demand(bool(labs.marked(lab.mark)), "nothing was left to sweep")
    lab.finish("--limit", "2", best=SMALL_BEST, **told)
    lab.check(finished=False)
    return "ended by the next run"
