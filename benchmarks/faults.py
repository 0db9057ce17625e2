"""Every fault that we can inject, at every stage, and how often it was survived.

    python benchmarks/faults.py                      # the whole table, about 15 minutes on two cores
    python benchmarks/faults.py --quick              # one injection of each kind
    python benchmarks/faults.py --only "power cut"   # rows whose fault or stage contains a text
    python benchmarks/faults.py --json FILE          # keeps the rows

Survived means: the outcome was recorded, the run went on or the same command resumed it, it ended at the same winner as an
undisturbed run, `PRAGMA integrity_check` is content, no attempt is there twice, no trial is lost but the one in flight, and no
process, shared memory or temporary file is left. Exits with 1 when anything is below 100 %. Full and read-only disks need
root, for mounting small file systems; what cannot be injected here is listed and does not count.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import stand

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "faults"))

import faulty_kernel
import lab as labs
import scenarios

LIMIT_S = 2.0
"""Wall-clock limit for one compilation or run of a planted candidate."""
GROUP = 10
"""Tricks in the space of one run: the loop tries every one of them."""


@dataclass
class Line:
    """One row of the table."""

    fault: str
    stage: str
    injected: int = 0
    survived: int = 0
    outcomes: Counter = field(default_factory=Counter)
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def add(self, outcome, *, survived, wall_s=0.0, cpu_s=0.0):
        self.injected += 1
        self.survived += survived
        self.outcomes[outcome] += 1
        self.wall_s += wall_s
        self.cpu_s += cpu_s


class Table:
    """Rows by fault and stage, printed as they are complete."""

    def __init__(self):
        self.lines = {}
        self.skipped = []

    def line(self, fault, stage):
        return self.lines.setdefault((fault, stage), Line(fault, stage))

    def show(self, line):
        mark = "" if line.survived == line.injected else "  <-- NOT SURVIVED"
        outcomes = ", ".join(line.outcomes)
        print(
            f"{line.fault[:52]:52} {line.stage:10} {line.injected:4} {line.survived:4} "
            f"{line.wall_s / max(line.injected, 1):7.1f} {line.cpu_s:7.1f}  {outcomes}{mark}",
            flush=True,
        )


def cpu_s():
    """Return CPU seconds of this process and of its children that have ended."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def in_runs(table, wanted, limit_s):
    """Whole runs whose candidates misbehave."""
    names = [name for name in faulty_kernel.TRICKS if wanted(f"run: {name}")]
    for first in range(0, len(names), GROUP):
        group = names[first : first + GROUP]
        began_s, spent_s = time.monotonic(), cpu_s()
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            lab = labs.Lab(folder)
            try:
                rows, reason = list(scenarios.candidates(lab, group, limit_s)), ""
            except Exception as failure:  # noqa: BLE001 - one row of the table
                rows, reason = [(name, "", ["?"]) for name in group], _short(failure)
            finally:
                lab.end()
        each = (time.monotonic() - began_s) / len(group), (cpu_s() - spent_s) / len(group)
        for name, expected, found in rows:
            plant, stage, _ = faulty_kernel.TRICKS[name]
            line = table.line(f"candidate in a run: {plant}", stage)
            for outcome in found or ["never tried"]:
                line.add(reason or outcome, survived=outcome == expected)
            line.wall_s, line.cpu_s = each[0] * line.injected, each[1]
            table.show(line)


def at_engine(table, wanted, faults=tuple(scenarios.OUTCOMES)):
    """Every fault at every stage, asked of the engine; the next candidate must be served as if nothing had happened."""
    chosen = [fault for fault in faults if wanted(f"engine: {fault}")]
    if not chosen:
        return
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        spent_s = cpu_s()
        for fault, stage, outcome, took_s in scenarios.matrix(folder, chosen):
            line = table.line(f"engine: {fault}", stage)
            survived = isinstance(outcome, str)
            line.add(outcome if survived else str(outcome), survived=survived, wall_s=took_s, cpu_s=cpu_s() - spent_s)
            spent_s = cpu_s()
            table.show(line)


def by_scenario(table, wanted, quick):
    """Runs, workers, stores, clocks and folders that are struck."""
    for scenario in scenarios.SCENARIOS:
        if not wanted(f"{scenario.fault} {scenario.stage}"):
            continue
        if reason := scenario.needs():
            table.skipped.append(f"{scenario.fault} ({scenario.stage}): {reason}")
            continue
        line = table.line(scenario.fault, scenario.stage)
        for seed in range(1 if quick else scenario.times):
            began_s, spent_s = time.monotonic(), cpu_s()
            with tempfile.TemporaryDirectory(prefix="faults-") as folder:
                lab = labs.Lab(folder)
                try:
                    outcome, survived = scenario.inject(lab, seed), True
                except Exception as failure:  # noqa: BLE001 - one row of the table
                    outcome, survived = _short(failure), False
                finally:
                    lab.end()
            line.add(outcome, survived=survived, wall_s=time.monotonic() - began_s, cpu_s=cpu_s() - spent_s)
        table.show(line)


def _short(failure):
    return f"{type(failure).__name__}: {failure}".replace("\n", " ")[:300]


def main():
    parser = stand.parser(__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()

    def wanted(name):
        return given.only.lower() in name.lower()

    print(
        f"{'fault':52} {'stage':10} {'n':>4} {'ok':>4} {'s each':>7} {'cpu s':>7}  outcome recorded   ({os.cpu_count()} cores)"
    )
    table, began_s = Table(), time.monotonic()
    in_runs(table, wanted, LIMIT_S)
    at_engine(table, wanted)
    by_scenario(table, wanted, given.quick)
    injected, survived = (
        sum(getattr(line, name) for line in table.lines.values()) for name in ("injected", "survived")
    )
    for reason in table.skipped:
        print(f"not injected here: {reason}")
    spent_s = sum(line.cpu_s for line in table.lines.values())
    share = 100 * survived / max(injected, 1)
    print(
        f"{len(table.lines)} kinds, {injected} injections, {survived} survived ({share:.2f} %), "
        f"{spent_s:.0f} s CPU, {time.monotonic() - began_s:.0f} s"
    )
    if given.json:
        rows = [{**vars(line), "outcomes": dict(line.outcomes)} for line in table.lines.values()]
        given.json.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(0 if injected and survived == injected else 1)


if __name__ == "__main__":
    main()
