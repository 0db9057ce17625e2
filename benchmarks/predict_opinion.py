"""How often predicted orders are worse than chance, with and without the rule that says when they are no opinion.

    python benchmarks/predict_opinion.py results/predict-.../convolution-test.jsonl

The rows of `predict_convolution.py` are cut into sub-spaces: all configurations that share one, two or three parameters' values, or the
unit that bounds them, of ten and more. In each, the evaluations until within 5 % of its best in the predicted order, and on average in those in which
searches on a card began until the sixteenth run, are compared with those of a random order (the expectation). Where there is no opinion, the order is random and the ratio 1. Beside them stands what
an order by the measured times themselves would reach: where a fifth of ten configurations is within 5 %, no order saves more than two thirds.

    python benchmarks/predict_opinion.py --recorded TIMES.json.gz OTHER.json.gz

does the same with two recordings of one kernel on two devices in Kernel Tuner's format: the second device's times are taken for predictions, and show
what an order can reach that nobody would call wrong. Of its sub-spaces 300 are drawn.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import log
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import Any

from hotloop.predict.opinion import silence
from hotloop.predict.sequence import Sequel
from hotloop.targets.span import Span

PARAMETERS, FEWEST, CLOSE, WORSE = 6, 10, 1.05, 1.1
DRAWN, SEEDS, TRIES = 300, 60, 10
ERROR = 0.1
"""Standard deviation of the logarithm of a predicted time, below which the order of two was left to chance; of 0.05, 0.1 and 0.2 this one cost least."""
Row = dict[str, Any]


class Said(Sequel):
    """A recorded prediction."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """As recorded: the label holds them."""
        return tuple(json.loads(self.label))


def recorded(row: Row) -> Said:
    """Return a row as a prediction."""
    times = {name: row[key] * 1e6 for name, key in (("time_ns", "predicted"), ("low_ns", "low"), ("high_ns", "high"))}
    choice = Span(*(ms * 1e6 for ms in row.get("choice", (row["predicted"],) * 2)))
    return Said(
        label=json.dumps(row["doubts"]), chip="", target="", bound=row["bound"], launches=(), choice_ns=choice, **times
    )


def spaces(rows: list[Row]) -> list[list[Row]]:
    """Return the sub-spaces."""
    groups = defaultdict[object, list[Row]](list)
    for row in rows:
        values = row["name"].split("_")
        for count in (1, 2, 3):
            for chosen in combinations(range(min(PARAMETERS, len(values))), count):
                groups[chosen, tuple(values[n] for n in chosen)].append(row)
        groups[row["bound"]].append(row)
    return [rows, *(some for some in groups.values() if len(some) >= FEWEST)]


def ratio(rows: list[Row]) -> float:
    """Return the evaluations in the predicted order over those of a random one."""
    return _over_chance([row["ms"] for row in sorted(rows, key=lambda row: row["predicted"])])


def turns(times_ns: Sequence[float], seed: int) -> list[int]:
    """Return in which order searches on a card began until the sixteenth run: the one predicted fastest, then the others as if each time had an error."""
    order, draw = sorted(range(len(times_ns)), key=times_ns.__getitem__), random.Random(seed)
    drawn = {number: log(times_ns[number]) + draw.gauss(0, ERROR) for number in order[1:]}
    return [*order[:1], *sorted(drawn, key=drawn.__getitem__)]


def begun(rows: list[Row]) -> float:
    """Return the same as a mean over the orders in which searches began."""
    times = [row["predicted"] for row in rows]
    return fmean(_over_chance([rows[n]["ms"] for n in turns(times, seed)]) for seed in range(SEEDS))


def _over_chance(order: list[float]) -> float:
    best = min(order)
    good = [ms <= CLOSE * best for ms in order]
    return (good.index(True) + 1) / ((len(order) + 1) / (sum(good) + 1))


def perfect(rows: list[Row]) -> float:
    """Return the same of the order by measured times, than which none is better."""
    return _over_chance(sorted(row["ms"] for row in rows))


def recordings(one: Path, other: Path) -> list[Row]:
    """Return what both devices could run, the times of the second one as predictions."""
    tables = []
    for path in (one, other):
        with gzip.open(path, "rt") as file:
            cache = json.load(file)["cache"]
        tables.append({name: row["time"] for name, row in cache.items() if "__error__" not in row})
    names = sorted(tables[0].keys() & tables[1].keys())
    return [{"name": n.replace(",", "_"), "ms": tables[0][n], "predicted": tables[1][n], "bound": ""} for n in names]


def told(title: str, ratios: list[float]) -> None:
    """Print what became of some sub-spaces."""
    worse, mean = sum(r > WORSE for r in ratios), geometric_mean(ratios)
    print(
        f"  {title}: {len(ratios)} spaces, worse than random by > 10 %: {worse}, worst {max(ratios):.2f}, mean {mean:.3f}"
    )


def main() -> None:
    """Print the figures of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--recorded", action="store_true")
    given = parser.parse_args()
    if given.recorded:
        whole, *parts = spaces(recordings(*given.files))
        some = [whole, *random.Random(1).sample(parts, min(DRAWN, len(parts)))]
        print(f"{given.files[0]} by {given.files[1]}, the whole: {ratio(whole):.3f}, {begun(whole):.3f}")
        told("strictly", [ratio(rows) for rows in some])
        told("as searches began", [begun(rows) for rows in some])
        return
    for path in given.files:
        rows = [row for line in path.read_text().splitlines() if "predicted" in (row := json.loads(line)) and row["ms"]]
        every = [(ratio(some), not silence([recorded(row) for row in some])) for some in spaces(rows)]
        print(path)
        for title, ratios in (
            ("always", [r for r, _ in every]),
            ("by the rule", [r if ok else 1.0 for r, ok in every]),
        ):
            told(title, ratios)
        told("as searches began", [begun(some) for some in spaces(rows)])
        told("a perfect order", [perfect(some) for some in spaces(rows)])
        large = [some for some in spaces(rows) if 1 / perfect(some) >= TRIES]
        for title, rule in (("as searches began", begun), ("a perfect order", perfect)):
            told(f"where chance needs {TRIES} tries, {title}", [rule(some) for some in large])
        print(
            f"  with an opinion: {sum(ok for _, ok in every)}; in those the mean {geometric_mean(r for r, ok in every if ok):.2f}"
        )


if __name__ == "__main__":
    main()
