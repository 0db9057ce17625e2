"""How late runs end under a load that drifts: whole runs of `optimize` on a simulated device, whose seconds cost nothing.

    PYTHONPATH=src python benchmarks/budgets.py --seeds 18 --budget 20            # lateness of each seed, and how many are later than allowed

Every request to the device advances a clock by what it costs (builds, runs, timing) times the load of that moment, a random walk that
depends on the seed. What the run's own process does costs nothing but where it lays out arrays. Allowed are 2 s or 5 % of the budget.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from math import exp, inf
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "fakes"))

from cluster import Device, Lab

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import pace
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.backends.null import DEVICE
from hotloop.engine import laying
from hotloop.host.arena import Arena
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space

_STEP_S = 0.05
"""Length of the steps in which the load changes."""


@dataclass
class Walk:
    """A clock, and the load that makes work take longer: its logarithm wanders, is drawn back slowly, and jumps now and then."""

    seed: int
    most: float
    now_s: float = 0.0
    until_s: float = inf
    _chance: np.random.Generator = field(init=False)
    _log: float = 0.5

    def __post_init__(self) -> None:
        self._chance = np.random.default_rng(self.seed)

    def spend(self, cost_s: float) -> bool:
        """Do work that takes so long alone; tell whether it ended before it had to be left."""
        while cost_s > 0:
            self._drift()
            step_s = min(_STEP_S, cost_s * exp(self._log))
            if self.now_s + step_s > self.until_s:
                self.now_s = self.until_s
                return False
            self.now_s += step_s
            cost_s -= step_s / exp(self._log)
        return True

    def _drift(self) -> None:
        self._log += 0.12 * self._chance.standard_normal() - 0.01 * (self._log - 0.7)
        if self._chance.random() < 0.002:
            self._log += float(self._chance.uniform(-1.5, 1.5))
        self._log = min(max(self._log, 0.0), float(np.log(self.most)))


class Simulated(Device):
    """The tests' fake device with costs, and a worker that must be started again where a request was left."""

    BUILD_S, RUN_S, START_S = 0.35, 0.02, 0.9

    def __init__(self, walk: Walk) -> None:
        self._made = Arena.create()
        super().__init__("here", Lab(), self._made.path)
        self._walk, self._built, self._started = walk, set[str](), False

    def leave_after(self, limit_s: float) -> None:
        self._walk.until_s = self._walk.now_s + limit_s

    def dataset(self, name, inputs, outputs, poison=0):
        self._walk.now_s += 0.01
        return laying.write(self._made, name, inputs, outputs, poison)

    def build(self, program):
        self._spend(0.0, program)
        return super().build(program)

    def execute_all(self, runs):
        call_s = 1e-9 * json.loads(runs[0].program.source)["call_ns"]
        self._spend((self.RUN_S + call_s) * len(runs), *(run.program for run in runs))
        return super().execute_all(runs)

    def time(self, request):
        calls_s = [1e-9 * json.loads(program.source)["call_ns"] for program in request.programs]
        each_s = sum(max(1e-9 * request.target_sample_ns, call_s) for call_s in calls_s)
        warm_s = len(calls_s) * 1e-9 * request.warmup_ns
        self._spend(warm_s + 2 * each_s * request.rounds, *request.programs)
        return super().time(request)

    def renew(self, request):
        call_s = 1e-9 * json.loads(request.program.source)["call_ns"]
        self._spend(0.03 + 4 * call_s * request.rounds, request.program, request.rival)
        return super().renew(request)

    def _spend(self, cost_s, *programs):
        new = {program.build_key for program in programs} - self._built
        start_s = 0.0 if self._started else self.START_S
        self._started = True
        if not self._walk.spend(start_s + self.BUILD_S * len(new) + cost_s):
            from hotloop.errors import SpentError

            self._started = False
            raise SpentError("left")
        self._built |= new

    def close(self):
        self._made.remove()
        super().close()


def kernel(seed: int) -> Kernel:
    """Return a kernel whose parameters matter by amounts that depend on the seed."""
    chance = np.random.default_rng([seed, 1])
    slope, call_ns = chance.uniform(0.02, 0.25, 3), 10 ** chance.uniform(5.0, 7.3)
    space = Space(tuple(Parameter(name, tuple(range(8))) for name in ("A", "B", "C")))

    def plan(_problem, config, _device):
        away = sum(
            abs(config[name] - best) * s for name, best, s in zip(("A", "B", "C"), (5, 2, 6), slope, strict=True)
        )
        recipe = {"compute": "copy", "call_ns": call_ns * exp(away), "config": dict(config)}
        return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))

    return Kernel(
        family="simulated",
        problem=Problem("simulated", Record(n=256)),
        inputs=lambda p, rng: {"x": rng.standard_normal(p.n).astype("f4"), "y": rng.standard_normal(p.n).astype("f4")},
        reference=lambda _p, arrays: {"y": arrays["x"].astype("f8")},
        work=lambda p: Work(flops=0, bytes=8 * p.n),
        implementations=(Implementation("null", "null", space, Config(A=0, B=0, C=0), plan),),
        awkward=lambda p: (p.replace(n=1), p.replace(n=37)),
    )  # fmt: skip


def ran(seed: int, budget_s: float, most: float) -> tuple[float, Loop]:
    """Run one simulated run; return by how much it was late."""
    walk = Walk(seed, most)
    SystemClock.monotonic_s = lambda _self: walk.now_s  # type: ignore[method-assign]
    engine = Simulated(walk)
    try:
        desk = Desk(engine, DEVICE, MemoryJournal(), SystemClock(), seed=1, search_seed=seed, began_s=0.0)
        walk.now_s = 1.0
        desk.remember("start", float, lambda: 0.0)
        made = kernel(seed)
        loop = Loop(desk, made, made.problem, Plan(budget_s=budget_s), ())
        loop.run()
        return walk.now_s - budget_s, loop
    finally:
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=18)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--load", type=float, default=8.0, help="the largest load")
    given = parser.parse_args()
    pace.pressure = lambda: 1.0
    allowed_s, late, kept = max(2.0, 0.05 * given.budget), list[float](), 0
    for seed in range(given.first, given.first + given.seeds):
        late_s, loop = ran(seed, given.budget, given.load)
        winner = loop.result.winner
        won = winner is not None and winner.index > 0
        kept += won
        late.append(late_s)
        gain = f"{loop.result.overall.speedup:.2f}" if won and loop.result.overall else "-"
        print(f"seed {seed}: {late_s:+6.2f} s, {gain}, {loop.result.stop_reason[-110:]}", flush=True)
    over = sum(late_s > allowed_s for late_s in late)
    print(
        f"{over} of {given.seeds} later than {allowed_s:g} s, worst {max(late):+.2f} s, mean {sum(late) / len(late):+.2f} s; {kept} kept something"
    )


if __name__ == "__main__":
    main()
