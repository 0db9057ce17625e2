"""What predictions are worth on recorded runs: how often intervals hold, and which moves the menu would try again.

    python benchmarks/predictions.py [--strange] FILE [FILE ...] [--from FILE ...]

Files are reports of `hotloop optimize --json` or `tune --json`, also inside the recordings of benchmarks/gpu; .gz too. For each run
in turn, intervals and chances are made from runs of other kernels or other processors and from the run's own earlier steps, never
from what they are judged on; with ``--strange``, from runs of other kernels only; with ``--from``, from the runs behind it, of whatever
kernel, and the run's own earlier steps. Files must
hold the mechanisms' intervals (`mechanism`, or `predicted` in runs before there was one). What a compiled candidate says is not in the recordings: the menu that is shown here has not asked it.
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
from hotloop.model.space import Config
from hotloop.targets.target import Target
from hotloop.techniques import surprises
from hotloop.techniques.calibration import SEARCH, Calibration, Record
from hotloop.techniques.menu import MARGIN, WORTH
from hotloop.techniques.past import Past, lost, undoes

SHIPPED = ("known-best", "proven-start", "neighbour")
"""Techniques that begin with what was found elsewhere, or step blindly: they predict nothing from a mechanism."""


@dataclass(frozen=True)
class Row:
    """One timed step that had been predicted."""

    technique: str
    predicted: Gain
    speedup: float
    past: Past

    def record(self, target: str) -> Record:
        """The step as a store keeps it."""
        return Record(self.technique, target, self.predicted, self.speedup)


@dataclass(frozen=True)
class Run:
    """One report."""

    place: str
    title: str
    target: str
    device: str
    rows: tuple[Row, ...]

    @property
    def kernel(self) -> str:
        """Its name without sizes."""
        return self.title.split()[0]

    def foreign(self, other: Run) -> bool:
        """Tell whether nothing of this run is known from another one: another kernel, or another processor."""
        return (self.kernel, self.target) != (other.kernel, other.target)


def runs(path: Path) -> list[Run]:
    """Return the reports in a file that have timed predictions."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        found = [_run(path, report) for report in _reports(json.load(file))]
    return [run for run in found if run.rows]


def _reports(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, str) and data.lstrip().startswith("{"):
        try:
            yield from _reports(json.loads(data))
        except ValueError:
            return
    elif isinstance(data, dict) and data.get("format") == "hotloop-report":
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _reports(value)


def _run(path: Path, report: dict[str, Any]) -> Run:
    conditions = dict(map(tuple, report["conditions"]))
    place = f"{path.parent.name}/{path.name}"
    return Run(
        place,
        report["title"],
        conditions.get("target", ""),
        conditions.get("device", ""),
        tuple(_rows(report["steps"])),
    )


def _rows(steps: Sequence[dict[str, Any]]) -> Iterator[Row]:
    incumbent = Config(dict(map(tuple, steps[0]["config"]))) if steps else Config()
    for step in steps[1:]:
        config, kept = Config(dict(map(tuple, step["config"]))), step["decision"] == "keep"
        gain, measured = step.get("mechanism") or step.get("predicted"), step.get("measured")
        if gain and measured and measured.get("value") and step["technique"] not in SHIPPED:
            past = Past(incumbent, config, kept, step["verdict"] == "SLOWER")
            yield Row(step["technique"], Gain(gain["low"], gain["high"]), measured["value"], past)
        if kept:
            incumbent = config


@dataclass(frozen=True)
class Judged:
    """A row with what could have been said of it beforehand."""

    row: Row
    promised: Gain
    tried: bool
    """Whether the menu would try it."""


def judged(run: Run, others: Sequence[Run]) -> list[Judged]:
    """Return what other runs and the steps before it say of each step."""
    menu = tuple(
        surprises.Surprise(row.technique, not Target.of(other.target).cpu, row.record("").surprise)
        for other in others
        for row in other.rows
        if row.technique != SEARCH
    )
    search = tuple(row.record("").surprise for other in others for row in other.rows if row.technique == SEARCH)
    with patch.object(surprises, "MENU", menu), patch.object(surprises, "SEARCH", search or surprises.SEARCH):
        return [_judged(run, index) for index in range(len(run.rows))]


def _judged(run: Run, index: int) -> Judged:
    row, earlier = run.rows[index], run.rows[:index]
    learned = Calibration(tuple(other.record(run.target) for other in earlier if other.technique != SEARCH))
    past, step = [other.past for other in earlier], row.past
    likely = learned.chance(row.technique, run.target, row.predicted, MARGIN) >= WORTH
    against = undoes(step.before, step.after, past) or lost(step.before, step.after, past)
    promised = learned.promised(row.technique, run.target, row.predicted)
    return Judged(row, promised, likely and not against)


def main(arguments: Sequence[str]) -> int:
    """Print the table; exit code 1 when promised intervals hold for less than 80 % of the moves of a menu."""
    strange, arguments = "--strange" in arguments, [name for name in arguments if name != "--strange"]
    split = arguments.index("--from") if "--from" in arguments else len(arguments)
    every = [run for name in arguments[:split] for run in runs(Path(name))]
    learned = [run for name in arguments[split + 1 :] for run in runs(Path(name))]
    print(
        "| run | menu moves | kept | in the mechanism's interval | in the promised one | its middle width | search steps | promised | "
        "would try | kept of these |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    everything: list[Judged] = []
    kinds: dict[str, list[Judged]] = {"CPUs": [], "GPUs": []}
    for run in every:
        others = [other for other in every if (other.kernel != run.kernel if strange else run.foreign(other))]
        rows = judged(run, learned or others)
        menu = [judged_row for judged_row in rows if judged_row.row.technique != SEARCH]
        search = [judged_row for judged_row in rows if judged_row.row.technique == SEARCH]
        tried = [judged_row for judged_row in menu if judged_row.tried]
        everything += menu
        kinds["CPUs" if Target.of(run.target).cpu else "GPUs"] += menu
        print(
            f"| {run.place}: {run.title} | {_cells(menu)} | {len(search)} | {_held(search)} | {len(tried)} | {_kept(tried)} |"
        )
    held, tried = _held(everything), [judged_row for judged_row in everything if judged_row.tried]
    print(f"\npromised intervals held for {held} of {len(everything)} moves of the menu")
    print(
        f"of {len(everything)} moves {_kept(everything)} were kept; of the {len(tried)} that would be tried, {_kept(tried)}"
    )
    for kind, rows in kinds.items():
        tried = [judged_row for judged_row in rows if judged_row.tried]
        print(
            f"{kind}: {_held(rows)} of {len(rows)} held; of {len(tried)} that would be tried {_kept(tried)} were kept"
        )
    return int(held < 0.8 * len(everything))


def _cells(menu: Sequence[Judged]) -> str:
    raw = sum(judged_row.row.predicted.contains(judged_row.row.speedup) for judged_row in menu)
    widths = sorted(judged_row.promised.high / judged_row.promised.low for judged_row in menu)
    width = f"{widths[len(widths) // 2]:.1f} ×" if widths else "–"
    return f"{len(menu)} | {_kept(menu)} | {raw} | {_held(menu)} | {width}"


def _kept(menu: Sequence[Judged]) -> int:
    return sum(judged_row.row.past.kept for judged_row in menu)


def _held(menu: Sequence[Judged]) -> int:
    return sum(judged_row.promised.contains(judged_row.row.speedup) for judged_row in menu)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
