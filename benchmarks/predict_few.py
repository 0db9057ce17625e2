"""Which few configurations to predict for a search when the time is short, replayed on recorded spaces.

    python benchmarks/predict_few.py results/predict-.../locality.jsonl MORE.jsonl --only seven,product --numbers 12,24

As `hotloop.app.predict.foretell` does it: a start and so many drawn configurations, then what a strategy asks for that is told predicted times, until `--numbers` are predicted. A search is given these
alone (`predict_search.py`, *now*). Printed: evaluations until within 5 % of the best, the start counted, over what a random order needs.
"""

from __future__ import annotations

import argparse
import random
from itertools import product
from pathlib import Path
from statistics import fmean, geometric_mean

from predict_opinion import recorded
from predict_search import CLOSE, Key, Table, config, read, space_of

from hotloop.app.predict.foretell import worth
from hotloop.model.space import Config, Space
from hotloop.search.foretold import Foretold
from hotloop.search.strategy import named

CAP = 400


def predicted(
    names: tuple[str, ...], table: Table, space: Space, how: str, drawn: int, number: int, begin: Key, seed: int
) -> dict[Config, float]:
    """Return the predictions that a search is told."""
    some = random.Random(seed).sample(sorted(table), min(drawn, len(table)))
    made = named(how)(space, seed, start=[config(names, key) for key in (begin, *some)])
    known: dict[Key, float] = {}
    while len(known) < number and (asked := made.ask()) is not None:
        key = tuple(asked[name] for name in names)
        known[key] = table[key]["predicted"] * 1e6
        made.tell(asked, known[key])
    return {config(names, key): known[key] for key in worth({key: recorded(table[key]) for key in known})}


def needed(names: tuple[str, ...], table: Table, space: Space, told: dict[Config, float], begin: Key, seed: int) -> int:
    """Return the evaluations of a search that is told predictions."""
    best = min(row["ms"] for row in table.values())
    first = sorted(told, key=told.__getitem__)[:1]
    made = named("surrogate")(space, seed, start=[config(names, begin), *first], foretold=Foretold(told))
    for count in range(1, CAP + 1):
        asked = made.ask()
        if asked is None:
            break
        key = tuple(asked[name] for name in names)
        if table[key]["ms"] <= CLOSE * best:
            return count
        made.tell(asked, table[key]["ms"] * 1e6)
    return CAP


def main() -> None:
    """Print a line for each way and number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--numbers", default="12,24")
    parser.add_argument("--drawn", default="16,8,4")
    parser.add_argument("--ways", default="local,surrogate")
    parser.add_argument("--runs", type=int, default=30)
    given = parser.parse_args()
    spaces = {name: one for name, one in read(given.rows).items() if not given.only or name in given.only.split(",")}
    for how, drawn in product(given.ways.split(","), map(int, given.drawn.split(","))):
        shares: dict[tuple[str, int], float] = {}
        for (name, (names, table)), number in product(spaces.items(), map(int, given.numbers.split(","))):
            best = min(row["ms"] for row in table.values())
            chance = (len(table) + 1) / (sum(row["ms"] <= CLOSE * best for row in table.values()) + 1)
            space, counts = space_of(names, table), []
            for seed in range(given.runs):
                begin = random.Random(1000 + seed).choice(sorted(table))
                told = predicted(names, table, space, how, drawn, number, begin, seed)
                counts.append(needed(names, table, space, told, begin, seed))
            shares[name, number] = fmean(counts) / chance
        words = ", ".join(f"{name} {number}: {share:.2f}" for (name, number), share in shares.items())
        print(f"{how}, {drawn} drawn: {geometric_mean(shares.values()):.3f} ({words})", flush=True)


if __name__ == "__main__":
    main()
