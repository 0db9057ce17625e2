"""What a search loses when it learns late: recorded spaces replayed with several configurations out at a time.

    python benchmarks/search_batches.py FOLDER [--window 1 --window 8] [--runs 20] [--only TEXT] [--jobs 2]
    python benchmarks/search_batches.py FOLDER --compile 3 [--window 8] [--ranked]

FOLDER holds recorded spaces as `search_replay.py` reads them. With a window of 8 the search asks for 8 configurations before it is
told of the first, and for one more with each that it is told, in the order in which it asked: what 8 devices do that measure one
each. Regret after n evaluations is 1 - optimum / best so far, mean over runs, in points (hundredths). What a window loses holds what
nobody can avoid who knows 7 results less: the last column says how much the first window loses by that alone.

With --compile, windows above 1 are those of one device, as a GPU has them: it measures one configuration after the other, which takes 1 (lognormal, deviation 0.4
of the logarithm), while the others compile, which takes that many times as long (deviation 0.7). It takes those that are compiled in the order in which they
were asked for; with --ranked that which the search finds most promising by then, as a run does.
"""

from __future__ import annotations

import statistics
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path

import numpy as np
import search_replay
import stand

from hotloop.search.strategy import Ranking, named
from hotloop.search.threads import single_threaded

CHECKPOINTS = (25, 50, 100, 200)


@dataclass(frozen=True, slots=True)
class Device:
    """What takes configurations from those that are out: at once and in order, or as a GPU beside compilers."""

    compile_looks: float | None
    ranked: bool

    def next(self, search: object, out: deque, clock: Clock) -> object:
        """Remove and return the configuration that is measured next."""
        if self.compile_looks is None:
            return out.popleft()
        for config in out:
            clock.ready.setdefault(config, clock.now + self.compile_looks * clock.lognormal(0.7))
        clock.now = max(clock.now, min(clock.ready[config] for config in out))
        compiled = [config for config in out if clock.ready[config] <= clock.now]
        if self.ranked and isinstance(search, Ranking):
            compiled = search.ranked(compiled)
        out.remove(compiled[0])
        clock.now += clock.lognormal(0.4)
        return compiled[0]


class Clock:
    """Time in looks, and when each configuration is compiled."""

    def __init__(self, seed: int) -> None:
        self.now, self.ready = 0.0, {}
        self._rng = np.random.default_rng([seed, 77])

    def lognormal(self, deviation: float) -> float:
        return float(np.exp(deviation * self._rng.standard_normal()))


def replay(recording: search_replay.Recording, strategy: str, window: int, device: Device, seed: int) -> list[float]:
    """Return the best time in ns after each evaluation of one search."""
    with single_threaded():
        return _replayed(recording, strategy, window, device, seed)


def _replayed(recording: search_replay.Recording, strategy: str, window: int, device: Device, seed: int) -> list[float]:
    names = [p.name for p in recording.parameters]
    search, clock = named(strategy)(recording.space(), seed), Clock(seed)
    out: deque = deque()
    best, trace = inf, []
    while len(trace) < CHECKPOINTS[-1]:
        while len(out) < window and (config := search.ask()) is not None:
            out.append(config)
        if not out:
            break
        config = device.next(search, out, clock)
        call_ns = recording.times_ns[tuple(config[n] for n in names)]
        search.tell(config, call_ns)
        best = min(best, call_ns or inf)
        trace.append(best)
    return trace


def regret(traces: list[list[float]], best_ns: float, evaluations: int) -> float:
    """Return the mean regret in points."""
    return statistics.fmean(100 * (1 - best_ns / trace[min(evaluations, len(trace)) - 1]) for trace in traces)


def main() -> None:
    """Print a row per space and window, then the means over spaces and what each window loses against the first."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", default="surrogate")
    parser.add_argument("--window", type=int, action="append")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--only", default="", help="replay only files whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="processes that search")
    parser.add_argument("--compile", type=float, help="one device; how many looks' time a configuration compiles for")
    parser.add_argument("--ranked", action="store_true", help="with --compile: the most promising is measured first")
    asked = parser.parse_args()
    device = Device(asked.compile, asked.ranked)
    windows = asked.window or [1, 8]
    recordings = [search_replay.read(path) for path in sorted(asked.folder.glob("*.json*")) if asked.only in path.name]
    if not recordings:
        parser.error(f"no *.json or *.json.gz with {asked.only!r} in its name in {asked.folder}")
    print(f"{'space':42s} window " + " ".join(f"{f'@{n}':>6s}" for n in CHECKPOINTS))
    rows: dict[int, list[list[float]]] = {window: [] for window in windows}
    late: dict[int, list[list[float]]] = {window: [] for window in windows}
    in_turn: list[list[float]] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for recording in recordings:
            for window in windows:
                traces = list(pool.map(partial(replay, recording, asked.strategy, window, device), range(asked.runs)))
                rows[window].append([regret(traces, recording.best_ns, n) for n in CHECKPOINTS])
                in_turn = traces if window == windows[0] else in_turn
                late[window].append([regret(in_turn, recording.best_ns, n - window + windows[0]) for n in CHECKPOINTS])
                print(
                    f"{recording.name:42s} {window:6d} " + " ".join(f"{r:6.2f}" for r in rows[window][-1]), flush=True
                )
    first = [statistics.fmean(column) for column in zip(*rows[windows[0]], strict=True)]
    for window in windows:
        means = [statistics.fmean(column) for column in zip(*rows[window], strict=True)]
        lost = ", ".join(f"{mean - base:+.2f}" for mean, base in zip(means, first, strict=True))
        delays = [statistics.fmean(column) for column in zip(*late[window], strict=True)]
        delay = ", ".join(f"{mean - base:+.2f}" for mean, base in zip(delays, first, strict=True))
        print(
            f"{f'mean of {len(recordings)}':42s} {window:6d} "
            + " ".join(f"{m:6.2f}" for m in means)
            + f"   lost {lost}; by the delay alone {delay}"
        )


if __name__ == "__main__":
    main()
