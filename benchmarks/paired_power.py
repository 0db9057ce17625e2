"""How often the paired comparison is right, by simulation, and how it fares on this machine with a live A/A.

python benchmarks/paired_power.py                 # simulated machines: verdicts per 100 comparisons
python benchmarks/paired_power.py --recorded      # the same on noise that real machines made (tests/golden/noise)
python benchmarks/paired_power.py --brief         # how near noise comes to what decides in three rounds, both kinds
python benchmarks/paired_power.py --estimators    # why times are aggregated and located the way they are
python benchmarks/paired_power.py --live 40       # 40 live A/A comparisons through the engine, then 5 % slower
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np
import stand

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "common"))

from noise import BURSTY, BUSY, CORRELATED, CROWDED, QUIET, STEPPING, WARMING, Noise, Recorded

from hotloop.model.verdict import Comparison
from hotloop.stats.outliers import agreeing
from hotloop.stats.paired import OVERWHELMING, OVERWHELMING_ROUNDS, PairedTest
from hotloop.stats.rounds import log_time
from hotloop.stats.signedrank import interval

MACHINES = {
    "quiet 1 %": Noise(jitter=0.01, drift=0.02),
    "quiet 1.5 %": QUIET,
    "quiet 2 %": Noise(jitter=0.02, drift=0.02),
    "busy": BUSY,
    "crowded": CROWDED,
    "warming up": WARMING,
    "frequency": STEPPING,
    "correlated": CORRELATED,
    "long bursts": BURSTY,
}
RECORDINGS = Path(__file__).parents[1] / "tests" / "golden" / "noise"
QUIET_ONES = ("quiet", "gpu")
"""How the names of machines begin on which the goals for a quiet one hold."""
FALSE_QUIET, FALSE_LOADED, POWER_QUIET = 0.03, 0.05, 0.95
"""Goals: most A/A verdicts that may be FASTER or SLOWER, quiet and loaded; least share of 5 % changes that is found."""
RATIOS = (1.0, 0.95, 1.05, 1.10, 1.30)
ORDER = "verdicts per 100: FASTER SLOWER SAME UNCLEAR, mean rounds"


def decide(test: PairedTest, ratios: Sequence[float]) -> Comparison:
    """Look as often as planned, as the loop does."""
    rounds = 0
    while (verdict := test.decide(ratios[: (rounds := test.next_look(rounds))])) is None:
        pass
    return verdict


def simulated(noise: Noise | Recorded, ratio: float, runs: int, *, alternate: bool = False) -> list[Comparison]:
    """Compare `runs` times on fresh noise."""
    test, rng, verdicts = PairedTest(), np.random.default_rng(2024), []
    for _ in range(runs):
        table = noise.times(rng, test.looks[-1], ratio, alternate=alternate)
        verdicts.append(decide(test, [log_time(row[[0, 3]]) - log_time(row[[1, 2]]) for row in table]))
    return verdicts


def line(found: Sequence[Comparison]) -> str:
    """Verdicts in per cent and the mean number of rounds."""
    counts = Counter(comparison.verdict for comparison in found)
    share = " ".join(f"{100 * counts[v] / len(found):7.1f}" for v in ("FASTER", "SLOWER", "SAME", "UNCLEAR"))
    return f"{share} {fmean(c.rounds for c in found):8.1f}"


def recordings() -> dict[str, Recorded]:
    """Read what machines recorded, warm-up included."""
    noises = {}
    for file in sorted(RECORDINGS.glob("*.json")):
        noises[file.stem] = Recorded(np.array(json.loads(file.read_text())["sample_ns"], np.float64))
    return noises


def power(machines: dict[str, Noise] | dict[str, Recorded], runs: int) -> bool:
    """Print the tables of results/statistics-2026-11 and docs/how-we-measure.md, and whether the goals hold; returns that."""
    print(f"{runs} comparisons a row; {ORDER}")
    missed = []
    for name, noise in machines.items():
        for ratio in RATIOS:
            for alternate in (False, True):
                order = "ABBA,BAAB" if alternate else "ABBA"
                verdicts = simulated(noise, ratio, runs, alternate=alternate)
                print(f"{name:24} candidate takes {ratio:.2f} x {order:10} {line(verdicts)}", flush=True)
                missed += [f"{name} {ratio:.2f} {order}: {why}" for why in shortfalls(name, ratio, verdicts)]
    print("\n".join(f"goal missed: {row}" for row in missed) or "all goals hold")
    return not missed


def shortfalls(name: str, ratio: float, found: Sequence[Comparison]) -> list[str]:
    """Return which goals a row misses."""
    quiet = name.startswith(QUIET_ONES)
    share = {verdict: sum(c.verdict == verdict for c in found) / len(found) for verdict in ("FASTER", "SLOWER", "SAME")}
    if ratio == 1.0:
        wrong, most = share["FASTER"] + share["SLOWER"], FALSE_QUIET if quiet else FALSE_LOADED
        return [f"{wrong:.1%} false verdicts"] if wrong > most else []
    right, wrong = ("SLOWER", "FASTER") if ratio > 1 else ("FASTER", "SLOWER")
    missed = [f"{share[wrong] + share['SAME']:.1%} wrong"] if share[wrong] + share["SAME"] > FALSE_QUIET else []
    return missed + ([f"{share[right]:.1%} found"] if quiet and share[right] < POWER_QUIET else [])


def brief(machines: dict[str, Noise | Recorded], runs: int) -> bool:
    """Print how large a difference A/A rounds show in all of the first three, which decides long calls; whether none is enough."""
    enough = 0
    for name, noise in machines.items():
        rng, least = np.random.default_rng(7), []
        for _ in range(runs):
            table = noise.times(rng, OVERWHELMING_ROUNDS, 1.0)
            ratios = [log_time(row[[0, 3]]) - log_time(row[[1, 2]]) for row in table]
            least.append(max(min(ratios), -max(ratios)))
        false = sum(one > OVERWHELMING for one in least)
        enough += false
        print(f"{name:26} {false} of {runs} false, at most {np.exp(max(least)):.2f}-fold", flush=True)
    return not enough


def hodges_lehmann(values: Sequence[float]) -> float:
    made = interval(values, 0.05)
    assert made, "a round's figures are enough"
    return made.centre


def estimators(runs: int) -> None:
    """Print error and bias of the ways to turn four samples a round into one location after 25 rounds."""
    ways: dict[str, Callable[[np.ndarray], float]] = {
        "mean of logs": lambda s: float(np.log(s).mean()),
        "fastest": lambda s: float(np.log(s).min()),
        "undisturbed mean": log_time,
    }
    places = {
        "median": median,
        "Hodges-Lehmann": hodges_lehmann,
        "HL, agreeing": lambda v: hodges_lehmann(agreeing(v)),
        "mean": fmean,
    }
    for machine, noise in MACHINES.items():
        for alternate in (False, True):
            rng = np.random.default_rng(7)
            tables = [noise.times(rng, 25, alternate=alternate) for _ in range(runs)]
            for way, estimator in ways.items():
                series = [[estimator(r[[0, 3]]) - estimator(r[[1, 2]]) for r in table] for table in tables]
                for place, where in places.items():
                    errors = np.array([where(ratios) for ratios in series])
                    order = "ABBA,BAAB" if alternate else "ABBA"
                    rms, bias = 100 * np.sqrt((errors**2).mean()), 100 * errors.mean()
                    print(f"{machine:12} {order:10} {way:17} {place:15} rms {rms:6.2f} %  bias {bias:+6.2f} %")


def live(runs: int, longer: float) -> None:
    """Compare a loop of multiply-adds with itself, or with a longer one, as the product compares candidates."""
    from hotloop.app.session import Options, desk

    with desk(Options()) as made:
        duels = stand.duels(made, runs, longer)
    widths = [100 * (c.high / c.low - 1) / 2 for c in duels]
    print(f"live with {100 * longer - 100:.0f} % extra work, {runs} comparisons; {ORDER}")
    print(line(duels), f"  median half width {median(widths):.1f} %, {stand.conditions()}")


def main() -> None:
    """Read the arguments."""
    parser = stand.parser(__doc__)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--recorded", action="store_true")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--estimators", action="store_true")
    parser.add_argument("--live", type=int, metavar="N")
    options = parser.parse_args()
    if options.live:
        live(options.live, 1.0)
        live(options.live, 1.05)
    elif options.brief:
        sys.exit(0 if brief({**MACHINES, **recordings()}, options.runs) else 1)
    elif options.estimators:
        estimators(options.runs)
    else:
        sys.exit(0 if power(recordings() if options.recorded else MACHINES, options.runs) else 1)


if __name__ == "__main__":
    main()
