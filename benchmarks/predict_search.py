"""What predicted times are worth to a search, and what wrong ones cost: recorded times replayed, with and without predictions.

    python benchmarks/predict_search.py results/predict-.../convolution-test.jsonl [--runs 40]
    python benchmarks/predict_search.py results/predict-.../locality.jsonl --runs 40

The rows of `predict_convolution.py`, or those of each family of `predict_locality.py`, are the space. Each run predicts 40 configurations (all of
a smaller space) drawn at random, believes the trusted ones where their order is an opinion, and searches by the recorded times as `hotloop tune` does on a card: the best three predicted first, the others as another machine's
times. *wrong* predictions are the same ones in reverse order, *shuffled* ones have nothing to do with the configurations. *chance* is the expectation of a random order.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from pathlib import Path
from typing import Any

from predict_opinion import recorded

from hotloop.app.run.polish import FIRST
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.predict.opinion import silence, turns
from hotloop.search.strategy import named

NAMES = ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only", "use_padding")
DRAWN, CLOSE, CAP = 40, 1.05, 120
Key = tuple[int, ...]
Row = dict[str, Any]
KINDS = ("without", "predicted", "wrong", "shuffled")


def main() -> None:
    """Replay searches and print how many evaluations they needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    given = parser.parse_args()
    rows = [
        row for line in given.rows.read_text().splitlines() if "predicted" in (row := json.loads(line)) and row["ms"]
    ]
    for family in dict.fromkeys(row.get("family", "convolution") for row in rows):
        mine = [row for row in rows if row.get("family", family) == family]
        names = tuple(part.partition("=")[0] for part in mine[0]["config"].split(",")) if "config" in mine[0] else NAMES
        replay(family, names, {key_of(row): row for row in mine}, given.runs)


def key_of(row: Row) -> Key:
    """Return the values of a row's configuration."""
    if "config" in row:
        return tuple(int(part.partition("=")[2]) for part in row["config"].split(","))
    return tuple(map(int, row["name"].split("_")[: len(NAMES)]))


def replay(family: str, names: tuple[str, ...], table: dict[Key, Row], runs: int) -> None:
    """Print what searches of one space needed."""
    best = min(row["ms"] for row in table.values())
    close = sum(row["ms"] <= CLOSE * best for row in table.values())
    chance = (len(table) + 1) / (close + 1)
    why = silence([recorded(row) for row in table.values()])
    print(f"{family}: {len(table)} configurations, by chance {chance:.1f}; {why or 'an opinion'}")
    for strategy in ("surrogate", "local"):
        needed: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for seed in range(runs):
            for kind in KINDS:
                needed[kind].append(search(names, table, best, strategy, kind, seed))
        base = statistics.fmean(needed["without"])
        for kind in KINDS:
            mean = statistics.fmean(needed[kind])
            print(
                f"{strategy}, {kind}: {mean:.1f} evaluations until within 5 % of the best, {mean / base:.2f} of without, {mean / chance:.2f} of chance"
            )


def search(names: tuple[str, ...], table: dict[Key, Row], best: float, strategy: str, kind: str, seed: int) -> int:
    """Return the evaluations that one run needed."""
    parameters = tuple(Parameter(n, tuple(sorted({key[k] for key in table}))) for k, n in enumerate(names))
    space = Space(parameters, (Constraint("was recorded", lambda c: tuple(c[n] for n in names) in table, names),))
    rng = random.Random(seed)
    keys = sorted(table)
    start = rng.choice(keys)
    drawn = rng.sample(keys, min(DRAWN, len(keys)))
    quiet = silence([recorded(table[key]) for key in drawn])
    drawn = [key for key in drawn if not table[key]["doubts"] and not quiet]
    times = [table[key]["predicted"] * 1e6 for key in drawn]
    if kind == "wrong":
        order = sorted(range(len(times)), key=times.__getitem__)
        turned = list(times)
        for at, other in zip(order, reversed(order), strict=True):
            turned[at] = times[other]
        times = turned
    elif kind == "shuffled":
        rng.shuffle(times)
    guessed = {} if kind == "without" else {config(names, key): ns for key, ns in zip(drawn, times, strict=True)}
    configs = list(guessed)
    first = [configs[n] for n in turns([guessed[one] for one in configs], seed)[:FIRST]]
    made = named(strategy)(space, seed, start=[config(names, start), *first], elsewhere=[guessed] if guessed else [])
    for count in range(1, CAP + 1):
        asked = made.ask()
        if asked is None:
            break
        ms = table[tuple(asked[n] for n in names)]["ms"]
        made.tell(asked, ms * 1e6)
        if ms <= CLOSE * best:
            return count
    return CAP


def config(names: tuple[str, ...], key: Key) -> Config:
    """Return a row's configuration."""
    return Config(dict(zip(names, key, strict=True)))


if __name__ == "__main__":
    main()
