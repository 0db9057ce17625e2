"""How often predicted intervals hold: as the mechanisms say, and as promised after what earlier runs measured.

    python benchmarks/predictions.py FILE [FILE ...]     reports of `hotloop optimize --json` or `tune --json`, .gz too

For each run in turn, the promised intervals are made from the other files and from the run's own earlier steps, never from
what they are judged on. Files must hold the mechanisms' intervals (`mechanism`, or `predicted` in runs before there was one).
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hotloop.model.gain import Gain
from hotloop.techniques import surprises
from hotloop.techniques.calibration import SEARCH, Calibration, Record

SHIPPED = ("known-best", "proven-start", "neighbour", "path")
"""Techniques that begin with what was found elsewhere: they predict nothing from a mechanism."""


@dataclass(frozen=True)
class Row:
    """One timed step that had been predicted."""

    technique: str
    predicted: Gain
    speedup: float
    kept: bool

    @property
    def record(self) -> Record:
        """The step as a store keeps it."""
        return Record(self.technique, "", self.predicted, self.speedup)


def rows(path: Path) -> list[Row]:
    """Return the timed predictions of a report."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return list(_walk(json.load(file)))


def _walk(data: Any) -> Iterator[Row]:
    if isinstance(data, dict):
        found, measured = data.get("mechanism") or data.get("predicted"), data.get("measured")
        timed = isinstance(found, dict) and isinstance(measured, dict) and measured.get("value")
        if timed and "decision" in data and data.get("technique") not in SHIPPED:
            gain = Gain(found["low"], found["high"])
            yield Row(data["technique"], gain, measured["value"], data["decision"] == "keep")
        for value in data.values():
            yield from _walk(value)
    elif isinstance(data, list):
        for value in data:
            yield from _walk(value)


def promised(run: Sequence[Row], others: Sequence[Row]) -> list[Gain]:
    """Return the interval of each step, made from other runs and from the steps before it."""
    menu = tuple(row.record.surprise for row in others if row.technique != SEARCH)
    search = tuple(row.record.surprise for row in others if row.technique == SEARCH)
    with patch.object(surprises, "MENU", menu), patch.object(surprises, "SEARCH", search):
        return [
            Calibration(tuple(one.record for one in run[:index])).promised(row.technique, "", row.predicted)
            for index, row in enumerate(run)
        ]


def main(arguments: Sequence[str]) -> int:
    """Print the table; exit code 1 when promised intervals hold for less than 80 % of the moves of a menu."""
    files = {Path(name): rows(Path(name)) for name in arguments}
    print(
        "| run | menu moves | kept | in the mechanism's interval | in the promised one | its middle width | search steps | promised |"
    )
    print("|---|---|---|---|---|---|---|---|")
    held = total = 0
    for path, run in files.items():
        others = [row for other, found in files.items() if other.parent != path.parent for row in found]
        pairs = list(zip(run, promised(run, others), strict=True))
        menu = [(row, gain) for row, gain in pairs if row.technique != SEARCH]
        search = [(row, gain) for row, gain in pairs if row.technique == SEARCH]
        held += sum(gain.contains(row.speedup) for row, gain in menu)
        total += len(menu)
        print(f"| {path.parent.name}/{path.name} | {_cells(menu)} | {len(search)} | {_share(search)} |")
    print(f"\npromised intervals held for {held} of {total} moves of the menu")
    return int(held < 0.8 * total)


def _cells(menu: Sequence[tuple[Row, Gain]]) -> str:
    kept = sum(row.kept for row, _ in menu)
    raw = sum(row.predicted.contains(row.speedup) for row, _ in menu)
    widths = sorted(gain.high / gain.low for _, gain in menu)
    width = f"{widths[len(widths) // 2]:.1f} ×" if widths else "–"
    return f"{len(menu)} | {kept} | {raw} | {_share(menu)} | {width}"


def _share(pairs: Sequence[tuple[Row, Gain]]) -> str:
    return str(sum(gain.contains(row.speedup) for row, gain in pairs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
