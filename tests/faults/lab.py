"""The laboratory: runs of the command line under planted faults, and what must hold afterwards, whatever happened."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections import Counter
from contextlib import closing, contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent
NULL_KERNEL = HERE.parent / "loop" / "null_kernel.py"
FAULTY_KERNEL = HERE / "faulty_kernel.py"
MARK = "HOTLOOP_FAULT_MARK"
"""Variable that every process of a laboratory inherits; the product does not know it."""
SLICE_S, SLICES = 5.0, 60
"""How long a run is waited for, in slices: a laboratory that was stopped for minutes goes on as if it had not been."""
BEST = {"W": "8", "ITEMS": "16", "DEPTH": "3", "TRICK": "stream"}
"""Where an undisturbed run of the null kernel ends."""
ATTEMPTS = ("baseline", "step", "confirm", "overall", "glance")
"""First words of the journal keys under which attempts are recorded; each is one trial."""


class Failed(AssertionError):
    """A fault was not survived, for this reason."""


def demand(holds, why):
    """Raise unless a condition holds; benchmarks run without pytest's rewriting of assert."""
    if not holds:
        raise Failed(why)


def ended(process):
    """Wait until a process has ended; returns its output and errors."""
    for _ in range(SLICES):
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=SLICE_S)
    raise Failed(f"no end after {SLICES * SLICE_S:.0f} s")


def until(holds, limit_s=SLICES * SLICE_S, step_s=0.02):
    """Wait until something holds; False when it never does."""
    for _ in range(round(limit_s / step_s)):
        if holds():
            return True
        time.sleep(step_s)
    return bool(holds())


class Lab:
    """One folder with a store, temporary files and processes of its own."""

    def __init__(self, folder, kernel=NULL_KERNEL):
        self.folder = Path(folder)
        self.kernel = kernel
        self.mark = str(uuid.uuid4())
        self.store = self.folder / "store.sqlite"
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir(parents=True, exist_ok=True)
        self._before = foreign_files()

    # --- runs ----------------------------------------------------------------------------------------------------

    def environment(self, **more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HOTLOOP_")}
        data = {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return {**clean, **data, MARK: self.mark, "TMPDIR": str(self.temporary), **more}

    def command(self, verb="optimize", *more, budget=120):
        launch = [sys.executable, str(HERE / "launch.py"), verb, str(self.kernel)]
        return [*launch, "--store", str(self.store), "--quiet", "--json", "--budget", str(budget), "--no-peers", *more]

    @contextmanager
    def started(self, *more, verb="optimize", **environment):
        with subprocess.Popen(
            self.command(verb, *more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(**environment),
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def run(self, *more, verb="optimize", **environment):
        """Run a command to its end; returns (exit code, output, errors)."""
        with self.started(*more, verb=verb, **environment) as process:
            out, err = ended(process)
        return process.returncode, out, err

    def finish(self, *more, best=BEST, verb="optimize", **environment):
        """Run the command until it ends and demand that it does, where it should; returns its page."""
        code, out, err = self.run(*more, verb=verb, **environment)
        demand(code == 0, f"exit {code}: {err.strip()[-300:]}")
        page = json.loads(out)
        page = page[0] if isinstance(page, list) else page
        demand(page["state"] == "finished", f"the run is {page['state']}")
        found = dict(next(step for step in page["steps"] if step["winner"])["config"])
        demand(best is None or found == best, f"the winner is {found}")
        return page

    def worker(self, process):
        """Return the process id of a run's worker, or None while it has none."""
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:
            return None
        return int(children[0]) if children else None

    def wait_for_trials(self, count, process):
        """Wait until a run has kept so many trials, or has ended."""
        demand(until(lambda: self.count("trials") >= count or process.poll() is not None), "no progress")

    # --- what must hold ------------------------------------------------------------------------------------------

    def count(self, table):
        """Return the rows of a table as another program sees them; the store may not exist yet."""
        try:
            with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=5)) as connection:
                return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def trials(self):
        from hotloop.store import Store

        if not self.store.exists():
            return ()
        with Store.open(self.store) as opened:
            return opened.trials()

    def check(self, *, earlier=(), finished=True):
        """Demand a sound store that lost and repeated nothing, and that nothing else is left; returns its trials."""
        sound(self.store)
        trials = kept(self.store, finished=finished)
        demand(trials[: len(earlier)] == tuple(earlier), "a trial that was kept is gone")
        self.nothing_left()
        return trials

    def nothing_left(self):
        """Demand that no process, shared memory or temporary file is left behind."""
        demand(until(lambda: not self.left(), 5.0, 0.05), f"left behind: {self.left()}")

    def left(self):
        files = [str(path.relative_to(self.folder)) for path in self.temporary.iterdir()]
        shared = foreign_files() - self._before
        return files + [f"process {pid}" for pid in marked(self.mark)] + sorted(shared - mapped(shared))

    def end(self):
        """Kill whatever a failed experiment left, by its mark."""
        for pid in marked(self.mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def marked(mark):
    """Return the processes, zombies left out, that inherited a mark."""
    found, wanted = [], f"{MARK}={mark}".encode()
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and int(path.name) != os.getpid():
            try:
                if wanted in (path / "environ").read_bytes().split(b"\0"):
                    found.append(int(path.name))
            except OSError:
                continue
    return found


def mapped(paths):
    """Return those files of shared memory that living processes use: processes of this experiment are told by its mark."""
    inodes = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with suppress(OSError):
            inodes.update(line.split()[4] for line in maps.read_text().splitlines() if "/dev/shm/" in line)
    return {path for path in paths if inode(path) in inodes}


def inode(path):
    """Return a file's number as the system prints it; a semaphore is mapped under another name than it is opened by."""
    try:
        return str(os.stat(path).st_ino)
    except OSError:
        return ""


def foreign_files():
    """Return what a crash may leave outside the folder that TMPDIR names."""
    places = {Path.cwd(): ("core", "core.*"), Path("/dev/shm"): ("sem.*", "__KMP_*")}
    return {str(path) for place, patterns in places.items() for pattern in patterns for path in place.glob(pattern)}


def sound(store):
    """Demand what SQLite itself can check."""
    with closing(sqlite3.connect(store, timeout=30)) as connection:
        answer = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        demand(answer == ["ok"], f"integrity_check: {answer[:3]}")
        demand(not connection.execute("PRAGMA foreign_key_check").fetchall(), "rows without their run")


def kept(store, *, finished):
    """Demand hotloop's own invariants: journals without gaps, every attempt one trial, everything readable."""
    from hotloop.app.run.attempt import Attempt
    from hotloop.model.codec import decode
    from hotloop.store import Store

    with Store.open(store) as opened:
        runs, trials = opened.runs(limit=10_000), opened.trials()
        for info in runs:
            demand(not finished or info.state.value == "finished", f"run {info.id[:8]} is {info.state.value}")
            entries = opened.journal_entries(info.id)
            keys = [entry.key for entry in entries]
            demand(len(keys) == len(set(keys)), "a journal key twice")
            attempts = [entry for entry in entries if entry.key.split()[0] in ATTEMPTS]
            for entry in attempts:
                decode(json.loads(entry.data)["data"], Attempt)
            missing = len(attempts) - len(opened.trials(run=info.id))
            in_flight = 0 if info.state.value == "finished" else 1
            demand(0 <= missing <= in_flight, f"{len(attempts)} attempts, {missing} of them without a trial")
    with closing(sqlite3.connect(store)) as connection:
        places = connection.execute("SELECT run, position FROM journal").fetchall()
    demand(len(places) == len(set(places)), "two journal entries in one place")
    per_run = Counter(run for run, _ in places)
    demand(all(position < per_run[run] for run, position in places), "a gap in a journal")
    return trials


def chance(seed):
    """Return the randomness of one injection."""
    return random.Random(f"fault {seed}")
