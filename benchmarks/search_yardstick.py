"""R(5 %): how many times fewer evaluations our search needs than Kernel Tuner's strategies, both run here on recorded spaces.

    python benchmarks/search_yardstick.py FOLDER [--runs 50] [--develop convolution] [--peers FOLDER] [--out FILE] [--ours FILE] [--jobs 2]

FOLDER holds recorded spaces as `search_replay.py` reads them. Kernel Tuner is no dependency of hotloop: `pip install --target DIR
kernel-tuner==1.5.0` and `--peers DIR`; without it there is nothing to compare with, and the script says so.

A run ends when it came within 5 % of the best recorded time, or after 400 evaluations; an evaluation is a configuration asked for
the first time, a failed one counts. ERT is all evaluations of a space's runs divided by the number of runs that came so near. R is
the geometric mean over spaces of Kernel Tuner's ERT by ours, each ratio clipped to [1/10, 10], against the strategy that is best over
the spaces in question, chosen in hindsight; the interval (95 %) resamples spaces and runs, and chooses anew in each sample. Every
run of either side starts from fresh objects, and the sides take turns. Where random draws come within 5 % in fewer than 15
evaluations, nothing is measured: such spaces are run but not counted. *Warm*: our search knows the recordings of the same kernel with
the same parameters on other devices; the plain rival orders configurations by their mean slowdown there. A family is a kernel's
name without case; those named by `--develop` are for changing the search, the others for judging it. With `--ours` the rival's
runs are taken from an earlier FILE and only our own are made anew. Spaces that FILE of `--out` has already are not run again. `--jobs`
processes, of one thread each, share the runs: evaluations are counted, so all that changes is the column of CPU time.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from importlib import metadata
from importlib.util import find_spec
from math import inf, log
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import search_replay
import stand

from hotloop.model.space import Config
from hotloop.search.strategy import named
from hotloop.search.threads import single_threaded

CAP, AT_LEAST = search_replay.CAP, 50
NEAR, NEARER = 1.10, 1.05
CLIP = 10.0
LEAST_RANDOM = 15.0
"""Evaluations that random draws must need on a space for it to count."""
SAMPLES = 2000
PEERS: dict[str, dict[str, object]] = {
    "adaptive_tabu_greywolf": {},
    "hybrid_vndx": {},
    "pso": {},
    "genetic_algorithm": {},
    "genetic_algorithm_tuned": {"popsize": 26, "maxiter": 150, "method": "single_point", "mutation_chance": 5},
    "diff_evo": {},
    "simulated_annealing": {},
    "dual_annealing": {},
    "basinhopping": {},
    "firefly_algorithm": {},
    "mls": {},
    "greedy_ils": {},
    "random_sample": {},
}
"""Kernel Tuner's strategies with the options that differ from its defaults. bayes_opt takes 3-13 ms an evaluation and was never near the best."""
OURS, RANKED = ("cold", "warm"), "mean slowdown elsewhere"


@dataclass(frozen=True, slots=True)
class Space:
    """One recording with what its family is called, and its times elsewhere."""

    recording: search_replay.Recording
    family: str
    elsewhere: tuple[search_replay.Recording, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """What is kept of one search."""

    within_5: int | None
    """The evaluation that came within 5 % of the best; None: none before the end."""
    within_10: int | None
    spent: int
    at_20: float
    """Optimum / best after 20 evaluations (0: nothing had worked)."""
    at_50: float
    cpu_ms: float


class Enough(BaseException):
    """Ends a strategy from within; no `except Exception` of its own stops it."""


class Meter:
    """Counts the evaluations of one search and looks up their times."""

    def __init__(self, recording: search_replay.Recording) -> None:
        self._times, self._best_ns = recording.times_ns, recording.best_ns
        self._seen: set[tuple] = set()
        self._asked = 0
        self.trace: list[float] = []
        """Best time after each evaluation."""

    def time_ns(self, values: tuple) -> float | None:
        """Return a configuration's time; raise Enough when the search has come near enough or spent everything."""
        if self.done:
            raise Enough
        self._asked += 1
        found = self._times[values]
        if values not in self._seen:
            self._seen.add(values)
            self.trace.append(min(self.trace[-1] if self.trace else inf, found or inf))
        return found

    @property
    def done(self) -> bool:
        """Whether nothing that is reported can change any more, or the search asks for the same again and again."""
        near = len(self.trace) >= AT_LEAST and self.trace[-1] <= NEARER * self._best_ns
        return near or len(self.trace) >= min(CAP, len(self._times)) or self._asked >= 50 * CAP

    def run(self, cpu_s: float) -> Run:
        """Return what is kept."""
        reached = [
            next((n for n, b in enumerate(self.trace, 1) if b <= x * self._best_ns), None) for x in (NEARER, NEAR)
        ]
        at = [self._best_ns / self.trace[min(n, len(self.trace)) - 1] for n in (20, 50)]
        spent = reached[0] or len(self.trace)
        return Run(*reached, spent, round(at[0], 4), round(at[1], 4), round(1e3 * cpu_s / len(self.trace), 3))


def ours(space: Space, seed: int, *, warm: bool) -> Run:
    """Search with the strategy that hotloop uses where none is asked for, the construction of the space included."""
    names = [p.name for p in space.recording.parameters]
    meter, began = Meter(space.recording), time.process_time()
    elsewhere = [_table(other) for other in space.elsewhere] if warm else []
    strategy = named("surrogate")
    search = strategy(space.recording.space(), seed, (), elsewhere)
    while not meter.done and (config := search.ask()) is not None:
        search.tell(config, meter.time_ns(tuple(config[n] for n in names)))
    return meter.run(time.process_time() - began)


def _table(other: search_replay.Recording) -> Mapping[Config, float | None]:
    names = [p.name for p in other.parameters]
    return {Config(**dict(zip(names, values, strict=True))): ns for values, ns in other.times_ns.items()}


def ranked(space: Space) -> Run:
    """Go through configurations by the mean of log (time / best) on the other devices; what failed anywhere comes last."""
    meter = Meter(space.recording)

    def slowdown(values: tuple) -> float:
        times = [other.times_ns.get(values) for other in space.elsewhere]
        logs = [log(ns / other.best_ns) for ns, other in zip(times, space.elsewhere, strict=True) if ns is not None]
        return sum(logs) / len(logs) if len(logs) == len(times) else inf

    for values in sorted(space.recording.times_ns, key=slowdown):
        if meter.done:
            break
        meter.time_ns(values)
    return meter.run(0.0)


def peer(space: Space, name: str, seed: int) -> Run:
    """Search with a strategy of Kernel Tuner: a fresh space, its own driver of strategies, recorded times."""
    from kernel_tuner import util
    from kernel_tuner.interface import Options, strategy_map
    from kernel_tuner.runners.runner import Runner
    from kernel_tuner.searchspace import Searchspace

    meter, began = Meter(space.recording), time.process_time()
    values = {p.name: list(p.values) for p in space.recording.parameters}

    class Replay(Runner):
        """Answers with recorded times in ms."""

        def get_device_info(self) -> None: ...

        def get_environment(self, tuning_options) -> None: ...

        def run(self, parameter_space, tuning_options) -> list[dict]:  # noqa: ARG002 - its name is the protocol's
            return [self._result(tuple(element)) for element in parameter_space]

        def _result(self, element: tuple) -> dict:
            ns = meter.time_ns(element)
            tuning.budget.num_fevals = len(meter.trace)
            failed = {"__error__": util.RuntimeFailedConfig()} if ns is None else {"time": ns / 1e6}
            return dict(zip(values, element, strict=True)) | failed

    limit = min(CAP, len(space.recording.times_ns))
    tuning = Options(
        strategy_options=Options(PEERS[name], max_fevals=limit), max_fevals=limit, verbose=False, tune_params=values,
        objective=["time"], objective_higher_is_better=[False], budget=util.TuningBudget(None, limit), cache={}, seed=seed,
    )  # fmt: skip
    cache = [dict(zip(values, key, strict=True)) for key in space.recording.times_ns]
    searched = Searchspace(None, None, None, from_cache={"tune_params": values, "cache": dict(enumerate(cache))})
    random.seed(seed)
    np.random.seed(seed)
    with suppress(Enough, util.StopCriterionReached):
        strategy_map[name.removesuffix("_tuned")].tune(searched, Replay(), tuning)
    return meter.run(time.process_time() - began)


def spaces(folder: Path) -> list[Space]:
    """Read all recordings; those of one kernel with the same parameters know each other."""
    files = sorted(folder.glob("*.json*"))
    read = [(search_replay.read(path), _kernel(path)) for path in files]
    return [
        Space(one, family, tuple(o for o, f in read if o is not one and f == family and _alike(one, o)))
        for one, family in read
    ]


def _kernel(path: Path) -> str:
    content = path.read_bytes()
    named: str = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)["kernel_name"]
    return named.lower().removesuffix("_kernel")


def _alike(one: search_replay.Recording, other: search_replay.Recording) -> bool:
    return {p.name for p in one.parameters} == {p.name for p in other.parameters}


Results = dict[str, dict[str, list[Run]]]
"""Runs by space and side."""


def erts(runs: Sequence[Run], draws: np.ndarray) -> np.ndarray:
    """Return evaluations per success for each row of run numbers, shape (rows,); inf without a success."""
    spent = np.array([run.spent for run in runs], float)[draws % len(runs)].sum(1)
    successes = np.array([run.within_5 is not None for run in runs])[draws % len(runs)].sum(1)
    return np.divide(spent, successes, out=np.full(len(draws), inf), where=successes > 0)


def needed(runs: Sequence[Run]) -> float:
    """Return evaluations per success of all runs."""
    return float(erts(runs, np.arange(len(runs))[None])[0])


def advantages(found: Results, names: Sequence[str], rivals: Sequence[str], side: str) -> np.ndarray:
    """Return clipped log ratios of rivals' ERT to ours, shape (rivals, spaces, 1 + SAMPLES): all runs, then resampled ones."""
    rng = np.random.default_rng(0)
    made = []
    for name in names:
        sides = [found[name][rival] for rival in (*rivals, side)]
        count = max(map(len, sides))
        draws = np.vstack([np.arange(count), rng.integers(count, size=(SAMPLES, count))])
        logs = np.log(np.array([erts(runs, draws) for runs in sides]))
        with np.errstate(invalid="ignore"):  # neither side ever came so near
            made.append(np.clip(np.nan_to_num(logs[:-1] - logs[-1], nan=0.0), -log(CLIP), log(CLIP)))
    return np.stack(made, axis=1)


def told(found: Results, names: Sequence[str], side: str, rivals: Sequence[str] = tuple(PEERS)) -> str:
    """Return R against the best single rival with its interval, and against the best of each space."""
    ahead = advantages(found, names, rivals, side)
    means = ahead[:, :, 0].mean(1)
    picks = np.random.default_rng(1).integers(len(names), size=(SAMPLES, len(names)))
    drawn = np.stack([ahead[:, pick, n].mean(1) for n, pick in enumerate(picks, 1)])
    low, high = np.exp(np.quantile(drawn.min(1), [0.025, 0.975]))
    each = np.exp(ahead[:, :, 0].min(0).mean())
    return f"R {np.exp(means.min()):5.2f} ({low:.2f}-{high:.2f}) against {rivals[int(means.argmin())]}; {each:.2f} against the best of each space"


def run_all(asked, every: Sequence[Space], before: Results) -> Iterator[tuple[str, dict[str, list[Run]]]]:
    """Yield each space's runs; sides take turns."""
    rivals = () if asked.ours else tuple(PEERS)
    _SPACES[:] = every  # processes begin as copies of this one
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("fork")) as pool:
        begun = {
            number: [
                (side, pool.submit(_one, number, side, seed))
                for seed in range(asked.runs)
                for side in (*_own(space), *rivals)
            ]
            for number, space in enumerate(every)
        }
        for number, space in enumerate(every):
            made: dict[str, list[Run]] = {side: [] for side in (*_own(space), *rivals)}
            for side, run in begun[number]:
                made[side].append(run.result())
            yield space.recording.name, before.get(space.recording.name, {}) | made


_SPACES: list[Space] = []
"""What the processes that search share."""


def _own(space: Space) -> tuple[str, ...]:
    return (*OURS, RANKED) if space.elsewhere else OURS[:1]


def _one(number: int, side: str, seed: int) -> Run:
    """Make one run, in a process of the pool."""
    space = _SPACES[number]
    with single_threaded():
        if side == RANKED:
            return ranked(space)
        return ours(space, seed, warm=side == "warm") if side in OURS else peer(space, side, seed)


def row(space: str, side: str, runs: Sequence[Run]) -> str:
    """Return one line of the table."""
    near = [run.within_10 or run.spent for run in runs]
    ten = sum(near) / max(1, sum(run.within_10 is not None for run in runs))
    at = [float(np.median([getattr(run, name) for run in runs])) for name in ("at_20", "at_50")]
    ms = np.mean([run.cpu_ms for run in runs])
    return f"{space:36s} {side:24s} {needed(runs):8.1f} {ten:8.1f} {at[0]:.3f} {at[1]:.3f} {ms:7.2f}"


def summary(found: Results, every: Sequence[Space], develop: Sequence[str]) -> None:
    """Print R of both sides by half and by family, over the spaces that count."""
    counted = [s for s in every if needed(found[s.recording.name]["random_sample"]) >= LEAST_RANDOM]
    groups = {
        "families for development": [s for s in counted if s.family in develop],
        "other families": [s for s in counted if s.family not in develop],
        "all": counted,
    } | {f: [s for s in counted if s.family == f] for f in sorted({s.family for s in counted})}
    for group, members in groups.items():
        for side in OURS:
            names = [s.recording.name for s in members if side == "cold" or s.elsewhere]
            if names:
                print(f"{group:26s} {side} {len(names)} spaces: {told(found, names, side)}")
                if side == "warm":
                    print(f"{'':26s} warm: {told(found, names, side, (RANKED,))}")


def load(path: Path | None) -> Results:
    """Return the runs of an earlier file; none without one."""
    kept = json.loads(gzip.decompress(path.read_bytes()))["runs"] if path else {}
    return {space: {side: [Run(*run) for run in runs] for side, runs in sides.items()} for space, sides in kept.items()}


def main() -> None:
    """Run both sides on all spaces, print each, then R."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--develop", action="append", default=[], help="a family for development")
    parser.add_argument("--peers", type=Path, help="where Kernel Tuner is installed")
    parser.add_argument("--ours", type=Path, help="an earlier FILE.json.gz from which the rival's runs are taken")
    parser.add_argument("--out", type=Path, help="FILE.json.gz for every run")
    parser.add_argument("--jobs", type=int, default=1, help="processes that search")
    asked = parser.parse_args()
    sys.path += [str(asked.peers)] if asked.peers else []
    if asked.ours is None and find_spec("kernel_tuner") is None:
        print(
            "kernel_tuner is not installed, so there is nothing to compare with: pip install --target DIR kernel-tuner==1.5.0, then --peers DIR"
        )
        return
    every = [space for space in spaces(asked.folder) if asked.only in space.recording.name]
    found: Results = load(asked.out if asked.out and asked.out.exists() else None)
    print(f"{'space':36s} {'side':24s} {'ERT 5%':>8s} {'ERT 10%':>8s} @20   @50   ms/eval")
    todo = [space for space in every if space.recording.name not in found]
    for name, sides in run_all(asked, todo, load(asked.ours)):
        found[name] = sides
        keep(asked.out, found)
    for name, sides in found.items():
        print("\n".join(row(name, side, runs) for side, runs in sides.items()), flush=True)
    summary(found, every, asked.develop)


def keep(path: Path | None, found: Results) -> None:
    """Write all runs so far, with the conditions."""
    if path:
        version = metadata.version("kernel-tuner") if find_spec("kernel_tuner") else None
        runs = {space: {side: [astuple(run) for run in runs] for side, runs in s.items()} for space, s in found.items()}
        data = stand.conditions(kernel_tuner=version, fields=[f.name for f in fields(Run)], runs=runs)
        path.write_bytes(gzip.compress(json.dumps(data).encode(), mtime=0))


if __name__ == "__main__":
    main()
