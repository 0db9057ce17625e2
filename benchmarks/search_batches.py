"""What a search loses when it learns late: recorded spaces replayed with several configurations out at a time.

    python benchmarks/search_batches.py FOLDER [--window 1 --window 8] [--when order|workers|rounds] [--runs 20] [--only TEXT] [--jobs 2]
    python benchmarks/search_batches.py FOLDER --compile 3 [--window 8] [--ranked]

FOLDER holds recorded spaces as `search_replay.py` reads them. With a window of 8 the search asks for 8 configurations before it is
told of the first, and for one more with each that it is told, in the order in which it asked: what 8 devices do that measure one
each. With `--when workers` a look takes a time of its own (lognormal, deviation 0.4 of the logarithm), and whichever ends first is told
first; with `--when rounds` nothing is asked for until all 8 are told. Regret after n evaluations is 1 - optimum / best so far, mean over
runs, in points (hundredths); what a window loses has an interval of 95 % by resamplings of the seeds, spaces fixed. It holds what nobody
can avoid who knows 7 results less: the last line of a window says how much the first one loses by that alone.

With --compile, windows above 1 are those of one device, as a GPU has them: it measures one configuration after the other, which takes 1 (lognormal, deviation 0.4
of the logarithm), while the others compile, which takes that many times as long (deviation 0.7). It takes those that are compiled in the order in which they
were asked for; with --ranked that which the search finds most promising by then, as a run does.
"""

from __future__ import annotations

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

CHECKPOINTS = (16, 25, 32, 50, 75, 100, 150, 200)
_RESAMPLINGS = 1000


@dataclass(frozen=True, slots=True)
class Device:
    """What takes configurations from those that are out: at once, or as a GPU beside compilers."""

    when: str = "order"
    """Which is told first, and when is asked: see above."""
    compile_looks: float | None = None
    ranked: bool = False

    def wanted(self, out: deque, window: int) -> int:
        """Return how many configurations are asked for now."""
        return 0 if self.when == "rounds" and out else window - len(out)

    def next(self, search: object, out: deque, clock: Clock) -> object:
        """Remove and return the configuration that is told next."""
        if self.compile_looks is not None:
            return self._compiled(search, out, clock)
        if self.when != "workers":
            return out.popleft()
        for config in out:
            if config not in clock.ready:
                clock.ready[config] = clock.now + clock.lognormal(0.4)
        first = min(out, key=clock.ready.__getitem__)
        out.remove(first)
        clock.now = clock.ready[first]
        return first

    def _compiled(self, search: object, out: deque, clock: Clock) -> object:
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
    """Time in looks, and when each configuration is compiled, or measured by a worker of its own."""

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
        for _ in range(device.wanted(out, window)):
            if (config := search.ask()) is not None:
                out.append(config)
        if not out:
            break
        config = device.next(search, out, clock)
        call_ns = recording.times_ns[tuple(config[n] for n in names)]
        search.tell(config, call_ns)
        best = min(best, call_ns or inf)
        trace.append(best)
    return trace


def regrets(traces: list[list[float]], best_ns: float, later: int = 0) -> np.ndarray:
    """Return regret in points, shape (runs, checkpoints), so many evaluations before each checkpoint."""
    return np.array(
        [[100 * (1 - best_ns / trace[min(n - later, len(trace)) - 1]) for n in CHECKPOINTS] for trace in traces]
    )


def interval(differences: list[np.ndarray]) -> np.ndarray:
    """Return the interval of 95 % of the mean over spaces, shape (2, checkpoints); of each space an array (runs, checkpoints) is given.

    A seed is drawn for all spaces together: those of one kernel on several devices hold the same configurations, so a seed begins with
    the same ones on each of them, which lie well or badly for all.
    """
    by_seed = np.mean(differences, 0)
    drawn = np.random.default_rng(0).integers(len(by_seed), size=(_RESAMPLINGS, len(by_seed)))
    return np.percentile(by_seed[drawn].mean(1), [2.5, 97.5], axis=0)


def report(rows: dict[int, list[np.ndarray]], late: dict[int, list[np.ndarray]]) -> None:
    """Print each window's mean over spaces, what it loses against the first, and what the first loses by knowing as much less."""
    first = next(iter(rows.values()))
    for window, spaces in rows.items():
        print(f"{f'mean of {len(spaces)}':42s} {window:6d} " + _numbers(np.mean([runs.mean(0) for runs in spaces], 0)))
        if spaces is first:
            continue
        lost = [here - there for here, there in zip(spaces, first, strict=True)]
        low, high = interval(lost)
        between = ", ".join(f"{a:.1f} to {b:.1f}" for a, b in zip(low, high, strict=True))
        print(f"{'  lost':49s} " + _numbers(np.mean([runs.mean(0) for runs in lost], 0)) + f"   95 %: {between}")
        delayed = [here - there for here, there in zip(late[window], first, strict=True)]
        print(f"{'  by the delay alone':49s} " + _numbers(np.mean([runs.mean(0) for runs in delayed], 0)))


def _numbers(points: np.ndarray) -> str:
    return " ".join(f"{value:6.2f}" for value in points)


def main() -> None:
    """Print a row per space and window, then the means over spaces and what each window loses against the first."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", default="surrogate")
    parser.add_argument("--window", type=int, action="append")
    parser.add_argument("--when", choices=("order", "workers", "rounds"), default="order")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    parser.add_argument("--only", default="", help="replay only files whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="processes that search")
    parser.add_argument("--compile", type=float, help="one device; how many looks' time a configuration compiles for")
    parser.add_argument("--ranked", action="store_true", help="with --compile: the most promising is measured first")
    asked = parser.parse_args()
    device = Device(asked.when, asked.compile, asked.ranked)
    windows = asked.window or [1, 8]
    recordings = [search_replay.read(path) for path in sorted(asked.folder.glob("*.json*")) if asked.only in path.name]
    if not recordings:
        parser.error(f"no *.json or *.json.gz with {asked.only!r} in its name in {asked.folder}")
    print(f"{'space':42s} window " + " ".join(f"{f'@{n}':>6s}" for n in CHECKPOINTS))
    rows: dict[int, list[np.ndarray]] = {window: [] for window in windows}
    late: dict[int, list[np.ndarray]] = {window: [] for window in windows}
    in_turn: list[list[float]] = []
    seeds = range(asked.seed, asked.seed + asked.runs)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for recording in recordings:
            for window in windows:
                traces = list(pool.map(partial(replay, recording, asked.strategy, window, device), seeds))
                in_turn = traces if window == windows[0] else in_turn
                rows[window].append(regrets(traces, recording.best_ns))
                late[window].append(regrets(in_turn, recording.best_ns, window - windows[0]))
                print(f"{recording.name:42s} {window:6d} " + _numbers(rows[window][-1].mean(0)), flush=True)
    report(rows, late)


if __name__ == "__main__":
    main()
