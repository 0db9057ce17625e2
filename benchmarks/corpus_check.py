"""Analyses every listing of a corpus as ``hotloop isa`` does, and fails where it crashes, does not know code, or raises an alarm.

    python benchmarks/corpus.py FOLDER           # makes one
    python benchmarks/corpus_check.py FOLDER     # reads it: FOLDER/TARGET/*.s, .sass and .ptx
    python benchmarks/corpus_check.py FOLDER --findings

Prints a table by dialect and target, and exits 1 when an analysis raises, an instruction of a hot loop has no class, a register is
said to be used before its data arrive (compilers do not do that), or a kernel with metadata gets no occupancy. Listings that
cannot be read are failures, too: everything here came out of a compiler.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import stand

from hotloop.app.code import analysis as isa
from hotloop.isa.summary.model import KernelReport

SUFFIXES = (".s", ".sass", ".ptx")
PTX = "ptx"


@dataclass
class Row:
    """Figures of one dialect on one target."""

    listings: int = 0
    kernels: int = 0
    instructions: int = 0
    loops: int = 0
    timed: int = 0
    findings: int = 0
    seconds: float = 0.0
    rules: Counter[str] = field(default_factory=Counter)


def main() -> int:
    """Check a corpus."""
    parser = stand.parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--findings", action="store_true", help="list how often each rule fires")
    arguments = parser.parse_args()
    rows, failures = checked(sorted(p for p in arguments.folder.rglob("*") if p.suffix in SUFFIXES))
    if not rows:
        sys.exit(f"{arguments.folder} holds no listing: make a corpus with benchmarks/corpus.py.")
    show(rows)
    if arguments.findings:
        for rule, count in sum((row.rules for row in rows.values()), Counter()).most_common():
            print(f"{count:5d}  {rule}")
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"{len(failures)} failures in {sum(row.listings for row in rows.values())} listings")
    return 1 if failures else 0


def checked(paths: list[Path]) -> tuple[dict[tuple[str, str], Row], list[str]]:
    """Analyse listings; return the figures by dialect and folder, and what is wrong."""
    rows: dict[tuple[str, str], Row] = defaultdict(Row)
    failures: list[str] = []
    for path in paths:
        row = rows[path.suffix.lstrip("."), path.parent.name]
        began = time.process_time()
        try:
            reports = isa.analyse(isa.Request(text=str(path)))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what this looks for
            failures.append(f"{path}: {type(error).__name__}: {error}")
            continue
        finally:
            row.seconds += time.process_time() - began
            row.listings += 1
        for report in reports:
            count(row, report)
            failures += [f"{path}: {report.kernel}: {trouble}" for trouble in troubles(report)]
    return dict(rows), failures


def count(row: Row, report: KernelReport) -> None:
    """Add a kernel's figures."""
    row.kernels += 1
    row.instructions += report.instructions
    row.loops += bool(report.hot.depth)
    row.timed += report.hot.cycles is not None
    row.findings += len(report.findings)
    row.rules.update(finding.rule for finding in report.findings)


def troubles(report: KernelReport) -> list[str]:
    """Return what is wrong with the analysis of a compiler's output."""
    alarms = [f"no class for {name} in the hot loop" for name in report.hot.unknown]
    alarms += [f"wait alarm: {hazard}" for hazard in report.hazards]
    if report.dialect == PTX:
        return alarms
    if report.resources is not None and report.room.occupancy is None:
        alarms.append(f"no occupancy: {report.room.why_not}")
    if report.hot.depth and report.hot.why_no_hiding:
        alarms.append(f"no waits: {report.hot.why_no_hiding}")
    return alarms


def show(rows: dict[tuple[str, str], Row]) -> None:
    """Print the table."""
    print(
        f"{'dialect':8} {'target':16} {'listings':>8} {'kernels':>8} {'instr.':>8} {'loops':>6} {'timed':>6} {'findings':>8} {'s':>6}"
    )
    every = Row()
    for (dialect, target), row in sorted(rows.items()):
        print(line(dialect, target, row))
        for name in ("listings", "kernels", "instructions", "loops", "timed", "findings", "seconds"):
            setattr(every, name, getattr(every, name) + getattr(row, name))
    print(line("all", "", every))


def line(dialect: str, target: str, row: Row) -> str:
    """Return one row of the table."""
    return (
        f"{dialect:8} {target:16} {row.listings:8} {row.kernels:8} {row.instructions:8} {row.loops:6} {row.timed:6} "
        f"{row.findings:8} {row.seconds:6.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())
