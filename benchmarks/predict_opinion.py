"""How often predicted orders are worse than chance, with and without the rule that says when they are no opinion.

    python benchmarks/predict_opinion.py results/predict-.../convolution-test.jsonl

The rows of `predict_convolution.py` are cut into sub-spaces: all configurations that share one, two or three parameters' values, or the
unit that bounds them, of ten and more. In each, the evaluations until within 5 % of its best in the predicted order are compared with those of a
random order (the expectation). Where there is no opinion, the order is random and the ratio 1.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from itertools import combinations
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

from hotloop.predict.opinion import silence
from hotloop.predict.sequence import Sequel
from hotloop.targets.span import Span

PARAMETERS, FEWEST, CLOSE, WORSE = 6, 10, 1.05, 1.1
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
            for chosen in combinations(range(PARAMETERS), count):
                groups[chosen, tuple(values[n] for n in chosen)].append(row)
        groups[row["bound"]].append(row)
    return [rows, *(some for some in groups.values() if len(some) >= FEWEST)]


def ratio(rows: list[Row]) -> float:
    """Return the evaluations in the predicted order over those of a random one."""
    best = min(row["ms"] for row in rows)
    good = [row["ms"] <= CLOSE * best for row in sorted(rows, key=lambda row: row["predicted"])]
    return (good.index(True) + 1) / ((len(rows) + 1) / (sum(good) + 1))


def main() -> None:
    """Print the figures of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        rows = [row for line in path.read_text().splitlines() if "predicted" in (row := json.loads(line)) and row["ms"]]
        every = [(ratio(some), not silence([recorded(row) for row in some])) for some in spaces(rows)]
        print(path)
        for title, ratios in (
            ("always", [r for r, _ in every]),
            ("by the rule", [r if ok else 1.0 for r, ok in every]),
        ):
            worse, mean = sum(r > WORSE for r in ratios), exp(fmean(map(log, ratios)))
            print(
                f"  {title}: {len(ratios)} spaces, worse than random by > 10 %: {worse}, worst {max(ratios):.2f}, mean {mean:.2f}"
            )
        print(
            f"  with an opinion: {sum(ok for _, ok in every)}; in those the mean {exp(fmean(log(r) for r, ok in every if ok)):.2f}"
        )


if __name__ == "__main__":
    main()
