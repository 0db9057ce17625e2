"""What the rewrites that a bare source is offered first are worth, in processor time: for machines where wall time says nothing.

    python benchmarks/foreign/processor_time.py FOLDER_OF_SOURCES [--table others.toml] [--only gemm,atax] [--tries 3] [--depth 2] [--out FILE]

No loop, no search, no budget: the offers for the text as published are taken in the order in which they are ranked, then those for the best so
far; each is verified on the asked sizes against the text in double precision, and run in turns with the text as published in one process. No offer is begun after ``--within`` seconds.
The ratio is that of the processor time of all threads, the median of the rounds; a program that nothing helps counts 1. It is no verdict:
two threads that wait for each other count as little as one. One line of JSON a program.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from programs import chosen, mean, parser

from hotloop.app.bare import kernel as bare
from hotloop.app.bare.wish import wish
from hotloop.errors import HotloopError
from hotloop.model.kernel import Kernel, Offer
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.ports import Executed, Timed, TimeRequest
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.oracle import expect

ROUNDS = 3
LIMIT_S = 120.0


class Bench:
    """One program: its inputs, its expected outputs, and what a configuration is worth."""

    def __init__(self, kernel: Kernel) -> None:
        self.engine = bare._engine(LIMIT_S)  # noqa: SLF001 - the same worker that computes references
        self.kernel, self.implementation = kernel, kernel.implementations[0]
        self.device = self.engine.select("")
        inputs = kernel.inputs(kernel.problem, np.random.default_rng(5))
        self.inputs, self.expected = inputs, expect(kernel, kernel.problem, inputs)
        self.dataset = self.engine.dataset("program", inputs, tuple(self.expected.outputs))
        self.start = self.program(self.implementation.start)

    def program(self, config: Config) -> Program:
        """Return the program of a configuration."""
        return self.implementation.plan(self.kernel.problem, config, self.device)

    def offers(self, config: Config) -> list[Offer]:
        """Return what is proposed for a configuration, what goes together first, then as the loop ranks predictions."""
        found = self.implementation.offers(self.kernel.problem, config, self.device)
        return sorted(found, key=lambda one: -one.gain.low * one.gain.high)

    def wrong(self, program: Program) -> str:
        """Return why a program's result is wrong, empty where it is right."""
        ran = self.engine.execute(program, self.dataset)
        if not isinstance(ran, Executed):
            return type(ran).__name__
        case = Case(self.kernel.problem, "normal", 5, 0)
        result = judge(self.kernel, case, self.inputs, ran.arrays, expected=self.expected)
        return "" if result.passed else result.reason

    def ratio(self, program: Program) -> float | None:
        """Return the processor time of the text as published over that of a program, None where it does not run."""
        timed = self.engine.time(
            TimeRequest(programs=(self.start, program), datasets=(self.dataset,), rounds=ROUNDS, warmup_ns=1e6)
        )
        if not isinstance(timed, Timed):
            return None
        ratios = []
        for each in timed.rounds:
            spent = [[s.cpu_ns / s.calls for index, s in each.samples if index == who and s.cpu_ns] for who in (0, 1)]
            if all(spent):
                ratios.append(sum(spent[0]) / len(spent[0]) / (sum(spent[1]) / len(spent[1])))
        return median(ratios) if ratios else None


def climbed(bench: Bench, tries: int, depth: int, end: float) -> Iterator[dict[str, Any]]:
    """Yield what became of each offer: those for the text as published, then those for the best so far; none after an end."""
    best, config = 1.0, bench.implementation.start
    for _ in range(depth):
        before = config
        for offer in bench.offers(before)[:tries]:
            if time.time() > end:
                return
            candidate = before.replace(**offer.changes)
            program = bench.program(candidate)
            reason = bench.wrong(program)
            ratio = None if reason else bench.ratio(program)
            yield {"offer": offer.rule, "changes": dict(offer.changes), "wrong": reason[:200], "ratio": ratio}
            if ratio is not None and ratio > best:
                best, config = ratio, candidate
        if config == before:
            return


def spent() -> float:
    """Return the seconds of processor time of this process and of the workers below it, those that have ended among them."""
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system + _living(str(os.getpid()))


def _living(parent: str) -> float:
    """Return the seconds of the processes below one that still run."""
    total = 0.0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(") ")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if fields[1] == parent:
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + _living(file.parent.name)
    return total


def measured(source: Path, entry: dict[str, Any], tries: int, depth: int, within_s: float) -> dict[str, Any]:
    """Return what the offers of one program are worth."""
    began, before = time.time(), spent()
    row: dict[str, Any] = {"load": os.getloadavg()[0], "seen": entry.get("seen", False), "steps": [], "best": 1.0}
    named = wish(
        (entry["sizes"],) if entry.get("sizes") else (), entry.get("launches", ""), _one(entry, "global"), _one(entry, "local"),
        tuple(one.replace("FOLDER", str(source.parent)) for one in entry.get("options", ())),
    )  # fmt: skip
    try:
        bench = Bench(bare.load(source, entry.get("entry", "").removeprefix(":"), named, LIMIT_S))
        if reason := bench.wrong(bench.start):
            row["failed"] = f"as published: {reason}"
        else:
            for step in climbed(bench, tries, depth, began + within_s):
                row["steps"].append(step)
                row["best"] = max(row["best"], step["ratio"] or 0.0)
        bench.engine.discard(bench.dataset)
    except HotloopError as error:
        row["failed"] = str(error)[:300]
    return row | {"seconds": round(time.time() - began, 1), "cpu_seconds": round(spent() - before, 1)}


def _one(entry: dict[str, Any], name: str) -> tuple[str, ...]:
    named = entry.get(name) or ()
    return (named,) if isinstance(named, str) else tuple(named)


def main() -> None:
    """Go through a table."""
    asked = parser()
    asked.add_argument("--tries", type=int, default=3)
    asked.add_argument("--depth", type=int, default=2, help="how often offers are taken up")
    asked.add_argument(
        "--within", type=float, default=LIMIT_S, help="seconds of a program after which no offer is begun"
    )
    given = asked.parse_args()
    ratios = []
    for name, entry in chosen(given).items():
        row = {"name": name, **measured(entry["source"], entry, given.tries, given.depth, given.within)}
        if "failed" not in row:
            ratios.append(row["best"])
        print(json.dumps(row), flush=True)
        if given.out:
            with given.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
    if ratios:
        print(f"{len(ratios)} programs, geometric mean {mean(ratios):.2f} of processor time")


if __name__ == "__main__":
    main()
