"""What predicted times are worth to a search, and what wrong ones cost: recorded times replayed, with and without predictions.

    python benchmarks/predict_search.py results/predict-.../convolution-test.jsonl [--runs 40]

The rows of `predict_convolution.py` are the space. Each run predicts 40 configurations drawn at random, believes the trusted ones, and
searches by the recorded times as `hotloop tune` does on a card: the best three predicted first, the others as another machine's
times. *wrong* predictions are the same ones in reverse order, *shuffled* ones have nothing to do with the configurations.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from pathlib import Path

from hotloop import registry
from hotloop.app.run.polish import FIRST
from hotloop.model.space import Config, Constraint, Parameter, Space

NAMES = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only", "use_padding")
DRAWN, CLOSE, CAP = 40, 1.05, 120
KINDS = ("without", "predicted", "wrong", "shuffled")


def main() -> None:
    """Replay searches and print how many evaluations they needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    given = parser.parse_args()
    rows = [row for line in given.rows.read_text().splitlines() if "predicted" in (row := json.loads(line))]
    table = {tuple(map(int, row["name"].split("_")[:6])): row for row in rows}
    best = min(row["ms"] for row in rows)
    for strategy in ("surrogate", "local"):
        needed: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for seed in range(given.runs):
            for kind in KINDS:
                needed[kind].append(search(table, best, strategy, kind, seed))
        base = statistics.fmean(needed["without"])
        for kind in KINDS:
            mean = statistics.fmean(needed[kind])
            print(
                f"{strategy}, {kind}: {mean:.1f} evaluations until within 5 % of the best, {mean / base:.2f} of without"
            )


def search(table: dict[tuple, dict], best: float, strategy: str, kind: str, seed: int) -> int:
    """Return the evaluations that one run needed."""
    parameters = tuple(Parameter(n, tuple(sorted({key[k] for key in table}))) for k, n in enumerate(NAMES))
    space = Space(parameters, (Constraint("was recorded", lambda c: tuple(c[n] for n in NAMES) in table, NAMES),))
    rng = random.Random(seed)
    keys = sorted(table)
    start = rng.choice(keys)
    drawn = [key for key in rng.sample(keys, DRAWN) if not table[key]["doubts"]]
    times = [table[key]["predicted"] * 1e6 for key in drawn]
    if kind == "wrong":
        order = sorted(range(len(times)), key=times.__getitem__)
        turned = list(times)
        for at, other in zip(order, reversed(order), strict=True):
            turned[at] = times[other]
        times = turned
    elif kind == "shuffled":
        rng.shuffle(times)
    guessed = {} if kind == "without" else {config(key): ns for key, ns in zip(drawn, times, strict=True)}
    first = sorted(guessed, key=guessed.__getitem__)[:FIRST]
    made = registry.load("hotloop.search.strategies", strategy, "STRATEGY")(
        space, seed, start=[config(start), *first], elsewhere=[guessed] if guessed else []
    )
    for count in range(1, CAP + 1):
        asked = made.ask()
        if asked is None:
            break
        ms = table[tuple(asked[n] for n in NAMES)]["ms"]
        made.tell(asked, ms * 1e6)
        if ms <= CLOSE * best:
            return count
    return CAP


def config(key: tuple) -> Config:
    """Return a row's configuration."""
    return Config(dict(zip(NAMES, key, strict=True)))


if __name__ == "__main__":
    main()
