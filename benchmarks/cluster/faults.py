"""Kills every part of a run on a Ray cluster, at random moments, and gives the same command again.

    python benchmarks/cluster/faults.py [--runs 3] [--only driver] [--budget 20]

Two nodes, both on this machine, one device each, a kernel whose launches sleep. The parts: the process that runs candidates, the
host beside it, a node's daemon (raylet) with all that it started, the head (its daemon and the cluster's control store), the run
itself. Survived means: the run ended, by itself or when the same command was given again with a new cluster; no answer that was
in the journal before the kill is missing or differs; no trial is there twice; and nobody is left behind.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
PARTS = {
    "worker": ("hotloop.engine.worker",),
    "host": ("ray::Host",),
    "node": ("--node",),
    "head": ("--head",),
    "driver": ("--driver",),
}
LIMIT_S = 400


def address() -> str:
    """Return the address by which Ray knows this machine: that of the way out."""
    import ray

    return ray.util.get_node_ip_address()


class Lab:
    """A cluster of two nodes with a store, found again by a mark in the environment of all its processes."""

    def __init__(self, folder: Path, budget_s: float) -> None:
        self.folder, self.budget_s = folder, budget_s
        self.store = folder / "store.db"
        self.port = random.randint(20000, 50000)
        self.driver: subprocess.Popen | None = None
        base = {k: v for k, v in os.environ.items() if not k.startswith(("RAY_", "HOTLOOP_"))}
        self.environment = {
            **base, "HOTLOOP_STORE": str(self.store), "FAULT_LAB": str(folder), "RAY_ADDRESS": f"{address()}:{self.port}",
            "SLEEPING_BUSY_S": "0.003", "RAY_AUTH_MODE": "disabled",
        }  # fmt: skip

    def up(self) -> None:
        ray = [
            sys.executable,
            "-m",
            "ray.scripts.scripts",
            "start",
            "--num-cpus=1",
            "--num-gpus=0",
            "--object-store-memory=100000000",
            "--disable-usage-stats",
        ]
        head = [*ray, "--head", f"--port={self.port}", "--include-dashboard=false"]
        self._start(head, "head")
        self._start([*ray, f"--address={address()}:{self.port}"], "node")

    def _start(self, command: list[str], role: str) -> None:
        environment = {k: v for k, v in self.environment.items() if k != "RAY_ADDRESS"} | {"FAULT_ROLE": role}
        subprocess.run(
            command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=180
        )

    def begin(self) -> None:
        command = [
            sys.executable,
            "-m",
            "hotloop",
            "tune",
            str(HERE / "sleeping.py"),
            "--budget",
            str(self.budget_s),
            "--engine",
            "ray",
            "--seed",
            "3",
        ]
        self.output = (self.folder / "out.txt").open("a")
        self.driver = subprocess.Popen(
            command, env=self.environment, stdout=self.output, stderr=subprocess.STDOUT, cwd=HERE
        )

    def ours(self) -> dict[int, tuple[str, str]]:
        """Return command and role of all processes of this lab by number."""
        processes = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    environment = (entry / "environ").read_bytes().split(b"\0")
                    if f"FAULT_LAB={self.folder}".encode() in environment:
                        role = next((e[11:].decode() for e in environment if e.startswith(b"FAULT_ROLE=")), "")
                        words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                        if words.strip():
                            processes[int(entry.name)] = words, role
                except OSError:
                    continue
        return processes

    def kill(self, part: str) -> int:
        """Kill a part by SIGKILL; return how many processes that were."""
        assert self.driver is not None
        if part == "driver":
            victims = [self.driver.pid]
        elif part in ("node", "head"):
            victims = [n for n, (words, role) in self.ours().items() if role == ("node" if part == "node" else "head")]
        else:
            alike = [n for n, (words, _) in self.ours().items() if PARTS[part][0] in words]
            victims = random.sample(alike, min(1, len(alike)))
        for victim in victims:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return len(victims)

    def rows(self, query: str) -> list[tuple]:
        if not self.store.exists():
            return []
        try:
            with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=30) as connection:
                return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []

    def down(self) -> list[str]:
        """End what is left; return what should not have been there although run and cluster had ended."""
        for number, (_, role) in self.ours().items():
            if role:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        time.sleep(8)
        left = {n: w for n, (w, _) in self.ours().items()}
        for number in left:
            os.kill(number, signal.SIGKILL)
        return [words[:80] for words in left.values()]


def inject(part: str, budget_s: float) -> tuple[bool, str]:
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        lab = Lab(Path(folder), budget_s)
        try:
            lab.up()
            lab.begin()
            deadline = time.monotonic() + LIMIT_S
            while len(lab.rows("select 1 from trials where purpose = 'search'")) < 3 and time.monotonic() < deadline:
                if lab.driver.poll() is not None:
                    return (
                        False,
                        f"ended with {lab.driver.returncode} before the fault: {(Path(folder) / 'out.txt').read_text()[-300:]}",
                    )
                time.sleep(0.1)
            time.sleep(random.uniform(0, 2))
            before = dict(
                lab.rows("select key, data from journal where key not like 'step%' and key not in ('head', 'tail')")
            )
            trials = len(lab.rows("select 1 from trials"))
            killed = lab.kill(part)
            began = time.monotonic()
            code: int | str
            try:
                code = lab.driver.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                return False, f"{part}: the run hangs"
            first = (
                f"{killed} killed after {trials} trials, run ended with {code} after {time.monotonic() - began:.0f} s"
            )
            if code != 0:
                if part in ("head", "node"):
                    lab.down()
                    lab.up()
                lab.begin()
                code = lab.driver.wait(LIMIT_S)
                first += f"; the same command ended with {code}"
            after = dict(lab.rows("select key, data from journal"))
            lost = [key for key, data in before.items() if after.get(key) != data]
            doubled = lab.rows(
                "select config, purpose, count(*) from trials where purpose = 'search' group by run, config, problem having count(*) > 1"
            )
            runs = lab.rows("select state from runs")
            looks = len(lab.rows("select 1 from trials where purpose = 'search'"))
            answers = sum(
                key.startswith("glance") for key in after
            )  # a look that was made twice has one answer and two trials
            good = code == 0 and not lost and looks == answers and [state for (state,) in runs] == ["finished"]
            total = len(lab.rows("select 1 from trials"))
            detail = f"{first}; {total} trials, {len(lost)} lost, {looks} looks for {answers} answers, {len(doubled)} configurations looked at in two phases, runs {runs}"
            if not good:
                detail += "\n" + (Path(folder) / "out.txt").read_text()[-1500:]
            return good, detail
        finally:
            if lab.driver and lab.driver.poll() is None:
                lab.driver.kill()
            left = lab.down()
            if left:
                print("left behind:", left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", type=float, default=40)
    asked = parser.parse_args()
    bad = 0
    for part in PARTS:
        if asked.only in part:
            for number in range(asked.runs):
                good, detail = inject(part, asked.budget)
                bad += not good
                print(f"{part:8s} {number} {'survived' if good else 'NOT SURVIVED'}: {detail}", flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
