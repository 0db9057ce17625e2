"""What a program calls, as a table of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report import plain
from hotloop.report.words import NONE

if TYPE_CHECKING:
    from hotloop.model.tally import Line, Tally

MOST = 60
"""Lines that are printed; the others are counted."""


def text(tally: Tally, choices: Mapping[tuple[str, str], str] | None = None, most: int = MOST) -> str:
    """Return the table, the heaviest first; `choices` says, by call and operands, what would run."""
    heaviest = tally.heaviest
    rows = [_head(tally), "", f"{'share':>6} {'time':>9} {'calls':>7}  call"]
    for line in heaviest[:most]:
        rows += _rows(tally, line, (choices or {}).get((line.call, line.operands.partition(" then ")[0]), ""))
    if len(heaviest) > most:
        rest = sum(tally.share(line) or 0.0 for line in heaviest[most:])
        rows.append(f"and {len(heaviest) - most} more, together {units.percent(rest)} of the time")
    rows += [f"note: {plain.line(note)}" for note in tally.notes]
    return "\n".join(rows)


def _head(tally: Tally) -> str:
    in_all = f", {units.duration(tally.total_ns)} in all" if tally.total_ns is not None else ", times not known"
    tuned = [line for line in tally.lines if line.family]
    shares = [tally.share(line) for line in tuned]
    part = (
        f"; {units.percent(sum(s for s in shares if s is not None))} of it in operations of hotloop's families"
        if tally.total_ns
        else ""
    )
    device = f" on {plain.line(tally.device)}" if tally.device else ""
    return (
        f"{sum(line.count or 0 for line in tally.lines)} calls{device}, from {plain.line(tally.source)}{in_all}{part}"
    )


def _rows(tally: Tally, line: Line, choice: str) -> list[str]:
    share = tally.share(line)
    head = f"{NONE if share is None else units.percent(share):>6} {NONE if line.total_ns is None else units.duration(line.total_ns):>9}"
    rows = [
        f"{head} {NONE if line.count is None else line.count:>7}  {plain.line(line.call)} {plain.line(line.operands)}"
    ]
    pad = " " * 26
    if line.family:
        rows.append(f"{pad}{line.family} {shape(line)}")
    if choice:
        rows.append(f"{pad}runs {plain.line(choice)}")
    if line.reason:
        rows.append(f"{pad}{'without' if line.family else 'not hotloop:'} {plain.line(line.reason)}")
    return rows


def shape(line: Line) -> str:
    """Return the sizes of a line's problem as ``--shape`` takes them, those that are not the family's default and all extents."""
    from hotloop import registry

    default = registry.load("hotloop.kernels", line.family, "KERNEL").problem.sizes
    extents = {name for name, value in default.items() if type(value) is int and value > 0}
    names = {*extents, *default.changes_to(line.sizes)}
    return ",".join(f"{name}={value}" for name, value in line.sizes.items() if name in names or name not in default)
