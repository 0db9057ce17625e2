"""Replays recorded tuning spaces: how many evaluations does a search need to come near the known optimum?

    python benchmarks/search_replay.py FOLDER [--strategy surrogate --strategy random] [--runs 20] [--only TEXT]

FOLDER holds exhaustively measured spaces, `*.json` or `*.json.gz`, in the layout of a Kernel Tuner cache file. No GPU
is needed and results repeat exactly. An evaluation is a configuration asked for the first time; a failed one costs as
much as any other. ERT(x) is all evaluations spent, over all runs of a space, divided by the number of runs that came
within x of the best recorded time before the cap. Each run gets a fresh space and a fresh strategy, and what they
share is nothing but the recorded times.
"""

from __future__ import annotations

import gzip
import json
import statistics
import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

import stand

from hotloop.model.space import Constraint, Parameter, Space
from hotloop.search.strategy import named

CAP = 400
CHECKPOINTS = (20, 50, 100, 200)
MARGINS = (0.05, 0.10)
"""The smallest first: a run may end once it and the last checkpoint are reached."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One measured space."""

    name: str
    parameters: tuple[Parameter, ...]
    times_ns: dict[tuple, float | None]
    """By parameter values in order; None for failed configurations."""

    @property
    def best_ns(self) -> float:
        return min(t for t in self.times_ns.values() if t is not None)

    def space(self) -> Space:
        """Return a fresh space that holds exactly the recorded configurations."""
        names = tuple(p.name for p in self.parameters)
        recorded = Constraint("was recorded", lambda c: tuple(c[n] for n in names) in self.times_ns, names)
        return Space(self.parameters, (recorded,))


@dataclass(frozen=True, slots=True)
class Run:
    """Best time after each evaluation of one search, in ns (inf before the first success)."""

    best_ns: tuple[float, ...]
    cpu_s: float

    def reached(self, goal_ns: float) -> int | None:
        """Return the evaluation at which a time was met."""
        return next((n for n, best in enumerate(self.best_ns, 1) if best <= goal_ns), None)


def read(path: Path) -> Recording:
    """Read a cache file; a time that is text, or an error entry, is a failed configuration."""
    content = path.read_bytes()
    data = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    values = {name: tuple(data["tune_params"][name]) for name in data["tune_params_keys"]}
    times = {}
    for entry in data["cache"].values():
        failed = "__error__" in entry or not isinstance(entry["time"], int | float)
        times[tuple(entry[name] for name in values)] = None if failed else 1e6 * entry["time"]
    return Recording(path.name.split(".json")[0], tuple(Parameter(n, v) for n, v in values.items()), times)


def replay(recording: Recording, strategy: str, seed: int, *, full: bool) -> Run:
    """Search once, until nothing that is reported can change or (full) up to the cap; CPU time covers the strategy alone, construction of the space included."""
    names = [p.name for p in recording.parameters]
    began = time.process_time()
    search = named(strategy)(recording.space(), seed)
    best, trace, seen, goal_ns = inf, [], set(), (1 + MARGINS[0]) * recording.best_ns
    while (
        len(trace) < CAP
        and (full or len(trace) < CHECKPOINTS[-1] or best > goal_ns)
        and (config := search.ask()) is not None
    ):
        call_ns = recording.times_ns[tuple(config[n] for n in names)]
        search.tell(config, call_ns)
        if config not in seen:
            seen.add(config)
            best = min(best, call_ns or inf)
            trace.append(best)
    return Run(tuple(trace), time.process_time() - began)


def ert(runs: list[Run], goal_ns: float) -> float:
    """Return evaluations spent per success; inf without any success."""
    reached = [run.reached(goal_ns) for run in runs]
    spent = sum(n or len(run.best_ns) for n, run in zip(reached, runs, strict=True))
    successes = sum(n is not None for n in reached)
    return spent / successes if successes else inf


def fraction(runs: list[Run], best_ns: float, evaluations: int) -> float:
    """Return the median over runs of optimum / best after some evaluations (0 when none worked)."""
    return statistics.median(best_ns / run.best_ns[min(evaluations, len(run.best_ns)) - 1] for run in runs)


def main() -> None:
    """Print one row per space and strategy, then the geometric means over spaces."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--only", default="", help="replay only files whose name contains this")
    parser.add_argument(
        "--full", action="store_true", help="run each search up to the cap, to measure its CPU time there"
    )
    asked = parser.parse_args()
    recordings = [read(path) for path in sorted(asked.folder.glob("*.json*")) if asked.only in path.name]
    if not recordings:
        parser.error(f"no *.json or *.json.gz with {asked.only!r} in its name in {asked.folder}")
    strategies = asked.strategy or ["surrogate", "random"]
    print(
        f"{'space':42s} {'strategy':10s} {'ERT 5%':>7s} {'ERT 10%':>7s} "
        + " ".join(f"@{n:<4d}" for n in CHECKPOINTS)
        + " ms/eval"
    )
    results: dict[str, list[list[float]]] = {name: [] for name in strategies}
    for recording in recordings:
        for name in strategies:
            runs = [replay(recording, name, seed, full=asked.full) for seed in range(asked.runs)]
            erts = [ert(runs, recording.best_ns * (1 + margin)) for margin in MARGINS]
            medians = [fraction(runs, recording.best_ns, n) for n in CHECKPOINTS]
            ms = 1e3 * sum(run.cpu_s for run in runs) / sum(len(run.best_ns) for run in runs)
            results[name].append(erts)
            print(
                f"{recording.name:42s} {name:10s} {erts[0]:7.1f} {erts[1]:7.1f} "
                + " ".join(f"{m:.3f}" for m in medians)
                + f" {ms:7.2f}",
                flush=True,
            )
    for name, rows in results.items():
        means = [statistics.geometric_mean(row[i] for row in rows) for i in range(len(MARGINS))]
        print(f"{'geometric mean of ' + str(len(rows)):42s} {name:10s} {means[0]:7.1f} {means[1]:7.1f}")


if __name__ == "__main__":
    main()
