"""The winner's curse: what the best of a search promises, what its duel finds, and what is true.

    python benchmarks/selection_bias.py               # the tables of results/statistics-2026-11 and docs/how-we-measure.md, a few minutes
    python benchmarks/selection_bias.py --searches 40 # faster, coarser

A search is simulated as `hotloop.app.run.polish` does it: every candidate gets one quick look (three rounds beside the
incumbent after a warm-up round, the fastest sample of each counts), the three that look fastest fight a duel with the
incumbent, and what wins is kept and is the next one's opponent. True speeds are known. Noise comes from the models of
`tests/common/noise.py` and from what machines recorded. Exits with 1 when kept gains are overstated by more than 2 % (quiet)
or 5 % (loaded) on average, or a gain that is not there is kept in more than 3 % or 5 % of the searches.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np
import stand
from paired_power import (
    BUSY,
    FALSE_LOADED,
    FALSE_QUIET,
    QUIET,
    QUIET_ONES,
    STEPPING,
    Noise,
    Recorded,
    decide,
    recordings,
)

from hotloop.app.run.attempt import QUICK_ROUNDS
from hotloop.app.run.polish import MOST_FINALISTS
from hotloop.app.run.timing import HOPELESS, HOPELESS_HERE
from hotloop.model.outcome import Sample
from hotloop.model.verdict import Verdict
from hotloop.ports import Round
from hotloop.stats.paired import PairedTest
from hotloop.stats.rounds import log_time, outrun

WARM = 1
CANDIDATES = (10, 100, 400)
RULES = (
    "look",
    "running",
)  # the first was used until November 2026 and is here for comparison; the goals are the last one's
"""What a quick look is compared with, see `looked`."""
RECENT = 15
"""Looks of the incumbent that are remembered."""
LEAST_KEPT, MOST_TIMES = 30, 20
"""Kept gains from which an average is told: a row with fewer is searched on, up to so many times as long. One of four gains that is 20 %
too large is an average of 5 %; of 112 it is 0.2 %."""
OVER_QUIET, OVER_LOADED = 0.02, 0.05
"""Goals: how much a kept gain may be overstated on average."""


@dataclass(frozen=True)
class Worth:
    """How true times of candidates are spread, relative to the incumbent's."""

    name: str
    spread: float
    """Standard deviation of the log."""
    shift: float
    """Mean of the log: positive where candidates are slower."""

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        return np.exp(rng.normal(self.shift, self.spread, count))


WORTHS = (
    Worth("all as fast as the incumbent", 0.0, 0.0),
    Worth("all 1 % slower", 0.0, 0.01),
    Worth("spread 3 %, 3 % slower on average", 0.03, 0.03),
)


@dataclass(frozen=True)
class Search:
    """One simulated search."""

    claimed: float
    """Speedup of the best quick look."""
    true_of_claimed: float
    duelled: float
    """Speedup that the duel of that candidate found, whatever the verdict."""
    kept: float | None
    """Product of the speedups of what was kept, as its duels found them; None: nothing was."""
    true_of_kept: float
    possible: float
    """Speedup of the candidate that really is the fastest; 1 where none is faster."""


def quick_look(noise: Noise | Recorded, rng: np.random.Generator, ratio: float) -> tuple[float, float]:
    """Return the fastest samples of incumbent and candidate in one quick look."""
    table = noise.times(rng, WARM + QUICK_ROUNDS, ratio, alternate=True)[WARM:]
    return float(table[:, [0, 3]].min()), float(table[:, 1:3].min())


def looked(noise: Noise | Recorded, rng: np.random.Generator, times: np.ndarray, rule: str) -> np.ndarray:
    """Return the speedup that each candidate's quick look promises.

    By the rule ``look`` the incumbent's time is the one of the same look. By ``running`` it counts as no slower than the
    median of its last looks: a burst that hit the incumbent would otherwise flatter whoever stood beside it.
    """
    recent, looks = deque([pace(noise, rng)], maxlen=RECENT), []
    for ratio in times:
        old, new = quick_look(noise, rng, ratio)
        recent.append(old)
        looks.append((old if rule == "look" else min(old, median(recent))) / new)
    return np.array(looks)


def pace(noise: Noise | Recorded, rng: np.random.Generator) -> float:
    """Return what a duel tells of the incumbent's time: the median of its undisturbed rounds."""
    table = noise.times(rng, WARM + PairedTest().looks[0], 1.0, alternate=True)[WARM:]
    return float(np.exp(np.median([log_time(row[[0, 3]]) for row in table])))


def duel(noise: Noise | Recorded, rng: np.random.Generator, ratio: float) -> tuple[float, bool]:
    """Return the speedup that a duel finds, and whether its verdict is FASTER."""
    test = PairedTest()
    table = noise.times(rng, WARM + test.looks[-1], ratio, alternate=True)[WARM:]
    verdict = decide(test, [log_time(row[[0, 3]]) - log_time(row[[1, 2]]) for row in table])
    return verdict.speedup, verdict.verdict is Verdict.FASTER


def search(noise: Noise | Recorded, rng: np.random.Generator, worth: Worth, count: int, rule: str) -> Search:
    times = worth.draw(rng, count)
    looks = looked(noise, rng, times, rule)
    finalists = np.argsort(-looks)[:MOST_FINALISTS]
    incumbent, product, first = 1.0, 1.0, None
    for index in finalists:
        if looks[index] <= 1.0:
            continue
        speedup, faster = duel(noise, rng, times[index] / incumbent)
        first = speedup if first is None else first
        if faster:
            product *= speedup
            incumbent = times[index]
    best = finalists[0]
    kept = product if incumbent != 1.0 or product != 1.0 else None
    possible = max(1.0, float(1 / times.min()))
    return Search(float(looks[best]), float(1 / times[best]), first or 1.0, kept, float(1 / incumbent), possible)


def report(name: str, rule: str, worth: Worth, found: Sequence[Search], count: int) -> list[str]:
    """Print one row and return which goals it misses."""
    kept = [search for search in found if search.kept is not None]
    false = sum(search.true_of_kept <= 1.0 for search in kept) / len(found)
    over = 100 * fmean(search.kept / search.true_of_kept - 1 for search in kept) if kept else 0.0
    means = ("claimed", "duelled", "true_of_claimed", "true_of_kept", "possible")
    columns = " ".join(f"{100 * (fmean(getattr(search, key) for search in found) - 1):+8.1f}" for key in means)
    print(
        f"{name:24} {rule:8} {worth.name:33} {count:4} {columns} {100 * len(kept) / len(found):6.0f} {over:+8.2f} "
        f"{100 * false:6.1f}",
        flush=True,
    )
    quiet = name.startswith(QUIET_ONES)
    most_false, most_over = (FALSE_QUIET, OVER_QUIET) if quiet else (FALSE_LOADED, OVER_LOADED)
    row = f"{name}, {rule}, {worth.name}, {count}"
    missed = [f"{row}: {false:.1%} false gains kept"] if false > most_false else []
    return missed + ([f"{row}: overstated by {over:.1f} %"] if over > 100 * most_over else [])


def _few(found: Sequence[Search]) -> bool:
    """Tell whether gains were kept, but too few for their average to say anything."""
    return 0 < sum(search.kept is not None for search in found) < LEAST_KEPT


def ends(rng: np.random.Generator, looks: int) -> None:
    """Print which share of quick looks ends early, by the candidate's time over the incumbent's, under every recorded noise."""
    for name, noise in recordings().items():
        limits = HOPELESS if name.startswith("gpu") else HOPELESS_HERE
        told = []
        for ratio in (0.8, 0.95, 1.0, 1.05, 1.2, 1.5, 2.0, 3.0):
            taken = [_taken(noise.times(rng, WARM + QUICK_ROUNDS, ratio, alternate=True), limits) for _ in range(looks)]
            early = [rounds for rounds in taken if rounds < WARM + QUICK_ROUNDS]
            told.append(f"{ratio:g}: {len(early) / looks:.4f}, {fmean(taken):.2f} rounds")
        print(f"{name}, limits {limits}: {'; '.join(told)}", flush=True)


def _taken(table: np.ndarray, limits: Sequence[float]) -> int:
    """Return how many rounds a look takes."""
    rounds = [Round(tuple((at in (1, 2), Sample(wall_ns=float(row[at]), calls=1)) for at in range(4))) for row in table]
    return next((n for n in range(1, len(rounds)) if outrun(rounds[:n], limits)), len(rounds))


def main() -> None:
    if "--ends" in sys.argv:
        ends(np.random.default_rng(77), 4000)
        return
    """Print the tables."""
    parser = stand.parser(__doc__)
    parser.add_argument("--searches", type=int, default=60)
    given = parser.parse_args()
    machines: dict[str, Noise | Recorded] = {"quiet 1.5 %": QUIET, "busy": BUSY, "frequency": STEPPING, **recordings()}
    print(
        f"{given.searches} searches a row, more where few gains are kept; per cent; speedups less 1, averages over all searches"
    )
    heads = " ".join(f"{head:>8}" for head in ("claimed", "its duel", "its true", "gained", "possible"))
    print(f"{'noise':24} {'rule':8} {'candidates':33} {'N':>4} {heads} {'kept':>6} {'overst.':>8} {'false':>6}")
    missed = []
    for name, noise in machines.items():
        for worth in WORTHS:
            for count in CANDIDATES:
                for rule in RULES:
                    rng = np.random.default_rng(5)
                    searches = [search(noise, rng, worth, count, rule) for _ in range(given.searches)]
                    while rule == RULES[-1] and _few(searches) and len(searches) < MOST_TIMES * given.searches:
                        searches.append(search(noise, rng, worth, count, rule))
                    wrong = report(name, rule, worth, searches, count)
                    missed += wrong if rule == RULES[-1] else []
    print("\n".join(f"goal missed: {row}" for row in missed) or "all goals hold")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
